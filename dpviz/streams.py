"""The only places where randomness begins: a seeded stream, a hardened one, and a keyed one.

*Teaching* streams are reproducible and carry no privacy claim. *Hardened* streams are AES in
counter mode, keyed from the operating system; key and counter are never written anywhere: a child
process, an unpickling and a resumed session rekey. A *keyed* one is hardened with a secret key of
the caller's, for a path that somebody checks later (dpviz/release/commitment.py). Limits: the bits
are cryptographic, the samplers that use them are those of the family, and timing is not hidden.
"""

import hashlib
import os
import secrets
import weakref
from typing import Any, Literal

import numpy as np
from randomgen import AESCounter

from dpviz import checks
from dpviz.errors import ParameterError

Mode = Literal["teaching", "hardened"]
_KEY_BYTES = 16  # of AES-128


def teaching(seed: int, *path: int) -> np.random.Generator:
    """Make a reproducible generator: same seed and path, same numbers.

    Args:
        seed: whole number of at least 0.
        path: whole numbers that name a stream below the seed, e.g. the number of a session;
            streams of different paths are independent.

    Raises:
        ParameterError: if a number is negative or not whole.

    >>> int(teaching(7).integers(1000)), int(teaching(7).integers(1000))
    (944, 944)
    >>> int(teaching(7, 1).integers(1000)) == int(teaching(7, 2).integers(1000))
    False
    """
    seed = checks.integer(0, seed=seed)
    for step in path:
        checks.whole(0, path=step)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=path)))


def any_seed() -> int:
    """A seed for teaching that nobody has chosen, short enough to be typed.

    >>> 0 <= any_seed() < 10**9
    True
    """
    return secrets.randbelow(10**9)


def named(text: str) -> tuple[int, ...]:
    """Four whole numbers as part of a path: streams below different texts are independent.

    They are the first 128 bits of the text's SHA-256.

    Raises:
        ParameterError: it is no text.

    >>> named("how many people"), len(named(""))
    ((3715762934, 3866939053, 1227444992, 620810765), 4)
    """
    checks.instance(str, text=text)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return tuple(np.frombuffer(digest[:16], ">u4").tolist())


def for_levels(*, rng: np.random.Generator) -> np.random.Generator:
    """A stream of which nothing is ever drawn, below which every level has its own (`at_level`).

    Args:
        rng: a teaching generator, which goes on afterwards: two such streams share nothing.

    Raises:
        ParameterError: it is a hardened one, which repeats nothing in any order.

    >>> mode_of(for_levels(rng=teaching(7)))
    'teaching'
    """
    if mode_of(rng) == "hardened":
        raise ParameterError(
            "any_order repeats a release by its seed and level, and a hardened generator has no "
            "seed; leave any_order out, or pass streams.teaching(seed)"
        )
    return teaching(int.from_bytes(rng.bytes(16), "little"))


def at_level(level: float, *, rng: np.random.Generator) -> np.random.Generator:
    """The stream of one noise level below the seed of a teaching generator.

    It depends on that seed and the level alone, not on what was drawn from `rng`.

    Args:
        level: above 0; two levels that differ in the last bit have independent streams.
        rng: one of `for_levels`, from which nothing is drawn.

    Raises:
        ParameterError: the level is no number above 0, or `rng` was not made by `teaching`.

    >>> rng = teaching(7)
    >>> first = int(at_level(2.5, rng=rng).integers(1000))
    >>> _ = rng.random(), at_level(4.0, rng=rng).random()
    >>> int(at_level(2.5, rng=rng).integers(1000)) == first
    True
    """
    checks.positive(level=level)
    seed = _seed_of(rng, "use its levels")
    words = np.frombuffer(np.array(level, ">f8").tobytes(), ">u4").tolist()  # always two
    key = (*seed.spawn_key, *words)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed.entropy, spawn_key=key)))


def hardened() -> np.random.Generator:
    """Make a cryptographic generator keyed from the operating system; it takes no seed.

    >>> mode_of(hardened())
    'hardened'
    """
    return np.random.Generator(HardenedBits())


def keyed(key: bytes) -> np.random.Generator:
    """Make a hardened generator with a key of the caller's: the same key, the same numbers.

    What is drawn is as private as the key: who knows it subtracts the noise. A child process, a
    copy and a spawned generator get keys of their own from the operating system.

    Args:
        key: 16 bytes that nobody can guess, used for nothing else.

    Raises:
        ParameterError: these are not 16 bytes.

    >>> mode_of(keyed(bytes(16))), int(keyed(bytes(16)).integers(1000))
    ('hardened', 829)
    """
    return np.random.Generator(KeyedBits(key))


