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
the second half of this file; the constant of C is quoted from memory and fits the printed exponent.
Source: MATHEMATICS 7.4, 7.5.
[HUU23] Henzinger, Upadhyay, Upadhyay, Almost tight error bounds on continual counting, SODA 2023.
[APT24] Andersson, Pagh, Torkamani, Count on Your Elders.

Continual counting: Laplace noise on a tree against Gaussian noise on any factorization.

The square root is one factorization of prefix sums, and not the best. At noise σ for ℓ2
sensitivity 1, F·σ² is the mean squared error of a factorization, and F is known from two sides:

    up to `MOST_SEARCHED` steps   a bound that no F is below, and a factorization within 0.1 % of it
    beyond                        the bound of equal weights, and the square root's Γ_T

so the tree has a smaller error than every factorization where it is below the bound, a larger one
than some where it is above what is reached, and between the two nothing is proved. Two things may
be held fixed: one stream's (ε, δ), where σ is the least that is private, or ρ, which adds up over
many releases: then σ² = 1/(2ρ), and the tree has ρ = ε²/2 by its pure ε.
An event moves h vertices by 1 each, so the tree's ρ is ε²/(2h) if it is counted vertex by vertex.
Limits: a person who moves one count by 1. Source: MATHEMATICS 6.2, 7.4, 7.5.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.accounting.bounds import Stated
from dpviz.accounting.gaussian import gaussian_log_delta, gaussian_sigma
from dpviz.accounting.inputs import Number, elementwise, log_probability, positive
from dpviz.accounting.prefix_sums import least_factor, prefix_sums_bound, square_root_coefficients
from dpviz.accounting.trees import best_arity, chosen_tree, tree_error
from dpviz.errors import NoGuaranteeError, ParameterError

LEAST_EPSILON = 1e-300  # below it, μ of the Gaussian noise could round to 0
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
LAST_SERIES = (-1 / 4, 1 / 32, 1 / 128, -5 / 2048, -23 / 8192, 53 / 65536)
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
        epsilon: at least 1e-300, nats; at most 1 unless analytic, and then without influence.
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
    if epsilon < LEAST_EPSILON:
        raise ParameterError(f"epsilon must be at least {LEAST_EPSILON:g} here, got {epsilon:g}")
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


SEARCHED = "the best factorization, certified within one in a thousand"
ROOT = "the square-root factorization"
WEIGHED = "no factorization is below, by singular values with the best weights"
EQUAL = "no factorization is below, by singular values with equal weights"


@dataclass(frozen=True, slots=True)
class Sides:
    """What is known of the least that Gaussian noise can do: a bound, and what is reached."""

    bound: Stated
    reached: Stated


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Root mean squared errors of running counts with the same thing held fixed.

    Attributes:
        tree: Laplace noise on the tree.
        gauss: what Gaussian noise cannot go below, and what it reaches.
        root: Gaussian noise on the square root.
    """

    tree: float
    gauss: Sides
    root: float

    def __post_init__(self) -> None:
        checks.positive(tree=self.tree, root=self.root)

    @property
    def winner(self) -> str | None:
        """Who has the smaller error: "tree" or "gauss" as far as it is proved, else None."""
        if self.tree < self.gauss.bound.value:
            return "tree"
        return "gauss" if self.tree > self.gauss.reached.value else None


def gaussian_factors(steps: int) -> Sides:
    """F of the best factorization of prefix sums, from two sides.

    Args:
        steps: T, at least 1.

    Raises:
        ParameterError: the number is out of range.

    >>> found = gaussian_factors(1000)
    >>> round(found.bound.value, 2), round(found.reached.value, 2)
    (8.69, 8.7)
    >>> gaussian_factors(10**6).reached.method
    'the square-root factorization'
    """
    best = least_factor(steps)
    if best is None:
        bound = Stated(prefix_sums_bound(steps) / steps, EQUAL)
        return Sides(bound, Stated(square_root_factor(steps), ROOT))
    reached = min(best.reached, square_root_factor(steps))  # equal at one step
    return Sides(Stated(best.bound, WEIGHED), Stated(reached, SEARCHED))


def duel(steps: int, epsilon: Number, log_delta: Number) -> Duel:
    """Errors of one stream at the same (ε, δ); the tree needs no δ.

    Args:
        steps: T, at least 1.
        epsilon: above 0, nats.
        log_delta: ln δ, below 0.

    Raises:
        ParameterError: an argument is out of range.

    >>> found = duel(1000, 1.0, math.log(1e-6))  # the square root loses, the best one wins
    >>> round(found.tree, 2), round(found.root, 2), round(found.gauss.reached.value, 2)
    (13.05, 13.11, 12.46)
    >>> found.winner
    'gauss'
    """
    tree = tree_error(steps, best_arity(steps), epsilon)
    sigma = gaussian_sigma(positive(epsilon=epsilon), log_probability(log_delta), 1.0)
    return _duel(steps, tree, sigma)


def duel_at_rho(steps: int, rho: Number) -> Duel:
    """Errors at the same ρ, the tree's by its pure ε: ρ = ε²/2.

    Args:
        steps: T, at least 1.
        rho: above 0.

    Raises:
        ParameterError: an argument is out of range.

    >>> found = duel_at_rho(1000, 0.5)
    >>> round(found.tree, 2), round(found.gauss.reached.value, 2), found.winner
    (13.05, 2.95, 'gauss')
    """
    rho = positive(rho=rho)
    tree = tree_error(steps, best_arity(steps), math.sqrt(2 * rho))
    return _duel(steps, tree, 1 / math.sqrt(2 * rho))


def vertex_by_vertex(steps: int, rho: Number) -> float:
    """Root mean squared error of the tree if its ρ is added up over the h vertices of an event.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(vertex_by_vertex(1000, 0.5), 2)  # 13.05 / √3
    7.53
    """
    chosen = best_arity(steps)
    height = chosen_tree(steps, chosen).height
    return math.sqrt(tree_error(steps, chosen, math.sqrt(2 * positive(rho=rho) * height)))


def gaussian_crossovers(steps: int, epsilon: Number, *, arity: int | None = None) -> Sides:
    """Find ln δ below which the tree beats every factorization, and above which some beats it.

    Args:
        steps: T, at least 1.
        epsilon: above 0, nats.
        arity: k of the tree with subtraction; the best one if left out.

    Raises:
        ParameterError: an argument is out of range.

    >>> found = gaussian_crossovers(1000, 1.0)
    >>> round(found.bound.value, 2), round(found.reached.value, 2)
    (-14.81, -14.8)
    """
    epsilon = positive(epsilon=epsilon)
    at_one = tree_error(steps, best_arity(steps) if arity is None else arity, 1)
    both = gaussian_factors(steps)
    below, above = (
        Stated(gaussian_log_delta(epsilon, epsilon * math.sqrt(f.value / at_one)), f.method)
        for f in (both.bound, both.reached)
    )
    return Sides(below, above)


def _duel(steps: int, tree: float, sigma: float) -> Duel:
    """Root mean squared errors from the tree's mean squared error and the Gaussian σ."""
    both = gaussian_factors(steps)
    bound, reached = (
        Stated(sigma * math.sqrt(f.value), f.method) for f in (both.bound, both.reached)
    )
    root = sigma * math.sqrt(square_root_factor(steps))
    return Duel(tree=math.sqrt(tree), gauss=Sides(bound, reached), root=root)
