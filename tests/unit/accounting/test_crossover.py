"""Where Laplace and Gauss change places: by the budgets of each, and by their exact curves."""

import math
import random

import mpmath
import numpy as np
import pytest

from dpviz.accounting import (
    classical_gaussian_sigma,
    crossover_dimension,
    crossover_log_delta,
    gaussian_log_delta,
    gaussian_sigma,
)
from dpviz.accounting.crossover import gaussian_smaller_between, laplace_smaller_up_to
from dpviz.accounting.laplace_composition import (
    laplace_alike_curve,
    laplace_alike_log_delta,
    laplace_alike_scale,
)
from dpviz.errors import NoGuaranteeError, ParameterError
from tests import oracles_accounting as oracle
from tests.conftest import few, for_each, full_run

# --- Where Laplace and Gauss change places: vectors, variances at the crossover, refusals --------

BOTH = ("analytic", "classical")


@for_each(
    ("r_squared", "delta"),
    [
        (1, 0.4598493014643029),
        (5, 0.0084224337488568339),
        (10, 5.6749912203106064e-5),
        (100, 4.650094970026045e-44),
    ],
)
def test_classical_of_the_vectors(r_squared, delta):
    found = crossover_log_delta(0.5, math.sqrt(r_squared), 1.0, gaussian="classical")
    assert found == pytest.approx(math.log(delta), abs=1e-12, rel=1e-14)


def test_laplace_wins_exactly_below(seed):
    rng = random.Random(seed)
    for _ in range(100):
        epsilon, r_squared = 10 ** rng.uniform(-3, 1), 10 ** rng.uniform(0, 4)
        crossing = crossover_log_delta(epsilon, math.sqrt(r_squared), 1.0)
        laplace = 2 * r_squared / epsilon**2
        assert gaussian_sigma(epsilon, crossing * (1 + 1e-6), 1.0) ** 2 > laplace
        if crossing * (1 - 1e-6) < 0:
            assert gaussian_sigma(epsilon, crossing * (1 - 1e-6), 1.0) ** 2 < laplace


@pytest.mark.parametrize("gaussian", BOTH)
def test_dimension_is_the_crossover_turned_round(gaussian, seed):
    rng = random.Random(seed)
    for _ in range(100):
        epsilon, log_delta = 10 ** rng.uniform(-3, 0), -(10 ** rng.uniform(0, 4))
        dimension = crossover_dimension(epsilon, log_delta, gaussian=gaussian)
        if dimension >= 1:
            back = crossover_log_delta(epsilon, math.sqrt(dimension), 1.0, gaussian=gaussian)
            assert back == pytest.approx(log_delta, rel=1e-10)


def test_whole_dimensions_on_both_sides():
    epsilon, log_delta = 1.0, math.log(1e-6)
    most = math.floor(crossover_dimension(epsilon, log_delta))
    variance = gaussian_sigma(epsilon, log_delta, 1.0) ** 2  # l2 = 1 and l1 = sqrt(d)
    assert 2 * most / epsilon**2 < variance < 2 * (most + 1) / epsilon**2
    assert crossover_dimension(0.1, math.log(0.4)) < 1  # Gauss wins already for one


@pytest.mark.parametrize(("epsilon", "delta"), [(5.0, 0.5), (10.0, 1e-6)])
def test_classical_sigma_is_not_private_far_beyond_epsilon_one(epsilon, delta):
    """MATHEMATICS 3.7; up to 1 it is, see test_never_overspends.py."""
    sigma = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    assert gaussian_log_delta(epsilon, 1 / sigma) > math.log(delta)


@pytest.mark.parametrize("epsilon", [math.nextafter(1, 2), 2.0, 10.0])
def test_classical_above_one_is_no_guarantee(epsilon):
    for call in (
        lambda: classical_gaussian_sigma(epsilon, -10.0, 1.0),
        lambda: crossover_log_delta(epsilon, 2.0, 1.0, gaussian="classical"),
        lambda: crossover_dimension(epsilon, -10.0, gaussian="classical"),
    ):
        with pytest.raises(NoGuaranteeError, match="no guarantee for an epsilon above 1"):
            call()
    assert crossover_log_delta(epsilon, 2.0, 1.0) < 0


def test_what_no_bound_or_float_allows_is_refused():
    for gaussian in BOTH:
        with pytest.raises(ParameterError, match="at least l2_sensitivity"):
            crossover_log_delta(1.0, 1.0, 2.0, gaussian=gaussian)
    with pytest.raises(ParameterError, match="no float can hold"):
        classical_gaussian_sigma(1e-200, -1.0, 1e200)


# --- Laplace noise that uses δ, and where it crosses with Gauss: against arithmetic of 30 digits --


