"""Budget to level and back for the integer families: rules, rounding, refusals."""

import math

import pytest

from dpviz.accounting import skellam_coordinate_epsilon as one_coordinate
from dpviz.accounting import skellam_renyi_epsilon
from dpviz.accounting.integer_levels import (
    discrete_laplace_level,
    skellam_epsilon,
    skellam_level,
    skellam_rule,
)
from dpviz.errors import ParameterError

ONE = {"l1_sensitivity": 1, "l2_sensitivity": 1, "linf_sensitivity": 1, "dimension": 1}
NINE = {"l1_sensitivity": 9, "l2_sensitivity": 3, "linf_sensitivity": 1, "dimension": 20}


def test_discrete_laplace_epsilon_is_what_the_masses_say():
    from dpviz.noise import FAMILIES

    level = discrete_laplace_level(0.7, 2)
    here, moved = FAMILIES["discrete_laplace"].density([5, 7], level)
    assert math.log(here / moved) == pytest.approx(0.7, rel=1e-9)


@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 3.0, 40.0])
@pytest.mark.parametrize("moves", [ONE, NINE], ids=["one", "nine"])
@pytest.mark.parametrize("delta", [1e-9, 1e-3])
def test_skellam_never_overspends(epsilon, moves, delta):
    level = skellam_level(epsilon, delta, **moves)
    assert skellam_epsilon(level, delta, **moves) <= epsilon
    assert skellam_epsilon(level * (1 - 1e-5), delta, **moves) > epsilon


def test_exact_where_the_moves_can_be_looked_at_and_bounded_beyond():
    log_delta = math.log(1e-6)
    exact = one_coordinate(log_delta, 20.0)
    assert skellam_epsilon(20.0, 1e-6, **ONE) == exact
    assert skellam_epsilon(20.0, 1e-6, **(ONE | {"dimension": 7})) == exact  # one of seven moves
    three = {"l1_sensitivity": 5, "l2_sensitivity": 4, "linf_sensitivity": 3, "dimension": 1}
    assert skellam_epsilon(20.0, 1e-6, **three) == one_coordinate(log_delta, 20.0, shift=3)
    bound = skellam_renyi_epsilon(20.0, log_delta, l1_sensitivity=9, l2_sensitivity=3)
    assert 0.5 * bound < skellam_epsilon(20.0, 1e-6, **NINE) < 0.95 * bound
    assert skellam_rule(20.0, **NINE) == "exact, sum over the coordinates that one person moves"
    many = {"l1_sensitivity": 60, "l2_sensitivity": 60, "linf_sensitivity": 60, "dimension": 99}
    bound = skellam_renyi_epsilon(2e4, log_delta, l1_sensitivity=60, l2_sensitivity=60)
    assert skellam_epsilon(2e4, 1e-6, **many) == bound
    assert [skellam_rule(2e4, **many), skellam_rule(2e9, **ONE)] == ["Rényi bound"] * 2
    assert skellam_epsilon(20.0, 1e-6, **(many | {"l0_sensitivity": 1})) == one_coordinate(
        log_delta, 20.0, shift=60
    )


def test_beyond_the_exact_sums_the_bound_takes_over():
    level = skellam_level(1e-6, 1e-6, **ONE)
    assert level > 1e9
    assert skellam_epsilon(level, 1e-6, **ONE) <= 1e-6


def test_sensitivity_0_needs_no_noise():
    nobody = {"l1_sensitivity": 0, "l2_sensitivity": 0, "linf_sensitivity": 0, "dimension": 3}
    assert skellam_epsilon(5.0, 1e-6, **nobody) == 0
    with pytest.raises(ParameterError, match="publish it as it is"):
        skellam_level(1.0, 1e-6, **nobody)
    with pytest.raises(ParameterError, match="publish it as it is"):
        discrete_laplace_level(1.0, 0)


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf, "1", None])
def test_refuses_budgets_that_are_none(bad):
    with pytest.raises(ParameterError, match="epsilon"):
        skellam_level(bad, 1e-6, **ONE)
    with pytest.raises(ParameterError, match="epsilon"):
        discrete_laplace_level(bad, 1)
