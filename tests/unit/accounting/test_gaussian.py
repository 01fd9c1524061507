"""The exact Gaussian curve and its inverses: vectors, oracles, and the private side of rounding."""

import math
import random
import warnings
from decimal import Decimal

import mpmath as mp
import numpy as np
import pytest

from dpviz.accounting import (
    gaussian_epsilon,
    gaussian_log_delta,
    gaussian_sigma,
    group_rho,
    mu_to_rho,
    rho_to_mu,
    zcdp_epsilon,
    zcdp_epsilon_textbook,
)
from dpviz.accounting.levels import gaussian_level, gaussian_rho
from dpviz.errors import ParameterError
from tests import oracles_accounting as oracle
from tests.conftest import few, full_run

DRAWS = 300  # random pairs per seed
DIGITS = 1e-12  # relative error promised
MUS = [1e-6, 1e-3, 0.1, 0.49, 0.51, 1.0, 3.0, 30.0, 1e3]
LOG_DELTAS = [math.log(d) for d in (0.5, 0.1, 1e-3, 1e-6, 1e-12, 1e-100, 1e-300)] + [-2e4]


@pytest.mark.parametrize(
    ("epsilon", "log10_delta", "sigma"),
    [  # MATHEMATICS 3.4
        (1.0, -5, 3.7306316348159423),
        (1.0, -10, 5.867777749630527),
        (0.1, -6, 36.304690426195786),
        (1.0, -100, 21.009409042300621),
        (1.0, -300, 36.865497894111102),
        (5.0, -12, 1.4098377236107347),
        (0.001, -300, 36664.470095428499),
        (1.0, -10000, 214.51958754552369),
        (0.0, -3, 398.94217595855808),
    ],
)
def test_sigma_of_the_vectors(epsilon, log10_delta, sigma):
    found = gaussian_sigma(epsilon, log10_delta * math.log(10), 1.0)
    assert found == pytest.approx(sigma, rel=1e-12)
    assert gaussian_sigma(epsilon, log10_delta * math.log(10), 7.0) == pytest.approx(
        7 * sigma, rel=1e-12
    )


def random_pairs(seed, count=DRAWS):
    """Pairs (epsilon, mu) over nine decades of mu with delta from almost 1 to e^-5e5."""
    rng = random.Random(seed)
    while count:
        mu = 10 ** rng.uniform(-6, 3)
        spread = rng.choice([-1, 1]) * 10 ** rng.uniform(-3, 3)
        epsilon = mu * mu / 2 + mu * spread if rng.random() < 0.8 else 10 ** rng.uniform(-6, 3)
        if epsilon >= 0 and -36 < epsilon / mu - mu / 2 < 1e3:
            count -= 1
            yield epsilon, mu


def test_log_delta_against_fifty_digits(seed):
    for epsilon, mu in random_pairs(seed):
        exact = oracle.gaussian_log_delta(epsilon, mu)
        error = abs(gaussian_log_delta(epsilon, mu) - exact) / abs(exact)
        assert error <= DIGITS, (epsilon, mu)


@pytest.mark.parametrize("mu", MUS)
@pytest.mark.parametrize("a", [-3.0, -0.5, 0.0, 1.9, 2.1, 4.9, 5.1, 40.0])
def test_log_delta_on_both_sides_of_every_regime(mu, a):
    epsilon = a * mu + mu * mu / 2
    if epsilon >= 0:
        exact = oracle.gaussian_log_delta(epsilon, mu)
        assert abs(gaussian_log_delta(epsilon, mu) / exact - 1) <= 1e-14


@full_run
@pytest.mark.parametrize(
    ("epsilon", "mu"), few([(1.0, 1.0), (0.0, 1.0), (3.0, 0.2), (8.0, 5.0)], 3)
)
def test_the_two_oracles_agree(epsilon, mu):
    by_integral = oracle.gaussian_log_delta_by_integral(epsilon, mu)
    assert abs(by_integral / oracle.gaussian_log_delta(epsilon, mu) - 1) < 1e-15


def test_negative_epsilon_by_duality():
    for epsilon, mu in [(-0.1, 1.0), (-5.0, 0.3), (-1e-9, 0.01), (-40.0, 2.0), (-2.0, 40.0)]:
        with mp.workdps(400):
            mirrored = mp.exp(oracle.gaussian_log_delta(-epsilon, mu))
            exact = mp.log(1 - mp.exp(epsilon) + mp.exp(epsilon) * mirrored)
        assert abs(gaussian_log_delta(epsilon, mu) / exact - 1) < 1e-13, (epsilon, mu)


@pytest.mark.parametrize("mu", MUS)
@pytest.mark.parametrize("log_delta", LOG_DELTAS)
def test_epsilon_never_overspends_and_is_least(mu, log_delta):
    epsilon = gaussian_epsilon(log_delta, mu)
    assert gaussian_log_delta(epsilon, mu) <= log_delta
    if epsilon > 0:
        assert oracle.gaussian_log_delta(epsilon, mu) <= log_delta
        assert oracle.gaussian_log_delta(epsilon * (1 - DIGITS), mu) > log_delta
    else:
        assert oracle.gaussian_log_delta(0.0, mu) <= log_delta


@pytest.mark.parametrize("log_delta", [-1e-3, -1e-9, -1e-16, -1e-300])
def test_deltas_near_one_are_calibrated_too(log_delta):
    sigma = gaussian_sigma(1.0, log_delta, 1.0)
    assert gaussian_log_delta(1.0, 1 / sigma) <= log_delta
    assert gaussian_log_delta(1.0, 1 / (0.999 * sigma)) > log_delta
    epsilon = gaussian_epsilon(log_delta, 100.0)
    assert (
        gaussian_log_delta(epsilon, 100.0) <= log_delta < gaussian_log_delta(0.999 * epsilon, 100.0)
    )


