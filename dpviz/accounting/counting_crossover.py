"""Continual counting: Laplace noise on a tree against Gaussian noise on a square root.

The square-root factorization A = L·R of prefix sums has L = R = A^(1/2), lower triangular with
f_0 = 1, f_j = f_{j-1}(1 - 1/(2j)) on its diagonals. With noise σ for ℓ2 sensitivity 1 its mean
squared error is σ²·Γ_T, Γ_T = S_T·(S_T(1 + 1/(4T)) - T f_T²), S_T = Σ_{j<T} f_j². It keeps O(T)
numbers; the tree keeps O(k log T). Laplace on the tree has the smaller error below

    stated    C = (2/ε)√(4/9 + ln(√(2/π)/δ)), Γ_T by [HUU23]'s closed form (1 + ln(4T/5)/π)²
    stated, exact Γ_T     the same C with the exact Γ_T
    root two  the same C without its spare √2, exact Γ_T: still private for ε ≤ 1
    analytic  the least σ that is (ε, δ)-private, exact Γ_T

As T grows, the exponent 0.92 of [APT24, Theorem 1.2] is against a constant that is larger than
needed (their footnote 1 expects as much); it is 1.83 against the next, and at δ = 1/T the analytic
Gaussian wins. Limits: the square root is not the best factorization, which has its place in
counting_gauss.py; the constant of C is quoted from memory and fits the printed exponent.
Source: MATHEMATICS 7.4, 7.5.
[HUU23] Henzinger, Upadhyay, Upadhyay, Almost tight error bounds on continual counting, SODA 2023.
[APT24] Andersson, Pagh, Torkamani, Count on Your Elders.
"""

import math

import numpy as np

from dpviz import checks
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.gaussian import gaussian_log_delta, gaussian_sigma
from dpviz.accounting.inputs import Number, log_probability, positive
from dpviz.accounting.prefix_sums import square_root_coefficients
from dpviz.accounting.tree_errors import best_arity, tree_error
from dpviz.errors import NoGuaranteeError, ParameterError

COUNTING_GAUSSIANS = {
    "analytic": "analytic Gaussian on the square root, exact factor",
    "root_two": "Gaussian by its tail bound on the square root, valid for ε ≤ 1 only, exact factor",
    "stated_exact": "Gaussian as stated, valid for ε ≤ 1 only, exact factor",
    "stated": "Gaussian as stated, valid for ε ≤ 1 only, closed form",
}
SQUARED_CONSTANTS = {"root_two": 2, "stated_exact": 4, "stated": 4}
SHIFT = 4 / 9 + math.log(2 / math.pi) / 2  # 4/9 + ln √(2/π)
SUMMED = 128  # below, S_T is summed; from here its series is right to the last digits
SUM_SERIES = (
    -1 / 4,
    5 / 192,
    3 / 128,
    -341 / 122880,
    -75 / 8192,
    7615 / 8257536,
)  # of π S_T - ln T - γ - 4 ln 2, in 1/T
LAST_SERIES = (
    -1 / 4,
    1 / 32,
    1 / 128,
    -5 / 2048,
    -23 / 8192,
    53 / 65536,
)
CLOSED_FROM = 7  # below, the closed form is less than the exact factor: no bound


def square_root_factor(steps: int) -> float:
    """Γ_T: mean squared error of the square-root factorization at σ = 1, exact to rounding.

    Args:
        steps: T, at least 1.

    Raises:
        ParameterError: the number is out of range.

    Source: MATHEMATICS 7.4; summed up to T = 128, an asymptotic series beyond.

    >>> square_root_factor(2), round(square_root_factor(1000), 9)
    (1.40625, 9.623887207)
    """
    steps = checks.integer(1, steps=steps)
    if steps < SUMMED:
        squares = square_root_coefficients(steps + 1) ** 2
        total, last = math.fsum(squares[:-1]), float(squares[-1]) * steps
    else:
        total = (math.log(steps) + np.euler_gamma + 4 * math.log(2)) / math.pi
        total += _series(SUM_SERIES, steps) / math.pi
        last = (1 + _series(LAST_SERIES, steps)) / math.pi
    return float(total * (total * (1 + 1 / (4 * steps)) - last))


