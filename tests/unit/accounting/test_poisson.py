"""Poisson noise: one coordinate by exact sums, and vectors by Theorem E.2."""

import math

import mpmath as mp
import numpy as np
import pytest

from dpviz.accounting import (
    poisson_coordinate_epsilon,
    poisson_coordinate_level,
    poisson_log_delta,
    poisson_theorem_epsilon,
    poisson_theorem_level,
    poisson_theorem_limit,
)
from dpviz.accounting.poisson import deviance, log_mass
from dpviz.errors import NoGuaranteeError, ParameterError
from tests import oracles_accounting as oracle
from tests.conftest import few, for_each, full_run

# --- Poisson noise on one coordinate, and Theorem E.2: exact sums, private rounding, limits ------

ONE = oracle.sensitivities(1, 1, 1, 1)
MICRO = math.log(1e-6)


def assert_just_above(found, exact):
    """Never below the exact ln delta, and at most 2e-12 (1 + |ln delta|) above it."""
    assert 0 <= found - exact <= 2e-12 * (1 - exact)


@pytest.mark.parametrize("level", few([1e-3, 0.5, 1.0, 3.0, 34.0, 200.0, 1999.5], 2))
@pytest.mark.parametrize("epsilon", [0.0, 1e-3, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("shift", few([1, 2, 7], 2))
def test_log_delta_against_the_literal_sum(level, epsilon, shift):
    found = poisson_log_delta(epsilon, level, shift=shift)
    assert_just_above(found, oracle.poisson_log_delta(epsilon, level, shift))


def test_what_is_cut_off_is_added_back(monkeypatch):
    monkeypatch.setattr("dpviz.accounting.poisson.CUT", 0.5)
    for level, epsilon in [(34.0, 1.0), (1000.0, 0.1), (20.0, 0.0)]:
        found = poisson_log_delta(epsilon, level)
        exact = oracle.poisson_log_delta(epsilon, level)
        assert exact <= found
        assert found - exact > 1e-3  # so much was cut


def test_masses_at_any_size():
    with mp.workdps(40):
        for level in (1e-3, 2.0, 37.5, 1e5, 1e9):
            beyond = (int(level), int(level * 1.01), int(level * 1.3) + 3)
            for count in (0, 1, 15, 16, 17, 40, *beyond):
                exact = -mp.mpf(level) + count * mp.log(level) - mp.loggamma(count + 1)
                assert abs(log_mass(count, level) - exact) <= 2e-14 * (1 + abs(exact))
                if count:
                    exponent = count * mp.log(mp.mpf(count) / level) + level - count
                    assert abs(deviance(count, level) - exponent) <= 1e-14 * (1 + exponent * 100)


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [(1.0, 1e-6), (0.01, 1e-9), (1e-3, 1e-12), (50.0, 1e-12), (5.0, 0.5), (1e-3, 0.3)],
)
@pytest.mark.parametrize("shift", [1, 3])
def test_level_never_overspends_and_is_least(epsilon, delta, shift):
    level = poisson_coordinate_level(epsilon, math.log(delta), shift=shift)
    assert poisson_log_delta(epsilon, level, shift=shift) <= math.log(delta)
    assert poisson_log_delta(epsilon, level * (1 - 1e-9), shift=shift) > math.log(delta)


@pytest.mark.parametrize("level", [15.0, 34.0, 1000.0, 1e6])
@pytest.mark.parametrize("log_delta", [MICRO, -12.0, -9.0])
def test_epsilon_never_overspends_and_is_least(level, log_delta):
    epsilon = poisson_coordinate_epsilon(log_delta, level)
    assert epsilon > 0
    assert poisson_log_delta(epsilon, level) <= log_delta
    assert poisson_log_delta(epsilon * (1 - 1e-9), level) > log_delta


def test_epsilon_is_zero_where_total_variation_is_below_delta():
    assert poisson_coordinate_epsilon(math.log(0.5), 100.0) == 0.0


def test_no_finite_epsilon_is_a_named_error():
    # P(Y = 0) = e^-10 > 1e-6: an outcome that proves the person away
    with pytest.raises(NoGuaranteeError, match="no finite epsilon"):
        poisson_coordinate_epsilon(MICRO, 10.0)
    with pytest.raises(NoGuaranteeError, match="no finite epsilon"):
        poisson_coordinate_epsilon(MICRO, 14.0, shift=2)
    assert poisson_coordinate_epsilon(MICRO, 14.0) < 20


def test_what_is_beyond_the_exact_sums():
    assert poisson_coordinate_level(1e-5, MICRO) == math.inf
    with pytest.raises(ParameterError, match="shift must be"):
        poisson_log_delta(1.0, 5.0, shift=10**5)
    with pytest.raises(ParameterError, match="too small for any noise"):
        poisson_theorem_level(1e-200, -1.0, **ONE)
    with pytest.raises(ParameterError, match="level must lie between"):
        poisson_log_delta(1.0, 1e10)


@full_run
@pytest.mark.parametrize("shift", [1, 3, 40])
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-12])
def test_every_large_epsilon_gives_exactly_the_same_least_rate(shift, delta):
    log_delta = math.log(delta)
    vast = poisson_coordinate_level(1e6, log_delta, shift=shift)
    epsilons = np.geomspace(0.1, 1e6, 60)
    rates = [poisson_coordinate_level(float(e), log_delta, shift=shift) for e in epsilons]
    assert len({r for r in rates if r < vast * (1 + 1e-9)}) == 1
    assert rates == sorted(rates, reverse=True)
    assert min(rates) == vast
    below = mp.log(
        mp.nsum(lambda y: mp.exp(-vast) * mp.mpf(vast) ** y / mp.factorial(y), [0, shift - 1])
    )
    assert log_delta * (1 + 1e-9) < below <= log_delta


# --- Theorem E.2 with its erratum: the limit of the binomial theorem, and where it says nothing ---


@pytest.mark.parametrize("level", [371.0, 1e3, 1e6])
@pytest.mark.parametrize("delta", [1e-6, 1e-3])
def test_theorem_against_the_binomial_one(level, delta):
    for l1, l2, linf, dimension in [(1, 1, 1, 1), (8, math.sqrt(8), 1, 50), (30.0, 10.0, 5.0, 3)]:
        moved = oracle.sensitivities(l1, l2, linf, dimension)
        limit = poisson_theorem_limit(math.log(delta), linf_sensitivity=linf, dimension=dimension)
        exact = oracle.theorem_epsilon(max(level, limit), delta, l1, l2, linf, dimension)
        found = poisson_theorem_epsilon(max(level, limit), math.log(delta), **moved)
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


@for_each("epsilon", [1e-6, 0.01, 1.0, 1.2])
def test_theorem_level_never_overspends_and_is_least(epsilon):
    level = poisson_theorem_level(epsilon, MICRO, **ONE)
    assert poisson_theorem_epsilon(level, MICRO, **ONE) <= epsilon
    assert poisson_theorem_epsilon(level * (1 - 1e-12), MICRO, **ONE) > epsilon


def test_a_large_epsilon_gives_the_limit_of_the_theorem():
    limit = poisson_theorem_limit(MICRO, linf_sensitivity=1, dimension=1)
    assert poisson_theorem_level(50.0, MICRO, **ONE) == limit
