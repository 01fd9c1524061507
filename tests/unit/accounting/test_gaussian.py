"""The exact Gaussian curve and its inverses: vectors, oracles, and the private side of rounding."""

import math
import random
from decimal import Decimal

import mpmath as mp
import numpy as np
import pytest

from dpviz.accounting import (
    gaussian_advantage,
    gaussian_epsilon,
    gaussian_log_delta,
    gaussian_sigma,
    gaussian_trade_off,
    group_rho,
    laplace_advantage,
    laplace_log_delta,
    laplace_trade_off,
    mu_to_rho,
    posterior,
    rho_to_mu,
    zcdp_epsilon,
    zcdp_epsilon_textbook,
)
from dpviz.accounting.levels import gaussian_level, gaussian_rho
from dpviz.accounting.tradeoff import promised_advantage, promised_trade_off
from dpviz.errors import ParameterError
from tests import oracles_accounting as oracle
from tests.conftest import few, for_each, full_run

DRAWS = 300  # random pairs per seed
DIGITS = 1e-12  # relative error promised
MUS = [1e-6, 1e-3, 0.1, 0.49, 0.51, 1.0, 3.0, 30.0, 1e3]
LOG_DELTAS = [math.log(d) for d in (0.5, 0.1, 1e-3, 1e-6, 1e-12, 1e-100, 1e-300)] + [-2e4]


@for_each(
    ("epsilon", "log10_delta", "sigma"),
    [  # MATHEMATICS 3.4
        (1.0, -5, 3.7306316348159423),
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
@for_each("log_delta", LOG_DELTAS)
def test_epsilon_never_overspends_and_is_least(mu, log_delta):
    epsilon = gaussian_epsilon(log_delta, mu)
    assert gaussian_log_delta(epsilon, mu) <= log_delta
    assert oracle.gaussian_log_delta(epsilon, mu) <= log_delta
    if epsilon > 0:
        assert oracle.gaussian_log_delta(epsilon * (1 - DIGITS), mu) > log_delta


@for_each("log_delta", [-1e-3, -1e-9, -1e-16, -1e-300])
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


# --- The same numbers from OpenDP and dp_accounting, to the digits that these have ---------------


# --- Trade-off curves, advantages and posteriors ---


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


@for_each("epsilon", [0.01, 0.5, 1.0, 3.0])
def test_laplace_curve_by_the_tests_that_attain_it(epsilon):
    """Reject above y: alpha and beta are tails of Laplace noise of scale 1/epsilon, moved by 1."""

    def upper(x):
        return 0.5 * math.exp(-epsilon * x) if x > 0 else 1 - 0.5 * math.exp(epsilon * x)

    for y in np.linspace(-4 / epsilon, 1 + 4 / epsilon, 41):
        alpha, beta = upper(y), 1 - upper(y - 1)
        assert laplace_trade_off(epsilon, alpha) == pytest.approx(beta, rel=1e-12, abs=1e-15)


@both
def test_noisier_is_never_easier(curve, advantage):
    rows = [curve(size, ALPHAS) for size in SIZES]
    assert all((row[0], row[-1]) == (1.0, 0.0) for row in rows)
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


@for_each(("epsilon", "delta"), [(0.0, 0.2), (1.0, 0.0), (2.0, 0.1), (40.0, 0.0)])
def test_the_promised_advantage_is_that_of_its_curve(epsilon, delta):
    alphas = np.append(ALPHAS, (1 - delta) * math.exp(-epsilon) / (1 + math.exp(-epsilon)))
    most = np.max(1 - alphas - promised_trade_off(epsilon, delta, alphas))
    assert promised_advantage(epsilon, delta) == pytest.approx(most, abs=1e-12)
