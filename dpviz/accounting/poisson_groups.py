"""Poisson noise when one person moves several coordinates by one each, all in the same direction.

The privacy loss is then the sum of as many independent one-coordinate losses, ln(level/y) where the
person is away and ln(y/level) where they are there, and delta is that of the sum's distribution.
This computes an upper bound of it that is tight to about 1e-3 of delta, in five steps:

1. Losses go on a grid by splitting each atom between its two neighbours so that both P and Q keep
   their mass. The pair on the grid can be merged back into the true one, so by data processing it
   costs at least as much, in any composition; the excess is second order in the grid's width.
2. The law is tilted (weights e^(t loss)) so that the losses that make delta are the likely ones:
   the Fourier transform then has relative, not absolute, accuracy, for any delta a float can hold.
3. The distribution convolved with itself wraps around the window; what wraps only adds to delta.
4. The mass beyond the window is bounded by Chernoff's inequality and added; so are the outcomes cut
   off one coordinate, counted as certain disclosure, and a bound of the transform's rounding error.
5. ln delta is raised by 1e-11 (1 + |ln delta|) for the rounding of everything else.

Both directions are computed and the worse is returned. Sources: the sum of losses is the privacy
loss distribution of Sommer, Meiser and Mohammadi (2019); the split is the pessimistic estimate of
Doroshenko et al. (2022), arXiv:2207.04380; tilting is Esscher's. Limits: levels up to
LARGEST_LEVEL; far below every likely loss the bound is the trivial one, delta = 1.
"""

import math

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from dpviz import checks
from dpviz.accounting.inputs import Number, log_probability, non_negative, positive
from dpviz.accounting.poisson import (
    CUT,
    LARGEST_LEVEL,
    check_level,
    no_finite_epsilon,
)
from dpviz.accounting.poisson_losses import Floats, Losses, directions, tilted
from dpviz.accounting.search import least
from dpviz.errors import ParameterError

FINENESS = 128.0  # grid points per standard deviation of one coordinate's loss
HALF_WINDOW = 10.0  # in standard deviations of the tilted sum
LARGEST_WINDOW = 2.0**18  # grid points, about; more coordinates get a coarser grid
TOLERANCE = 1e-8  # relative, of the inverses
LOST = 1e-11  # bound on the relative rounding error of ln delta
FIRST_DEPTH = 40.0
TINY = 1e-300
DEEPEST = 600.0  # nats: below e^-600 delta is not resolved


def poisson_groups_log_delta(
    epsilon: Number, level: Number, *, groups: int, depth: Number | None = None
) -> float:
    """Least ln delta of Poisson noise where one person moves `groups` coordinates, rounded up.

    Args:
        epsilon: at least 0, nats.
        level: rate of the noise in each coordinate, above 0 and at most LARGEST_LEVEL.
        groups: number of coordinates that one person moves, all up or all down.
        depth: resolve deltas down to e^-depth (a smaller one is reported as less than that);
            None deepens until the delta found is resolved, or e^-DEEPEST is reached.

    Returns:
        ln delta, at most 0, never below the exact value.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATH section 5, rule (2).

    >>> round(poisson_groups_log_delta(1.0, 34.0, groups=1), 4)  # as poisson_log_delta(1.0, 34.0)
    -13.7922
    """
    epsilon, level = non_negative(epsilon=epsilon), check_level(level)
    checks.whole(1, groups=groups)
    fineness = min(FINENESS, LARGEST_WINDOW / (2 * HALF_WINDOW * math.sqrt(groups)))
    reached = FIRST_DEPTH if depth is None else min(positive(depth=depth), DEEPEST)
    least_bound = 0.0
    while True:  # each depth gives a valid bound
        both = directions(level, reached + CUT, fineness)
        least_bound = min(least_bound, max(_sum_of(each, epsilon, groups) for each in both))
        if depth is not None or least_bound > -reached or reached == DEEPEST:
            return least_bound
        reached = min(2 * reached, DEEPEST)


def poisson_groups_epsilon(log_delta: Number, level: Number, *, groups: int) -> float:
    """Least epsilon of Poisson noise where one person moves `groups` coordinates by one.

    Args:
        log_delta: ln delta, below 0 and at least -DEEPEST.
        level: rate of the noise in each coordinate, above 0 and at most LARGEST_LEVEL.
        groups: number of coordinates that one person moves, all up or all down.

    Returns:
        epsilon in nats, rounded up.

    Raises:
        NoGuaranteeError: no epsilon is finite, see `poisson_coordinate_epsilon`.
        ParameterError: an argument is out of range.

    Source: MATH section 5, rule (2), inverted.

    >>> round(poisson_groups_epsilon(math.log(1e-6), 905.0, groups=50), 3)
    1.0
    """
    log_delta = _check_depth(log_delta)

    def excess(epsilon: float) -> float:
        value = poisson_groups_log_delta(epsilon, level, groups=groups, depth=-log_delta)
        return value - log_delta

    if excess(0.0) <= 0:
        return 0.0
    guess = math.sqrt(-2 * log_delta * groups / float(level))
    epsilon = least(excess, guess, highest=1e6, tolerance=TOLERANCE)
    if epsilon is None:
        raise no_finite_epsilon()
    return epsilon


