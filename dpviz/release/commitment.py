"""Commit to a whole path before the first release, and open single levels of it afterwards.

    pledge   p = F(seed, "pledge" ‖ statement ‖ names ‖ values), published before the beacon is
             known
    path     Y(l₁), …, Y(lₙ), each extended from the one before [LMR25, Algorithm 1], with a stream
             keyed by F(seed, "noise" ‖ p ‖ beacon)
    leaf     cᵢ = F(sᵢ, "leaf" ‖ i ‖ lᵢ ‖ names ‖ Y(lᵢ)), salted with
             sᵢ = F(seed, "salt" ‖ p ‖ beacon ‖ i)
    root     of the Merkle tree over c₁, …, cₙ [LMS21], published before the first release

In that tree the digest of a leaf is SHA-256(00 ‖ leaf), of a node SHA-256(01 ‖ left ‖ right), and
the left half of n leaves has the largest power of two below n, so that no leaf can pass for a node
[LMS21, section 2.1]. The proof of a leaf are the digests of the halves without it, the innermost
first: short, however many there are.
F is HMAC-SHA-256. As a pseudo-random function it hides: of levels that stay closed a reader sees
leaves, which are as good as random bits (MATHEMATICS 5.14). As SHA-256 has no known collisions, it
binds: one root has one number at each level, and one pledge one seed and one exact answer.
What it proves: the released numbers are those of the path that was committed to, no matter who
asked for what and in which order. With seed and exact answer an auditor checks the path itself.
What it cannot prove: that the exact answer was counted rightly; and, without a pledge that was
published before its beacon, that the root was not the most welcome of many.
Limits: who has the seed has the noise, and so the exact answer. A sealed statistic needs its seed
erased, too, and then nobody can check its path any more.
[LMR25] Private Lossless Multiple Release. [LMS21] Certificate Transparency Version 2.0, RFC 9162.
"""

import hashlib
import hmac
import json
import math
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from dpviz import checks, streams
from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.errors import HardenedModeError, ParameterError, SealedError
from dpviz.noise.arguments import within
from dpviz.noise.family import Array
from dpviz.release.values import own_copy

MOST_LEVELS = 4096
_BYTES = 32  # of a seed, a salt, a pledge, a root and every digest below it
_OCTAVE = 8  # steps of a ladder from a level to its double
_NEARLY = 1e-9  # of a step: two levels this near are one


class Seed:
    """The secret that a whole path follows from: 32 bytes, which it does not show.

    >>> Seed.from_bytes(bytes(32))
    Seed(…)
    """

    __slots__ = ("_secret",)

    def __init__(self) -> None:
        """Take fresh bytes from the operating system."""
        self._secret = secrets.token_bytes(_BYTES)

    @classmethod
    def from_bytes(cls, secret: bytes) -> "Seed":
        """The seed that somebody has kept.

        Raises:
            ParameterError: these are not 32 bytes.
        """
        checks.instance(bytes, secret=secret)
        if len(secret) != _BYTES:
            raise ParameterError(f"a seed has {_BYTES} bytes; pass those that to_bytes gave")
        seed = cls()
        seed._secret = secret
        return seed

    def to_bytes(self) -> bytes:
        """The secret bytes: keep them as the data, since they lead from a release to it."""
        return self._secret

    def derived(self, purpose: str, *parts: Any) -> bytes:
        """32 bytes for one purpose, which tell nothing of those for another."""
        return _f(self._secret, purpose, *parts)

    def __repr__(self) -> str:
        return "Seed(…)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """What is published before the first release; it tells nothing of the data.

    Attributes:
        setting: noise family, sensitivities, δ and number of entries.
        levels: of the path, ascending.
        about: what is counted, in words.
        beacon: a public number that nobody could foresee, such as one of a lottery; "" for none.
        pledge: 64 hexadecimal digits; `pledge_of` gives them before the beacon is known.
        root: 64 hexadecimal digits.

    Raises:
        ParameterError: the family draws no whole numbers, the levels do not ascend or lie outside
            its span, or a digest has no 64 digits.
    """

    setting: Setting
    levels: tuple[float, ...]
    about: str
    beacon: str
    pledge: str
    root: str

    def __post_init__(self) -> None:
        checks.instance(Setting, setting=self.setting)
        checks.instance(str, about=self.about, beacon=self.beacon)
        object.__setattr__(self, "levels", _ladder(self.setting, self.levels))
        for digest in (self.pledge, self.root):
            if not isinstance(digest, str) or not _is_hexadecimal(digest, 2 * _BYTES):
                raise ParameterError("pledge and root have 64 digits from 0 to 9 and a to f each")

    def loss(self, level: float) -> float:
        """What the release at a level costs by its family and the sensitivities, ε or ρ."""
        return guarantee_of(self.setting.family).loss(level, self.setting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a tier gets beside its release, to check that the release is the committed one.

    Attributes:
        place: of the level among those of the path, from 0.
        names: of the entries.
        values: as released, in steps, one for each entry.
        salt: 64 hexadecimal digits, which hid the values until now.
        proof: digests that lead from the leaf to the root, 64 hexadecimal digits each.

    Raises:
        ParameterError: one of these is not of its kind.
    """

    place: int
    names: tuple[str, ...]
    values: tuple[int, ...]
    salt: str
    proof: tuple[str, ...] = field(repr=False)

    def __post_init__(self) -> None:
        checks.whole(0, place=self.place)
        if not all(isinstance(name, str) for name in self.names):
            raise ParameterError("names must be texts")
        if not all(type(value) is int and value.bit_length() < 64 for value in self.values):
            raise ParameterError("values must be whole numbers of 64 bits")
        for digest in (self.salt, *self.proof):
            if not isinstance(digest, str) or not _is_hexadecimal(digest, 2 * _BYTES):
                raise ParameterError("salt and proof have 64 digits from 0 to 9 and a to f each")


