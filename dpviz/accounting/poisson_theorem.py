"""Poisson noise on any vector of integers: Theorem E.2, corrected, and its inverse.

    epsilon = D2 sqrt(2 ln(1.25/delta)) / sqrt(level)
            + (D2 5 sqrt(2) sqrt(ln(10/delta)) + D1 5/3) / (level (1 - delta/10))
            + (2/3 Di ln(1.25/delta) + 4/3 Di ln(20 d/delta) ln(10/delta)) / level

valid only for level >= max(23 ln(10 d/delta), 2 Di); below that it says nothing. It is the limit
p -> 0 of the binomial mechanism of Agarwal et al. (2018, cpSGD, Theorem 1). The extracted text of
[LMR25, Theorem E.2] prints D1 5/3 under the square root; it belongs outside (MATHEMATICS 3.13).
An upper bound: for one coordinate the exact noise needed is about a fifteenth (poisson.py).
"""

import math

from dpviz import checks
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.inputs import Number, log_probability, positive, representable
from dpviz.accounting.search import move_up
from dpviz.errors import NoGuaranteeError, ParameterError


@elementwise
def poisson_theorem_limit(log_delta: Number, *, linf_sensitivity: Number, dimension: int) -> float:
    """Least level for which Theorem E.2 says anything: max(23 ln(10 d/delta), 2 Di).

    Raises:
        ParameterError: an argument is out of range.

    >>> round(poisson_theorem_limit(math.log(1e-6), linf_sensitivity=1, dimension=1), 1)
    370.7
    """
    dimension = checks.integer(1, dimension=dimension)
    spread = math.log(10) + math.log(dimension) - log_probability(log_delta)
    limit = max(23 * spread, 2 * positive(linf_sensitivity=linf_sensitivity))
    return representable(limit)


@elementwise
def poisson_theorem_epsilon(
    level: Number,
    log_delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
) -> float:
    """Epsilon of Poisson noise on a vector of integers, by Theorem E.2 (see the module).

    Args:
        level: rate of the noise in each coordinate.
        log_delta: ln delta, below 0.
        l1_sensitivity: D1, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di, the most that one person moves one coordinate.
        dimension: d, the number of coordinates.

    Returns:
        epsilon in nats.

    Raises:
        NoGuaranteeError: the level is below the theorem's limit.
        ParameterError: an argument is out of range.

    Source: [LMR25] Theorem E.2, with its erratum; MATHEMATICS 3.13.

    >>> one = dict(l1_sensitivity=1, l2_sensitivity=1, linf_sensitivity=1, dimension=1)
    >>> round(poisson_theorem_epsilon(522.0, math.log(1e-6), **one), 3)
    1.0
    """
    level = positive(level=level)
    limit = poisson_theorem_limit(log_delta, linf_sensitivity=linf_sensitivity, dimension=dimension)
    if level < limit:
        raise NoGuaranteeError(
            f"no theorem gives a guarantee for Poisson noise at level {level:g}; "
            f"pass a level of at least {limit:.6g}"
        )
    root, linear = _coefficients(
        log_delta, l1_sensitivity, l2_sensitivity, linf_sensitivity, dimension
    )
    return representable((root / math.sqrt(level) + linear / level) * (1 + 2.0**-48))


@elementwise
def poisson_theorem_level(
    epsilon: Number,
    log_delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
) -> float:
    """Least level that Theorem E.2 allows at this epsilon and delta, never below its limit.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        l1_sensitivity: D1, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di, the most that one person moves one coordinate.
        dimension: d, the number of coordinates.

    Returns:
        The rate; `poisson_theorem_epsilon` of it never exceeds `epsilon`.

    Raises:
        ParameterError: an argument is out of range, or epsilon asks for more noise than a float.

    Source: [LMR25] Theorem E.2, a quadratic in 1/sqrt(level).

    >>> one = dict(l1_sensitivity=1, l2_sensitivity=1, linf_sensitivity=1, dimension=1)
    >>> round(poisson_theorem_level(1.0, math.log(1e-6), **one), 1)
    521.7
    """
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    root, linear = _coefficients(
        log_delta, l1_sensitivity, l2_sensitivity, linf_sensitivity, dimension
    )
    small = 2 * epsilon / (root + math.sqrt(root * root + 4 * linear * epsilon))  # 1/sqrt(level)
    if not small > 1e-140:
        raise ParameterError(
            f"epsilon is too small for any noise to reach, got {checks.told(epsilon)}"
        )
    limit = poisson_theorem_limit(log_delta, linf_sensitivity=linf_sensitivity, dimension=dimension)

    def excess(level: float) -> float:
        return (root / math.sqrt(level) + linear / level) * (1 + 2.0**-48) - epsilon

    return move_up(excess, max(limit, small**-2), tolerance=4e-16)


def _coefficients(
    log_delta: Number,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
) -> tuple[float, float]:
    """The theorem as epsilon = root / sqrt(level) + linear / level."""
    log_delta = log_probability(log_delta)
    l1 = positive(l1_sensitivity=l1_sensitivity)
    l2 = positive(l2_sensitivity=l2_sensitivity)
    linf = positive(linf_sensitivity=linf_sensitivity)
    dimension = checks.integer(1, dimension=dimension)
    log_125, log_10 = math.log(1.25) - log_delta, math.log(10) - log_delta
    log_20d = math.log(20) + math.log(dimension) - log_delta
    second = (l2 * 5 * math.sqrt(2) * math.sqrt(log_10) + l1 * 5 / 3) / (
        1 - math.exp(log_delta) / 10
    )
    third = linf * (2 / 3 * log_125 + 4 / 3 * log_20d * log_10)
    return representable(l2 * math.sqrt(2 * log_125)), representable(second + third)
