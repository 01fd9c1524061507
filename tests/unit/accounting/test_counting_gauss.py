"""The tree against every Gaussian factorization: what is proved, and what is held fixed."""

import math

import pytest

from dpviz.accounting import (
    best_arity,
    counting_crossover_log_delta,
    gaussian_sigma,
    square_root_factor,
    tree_error,
)
from dpviz.accounting.counting_gauss import (
    ROOT,
    SEARCHED,
    duel,
    duel_at_rho,
    gaussian_crossovers,
    gaussian_factors,
    vertex_by_vertex,
)
from dpviz.accounting.trees import smallest_tree
from dpviz.errors import ParameterError
from dpviz.linear import Contribution, error_bounds
from dpviz.linear.operators import PrefixSums


@pytest.mark.parametrize("steps", [2, 16, 52])
def test_the_factor_is_that_of_linear_queries(steps):
    """Two searches, one with matrices and one without: their certificates overlap."""
    found, other = gaussian_factors(steps), error_bounds.optimum(PrefixSums(steps), Contribution())
    assert found.bound.value <= other.error / steps
    assert other.bound / steps <= found.reached.value
    assert found.reached.method == SEARCHED


def test_at_a_thousand_steps_the_square_root_loses_and_the_best_factorization_wins():
    found = duel(1000, 1.0, math.log(1e-6))
    assert (found.tree, found.root) == (
        pytest.approx(13.048, abs=1e-3),
        pytest.approx(13.106, abs=1e-3),
    )
    assert found.gauss.reached.value == pytest.approx(12.46, abs=0.01)
    assert found.gauss.reached.value < found.tree < found.root
    assert found.winner == "gauss"


@pytest.mark.parametrize("steps", [2, 10, 1000, 10**4, 10**12])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_winner_changes_where_the_crossovers_say(steps, epsilon):
    star = gaussian_crossovers(steps, epsilon)
    root = counting_crossover_log_delta(steps, epsilon)
    assert star.bound.value < star.reached.value <= root + 1e-9
    assert duel(steps, epsilon, star.bound.value * 1.001).winner == "tree"
    assert duel(steps, epsilon, star.reached.value * 0.999).winner == "gauss"
    between = (star.bound.value + star.reached.value) / 2
    assert duel(steps, epsilon, between).winner is None
    if steps > 1024:
        assert star.reached.method == ROOT
        assert star.reached.value == pytest.approx(root)


@pytest.mark.parametrize("steps", [2, 5, 1000, 10**6, 10**12])
@pytest.mark.parametrize("rho", [0.002, 0.5, 8.0])
def test_at_one_rho_gauss_wins_however_the_tree_is_counted(steps, rho):
    found = duel_at_rho(steps, rho)
    assert found.winner == "gauss"
    height = smallest_tree(steps, best_arity(steps), subtraction=True).height
    counted = vertex_by_vertex(steps, rho)
    assert counted == pytest.approx(found.tree / math.sqrt(height))
    assert counted > found.gauss.reached.value
    assert found.root == pytest.approx(math.sqrt(square_root_factor(steps) / (2 * rho)))


def test_errors_are_those_of_the_library():
    found = duel(500, 0.5, -20.0)
    sigma = gaussian_sigma(0.5, -20.0, 1.0)
    assert found.tree**2 == pytest.approx(tree_error(500, best_arity(500), 0.5))
    assert found.root**2 == pytest.approx(sigma**2 * square_root_factor(500))
    assert found.gauss.bound.value**2 == pytest.approx(sigma**2 * gaussian_factors(500).bound.value)


def test_refusals():
    for call in (
        lambda: duel(0, 1.0, -9.0),
        lambda: duel_at_rho(0, 0.5),
        lambda: gaussian_factors(2.5),
        lambda: gaussian_crossovers("7", 1.0),
        lambda: vertex_by_vertex(0, 0.5),
    ):
        with pytest.raises(ParameterError, match="must be a whole number"):
            call()
    for call in (lambda: duel(10, 0, -9), lambda: gaussian_crossovers(10, -1.0)):
        with pytest.raises(ParameterError, match="epsilon must be"):
            call()
    for call in (lambda: duel_at_rho(10, 0), lambda: vertex_by_vertex(10, None)):
        with pytest.raises(ParameterError, match="rho must be"):
            call()