class CommittedPath:
    """A path that is committed to: all levels of its ladder are drawn, and releases read off it.

    It holds no exact answer, and of the seed nothing but the salts. It has the sharpest release:
    keep it as that one.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> setting = Setting(family=FAMILIES["discrete_laplace"], delta=1e-6, dimension=2,
    ...     sensitivity=Sensitivity.bounded(1))
    >>> seed = Seed.from_bytes(bytes(32))
    >>> path = commit([312, 40], setting, [1.0, 2.0, 10.0], seed=seed, beacon="draw 42: 7 9 31")
    >>> path.release(10.0)
    array([295,  38])
    >>> audit(path.commitment, [312, 40], seed=seed), audit(path.commitment, [313, 40], seed=seed)
    ((), ('the pledge is not of this seed, this exact answer, these names and this statement',))
    """

    __slots__ = ("_leaves", "_names", "_releases", "_salts", "commitment")

    commitment: Commitment

    def __init__(
        self,
        commitment: Commitment,
        releases: Sequence[Array | None],
        names: tuple[str, ...],
        salts: Sequence[bytes],
        leaves: Sequence[bytes],
    ) -> None:
        """Use `commit`."""
        self.commitment, self._releases, self._names = commitment, releases, names
        self._salts, self._leaves = salts, leaves

    def release(self, level: float) -> Array:
        """The release at a level of the ladder: whole numbers, shape (d,), read-only.

        Raises:
            ParameterError: the level is not on the ladder.
            SealedError: the path is sealed at a noisier one.
        """
        return self._drawn(self._place(level))

    def opening(self, level: float) -> Opening:
        """What the tier of this level gets beside its release.

        Raises:
            ParameterError: the level is not on the ladder.
            SealedError: the path is sealed at a noisier one.
        """
        place = self._place(level)
        return Opening(
            place=place,
            names=self._names,
            values=tuple(self._drawn(place).tolist()),
            salt=self._salts[place].hex(),
            proof=tuple(digest.hex() for digest in proof_of(place, self._leaves)),
        )

    def sealed(self, level: float) -> "CommittedPath":
        """The same path without the releases and salts of sharper levels.

        Raises:
            ParameterError: the level is not on the ladder.
        """
        place = self._place(level)
        nothing: list[Any] = [None] * place
        return CommittedPath(
            self.commitment,
            [*nothing, *self._releases[place:]],
            self._names,
            [*nothing, *self._salts[place:]],
            self._leaves,
        )

    def _place(self, level: float) -> int:
        levels = self.commitment.levels
        if level not in levels:
            checks.positive(level=level)
            near = sorted(levels, key=lambda one: abs(math.log(one / level)))[:2]
            raise ParameterError(
                f"level {level!r} was not committed to; the nearest are "
                f"{' and '.join(map(repr, sorted(near)))}"
            )
        return levels.index(level)

    def _drawn(self, place: int) -> Array:
        release = self._releases[place]
        if release is None:
            raise SealedError(
                f"this path is sealed at a noisier level than {self.commitment.levels[place]!r}, "
                "and sharper releases are erased"
            )
        return release

    def __repr__(self) -> str:
        return f"CommittedPath({len(self.commitment.levels)} levels, root {self.commitment.root})"


