"""Several Laplace numbers: what they cost together, and how wide their sum is."""

import itertools
import math
import random
from pathlib import Path

import mpmath
import numpy as np
import pytest

from dpviz.accounting import (
    composed_laplace_epsilon,
    composed_laplace_log_delta,
    gaussian_sigma,
    l2_mechanism,
    laplace_l2_scale,
    laplace_log_delta,
    laplace_scale,
    pure_composition_epsilon,
    pure_composition_log_delta,
    zcdp_epsilon_textbook,
)
from dpviz.accounting.laplace import laplace_epsilon_at_rho, laplace_rho, laplace_sum_half_width
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.planning.choice import at_rho
from tests import oracles_accounting as oracle
from tests.conftest import few, for_each, full_run

# --- Independent Laplace releases together: exact splines, peers, never below, refusals ----------

CASES = [
    ([0.25] * 4, 0.6),
    ([0.25, 0.25], 0.0),
    ([0.1, 0.2, 0.5], 0.4),
    ([0.001, 1.0, 0.5], 0.7),
    ([3.0, 2.0], 4.0),
    ([0.3, 0.3, 0.3], 0.899),
    ([math.pi / 10, math.e / 10], 0.35),
    ([1e-4, 1e-4], 1.2e-4),
]


@pytest.mark.parametrize(("epsilons", "epsilon"), few(CASES[1:] + CASES[:1], 4))
def test_never_below_the_exact_delta_and_close_to_it(epsilons, epsilon):
    exact = mpmath.log(oracle.composed_laplace_delta(epsilons, epsilon))
    found = composed_laplace_log_delta(epsilons, epsilon)
    assert exact <= found <= exact + 1e-4


@full_run
def test_oracle_by_integrating_two_outcomes():
    """The spline oracle itself, against quadrature over pairs of outcomes on a fine grid."""
    first, second, epsilon = 0.8, 0.5, 0.6
    step = 0.02
    points = (np.arange(-800, 850) + 0.5) * step
    x, y = points[:, np.newaxis], points[np.newaxis, :]
    p = first * second / 4 * np.exp(-first * abs(x) - second * abs(y))
    q = first * second / 4 * np.exp(-first * abs(x - 1) - second * abs(y - 1))
    total = np.maximum(p - math.exp(epsilon) * q, 0).sum() * step * step
    assert total == pytest.approx(
        float(oracle.composed_laplace_delta([first, second], epsilon)), rel=2e-3
    )


def test_the_vector_of_lemma_62():
    # MATHEMATICS 5.3: l0 = 5, b = 4, epsilon 1: lemma 0.0124207272575, exact 0.0092551847
    lemma = pure_composition_log_delta(5, 0.25, 1.0)
    assert math.exp(lemma) == pytest.approx(0.0124207272575, rel=1e-11)
    exact = composed_laplace_log_delta([0.25] * 5, 1.0)
    assert math.exp(exact) == pytest.approx(0.00925518474225, rel=1e-7)


def test_one_release_is_the_closed_form():
    for epsilon in (0.0, 0.3, 0.69, 0.7):
        found = composed_laplace_log_delta([0.7], epsilon)
        assert found == laplace_log_delta(epsilon, 1.0, 0.7)
    assert composed_laplace_epsilon([0.7], math.log(1e-3)) == pytest.approx(
        0.7 + 2 * math.log(1 - 1e-3), rel=1e-7
    )


def test_from_the_sum_on_nothing_fails_and_just_below_it_the_top_atoms_do():
    assert composed_laplace_log_delta([0.25, 0.5], 0.75) == -math.inf
    assert composed_laplace_log_delta([0.25, 0.5], 9.0) == -math.inf
    gap = 1e-4
    found = composed_laplace_log_delta([0.25, 0.5], 0.75 - gap)
    assert found == pytest.approx(math.log(0.25 * gap), abs=0.01)


