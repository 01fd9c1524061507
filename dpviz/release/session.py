"""The only mutable object of the core: releases of one statistic, in any order, drawn once each.

Find the nearest held levels on either side; if there is a noisier one, bridge, else extend; the
exact values are at level 0 until the session is sealed [LMR25, Algorithms 1, 4 and 5]. The joint
law of any set of releases is then a post-processing of the least noisy one among them.
Sealing [LMR25, Lemma A.2] releases at a cap, erases the exact values and replaces the generator: a
kept one could be rewound, and the noise subtracted from a release. It cannot reach copies that the
caller keeps, of the values or of the generator.
How a session is kept, and that it goes on in one place only: one_place.py.

By seed and level alone (`release_at`) the path of the noise is refined in one fixed way. The exact
values are extended to level 1, from there octave by octave to the first power of two that is not
below the level; below 1 an octave is a bridge from the exact values. Then the interval around the
level is halved by bridges until a middle is the level itself. Every point on the way has a stream
of its own, keyed by the seed and the point, so it is the same for whatever is asked and in whatever
order; the law of the path is exact, as `extend` and `bridge` are.
Of level l it takes |log2 l| draws for the octaves and one per binary digit, at most 53. Points on
the way are computed again for each release and kept nowhere: some have less noise than any release.

A notebook shows of a session its levels and what they cost, for one person who moves one number by
1, since a session does not know its statistic. It shows no released number: a notebook is easily
passed on.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from html import escape
from numbers import Real
from operator import itemgetter
from typing import Any, Self

import numpy as np

from dpviz import checks, streams
from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.errors import HardenedModeError, ParameterError, SealedError
from dpviz.noise import ADDITIVE
from dpviz.noise.arguments import GENERATOR, noise_family, within
from dpviz.noise.family import Array, Process
from dpviz.parameters import USUAL_DELTA
from dpviz.queries import Sensitivity
from dpviz.release.commitment import CommittedPath
from dpviz.release.one_place import OnePlace
from dpviz.release.suspended import Suspended
from dpviz.release.values import own_copy
from dpviz.words import budget, delta

ONE = Sensitivity.bounded(1)
UNKNOWN = "no bound"
_level_of = itemgetter(0)


class MultipleRelease(OnePlace):
    """Lossless multiple release of one statistic: ask for levels in any order, any time.

    State: the sorted levels with their released arrays, the exact values until sealed, the
    generator. Never the noise, nor anything else derived from the values.

    A seed repeats a session whose levels are asked in the same order; in another order the same
    seed gives other numbers of the same joint law. With `any_order` a release of a teaching session
    depends on the seed and its own level alone, for every family (session.py). Where not: after
    sealing, in a fork, and in hardened mode, which repeats nothing.

    >>> from dpviz.noise import FAMILIES
    >>> session = MultipleRelease([3, 5], FAMILIES["poisson"], rng=streams.teaching(7))
    >>> session.release(40.0)
    array([39, 55])
    >>> session.release(10.0)  # less noise, drawn later, from the same path
    array([15, 19])
    >>> session.release(40.0)  # asked again: the same numbers
    array([39, 55])
    >>> session.seal(10.0)
    >>> session
    MultipleRelease(family='poisson', dimension=2, levels=2, sealed_at=10.0, mode='teaching')
    """

    __slots__ = ()

    def __init__(
        self,
        values: Any,
        family: Process,
        *,
        rng: np.random.Generator,
        any_order: bool = False,
    ) -> None:
        """Open a session.

        Args:
            values: the exact statistic, of any shape; copied. Whole numbers for integer families.
            family: a noise family, as in `dpviz.noise.FAMILIES`.
            rng: the generator all noise is drawn from; its mode is the session's for good.
            any_order: whether the releases of a seed are the same in whatever order they are asked
                for, at the price of a draw per octave and binary digit of a level.

        Raises:
            ParameterError: if values are not finite numbers of the right kind, or `any_order` comes
                with a hardened generator.
            HardenedModeError: if a float family is given a hardened generator.
        """
        mode = _mode_of(rng, family)
        exact = own_copy(values, family)
        checks.instance(bool, any_order=any_order)
        if any_order:
            rng = streams.for_levels(rng=rng)
        self._begin(Suspended(family, mode, False, rng, exact, [], any_order))

    @classmethod
    def continued(
        cls,
        values: Any,
        family: Process,
        held: Mapping[float, Any],
        *,
        rng: np.random.Generator,
    ) -> Self:
        """Go on from releases that were drawn earlier, by this program or by another.

        The joint law is that of one session that was never put down: the path of the noise is
        Markov in its level, so a draw needs the nearest held level on either side and nothing else
        of the past, and its randomness is independent of all earlier draws [LMR25, Algorithm 1].
        It holds only if `held` is everything that was ever released of these values, and if nobody
        else draws from them meanwhile. The caller sees to both, with a lock for example: two that
        go on from the same releases at once would have noise of their own, like two copies.

        Args:
            values: the exact statistic as it was; None for a session that is sealed at the least
                level held.
            family: the noise family of the earlier releases.
            held: every release of this statistic so far, by its level.
            rng: the generator of all further noise; of a sealed session one that nobody can repeat,
                such as `streams.hardened()`.

        Raises:
            ParameterError: if the values cannot be used, a release does not fit them or the family,
                or nothing is held of a sealed session.
            HardenedModeError: if a float family is given a hardened generator.

        >>> from dpviz.noise import FAMILIES
        >>> poisson = FAMILIES["poisson"]
        >>> first = MultipleRelease([3, 5], poisson, rng=streams.teaching(7))
        >>> held = {40.0: first.release(40.0)}
        >>> again = MultipleRelease.continued([3, 5], poisson, held, rng=streams.teaching(8))
        >>> again.release(10.0), again.release(40.0)
        (array([ 9, 17]), array([39, 55]))
        """
        mode = _mode_of(rng, family)
        exact = None if values is None else own_copy(values, family)
        session = cls.__new__(cls)
        session._begin(
            Suspended(family, mode, False, rng, exact, _checked_held(held, family, exact))
        )
        return session

    @classmethod
    def committed(cls, values: Any, path: CommittedPath) -> Self:
        """A session that reads its releases off a path that is committed to.

        It serves the levels of the path and no others. Sealed, it forgets the sharper ones; `path`
        itself still has them, so the caller lets go of it.

        Args:
            values: the exact statistic that the path was drawn from.
            path: what `commitment.commit` returned.

        Raises:
            ParameterError: if the values are not of the family and the size of the path.

        >>> from dpviz.accounting.guarantees import Setting
        >>> from dpviz.noise import FAMILIES
        >>> from dpviz.queries import Sensitivity
        >>> from dpviz.release.commitment import Seed, commit
        >>> setting = Setting(family=FAMILIES["poisson"], delta=1e-6, dimension=1,
        ...     sensitivity=Sensitivity.bounded(1))
        >>> path = commit([312], setting, [100.0, 200.0], seed=Seed())
        >>> session = MultipleRelease.committed([312], path)
        >>> bool(session.release(200.0) == path.release(200.0)), session.mode
        (True, 'hardened')
        """
        checks.instance(CommittedPath, path=path)
        setting = path.commitment.setting
        exact = own_copy(values, setting.family)
        if exact.shape != (setting.dimension,):
            raise ParameterError(
                f"values must be the {setting.dimension} whole numbers that the path was drawn from"
            )
        session = cls.__new__(cls)
        rng = streams.hardened()
        session._begin(Suspended(setting.family, "hardened", False, rng, exact, []))
        session._path = path
        return session

    @property
    def family(self) -> Process:
        """The noise family."""
        return self._family

    @property
    def mode(self) -> streams.Mode:
        """Mode of the generator that the session was opened with; sealing does not change it."""
        return self._mode

    @property
    def levels(self) -> tuple[float, ...]:
        """All levels held, ascending."""
        return tuple(map(_level_of, self._held))

    @property
    def held(self) -> Mapping[float, Array]:
        """The release at every level held, ascending; draws nothing."""
        return dict(tuple(self._held))

    @property
    def dimension(self) -> int:
        """Number d of coordinates: of values, whatever their shape."""
        return (self._held[0][1] if self._exact is None else self._exact).size

    @property
    def sealed_at(self) -> float | None:
        """Least level that can still be served, or None while the exact values are held."""
        return self._held[0][0] if self._exact is None else None

    def holds(self, level: float) -> bool:
        """Say whether a release at this level has been drawn."""
        level = _checked(level)
        place = self._place(level)
        return place < len(self._held) and self._held[place][0] == level

    def neighbours(self, level: float) -> tuple[float | None, float | None]:
        """Nearest levels on either side of `level` itself, as (below, above).

        They are the two that a draw at `level` uses, unless the session repeats itself in any
        order: below is 0.0 for the exact values, and None if these are erased and nothing less
        noisy is held; above is None if nothing noisier is.

        Raises:
            ParameterError: if the level is not a finite number above 0.
        """
        level = _checked(level)
        place = self._place(level)
        nearest = 0.0 if self._exact is not None else None
        below = self._held[place - 1][0] if place else nearest
        noisier = place + self.holds(level)
        return below, self._held[noisier][0] if noisier < len(self._held) else None

    def release(self, level: float) -> Array:
        """Return the release at a level, drawing it if it is not held.

        Args:
            level: noise level of the family, above 0; see its `level_name` for the unit.

        Returns:
            The shape of the values, float64, or int64 for an integer family. Read-only, and the
            same array whenever the same level is asked for.

        Raises:
            ParameterError: if the level is not a finite number above 0 that the family admits, or
                is not on a committed path.
            SealedError: if the session is sealed at a noisier level.

        >>> from dpviz.noise import FAMILIES
        >>> session = MultipleRelease([0.0], FAMILIES["gaussian"], rng=streams.teaching(7))
        >>> session.release(4.0) is session.release(4)
        True
        """
        level = _checked(level)
        with self._lock:  # two threads that ask at once must not both draw
            place = self._place(level)
            if place < len(self._held) and self._held[place][0] == level:
                return self._held[place][1]
            self._refuse_elsewhere()
            drawn = self._draw(level, place)
            drawn.setflags(write=False)
            self._held.insert(place, (level, drawn))  # the only change of state, and atomic
            return drawn

    def seal(self, level: float) -> None:
        """Release at `level` and erase the exact values: only `level` and above remain.

        The generator is replaced by one keyed from the operating system, so draws after sealing
        are not reproducible. Sealing again at the same level changes nothing.

        Args:
            level: the least private level that will ever be served.

        Raises:
            ParameterError: if a less noisy level is held already, or the session is sealed at
                another level.
        """
        level = _checked(level)
        with self._lock:
            self._refuse_elsewhere()
            if self._exact is None:
                self._refuse_another_seal(level)
                return
            if self._held and self._held[0][0] < level:
                raise ParameterError(
                    f"level {level!r} cannot be the seal, the less noisy level "
                    f"{self._held[0][0]!r} is already released; seal there or below"
                )
            self.release(level)
            self._rng, self._any_order = streams.hardened(), False
            erased, self._exact = self._exact, None
            erased.fill(0)
            self._path = self._path and self._path.sealed(level)

    def __repr__(self) -> str:
        """Family, size and state; never a value."""
        marks = (", fork" if self._forked else "") + (", suspended" if self._suspended else "")
        return (
            f"MultipleRelease(family={self._family.name!r}, dimension={self.dimension}, "
            f"levels={len(self._held)}, sealed_at={self.sealed_at}, mode={self._mode!r}{marks})"
        )

    def _repr_html_(self) -> str:
        """Levels held and what they cost, for a notebook; never a value."""
        return session_html(self._family, self.levels, sealed_at=self.sealed_at, mode=self._mode)

    def _place(self, level: float) -> int:
        """Number of levels held below `level`."""
        return bisect_left(self._held, level, key=_level_of)

    def _draw(self, level: float, place: int) -> Array:
        """Draw at a level that is not held: bridge if a noisier one is held, else extend."""
        if self._any_order and self._exact is not None:
            drawn = release_at(self._family, self._exact.reshape(-1), level, rng=self._rng)
            return drawn.reshape(self._exact.shape)
        if self._path is not None and (place or self._exact is not None):
            return self._path.release(level).copy()
        if place:
            low, below = self._held[place - 1]
        elif self._exact is not None:
            low, below = 0.0, self._exact
        else:
            raise SealedError(
                f"this session is sealed at level {self.sealed_at!r} and the exact values are "
                f"erased; ask for that level or a noisier one, got {level!r}"
            )
        flat = below.reshape(-1)  # families draw coordinate by coordinate
        if place == len(self._held):
            drawn = self._family.extend(flat, low, level, rng=self._rng)
        else:
            high, above = self._held[place]
            drawn = self._family.bridge(flat, above.reshape(-1), low, level, high, rng=self._rng)
        return drawn if below.ndim == 1 else drawn.reshape(below.shape)

    def _refuse_another_seal(self, level: float) -> None:
        """Pass only at the level of the seal."""
        if level != self.sealed_at:
            raise ParameterError(
                f"this session is already sealed at level {self.sealed_at!r}, for good; "
                f"open a new session to seal at {level!r}"
            )


def release_at(family: Process, exact: Array, level: float, *, rng: np.random.Generator) -> Array:
    """The values at a level of the path that belongs to a seed.

    Args:
        family: the noise family.
        exact: values at level 0, shape (d,).
        level: above 0, within the span of the family.
        rng: what `streams.for_levels` returned; nothing is drawn from it.

    Returns:
        Shape (d,).

    Raises:
        ParameterError: the family does not take the level or the values.

    >>> from dpviz.noise import FAMILIES
    >>> rng = streams.for_levels(rng=streams.teaching(7))
    >>> [release_at(FAMILIES["poisson"], np.array([3, 5]), x, rng=rng) for x in (2.5, 40.0, 2.5)]
    [array([4, 7]), array([51, 40]), array([4, 7])]
    """
    least, greatest = family.span
    within(family.span, level)

    def stream(point: float) -> np.random.Generator:
        return streams.at_level(point, rng=rng)

    low, below = 0.0, exact
    high = min(max(1.0, least), greatest)
    above = family.extend(exact, low, high, rng=stream(high))
    while high < level:
        low, below = high, above
        high = min(2 * high, greatest)
        above = family.extend(below, low, high, rng=stream(high))
    while high != level:
        middle = max(low + (high - low) / 2, least)
        drawn = family.bridge(below, above, low, middle, high, rng=stream(middle))
        if middle < level:
            low, below = middle, drawn
        else:
            high, above = middle, drawn
    return above


def session_html(
    family: Process, levels: Sequence[float], *, sealed_at: float | None, mode: str
) -> str:
    """A table of the levels that a session holds, the sharpest last.

    Args:
        family: its noise.
        levels: that it holds.
        sealed_at: the level of its seal.
        mode: teaching or hardened.

    >>> from dpviz.noise import FAMILIES
    >>> text = session_html(FAMILIES["laplace"], [4.0], sealed_at=None, mode="teaching")
    >>> "<td>ε\u00a0=\u00a00.25</td>" in text, "not sealed" in text
    (True, True)
    """
    about = f"{family.label} noise, {mode} mode, "
    about += "not sealed" if sealed_at is None else f"sealed at {sealed_at:g}"
    if not levels:
        return f"<p>MultipleRelease: {escape(about)}. No release yet.</p>"
    rows = "".join(
        f"<tr><td>{level:g}</td><td>{escape(loss_words(family, level))}</td></tr>"
        for level in sorted(levels, reverse=True)
    )
    return (
        f"<p>MultipleRelease: {escape(about)}.</p><table><thead><tr>"
        f"<th>{escape(family.level_name)}</th><th>privacy loss, one person moving one number by 1"
        f"</th></tr></thead><tbody>{rows}</tbody></table>"
        "<p>Together they tell what the last one tells.</p>"
    )


def loss_words(family: Process, level: float) -> str:
    """The loss of one release, in the currency of its noise.

    >>> from dpviz.noise import FAMILIES
    >>> loss_words(FAMILIES["gaussian"], 4.0).replace("\u00a0", " ")
    'ρ = 0.125'
    """
    known = ADDITIVE.get(family.name)
    if known is None:
        return UNKNOWN
    setting = Setting(family=known, delta=USUAL_DELTA, sensitivity=ONE, dimension=1)
    try:
        found = guarantee_of(known)
        loss = found.loss(level, setting)
    except ParameterError:
        return UNKNOWN
    at = f" at δ = {delta(USUAL_DELTA)}" if found.with_delta else ""
    return f"{budget(found.letter, loss)}{at}"


def _mode_of(rng: np.random.Generator, family: Process) -> streams.Mode:
    """The mode of a session with this generator; refused where the family does not go with it."""
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(GENERATOR)
    noise_family(family)
    mode = streams.mode_of(rng)
    if mode == "hardened" and not family.integer:
        raise HardenedModeError(
            f"{family.label} noise is made of floating-point numbers, whose last digits give "
            "the exact values away, so it is for teaching only; pass an integer family or "
            "streams.teaching(seed)"
        )
    return mode


def _checked_held(
    held: Mapping[float, Any], family: Process, exact: Array | None
) -> list[tuple[float, Array]]:
    """Earlier releases as copies in ascending order of their levels; all of one shape."""
    checks.instance(Mapping, held=held)
    found = sorted(((_checked(x), own_copy(v, family)) for x, v in held.items()), key=_level_of)
    if exact is None and not found:
        raise ParameterError(
            "a sealed session holds the release of its seal at least: pass it in held, "
            "or the exact values"
        )
    shape = (found[0][1] if exact is None else exact).shape
    for level, numbers in found:
        if numbers.shape != shape:
            raise ParameterError(
                f"the release held at level {level!r} has shape {numbers.shape}, and the session "
                f"has {shape}; pass the releases of this statistic"
            )
        within(family.span, level)
        numbers.setflags(write=False)
    return found


def _checked(level: float) -> float:
    """The level as a float; finite and above 0."""
    if type(level) is float and 0 < level < np.inf:  # the common case, without a call
        return level
    if isinstance(level, bool) or not isinstance(level, Real):
        raise ParameterError(f"level must be a number above 0, got {type(level).__name__}")
    checks.positive(level=level)
    return float(level)
