"""Independent releases with Laplace noise together, at a delta above 0: computed, rounded up.

Each release moves one coordinate (or one release of l0 coordinates counts as l0 of them); the
losses are independent and add. One release is the closed form of laplace.py; more are put on a
grid (loss_terms.py) and added by a tilted Fourier transform (loss_sums.py), which rounds up at
every step, so the delta returned is never below the exact one, mostly within 1e-6 of it.
At delta = 0 the budgets simply add. Both directions cost the same: the noise is symmetric.
Limits: ln delta down to -600; at most LARGEST_COUNT releases and a sum of budgets of 1e4.

Laplace noise on several coordinates moved alike, with a delta: exact, and inverted.

One person moves `moved` coordinates by l1 / moved each; the losses of these coordinates are
independent, so the curve is that of `moved` releases together, as above: one
coordinate in closed form, several by convolution, never below the exact delta and mostly within
1e-6 of it. Moving fewer coordinates, or each by less, never costs more: the noise is log-concave.
The pure scale l1/epsilon needs no delta; what a delta saves is at most

    delta >= 2^-moved (1 - e^-(e - epsilon)),   e = l1 / scale        (every coordinate at its atom)

so where 2^moved delta is below NOTHING_GAINED of epsilon the pure scale is the answer, to 9 digits.
Limits: as above. Source: MATHEMATICS 3.5, 5.3.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.inputs import Number, elementwise, log_probability, non_negative, positive
from dpviz.accounting.laplace import UP, laplace_log_delta, laplace_scale
from dpviz.accounting.loss_sums import HALF_WINDOW, LossSum, Part
from dpviz.accounting.loss_terms import laplace_losses
from dpviz.accounting.schemes import budgets
from dpviz.accounting.search import least
from dpviz.errors import NoGuaranteeError, ParameterError

LARGEST_COUNT, LARGEST_SUM = 100_000, 1e4
DEEPEST = 600.0  # nats: below e^-600 delta is not resolved
POINTS = 2.0**16  # of the grid, in the window of the sum ...
FINER = 8  # ... or that many times more, if that puts every atom on a point
LARGEST_GRID = 2.0**17  # points of one loss
LARGEST_DEVIATION = 1.8  # of one loss, however large its budget
LARGEST_DENOMINATOR = 10**6  # of a unit that a float stands for
TOLERANCE = 1e-8  # relative, of the inverse


@elementwise
def composed_laplace_log_delta(
    epsilons: Iterable[Number], epsilon: Number, *, times: int = 1
) -> float:
    """Least ln delta at `epsilon` of independent Laplace releases together, rounded up.

    Args:
        epsilons: pure budget of each release, above 0, nats; each moves one coordinate.
        epsilon: at least 0, nats.
        times: how often each of these releases is made, at least 1.

    Returns:
        ln delta; -inf where delta is 0 (epsilon at least the sum).

    Raises:
        ParameterError: an argument is out of range, or there are too many releases.

    Source: MATHEMATICS 5.3.

    >>> round(math.exp(composed_laplace_log_delta([0.25], 1.0, times=5)), 7)
    0.0092552
    """
    curve, _, _ = _curve(_counted(epsilons, times))
    return curve(non_negative(epsilon=epsilon))


@elementwise
def composed_laplace_epsilon(
    epsilons: Iterable[Number], log_delta: Number, *, times: int = 1
) -> float:
    """Least epsilon at this delta of independent Laplace releases together, rounded up.

    Args:
        epsilons: pure budget of each release, above 0, nats; each moves one coordinate.
        log_delta: ln delta, below 0 and at least -600.
        times: how often each of these releases is made, at least 1.

    Returns:
        epsilon in nats, at most the sum of the budgets.

    Raises:
        ParameterError: an argument is out of range, or there are too many releases.

    Source: as `composed_laplace_log_delta`, inverted.

    >>> round(composed_laplace_epsilon([0.05], math.log(1e-6), times=20), 4)
    0.863
    """
    counted = _counted(epsilons, times)
    log_delta = log_probability(log_delta)
    if log_delta < -DEEPEST:
        raise ParameterError("delta is too small for the composition; pass at least 1e-260")
    curve, most, rough = _curve(counted)
    guess, fall = rough(log_delta)
    if not 0 < guess < most:
        guess, fall = most / 2, 0.0
    if curve(guess) <= log_delta and curve(0.0) <= log_delta:
        return 0.0
    found = least(
        lambda x: curve(x) - log_delta,
        guess,
        lowest=most * 1e-12,
        highest=most,
        tolerance=TOLERANCE,
        fall=fall,
    )
    return most if found is None else found


def _counted(epsilons: Iterable[Number], times: int) -> list[tuple[Fraction, int]]:
    """The checked budgets and how often each occurs, ascending."""
    times = int(checks.integer(1, times=times))
    once = Counter(budgets(epsilons, "epsilons"))
    counted = Counter({each: count * times for each, count in once.items()})
    if counted.total() > LARGEST_COUNT:
        raise ParameterError(f"epsilons must be at most {LARGEST_COUNT} budgets; pass fewer")
    if sum(each * count for each, count in counted.items()) > LARGEST_SUM:
        raise ParameterError(f"epsilons must add up to at most {LARGEST_SUM:g}; pass smaller ones")
    return sorted(counted.items())


_Curve = Callable[[float], float]


def _curve(
    counted: list[tuple[Fraction, int]],
) -> tuple[_Curve, float, Callable[[float], tuple[float, float]]]:
    """The ln delta as a function of epsilon, where it is -inf, and where a search may begin."""
    whole = sum((each * count for each, count in counted), Fraction(0))
    most = float(whole) * (1 + 2.0**-50)
    if len(counted) == 1 and counted[0][1] == 1:
        own = float(whole)
        return lambda epsilon: laplace_log_delta(epsilon, 1.0, own), most, lambda _: (own / 2, 0.0)
    summed = LossSum(_parts(counted))

    def curve(epsilon: float) -> float:
        return summed.log_delta(epsilon) if Fraction(epsilon) < whole else -math.inf

    return curve, most, summed.rough_epsilon


def _parts(counted: list[tuple[Fraction, int]]) -> list[Part]:
    """Every loss on one grid, as fine as the window of their sum allows."""
    pairs = [(float(each), count) for each, count in counted]
    variance = math.fsum(n * min(e, LARGEST_DEVIATION) ** 2 for e, n in pairs)
    fine = 2 * HALF_WINDOW * math.sqrt(variance) / POINTS
    width = fitting([each for each, _ in counted], max(fine, 2 * pairs[-1][0] / LARGEST_GRID))
    return [(laplace_losses(each, width), count) for each, count in pairs]


def fitting(each: list[Fraction], width: float) -> float:
    """About this width, and such that every budget lies on the grid where a grid allows it.

    >>> fitting([Fraction(1, 2), Fraction(3, 4)], 0.1)
    0.08333333333333333
    """
    unit = common_unit(each)
    return unit / math.ceil(unit / width) if unit > width / FINER else width


def common_unit(each: Sequence[Fraction | float]) -> float:
    """The largest length of which all these are multiples, a float being the fraction it is near.

    >>> common_unit([Fraction(1, 2), 0.75]), common_unit([1 / 3, 1 / 6]) == 1 / 6
    (0.25, True)
    """
    found = [e if isinstance(e, Fraction) else _fraction(e) for e in each]
    whole = math.lcm(*(e.denominator for e in found))
    return float(Fraction(math.gcd(*(int(e * whole) for e in found)), whole))


def _fraction(number: float) -> Fraction:
    """The simple fraction that this float stands for, or else its shortest decimal."""
    simple = Fraction(number).limit_denominator(LARGEST_DENOMINATOR)
    return simple if float(simple) == number else Fraction(repr(number))


NOTHING_GAINED = 1e-9
MOST_MOVED = 20_000
ALIKE_TOLERANCE = 1e-9  # relative, of the inverse
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
        tolerance=ALIKE_TOLERANCE,
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
