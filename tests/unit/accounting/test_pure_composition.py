"""Optimal composition of equal pure guarantees, and histograms in rounds: vectors and oracles."""

import math
import random
import warnings

import pytest

from dpviz.accounting import (
    gaussian_epsilon,
    histogram_gaussian_epsilon,
    histogram_laplace_epsilon,
    histogram_loose_epsilon,
    pure_composition_epsilon,
    pure_composition_log_delta,
)
from dpviz.accounting.mixed_composition import mixed_composition_log_delta
from dpviz.errors import ParameterError
from tests import oracles_accounting_laplace as oracle

LN = math.log(1e-6)
HISTOGRAMS = (
    histogram_gaussian_epsilon,
    histogram_loose_epsilon,
    histogram_laplace_epsilon,
)


@pytest.mark.parametrize(
    ("count", "epsilon", "total", "delta"),
    [  # MATHEMATICS 5.2
        (5, 0.5, 1.0, 0.18409792625505251),
        (10, 0.1, 0.3, 0.035097126129787822),
        (30, 0.1, 1.0, 0.010561676338629967),
        (3, 1.0, 0.0, 0.64383265260590658),
        (8, 0.4, 0.9, 0.18814009730566213),
    ],
)
def test_vectors(count, epsilon, total, delta):
    found = pure_composition_log_delta(count, epsilon, total)
    assert math.exp(found) == pytest.approx(delta, rel=1e-12)


@pytest.mark.parametrize("count", [1, 2, 5, 9])
def test_against_every_vector_of_answers(count):
    for epsilon in (0.01, 0.5, 3.0):
        for share in (0.0, 0.3, 0.77, 0.999):
            exact = oracle.pure_composition_delta(count, epsilon, share * count * epsilon)
            found = pure_composition_log_delta(count, epsilon, share * count * epsilon)
            assert math.exp(found) == pytest.approx(float(exact), rel=1e-12)


def test_against_fifty_digits(seed):
    rng = random.Random(seed)
    for _ in range(150):
        count, epsilon = rng.choice([1, 2, 7, 40, 300, 1000]), 10 ** rng.uniform(-4, 1)
        total = rng.random() * count * epsilon
        exact = oracle.pure_composition_log_delta(count, epsilon, total)
        found = pure_composition_log_delta(count, epsilon, total)
        assert found >= exact
        assert found <= exact + 1e-12 * (1 + abs(exact)), (count, epsilon, total)


def test_epsilon_is_the_least_that_holds(seed):
    rng = random.Random(seed)
    for _ in range(100):
        count, epsilon = rng.randrange(1, 200), 10 ** rng.uniform(-3, 0.7)
        log_delta = -(10 ** rng.uniform(-0.1, 2.5))
        total = pure_composition_epsilon(count, epsilon, log_delta)
        assert 0 <= total <= count * epsilon * (1 + 1e-15)
        if total > 0:
            assert pure_composition_log_delta(count, epsilon, total) <= log_delta
            less = total * (1 - 1e-9)
            assert oracle.pure_composition_log_delta(count, epsilon, less) > log_delta
        else:
            assert oracle.pure_composition_log_delta(count, epsilon, 0.0) <= log_delta


def test_one_part_and_many():
    assert pure_composition_log_delta(1, 0.5, 0.5) == -math.inf
    assert pure_composition_epsilon(1, 0.5, -1e6) == pytest.approx(0.5, rel=1e-15)
    assert pure_composition_epsilon(3, 0.01, math.log(0.5)) == 0.0
    many = pure_composition_log_delta(1_000_000, 0.001, 5.0)
    near = gaussian_epsilon(many, 1.0)  # mu = sqrt(k) epsilon: the central limit
    assert near == pytest.approx(5.0, rel=1e-3)
    assert pure_composition_log_delta(1000, 800.0, 0.0) == 0.0


def test_more_parts_cost_more():
    totals = [pure_composition_epsilon(k, 0.1, LN) for k in (1, 2, 5, 20, 100, 1000)]
    assert totals == sorted(totals)
    assert totals[-1] < 100


def test_against_dp_accounting():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dp_accounting.pld import privacy_loss_distribution as pld

        peer = pld.from_randomized_response(2 / (1 + math.exp(0.5)), 2).self_compose(7)
        ours = math.exp(pure_composition_log_delta(7, 0.5, 1.3))
        assert ours == pytest.approx(peer.get_delta_for_epsilon(1.3), rel=1e-3)


ROUNDS = {"l0_sensitivity": 10, "rounds": 20}


def test_rounds_of_the_vectors():
    # MATHEMATICS 9.2: l0 = 10, 20 rounds, sigma = 100, delta = 1e-6
    assert histogram_gaussian_epsilon(LN, 100, **ROUNDS) == pytest.approx(0.5750551858, rel=1e-9)
    assert histogram_loose_epsilon(LN, 100, **ROUNDS) == pytest.approx(2.6952529388, rel=1e-9)
    laplace = histogram_laplace_epsilon(LN, 100 / math.sqrt(2), **ROUNDS)
    assert laplace == pytest.approx(0.8280774291, rel=1e-9)


