"""Conversions between rho, mu and (epsilon, delta), and what peers make of them."""

import math
import random
import warnings

import numpy as np
import pytest

from dpviz.accounting import (
    gaussian_epsilon,
    gaussian_log_delta,
    group_rho,
    mu_to_rho,
    rho_to_mu,
    zcdp_epsilon,
    zcdp_epsilon_textbook,
)
from dpviz.accounting.levels import gaussian_level, gaussian_rho
from tests.conftest import full_run

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


def test_goldens_of_one_sigma():
    exact, renyi, textbook = conversions(0.5, math.log(1e-6))
    assert exact == pytest.approx(4.886554, abs=5e-7)
    assert renyi == pytest.approx(5.2215, abs=5e-5)
    assert textbook == pytest.approx(5.7565, abs=5e-5)


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


@pytest.fixture(scope="module")
def opendp():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import opendp.prelude as dp

        dp.enable_features("contrib")
    return dp


@full_run  # it is the quotient that test_never_overspends.py has at 50 digits
@pytest.mark.parametrize("rho", [1e-3, 0.1, 0.5, 3.0])
def test_zcdp_conversion_of_opendp(opendp, rho):
    space = opendp.atom_domain(T=float, nan=False), opendp.absolute_distance(T=float)
    noise = opendp.m.make_gaussian(*space, scale=1 / math.sqrt(2 * rho))
    assert noise.map(1.0) == pytest.approx(rho, rel=1e-9)
    profile = opendp.c.make_zCDP_to_approxDP(noise).map(1.0)
    for delta in (1e-2, 1e-6, 1e-12):
        peer = profile.epsilon(delta)
        assert zcdp_epsilon(rho, math.log(delta)) == pytest.approx(peer, rel=1e-9)
        assert gaussian_epsilon(math.log(delta), rho_to_mu(rho)) < peer


@full_run
@pytest.mark.parametrize("mu", [0.1, 1.0, 4.0])
def test_gaussian_curve_of_dp_accounting(mu):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss

        loss = GaussianPrivacyLoss(1 / mu)
        for epsilon in (0.0, 0.1, 1.0, 3.0):
            peer = loss.get_delta_for_epsilon(epsilon)
            assert math.exp(gaussian_log_delta(epsilon, mu)) == pytest.approx(
                peer, rel=1e-9, abs=1e-14
            )
