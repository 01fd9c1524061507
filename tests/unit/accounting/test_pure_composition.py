"""Pure mechanisms together: of equal and of different budgets, and histograms in rounds."""

import math
import random

import numpy as np
import pytest

from dpviz.accounting import (
    bounded_range_log_delta,
    composed_pure_epsilon,
    composed_pure_log_delta,
    gaussian_epsilon,
    histogram_gaussian_epsilon,
    histogram_laplace_epsilon,
    histogram_loose_epsilon,
    mixed_composition_epsilon,
    mixed_composition_log_delta,
    pure_composition_epsilon,
    pure_composition_log_delta,
)
from dpviz.accounting.bounds import EXACT, UPPER
from dpviz.accounting.pure_composition import PureLosses
from dpviz.accounting.setwise import Mechanisms
from dpviz.errors import ParameterError
from tests import oracles_accounting as oracle
from tests import oracles_composition as mixed_oracle
from tests.conftest import FULL, few, for_each, full_run
from tests.oracles_composition import pure_delta

# --- Optimal composition of equal pure guarantees, and histograms in rounds: vectors and oracles --

LN = math.log(1e-6)


@pytest.mark.parametrize("count", few([1, 2, 5, 9], 2))
def test_against_every_vector_of_answers(count):
    for epsilon in (0.01, 0.5, 3.0):
        for share in (0.0, 0.3, 0.77, 0.999):
            exact = pure_delta([epsilon] * count, share * count * epsilon)
            found = pure_composition_log_delta(count, epsilon, share * count * epsilon)
            assert math.exp(found) == pytest.approx(float(exact), rel=1e-12)


def test_against_fifty_digits(seed):
    rng = random.Random(seed)
    for _ in range(150 if FULL else 40):
        count, epsilon = rng.choice([1, 2, 7, 40, 300, 1000]), 10 ** rng.uniform(-4, 1)
        total = rng.random() * count * epsilon
        exact = oracle.pure_composition_log_delta(count, epsilon, total)
        found = pure_composition_log_delta(count, epsilon, total)
        assert found >= exact
        assert found <= exact + 1e-12 * (1 + abs(exact)), (count, epsilon, total)


def test_one_part_and_many():
    assert pure_composition_log_delta(1, 0.5, 0.5) == -math.inf
    assert pure_composition_epsilon(1, 0.5, -1e6) == pytest.approx(0.5, rel=1e-15)
    assert pure_composition_epsilon(3, 0.01, math.log(0.5)) == 0.0
    many = pure_composition_log_delta(1_000_000, 0.001, 5.0)
    near = gaussian_epsilon(many, 1.0)  # mu = sqrt(k) epsilon: the central limit
    assert near == pytest.approx(5.0, rel=1e-3)
    assert pure_composition_log_delta(1000, 800.0, 0.0) == 0.0


ROUNDS = {"l0_sensitivity": 10, "rounds": 20}


def test_rounds_of_the_vectors():
    # MATHEMATICS 9.2: l0 = 10, 20 rounds, sigma = 100, delta = 1e-6
    assert histogram_gaussian_epsilon(LN, 100, **ROUNDS) == pytest.approx(0.5750551858, rel=1e-9)
    assert histogram_loose_epsilon(LN, 100, **ROUNDS) == pytest.approx(2.6952529388, rel=1e-9)
    laplace = histogram_laplace_epsilon(LN, 100 / math.sqrt(2), **ROUNDS)
    assert laplace == pytest.approx(0.8280774291, rel=1e-9)


def test_rounds_multiply_groups_and_sensitivity_scales():
    one = histogram_gaussian_epsilon(LN, 50, l0_sensitivity=12)
    for split in ({"l0_sensitivity": 3, "rounds": 4}, {"l0_sensitivity": 1, "rounds": 12}):
        assert histogram_gaussian_epsilon(LN, 50, **split) == pytest.approx(one, rel=1e-12)
    scaled = histogram_gaussian_epsilon(LN, 500, l0_sensitivity=12, linf_sensitivity=10)
    assert scaled == pytest.approx(one, rel=1e-12)
    assert histogram_loose_epsilon(LN, 50, l0_sensitivity=12) == one  # of one round
    assert histogram_loose_epsilon(math.log(0.9), 1e6, **ROUNDS) == 0.0


