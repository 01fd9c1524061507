"""Several Laplace numbers: what they cost together, and how wide their sum is."""

import math
import random
import warnings

import mpmath as mp
import numpy as np
import pytest

from dpviz.accounting import (
    composed_laplace_epsilon,
    composed_laplace_log_delta,
    laplace_log_delta,
    pure_composition_epsilon,
    pure_composition_log_delta,
)
from dpviz.accounting.laplace import laplace_sum_half_width
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from tests import oracles_accounting_laplace as oracle
from tests.conftest import FULL, few, full_run

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
    exact = mp.log(oracle.composed_laplace_delta(epsilons, epsilon))
    found = composed_laplace_log_delta(epsilons, epsilon)
    assert exact <= found <= exact + 1e-4


@full_run
def test_random_budgets_never_overspend(seed):
    rng = random.Random(seed)
    for _ in range(5 if FULL else 1):
        epsilons = [10 ** rng.uniform(-3, 0.7) for _ in range(rng.choice([2, 2, 3]))]
        epsilon = composed_laplace_epsilon(epsilons, -(10 ** rng.uniform(0.3, 2.3)))
        found = composed_laplace_log_delta(epsilons, epsilon)
        exact = oracle.composed_laplace_delta(epsilons, epsilon)
        assert exact == 0 or mp.log(exact) <= found


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
    assert math.exp(exact) == pytest.approx(0.0092553, rel=2e-5)
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


@full_run
def test_against_dp_accounting():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dp_accounting.pld import privacy_loss_distribution as pld

        def single(epsilon):
            return pld.from_laplace_mechanism(1 / epsilon, value_discretization_interval=1e-5)

        for epsilons, epsilon in (([0.25] * 5, 1.0), ([0.1, 0.3, 0.5], 0.6)):
            peer = single(epsilons[0])
            for each in epsilons[1:]:
                peer = peer.compose(single(each))
            ours = math.exp(composed_laplace_log_delta(epsilons, epsilon))
            assert ours == pytest.approx(peer.get_delta_for_epsilon(epsilon), rel=1e-5)


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


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf, None, "x", True])
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


def whole_masses(count, level, size=2**15):
    """P(S = s) for s = 0…size/2, by a discrete Fourier transform; aliases are below 1e-12."""
    a = math.exp(-1 / level)
    angle = 2 * np.pi * np.arange(size) / size
    return np.fft.fft(((1 - a) ** 2 / (1 - 2 * a * np.cos(angle) + a * a)) ** count).real / size


def real_tail(count, beyond):
    """P(|S| > x) by the inversion formula, trapezoids up to where φ is negligible."""
    u = np.linspace(1e-9, {1: 1e4, 2: 1e3}.get(count, 30.0), 1_000_001)
    inner = np.sin(u * beyond) / u * np.exp(-count * np.log1p(u * u))
    return 1 - 2 / np.pi * np.trapezoid(inner, u)


@full_run
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_half_widths_hold_just_what_they_say(count, confidence):
    half = laplace_sum_half_width(count, 5.0, confidence) / 5.0
    assert real_tail(count, half) == pytest.approx(1 - confidence, abs=2e-6)
    normal = math.erfc(half / math.sqrt(4 * count))
    assert abs(normal - (1 - confidence)) > 1e-4  # the law of the same variance is a near miss


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("level", [0.3, 3.0, 40.0])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_whole_half_widths_are_the_least_that_hold_it(count, level, confidence):
    whole = laplace_sum_half_width(count, level, confidence, family=WHOLE)
    assert whole == int(whole)
    masses = whole_masses(count, level)
    kept = masses[0] + 2 * masses[1 : int(whole) + 1].sum()
    assert kept >= confidence - 1e-12
    assert whole == 0 or kept - 2 * masses[int(whole)] < confidence


@full_run
@pytest.mark.parametrize("count", [2_001, 50_000])
def test_of_many_terms_only_the_last_weights_count(count):
    half = laplace_sum_half_width(count, 1.0, 0.95)
    assert real_tail(count, half) == pytest.approx(0.05, abs=2e-6)


def test_no_noise_has_no_width_and_nonsense_is_refused():
    assert laplace_sum_half_width(0, 5.0, 0.95) == 0
    for bad in ((-1, 5.0, 0.95), (2, 0.0, 0.95), (2, 5.0, 1.0), (1_000_001, 5.0, 0.95)):
        with pytest.raises(ParameterError):
            laplace_sum_half_width(*bad)
    with pytest.raises(ParameterError):
        laplace_sum_half_width(2, 5.0, 0.95, family=FAMILIES["gaussian"])