@pytest.mark.parametrize("epsilons", [[0.05] * 20, [0.1, 0.3, 0.7, 1.1], [0.02] * 200, [5.0, 0.1]])
@pytest.mark.parametrize("log_delta", [math.log(0.05), math.log(1e-6), -250.0])
def test_epsilon_is_the_inverse(epsilons, log_delta):
    total = composed_laplace_epsilon(epsilons, log_delta)
    assert 0 < total <= sum(epsilons) * (1 + 1e-12)
    assert composed_laplace_log_delta(epsilons, total) <= log_delta
    assert composed_laplace_log_delta(epsilons, total * (1 - 1e-6)) > log_delta
    if len(set(epsilons)) == 1:
        lemma = pure_composition_epsilon(len(epsilons), epsilons[0], log_delta)
        assert total <= lemma * (1 + 1e-6)


def test_order_never_matters_and_more_releases_cost_more(seed):
    rng = random.Random(seed)
    epsilons, before = [], -math.inf
    for _ in range(6):
        epsilons.append(rng.choice([0.1, 0.25, 0.4]))
        found = composed_laplace_log_delta(epsilons, 0.2)
        assert composed_laplace_log_delta(rng.sample(epsilons, len(epsilons)), 0.2) == found
        assert found >= before - 1e-6
        before = found


@full_run
def test_deep_and_wide_ranges_stay_sound():
    assert composed_laplace_epsilon([0.1] * 3, -600.0) == pytest.approx(0.3, rel=1e-9)
    wide = composed_laplace_log_delta([700.0, 0.001], 650.0)
    assert math.log(1 - math.exp(-25)) <= wide + 1e-9
    many = composed_laplace_epsilon([0.001] * 50_000, math.log(1e-6))
    assert many == pytest.approx(pure_composition_epsilon(50_000, 0.001, math.log(1e-6)), rel=0.01)


@for_each("bad", [0.0, -1.0, math.nan, math.inf, None, "x", True])
def test_every_budget_of_a_list_is_looked_at(bad):
    for call, asked in ((composed_laplace_log_delta, 0.5), (composed_laplace_epsilon, -1.0)):
        with pytest.raises(ParameterError, match="every budget of epsilons must be a"):
            call([0.1, bad], asked)


def test_other_refusals():
    with pytest.raises(ParameterError, match="at least one budget"):
        composed_laplace_log_delta([], 0.5)
    with pytest.raises(ParameterError, match="at most 100000 budgets"):
        composed_laplace_log_delta([0.1] * 100_001, 0.5)
    with pytest.raises(ParameterError, match="add up to at most"):
        composed_laplace_log_delta([6e3, 6e3], 0.5)
    with pytest.raises(ParameterError, match="delta is too small"):
        composed_laplace_epsilon([0.1, 0.2], -700.0)


# --- Sums of Laplace noise: intervals against numerical inversion of the characteristic function --

WHOLE = FAMILIES["discrete_laplace"]
COUNTS = (1, 2, 9, 60)


@full_run
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_half_widths_hold_just_what_they_say(count, confidence):
    half = laplace_sum_half_width(count, 5.0, confidence)
    assert oracle.sum_within("laplace", 5.0, count, half) == pytest.approx(confidence, abs=2e-6)
    normal = math.erfc(half / 5 / math.sqrt(4 * count))
    assert abs(normal - (1 - confidence)) > 1e-4  # the law of the same variance is a near miss


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("level", [0.3, 3.0, 40.0])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_whole_half_widths_are_the_least_that_hold_it(count, level, confidence):
    whole = laplace_sum_half_width(count, level, confidence, family=WHOLE)
    assert whole == int(whole)
    assert oracle.sum_within("whole", level, count, whole) >= confidence - 1e-12
    assert whole == 0 or oracle.sum_within("whole", level, count, whole - 1) < confidence


@full_run
@pytest.mark.parametrize("count", [2_001, 50_000])
def test_of_many_terms_only_the_last_weights_count(count):
    half = laplace_sum_half_width(count, 1.0, 0.95)
    assert oracle.sum_within("laplace", 1.0, count, half) == pytest.approx(0.95, abs=2e-6)


def test_no_noise_has_no_width_and_nonsense_is_refused():
    assert laplace_sum_half_width(0, 5.0, 0.95) == 0
    for bad in ((-1, 5.0, 0.95), (2, 0.0, 0.95), (2, 5.0, 1.0), (1_000_001, 5.0, 0.95)):
        with pytest.raises(ParameterError):
            laplace_sum_half_width(*bad)
    with pytest.raises(ParameterError):
        laplace_sum_half_width(2, 5.0, 0.95, family=FAMILIES["gaussian"])


