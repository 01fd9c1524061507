"""Simulated attackers against theory: the error of their best estimate, and their test."""

import math

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import (
    gaussian_advantage,
    gaussian_trade_off,
    laplace_advantage,
    laplace_trade_off,
)
from dpviz.errors import ParameterError
from dpviz.experiments.attack import MOST_PERSONS, attack_worlds
from dpviz.experiments.moved import Moved
from dpviz.noise import FAMILIES

BY_ONE = Moved(((1.0, 1),))


def best_variance(family, budgets, lossless):
    """Of the inverse-variance weighted mean: precisions add, or the largest is all that is held."""
    precisions = [2 * b if family == "gaussian" else b * b / 2 for b in budgets]
    return 1 / (max(precisions) if lossless else sum(precisions))


def level_of(family, budget):
    return 1 / (2 * budget) if family == "gaussian" else 1 / budget


@pytest.mark.parametrize("family", ["gaussian", "laplace"])
@pytest.mark.parametrize("lossless", [True, False])
def test_the_error_of_the_best_estimate_is_that_of_theory(family, lossless):
    budgets, n = [1.0, 1.0, 0.3, 0.1], 40_000
    levels = [level_of(family, b) for b in budgets]
    rng = streams.teaching(11, 1 + lossless)
    found = attack_worlds(FAMILIES[family], levels, BY_ONE, n, lossless=lossless, rng=rng)
    for k in range(1, 5):
        want = math.sqrt(best_variance(family, budgets[:k], lossless))
        assert found.joining[k - 1] == pytest.approx(want, rel=0.03)
    other = math.sqrt(best_variance(family, budgets, not lossless))
    assert abs(found.joining[-1] / other - 1) > 0.1


ALARMS = np.array([0.02, 0.1, 0.3, 0.5, 0.8])


@pytest.mark.parametrize(("family", "budget"), [("gaussian", 0.5), ("laplace", 1.0)])
def test_the_simulated_attacker_stands_on_the_curve(family, budget):
    level, n = level_of(family, budget), 60_000
    rng = streams.teaching(11, 9)
    found = attack_worlds(FAMILIES[family], [4 * level, level], BY_ONE, n, lossless=True, rng=rng)
    curve = {"gaussian": gaussian_trade_off, "laplace": laplace_trade_off}[family]
    wide = 5 * np.sqrt(0.5 / n)
    np.testing.assert_allclose(found.misses(ALARMS), curve(1.0, ALARMS), atol=wide)
    assert np.abs(found.misses(ALARMS) - curve(1.1, ALARMS)).max() > wide  # a near miss is seen
    advantage = {"gaussian": gaussian_advantage, "laplace": laplace_advantage}[family](1.0)
    assert found.success() == pytest.approx((1 + advantage) / 2, abs=0.01)


def test_independent_gaussian_attackers_reach_the_joint_curve():
    levels, n = [1 / (2 * b) for b in (0.5, 0.3, 0.2)], 60_000
    rng = streams.teaching(11, 10)
    found = attack_worlds(FAMILIES["gaussian"], levels, BY_ONE, n, lossless=False, rng=rng)
    want = gaussian_trade_off(math.sqrt(2), ALARMS)
    np.testing.assert_allclose(found.misses(ALARMS), want, atol=5 * math.sqrt(0.5 / n))


@pytest.mark.parametrize(("family", "levels"), [("gaussian", []), ("gaussian", [1.0] * 201)])
def test_what_cannot_be_simulated_is_refused(family, levels):
    assert MOST_PERSONS == 200
    with pytest.raises(ParameterError):
        attack_worlds(FAMILIES[family], levels, BY_ONE, 10, lossless=True, rng=streams.teaching(1))