def test_far_ends_are_finite_and_ordered():
    assert gaussian_log_delta(1.0, 0.0) == -math.inf
    assert gaussian_epsilon(-5.0, 0.0) == 0.0
    assert -math.inf < gaussian_log_delta(1e300, 1e-300) < -1e300
    assert gaussian_log_delta(0.0, 1e-300) == pytest.approx(
        math.log(1e-300 / math.sqrt(2 * math.pi)), rel=1e-14
    )
    assert gaussian_log_delta(0.0, 1e6) == 0.0
    assert gaussian_epsilon(-1e9, 1e-3) == pytest.approx(1e-3 * math.sqrt(2e9), rel=1e-3)
    assert gaussian_epsilon(-700.0, 1e-290) < 1e-288


@full_run
def test_against_dp_accounting_and_opendp():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dp_accounting import gaussian_mechanism as peer

        for epsilon, delta in [(0.1, 1e-5), (1.0, 1e-6), (4.0, 1e-9)]:
            sigma = peer.get_sigma_gaussian(epsilon, delta)
            assert gaussian_sigma(epsilon, math.log(delta), 1.0) == pytest.approx(sigma, rel=1e-6)
            ours = gaussian_epsilon(math.log(delta), 1 / sigma)
            assert ours == pytest.approx(peer.get_epsilon_gaussian(sigma, delta), rel=1e-6)


def test_what_no_float_can_hold_is_refused():
    with pytest.raises(ParameterError, match="epsilon must be a finite number"):
        gaussian_log_delta(math.nan, 1.0)
    with pytest.raises(ParameterError, match="no noise that a float can hold"):
        gaussian_sigma(0.0, -1e4, 1.0)
    with pytest.raises(ParameterError, match="mu must be at most"):
        gaussian_epsilon(-1.0, 1e200)
    with pytest.raises(ParameterError, match="l2_sensitivity must be"):
        gaussian_sigma(1.0, -1.0, Decimal("1e-400"))


# --- Conversions between rho, mu and (epsilon, delta), and what peers make of them ---


# --- Conversions between rho, mu and (epsilon, delta): vectors, order of the bounds, peers -------


@pytest.mark.parametrize(
    ("rho", "log_delta", "epsilon"),
    [  # MATHEMATICS 3.2; L is rounded here
        (0.1, math.log(1e-6), 2.1419389283854737),
        (0.5, math.log(1e-5), 4.7283869849433139),
        (0.001, math.log(1e-10), 0.26279047514045851),
    ],
)
def test_zcdp_vectors(rho, log_delta, epsilon):
    assert zcdp_epsilon(rho, log_delta) == pytest.approx(epsilon, rel=1e-13)


@pytest.mark.parametrize(
    ("rho", "log_delta", "epsilon"),
    [  # MATHEMATICS 3.2, the textbook bound
        (0.1, math.log(1e-6), 2.4507880004767996),
        (0.001, math.log(1e-10), 0.30448542587702928),
    ],
)
def test_textbook_vectors(rho, log_delta, epsilon):
    assert zcdp_epsilon_textbook(rho, log_delta) == pytest.approx(epsilon, rel=1e-13)


def conversions(rho, log_delta):
    """Every epsilon that Gaussian noise of this rho can be said to have, tightest first."""
    exact = gaussian_epsilon(log_delta, rho_to_mu(rho))
    return [exact, zcdp_epsilon(rho, log_delta), zcdp_epsilon_textbook(rho, log_delta)]


def test_bounds_are_ordered(seed):
    rng = random.Random(seed)
    for _ in range(200):
        rho, log_delta = 10 ** rng.uniform(-8, 4), -(10 ** rng.uniform(-0.5, 4))
        values = conversions(rho, log_delta)
        assert values == sorted(values)
        assert values[1] < values[2]


def test_round_trips():
    for rho in (1e-9, 0.02, 0.5, 7.0, 1e6):
        assert mu_to_rho(rho_to_mu(rho)) == pytest.approx(rho, rel=1e-15)
    assert mu_to_rho(2.0) == 2.0


def test_nothing_costs_nothing():
    assert rho_to_mu(0) == mu_to_rho(0) == 0
    assert conversions(0, -1.0) == [0, 0, 0]


def test_far_ends_of_zcdp_are_finite():
    for rho in (1e-300, 1e-12, 1.0, 1e12, 1e300):
        for log_delta in (-1e-300, -1.0, -1e300):
            assert 0 <= zcdp_epsilon(rho, log_delta) <= zcdp_epsilon_textbook(rho, log_delta)


# --- What a promise to one person is worth to a group --------------------------------------------


@pytest.mark.parametrize("people", [1, 2, 7])
def test_a_group_has_what_its_joint_move_costs(people):
    level = gaussian_level(0.1, 1.0)
    assert group_rho(0.1, people) == pytest.approx(gaussian_rho(level, float(people)))


def test_a_chain_of_pure_steps_is_never_cheaper_than_the_group():
    """(ε, δ) of one, k times in a row, bounds the exact δ of the group at kε."""
    for people in (2, 4):
        for epsilon in (0.1, 0.5, 1.0):
            steps = sum(np.exp(step * epsilon) for step in range(people))
            chain = steps * np.exp(gaussian_log_delta(epsilon, rho_to_mu(0.1)))
            joint = gaussian_log_delta(people * epsilon, rho_to_mu(group_rho(0.1, people)))
            assert np.exp(joint) <= chain * (1 + 1e-9)


# --- The same numbers from OpenDP and dp_accounting, to the digits that these have ---------------