def ladder(least: float, most: float, also: Collection[float] = ()) -> tuple[float, ...]:
    """Levels from the least to the most, eight to an octave, with those of tiers among them.

    Raises:
        ParameterError: a level is no number above 0, or the most is below the least.

    >>> len(ladder(1.0, 64.0)), ladder(1.0, 1.25, also=[1.1])
    (49, (1.0, 1.0905077326652577, 1.1, 1.189207115002721, 1.25))
    """
    checks.positive(least=least, most=most)
    for level in also:
        checks.positive(also=level)
    if most < least:
        raise ParameterError(f"most must be at least {least!r}, got {most!r}")
    steps = math.ceil(_OCTAVE * math.log2(most / least) - _NEARLY)
    between = (least * 2 ** (step / _OCTAVE) for step in range(steps))
    return tuple(sorted({float(level) for level in (*between, most, *also)}))


def pledge_of(
    values: Any,
    setting: Setting,
    levels: Sequence[float],
    *,
    seed: Seed,
    about: str = "",
    names: Sequence[str] = (),
) -> str:
    """64 hexadecimal digits that fix everything but the beacon, and tell nothing of it.

    Publish them before the beacon is known: then nobody can have tried many paths and kept the most
    welcome. Arguments and refusals as for `commit`.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> setting = Setting(family=FAMILIES["discrete_laplace"], delta=1e-6, dimension=1,
    ...     sensitivity=Sensitivity.bounded(1))
    >>> pledge_of([312], setting, [1.0, 10.0], seed=Seed.from_bytes(bytes(32)))[:8]
    '6720bfb9'
    """
    exact, names = _exact(values, setting), _names(names, setting)
    return _pledge(seed, exact, names, setting, _ladder(setting, levels), about)


def commit(
    values: Any,
    setting: Setting,
    levels: Sequence[float],
    *,
    seed: Seed,
    beacon: str = "",
    about: str = "",
    names: Sequence[str] = (),
) -> CommittedPath:
    """Draw the path at all levels, and commit to it.

    Args:
        values: the exact answer, one whole number for each entry, in steps.
        setting: family, sensitivities, δ, and the number of entries.
        levels: ascending; at most 4,096. Only these can be released: `ladder` makes a fine one.
        seed: of this path alone. Another answer or statement would have noise of its own, but a
            pledge that comes twice tells that the exact answer has not changed.
        beacon: a public number that nobody could foresee when the pledge was published.
        about: what is counted, in words; it is published.
        names: of the entries; they are hidden as the values are. None: they have no names.

    Raises:
        ParameterError: an argument is not of its kind.
        HardenedModeError: the family draws floating-point numbers.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> setting = Setting(family=FAMILIES["discrete_laplace"], delta=1e-6, dimension=1,
    ...     sensitivity=Sensitivity.bounded(1))
    >>> path = commit([312], setting, ladder(1.0, 10.0), seed=Seed(), beacon="draw 42: 7 9 31")
    >>> path.commitment.loss(10.0), len(path.commitment.levels)
    (0.1, 28)
    """
    checks.instance(Seed, seed=seed)
    checks.instance(str, beacon=beacon)
    exact, names, levels = _exact(values, setting), _names(names, setting), _ladder(setting, levels)
    pledge = _pledge(seed, exact, names, setting, levels, about)
    releases = _path(seed, exact, setting, levels, pledge, beacon)
    salts = [seed.derived("salt", pledge, beacon, place) for place in range(len(levels))]
    leaves = [
        leaf_of(place, level, names, numbers.tolist(), salt)
        for place, (level, numbers, salt) in enumerate(zip(levels, releases, salts, strict=True))
    ]
    commitment = Commitment(
        setting=setting,
        levels=levels,
        about=about,
        beacon=beacon,
        pledge=pledge,
        root=root_of(leaves).hex(),
    )
    return CommittedPath(commitment, releases, names, salts, leaves)


