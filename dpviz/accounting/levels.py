"""Budget to noise level and back, for the additive families and for randomised response.

Gaussian: level t = variance, rho = D2^2 / (2 t). Laplace: level b = scale, epsilon = D1 / b.
Poisson has three rules of its own: poisson_levels.py. Every level is rounded so that the way back
never exceeds the budget asked for. Budgets may be exact decimals or fractions; they become floats
here. Symbols: dpviz/NOTATION.md.
[LMR25] arXiv:2505.22449v1, section 4.1 and appendix F.  [BS16] Bun and Steinke, arXiv:1605.02065.
"""

import math
from collections.abc import Callable

from dpviz import checks
from dpviz.accounting.inputs import Number, elementwise, non_negative, positive
from dpviz.accounting.search import move_up
from dpviz.errors import ParameterError

LAST_BIT = 2.0**-52
MOST_CATEGORIES = 10**15  # a float has each of them
BEYOND = (
    "this budget or level is beyond what a float can hold at this sensitivity; "
    "pass one of ordinary size"
)


@elementwise
def gaussian_level(rho: Number, l2_sensitivity: Number) -> float:
    """Noise variance of the Gaussian release that costs rho: D2^2 / (2 rho).

    Args:
        rho: zCDP budget, above 0.
        l2_sensitivity: above 0, in units of the statistic.

    Returns:
        Variance in squared units of the statistic; `gaussian_rho` of it never exceeds `rho`.

    Raises:
        ParameterError: an argument is out of range, or the level is beyond any float.

    Source: [BS16] Proposition 1.6; [LMR25] section 4.1.

    >>> gaussian_level(0.5, 1.0), gaussian_level([0.5, 0.25], 1.0)
    (1.0, array([1., 2.]))
    """
    rho, l2 = positive(rho=rho), _needing_noise(l2_sensitivity=l2_sensitivity)
    return _level(l2 * l2 / (2 * rho), lambda t: l2 * l2 / (2 * t) - rho)


@elementwise
def gaussian_rho(level: Number, l2_sensitivity: Number) -> float:
    """Zero-concentrated cost of Gaussian noise of variance `level`: D2^2 / (2 t).

    Args:
        level: variance, above 0, in squared units of the statistic.
        l2_sensitivity: at least 0, in units of the statistic; 0 costs nothing.

    Returns:
        rho.

    Raises:
        ParameterError: an argument is out of range.

    Source: [BS16] Proposition 1.6.

    >>> gaussian_rho(2.0, 1.0)
    0.25
    """
    l2 = non_negative(l2_sensitivity=l2_sensitivity)
    return _finite(l2 * l2 / (2 * positive(level=level)))


@elementwise
def laplace_level(epsilon: Number, l1_sensitivity: Number) -> float:
    """Noise scale of the Laplace release that costs epsilon: D1 / epsilon.

    Args:
        epsilon: above 0, nats.
        l1_sensitivity: above 0, in units of the statistic.

    Returns:
        Scale in units of the statistic; `laplace_epsilon` of it never exceeds `epsilon`.

    Raises:
        ParameterError: an argument is out of range, or the level is beyond any float.

    Source: Dwork et al. (2006); [LMR25] appendix F.

    >>> laplace_level(0.5, 1.0)
    2.0
    """
    epsilon, l1 = positive(epsilon=epsilon), _needing_noise(l1_sensitivity=l1_sensitivity)
    return _level(l1 / epsilon, lambda b: l1 / b - epsilon)


@elementwise
def laplace_epsilon(level: Number, l1_sensitivity: Number) -> float:
    """Pure epsilon of Laplace noise of scale `level`: D1 / b.

    Args:
        level: scale, above 0, in units of the statistic.
        l1_sensitivity: at least 0, in units of the statistic; 0 costs nothing.

    Returns:
        epsilon in nats.

    Raises:
        ParameterError: an argument is out of range.

    Source: Dwork et al. (2006).

    >>> laplace_epsilon(2.0, 1.0)
    0.5
    """
    return _finite(non_negative(l1_sensitivity=l1_sensitivity) / positive(level=level))


