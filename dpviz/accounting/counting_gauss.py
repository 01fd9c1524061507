"""Continual counting: Laplace noise on a tree against Gaussian noise on any factorization.

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

from dpviz import checks
from dpviz.accounting.bounds import Stated
from dpviz.accounting.counting_crossover import square_root_factor
from dpviz.accounting.gaussian import gaussian_log_delta, gaussian_sigma
from dpviz.accounting.inputs import Number, log_probability, positive
from dpviz.accounting.prefix_sums import least_factor, prefix_sums_bound
from dpviz.accounting.tree_errors import best_arity, chosen_tree, tree_error

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