def refusal(commitment: Commitment, opening: Opening, *, level: float | None = None) -> str | None:
    """Why a release is not the committed one; None if it is.

    Args:
        commitment: as it was published.
        opening: from anybody.
        level: of the release, as it is stated; None: that of its place.

    Returns:
        Half a sentence that follows the name of the opening.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> setting = Setting(family=FAMILIES["poisson"], delta=1e-6, dimension=1,
    ...     sensitivity=Sensitivity.bounded(1))
    >>> seed = Seed()
    >>> path = commit([312], setting, [100.0, 200.0], seed=seed)
    >>> refusal(path.commitment, path.opening(200.0))
    >>> refusal(path.commitment, path.opening(200.0), level=100.0)
    'is of the level 200.0, and the release is of 100.0'
    """
    if opening.place >= len(commitment.levels):
        return "names a place that the commitment does not have"
    own = commitment.levels[opening.place]
    if level is not None and level != own:
        return f"is of the level {own!r}, and the release is of {level!r}"
    if len(opening.values) != commitment.setting.dimension:
        return "has another number of entries than the commitment"
    salt = bytes.fromhex(opening.salt)
    leaf = leaf_of(opening.place, own, opening.names, opening.values, salt)
    proof = [bytes.fromhex(digest) for digest in opening.proof]
    found = root_by(leaf, opening.place, len(commitment.levels), proof)
    if found is None:
        return "has a proof of another length than this place needs"
    if found.hex() != commitment.root:
        return "does not lead to the root: numbers, names, salt or proof are not those committed to"
    return None


def audit(
    commitment: Commitment, values: Any, *, seed: Seed, names: Sequence[str] = ()
) -> tuple[str, ...]:
    """Draw the whole path again, as an auditor with the exact answer and the seed can.

    What passes is drawn from this answer by this family, at each level once, with the noise that
    seed and beacon give and no other.

    Args:
        commitment: as it was published.
        values: the exact answer as the auditor finds it.
        seed: as the holder hands it over.
        names: of the entries.

    Returns:
        What is wrong; nothing if all is right.

    Raises:
        ParameterError: values or names do not fit the commitment.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> setting = Setting(family=FAMILIES["poisson"], delta=1e-6, dimension=1,
    ...     sensitivity=Sensitivity.bounded(1))
    >>> seed = Seed()
    >>> path = commit([312], setting, [100.0, 200.0], seed=seed)
    >>> audit(path.commitment, [312], seed=seed)
    ()
    """
    again = commit(
        values,
        commitment.setting,
        commitment.levels,
        seed=seed,
        beacon=commitment.beacon,
        about=commitment.about,
        names=names,
    ).commitment
    if again.pledge != commitment.pledge:
        return (
            "the pledge is not of this seed, this exact answer, these names and this statement",
        )
    if again.root != commitment.root:
        return ("the root is not that of the path that seed, exact answer and beacon give",)
    return ()


def leaf_of(
    place: int, level: float, names: Sequence[str], values: Sequence[int], salt: bytes
) -> bytes:
    """The leaf of one level, 32 bytes: hidden by its salt, and fixed by it.

    >>> leaf_of(0, 1.0, ["a"], [3], bytes(32)).hex()[:8]
    '137ff490'
    """
    return _f(salt, "leaf", place, repr(level), list(names), [str(value) for value in values])


def _path(
    seed: Seed,
    exact: Array,
    setting: Setting,
    levels: Sequence[float],
    pledge: str,
    beacon: str,
) -> list[Array]:
    """The releases at all levels, from the sharpest to the noisiest."""
    rng = streams.keyed(seed.derived("noise", pledge, beacon)[:16])
    releases, low, below = [], 0.0, exact
    for level in levels:
        below = setting.family.extend(below, low, level, rng=rng)
        below.setflags(write=False)
        releases.append(below)
        low = level
    return releases


def _pledge(
    seed: Seed,
    exact: Array,
    names: tuple[str, ...],
    setting: Setting,
    levels: tuple[float, ...],
    about: str,
) -> str:
    checks.instance(Seed, seed=seed)
    checks.instance(str, about=about)
    stated = [*statement_of(setting, levels).values(), about]
    return seed.derived("pledge", stated, list(names), [str(x) for x in exact.tolist()]).hex()


def statement_of(setting: Setting, levels: Sequence[float]) -> dict[str, Any]:
    """What a commitment states of its noise, as texts, whole numbers and lists of them.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> setting = Setting(family=FAMILIES["discrete_laplace"], delta=1e-6, dimension=1,
    ...     sensitivity=Sensitivity.bounded(1))
    >>> statement_of(setting, [1.0])["family"]
    'discrete_laplace'
    """
    s = setting.sensitivity
    return {
        "family": setting.family.name,
        "levels": [repr(level) for level in levels],
        "entries": setting.dimension,
        "sensitivity": [str(s.l0), repr(s.l1), repr(s.l2), repr(s.linf)],
        "delta": repr(setting.delta),
        "step": repr(setting.step),
        "directions": list(setting.directions or ()),
    }