# --- Laplace noise under (epsilon, delta), and its exact ρ ---


# --- Laplace noise under (epsilon, delta): vectors, oracles, peers, the private side of rounding --

DRAWS = 300


def test_l2_scale_is_the_sigma_of_the_textbook_zcdp_bound(seed):
    rng = random.Random(seed)
    for _ in range(100):
        epsilon, log_delta = 10 ** rng.uniform(-6, 2), -(10 ** rng.uniform(-1, 4))
        scale = laplace_l2_scale(epsilon, log_delta, 1.0)
        by_zcdp = zcdp_epsilon_textbook(1 / (2 * scale**2), log_delta)
        assert by_zcdp == pytest.approx(epsilon, rel=1e-12)
        assert gaussian_sigma(epsilon, log_delta, 1.0) <= scale


def test_the_theorem_takes_the_smaller_scale(seed):
    rng = random.Random(seed)
    for _ in range(DRAWS):
        epsilon, log_delta = 10 ** rng.uniform(-3, 1.5), -(10 ** rng.uniform(-1, 3))
        l2 = 10 ** rng.uniform(-2, 2)
        l1 = l2 * 10 ** rng.uniform(0, 2)
        found = l2_mechanism(epsilon, log_delta, l2, l1_sensitivity=l1)
        scales = {"pure": l1 / epsilon, "l2": laplace_l2_scale(epsilon, log_delta, l2)}
        assert found.scale == pytest.approx(scales[found.which], rel=1e-14)
        assert found.scale <= min(scales.values()) * (1 + 1e-12)
        assert found.variance == pytest.approx(2 * found.scale**2, rel=1e-15)
        assert (found.which == "pure") == (log_delta <= found.log_delta_switch)
    always = l2_mechanism(5.0, -1e-9, 1.0, l1_sensitivity=1.5)  # 2R² <= epsilon
    assert (always.which, always.log_delta_switch) == ("pure", 0.0)
    assert l2_mechanism(1.0, -9.0, 1.0, l1_sensitivity=9.0).which == "l2"


@pytest.mark.parametrize("epsilon", few([-1.2, -0.7, 0.3, -3.0, 0.0, 0.9], 2))
def test_curve_by_integrating_the_densities(epsilon):
    for level, l1 in ((1.0, 1.0), (2.0, 1.5), (0.5, 0.6)):
        exact = oracle.laplace_delta_by_integral(epsilon, level, l1)
        found = math.exp(laplace_log_delta(epsilon, level, l1))
        assert found == pytest.approx(float(exact), rel=1e-12, abs=1e-15)


def test_curve_against_fifty_digits(seed):
    rng = random.Random(seed)
    for _ in range(DRAWS):
        level, l1 = 10 ** rng.uniform(-3, 3), 10 ** rng.uniform(-3, 3)
        own = l1 / level
        epsilon = own * rng.choice([rng.random(), 1 - 10 ** rng.uniform(-14, 0)])
        exact = oracle.laplace_log_delta(epsilon, level, l1)
        found = laplace_log_delta(epsilon, level, l1)
        assert found >= exact
        if exact < -1e-299:
            assert abs(found / exact - 1) < 1e-12, (epsilon, level, l1)


def test_from_the_own_budget_on_nothing_fails():
    assert laplace_log_delta(1.0, 1.0, 1.0) == -math.inf
    assert laplace_log_delta(1.5, 1.0, 1.0) == -math.inf
    just = laplace_log_delta(math.nextafter(1, 0), 1.0, 1.0)
    assert just == pytest.approx(math.log(2.0**-54), rel=1e-12)
    assert laplace_log_delta(0.0, 1.0, 5000.0) == 0.0
    assert laplace_log_delta(0.0, 1e-300, 1e300) == 0.0