@pytest.mark.parametrize(
    ("l0", "laplace", "gaussian"),
    [
        (1, 0.0499980488, 0.1306270232),
        (5, 0.2499717155, 0.3087075267),
        (20, 0.8722820210, 0.6481050995),
        (50, 1.4890426215, 1.0607018623),
        (100, 2.2075327009, 1.5436304518),
    ],
)
def test_one_round_at_equal_variance(l0, laplace, gaussian):
    sigma = math.sqrt(2) * 20
    assert histogram_laplace_epsilon(LN, 20, l0_sensitivity=l0) == pytest.approx(laplace, rel=1e-9)
    exact = histogram_gaussian_epsilon(LN, sigma, l0_sensitivity=l0)
    assert exact == pytest.approx(gaussian, rel=1e-9)
    once = histogram_loose_epsilon(LN, sigma, l0_sensitivity=l0)
    assert once == histogram_gaussian_epsilon(LN, sigma, l0_sensitivity=l0)


def test_the_loose_way_reverses_the_verdict_of_the_exact_one():
    laplace = histogram_laplace_epsilon(LN, 100 / math.sqrt(2), **ROUNDS)
    assert histogram_gaussian_epsilon(LN, 100, **ROUNDS) < laplace
    assert histogram_loose_epsilon(LN, 100, **ROUNDS) > laplace


def test_rounds_multiply_groups_and_sensitivity_scales():
    one = histogram_gaussian_epsilon(LN, 50, l0_sensitivity=12)
    for split in ({"l0_sensitivity": 3, "rounds": 4}, {"l0_sensitivity": 1, "rounds": 12}):
        assert histogram_gaussian_epsilon(LN, 50, **split) == pytest.approx(one, rel=1e-12)
    scaled = histogram_gaussian_epsilon(LN, 500, l0_sensitivity=12, linf_sensitivity=10)
    assert scaled == pytest.approx(one, rel=1e-12)
    assert histogram_loose_epsilon(math.log(0.9), 1e6, **ROUNDS) == 0.0


@pytest.mark.parametrize("bad", [math.nan, 0.0, -1.0, "x", None, True])
def test_bad_numbers_are_refused(bad):
    for call in HISTOGRAMS:
        with pytest.raises(ParameterError, match=r"(sigma|scale) must be a"):
            call(LN, bad, **ROUNDS)
        with pytest.raises(ParameterError, match="linf_sensitivity must be a"):
            call(LN, 1.0, linf_sensitivity=bad, **ROUNDS)
    with pytest.raises(ParameterError, match="epsilon must be a"):
        pure_composition_log_delta(3, bad, 0.5)
    with pytest.raises(ParameterError, match="epsilon must be a"):
        pure_composition_epsilon(3, bad, LN)


@pytest.mark.parametrize("bad", [0, -1, 1.5, "3", None, True])
def test_counts_are_whole(bad):
    for call in HISTOGRAMS:
        for name in ("l0_sensitivity", "rounds"):
            with pytest.raises(ParameterError, match=f"{name} must be a whole number"):
                call(LN, 1.0, **(ROUNDS | {name: bad}))
    for call in (pure_composition_log_delta, pure_composition_epsilon):
        with pytest.raises(ParameterError, match="count must be a whole number"):
            call(bad, 0.1, -3.0 if call is pure_composition_epsilon else 0.2)


def test_totals_below_zero_are_those_of_the_mixed_composition():
    """There delta is 1 - e^g from -count epsilon on, and dual to the one above 0."""
    for count, epsilon, total in ((1, 0.5, -0.2), (6, 0.3, -1.0), (57, 0.1, -0.05), (5, 1.0, -9.0)):
        found = pure_composition_log_delta(count, epsilon, total)
        assert found == pytest.approx(
            mixed_composition_log_delta(count, 0, epsilon, total), rel=1e-9, abs=1e-12
        )
        mirrored = math.exp(pure_composition_log_delta(count, epsilon, -total))
        assert math.exp(found) == pytest.approx(-math.expm1(total) + math.exp(total) * mirrored)
    assert pure_composition_log_delta(5, 1e-10, -1e300) == 0


def test_other_refusals():
    for call in HISTOGRAMS:
        with pytest.raises(ParameterError, match="log_delta must be"):
            call(0.0, 1.0, **ROUNDS)
    with pytest.raises(ParameterError, match="count must be at most"):
        pure_composition_log_delta(10**7, 0.1, 0.2)
    with pytest.raises(ParameterError, match="epsilon_total must be"):
        pure_composition_log_delta(3, 0.1, math.nan)
    with pytest.raises(ParameterError, match="log_delta must be"):
        pure_composition_epsilon(3, 0.1, 0.5)
