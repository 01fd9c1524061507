"""The same numbers from OpenDP and dp_accounting, to the digits that these have."""

import math
import warnings

import pytest

from dpviz.accounting import (
    gaussian_epsilon,
    gaussian_log_delta,
    rho_to_mu,
    zcdp_epsilon,
)


@pytest.fixture(scope="module")
def opendp():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import opendp.prelude as dp

        dp.enable_features("contrib")
    return dp


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
