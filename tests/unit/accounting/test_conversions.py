"""Conversions between rho, mu and (epsilon, delta): vectors, order of the bounds, peers."""

import math
import random
import warnings
from decimal import Decimal
from fractions import Fraction

import pytest

from dpviz.accounting import (
    gaussian_epsilon,
    gaussian_rho_for,
    mu_to_rho,
    rho_to_mu,
    zcdp_epsilon,
    zcdp_epsilon_textbook,
)
from dpviz.errors import ParameterError
from tests import oracles_accounting as oracle


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


def test_zcdp_is_the_infimum_and_never_below_it(seed):
    rng = random.Random(seed)
    for _ in range(40):
        rho, log_delta = 10 ** rng.uniform(-8, 4), -(10 ** rng.uniform(-1, 4))
        exact = max(oracle.zcdp_epsilon(rho, log_delta), 0)
        found = zcdp_epsilon(rho, log_delta)
        assert exact <= found <= exact * (1 + 1e-12) + 1e-13 * rho, (rho, log_delta)


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


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 8.0, 60.0])
@pytest.mark.parametrize("delta", [1e-30, 1e-6, 0.1])
def test_rho_for_epsilon_never_overspends_and_is_largest(epsilon, delta):
    rho = gaussian_rho_for(epsilon, math.log(delta))
    assert gaussian_epsilon(math.log(delta), rho_to_mu(rho)) <= epsilon
    assert gaussian_epsilon(math.log(delta), rho_to_mu(rho * (1 + 1e-12))) > epsilon


def test_nothing_costs_nothing():
    assert rho_to_mu(0) == mu_to_rho(0) == 0
    assert conversions(0, -1.0) == [0, 0, 0]


def test_far_ends_of_zcdp_are_finite():
    for rho in (1e-300, 1e-12, 1.0, 1e12, 1e300):
        for log_delta in (-1e-300, -1.0, -1e300):
            assert 0 <= zcdp_epsilon(rho, log_delta) <= zcdp_epsilon_textbook(rho, log_delta)


def test_against_opendp_and_dp_accounting():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import dp_accounting
        from dp_accounting.rdp import rdp_privacy_accountant

        for rho, delta in [(0.1, 1e-6), (0.5, 1e-5), (2.0, 1e-9)]:
            accountant = rdp_privacy_accountant.RdpAccountant(
                orders=[1 + 10 ** (k / 40) for k in range(-80, 120)]
            )
            accountant.compose(dp_accounting.GaussianDpEvent(1 / rho_to_mu(rho)))
            peer = accountant.get_epsilon(delta)  # the same conversion on a grid of orders
            ours = zcdp_epsilon(rho, math.log(delta))
            assert ours <= peer * (1 + 1e-12)
            assert ours == pytest.approx(peer, rel=1e-3)


def test_opendp_is_never_tighter_than_the_exact_curve():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import opendp.prelude as dp

        dp.enable_features("contrib")
        space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
        for sigma, delta in [(1.0, 1e-6), (5.0, 1e-9)]:
            measurement = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=sigma))
            peer = measurement.map(d_in=1.0).epsilon(delta)
            exact, renyi, _ = conversions(mu_to_rho(1 / sigma), math.log(delta))
            assert exact < renyi <= peer * (1 + 1e-9)
            assert renyi == pytest.approx(peer, rel=0.02)


def test_exact_budgets_are_accepted():
    assert rho_to_mu(Decimal("0.5")) == rho_to_mu(Fraction(1, 2)) == 1.0
    assert zcdp_epsilon(Decimal("0.5"), Decimal(-10)) == zcdp_epsilon(0.5, -10.0)


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf, "abc", None, True])
def test_bad_budgets_get_a_sentence(bad):
    for call in (
        lambda: rho_to_mu(bad),
        lambda: mu_to_rho(bad),
        lambda: zcdp_epsilon(bad, -1.0),
        lambda: zcdp_epsilon_textbook(bad, -1.0),
        lambda: gaussian_rho_for(bad, -1.0),
    ):
        with pytest.raises(ParameterError, match="must be a"):
            call()
