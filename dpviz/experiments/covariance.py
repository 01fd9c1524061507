"""How the noise of two tiers moves together: theory, measurement, and a verdict that can be bad.

`N(h) - N(l)` is independent of everything up to `l < h`, so the covariance of two releases is the
variance of the less noisy one, `Cov(N_l, N_h) = Var N_l` [LMR25, Lemma 3.2], for every family;
the correlation is √(Var N_l / Var N_h), which is l/h for Laplace [KHP15, Theorem 12]. The mean of
the noise is known, so a sample covariance is an average of independent products whose variance is
known too: E(XY)² - (EXY)² = m₄ + v(v_h - v) - v², v and m₄ the second and fourth central moment at
the less noisy level. Right covariances prove nothing of that independence unless noise is Gaussian,
so the joint law is tested, too (see below). All bands share one chance of a false alarm.
Limits: the band of covariances is the normal one, for thousands of draws and more.

What increments of noise must do beside having the right covariances, as events of known chance.

`N(h) - N(l)` is independent of everything up to `l < h`. For Gaussian noise covariances say all
of it, for any other noise they do not: increments of another law, or increments that depend on the
noise before them only through its size, have the same covariances. So events are counted whose
chances are exact for right increments: for each level l and the next one h

    law      N(h) - N(l) <= x, at quantiles of its falls and of its rises
    rest     N(h) = N(l): the atom of a lazy path; the chance that whole numbers agree; else never
    sizes    N(l) in the middle half of its law, and a large fall or rise: the product of both
    signs    N(l) above its median, and a large rise: the product of both
    resting  N(l) in the middle half, and N(h) = N(l): the product of both

and the law events for the least noisy level alone. Counts are binomial, so their band is exact.
Limits: finitely many events of neighbouring levels; a mistake that none of them sees passes.
Source: [LMR25, Lemma 3.2]; MATHEMATICS 1.2, 4.3.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.experiments.simulation import OpenReleases, in_blocks
from dpviz.noise.family import Array, Family, ReleaseLaw
from dpviz.release import MultipleRelease

Floats = NDArray[np.float64]

LAW, REST, SIZES, SIGNS, RESTING = "law", "rest", "sizes", "signs", "resting"
PARTS = (0.1, 0.5, 0.9)  # of all falls, and of all rises, at which the law is tested
REST_ONLY = (-5e-324, 0.0)  # above the first, at most the second: 0 itself
ANY = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Noise at one level in a range and its increment to the next in another, with its chance.

    Attributes:
        kind: one of "law", "rest", "sizes", "signs", "resting".
        low: place of the less noisy level in ascending order; None: the exact number.
        high: place of the noisier one.
        noise: range of the noise at `low`, above the first and at most the second number.
        step: range of the increment, likewise.
        chance: of right noise.
    """

    kind: str
    low: int | None
    high: int
    noise: tuple[float, float]
    step: tuple[float, float]
    chance: float

    def __post_init__(self) -> None:
        checks.one_of((LAW, REST, SIZES, SIGNS, RESTING), kind=self.kind)
        checks.whole(0, high=self.high, low=self.low or 0)
        checks.between(0, 1, chance=self.chance)
        for ends in (self.noise, self.step):
            for end in ends:
                checks.between(-math.inf, math.inf, range=end)


def increment_events(family: Family, levels: Sequence[float]) -> list[Event]:
    """The events that right increments of a family have, for these levels in ascending order.

    Args:
        family: an additive noise family.
        levels: noise levels, ascending.

    >>> from dpviz.noise import FAMILIES
    >>> events = increment_events(FAMILIES["laplace"], [1.0, 4.0])
    >>> [round(e.chance, 4) for e in events if e.kind in (REST, RESTING)]  # (1/4)², and half of it
    [0.0625, 0.0312]
    """
    ascending = sorted(levels)
    events = list(_law(family.law_between(0.0, None, 0.0, ascending[0], None), None, 0))
    for low, (level, noisier) in enumerate(pairwise(ascending)):
        noise = family.law_between(0.0, None, 0.0, level, None)
        step = family.law_between(0.0, None, level, noisier, None)
        events += [*_law(step, low, low + 1), *_joint(noise, step, low, family)]
    return [event for event in events if 0 < event.chance < 1 or event.kind == REST]