@pytest.mark.parametrize(
    ("epsilon", "moved"), few([(1.0, 1), (0.1, 1), (1.0, 2), (1.0, 3), (4.1, 2)], 3)
)
def test_both_noises_have_the_same_delta_at_each_crossing(epsilon, moved):
    """At equal variance μ = e √(n/2): the Gaussian's e at δ* gives Laplace noise the same δ."""
    ends = [x for x in gaussian_smaller_between(epsilon, moved=moved) if x < math.log(0.5)]
    with mpmath.workdps(30):
        for log_delta in ends:
            near = 1 / gaussian_sigma(epsilon, log_delta, 1.0)
            mu = mpmath.findroot(
                lambda m, want=log_delta: oracle.gaussian_log_delta(epsilon, m) - want,
                (0.99 * near, 1.01 * near),
                solver="anderson",
                tol=1e-24,
            )
            own = mu * mpmath.sqrt(mpmath.mpf(2) / moved)
            laplace = oracle.composed_laplace_delta([own] * moved, epsilon)
            assert float(mpmath.log(laplace)) == pytest.approx(log_delta, abs=3e-5)


def test_the_crossing_of_one_number_is_0_063_and_that_of_the_paper_0_04():
    begin, end = gaussian_smaller_between(1.0, moved=1)
    assert round(math.exp(begin), 4) == 0.0629
    assert end == math.log(0.5)
    assert round(math.exp(crossover_log_delta(1.0, 1.0, 1.0)), 4) == 0.0396


@full_run
def test_around_the_tip_no_region_is_overlooked():
    """Scanned finely: Gauss is the smaller one somewhere up to ε = 2.12, for one number."""
    for epsilon, some in few(((2.1, True), (2.0, True), (4.8866, False), (2.15, False)), 3):
        own = np.linspace(epsilon * (1 + 1e-9), 2 * epsilon + 2, 600)
        mu = own / math.sqrt(2)
        laplace = -np.expm1((epsilon - own) / 2)
        normal = mpmath.ncdf
        gauss = [normal(m / 2 - epsilon / m) - math.exp(epsilon) * normal(-m / 2 - epsilon / m)
                 for m in mu]  # fmt: skip
        seen = any(g < x for g, x in zip(gauss, laplace, strict=True) if g <= 0.5)
        assert seen is some
        assert (gaussian_smaller_between(epsilon, moved=1) is not None) is some


@pytest.mark.parametrize("moved", [50, 683, 10_000])
def test_where_a_delta_saves_nothing_the_crossing_is_the_papers(moved):
    begin, _ = gaussian_smaller_between(1.0, moved=moved)
    assert begin == crossover_log_delta(1.0, math.sqrt(moved), 1.0)


@full_run
@pytest.mark.parametrize("moved", [1, 2, 5, 50])
@pytest.mark.parametrize("delta", [0.4, 0.01, 1e-6])
def test_the_least_scale_keeps_delta_and_hardly_less_does_not(moved, delta):
    scale = laplace_alike_scale(1.0, math.log(delta), float(moved), moved=moved)
    assert scale <= moved * (1 + 1e-12)
    assert laplace_alike_log_delta(1.0, 1 / scale, moved=moved) <= math.log(delta) + 1e-9
    assert laplace_alike_log_delta(1.0, 1.001 / scale, moved=moved) > math.log(delta)


def test_the_table_begins_near_the_pure_budget_and_ends_beyond_one_half():
    excess, logs = laplace_alike_curve(1.0, 5)
    assert math.exp(excess[0]) == pytest.approx(1e-3)
    assert logs[-1] > math.log(0.5)
    assert (np.diff(logs) > 0).all()


def test_up_to_how_many_numbers_laplace_is_smaller():
    assert laplace_smaller_up_to(1.0, math.log(1e-6)) == 8
    assert laplace_smaller_up_to(3.0, math.log(0.1)) == 1
    assert laplace_smaller_up_to(10.0, math.log(0.1)) == 5  # by the pure ε: 3
    assert laplace_smaller_up_to(1.0, -1e5) > 90_000


@pytest.mark.parametrize("wrong", [{"moved": 0}, {"moved": 1.5}, {"moved": 50_000}])
def test_what_no_curve_is_known_for_is_refused(wrong):
    with pytest.raises((ParameterError, NoGuaranteeError)):
        laplace_alike_scale(1.0, math.log(0.1), 1.0, **wrong)
    with pytest.raises((ParameterError, NoGuaranteeError)):
        laplace_alike_curve(1.0, 50_000)
    with pytest.raises(NoGuaranteeError, match="reaches down to"):
        laplace_alike_scale(1.0, -601.0, 1.0, moved=900)
