"""Trade-off curves, advantages and posteriors: vectors, duality with the exact curves, refusals."""

import math
import random

import mpmath as mp
import numpy as np
import pytest

from dpviz.accounting import (
    gaussian_advantage,
    gaussian_log_delta,
    gaussian_trade_off,
    laplace_advantage,
    laplace_log_delta,
    laplace_trade_off,
    posterior,
)
from dpviz.accounting.tradeoff import promised_advantage, promised_trade_off
from tests.conftest import few, full_run

ALPHAS = np.linspace(0, 1, 20_001)
SIZES = [1e-6, 0.01, 0.3, 1.0, 3.0, 10.0, 100.0, 1000.0]
CURVES = {
    "gaussian": (gaussian_trade_off, gaussian_advantage),
    "laplace": (laplace_trade_off, laplace_advantage),
}
both = pytest.mark.parametrize(("curve", "advantage"), CURVES.values(), ids=CURVES)


def test_gaussian_curve_by_its_formula():
    for mu in (0.1, 1.0, 4.0):
        for alpha in (1e-12, 0.05, 0.5, 0.9):
            with mp.workdps(30):
                quantile = mp.findroot(
                    lambda x, a=alpha: mp.ncdf(-x) - a, -float(mp.log(alpha)) / 5
                )
                exact = mp.ncdf(quantile - mu)
            assert gaussian_trade_off(mu, alpha) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0])
def test_laplace_curve_by_the_tests_that_attain_it(epsilon):
    """Reject above y: alpha and beta are tails of Laplace noise of scale 1/epsilon, moved by 1."""

    def upper(x):
        return 0.5 * math.exp(-epsilon * x) if x > 0 else 1 - 0.5 * math.exp(epsilon * x)

    for y in np.linspace(-4 / epsilon, 1 + 4 / epsilon, 41):
        alpha, beta = upper(y), 1 - upper(y - 1)
        assert laplace_trade_off(epsilon, alpha) == pytest.approx(beta, rel=1e-12, abs=1e-15)


@full_run
@both
@pytest.mark.parametrize("size", few(SIZES, 2))
def test_curves_fall_are_convex_and_symmetric(curve, advantage, size):
    beta = curve(size, ALPHAS)
    assert beta[0] == 1.0
    assert beta[-1] == 0.0
    assert ((beta >= 0) & (beta <= 1 - ALPHAS + 1e-15)).all()
    assert (np.diff(beta) <= 0).all()
    assert (np.diff(beta, 2) >= -1e-13).all()
    inside = beta > 1e-9
    assert curve(size, beta[inside]) == pytest.approx(ALPHAS[inside], abs=1e-9)  # its own inverse
    best = (1 - (ALPHAS + beta)).max()
    assert best == pytest.approx(advantage(size), abs=1e-4)
    assert best <= advantage(size) + 1e-15


@both
def test_noisier_is_never_easier(curve, advantage):
    rows = [curve(size, ALPHAS) for size in SIZES]
    for less, more in zip(rows[1:], rows, strict=False):
        assert (less <= more).all()
    gains = [advantage(size) for size in SIZES]
    assert gains == sorted(gains)


def test_advantage_is_delta_at_epsilon_zero():
    for size in SIZES[:6]:
        assert gaussian_advantage(size) == pytest.approx(
            math.exp(gaussian_log_delta(0.0, size)), rel=1e-12
        )
        assert laplace_advantage(size) == pytest.approx(
            math.exp(laplace_log_delta(0.0, 1.0, size)), rel=1e-12
        )


@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.5])
def test_curves_and_deltas_are_dual(epsilon):
    """The delta at epsilon is the largest 1 - e^epsilon alpha - beta [Dong, Roth, Su 2019]."""
    alphas = np.geomspace(1e-8, 1, 200_001)
    for size in (0.5, 1.0, 2.0):
        best = (1 - math.exp(epsilon) * alphas - gaussian_trade_off(size, alphas)).max()
        assert best == pytest.approx(math.exp(gaussian_log_delta(epsilon, size)), rel=1e-6)
        best = (1 - math.exp(epsilon) * alphas - laplace_trade_off(size, alphas)).max()
        exact = math.exp(laplace_log_delta(epsilon, 1.0, size))
        assert best == pytest.approx(exact, rel=1e-6, abs=1e-7)


