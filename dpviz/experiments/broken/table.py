"""The broken samplers and the settings in which they are caught, and the right one beside each.

Each is a mechanism for `dpviz.experiments.audit`. `caught_by` says which check sees it: the auditor
from outputs alone, the test of the joint law (`dpviz.experiments.covariance`), or both. The tests
find out that exactly these do.

Broken copies of a noise family: each passes everything on to the right one but for one flaw.

[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
[M12] Mironov, On significance of the least significant bits for differential privacy, 2012.

Algorithm 6 [LMR25] as printed, with the missing factor 1/ρ_r put back: only its law is wrong.

Hidden increments are drawn given the past alone, and the last one is forced over the barrier
(MATHEMATICS 8.4).
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.

Broken sessions: the family is the right one, and what goes on with it is not.
"""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpviz import checks
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.levels import gaussian_level
from dpviz.experiments.audit_sessions import Coalition, HistogramCells
from dpviz.experiments.printed_bridge import EXCHANGED, PRINTED, RIGHT, Part, masses, parts_of
from dpviz.experiments.simulation import IndependentReleases, OpenReleases, Releases
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Array, Family
from dpviz.release import MultipleRelease
from dpviz.sparse import SparseHistogram
from dpviz.sparse import sampler as sparse_sampler

Floats = NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True)
class BrokenFamily:
    """A family that is wrong in what a subclass says; here it is still the right one."""

    right: Family

    def __getattr__(self, name: str) -> Any:
        return getattr(self.right, name)

    def extend(
        self, values: Array, low: float, high: float, *, rng: Rng, out: Array | None = None
    ) -> Array:
        """As the right family."""
        return self.right.extend(values, low, high, rng=rng, out=out)

    def bridge(
        self, below: Array, above: Array, low: float, level: float, high: float, *, rng: Rng
    ) -> Array:
        """As the right family."""
        return self.right.bridge(below, above, low, level, high, rng=rng)


@dataclass(frozen=True)
class BrokenPrintedBridge(BrokenFamily):
    """The mixture of Lemma F.5 [LMR25], drawn branch by branch.

    A bridge from l over b to h splits k into two parts, each 0 with some probability and Laplace
    otherwise. Right: (l/b)² and b for the first, (b/h)² and h for the second. Printed: (b/h)² and b
    for one, (l/b)² and l for the other; it does not say which of them is the first.
    """

    reading: str = EXCHANGED

    def __post_init__(self) -> None:
        checks.one_of((RIGHT, PRINTED, EXCHANGED), reading=self.reading)

    def bridge(
        self, below: Array, above: Array, low: float, level: float, high: float, *, rng: Rng
    ) -> Array:
        """Draw with the scales of this reading."""
        if low == 0:  # as printed there would be a division by 0 here
            return self.right.bridge(below, above, low, level, high, rng=rng)
        first, second = parts_of(self.reading, low, level, high)
        k = above - below
        part = np.sign(k) * _first_of_two(np.abs(k), first, second, rng=rng)
        return np.where(part == 0, below, np.where(part == k, above, below + part))


def _first_of_two(k: Floats, first: Part, second: Part, *, rng: Rng) -> Floats:
    """The first of two such parts, given that they add up to k >= 0."""
    outer, inner = 1 / first[1] + 1 / second[1], 1 / first[1] - 1 / second[1]
    cases = masses(k, first, second)
    chance = np.cumsum(cases / cases.sum(axis=0), axis=0)
    branch = (rng.random(k.size) > chance).sum(axis=0)
    step = rng.exponential(1 / outer, k.size)
    uniform = rng.random(k.size)
    if inner < 0:  # towards k, mirrored, so that no exponential overflows
        inside = k + np.log1p(uniform * np.expm1(k * inner)) / -inner
    else:
        inside = -np.log1p(uniform * np.expm1(-k * inner)) / inner
    drawn = np.choose(branch.clip(0, 4), [0 * k, k, -step, inside, k + step])
    return np.asarray(np.where(k == 0, 0, drawn), dtype=np.float64)


