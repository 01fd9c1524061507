"""Where Laplace and Gaussian noise change places: at which delta, up to which dimension.

Laplace noise on a vector has variance 2 (l1/epsilon)² for every delta; Gaussian noise has sigma²,
which grows as delta falls. With R = l1/l2 they are equal at

    analytic Gaussian   ln delta* = ln delta_G(epsilon; mu = epsilon / (sqrt(2) R))   any epsilon
    classical Gaussian  ln delta* = ln 1.25 - R²                                      epsilon <= 1

and Laplace has the smaller variance for every smaller delta. Turned round: for a given delta it
does up to R² = (epsilon sigma / l2)² / 2, which is the dimension if a person may move every
coordinate by the same amount. The l2 Laplace mechanism never changes the verdict against the
analytic Gaussian, whose sigma is at most its scale. Closed forms, in the log domain.
The classical sigma = l2 sqrt(2 ln(1.25/delta)) / epsilon is larger than needed for epsilon <= 1,
and no guarantee at all for larger epsilon: there it is refused. Source: MATHEMATICS 9.1.
"""

import math

from dpviz import checks
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.gaussian import gaussian_log_delta, gaussian_sigma
from dpviz.accounting.inputs import Number, log_probability, positive, representable
from dpviz.accounting.laplace import sensitivity_ratio
from dpviz.errors import NoGuaranteeError

GAUSSIANS = ("analytic", "classical")
LOG_125 = math.log(1.25)


@elementwise
def crossover_log_delta(
    epsilon: Number,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    *,
    gaussian: str = "analytic",
) -> float:
    """The ln delta* at which Laplace and Gaussian noise have equal variance; Laplace wins below it.

    Args:
        epsilon: above 0, nats.
        l1_sensitivity: above 0, at least l2_sensitivity.
        l2_sensitivity: above 0, in the same units.
        gaussian: "analytic", or "classical" (epsilon at most 1; the answer is free of epsilon).

    Returns:
        ln delta*.

    Raises:
        NoGuaranteeError: "classical" with an epsilon above 1.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 9.1.

    >>> round(crossover_log_delta(1.0, 10**0.5, 1.0), 6)
    -15.048116
    >>> round(crossover_log_delta(1.0, 10**0.5, 1.0, gaussian="classical"), 6)
    -9.776856
    """
    checks.one_of(GAUSSIANS, gaussian=gaussian)
    epsilon = positive(epsilon=epsilon)
    ratio = sensitivity_ratio(l1_sensitivity, l2_sensitivity)
    if gaussian == "classical":
        _refuse_above_one(epsilon)
        return LOG_125 - ratio * ratio
    return gaussian_log_delta(epsilon, epsilon / (math.sqrt(2) * ratio))


@elementwise
def crossover_dimension(epsilon: Number, log_delta: Number, *, gaussian: str = "analytic") -> float:
    """Number of equal coordinates up to which Laplace noise has the smaller variance: R² = d.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        gaussian: "analytic", or "classical" (epsilon at most 1).

    Returns:
        d* as a real number: Laplace wins for every dimension up to it, so for none if it is below
        1. Where a person moves only some coordinates, read "(l1/l2)²" for "dimension".

    Raises:
        NoGuaranteeError: "classical" with an epsilon above 1.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 9.1.

    >>> math.floor(crossover_dimension(1.0, math.log(1e-6)))
    8
    >>> math.floor(crossover_dimension(1.0, math.log(1e-6), gaussian="classical"))
    14
    """
    checks.one_of(GAUSSIANS, gaussian=gaussian)
    epsilon = positive(epsilon=epsilon)
    if gaussian == "classical":
        sigma = classical_gaussian_sigma(epsilon, log_delta, 1.0)
    else:
        sigma = gaussian_sigma(epsilon, log_delta, 1.0)
    moved = epsilon * sigma
    return representable(moved * moved / 2)


@elementwise
def classical_gaussian_sigma(epsilon: Number, log_delta: Number, l2_sensitivity: Number) -> float:
    """Standard deviation of the classical Gaussian mechanism: l2 sqrt(2 ln(1.25/delta)) / epsilon.

    Args:
        epsilon: above 0 and at most 1, nats.
        log_delta: ln delta, below 0.
        l2_sensitivity: above 0, in units of the statistic.

    Returns:
        sigma in units of the statistic, rounded up; `gaussian_sigma` is never larger.

    Raises:
        NoGuaranteeError: epsilon is above 1, where the formula is no guarantee.
        ParameterError: an argument is out of range.

    Source: Dwork and Roth (2014), Theorem A.1; MATHEMATICS 3.7.

    >>> round(classical_gaussian_sigma(1.0, math.log(1e-5), 1.0), 6)
    4.844805
    """
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    _refuse_above_one(epsilon)
    root = math.sqrt(2 * (LOG_125 - log_delta))
    sigma = positive(l2_sensitivity=l2_sensitivity) * root / epsilon * (1 + 2.0**-50)
    return positive(sigma=representable(sigma))


def _refuse_above_one(epsilon: float) -> None:
    """The classical formula is proved for small epsilon only, and false for large ones."""
    if epsilon > 1:
        raise NoGuaranteeError(
            "the classical Gaussian mechanism gives no guarantee for an epsilon above 1; pass a "
            "smaller epsilon, or gaussian='analytic'"
        )
