"""Every calibration, evaluated again at 50 digits, spends no more than was asked.

Random (epsilon, delta), delta from 0.7 down to 1e-300 and far beyond as ln delta: 40 of them in
every run, 10,000 in the full one. Beside each, a little less noise (or epsilon) does overspend, so
that no calibration passes by being generous. At the end, the search behind them all.
"""

import math
import random

import mpmath as mp
import pytest

from dpviz.accounting import (
    classical_gaussian_sigma,
    gaussian_epsilon,
    gaussian_rho_for,
    gaussian_sigma,
    laplace_l2_scale,
    laplace_scale,
    pure_composition_epsilon,
    zcdp_epsilon,
)
from dpviz.accounting.search import least, move_up
from tests import oracles_accounting as laplace_oracle
from tests import oracles_accounting as oracle
from tests.conftest import FULL, few

DRAWS = 10_000 if FULL else 40
DIGITS = 1e-11  # less noise by this share overspends


def budgets(name: str, draws: int = DRAWS, *, most: float = 2.0, deepest: float = 4.0):
    """Random epsilon, ln delta and sensitivity; every calibration has draws of its own."""
    rng = random.Random(name)
    for _ in range(draws):
        deep = rng.choice([math.log10(690), deepest])
        yield (
            10 ** rng.uniform(-6, most),
            -(10 ** rng.uniform(-0.4, deep)),
            10 ** rng.uniform(-3, 3),
        )


def test_gaussian_sigma():
    for epsilon, log_delta, l2 in budgets("gaussian_sigma"):
        sigma = gaussian_sigma(epsilon, log_delta, l2)
        assert oracle.gaussian_log_delta(epsilon, _ratio(l2, sigma)) <= log_delta
        assert oracle.gaussian_log_delta(epsilon, l2 / (sigma * (1 - DIGITS))) > log_delta


def test_gaussian_epsilon():
    rng = random.Random(2)
    for _, log_delta, _ in budgets("gaussian_epsilon"):
        mu = 10 ** rng.uniform(-6, 3)
        epsilon = gaussian_epsilon(log_delta, mu)
        assert oracle.gaussian_log_delta(epsilon, mu) <= log_delta
        if epsilon > 0.01 * mu:
            assert oracle.gaussian_log_delta(epsilon * (1 - DIGITS), mu) > log_delta


def test_gaussian_rho_for():
    for epsilon, log_delta, _ in budgets("gaussian_rho_for"):
        rho = gaussian_rho_for(epsilon, log_delta)
        with mp.workdps(50):
            mu = mp.sqrt(2 * mp.mpf(rho))
        assert oracle.gaussian_log_delta(epsilon, mu) <= log_delta
        assert oracle.gaussian_log_delta(epsilon, mu * (1 + DIGITS)) > log_delta


def test_zcdp_epsilon():
    rng = random.Random(4)
    for _, log_delta, _ in budgets("zcdp_epsilon"):
        rho = 10 ** rng.uniform(-8, 4)
        exact = max(oracle.zcdp_epsilon(rho, log_delta), 0)
        assert exact <= zcdp_epsilon(rho, log_delta) <= exact * (1 + DIGITS) + 1e-13 * rho


def test_laplace_scale():
    for epsilon, log_delta, l1 in budgets("laplace_scale"):
        scale = laplace_scale(epsilon, log_delta, l1)
        assert laplace_oracle.laplace_log_delta(epsilon, scale, l1) <= log_delta
        less = scale * (1 - DIGITS)
        assert laplace_oracle.laplace_log_delta(epsilon, less, l1) > log_delta


def test_laplace_l2_scale():
    for epsilon, log_delta, l2 in budgets("laplace_l2_scale"):
        scale = laplace_l2_scale(epsilon, log_delta, l2)
        assert laplace_oracle.l2_laplace_epsilon(scale, log_delta, l2) <= epsilon
        assert laplace_oracle.l2_laplace_epsilon(scale * (1 - DIGITS), log_delta, l2) > epsilon


def test_classical_gaussian_sigma():
    """Its theorem, checked: the exact curve of this sigma stays within delta for epsilon <= 1."""
    for epsilon, log_delta, l2 in budgets("classical", most=0.0):
        sigma = classical_gaussian_sigma(epsilon, log_delta, l2)
        assert oracle.gaussian_log_delta(epsilon, _ratio(l2, sigma)) <= log_delta


def test_pure_composition_epsilon():
    rng = random.Random(8)
    for epsilon, log_delta, _ in budgets("pure", most=0.7, deepest=2.8):
        count = rng.choice([1, 2, 3, 10, 20])
        total = pure_composition_epsilon(count, epsilon, log_delta)
        assert laplace_oracle.pure_composition_log_delta(count, epsilon, total) <= log_delta
        if total > 0:
            less = total * (1 - 1e-9)
            assert laplace_oracle.pure_composition_log_delta(count, epsilon, less) > log_delta


def test_this_test_can_fail():
    """A calibration rounded to the nearest instead of up is caught within the first draws."""
    caught = 0
    for epsilon, log_delta, l2 in budgets("nearest", 200):
        big_l = -log_delta
        nearest = l2 * (math.sqrt(epsilon + big_l) + math.sqrt(big_l)) / (math.sqrt(2) * epsilon)
        caught += laplace_oracle.l2_laplace_epsilon(nearest, log_delta, l2) > epsilon
    assert caught > 20


def _ratio(sensitivity: float, noise: float) -> mp.mpf:
    with mp.workdps(50):
        return mp.mpf(sensitivity) / mp.mpf(noise)


# --- The search behind every calibration: least, on the private side, and honest about failure ---


@pytest.mark.parametrize("guess", few([1e-250, 1e-9, 0.3, 1.0, 1e9, 1e250], 2))
@pytest.mark.parametrize("root", [1e-200, 1e-6, math.pi, 1e12])
def test_least_from_any_guess(guess, root):
    found = least(lambda x: (root - x) / max(root, x), guess)
    assert root <= found <= root * (1 + 1e-11)


def test_steps_and_infinities_are_crossed():
    assert least(lambda x: math.inf if x < 2 else -math.inf, 5.0) == pytest.approx(2.0, rel=1e-11)
    assert least(lambda x: 1.0 if x < 2 else 0.0, 0.01) >= 2.0
    stairs = least(lambda x: 10.5 - math.floor(x), 1.0)
    assert stairs >= 11.0
    assert stairs == pytest.approx(11.0, rel=1e-11)


def test_limits():
    assert least(lambda _: 1.0, 1.0, highest=1e6) is None
    assert least(lambda _: -1.0, 1.0, lowest=1e-6) == 1e-6
    assert least(lambda x: 5.0 - x, 1e-3, highest=5.0) == 5.0
    assert least(lambda x: 6.0 - x, 1e-3, highest=5.0) is None


def test_a_jittering_promise_is_kept_where_it_is_returned():
    def excess(x):
        return 3.0 - x + 1e-7 * math.sin(1e9 * x)

    found = least(excess, 1.0, tolerance=1e-9)
    assert excess(found) <= 0
    assert found == pytest.approx(3.0, rel=1e-6)


def test_move_up_stops_at_its_limit():
    assert move_up(lambda _: 1.0, 1.0, 2.0, tolerance=1e-3) == 2.0
    assert move_up(lambda x: 1.5 - x, 1.0, tolerance=1e-3) == pytest.approx(1.5, rel=0.4)
    assert move_up(lambda x: 1.5 - x, 1.0, tolerance=1e-3) >= 1.5
