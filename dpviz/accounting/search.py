"""Find the least number that keeps a promise, and end on the side that keeps it.

Calibration asks for the smallest noise, or the smallest epsilon, whose guarantee is no worse than
asked. Brent's method finds where the guarantee crosses; then the answer is moved up until the
guarantee, evaluated again, holds. So rounding goes the private way (never below the true crossing).
Limit: the promise is taken to be monotone up to rounding, which every caller argues.
"""

import math
from collections.abc import Callable
from functools import cache

STEP = 2.0  # first factor of the bracketing steps; each later step squares it
CLIP = 100.0  # Brent's method needs finite values; beyond this only the sign matters


def least(
    excess: Callable[[float], float],
    guess: float,
    *,
    lowest: float = 1e-300,
    highest: float = 1e300,
    tolerance: float = 1e-12,
    fall: float = 0.0,
) -> float | None:
    """Least x > 0 with `excess(x)` <= 0, for an excess that falls as x grows; None if no x is.

    Args:
        excess: how far the promise is broken at x; may be infinite, at most 0 where it is kept.
        guess: where to start, anywhere between `lowest` and `highest`.
        lowest: returned where even that keeps the promise.
        highest: None is returned where even that breaks it.
        tolerance: relative width within which the answer is least.
        fall: by how much the excess falls, about, where x grows by the factor e; 0: not known.

    >>> round(least(lambda x: 2.0 - x * x, 1.0), 9)
    1.414213562
    >>> least(lambda x: 1.0, 1.0) is None
    True
    """
    excess = cache(excess)  # the ends of the bracket are asked for again
    bracket = _bracket(excess, min(max(guess, lowest), highest), lowest, highest, fall)
    if bracket is None or bracket[0] == bracket[1]:
        return None if bracket is None else bracket[1]
    low, high = bracket

    from scipy.optimize import brentq  # here, because loading it takes longer than a whole search

    ends = math.log(low), math.log(high)
    if ends[0] == ends[1]:
        return high
    known = {ends[0]: low, ends[1]: high}  # exp(log(x)) is another number, and was not asked for

    def clipped(u: float) -> float:
        return max(-CLIP, min(CLIP, excess(known.get(u) or math.exp(u))))

    root = math.exp(brentq(clipped, *ends, xtol=tolerance / 2, rtol=4 * 2.0**-52))
    return move_up(excess, root, high, tolerance=tolerance)


def or_infinite(found: float | None) -> float:
    """The number found, or infinity where none will do.

    >>> or_infinite(2.0), or_infinite(None)
    (2.0, inf)
    """
    return math.inf if found is None else found


def move_up(
    excess: Callable[[float], float], x: float, limit: float = math.inf, *, tolerance: float
) -> float:
    """The first of x, x(1 + tolerance), x(1 + 3 tolerance), ... that keeps the promise, or `limit`.

    >>> move_up(lambda x: 1.0 - x, 1.0, tolerance=1e-15)
    1.0
    """
    while x < limit and excess(x) > 0:
        x, tolerance = x * (1 + tolerance), 2 * tolerance
    return min(x, limit)


def _bracket(
    excess: Callable[[float], float], x: float, lowest: float, highest: float, fall: float
) -> tuple[float, float] | None:
    """Two points around the crossing (equal at the lower limit), or None beyond the upper one."""
    factor = STEP
    if fall:  # half as far again as the crossing should be
        factor = math.exp(min(max(1.5 * abs(excess(x)) / fall, 1e-6), math.log(STEP)))
    if excess(x) > 0:
        low = x
        while excess(x) > 0:
            if x >= highest:
                return None
            low, x, factor = x, min(x * factor, highest), min(factor**2, 1e30)
        return low, x
    high = x
    while excess(x) <= 0:
        if x <= lowest:
            return x, x
        high, x, factor = x, max(x / factor, lowest), min(factor**2, 1e30)
    return x, high
