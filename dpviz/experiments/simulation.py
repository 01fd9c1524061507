"""What noise really does: variances measured on many draws, or drawn from their own exact law.

Every repetition draws one number at every level through `MultipleRelease`, on exact values 0, in an
order that changes from block to block; beside it a baseline draws the same tiers independently.
The mean of the noise is known, so a sample variance is the average squared distance from it.
Levels are those of the family, and variances in squared whole steps of the statistic.
Limits: no data enters, so nothing here is private or needs to be; memory is one block per thread.

The exact law takes a million repetitions in a handful of draws: the sample second moments of n
Gaussian vectors are a Wishart matrix, which Bartlett's decomposition draws with m + m(m-1)/2
numbers instead of n·m. Limits: Gaussian noise only; nothing is released and no sampler is tested
by it, so pictures label it apart from a simulation.
[LMR25, section 6, Figure 2] Private Lossless Multiple Release, arXiv:2505.22449v1.
[B33] Bartlett, On the theory of statistical regression, Proc. R. Soc. Edinburgh 53 (1933).
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpviz import checks, streams
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Array, Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.release import MultipleRelease

Floats = NDArray[np.float64]
BLOCK = 16384  # repetitions at a time, at least: more leave the cache where there are many tiers
NUMBERS = 6 * BLOCK  # of a session at a time: fewer do not hide the bookkeeping
GAUSSIAN = ADDITIVE["gaussian"]
GAUSSIAN_KURTOSIS = 3.0


class Releases(Protocol):
    """What draws releases at levels: a session, or something planted to see the check fail."""

    def release(self, level: float) -> Array:
        """The release at a level, the same whenever the same level is asked for."""


class OpenReleases(Protocol):
    """Opens `Releases` on exact values, as the class `MultipleRelease` does."""

    def __call__(self, values: Any, family: Family, *, rng: np.random.Generator) -> Releases:
        """Open on these values."""


class IndependentReleases:
    """Each level drawn afresh from the exact values: the mistake that lossless release avoids.

    >>> from dpviz import streams
    >>> apart = IndependentReleases([0.0], GAUSSIAN, rng=streams.teaching(7))
    >>> apart.release(1.0) is apart.release(1.0)
    True
    """

    def __init__(self, values: Any, family: Family, *, rng: np.random.Generator) -> None:
        """Open on exact values of shape (d,)."""
        self._values, self._family, self._rng = np.asarray(values), family, rng
        self._held: dict[float, Array] = {}

    def release(self, level: float) -> Array:
        """The release at a level, with independent noise."""
        if level not in self._held:
            self._held[level] = self._family.extend(self._values, 0.0, level, rng=self._rng)
        return self._held[level]


@dataclass(frozen=True, slots=True, eq=False)
class SampleVariances:
    """Sample variances after these repetitions, shape (m,) each, in squared steps.

    `lossless` belongs to releases of one session, `baseline` to independent ones.
    """

    lossless: Floats
    baseline: Floats
    repetitions: int

    def __post_init__(self) -> None:
        checks.arrays(1, least=0, lossless=self.lossless, baseline=self.baseline)
        checks.whole(1, repetitions=self.repetitions)


def simulate_variances(
    family: Family,
    levels: Sequence[float] | Floats,
    baseline: Sequence[float] | Floats,
    repetitions: int,
    *,
    rng: np.random.Generator,
    threads: int = 1,
) -> Iterator[SampleVariances]:
    """Measure variances by drawing; one result per block, each over all draws so far.

    Who stops iterating stops the work; the last result is complete. The numbers depend on the
    generator alone, not on how many threads draw.

    Args:
        family: noise family.
        levels: of the lossless releases, shape (m,), above 0; equal ones share one.
        baseline: levels of the independent releases, shape (m,), above 0.
        repetitions: how often every tier is drawn, at least 1.
        rng: its children draw the blocks.
        threads: blocks drawn at the same time, at least 1.

    Raises:
        ParameterError: an argument is out of range, at the call.

    Source: [LMR25, section 6].

    >>> from dpviz import streams
    >>> rng = streams.teaching(7)
    >>> *_, last = simulate_variances(GAUSSIAN, [1.0, 4.0], [1.0, 9.0], 100_000, rng=rng)
    >>> last.repetitions, np.round(last.lossless).tolist(), np.round(last.baseline).tolist()
    (100000, [1.0, 4.0], [1.0, 9.0])
    """
    lossless, apart = _levels(family, levels), _levels(family, baseline)
    if lossless.shape != apart.shape:
        raise ParameterError("pass one baseline level for each level")
    checks.whole(1, repetitions=repetitions, threads=threads)
    at_once = max(BLOCK, NUMBERS // lossless.size)
    _keep_freed_memory(lossless.size * at_once)

    def block(size: int, rng: np.random.Generator) -> Floats:
        squares = _lossless_squares(family, lossless, size, rng=rng)
        return np.stack([squares, _baseline_squares(family, apart, size, rng=rng)])

    return _averages(in_blocks(block, repetitions, rng=rng, threads=threads, size=at_once))


def _averages(blocks: Iterator[tuple[int, Floats]]) -> Iterator[SampleVariances]:
    total, done = np.zeros(()), 0
    for size, squares in blocks:
        total, done = total + squares, done + size
        yield SampleVariances(total[0] / done, total[1] / done, done)


def in_blocks(
    block: Callable[[int, np.random.Generator], Floats],
    repetitions: int,
    *,
    rng: np.random.Generator,
    threads: int = 1,
    size: int,
) -> Iterator[tuple[int, Floats]]:
    """Draw block after block, each with a generator of its own; yield sizes and sums in order.

    Args:
        block: from the size of a block and its generator to sums over it.
        repetitions: sizes add up to it.
        rng: its children draw the blocks.
        threads: blocks drawn at the same time.
        size: of all blocks but the last.

    >>> blocks = in_blocks(lambda size, _: np.full(1, size), 5, rng=streams.teaching(7), size=2)
    >>> [(size, sums.tolist()) for size, sums in blocks]
    [(2, [2]), (2, [2]), (1, [1])]
    """
    sizes = (min(size, repetitions - start) for start in range(0, repetitions, size))
    if threads == 1:
        for each in sizes:
            yield each, block(each, streams.child_for_simulation(rng))
        return
    pool = ThreadPoolExecutor(threads)
    waiting: deque[tuple[int, Future[Floats]]] = deque()
    try:
        for each in sizes:
            try:
                child = streams.child_for_simulation(rng)
                waiting.append((each, pool.submit(block, each, child)))
            except RuntimeError:  # the process is ending: nobody wants the rest
                return
            if len(waiting) >= 2 * threads:
                each, ready = waiting.popleft()
                yield each, ready.result()
        while waiting:
            each, ready = waiting.popleft()
            yield each, ready.result()
    finally:  # also when nobody wants the rest
        pool.shutdown(wait=False, cancel_futures=True)


def interval(
    variance: Floats,
    repetitions: int,
    confidence: float = ACCURACY_CONFIDENCE,
    *,
    kurtosis: Floats | float = GAUSSIAN_KURTOSIS,
) -> tuple[Floats, Floats]:
    """Confidence interval of a variance whose sample variance, mean known, was measured.

        k s² / χ²_k((1+c)/2)   to   k s² / χ²_k((1-c)/2),     k = 2n/(κ-1)

    Exact for Gaussian noise, where κ = 3 and k = n. For other noise χ²_k has the first two moments
    of the sample variance, so the interval is approximate.

    Args:
        variance: sample variances s², any shape.
        repetitions: how many draws n are behind each.
        confidence: c, strictly between 0 and 1.
        kurtosis: κ, the fourth central moment by the squared variance, of the same shape or one.

    Returns:
        Lower and upper ends.

    Raises:
        ParameterError: no repetitions, or a confidence that is not between 0 and 1.

    >>> low, high = interval(np.array([1.0]), 1000)
    >>> low.round(3).item(), high.round(3).item()
    (0.918, 1.094)
    >>> low, high = interval(np.array([1.0]), 1000, kurtosis=6.0)  # Laplace
    >>> low.round(3).item(), high.round(3).item()
    (0.875, 1.154)
    """
    repetitions = checks.integer(1, repetitions=repetitions)
    checks.probability(confidence=confidence)
    tail = (1 - confidence) / 2
    degrees = np.maximum(2 * repetitions / (np.asarray(kurtosis, dtype=np.float64) - 1), 1.0)
    scaled = degrees * variance
    low: Floats = scaled / special.chdtri(degrees, tail)
    high: Floats = scaled / special.chdtri(degrees, 1 - tail)
    return low, high


def _keep_freed_memory(numbers: int) -> None:
    """Have the C library keep what a block frees for the next one.

    glibc gives freed memory back to the system beyond a threshold, which rises to the largest
    array freed so far; fresh pages cost a third of the drawing time. Elsewhere it does nothing.
    """
    np.empty(numbers)


def _square(values: Array, mean: float) -> float:
    """Sum of squared distances from the mean; on one core, unlike a dot product of this length."""
    away = np.asarray(values, dtype=np.float64)
    if mean:
        away = away - mean
    return float(np.einsum("i,i->", away, away))


def _levels(family: Family, levels: Sequence[float] | Floats) -> Floats:
    found = np.asarray(levels, dtype=np.float64)
    if found.ndim != 1 or not found.size or not (np.isfinite(found) & (found > 0)).all():
        raise ParameterError("levels must be finite numbers above 0, at least one of them")
    for level in found.tolist():
        family.variance(level)  # refuses what the family cannot draw
    return found


def _zeros(family: Family, size: int) -> Array:
    return np.zeros(size, dtype=np.int64 if family.integer else np.float64)


def _lossless_squares(
    family: Family, levels: Floats, size: int, *, rng: np.random.Generator
) -> Floats:
    """Sums of squared noise of one session, its levels asked for in random order."""
    session = MultipleRelease(_zeros(family, size), family, rng=rng)
    squares = np.empty(levels.size)
    for place in rng.permutation(levels.size):
        level = float(levels[place])  # squared while it is in the cache
        squares[place] = _square(session.release(level), family.mean(level))
    return squares


def _baseline_squares(
    family: Family, levels: Floats, size: int, *, rng: np.random.Generator
) -> Floats:
    """Sums of squared noise of releases that know nothing of each other."""
    exact, squares = _zeros(family, size), np.empty(levels.size)
    drawn = np.empty_like(exact)
    for place, level in enumerate(levels.tolist()):
        family.extend(exact, 0.0, level, rng=rng, out=drawn)
        squares[place] = _square(drawn, family.mean(level))
    return squares


def exact_law_variances(
    levels: Sequence[float] | Floats,
    baseline: Sequence[float] | Floats,
    repetitions: int,
    *,
    rng: np.random.Generator,
) -> SampleVariances:
    """Draw sample variances from their exact joint law: what `simulate_variances` would measure.

        lossless: diag(L B Bᵀ Lᵀ)/n, L the path's steps added up, B lower triangular with
        B_ii ~ χ_{n-i+1}, B_ij ~ N(0,1);      baseline: v_i χ²_n/n, independent

    Args:
        levels: variances t of the lossless releases, shape (m,), above 0; equal ones share one.
        baseline: variances of the independent releases, shape (m,), above 0.
        repetitions: n, at least m.
        rng: what the m(m+1)/2 + m numbers are drawn from.

    Raises:
        ParameterError: an argument is out of range.

    Source: [B33]; MATHEMATICS 4.3.

    >>> from dpviz import streams
    >>> drawn = exact_law_variances([1.0, 4.0], [1.0, 9.0], 10**6, rng=streams.teaching(7))
    >>> np.round(drawn.lossless, 1).tolist(), np.round(drawn.baseline, 1).tolist()
    ([1.0, 4.0], [1.0, 9.0])
    """
    path, apart = (np.asarray(x, dtype=np.float64) for x in (levels, baseline))
    if path.ndim != 1 or path.shape != apart.shape or not path.size:
        raise ParameterError("pass one baseline variance for each level")
    if not (np.isfinite(path) & np.isfinite(apart) & (path > 0) & (apart > 0)).all():
        raise ParameterError("variances must be finite numbers above 0")
    order = np.argsort(path)
    steps = np.diff(path[order], prepend=0.0)
    n, m = repetitions, path.size
    checks.whole(m, repetitions=n)
    triangle = np.tril(rng.standard_normal((m, m)), -1)
    triangle[np.diag_indices(m)] = np.sqrt(rng.chisquare(n - np.arange(m)))
    rows = np.cumsum(np.sqrt(steps)[:, None] * triangle, axis=0)
    lossless = np.empty(m)
    lossless[order] = np.square(rows).sum(axis=1) / n
    return SampleVariances(lossless, apart * rng.chisquare(n, m) / n, n)