def test_independent_gaussians_are_one_of_the_root_of_the_sum(seed):
    """A simulated likelihood-ratio attacker lies on the curve of sqrt(sum mu²), not on another."""
    rng = np.random.Generator(np.random.PCG64(seed))
    mus = np.array([0.5, 0.8, 0.3])
    out = rng.normal(size=(200_000, 3)) @ mus
    inside = rng.normal(mus, size=(200_000, 3)) @ mus
    for threshold in (0.0, 0.3, 0.9):
        alpha, beta = (out > threshold).mean(), (inside <= threshold).mean()
        error = 5 * 0.5 / math.sqrt(200_000) * 2
        assert beta == pytest.approx(gaussian_trade_off(np.sqrt((mus**2).sum()), alpha), abs=error)
        assert abs(beta - gaussian_trade_off(mus.sum(), alpha)) > error


def test_posterior_is_bayes_rule():
    low, high = posterior(0.5, math.log(3))
    assert (low, high) == pytest.approx((0.25, 0.75), rel=1e-14)
    low, high = posterior(0.1, 1.0)
    odds = 0.1 / 0.9
    assert low == pytest.approx(odds / math.e / (1 + odds / math.e), rel=1e-14)
    assert high == pytest.approx(odds * math.e / (1 + odds * math.e), rel=1e-14)


def test_posterior_is_rounded_outwards(seed):
    rng = random.Random(seed)
    for _ in range(300):
        prior, epsilon = rng.random() * 0.998 + 0.001, 10 ** rng.uniform(-6, 2)
        low, high = posterior(prior, epsilon)
        with mp.workdps(50):
            odds = mp.mpf(prior) / (1 - mp.mpf(prior))
            exact = [odds * mp.exp(s * mp.mpf(epsilon)) for s in (-1, 1)]
            below, above = (x / (1 + x) for x in exact)
            assert low <= below
            assert high >= above
        assert low == pytest.approx(float(below), rel=1e-14, abs=0)
        assert high == pytest.approx(float(above), rel=1e-14, abs=0)
        assert low < prior < high
    assert posterior(0.5, 0.0) == pytest.approx((0.5, 0.5), rel=1e-14)
    assert posterior(1e-300, 2000.0)[1] == 1.0
    assert posterior(0.5, 2000.0)[0] == 0.0


def test_posterior_holds_for_laplace_noise():
    prior, epsilon = 0.3, 0.7
    low, high = posterior(prior, epsilon)
    for y in np.linspace(-50, 50, 1001):
        p, q = math.exp(-epsilon * abs(y - 1)), math.exp(-epsilon * abs(y))
        after = prior * p / (prior * p + (1 - prior) * q)
        assert low * (1 - 1e-14) <= after <= high * (1 + 1e-14)


def test_no_curve_comes_below_what_its_budget_promises():
    for epsilon in (0.1, 1.0, 4.0):
        assert np.all(laplace_trade_off(epsilon, ALPHAS) >= promised_trade_off(epsilon, 0, ALPHAS))
        for mu in (0.3, 1.0):
            delta = math.exp(gaussian_log_delta(epsilon, mu))
            bound = promised_trade_off(epsilon, delta, ALPHAS)
            assert np.all(gaussian_trade_off(mu, ALPHAS) >= bound - 1e-12)
            lower = promised_trade_off(epsilon, delta / 2, ALPHAS)
            touched = np.any(gaussian_trade_off(mu, ALPHAS) < lower - 1e-9)
            assert touched or delta < 1e-3


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.2), (1.0, 0.0), (2.0, 0.1), (40.0, 0.0)])
def test_the_promised_advantage_is_that_of_its_curve(epsilon, delta):
    alphas = np.append(ALPHAS, (1 - delta) * math.exp(-epsilon) / (1 + math.exp(-epsilon)))
    most = np.max(1 - alphas - promised_trade_off(epsilon, delta, alphas))
    assert promised_advantage(epsilon, delta) == pytest.approx(most, abs=1e-12)
