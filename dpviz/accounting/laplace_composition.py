"""Independent releases with Laplace noise together, at a delta above 0: computed, rounded up.

Each release moves one coordinate (or one release of l0 coordinates counts as l0 of them); the
losses are independent and add. One release is the closed form of laplace.py; more are put on a
grid (laplace_losses.py) and added by a tilted Fourier transform (loss_sums.py), which rounds up at
every step, so the delta returned is never below the exact one, mostly within 1e-6 of it.
At delta = 0 the budgets simply add. Both directions cost the same: the noise is symmetric.
Limits: ln delta down to -600; at most LARGEST_COUNT releases and a sum of budgets of 1e4.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from dpviz import checks
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.inputs import Number, log_probability, non_negative
from dpviz.accounting.laplace import laplace_log_delta
from dpviz.accounting.laplace_losses import laplace_losses
from dpviz.accounting.loss_sums import HALF_WINDOW, LossSum, Part
from dpviz.accounting.schemes import budgets
from dpviz.accounting.search import least
from dpviz.errors import ParameterError

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
