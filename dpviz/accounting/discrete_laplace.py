"""Discrete Laplace noise on one coordinate: the exact trade between epsilon and delta.

Masses P(y) = (1-a)/(1+a) a^|y|, a = e^(-1/level); neighbours differ by `shift` whole units. The
loss is shift/level for y <= 0 and (shift - 2y)/level up to y = shift, so with m the largest y whose
loss exceeds epsilon,

    (1+a) delta = 1 - e^(epsilon - shift/level)
                  + (1-a) sum over y = 1..m of a^y (1 - e^(epsilon - (shift - 2y)/level))

a sum of positive terms, the same in both directions, and 0 from epsilon = shift/level on. By itself
the family is pure: this is what a delta above 0 buys. Source: MATHEMATICS 2.6, 3.8.
"""

import math
from fractions import Fraction

import numpy as np

from dpviz.accounting.inputs import Number, non_negative, positive, summed_shift
from dpviz.accounting.stated import Stated

CURVE = "discrete Laplace noise on one coordinate, exact"
LOST = 1e-13  # bound on the relative rounding error of ln delta


def discrete_laplace_log_delta(epsilon: Number, level: Number, *, shift: int = 1) -> Stated:
    """Least ln delta of discrete Laplace noise at `epsilon`, one coordinate moved by `shift`.

    Args:
        epsilon: at least 0, nats.
        level: scale of the noise, above 0, whole steps.
        shift: whole units by which one person moves the coordinate, 1 to LARGEST_SHIFT.

    Returns:
        ln delta, rounded up; -inf where delta is 0 (epsilon at least shift / level).

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.8, from the probability masses.

    >>> round(math.exp(discrete_laplace_log_delta(0.0, 1 / math.log(3)).value), 9)  # P(0) = 1/2
    0.5
    """
    epsilon, level = non_negative(epsilon=epsilon), positive(level=level)
    shift = summed_shift(shift)
    own = Fraction(shift) / Fraction(level)  # exact: what it exceeds epsilon by makes delta
    if own <= Fraction(epsilon):
        return Stated(-math.inf, CURVE)
    y = np.arange(0, (shift + 1) // 2, dtype=np.float64)
    with np.errstate(over="ignore"):
        worth = (shift - 2 * y) / level * (1 + 2.0**-51) - epsilon
    worth[0] = float(min(own - Fraction(epsilon), Fraction(1000)))
    kept = worth > 0
    with np.errstate(over="ignore"):
        weights = np.exp(-y[kept] / level) * -np.expm1(-worth[kept])
    weights[1:] *= -math.expm1(-1 / level)
    value = math.log(float(np.sum(weights)) / (1 + math.exp(-1 / level)))
    return Stated(min(0.0, value + LOST * (1 - value)), CURVE)