def test_totals_below_zero_are_those_of_the_mixed_composition():
    """There delta is 1 - e^g from -count epsilon on, and dual to the one above 0."""
    for count, epsilon, total in ((1, 0.5, -0.2), (6, 0.3, -1.0), (57, 0.1, -0.05), (5, 1.0, -9.0)):
        found = pure_composition_log_delta(count, epsilon, total)
        assert found == pytest.approx(
            mixed_composition_log_delta(count, 0, epsilon, total), rel=1e-9, abs=1e-12
        )
        mirrored = math.exp(pure_composition_log_delta(count, epsilon, -total))
        assert math.exp(found) == pytest.approx(-math.expm1(total) + math.exp(total) * mirrored)
    assert pure_composition_log_delta(5, 1e-10, -1e300) == 0


def test_a_million_mechanisms_are_the_most():
    with pytest.raises(ParameterError, match="count must be at most"):
        pure_composition_log_delta(10**7, 0.1, 0.2)


# --- Pure mechanisms of different sizes: every sum of losses, and the convolution beside it ------


def counted(epsilons):
    return Mechanisms.of(epsilons, (), ()).pure


@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_every_vector_of_answers(count, seed):
    rng = random.Random(seed + count)
    for _ in range(4):
        epsilons = [10 ** rng.uniform(-3, 1) for _ in range(count)]
        total = rng.random() * sum(epsilons)
        exact = pure_delta(epsilons, total)
        found = composed_pure_log_delta(epsilons, total)
        assert found.kind == EXACT
        assert exact <= math.exp(found.value) <= exact * (1 + 1e-10)


def test_equal_budgets_are_the_optimal_curve():
    for count in (3, 50, 1000):
        found = composed_pure_log_delta([0.05] * count, 0.1)
        assert found.kind == EXACT
        assert found.value == pytest.approx(pure_composition_log_delta(count, 0.05, 0.1), abs=1e-11)
    epsilon = composed_pure_epsilon([0.05] * 1000, LN).value
    assert epsilon == pytest.approx(pure_composition_epsilon(1000, 0.05, LN), rel=1e-6)


@full_run
def test_what_is_enumerated_is_exact():
    twenty = [0.01 * k for k in range(1, 21)]
    assert composed_pure_log_delta(twenty, 0.5).kind == EXACT
    assert composed_pure_log_delta([*twenty, 0.5], 0.5).kind == UPPER
    repeated = [0.1] * 900 + [0.2] * 900
    assert composed_pure_log_delta(repeated, 5.0).kind == EXACT
    assert composed_pure_log_delta([0.1] * 2000 + [0.2] * 2000, 5.0).kind == UPPER


def test_convolution_is_above_the_truth_and_close():
    """Fourteen budgets, enumerated here and put on the grid there."""
    epsilons = [0.02 * k + 0.001 * (k % 3) ** 2 / math.pi for k in range(1, 15)]
    curve = PureLosses(counted(epsilons))
    gridded = PureLosses(counted(epsilons), enumerated=64)
    assert (curve.exact, gridded.exact) == (True, False)
    for total in (0.0, 0.31, 0.9, 1.7):
        exact, bound = curve.log_delta(total), gridded.log_delta(total)
        assert exact <= bound <= exact + 1e-3
    assert curve.epsilon(LN) <= gridded.epsilon(LN) <= curve.epsilon(LN) * (1 + 1e-4)


