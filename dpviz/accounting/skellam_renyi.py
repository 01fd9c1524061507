"""Skellam noise on whole vectors: the Rényi bound, converted to epsilon and delta.

With v = 2 level the variance, for every whole order alpha > 1 [AKL21, Theorem 3.5]

    D_alpha <= alpha D2²/(2v) + min( ((2 alpha - 1) D2² + 6 D1)/(4v²), 3 D1/(2v) )

Both branches are alpha times a rate plus an offset, and

    epsilon = D_alpha + (L - ln alpha)/(alpha - 1) + ln(1 - 1/alpha),   L = -ln delta   [CKS20]

is least near (alpha - 1)² rate + ln alpha = L; the whole numbers on either side are tried. Every
alpha gives a valid bound, so an inexact minimiser costs nothing but tightness. The bound falls as
the level grows, and is a few percent above the exact cost of one coordinate.
[AKL21] Agarwal, Kairouz, Liu, The Skellam Mechanism for Differentially Private Federated Learning,
NeurIPS 2021.  [CKS20] Canonne, Kamath, Steinke, arXiv:2004.00010, Proposition 12.
"""

import math

from dpviz.accounting.arrays import elementwise
from dpviz.accounting.inputs import Number, log_probability, non_negative, positive
from dpviz.accounting.search import least, or_infinite
from dpviz.errors import NoGuaranteeError

STEPS = 60  # of bisection for the best order, in its logarithm
LARGEST_ORDER = 1e15
LARGEST_EPSILON = 1e6
ROUNDED = 2.0**-49  # bound on the relative rounding error of a sum of five terms


@elementwise
def skellam_renyi_epsilon(
    level: Number, log_delta: Number, *, l1_sensitivity: Number, l2_sensitivity: Number
) -> float:
    """Epsilon of Skellam noise on a vector of whole numbers, by its Rényi bound, rounded up.

    Args:
        level: rate of each of the two counts in each coordinate, above 0.
        log_delta: ln delta, below 0.
        l1_sensitivity: D1, at least 0, in units of the statistic.
        l2_sensitivity: D2, likewise; 0 costs nothing.

    Returns:
        epsilon in nats, at least 0.

    Raises:
        NoGuaranteeError: the bound is beyond a million.
        ParameterError: an argument is out of range.

    Source: [AKL21], [CKS20].

    >>> at = dict(l1_sensitivity=1, l2_sensitivity=1)
    >>> round(skellam_renyi_epsilon(20.0, math.log(1e-6), **at), 4)
    0.7104
    """
    level, log_delta = positive(level=level), log_probability(log_delta)
    l1, l2 = (
        non_negative(l1_sensitivity=l1_sensitivity),
        non_negative(l2_sensitivity=l2_sensitivity),
    )
    if l2 == 0:
        return 0.0
    epsilon = _bound(level, -log_delta, l1, l2)
    if not epsilon <= LARGEST_EPSILON:
        raise NoGuaranteeError(
            "no epsilon up to a million holds at this level and delta; pass a larger level or a "
            "larger delta"
        )
    return epsilon


@elementwise
def skellam_renyi_level(
    epsilon: Number, log_delta: Number, *, l1_sensitivity: Number, l2_sensitivity: Number
) -> float:
    """Least rate of Skellam noise that is (epsilon, delta)-private by the Rényi bound, rounded up.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        l1_sensitivity: D1, above 0, in units of the statistic.
        l2_sensitivity: D2, above 0.

    Returns:
        The rate; `skellam_renyi_epsilon` at it never exceeds `epsilon`. Infinite where it would
        be beyond any ordinary float.

    Raises:
        ParameterError: an argument is out of range.

    >>> at = dict(l1_sensitivity=1, l2_sensitivity=1)
    >>> round(skellam_renyi_level(1.0, math.log(1e-6), **at), 2)
    10.79
    """
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    l1, l2 = positive(l1_sensitivity=l1_sensitivity), positive(l2_sensitivity=l2_sensitivity)

    found = least(
        lambda level: _bound(level, -log_delta, l1, l2) - epsilon,
        -log_delta * (l2 / epsilon) * (l2 / epsilon) + l1 / epsilon,
        highest=1e280,
    )
    return or_infinite(found)


def _bound(level: float, big_l: float, l1: float, l2: float) -> float:
    """The least epsilon of both branches; infinite where a float cannot hold their parts."""
    v = 2 * level
    square = (l2 / v) * l2
    branches = (
        (square / 2 + square / v / 2, (6 * (l1 / v) - square) / v / 4),
        (square / 2, 1.5 * (l1 / v)),
    )
    sane = [b for b in branches if b[0] < 1e250 and -1e250 < b[1] < 1e250]
    return max(0.0, min((_epsilon(*branch, big_l) for branch in sane), default=math.inf))


def _epsilon(rate: float, offset: float, big_l: float) -> float:
    """The least epsilon over whole orders of D_alpha = rate alpha + offset."""
    low, high = 0.0, math.log(LARGEST_ORDER)  # of ln(alpha - 1)
    for _ in range(STEPS):
        middle = (low + high) / 2
        x = math.exp(middle)
        low, high = (middle, high) if rate * x * x + math.log1p(x) < big_l else (low, middle)
    x = math.floor(math.exp(low))
    return min(_at(rate, offset, big_l, step) for step in (x, x + 1, x + 2))


def _at(rate: float, offset: float, big_l: float, x: int) -> float:
    """Epsilon of the order 1 + x, rounded up."""
    terms = (
        rate * (1 + x),
        offset,
        big_l / x,
        -math.log1p(x) / x,
        -math.log1p(1 / x),
    )
    return math.fsum(terms) + ROUNDED * math.fsum(map(abs, terms))
