"""Poisson noise when one person moves several coordinates by one each, all in the same direction.

The privacy loss is then the sum of as many independent one-coordinate losses, ln(level/y) where the
person is away and ln(y/level) where they are there, and delta is that of the sum's distribution.
This computes an upper bound of it that is tight to about 1e-3 of delta: losses go on a grid that
costs at least as much (poisson_losses.py), and are added by a tilted Fourier transform that rounds
up (loss_sums.py). Both directions are computed and the worse is returned. Limits: levels up to
LARGEST_LEVEL and up to LARGEST_GROUPS coordinates, as searches for more take many seconds; far
below every likely loss the bound is the trivial one, delta = 1.
"""

import math

from dpviz import checks
from dpviz.accounting.inputs import (
    LARGEST_LEVEL,
    Number,
    log_probability,
    non_negative,
    positive,
    summed_level,
)
from dpviz.accounting.loss_sums import HALF_WINDOW, LARGEST_WINDOW, sum_log_delta
from dpviz.accounting.poisson import (
    CUT,
    no_finite_epsilon,
)
from dpviz.accounting.poisson_losses import directions
from dpviz.accounting.search import least
from dpviz.errors import ParameterError

FINENESS = 128.0  # grid points per standard deviation of one coordinate's loss
TOLERANCE = 1e-8  # relative, of the inverses
LARGEST_GROUPS = 100_000
FIRST_DEPTH = 40.0
DEEPEST = 600.0  # nats: below e^-600 delta is not resolved


def poisson_groups_log_delta(
    epsilon: Number, level: Number, *, groups: int, depth: Number | None = None
) -> float:
    """Least ln delta of Poisson noise where one person moves `groups` coordinates, rounded up.

    Args:
        epsilon: at least 0, nats.
        level: rate of the noise in each coordinate, from 1e-300 to LARGEST_LEVEL.
        groups: number of coordinates that one person moves, all up or all down; at most 100,000.
        depth: resolve deltas down to e^-depth (a smaller one is reported as less than that);
            None deepens until the delta found is resolved, or e^-DEEPEST is reached.

    Returns:
        ln delta, at most 0, never below the exact value.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.12.

    >>> round(poisson_groups_log_delta(1.0, 34.0, groups=1), 4)  # as poisson_log_delta(1.0, 34.0)
    -13.7922
    """
    epsilon, level = non_negative(epsilon=epsilon), summed_level(level)
    groups = _check_groups(groups)
    fineness = min(FINENESS, LARGEST_WINDOW / (2 * HALF_WINDOW * math.sqrt(groups)))
    reached = FIRST_DEPTH if depth is None else min(positive(depth=depth), DEEPEST)
    least_bound = 0.0
    while True:  # each depth gives a valid bound
        away, there = directions(level, reached + CUT, fineness)
        bound = sum_log_delta([(away, groups)], epsilon)
        if bound < 0:  # else the other direction cannot be worse
            bound = max(bound, sum_log_delta([(there, groups)], epsilon))
        least_bound = min(least_bound, bound)
        if depth is not None or least_bound > -reached or reached == DEEPEST:
            return least_bound
        reached = min(2 * reached, DEEPEST)


def poisson_groups_epsilon(log_delta: Number, level: Number, *, groups: int) -> float:
    """Least epsilon of Poisson noise where one person moves `groups` coordinates by one.

    Args:
        log_delta: ln delta, below 0 and at least -DEEPEST.
        level: rate of the noise in each coordinate, from 1e-300 to LARGEST_LEVEL.
        groups: number of coordinates that one person moves, all up or all down; at most 100,000.

    Returns:
        epsilon in nats, rounded up.

    Raises:
        NoGuaranteeError: no epsilon is finite, see `poisson_coordinate_epsilon`.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.12, inverted.

    >>> round(poisson_groups_epsilon(math.log(1e-6), 905.0, groups=50), 3)
    1.0
    """
    log_delta = _check_depth(log_delta)
    level = summed_level(level)
    groups = _check_groups(groups)

    def excess(epsilon: float) -> float:
        value = poisson_groups_log_delta(epsilon, level, groups=groups, depth=-log_delta)
        return value - log_delta

    if excess(0.0) <= 0:
        return 0.0
    guess = math.sqrt(-2 * log_delta * groups / level)
    epsilon = least(excess, guess, highest=1e6, tolerance=TOLERANCE)
    if epsilon is None:
        raise no_finite_epsilon()
    return epsilon


def poisson_groups_level(epsilon: Number, log_delta: Number, *, groups: int) -> float | None:
    """Least rate of Poisson noise that is private where one person moves `groups` coordinates.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0 and at least -DEEPEST.
        groups: number of coordinates that one person moves, all up or all down; at most 100,000.

    Returns:
        The rate, rounded up, or None where it would exceed LARGEST_LEVEL.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.12, inverted.

    >>> round(poisson_groups_level(1.0, math.log(1e-6), groups=50))
    905
    """
    epsilon, log_delta = positive(epsilon=epsilon), _check_depth(log_delta)
    groups = _check_groups(groups)

    def excess(level: float) -> float:
        value = poisson_groups_log_delta(epsilon, level, groups=groups, depth=-log_delta)
        return value - log_delta

    guess = -2 * log_delta * groups / min(max(epsilon, 1e-9), 1e9) ** 2 - log_delta
    return least(excess, guess, highest=LARGEST_LEVEL, tolerance=TOLERANCE)


def _check_groups(groups: int) -> int:
    """The number of coordinates, refused if it is not whole or would take too long."""
    groups = checks.integer(1, groups=groups)
    if groups > LARGEST_GROUPS:
        raise ParameterError(
            f"groups must be at most {LARGEST_GROUPS:,} for the exact sum over coordinates, "
            f"got {checks.told(groups)}; use poisson_theorem_level or poisson_theorem_epsilon "
            "for more"
        )
    return groups


def _check_depth(log_delta: Number) -> float:
    """The checked ln delta, deep enough to be resolved."""
    value = log_probability(log_delta)
    if value < -DEEPEST:
        raise ParameterError(
            "delta is too small for the exact sum over several coordinates; "
            "pass a delta of at least 1e-260"
        )
    return value