def test_scale_at_the_ends():
    assert laplace_scale(1.0, -1e9, 3.0) == pytest.approx(3.0, rel=1e-14)
    assert laplace_scale(0.0, math.log(1e-300), 1.0) == pytest.approx(5e299, rel=1e-12)
    assert laplace_scale(1.0, -1e-9, 1.0) == pytest.approx(1 / (1 - 2 * math.log(1e-9)), rel=1e-12)
    with pytest.raises(ParameterError, match="no noise that a float can hold"):
        laplace_scale(0.0, -1000.0, 1.0)
    with pytest.raises(ParameterError, match="no noise that a float can hold"):
        laplace_l2_scale(1e-200, -1.0, 1e200)


def test_the_sensitivities_must_fit_together():
    with pytest.raises(ParameterError, match="at least l2_sensitivity"):
        l2_mechanism(1.0, -1.0, 1.0, l1_sensitivity=0.9)
    rounded = math.sqrt(3) / math.sqrt(3) * (1 - 1e-15)
    assert l2_mechanism(1.0, -1.0, 1.0, l1_sensitivity=rounded).which in ("pure", "l2")


# --- The exact ρ of Laplace noise: against the Rényi divergence by quadrature, and inverted ------


def renyi(epsilon, alpha):
    """D_α of two Laplace laws, by quadrature of p^α q^(1-α)."""
    e, a = mpmath.mpf(epsilon), mpmath.mpf(alpha)

    def integrand(x):
        return mpmath.exp(-a * abs(x) - (1 - a) * abs(x - e)) / 2

    whole = mpmath.quad(integrand, [-mpmath.inf, 0, e, mpmath.inf])
    return mpmath.log(whole) / (a - 1)


@full_run
@pytest.mark.parametrize("epsilon", few([1.0, 0.05, 6.0], 3))
def test_rho_is_the_largest_renyi_divergence_over_its_order(epsilon):
    rho = laplace_rho(epsilon)
    with mpmath.workdps(30):
        by_order = [renyi(epsilon, a) / a for a in (1.0001, 1.01, 1.5, 3, 20)]
    assert all(value < rho for value in by_order)
    assert all(x > y for x, y in itertools.pairwise(by_order))
    assert float(by_order[0]) == pytest.approx(rho, rel=2e-4)
    assert rho < epsilon**2 / 2


@for_each("epsilon", [1e-8, 0.0999, 0.1001, 2.0, 50.0])
def test_rho_has_all_its_digits(epsilon):
    with mpmath.workdps(50):
        want = mpmath.mpf(epsilon) + mpmath.exp(-mpmath.mpf(epsilon)) - 1
        found = mpmath.mpf(laplace_rho(epsilon))
        assert want <= found <= want * (1 + mpmath.mpf("1e-13"))


@for_each("rho", [1e-12, 0.002, 0.5, 1.63, 40.0])
def test_the_inverse_costs_no_more_and_hardly_less(rho):
    epsilon = laplace_epsilon_at_rho(rho)
    assert rho * (1 - 1e-10) <= laplace_rho(epsilon) <= rho


def test_the_ratio_falls_below_1_where_the_document_says():
    """MATHEMATICS 9.1: 4ρ(e)/e² is still above 1 at 2.55, and below it from 2.56 on."""
    assert 4 * laplace_rho(2.5569) / 2.5569**2 > 1 > 4 * laplace_rho(2.5570) / 2.5570**2
    assert 1.63 < laplace_rho(2.557) < 1.635
    text = (Path(__file__).resolve().parents[3] / "docs" / "MATHEMATICS.md").read_text("utf-8")
    assert "below 1 from $e=2.56$ on (it is 1 at $e=2.557$)" in text


def test_gauss_is_the_smaller_one_at_the_same_rho_up_to_1_63():
    for rho, smaller in ((0.002, False), (1.6, False), (1.65, True), (10.0, True)):
        assert (at_rho(rho, l1=1.0, l2=1.0, count=1).ratio < 1) is smaller
    five = at_rho(5 * 1.6, l1=5.0, l2=math.sqrt(5), count=5)
    assert five.ratio > 1
    assert five.ratio_bound == pytest.approx(10, rel=1e-12)
    assert at_rho(0.5, l1=3.0, l2=2.0, count=None).ratio == pytest.approx(2 * 2.25)
