"""Exact Skellam accounting against mpmath, its inverses, and the Rényi bound."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting import (
    skellam,
    skellam_coordinate_epsilon,
    skellam_coordinate_level,
    skellam_levels,
    skellam_log_delta,
    skellam_renyi_epsilon,
    skellam_renyi_level,
    zcdp_epsilon,
)
from dpviz.errors import NoGuaranteeError, ParameterError
from tests import oracles_skellam
from tests.conftest import FULL, few, for_each, full_run

CASES = [
    *[(0.5, 0.0, 1), (0.5, 1.0, 1), (0.01, 2.0, 1), (1e-5, 3.0, 2), (3.0, 40.0, 1)],
    *[(10.0, 1.0, 3), (20.0, 0.0, 5), (200.0, 0.1, 1), (300.0, 2.0, 7), (2.0, 30.0, 20)],
]


@for_each(("level", "epsilon", "shift"), few(CASES, 3))
def test_log_delta_against_the_definition(level, epsilon, shift):
    exact = oracles_skellam.log_delta(epsilon, level, shift)
    got = skellam_log_delta(epsilon, level, shift=shift)
    assert exact <= got <= exact + 3e-12 * (1 + abs(exact))


def test_log_delta_far_beyond_any_float():
    exact = oracles_skellam.log_delta(7.0, 4.0)
    got = skellam_log_delta(7.0, 4.0)
    assert exact < -5000
    assert exact <= got <= exact * (1 - 1e-11)
    assert skellam_log_delta(60.0, 4.0) > -math.inf  # so far out a bound of the tail serves


def test_one_formula_runs_into_the_other(monkeypatch):
    """Recurrence and expansion, at levels and outcomes where both hold."""
    for first, level in ((0, 1.1e4), (700, 1.1e4), (21_000, 3.0), (25_000, 5000.0)):
        by_formula = skellam.log_ratios(first, 50, level)
        mass = skellam.log_mass(first, level)
        with monkeypatch.context() as patch:
            patch.setattr(skellam, "FORMULA", 1e9)
            patch.setattr(skellam, "EXTRA", 3000)
            np.testing.assert_allclose(by_formula, skellam.log_ratios(first, 50, level), rtol=1e-11)
            if first < 1000:
                assert skellam.log_mass(first, level) == pytest.approx(mass, rel=1e-12)


@for_each(("x", "level"), [(0, 0.5), (30, 0.5), (150, 100.0), (3, 1e-300)])
def test_masses_and_ratios_against_mpmath(x, level):
    with mp.workdps(50):
        here, there = (mp.besseli(y, 2 * mp.mpf(level)) for y in (x, x + 1))
        assert skellam.log_mass(x, level) == pytest.approx(
            float(mp.log(here) - 2 * mp.mpf(level)), rel=1e-13
        )
        ratio = float(skellam.log_ratios(x, 1, level)[0])
        assert ratio == pytest.approx(float(mp.log(here / there)), rel=1e-13)


@settings(max_examples=60 if FULL else 15)
@given(
    epsilon=st.floats(0.02, 20), log_delta=st.floats(-600, -0.1), shift=st.sampled_from([1, 2, 9])
)
def test_the_least_level_never_overspends(epsilon, log_delta, shift):
    level = skellam_coordinate_level(epsilon, log_delta, shift=shift)
    assert skellam_log_delta(epsilon, level, shift=shift) <= log_delta
    assert skellam_log_delta(epsilon, level * (1 - 1e-8), shift=shift) > log_delta
    back = skellam_coordinate_epsilon(log_delta, level, shift=shift)
    assert back == pytest.approx(epsilon, rel=1e-6)
    assert skellam_log_delta(back, level, shift=shift) <= log_delta


def test_more_noise_and_smaller_shifts_cost_less():
    costs = [skellam_log_delta(0.5, level) for level in (1.0, 1.5, 10.0, 90.0)]
    assert costs == sorted(costs, reverse=True)
    costs = [skellam_log_delta(0.5, 10.0, shift=shift) for shift in (1, 2, 3, 10)]
    assert costs == sorted(costs)


def test_levels_beyond_the_sums_are_left_to_the_bound():
    assert skellam_coordinate_level(1e-6, math.log(1e-6)) == math.inf
    with pytest.raises(ParameterError, match="level must lie between"):
        skellam_log_delta(1.0, 1e11)
    with pytest.raises(ParameterError, match="shift must be at most"):
        skellam_log_delta(1.0, 10.0, shift=10_001)


@full_run
@pytest.mark.parametrize("level", [0.3, 8.0, 1000.0])
@pytest.mark.parametrize(("l1", "l2"), [(1, 1), (9, 3), (4, 4)])
def test_renyi_bound_against_the_orders_one_by_one(level, l1, l2):
    log_delta = math.log(1e-5)
    exact = float(oracles_skellam.renyi_epsilon(log_delta, level, l1, l2, 400))
    got = skellam_renyi_epsilon(level, log_delta, l1_sensitivity=l1, l2_sensitivity=l2)
    assert exact <= got * (1 + 1e-15)
    assert got == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("level", [0.3, 8.0, 1000.0, 1e6])
@pytest.mark.parametrize("log_delta", [-1.0, -14.0, -300.0])
def test_renyi_bound_lies_above_the_exact_cost(level, log_delta):
    bound = skellam_renyi_epsilon(level, log_delta, l1_sensitivity=1, l2_sensitivity=1)
    assert bound >= skellam_coordinate_epsilon(log_delta, level)
    assert bound >= zcdp_epsilon(1 / (4 * level), log_delta)  # that of a Gaussian of its variance


@for_each("epsilon", [1e-4, 0.1, 1.0, 30.0, 1e4])
def test_renyi_level_never_overspends(epsilon):
    moves = {"l1_sensitivity": 9, "l2_sensitivity": 3}
    level = skellam_renyi_level(epsilon, -14.0, **moves)
    assert skellam_renyi_epsilon(level, -14.0, **moves) <= epsilon
    assert skellam_renyi_epsilon(level * (1 - 1e-9), -14.0, **moves) > epsilon


def test_renyi_bound_at_the_edges():
    assert skellam_renyi_epsilon(1.0, -14.0, l1_sensitivity=0, l2_sensitivity=0) == 0
    with pytest.raises(NoGuaranteeError, match="pass a larger level"):
        skellam_renyi_epsilon(1e-290, -14.0, l1_sensitivity=1, l2_sensitivity=1)
    assert skellam_levels.LARGEST_EPSILON == 1e6