def child_for_simulation(rng: np.random.Generator) -> np.random.Generator:
    """Make an independent child: of a teaching stream on SFC64, whose normals are the quickest.

    Simulations draw millions of numbers that nobody keeps; releases stay on PCG64, so that a seed
    goes on giving the same release.

    >>> mode_of(child_for_simulation(teaching(7))), mode_of(child_for_simulation(hardened()))
    ('teaching', 'hardened')
    """
    if mode_of(rng) == "hardened":
        return rng.spawn(1)[0]
    (seed,) = rng.bit_generator.seed_seq.spawn(1)  # type: ignore[attr-defined]
    return np.random.Generator(np.random.SFC64(seed))


def written(*, rng: np.random.Generator) -> dict[str, Any] | None:
    """State and seed of a teaching generator; None for a hardened one, which is never written.

    Raises:
        ParameterError: it is a generator that was not made by `teaching`, nor in its way.

    >>> rng = teaching(7)
    >>> twin = again(written(rng=rng))
    >>> int(rng.integers(1000)) == int(twin.integers(1000))
    True
    """
    if mode_of(rng) == "hardened":
        return None
    seed = _seed_of(rng, "suspend it")
    return {"state": rng.bit_generator.state, "seed": seed.state}


def again(found: dict[str, Any] | None) -> np.random.Generator:
    """The teaching generator where it was when `written`, or a hardened one with a fresh key.

    Raises:
        ParameterError: this is not what `written` returns.

    >>> mode_of(again(None))
    'hardened'
    """
    if found is None:
        return hardened()
    try:
        bits = np.random.PCG64(np.random.SeedSequence(**found["seed"]))
        bits.state = found["state"]
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError):
        raise ParameterError(
            "this is not the state of a generator; pass what streams.written returned"
        ) from None
    return np.random.Generator(bits)


def mode_of(rng: np.random.Generator) -> Mode:
    """Say which mode a generator belongs to.

    Raises:
        ParameterError: it is no numpy Generator.

    >>> mode_of(teaching(7))
    'teaching'
    """
    checks.instance(np.random.Generator, rng=rng)
    return "hardened" if isinstance(rng.bit_generator, HardenedBits) else "teaching"


def _seed_of(rng: np.random.Generator, purpose: str) -> np.random.SeedSequence:
    """The seed of a generator that is, or could be, one of `teaching`; others are refused."""
    checks.instance(np.random.Generator, rng=rng)
    bits = rng.bit_generator
    seed = getattr(bits, "seed_seq", None)
    if type(bits) is not np.random.PCG64 or type(seed) is not np.random.SeedSequence:
        raise ParameterError(
            "the generator of this session cannot be written down; open the session with one of "
            f"streams.teaching to {purpose}"
        )
    return seed


class HardenedBits(AESCounter):  # type: ignore[misc]
    """AES-128 in counter mode with a key from the operating system.

    Key and position cannot be read or set, so nothing can be rewound. A pickle and a copy hold
    neither: what comes back has a key of its own. A forked child gets a new key at once.
    """

    def __init__(self) -> None:
        super().__init__(key=secrets.randbits(8 * _KEY_BYTES))
        _LIVE.add(self)

    @property
    def state(self) -> dict[str, Any]:
        """Refuse: anyone who can read the state can subtract the noise."""
        raise ParameterError("a hardened generator does not show its state: draw from it instead")

    @state.setter
    def state(self, _value: dict[str, Any]) -> None:
        raise ParameterError("a hardened generator cannot be rewound: make a new one instead")

    def rekey(self) -> None:
        """Forget key and position; take a fresh key from the operating system."""
        self._take(secrets.randbits(8 * _KEY_BYTES))

    def _take(self, key: int) -> None:
        """Go on from the beginning with this key."""
        _STATE.__set__(self, AESCounter(key=key).state | {"bit_generator": type(self).__name__})

    def spawn(self, n_children: int) -> list["HardenedBits"]:
        """Make independent generators, each keyed from the operating system."""
        return [HardenedBits() for _ in range(n_children)]

    def __reduce__(self) -> tuple[Any, ...]:
        return (HardenedBits, ())


class KeyedBits(HardenedBits):
    """The same with a key of the caller's, until a child process or a copy takes a fresh one.

    Raises:
        ParameterError: the key is not 16 bytes.
    """

    def __init__(self, key: bytes) -> None:
        checks.instance(bytes, key=key)
        if len(key) != _KEY_BYTES:
            raise ParameterError(f"key must have {_KEY_BYTES} bytes, got {len(key)}")
        super().__init__()
        self._take(int.from_bytes(key, "little"))


_STATE = AESCounter.state
_LIVE: weakref.WeakSet[HardenedBits] = weakref.WeakSet()


def _rekey_all() -> None:
    """A child process must not repeat its parent's noise."""
    for bits in list(_LIVE):
        bits.rekey()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_rekey_all)
