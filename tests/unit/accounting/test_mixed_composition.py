"""Pure and bounded-range mechanisms fixed in advance: vectors, all outcomes, fifty digits."""

import math
import random

import numpy as np
import pytest

from dpviz.accounting import (
    bounded_range_log_delta,
    gaussian_epsilon,
    mixed_composition_epsilon,
    mixed_composition_log_delta,
    pure_composition_log_delta,
)
from tests import oracles_composition as oracle
from tests.conftest import FULL, few, full_run

LN = math.log(1e-6)
SMALL = [  # pure, bounded range, epsilon, total, delta by 2^k outcomes and a search over t
    (0, 1, 1.0, 0.3, 0.13796280335447103),
    (0, 2, 1.0, 0.5, 0.1524519067986656),
    (1, 2, 1.0, 0.2, 0.43203018288791095),
    (2, 1, 0.5, 0.7, 0.10702768903479179),
    (0, 5, 0.5, 0.6, 0.059872858119799248),
    (3, 3, 0.5, 0.8, 0.15687275180985322),
    (4, 2, 0.3, 0.0, 0.25346987546912847),
    (1, 5, 1.0, 3.3, 0.01755063730096152),
    (1, 3, 1.0, -0.6, 0.64682303611747649),
]
MANY = [
    (5, 5, 0.1, 0.3, 0.016298764705764346),
    (10, 10, 0.2, 1.5, 0.0076428177173259055),
    (0, 50, 0.1, 0.5, 0.016206309723120027),
    (4, 2, 0.3, 0.8, 0.0452413866),  # with s >= 1 alone 0.0358987
]


@pytest.mark.parametrize(("pure", "ranges", "epsilon", "total", "delta"), SMALL + MANY)
def test_vectors(pure, ranges, epsilon, total, delta):
    found = mixed_composition_log_delta(pure, ranges, epsilon, total)
    digits = 1e-8 if delta == 0.0452413866 else 3e-12
    assert math.exp(found) == pytest.approx(delta, rel=digits)


@pytest.mark.parametrize(
    ("pure", "ranges", "epsilon", "total"),
    [case[:4] for case in SMALL if FULL or case[0] + case[1] < 4]
    + few([(1, 1, 3.0, -2.0), (4, 2, 0.3, 0.8), (2, 2, 0.01, 0.013)], 2),
)
def test_against_all_outcomes_and_a_search_over_t(pure, ranges, epsilon, total):
    exact = oracle.mixed_delta(pure, ranges, epsilon, total)
    found = math.exp(mixed_composition_log_delta(pure, ranges, epsilon, total))
    assert found == pytest.approx(float(exact), rel=1e-11)


def test_against_the_double_sum_at_fifty_digits(seed):
    rng = random.Random(seed)
    for _ in range(6 if not FULL else 40):
        pure, ranges = rng.choice([0, 1, 4, 25]), rng.choice([1, 2, 5, 20])
        epsilon = 10 ** rng.uniform(-4, 1)
        total = rng.uniform(-0.3, 1) * (pure + ranges) * epsilon
        exact = oracle.mixed_log_delta(pure, ranges, epsilon, total)
        found = mixed_composition_log_delta(pure, ranges, epsilon, total)
        assert found >= exact
        assert found <= exact + 1e-12 * (1 + abs(exact)), (pure, ranges, epsilon, total)


@full_run
def test_deep_in_the_tail_at_fifty_digits():
    """No digit is lost, because every term is positive."""
    several, total = (60, 30.0) if FULL else (25, 13.0)
    exact = oracle.mixed_log_delta(several, several, 0.3, total)
    found = mixed_composition_log_delta(several, several, 0.3, total)
    assert exact < -47
    assert exact <= found <= exact * (1 - 1e-12)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((5, 5, 0.1, LN), 0.853656441642),
        ((25, 25, 0.1, math.log(1e-8)), 2.844574438917),
    ],
)
def test_inverse_vectors(arguments, expected):
    assert mixed_composition_epsilon(*arguments) == pytest.approx(expected, abs=2e-10)


@full_run
def test_epsilon_is_the_least_that_holds(seed):
    rng = random.Random(seed)
    for _ in range(60):
        pure, ranges = rng.randrange(6), rng.randrange(1, 8)
        epsilon, log_delta = 10 ** rng.uniform(-4, 1.3), -(10 ** rng.uniform(-1, 2.5))
        total = mixed_composition_epsilon(pure, ranges, epsilon, log_delta)
        assert 0 <= total <= (pure + ranges) * epsilon * (1 + 1e-14)
        assert mixed_composition_log_delta(pure, ranges, epsilon, total) <= log_delta
        if total > 0:
            assert (
                mixed_composition_log_delta(pure, ranges, epsilon, total * (1 - 1e-9)) > log_delta
            )


def test_pure_alone_and_one_of_bounded_range():
    for total in (0.0, 0.3, 2.9):
        ours = mixed_composition_log_delta(30, 0, 0.1, total)
        assert ours == pytest.approx(pure_composition_log_delta(30, 0.1, total), abs=2e-12)
    for total in (-0.9, -0.2, 0.0, 0.7, 0.999):
        ours = mixed_composition_log_delta(0, 1, 1.0, total)
        assert ours == pytest.approx(bounded_range_log_delta(1.0, total), abs=2e-11)


def test_bounded_range_costs_less_than_pure():
    deltas = [mixed_composition_log_delta(20 - m, m, 0.1, 0.4) for m in range(21)]
    assert deltas == sorted(deltas, reverse=True)
    totals = [mixed_composition_epsilon(20 - m, m, 0.1, LN) for m in range(0, 21, 4)]
    assert totals == sorted(totals, reverse=True)


def test_the_curve_falls_and_ends_at_the_sum():
    g = np.linspace(-1.29, 1.29, 87)
    found = mixed_composition_log_delta(5, 8, 0.1, g)
    assert np.all(np.diff(found) < 0)
    assert mixed_composition_log_delta(5, 8, 0.1, 1.3) == -math.inf
    below = math.exp(mixed_composition_log_delta(5, 8, 0.1, -2.0))
    assert below == pytest.approx(1 - math.exp(-2), rel=1e-12)


def test_many_of_each_kind():
    """Near the normal law of the sum of the losses."""
    found = mixed_composition_epsilon(400, 400, 0.001, LN)
    assert found == pytest.approx(gaussian_epsilon(LN, 0.001 * math.sqrt(500)), rel=1e-2)
