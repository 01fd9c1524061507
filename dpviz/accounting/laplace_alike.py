"""Laplace noise on several coordinates moved alike, with a delta: exact, and inverted.

One person moves `moved` coordinates by l1 / moved each; the losses of these coordinates are
independent, so the curve is that of `moved` releases together (laplace_composition.py): one
coordinate in closed form, several by convolution, never below the exact delta and mostly within
1e-6 of it. Moving fewer coordinates, or each by less, never costs more: the noise is log-concave.
The pure scale l1/epsilon needs no delta; what a delta saves is at most

    delta >= 2^-moved (1 - e^-(e - epsilon)),   e = l1 / scale        (every coordinate at its atom)

so where 2^moved delta is below NOTHING_GAINED of epsilon the pure scale is the answer, to 9 digits.
Limits: those of laplace_composition.py. Source: MATHEMATICS 3.5, 5.3.
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.inputs import Number, log_probability, positive
from dpviz.accounting.laplace import UP, laplace_scale
from dpviz.accounting.laplace_composition import (
    DEEPEST,
    LARGEST_SUM,
    composed_laplace_log_delta,
)
from dpviz.accounting.search import least
from dpviz.errors import NoGuaranteeError

NOTHING_GAINED = 1e-9
MOST_MOVED = 20_000
TOLERANCE = 1e-9  # relative, of the inverse
CURVE_POINTS, CURVE_BEGINS = 33, 1e-3  # of a tabulated curve; of epsilon
HALF = math.log(0.5)  # beyond delta = 0.5 nothing is promised


def laplace_alike_scale(
    epsilon: Number, log_delta: Number, l1_sensitivity: Number, *, moved: int
) -> float:
    """Least scale of Laplace noise that is (epsilon, delta)-private for coordinates moved alike.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        l1_sensitivity: above 0, in units of the statistic: each coordinate moves by l1 / moved.
        moved: how many coordinates one person moves, at least 1.

    Returns:
        b in units of the statistic, rounded up; at most l1 / epsilon.

    Raises:
        NoGuaranteeError: the curve is beyond the reach of the composition.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.5 for one coordinate, 5.3 inverted for several.

    >>> round(laplace_alike_scale(1.0, math.log(0.01), 1.0, moved=1), 6)
    0.980295
    >>> round(laplace_alike_scale(1.0, math.log(0.01), 5.0, moved=5), 5)
    3.94543
    """
    moved, l1 = checks.integer(1, moved=moved), positive(l1_sensitivity=l1_sensitivity)
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    if moved == 1:
        return laplace_scale(epsilon, log_delta, l1)
    pure = l1 / epsilon * UP
    if moved * math.log(2) + log_delta < math.log(NOTHING_GAINED * min(epsilon, 1.0)):
        return pure
    own = _unit_scale(epsilon, log_delta, int(moved))
    return min(pure, l1 * own * UP)


def laplace_alike_log_delta(epsilon: Number, own: Number, *, moved: int) -> float:
    """Least ln delta at `epsilon` of coordinates moved alike, each of own budget `own`, rounded up.

    Args:
        epsilon: at least 0, nats.
        own: budget of one coordinate, l1 / (moved scale), above 0.
        moved: how many coordinates one person moves, at least 1.

    Returns:
        ln delta; -inf where delta is 0.

    Raises:
        ParameterError: an argument is out of range, or beyond the reach of the composition.

    Source: MATHEMATICS 5.3.

    >>> round(math.exp(laplace_alike_log_delta(1.0, 0.25, moved=5)), 7)
    0.0092552
    """
    moved = checks.integer(1, moved=moved)
    return composed_laplace_log_delta([own], epsilon, times=int(moved))


@lru_cache(maxsize=4096)  # pure mathematics of public numbers; other controls ask for it again
def _unit_scale(epsilon: float, log_delta: float, moved: int) -> float:
    """The scale for l1 = 1."""
    refuse_beyond_reach(epsilon, moved)
    if log_delta < -DEEPEST:
        raise NoGuaranteeError(
            f"the exact curve of Laplace noise reaches down to ln delta = {-DEEPEST:g}; pass a "
            "larger delta"
        )
    pure = 1 / epsilon
    found = least(
        lambda scale: (
            laplace_alike_log_delta(epsilon, 1 / (moved * scale), moved=moved) - log_delta
        ),
        0.9 * pure,
        lowest=pure / (1 + LARGEST_SUM / (2 * epsilon)),
        highest=pure,
        tolerance=TOLERANCE,
    )
    return pure if found is None else found


def within_reach(epsilon: float, moved: int) -> bool:
    """Whether the composition holds the curve of this many coordinates up to delta = 0.5.

    >>> within_reach(1.0, 5), within_reach(1.0, 10**9)
    (True, False)
    """
    largest = epsilon + 3 * math.sqrt(moved * (epsilon + 1))  # budgets where delta nears 0.5
    return moved <= MOST_MOVED and largest <= LARGEST_SUM / 2


def refuse_beyond_reach(epsilon: float, moved: int) -> None:
    """Refuse what the composition cannot hold.

    Raises:
        NoGuaranteeError: too many coordinates, or too large an epsilon.

    >>> refuse_beyond_reach(1.0, 5)
    """
    if not within_reach(epsilon, moved):
        raise NoGuaranteeError(
            f"the exact curve of Laplace noise is known for up to {MOST_MOVED:,} coordinates "
            f"and an epsilon of up to about {LARGEST_SUM / 2:g}; pass fewer, or a smaller one"
        )


@lru_cache(maxsize=1024)  # a map asks for the same curve at every delta
def laplace_alike_curve(
    epsilon: float, moved: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A table of the curve: what the pure budget exceeds epsilon by, and ln delta, both rising.

    Args:
        epsilon: above 0, nats.
        moved: how many coordinates one person moves.

    Returns:
        ln(l1/scale - epsilon), from a thousandth of epsilon on until delta is above 0.5, and
        ln delta at each, exact as `laplace_alike_log_delta`.

    Raises:
        NoGuaranteeError: the curve is beyond the reach of the composition.

    >>> excess, log_delta = laplace_alike_curve(1.0, 1)
    >>> np.allclose(log_delta, np.log(-np.expm1(-np.exp(excess) / 2)))
    True
    """
    refuse_beyond_reach(epsilon, moved)

    def at(excess: float) -> float:
        return laplace_alike_log_delta(epsilon, _each(epsilon, excess, moved), moved=moved)

    last = max(epsilon, 1.0)
    while at(last) <= HALF:
        last *= 2
    first = CURVE_BEGINS * epsilon
    excess = np.geomspace(first, last, CURVE_POINTS)
    logs = np.array([at(float(x)) for x in excess])
    for found in (excess, logs):
        found.setflags(write=False)
    return np.log(excess), logs


def _each(epsilon: float, excess: float, moved: int) -> float:
    """Own budget of each coordinate where all together have epsilon + excess."""
    return float((Fraction(epsilon) + Fraction(excess)) / moved)
