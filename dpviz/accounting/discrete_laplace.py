"""Discrete Laplace noise with a delta: exact for coordinates moved alike, and inverted.

Masses P(y) = (1-a)/(1+a) a^|y|, a = e^(-1/level); neighbours differ by `shift` whole units in each
of `moved` coordinates. One coordinate has the loss

    shift/level       with probability 1/(1+a)                      (y <= 0)
    (shift-2y)/level  with probability (1-a)/(1+a) a^y              (0 < y < shift)
    -shift/level      with probability a^shift/(1+a)                (y >= shift)

Every loss lies on the grid of width 1/level, so the sum of independent ones is exact up to the
upward rounding of loss_sums.py. With a shift of 1 it is that of randomised response, the optimal
composition of pure_composition.py. Both directions cost the same. By itself the family is pure:
this is what a delta above 0 buys. Source: MATHEMATICS 2.6, 3.8.
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpviz import checks
from dpviz.accounting.inputs import Number, log_probability, non_negative, positive, summed_shift
from dpviz.accounting.loss_sums import sum_log_delta
from dpviz.accounting.poisson_losses import Losses
from dpviz.accounting.search import least
from dpviz.errors import ParameterError

LARGEST_MOVED = 100_000
LOSSES_UP = 1 + 2.0**-50
TOLERANCE = 1e-10  # relative, of the inverse


def discrete_laplace_log_delta(
    epsilon: Number, level: Number, *, shift: int = 1, moved: int = 1
) -> float:
    """Least ln delta of discrete Laplace noise at `epsilon`, rounded up.

    Args:
        epsilon: at least 0, nats.
        level: scale of the noise, above 0, whole steps.
        shift: whole units by which one person moves each coordinate, 1 to LARGEST_SHIFT.
        moved: how many coordinates one person moves, 1 to LARGEST_MOVED.

    Returns:
        ln delta; -inf where delta is 0 (epsilon at least moved shift / level).

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.8, from the probability masses.

    >>> round(math.exp(discrete_laplace_log_delta(0.0, 1 / math.log(3))), 9)  # P(0) = 1/2
    0.5
    """
    epsilon, level = non_negative(epsilon=epsilon), positive(level=level)
    shift, moved = summed_shift(shift), _moved(moved)
    if Fraction(shift * moved) <= Fraction(epsilon) * Fraction(level):
        return -math.inf
    return sum_log_delta([(discrete_laplace_losses(level, shift), moved)], epsilon)


def discrete_laplace_level_at(
    epsilon: Number, log_delta: Number, *, shift: int = 1, moved: int = 1
) -> float:
    """Least scale of discrete Laplace noise that is (epsilon, delta)-private, rounded up.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        shift: whole units by which one person moves each coordinate.
        moved: how many coordinates one person moves.

    Returns:
        The scale, at most moved shift / epsilon; `discrete_laplace_log_delta` at it never exceeds
        `log_delta`.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.8, inverted: noise of a larger scale is a post-processing.

    >>> round(discrete_laplace_level_at(1.0, math.log(0.01)), 6)
    0.986463
    """
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    shift, moved = summed_shift(shift), _moved(moved)
    pure = shift * moved / epsilon * LOSSES_UP
    found = least(
        lambda level: (
            discrete_laplace_log_delta(epsilon, level, shift=shift, moved=moved) - log_delta
        ),
        0.9 * pure,
        lowest=pure * 1e-6,
        highest=pure,
        tolerance=TOLERANCE,
    )
    return pure if found is None else found


@lru_cache(maxsize=4)  # pure mathematics of two public numbers
def discrete_laplace_losses(level: float, shift: int) -> Losses:
    """Losses of one coordinate moved by `shift`, on the grid of width 1/level, all of them on it.

    >>> losses = discrete_laplace_losses(2.0, 3)
    >>> mass = np.exp(losses.log_mass)
    >>> round(float(mass.sum()), 9), round(float((mass * np.exp(-losses.loss)).sum()), 9)
    (1.0, 1.0)
    """
    y = np.arange(shift + 1, dtype=np.float64)
    log_mass = -y / level - math.log1p(math.exp(-1 / level))
    log_mass[1:-1] += math.log(-math.expm1(-1 / level))
    width = LOSSES_UP / level
    log_masses = np.full(2 * shift + 1, -math.inf)
    log_masses[::2] = log_mass[::-1]  # of the losses -shift, 2 - shift, ..., shift
    grid = np.arange(-shift, shift + 1, dtype=np.float64) * width
    return Losses(grid.astype(np.float64), log_masses, width, -math.inf)


def _moved(moved: int) -> int:
    """The number of coordinates, refused if it is not a whole number from 1 to LARGEST_MOVED."""
    moved = int(checks.integer(1, moved=moved))
    if moved > LARGEST_MOVED:
        raise ParameterError(f"moved must be at most {LARGEST_MOVED:,}, got {checks.told(moved)}")
    return moved
