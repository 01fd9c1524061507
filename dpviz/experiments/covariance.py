"""How the noise of two tiers moves together: theory, measurement, and a verdict that can be bad.

`N(h) - N(l)` is independent of everything up to `l < h`, so the covariance of two releases is the
variance of the less noisy one, `Cov(N_l, N_h) = Var N_l` [LMR25, Lemma 3.2], for every family;
the correlation is √(Var N_l / Var N_h), which is l/h for Laplace [KHP15, Theorem 12]. The mean of
the noise is known, so a sample covariance is an average of independent products whose variance is
known too: E(XY)² - (EXY)² = m₄ + v(v_h - v) - v², v and m₄ the second and fourth central moment at
the less noisy level. Right covariances prove nothing of that independence unless noise is Gaussian,
so the joint law is tested, too: increments.py. All bands share one chance of a false alarm.
Limits: the band of covariances is the normal one, for thousands of draws and more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.experiments.increments import Event, count_events, increment_events, unlikely
from dpviz.experiments.simulation import OpenReleases, in_blocks
from dpviz.noise.family import Family
from dpviz.release import MultipleRelease

Floats = NDArray[np.float64]
BLOCK = 4096  # repetitions in one order; smaller, so that few draws see several orders
CHANCE = 0.001  # about: that a right sampler leaves the band anywhere


@dataclass(frozen=True, slots=True, eq=False)
class SampleCovariances:
    """Sample covariances of the noise after these repetitions, shape (m, m), squared units.

    `counts` says how often each event of `increment_events` happened, shape (events,).
    """

    matrix: Floats
    counts: Floats
    repetitions: int

    def __post_init__(self) -> None:
        checks.arrays(1, least=0, counts=self.counts)
        checks.arrays(2, matrix=np.nan_to_num(self.matrix))  # a broken sampler's may be anything
        checks.whole(1, repetitions=self.repetitions)


@dataclass(frozen=True, slots=True, eq=False)
class CovarianceCheck:
    """Theory and simulation of one matrix, shape (m, m) each, in the same unit, and of its law.

    `half` is half the width of the band around `theory`; `outside` says where `sample` leaves it.
    `shares` says in what part of the draws each of `events` happened, `strange` which of these
    parts the right law does not have, shape (events,).
    """

    theory: Floats
    sample: Floats
    half: Floats
    outside: NDArray[np.bool_]
    events: tuple[Event, ...]
    shares: Floats
    strange: NDArray[np.bool_]

    def __post_init__(self) -> None:
        sample = np.nan_to_num(self.sample)  # a broken sampler's may be anything
        checks.arrays(1, least=0, shares=self.shares, strange=self.strange)
        if len(self.events) != len(self.shares):
            raise ParameterError("shares must have one entry for each of the events")
        checks.arrays(2, theory=self.theory, sample=sample, half=self.half, outside=self.outside)

    @property
    def passed(self) -> bool:
        """Whether every covariance and every share lies in its band."""
        return not (self.outside.any() or self.strange.any())

    def in_units(self, factor: float) -> "CovarianceCheck":
        """The same check with every number times a factor, such as a squared step."""
        theory, sample, half = (factor * part for part in (self.theory, self.sample, self.half))
        return replace(self, theory=theory, sample=sample, half=half)


def simulate_covariances(
    family: Family,
    levels: Sequence[float],
    repetitions: int,
    *,
    rng: np.random.Generator,
    open_releases: OpenReleases = MultipleRelease,
    threads: int = 1,
) -> Iterator[SampleCovariances]:
    """Measure covariances and the joint law by drawing; a result per block, over all draws so far.

    Every block opens releases on as many zeros as it has repetitions and asks for all levels in
    an order of its own, so that bridges and extensions both are at work.

    Args:
        family: an additive noise family.
        levels: noise levels, shape (m,), all different.
        repetitions: how many coordinates are drawn at every level, at least 1.
        rng: its children draw the blocks.
        open_releases: what draws; another one than `MultipleRelease` is there to be caught.
        threads: blocks drawn at the same time, at least 1.

    Raises:
        ParameterError: levels repeat, or a number is out of range.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> *_, last = simulate_covariances(
    ...     FAMILIES["laplace"], [1.0, 2.0], 100_000, rng=streams.teaching(7)
    ... )
    >>> np.round(last.matrix).tolist()
    [[2.0, 2.0], [2.0, 8.0]]
    """
    wanted = [float(level) for level in levels]
    checks.whole(1, repetitions=repetitions, threads=threads)
    if not wanted or len(set(wanted)) < len(wanted):
        raise ParameterError("pass at least one level, and every level once")
    for level in wanted:
        family.variance(level)  # refuses what the family cannot draw
    events = increment_events(family, wanted)
    block = partial(_sums, family, wanted, events, open_releases)
    return _averages(block, len(wanted), repetitions, rng=rng, threads=threads)


def check_covariances(
    family: Family, levels: Sequence[float], sample: SampleCovariances, *, scaled: bool = False
) -> CovarianceCheck:
    """Compare sample covariances and the joint law with theory, with one band for all of it.

        |sample - theory| <= z √((m₄ + v(v_h - v) - v²)/n),   z = Φ⁻¹(1 - CHANCE/2k)

    for each of k numbers: m(m+1)/2 covariances and the events of `increment_events`, whose band is
    that of the binomial law with a chance of CHANCE/k. So a right sampler leaves the band anywhere
    with a chance of about CHANCE: at most, but for what the normal law of covariances leaves out.

    Args:
        family: the family that was drawn.
        levels: its levels, in the order of the matrix.
        sample: what was measured.
        scaled: divide everything by the two known standard deviations, which gives correlations.

    Raises:
        ParameterError: the sample is of other levels.

    Source: [LMR25, Lemma 3.2]; [KHP15, Theorem 12].

    >>> from dpviz.noise import FAMILIES
    >>> noise, levels = FAMILIES["laplace"], [1.0, 2.0]
    >>> counts = np.array([10_000 * event.chance for event in increment_events(noise, levels)])
    >>> drawn = SampleCovariances(np.array([[2.0, 1.0], [1.0, 8.0]]), counts, 10_000)
    >>> found = check_covariances(noise, levels, drawn, scaled=True)
    >>> found.theory.tolist(), found.passed, found.outside.tolist(), found.strange.any().item()
    ([[1.0, 0.5], [0.5, 1.0]], False, [[False, True], [True, False]], False)
    """
    events = increment_events(family, levels)
    if len(events) != len(sample.counts):
        raise ParameterError("sample must hold one count for each event of these levels")
    variance = np.array([family.variance(level) for level in levels])
    fourth = np.array([family.fourth_moment(level) for level in levels])
    less = np.minimum(variance[:, None], variance[None, :])
    more = np.maximum(variance[:, None], variance[None, :])
    peak = np.where(variance[:, None] <= variance[None, :], fourth[:, None], fourth[None, :])
    numbers = len(variance) * (len(variance) + 1) // 2 + len(events)
    wide = float(special.ndtri(1 - CHANCE / (2 * numbers)))
    half = wide * np.sqrt((peak + less * (more - less) - less * less) / sample.repetitions)
    outside = ~(np.abs(sample.matrix - less) <= half)
    unit = np.sqrt(variance[:, None] * variance[None, :]) if scaled else np.ones_like(less)
    return CovarianceCheck(
        theory=less / unit,
        sample=sample.matrix / unit,
        half=half / unit,
        outside=outside,
        events=tuple(events),
        shares=sample.counts / sample.repetitions,
        strange=unlikely(events, sample.counts, sample.repetitions, CHANCE / numbers),
    )


def levels_with_variances(family: Family, variances: Sequence[float]) -> list[float]:
    """Levels at which the noise of a family has these variances, found by halving.

    For a family that has no budget, so that it can stand beside the others. The variance grows
    with the level, for every family.

    >>> from dpviz.noise import FAMILIES
    >>> levels_with_variances(FAMILIES["exponential"], [4.0, 9.0])
    [2.0, 3.0]
    """
    return [_level_with_variance(family, float(variance)) for variance in variances]


def _level_with_variance(family: Family, wanted: float) -> float:
    low = high = 1.0
    while family.variance(high) < wanted:
        high *= 2
    while family.variance(low) >= wanted:
        low /= 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if family.variance(middle) < wanted else (low, middle)
    return high


def _averages(
    block: partial[Floats],
    levels: int,
    repetitions: int,
    *,
    rng: np.random.Generator,
    threads: int,
) -> Iterator[SampleCovariances]:
    total, done = np.zeros(()), 0
    for size, sums in in_blocks(block, repetitions, rng=rng, threads=threads, size=BLOCK):
        total, done = total + sums, done + size
        products, counts = np.split(total, [levels * levels])
        yield SampleCovariances(products.reshape(levels, levels) / done, counts, done)


def _sums(
    family: Family,
    levels: list[float],
    events: list[Event],
    open_releases: OpenReleases,
    size: int,
    rng: np.random.Generator,
) -> Floats:
    """Over one block: sums of products of deviations from the known means, and counts of events."""
    exact = np.zeros(size, dtype=np.int64 if family.integer else np.float64)
    releases, noise = open_releases(exact, family, rng=rng), np.empty((len(levels), size))
    for place in rng.permutation(len(levels)):
        noise[place] = releases.release(levels[place])
    counts = count_events(events, noise[np.argsort(levels)])
    noise -= np.array([family.mean(level) for level in levels])[:, None]
    return np.concatenate([(noise @ noise.T).ravel(), counts])