@full_run
def test_two_hundred_different_budgets():
    """Within 1e-4 of what a grid eight times as fine gives, and never below it."""
    rng = random.Random(1)
    epsilons = [rng.uniform(0.01, 0.1) for _ in range(200)]
    found = composed_pure_epsilon(epsilons, LN)
    fine = PureLosses(counted(epsilons), points=2.0**17).epsilon(LN)
    assert found.kind == UPPER
    assert fine <= found.value * (1 + 1e-7)
    assert found.value <= fine * (1 + 1e-4)
    zeros = composed_pure_log_delta(epsilons, sum(epsilons) + 1e-9)
    assert zeros.value == -math.inf


@full_run
def test_more_budgets_than_are_kept_apart_are_raised():
    rng = random.Random(2)
    epsilons = [rng.uniform(0.01, 0.02) for _ in range(520)]
    found = composed_pure_epsilon(epsilons, LN).value
    assert found > PureLosses(counted(sorted(epsilons)[:500])).epsilon(LN)
    assert found < pure_composition_epsilon(520, max(epsilons), LN)


@full_run
def test_different_budgets_against_dp_accounting():
    from dp_accounting.pld import privacy_loss_distribution as pld

    epsilons = [0.05 * k for k in range(1, 23)]
    peer = None
    for epsilon in epsilons:
        one = pld.from_randomized_response(
            2 / (1 + math.exp(epsilon)), 2, value_discretization_interval=5e-3
        )
        peer = one if peer is None else peer.compose(one)
    ours = composed_pure_epsilon(epsilons, LN)
    assert ours.kind == UPPER
    assert ours.value <= peer.get_epsilon_for_delta(1e-6) * (1 + 1e-9)
    assert ours.value == pytest.approx(peer.get_epsilon_for_delta(1e-6), rel=0.05)


def test_ends():
    assert composed_pure_epsilon([0.1, 0.2], -1e6).value == pytest.approx(0.3, rel=1e-14)
    assert composed_pure_epsilon([0.001, 0.002], math.log(0.5)).value == 0.0
    many = [0.01 * k for k in range(1, 41)]
    assert composed_pure_epsilon(many, -5000.0).value == pytest.approx(sum(many), rel=1e-12)


# --- Pure and bounded-range mechanisms fixed in advance: vectors, all outcomes, fifty digits ---


SMALL = [  # pure, bounded range, epsilon, total
    (0, 1, 1.0, 0.3),
    (0, 2, 1.0, 0.5),
    (1, 2, 1.0, 0.2),
    (2, 1, 0.5, 0.7),
    (0, 5, 0.5, 0.6),
    (3, 3, 0.5, 0.8),
    (4, 2, 0.3, 0.0),
    (1, 5, 1.0, 3.3),
    (1, 3, 1.0, -0.6),
]


@for_each(
    ("pure", "ranges", "epsilon", "total"),
    [case for case in SMALL if FULL or case[0] + case[1] < 4]
    + few([(1, 1, 3.0, -2.0), (4, 2, 0.3, 0.8), (2, 2, 0.01, 0.013)], 2),
)
def test_against_all_outcomes_and_a_search_over_t(pure, ranges, epsilon, total):
    exact = mixed_oracle.mixed_delta(pure, ranges, epsilon, total)
    found = math.exp(mixed_composition_log_delta(pure, ranges, epsilon, total))
    assert found == pytest.approx(float(exact), rel=1e-11)


def test_against_the_double_sum_at_fifty_digits(seed):
    rng = random.Random(seed)
    for _ in range(6 if not FULL else 40):
        pure, ranges = rng.choice([0, 1, 4, 25]), rng.choice([1, 2, 5, 20])
        epsilon = 10 ** rng.uniform(-4, 1)
        total = rng.uniform(-0.3, 1) * (pure + ranges) * epsilon
        exact = min(mixed_oracle.mixed_log_delta(pure, ranges, epsilon, total), 0)
        found = mixed_composition_log_delta(pure, ranges, epsilon, total)
        assert found >= exact
        assert found <= exact + 1e-12 * (1 + abs(exact)), (pure, ranges, epsilon, total)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [((5, 5, 0.1, LN), 0.853656441642), ((25, 25, 0.1, math.log(1e-8)), 2.844574438917)],
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