def square_root_factor_bound(steps: int) -> float:
    """[HUU23]'s closed form (1 + ln(4T/5)/π)², a bound on Γ_T from T = 7 on.

    Raises:
        NoGuaranteeError: fewer than 7 steps, where it is below the exact factor.
        ParameterError: the number is out of range.

    >>> round(square_root_factor_bound(1000), 6)
    9.782995
    """
    steps = checks.integer(1, steps=steps)
    if steps < CLOSED_FROM:
        raise NoGuaranteeError(
            f"the closed form is not a bound below {CLOSED_FROM} steps; pass more steps, or use "
            "square_root_factor"
        )
    return (1 + (math.log(4 * steps) - math.log(5)) / math.pi) ** 2


@elementwise
def square_root_error(
    steps: int,
    epsilon: Number,
    log_delta: Number,
    *,
    gaussian: str = "analytic",
    sensitivity: Number = 1,
) -> float:
    """Mean squared error of continual counting with Gaussian noise on the square root.

    Args:
        steps: T, at least 1.
        epsilon: above 0, nats; at most 1 unless analytic.
        log_delta: ln δ, below 0.
        gaussian: a key of `COUNTING_GAUSSIANS`.
        sensitivity: c, what one person can move the inputs by altogether, above 0.

    Returns:
        Squared counts, averaged over the steps.

    Raises:
        NoGuaranteeError: ε above 1 where the calibration does not hold, or "stated" below T = 7.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 7.4, 7.5.

    >>> round(square_root_error(1000, 1.0, math.log(1e-6)), 3)
    171.766
    """
    epsilon = _within(gaussian, epsilon)
    log_delta, moved = log_probability(log_delta), positive(sensitivity=sensitivity)
    if gaussian == "analytic":
        sigma = gaussian_sigma(epsilon, log_delta, moved)
    else:
        sigma = math.sqrt(SQUARED_CONSTANTS[gaussian] * (SHIFT - log_delta)) * moved / epsilon
    if not 1e-150 < sigma < 1e150:
        raise ParameterError("no float can hold this error; pass arguments of ordinary size")
    return sigma**2 * _factor(steps, gaussian)


@elementwise
def counting_crossover_log_delta(
    steps: int, epsilon: Number, *, arity: int | None = None, gaussian: str = "analytic"
) -> float:
    """The ln δ* at which tree and square root have equal errors; below it the tree has the smaller.

        ln δ* = 4/9 + ln √(2/π) - ε²·MSE/(4 Γ)          stated; 2 in place of 4 for root two
        ln δ* = ln δ_G(ε; μ = √(Γ/MSE))                  analytic

    Args:
        steps: T, at least 1.
        epsilon: above 0, nats; at most 1 unless analytic, and then without influence.
        arity: k of the tree with subtraction; the best one if left out.
        gaussian: a key of `COUNTING_GAUSSIANS`.

    Returns:
        ln δ*.

    Raises:
        NoGuaranteeError: ε above 1 where the calibration does not hold, or "stated" below T = 7.
        ParameterError: an argument is out of range.

    Source: [APT24] Lemma 5.1 with finite T; MATHEMATICS 7.5.

    >>> for name in COUNTING_GAUSSIANS:
    ...     print(name, round(counting_crossover_log_delta(10**6, 1, gaussian=name), 6))
    analytic -26.251795
    root_two -19.993453
    stated_exact -9.8874
    stated -9.795638
    """
    epsilon = _within(gaussian, epsilon)
    chosen = best_arity(steps) if arity is None else arity
    at_one, factor = tree_error(steps, chosen, 1), _factor(steps, gaussian)
    if gaussian == "analytic":
        return gaussian_log_delta(epsilon, epsilon * math.sqrt(factor / at_one))
    return SHIFT - at_one / (SQUARED_CONSTANTS[gaussian] * factor)


def _factor(steps: int, gaussian: str) -> float:
    """Γ_T, by the closed form only where it is asked for."""
    return square_root_factor_bound(steps) if gaussian == "stated" else square_root_factor(steps)


def _series(coefficients: tuple[float, ...], steps: int) -> float:
    """The sum of c_i / T^i."""
    return math.fsum(c * (1 / steps) ** i for i, c in enumerate(coefficients, start=1))


def _within(gaussian: str, epsilon: Number) -> float:
    """The epsilon, refused where the calibration guarantees nothing."""
    checks.one_of(COUNTING_GAUSSIANS, gaussian=gaussian)
    epsilon = positive(epsilon=epsilon)
    if gaussian != "analytic" and epsilon > 1:
        raise NoGuaranteeError(
            "this calibration gives no guarantee for an epsilon above 1; pass a smaller epsilon, "
            "or gaussian='analytic'"
        )
    return epsilon