class BrokenStraightBridge(BrokenFamily):
    """A bridge whose means, variances and covariances are right, and whose law is not.

    It lies on the straight line between its neighbours, plus normal noise: right for Gaussian
    noise, and for no other.
    """

    def bridge(
        self, below: Array, above: Array, low: float, level: float, high: float, *, rng: Rng
    ) -> Array:
        """Draw around the straight line."""
        before, now, after = (self.right.variance(x) if x else 0.0 for x in (low, level, high))
        share = (now - before) / (after - before)
        spread = math.sqrt((now - before) * (after - now) / (after - before))
        drawn: Array = below + share * (above - below) + spread * rng.standard_normal(below.size)
        return drawn


class BrokenCopyingBridge(BrokenFamily):
    """A bridge that copies its less noisy neighbour, if that is a release."""

    def bridge(
        self, below: Array, above: Array, low: float, level: float, high: float, *, rng: Rng
    ) -> Array:
        """Draw at its neighbour's level in place of its own."""
        return self.right.bridge(below, above, low, low or level, high, rng=rng)


class BrokenFloatLaplace(BrokenFamily):
    """Laplace noise as numpy draws it: of the right law, in floating-point numbers.

    The last binary digits of a sum of two floats depend on both of them [M12].
    """

    def extend(
        self, values: Array, low: float, high: float, *, rng: Rng, out: Array | None = None
    ) -> Array:
        """Add what numpy draws to the exact values."""
        if low:
            return self.right.extend(values, low, high, rng=rng, out=out)
        return np.asarray(values + rng.laplace(0, high, values.size))


class BrokenPrintedHistogram(SparseHistogram):
    """Algorithm 6 as printed: hidden increments see only the past, and not the crossing."""

    __slots__ = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        """Open as the right one is opened."""
        super().__init__(*args, **options)
        self._sparse.__class__ = _PrintedSampler


class _PrintedSampler(sparse_sampler.SparseSampler):
    __slots__ = ()

    def release(self, level: float, threshold: float) -> tuple[Array, Array]:
        """Cells above the threshold, ascending, and values."""
        right = self._hidden.crossing
        hidden = self._hidden

        class Wrong:
            levels = hidden.levels
            above, below, add = hidden.above, hidden.below, hidden.add

            def crossing(self, level: float, threshold: float) -> Any:
                return _PrintedCrossing(right(level, threshold), hidden)

        wrong: Any = Wrong()
        self._hidden = wrong
        try:
            return super().release(level, threshold)
        finally:
            self._hidden = hidden


class _PrintedCrossing:
    """The right probability with the printed values (lines 16-24)."""

    def __init__(self, right: Any, hidden: Any) -> None:
        self.probability, self.level, self.threshold = (
            right.probability,
            right.level,
            right.threshold,
        )
        self.log_staying = right.log_staying
        self._rounds = [*zip(hidden.levels, hidden.thresholds, strict=True)][::-1]

    def draw(self, size: int, *, rng: np.random.Generator) -> Array:
        return printed_draws([*self._rounds, (self.level, self.threshold)], size, rng=rng)


def printed_draws(
    rounds: Sequence[tuple[float, float]], size: int, *, rng: np.random.Generator
) -> Array:
    """Noise of cells that cross in the last of several rounds, budgets rising, as printed.

    Works on S = N/ℓ, the sum of new noise up to a factor: variance 1/ℓ, barrier τ/ℓ.
    """
    total, variance = np.zeros(size), 0.0
    for number, (level, threshold) in enumerate(rounds):
        sd = math.sqrt(1 / level - variance)
        variance = 1 / level
        edge = (threshold / level - total) / sd
        uniform = np.log1p(-rng.random(size))
        if number < len(rounds) - 1:  # below its barrier, the past given
            total = total + sd * special.ndtri_exp(special.log_ndtr(edge) + uniform)
        else:
            total = total - sd * special.ndtri_exp(special.log_ndtr(-edge) + uniform)
    lowest = np.nextafter(rounds[-1][1], np.inf)
    return np.asarray(np.maximum(total * rounds[-1][0], lowest))


