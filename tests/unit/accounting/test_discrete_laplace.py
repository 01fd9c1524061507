"""Discrete Laplace noise at a delta above 0."""

import math
import random
from fractions import Fraction

import pytest

from dpviz.accounting import (
    discrete_laplace_log_delta,
    laplace_log_delta,
)
from dpviz.errors import ParameterError
from tests import oracles_accounting_laplace as oracle


@pytest.mark.parametrize("shift", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("level", [0.4, 1.0, 3.3, 10.0])
def test_against_every_outcome(level, shift):
    for share in (0.0, 0.2, 0.5, 0.77, 0.999, 1 - 1e-12):
        epsilon = share * shift / level
        exact = oracle.discrete_laplace_log_delta(epsilon, level, shift)
        found = discrete_laplace_log_delta(epsilon, level, shift=shift).value
        assert found >= exact
        assert found <= exact + 1e-12 * (1 + abs(exact)), (level, shift, share)


def test_steps_of_the_curve_are_rationals():
    # a = 1/2, shift 2: P(0) = 1/3, P(1) = 1/6; delta(0) = P(noise in -1..0 or 0..1 ...) = 1/2
    level = 1 / math.log(2)
    masses = {y: Fraction(1, 3) * Fraction(1, 2) ** abs(y) for y in range(-60, 62)}
    exact = sum(max(masses[y] - masses.get(y - 2, 0), 0) for y in range(-58, 60))
    found = math.exp(discrete_laplace_log_delta(0.0, level, shift=2).value)
    assert found == pytest.approx(float(exact), rel=1e-12)


def test_from_the_pure_budget_on_nothing_fails():
    for shift in (1, 5):
        assert discrete_laplace_log_delta(shift / 2.0, 2.0, shift=shift).value == -math.inf
        just = math.nextafter(shift / 2.0, 0)
        assert -60 < discrete_laplace_log_delta(just, 2.0, shift=shift).value < -30


def test_fine_steps_are_laplace_noise():
    level, shift = 1000.0, 1500
    for epsilon in (0.0, 0.4, 1.2):
        fine = discrete_laplace_log_delta(epsilon, level, shift=shift).value
        assert fine == pytest.approx(laplace_log_delta(epsilon, level, shift).value, rel=2e-3)


def test_falls_with_epsilon_and_rises_with_shift(seed):
    rng = random.Random(seed)
    for _ in range(50):
        level, shift = 10 ** rng.uniform(-1, 3), rng.randrange(1, 300)
        epsilons = sorted(rng.random() * shift / level for _ in range(5))
        curve = [discrete_laplace_log_delta(e, level, shift=shift).value for e in epsilons]
        assert curve == sorted(curve, reverse=True)
        more = discrete_laplace_log_delta(epsilons[2], level, shift=shift + 1).value
        assert more >= curve[2]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0, "x", None])
def test_refusals(bad):
    with pytest.raises(ParameterError, match="epsilon must be a"):
        discrete_laplace_log_delta(bad, 1.0)
    with pytest.raises(ParameterError, match="level must be a"):
        discrete_laplace_log_delta(0.1, bad)
    with pytest.raises(ParameterError, match="shift must be a whole number"):
        discrete_laplace_log_delta(0.1, 1.0, shift=bad)
    with pytest.raises(ParameterError, match="shift must be at most"):
        discrete_laplace_log_delta(0.1, 1.0, shift=10_001)