def _law(step: ReleaseLaw, low: int | None, high: int) -> Iterator[Event]:
    """The increment is at most x, for x at parts of the falls and of the rises."""
    for x in sorted({x for side in _sides(step) for x in side}):
        yield Event(
            kind=LAW, low=low, high=high, noise=ANY, step=(-math.inf, x), chance=_upto(step, x)
        )


def _joint(noise: ReleaseLaw, step: ReleaseLaw, low: int, family: Family) -> Iterator[Event]:
    """The noise at the lower level does not help to foretell the increment."""
    rests = sum(chance for value, chance in step.atoms if value == 0)
    if family.integer:
        rests = float(step.density(np.zeros(1))[0])
    place = {"low": low, "high": low + 1}
    yield Event(kind=REST, **place, noise=ANY, step=REST_ONLY, chance=rests)
    lower, median, upper = (_quantile(noise, p) for p in (0.25, 0.5, 0.75))
    near = (lower, upper) if upper > lower else (-math.inf, median)
    among = _upto(noise, near[1]) - _upto(noise, near[0])
    yield Event(kind=RESTING, **place, noise=near, step=REST_ONLY, chance=among * rests)
    falls, rises = _sides(step)
    large = (rises[1], math.inf)
    grows = 1 - _upto(step, rises[1])
    yield Event(kind=SIZES, **place, noise=near, step=large, chance=among * grows)
    above = 1 - _upto(noise, median)
    high = (median, math.inf)
    yield Event(kind=SIGNS, **place, noise=high, step=large, chance=above * grows)
    if falls:
        small, shrinks = (-math.inf, falls[1]), _upto(step, falls[1])
        yield Event(kind=SIZES, **place, noise=near, step=small, chance=among * shrinks)


def _sides(step: ReleaseLaw) -> tuple[list[float], list[float]]:
    """Parts of the falls, if there are any, and of the rises of an increment."""
    rest = _upto(step, 0.0)
    fall = _upto(step, REST_ONLY[0])
    falls = [_quantile(step, fall * part) for part in PARTS] if fall > 0 else []
    return falls, [_quantile(step, rest + (1 - rest) * part) for part in PARTS]


def _upto(law: ReleaseLaw, x: float) -> float:
    return float(law.cdf(np.array([x]))[0]) if math.isfinite(x) else float(x > 0)


def _quantile(law: ReleaseLaw, p: float) -> float:
    return float(law.quantile(np.array([p]))[0])


def count_events(events: Sequence[Event], noise: Array) -> Floats:
    """How often each event happened.

    Args:
        events: of `increment_events`.
        noise: releases of the number 0, shape (levels, n), levels ascending.

    >>> always = Event(kind=LAW, low=None, high=0, noise=ANY, step=(-9.0, 9.0), chance=0.5)
    >>> count_events([always], np.array([[1.0, 2.0, 30.0]])).tolist()
    [2.0]
    """
    found = np.empty(len(events))
    for place, event in enumerate(events):
        below = np.zeros(1) if event.low is None else noise[event.low]
        step = noise[event.high] - below
        happened = (step > event.step[0]) & (step <= event.step[1])
        if event.noise != ANY:
            happened &= (below > event.noise[0]) & (below <= event.noise[1])
        found[place] = np.count_nonzero(happened)
    return found


def unlikely(
    events: Sequence[Event], counts: Floats, draws: int, chance: float
) -> NDArray[np.bool_]:
    """Which counts right increments have with no more than this chance, or at neither end.

    A count is outside where its binomial tail, below or above, is less than half the chance.

    Args:
        events: of `increment_events`.
        counts: how often each happened, shape (events,).
        draws: number of draws.
        chance: that a right sampler leaves the band of one event, at most.

    >>> coin = Event(kind=LAW, low=None, high=0, noise=ANY, step=ANY, chance=0.5)
    >>> unlikely([coin] * 3, np.array([50.0, 61.0, 70.0]), 100, 0.001).tolist()
    [False, False, True]
    """
    chances = np.array([event.chance for event in events])
    below = np.where(counts >= draws, 1.0, special.bdtr(np.minimum(counts, draws), draws, chances))
    above = np.where(counts <= 0, 1.0, special.bdtrc(np.maximum(counts - 1, 0), draws, chances))
    return np.asarray(~(np.minimum(below, above) >= chance / 2), dtype=np.bool_)


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
    block: partial[Floats], levels: int, repetitions: int, *, rng: np.random.Generator, threads: int
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