VARIANCE_TOO_SMALL = 10.0


class _Breaks(Protocol):
    """Makes a broken family of the right one."""

    def __call__(self, right: Family) -> Any:
        """The broken copy."""


def broken_family(breaks: _Breaks) -> OpenReleases:
    """Sessions of a broken copy of whatever family they are asked for.

    >>> from dpviz import streams
    >>> from dpviz.experiments.broken.table import BrokenCopyingBridge
    >>> from dpviz.noise import FAMILIES
    >>> opened = broken_family(BrokenCopyingBridge)
    >>> wrong = opened([0.0, 0.0], FAMILIES["laplace"], rng=streams.teaching(7))
    >>> first, last = wrong.release(1.0), wrong.release(4.0)
    >>> bool((wrong.release(2.0) == first).all())
    True
    """
    return partial(_open_broken, breaks)


def _open_broken(
    breaks: _Breaks, values: Any, family: Family, *, rng: np.random.Generator
) -> Releases:
    return MultipleRelease(values, breaks(family), rng=rng)


class BrokenSmallNoise:
    """The variance of the noise is ten times too small."""

    def __init__(self, values: Any, family: Family, *, rng: np.random.Generator) -> None:
        """Open on exact values of shape (d,)."""
        squared = family.level_unit != "scale"
        self._factor = 1 / VARIANCE_TOO_SMALL if squared else VARIANCE_TOO_SMALL**-0.5
        self._session = MultipleRelease(values, family, rng=rng)

    def release(self, level: float) -> Array:
        """The release at a level that is too low."""
        return self._session.release(level * self._factor)


class BrokenRedraw:
    """What was released is drawn again whenever it is asked for, as by a page that runs again."""

    def __init__(self, values: Any, family: Family, *, rng: np.random.Generator) -> None:
        """Open on exact values of shape (d,)."""
        self._values, self._family, self._rng = values, family, rng
        self._held: dict[float, Array] = {}

    def release(self, level: float) -> Array:
        """A new draw, from the same neighbours."""
        others = {each: values for each, values in self._held.items() if each != level}
        session = MultipleRelease.continued(self._values, self._family, others, rng=self._rng)
        self._held[level] = session.release(level)
        return self._held[level]


class BrokenCopiedSession(MultipleRelease):
    """A session that can be copied: each copy goes on with noise of its own."""

    __slots__ = ()

    def __reduce_ex__(self, _protocol: Any) -> Any:
        """Copy it, as a pickle would."""
        return _fork, (self,)


def _fork(session: MultipleRelease) -> MultipleRelease:
    return session.fork(independent_noise=True)


class BrokenCopies:
    """Everybody who asks holds a copy of the session that was made before anything was drawn."""

    def __init__(self, values: Any, family: Family, *, rng: np.random.Generator) -> None:
        """Open on exact values of shape (d,)."""
        self._first = BrokenCopiedSession(values, family, rng=rng)
        self._asked: set[float] = set()
        self._untouched = copy.copy(self._first)

    def release(self, level: float) -> Array:
        """The number of the first session for who asks first, and of a copy for all others."""
        if level not in self._asked:
            self._asked.add(level)
            return self._first.release(level)
        return copy.copy(self._untouched).release(level)


