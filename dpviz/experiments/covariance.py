"""How the noise of two tiers moves together: theory, measurement, and a verdict that can be bad.

`N(h) - N(l)` is independent of everything up to `l < h`, so the covariance of two releases is the
variance of the less noisy one, `Cov(N_l, N_h) = Var N_l` [LMR25, Lemma 3.2], for every family;
the correlation is √(Var N_l / Var N_h), which is l/h for Laplace [KHP15, Theorem 12]. The mean of
the noise is known, so a sample covariance is an average of independent products whose variance is
known too: E(XY)² - (EXY)² = m₄ + v(v_h - v) - v², v and m₄ the second and fourth central moment at
the less noisy level. Limits: the band is the normal one, for thousands of draws and more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.experiments.simulation import OpenReleases, in_blocks
from dpviz.noise.family import Family
from dpviz.release import MultipleRelease

Floats = NDArray[np.float64]
BLOCK = 4096  # repetitions in one order; smaller, so that few draws see several orders
CHANCE = 0.001  # that a right sampler leaves the band anywhere in the matrix


@dataclass(frozen=True, slots=True, eq=False)
class SampleCovariances:
    """Sample covariances of the noise after these repetitions, shape (m, m), squared units."""

    matrix: Floats
    repetitions: int

    def __post_init__(self) -> None:
        checks.arrays(2, matrix=np.nan_to_num(self.matrix))  # a broken sampler's may be anything
        checks.whole(1, repetitions=self.repetitions)


@dataclass(frozen=True, slots=True, eq=False)
class CovarianceCheck:
    """Theory and simulation of one matrix, shape (m, m) each, in the same unit.

    `half` is half the width of the band around `theory`; `outside` says where `sample` leaves it.
    """

    theory: Floats
    sample: Floats
    half: Floats
    outside: NDArray[np.bool_]

    def __post_init__(self) -> None:
        sample = np.nan_to_num(self.sample)  # a broken sampler's may be anything
        checks.arrays(2, theory=self.theory, sample=sample, half=self.half, outside=self.outside)

    @property
    def passed(self) -> bool:
        """Whether every entry lies in its band."""
        return not self.outside.any()

    def in_units(self, factor: float) -> "CovarianceCheck":
        """The same check with every number times a factor, such as a squared step."""
        theory, sample, half = (factor * part for part in (self.theory, self.sample, self.half))
        return CovarianceCheck(theory, sample, half, self.outside)


def simulate_covariances(
    family: Family,
    levels: Sequence[float],
    repetitions: int,
    *,
    rng: np.random.Generator,
    open_releases: OpenReleases = MultipleRelease,
    threads: int = 1,
) -> Iterator[SampleCovariances]:
    """Measure covariances by drawing; one result per block, each over all draws so far.

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
    return _averages(
        partial(_products, family, wanted, open_releases), repetitions, rng=rng, threads=threads
    )


def check_covariances(
    family: Family, levels: Sequence[float], sample: SampleCovariances, *, scaled: bool = False
) -> CovarianceCheck:
    """Compare sample covariances with theory, with one band for the whole matrix.

        |sample - theory| <= z √((m₄ + v(v_h - v) - v²)/n),   z = Φ⁻¹(1 - CHANCE/(m(m+1)))

    Args:
        family: the family that was drawn.
        levels: its levels, in the order of the matrix.
        sample: what was measured.
        scaled: divide everything by the two known standard deviations, which gives correlations.

    Source: [LMR25, Lemma 3.2]; [KHP15, Theorem 12].

    >>> from dpviz.noise import FAMILIES
    >>> drawn = SampleCovariances(np.array([[2.0, 1.0], [1.0, 8.0]]), 10_000)
    >>> found = check_covariances(FAMILIES["laplace"], [1.0, 2.0], drawn, scaled=True)
    >>> found.theory.tolist(), found.passed, found.outside.tolist()
    ([[1.0, 0.5], [0.5, 1.0]], False, [[False, True], [True, False]])
    """
    variance = np.array([family.variance(level) for level in levels])
    fourth = np.array([family.fourth_moment(level) for level in levels])
    less = np.minimum(variance[:, None], variance[None, :])
    more = np.maximum(variance[:, None], variance[None, :])
    peak = np.where(variance[:, None] <= variance[None, :], fourth[:, None], fourth[None, :])
    entries = len(variance) * (len(variance) + 1) // 2
    wide = float(special.ndtri(1 - CHANCE / (2 * entries)))
    half = wide * np.sqrt((peak + less * (more - less) - less * less) / sample.repetitions)
    outside = ~(np.abs(sample.matrix - less) <= half)
    unit = np.sqrt(variance[:, None] * variance[None, :]) if scaled else np.ones_like(less)
    return CovarianceCheck(less / unit, sample.matrix / unit, half / unit, outside)


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
    block: partial[Floats], repetitions: int, *, rng: np.random.Generator, threads: int
) -> Iterator[SampleCovariances]:
    total, done = np.zeros(()), 0
    for size, products in in_blocks(block, repetitions, rng=rng, threads=threads, size=BLOCK):
        total, done = total + products, done + size
        yield SampleCovariances(total / done, done)


def _products(
    family: Family,
    levels: list[float],
    open_releases: OpenReleases,
    size: int,
    rng: np.random.Generator,
) -> Floats:
    """Sums of products of the deviations from the known means, over one block."""
    exact = np.zeros(size, dtype=np.int64 if family.integer else np.float64)
    releases, noise = open_releases(exact, family, rng=rng), np.empty((len(levels), size))
    for place in rng.permutation(len(levels)):
        noise[place] = releases.release(levels[place]) - family.mean(levels[place])
    found: Floats = noise @ noise.T
    return found
