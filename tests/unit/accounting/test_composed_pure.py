"""Pure mechanisms of different sizes: every sum of losses, and the convolution beside it."""

import math
import random

import pytest

from dpviz.accounting import (
    composed_pure_epsilon,
    composed_pure_log_delta,
    pure_composition_epsilon,
    pure_composition_log_delta,
)
from dpviz.accounting.bounds import EXACT, UPPER
from dpviz.accounting.composed_pure import PureLosses
from dpviz.accounting.setwise import Mechanisms
from dpviz.errors import ParameterError
from tests import oracles_composition as oracle

LN = math.log(1e-6)


def counted(epsilons):
    return Mechanisms.of(epsilons, (), ()).pure


@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_every_vector_of_answers(count, seed):
    rng = random.Random(seed + count)
    for _ in range(4):
        epsilons = [10 ** rng.uniform(-3, 1) for _ in range(count)]
        total = rng.random() * sum(epsilons)
        exact = oracle.pure_delta(epsilons, total)
        found = composed_pure_log_delta(epsilons, total)
        assert found.kind == EXACT
        assert exact <= math.exp(found.value) <= exact * (1 + 1e-10)


def test_vector_by_enumeration():
    found = composed_pure_log_delta([0.4] * 8, 0.9)
    assert math.exp(found.value) == pytest.approx(0.18814009730566213, rel=3e-12)


def test_equal_budgets_are_the_optimal_curve():
    for count in (3, 50, 1000):
        found = composed_pure_log_delta([0.05] * count, 0.1)
        assert found.kind == EXACT
        assert found.value == pytest.approx(pure_composition_log_delta(count, 0.05, 0.1), abs=1e-11)
    epsilon = composed_pure_epsilon([0.05] * 1000, LN).value
    assert epsilon == pytest.approx(pure_composition_epsilon(1000, 0.05, LN), rel=1e-6)


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


def test_more_budgets_than_are_kept_apart_are_raised():
    rng = random.Random(2)
    epsilons = [rng.uniform(0.01, 0.02) for _ in range(520)]
    found = composed_pure_epsilon(epsilons, LN).value
    assert found > PureLosses(counted(sorted(epsilons)[:500])).epsilon(LN)
    assert found < pure_composition_epsilon(520, max(epsilons), LN)


def test_against_dp_accounting():
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


@pytest.mark.parametrize(
    ("epsilons", "said"),
    [
        ([], "epsilons must hold at least one budget"),
        ([0.1, 0.0], "every budget of epsilons must be"),
        (0.1, "epsilons must be a list"),
        ([1000.0 + k for k in range(30)], "epsilons must add up to at most 10000"),
        ([0.1] * 100_001, "at most 100000 budgets"),
    ],
)
def test_refusals(epsilons, said):
    with pytest.raises(ParameterError, match=said):
        composed_pure_log_delta(epsilons, 0.1)
    with pytest.raises(ParameterError, match=said):
        composed_pure_epsilon(epsilons, LN)


def test_other_refusals_and_ends():
    with pytest.raises(ParameterError, match="epsilon must be"):
        composed_pure_log_delta([0.1], -0.1)
    with pytest.raises(ParameterError, match="log_delta must be"):
        composed_pure_epsilon([0.1], 0.1)
    assert composed_pure_epsilon([0.1, 0.2], -1e6).value == pytest.approx(0.3, rel=1e-14)
    assert composed_pure_epsilon([0.001, 0.002], math.log(0.5)).value == 0.0
    many = [0.01 * k for k in range(1, 41)]
    assert composed_pure_epsilon(many, -5000.0).value == pytest.approx(sum(many), rel=1e-12)
