"""Theorem E.2 with its erratum: the limit of the binomial theorem, and where it says nothing."""

import math

import pytest

from dpviz.accounting import (
    poisson_theorem_epsilon,
    poisson_theorem_level,
    poisson_theorem_limit,
)
from dpviz.errors import NoGuaranteeError
from tests import oracles_accounting as oracle

ONE = {"l1_sensitivity": 1, "l2_sensitivity": 1, "linf_sensitivity": 1, "dimension": 1}
MICRO = math.log(1e-6)


@pytest.mark.parametrize("level", [371.0, 1e3, 1e6])
@pytest.mark.parametrize("delta", [1e-6, 1e-3])
def test_theorem_against_the_binomial_one(level, delta):
    for l1, l2, linf, dimension in [(1, 1, 1, 1), (8, math.sqrt(8), 1, 50), (30.0, 10.0, 5.0, 3)]:
        sensitivities = {
            "l1_sensitivity": l1,
            "l2_sensitivity": l2,
            "linf_sensitivity": linf,
            "dimension": dimension,
        }
        limit = poisson_theorem_limit(math.log(delta), linf_sensitivity=linf, dimension=dimension)
        exact = oracle.theorem_epsilon(max(level, limit), delta, l1, l2, linf, dimension)
        found = poisson_theorem_epsilon(max(level, limit), math.log(delta), **sensitivities)
        assert found == pytest.approx(float(exact), rel=1e-12)
        assert found >= exact * (1 - 1e-14)


def test_theorem_has_the_l1_term_outside_the_root():
    one, more = (
        poisson_theorem_epsilon(1e4, MICRO, **{**ONE, "l1_sensitivity": l1}) for l1 in (1.0, 101.0)
    )
    assert more - one == pytest.approx(100 * 5 / 3 / (1e4 * (1 - 1e-7)), rel=1e-9)


def test_theorem_says_nothing_below_its_limit():
    limit = poisson_theorem_limit(MICRO, linf_sensitivity=1, dimension=1)
    assert poisson_theorem_epsilon(limit, MICRO, **ONE) > 1
    with pytest.raises(NoGuaranteeError, match=r"pass a level of at least 370\.7"):
        poisson_theorem_epsilon(limit * (1 - 1e-12), MICRO, **ONE)
    assert poisson_theorem_limit(MICRO, linf_sensitivity=1e4, dimension=1) == 2e4


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 1.0, 1.2])
def test_theorem_level_never_overspends_and_is_least(epsilon):
    level = poisson_theorem_level(epsilon, MICRO, **ONE)
    assert poisson_theorem_epsilon(level, MICRO, **ONE) <= epsilon
    assert poisson_theorem_epsilon(level * (1 - 1e-12), MICRO, **ONE) > epsilon


def test_a_large_epsilon_gives_the_limit_of_the_theorem():
    limit = poisson_theorem_limit(MICRO, linf_sensitivity=1, dimension=1)
    assert poisson_theorem_level(50.0, MICRO, **ONE) == limit