def _exact(values: Any, setting: Setting) -> Array:
    """The exact answer as a copy, one whole number for each entry."""
    checks.instance(Setting, setting=setting)
    _check_whole(setting)
    exact = own_copy(values, setting.family)
    if exact.shape != (setting.dimension,):
        raise ParameterError(
            f"values must be {setting.dimension} whole numbers in a row, one for each entry of the "
            f"setting, got the shape {exact.shape}"
        )
    return exact


def _names(names: Sequence[str], setting: Setting) -> tuple[str, ...]:
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise ParameterError("names must be texts, one for each entry, or none at all")
    if len(names) not in (0, setting.dimension):
        raise ParameterError(
            f"names must be {setting.dimension}, one for each entry, or none at all, got "
            f"{len(names)}"
        )
    return tuple(names)


def _ladder(setting: Setting, levels: Sequence[float]) -> tuple[float, ...]:
    """Levels as floats, ascending within the span of the family."""
    checks.instance(Setting, setting=setting)
    _check_whole(setting)
    found = tuple(checks.number(levels=level) for level in levels)
    if not 0 < len(found) <= MOST_LEVELS:
        raise ParameterError(f"levels must be 1 to {MOST_LEVELS:,}, got {len(found):,}")
    for level in found:
        checks.positive(levels=level)
        within(setting.family.span, level)
    if any(not low < high for low, high in pairwise(found)):
        raise ParameterError("levels must ascend, each once; sort them and leave out what is twice")
    return found


def _check_whole(setting: Setting) -> None:
    if not setting.family.integer:
        raise HardenedModeError(
            f"{setting.family.label} noise is made of floating-point numbers, whose last digits "
            "differ between computers, so nobody could check it; take an integer family"
        )


def _f(key: bytes, purpose: str, *parts: Any) -> bytes:
    """The pseudo-random function: HMAC-SHA-256 of purpose and parts, as JSON in one form only."""
    message = json.dumps([purpose, *parts], separators=(",", ":"), ensure_ascii=True)
    return hmac.new(key, message.encode("ascii"), hashlib.sha256).digest()


def _is_hexadecimal(text: str, digits: int) -> bool:
    return len(text) == digits and set(text) <= set("0123456789abcdef")


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The digest of all leaves in their order.

    Args:
        leaves: at least one.

    >>> root_of([b""]).hex()[:8]
    '6e340b9c'
    """
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    half = _left(len(leaves))
    return _node(root_of(leaves[:half]), root_of(leaves[half:]))


def proof_of(place: int, leaves: Sequence[bytes]) -> tuple[bytes, ...]:
    """The digests that lead from the leaf at a place, counted from 0, to the root.

    Raises:
        ParameterError: there is no such place.

    >>> proof_of(0, [b"a"]), len(proof_of(2, [b"a", b"b", b"c"]))
    ((), 1)
    """
    checks.between(0, len(leaves) - 1, place=place)
    if len(leaves) == 1:
        return ()
    half = _left(len(leaves))
    if place < half:
        return (*proof_of(place, leaves[:half]), root_of(leaves[half:]))
    return (*proof_of(place - half, leaves[half:]), root_of(leaves[:half]))


def root_by(leaf: bytes, place: int, count: int, proof: Sequence[bytes]) -> bytes | None:
    """The root to which a proof leads, or None if it fits no place like this among `count`.

    >>> leaves = [b"a", b"b", b"c"]
    >>> root_by(b"c", 2, 3, proof_of(2, leaves)) == root_of(leaves)
    True
    """
    if not 0 <= place < count or any(len(digest) != _BYTES for digest in proof):
        return None
    sides = []  # whether the leaf is on the left, from the root inwards
    while count > 1:
        half = _left(count)
        sides.append(place < half)
        place, count = (place, half) if place < half else (place - half, count - half)
    if len(sides) != len(proof):
        return None
    found = root_of([leaf])
    for on_the_left, other in zip(reversed(sides), proof, strict=True):
        found = _node(found, other) if on_the_left else _node(other, found)
    return found


def _left(count: int) -> int:
    """How many of `count` leaves are in the left half."""
    return 1 << (count - 1).bit_length() - 1


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()