def poisson_groups_level(epsilon: Number, log_delta: Number, *, groups: int) -> float | None:
    """Least rate of Poisson noise that is private where one person moves `groups` coordinates.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0 and at least -DEEPEST.
        groups: number of coordinates that one person moves, all up or all down.

    Returns:
        The rate, rounded up, or None where it would exceed LARGEST_LEVEL.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATH section 5, rule (2), inverted.

    >>> round(poisson_groups_level(1.0, math.log(1e-6), groups=50))
    905
    """
    epsilon, log_delta = positive(epsilon=epsilon), _check_depth(log_delta)

    def excess(level: float) -> float:
        value = poisson_groups_log_delta(epsilon, level, groups=groups, depth=-log_delta)
        return value - log_delta

    guess = -2 * log_delta * groups / max(epsilon, 1e-9) ** 2 - log_delta
    return least(excess, guess, highest=LARGEST_LEVEL, tolerance=TOLERANCE)


def _check_depth(log_delta: Number) -> float:
    """The checked ln delta, deep enough to be resolved."""
    value = log_probability(log_delta)
    if value < -DEEPEST:
        raise ParameterError(
            "delta is too small for the exact sum over several coordinates; "
            "pass a delta of at least 1e-260"
        )
    return value


def _sum_of(losses: Losses, epsilon: float, groups: int) -> float:
    """Upper bound of ln delta of the sum of `groups` independent losses."""
    parts = [_log_any(losses.log_infinite, groups)]
    if groups * losses.loss[-1] > epsilon:
        parts += _finite_part(losses, epsilon, groups)
    total = float(np.logaddexp.reduce(parts))
    return min(0.0, total + LOST * (1 - total) + 1e-14 * groups)


def _log_any(log_one: float, groups: int) -> float:
    """The ln of the probability that any of `groups` independent events happens."""
    if log_one < -30:
        return log_one + math.log(groups)
    return math.log(-math.expm1(groups * math.log1p(-math.exp(log_one))))


def _finite_part(losses: Losses, epsilon: float, groups: int) -> tuple[float, float]:
    """Bounds of ln delta from the finite losses: inside the window, and beyond it."""
    t = _tilt(losses, epsilon, groups)
    log_norm, mean, deviation = tilted(losses, t)
    spread = math.sqrt(groups) * deviation + losses.width
    start = math.floor(min(groups * mean - HALF_WINDOW * spread, epsilon) / losses.width)
    end = math.ceil((groups * mean + HALF_WINDOW * spread) / losses.width)
    if end - start > 8 * LARGEST_WINDOW:  # epsilon is far below any likely loss: delta is near 1
        return 0.0, -math.inf
    size = next_fast_len(end - start + 1, real=True)
    origin = round(float(losses.loss[0]) / losses.width)
    centre = round(mean / losses.width)
    index = (np.arange(len(losses.loss)) + (origin - centre)) % size
    weights = np.exp(losses.log_mass + t * losses.loss - log_norm)
    one = np.bincount(index, weights, size).astype(np.float64)
    law = irfft(rfft(one) ** groups, size)

    loss = losses.width * (start + (np.arange(size) + (groups * centre - start)) % size)
    beyond = np.maximum(loss - epsilon, 0.0)
    worth = np.exp(-t * beyond) * -np.expm1(-beyond)
    rounding = 4 * 2.0**-52 * groups * math.log2(size + 1)
    inside = max(0.0, float(np.sum(law * worth))) + rounding * _norm(one) * _norm(worth) + TINY
    edge = losses.width * (start + size)
    chernoff = min(
        groups * tilted(losses, u)[0] - u * edge
        for u in (t + step * HALF_WINDOW / spread for step in (0.03, 0.1, 0.3, 0.9))
    )
    return groups * log_norm - t * epsilon + math.log(inside), chernoff


def _tilt(losses: Losses, epsilon: float, groups: int) -> float:
    """The saddle point groups K'(t) = epsilon + 1/t + 1/(1+t), roughly: any t > 0 is valid."""

    def short(t: float) -> float:
        return epsilon + 1 / t + 1 / (1 + t) - groups * tilted(losses, t)[1]

    guess = (epsilon / groups + 1 / math.sqrt(groups)) / max(tilted(losses, 0.0)[2], 1e-9)
    return least(short, guess, lowest=1e-6, highest=1e6, tolerance=0.02) or 1e6


def _norm(vector: Floats) -> float:
    """Euclidean norm, without a BLAS call (its threads cost more than this sum)."""
    return math.sqrt(float(np.sum(vector * vector)))
