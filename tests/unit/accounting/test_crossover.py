"""Where Laplace and Gauss change places: vectors, variances at the crossover, refusals."""

import math
import random

import pytest

from dpviz.accounting import (
    classical_gaussian_sigma,
    crossover_dimension,
    crossover_log_delta,
    gaussian_log_delta,
    gaussian_sigma,
    laplace_l2_scale,
)
from dpviz.errors import NoGuaranteeError, ParameterError

BOTH = ("analytic", "classical")


@pytest.mark.parametrize(
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
    assert math.exp(found) == pytest.approx(delta, rel=1e-12)


@pytest.mark.parametrize(
    ("epsilon", "r_squared", "log_delta"),
    [
        (1.0, 1, -3.2281034435708802),
        (1.0, 5, -9.1167545788060717),
        (1.0, 10, -15.048115850138949),
        (0.1, 10, -17.794983575777132),
        (4.0, 16, -18.875651363697682),
        (1.0, 100, -108.38177929265913),
        (1.0, 683, -694.2506835611687),
        (0.01, 1000, -1016.9219597983354),
        (1.0, 100000.0, -100018.72806312623),
    ],
)
def test_analytic_of_the_vectors(epsilon, r_squared, log_delta):
    found = crossover_log_delta(epsilon, 3 * math.sqrt(r_squared), 3.0)
    assert found == pytest.approx(log_delta, rel=1e-13)


@pytest.mark.parametrize(
    ("epsilon", "r_squared", "variance"),
    [(1.0, 10, 20.0), (1.0, 683, 1366.0), (0.01, 1000, 19999999.999999999)],
)
def test_variances_agree_at_the_crossover(epsilon, r_squared, variance):
    log_delta = crossover_log_delta(epsilon, math.sqrt(r_squared), 1.0)
    assert gaussian_sigma(epsilon, log_delta, 1.0) ** 2 == pytest.approx(variance, rel=1e-11)


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


def test_sharper_gauss_leaves_laplace_less():
    for epsilon in (0.01, 0.3, 1.0):
        for r_squared in (1, 3, 30, 1000):
            analytic, classical = (
                crossover_log_delta(epsilon, math.sqrt(r_squared), 1.0, gaussian=each)
                for each in BOTH
            )
            assert analytic < classical


def test_l2_laplace_never_beats_the_analytic_gaussian(seed):
    rng = random.Random(seed)
    for _ in range(100):
        epsilon, log_delta = 10 ** rng.uniform(-6, 2), -(10 ** rng.uniform(-2, 4))
        sigma = gaussian_sigma(epsilon, log_delta, 1.0)
        assert 2 * laplace_l2_scale(epsilon, log_delta, 1.0) ** 2 > sigma**2


def test_asymptote_for_many_coordinates():
    epsilon, r = 1.0, 1000.0
    rough = -(r**2) + epsilon / 2 - epsilon**2 / (16 * r**2) - 0.5 * math.log(2 * math.pi)
    rough += math.log(epsilon / (2 * math.sqrt(2) * r**3))
    assert crossover_log_delta(epsilon, r, 1.0) == pytest.approx(rough, abs=1e-5)


def test_classical_sigma_is_private_up_to_epsilon_one_and_not_far_beyond(seed):
    rng = random.Random(seed)
    for _ in range(300):
        epsilon = rng.choice([1.0, 10 ** rng.uniform(-6, 0)])
        log_delta = -(10 ** rng.uniform(-3, 4))
        sigma = classical_gaussian_sigma(epsilon, log_delta, 2.0)
        assert gaussian_log_delta(epsilon, 2.0 / sigma) <= log_delta
    for epsilon, delta in ((5.0, 0.5), (10.0, 1e-6)):  # MATHEMATICS 3.7
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


@pytest.mark.parametrize("bad", [math.nan, math.inf, 0.0, -1.0, "abc", None, True])
def test_bad_arguments_get_a_sentence(bad):
    for gaussian in BOTH:
        for call, name in (
            (lambda g=gaussian: crossover_log_delta(bad, 1.0, 1.0, gaussian=g), "epsilon"),
            (lambda g=gaussian: crossover_log_delta(1.0, bad, 1.0, gaussian=g), "l1_sensitivity"),
            (lambda g=gaussian: crossover_log_delta(1.0, 1.0, bad, gaussian=g), "l2_sensitivity"),
            (lambda g=gaussian: crossover_dimension(bad, -1.0, gaussian=g), "epsilon"),
        ):
            with pytest.raises(ParameterError, match=f"^{name} must be a"):
                call()
    with pytest.raises(ParameterError, match="gaussian must be one of analytic, classical"):
        crossover_dimension(1.0, -1.0, gaussian=bad)


def test_other_refusals():
    for gaussian in BOTH:
        with pytest.raises(ParameterError, match="log_delta must be"):
            crossover_dimension(1.0, 0.0, gaussian=gaussian)
        with pytest.raises(ParameterError, match="at least l2_sensitivity"):
            crossover_log_delta(1.0, 1.0, 2.0, gaussian=gaussian)
    with pytest.raises(ParameterError, match="no float can hold"):
        classical_gaussian_sigma(1e-200, -1.0, 1e200)