AUDITOR, LAW = "auditor", "law test"
Game = Coalition | HistogramCells
GAUSSIAN, LAPLACE = ADDITIVE["gaussian"], ADDITIVE["laplace"]
DISCRETE_LAPLACE = ADDITIVE["discrete_laplace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """One broken sampler, in a game in which it breaks its promise.

    Attributes:
        key: its name.
        wrong: the game as the broken sampler plays it.
        right: the same game as the library plays it.
        delta: the δ at which the promise is tested; 0 for pure noise.
        caught_by: `AUDITOR`, `LAW` or both.
        digits: whether the auditor looks at last binary digits; of noise in whole numbers always.
    """

    key: str
    wrong: Game
    right: Game
    delta: float
    caught_by: tuple[str, ...]
    digits: bool = False

    def __post_init__(self) -> None:
        checks.between(0, 1, delta=self.delta)
        for each in self.caught_by:
            checks.one_of((AUDITOR, LAW), caught_by=each)

    @property
    def promised(self) -> PrivacyLoss:
        """The loss that is promised."""
        return self.right.promised


LOW, MIDDLE, HIGH = 0.5, 2.0, 10.0  # scales of Laplace noise: ε = 2, 0.5 and 0.1
BETWEEN = (LOW, HIGH, MIDDLE)  # the middle one is drawn between the two others
OTHERS = (MIDDLE, HIGH)  # a coalition without the sharpest number
VARIANCES = (1.25, 5 / 3, 2.5, 5.0)  # of Gaussian noise: ρ = 0.4, 0.3, 0.2 and 0.1


def _pair(
    open_wrong: OpenReleases,
    noise: Family,
    order: tuple[float, ...],
    held: tuple[float, ...],
    open_right: OpenReleases = MultipleRelease,
) -> dict[str, Any]:
    return {
        "wrong": Coalition(noise, order, held, open_releases=open_wrong),
        "right": Coalition(noise, order, held, open_releases=open_right),
    }


def _bridge(breaks: Any) -> dict[str, Any]:
    return _pair(broken_family(breaks), LAPLACE, BETWEEN, OTHERS)


_RHOS = (0.1, 0.11)
_CELLS = _RHOS, tuple(2 * math.sqrt(gaussian_level(rho, 1.0)) for rho in _RHOS)

TWINS = {
    each.key: each
    for each in (
        Broken(
            key="small",
            **_pair(BrokenSmallNoise, GAUSSIAN, VARIANCES, VARIANCES),
            delta=1e-3,
            caught_by=(AUDITOR, LAW),
        ),
        Broken(
            key="redraw",
            **_pair(BrokenRedraw, DISCRETE_LAPLACE, (MIDDLE,), (MIDDLE,) * 4),
            delta=0.0,
            caught_by=(AUDITOR,),
        ),
        Broken(
            key="copies",
            **_pair(BrokenCopies, DISCRETE_LAPLACE, (MIDDLE,), (MIDDLE,) * 4),
            delta=0.0,
            caught_by=(AUDITOR,),
        ),
        Broken(
            key="fresh",
            **_pair(IndependentReleases, GAUSSIAN, VARIANCES, VARIANCES),
            delta=1e-3,
            caught_by=(AUDITOR, LAW),
        ),
        Broken(
            key="copying bridge",
            **_bridge(BrokenCopyingBridge),
            delta=0.0,
            caught_by=(AUDITOR, LAW),
        ),
        Broken(
            key="straight bridge",
            **_bridge(BrokenStraightBridge),
            delta=0.0,
            caught_by=(AUDITOR, LAW),
        ),
        Broken(
            key="Lemma F.5", **_bridge(BrokenPrintedBridge), delta=0.0, caught_by=(AUDITOR, LAW)
        ),
        Broken(
            key="Algorithm 6",
            wrong=HistogramCells(*_CELLS, open_histogram=BrokenPrintedHistogram),
            right=HistogramCells(*_CELLS),
            delta=1e-3,
            caught_by=(AUDITOR,),
        ),
        Broken(
            key="floats",
            wrong=Coalition(
                LAPLACE, (1.0,), (1.0,), open_releases=broken_family(BrokenFloatLaplace)
            ),
            right=Coalition(DISCRETE_LAPLACE, (1.0,), (1.0,)),
            delta=0.0,
            caught_by=(AUDITOR,),
            digits=True,
        ),
    )
}