@elementwise
def discrete_laplace_level(epsilon: Number, l1_sensitivity: Number) -> float:
    """Noise scale of the discrete Laplace release that costs epsilon: D1/epsilon.

    Args:
        epsilon: above 0, nats.
        l1_sensitivity: above 0, in units of the statistic, which holds whole numbers.

    Returns:
        Scale b; `discrete_laplace_epsilon` of it never exceeds `epsilon`.

    Raises:
        ParameterError: an argument is out of range, or the level is beyond any float.

    Source: MATHEMATICS 3.1.

    >>> discrete_laplace_level(0.5, 1)
    2.0
    """
    return laplace_level(epsilon, l1_sensitivity)


@elementwise
def discrete_laplace_epsilon(level: Number, l1_sensitivity: Number) -> float:
    """Pure epsilon of discrete Laplace noise of scale `level`: D1/b.

    Args:
        level: scale, above 0.
        l1_sensitivity: at least 0, in units of the statistic; 0 costs nothing.

    Returns:
        epsilon in nats.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.1.

    >>> discrete_laplace_epsilon(2.0, 1)
    0.5
    """
    return laplace_epsilon(level, l1_sensitivity)


@elementwise
def randomised_response_level(epsilon: Number, *, categories: int = 2) -> float:
    """Level of the randomised response that costs epsilon: ln(1 + K / (e^epsilon - 1)).

    It is minus the log of the probability p to keep the true category, which is otherwise drawn
    uniformly among all K.

    Args:
        epsilon: above 0, nats.
        categories: K, at least 2.

    Returns:
        Level, without a unit; `randomised_response_epsilon` of it never exceeds `epsilon`.

    Raises:
        ParameterError: an argument is out of range, or the level is beyond any float.

    Source: MATHEMATICS 2.8.

    >>> p = math.exp(-randomised_response_level(math.log(3)))
    >>> round(p, 9), round(math.exp(-randomised_response_level(math.log(3), categories=4)), 9)
    (0.5, 0.333333333)
    """
    epsilon, count = positive(epsilon=epsilon), _count(categories)
    level = _ratio_log(float(count), epsilon)
    return _level(level, lambda x: _ratio_log(float(count), x) - epsilon)


@elementwise
def randomised_response_epsilon(level: Number, *, categories: int = 2) -> float:
    """Pure epsilon of randomised response at a level: ln(1 + K / (e^level - 1)).

    Args:
        level: minus the log of the probability p to keep the true category, above 0.
        categories: K, at least 2.

    Returns:
        epsilon in nats, for one category changed to another.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 2.8.

    >>> round(math.exp(randomised_response_epsilon(math.log(2))), 9)
    3.0
    """
    count = _count(categories)
    return _ratio_log(float(count), positive(level=level))


def _count(categories: int) -> int:
    count = checks.integer(2, categories=categories)
    if count > MOST_CATEGORIES:
        raise ParameterError(f"categories must be at most {MOST_CATEGORIES:,}, got more")
    return count


def _ratio_log(count: float, x: float) -> float:
    """ln(1 + count / (e^x - 1)), which undoes itself: level to ε and ε to level."""
    if x < 1e-300:  # the quotient may be beyond a float; 1 and x are beyond its last digit
        return math.log(count) - math.log(x)
    return math.log1p(count * math.exp(-x) / -math.expm1(-x))


def _needing_noise(**named: Number) -> float:
    """The one named sensitivity; 0 is refused, because no noise level belongs to it."""
    (name,) = named
    if (sensitivity := non_negative(**named)) == 0:
        raise ParameterError(
            f"{name} is 0: nobody can move the statistic, so it needs no noise; "
            f"publish it as it is or pass a {name} above 0"
        )
    return sensitivity


def _level(level: float, excess: Callable[[float], float]) -> float:
    """The level, moved up until the guarantee evaluated again holds."""
    if not 1e-300 < level < 1e300:
        raise ParameterError(BEYOND)
    return move_up(excess, level, tolerance=LAST_BIT)


def _finite(loss: float) -> float:
    """The loss, refused if it overflowed."""
    if loss > 1e300:
        raise ParameterError(BEYOND)
    return loss
