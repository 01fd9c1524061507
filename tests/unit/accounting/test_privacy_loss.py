"""Losses that are composed: against integrals, plain sums, closed forms, and another library."""

import functools
import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import poisson as poisson_law
from scipy.stats import skellam as skellam_law

from dpviz import accounting
from dpviz.accounting import privacy_loss
from dpviz.accounting.loss_curves import width_of
from dpviz.accounting.privacy_loss import (
    Accounted,
    discrete_laplace,
    gaussian,
    laplace,
    poisson,
    promised,
    skellam,
)
from dpviz.errors import ParameterError


def normal_and_double_exponential(mu, budget, epsilon):
    """Delta of both together, as an integral over the loss of the Laplace noise."""

    def given(loss):
        return math.exp(accounting.gaussian_log_delta(epsilon - loss, mu))

    between = quad(
        lambda g: math.exp((g - budget) / 2) / 4 * given(g), -budget, budget, epsabs=0, epsrel=1e-12
    )[0]
    return 0.5 * math.exp(-budget) * given(-budget) + 0.5 * given(budget) + between


def enumerated(pairs, epsilon):
    """Delta of independent pairs (masses of P, masses of Q), outcome by outcome."""
    p, q = (functools.reduce(np.multiply.outer, side) for side in zip(*pairs, strict=True))
    return float(np.maximum(0.0, p - math.exp(epsilon) * q).sum())


@pytest.mark.parametrize(
    ("mu", "budget", "epsilon"),
    [(1, 1.5, 1), (1, 1.5, 6), (1, 1.5, 20), (0.01, 0.02, 0.01), (5, 3, 10), (30, 0.1, 700)],
)
def test_gaussian_and_laplace_against_an_integral(mu, budget, epsilon):
    true = normal_and_double_exponential(mu, budget, epsilon)
    low, high = gaussian(mu).compose(laplace(2.0, 2 * budget)).bounds(epsilon)
    assert low <= true * (1 + 1e-11)
    assert high >= true * (1 - 1e-11)
    assert high <= true * (1 + 1e-5)
    assert low >= true * (1 - 1e-4)


def test_three_families_against_every_outcome():
    reach = np.arange(-30, 31)
    count = np.arange(61)
    law = poisson_law(2.0)
    away = [
        (law.pmf(count), law.pmf(count - 1)),
        (skellam_law(1.5, 1.5).pmf(reach), skellam_law(1.5, 1.5).pmf(reach - 2)),
        (
            math.tanh(0.25) * np.exp(-np.abs(reach) / 2),
            math.tanh(0.25) * np.exp(-np.abs(reach - 1) / 2),
        ),
    ]
    there = [(q, p) for p, q in away]
    loss = poisson(2.0).compose(skellam(1.5, shift=2)).compose(discrete_laplace(2.0))
    for epsilon in (0.0, 1.0):
        oracle = [enumerated(pairs, epsilon) for pairs in (away, there)]
        found = loss.directions(epsilon)
        assert found == pytest.approx(oracle, rel=2e-4)
        assert min(f - o for f, o in zip(found, oracle, strict=True)) > -1e-5 * max(oracle)
        low, high = loss.bounds(epsilon)
        assert low <= max(oracle) * (1 + 1e-5)
        assert low >= max(oracle) * (1 - 1e-2)
        assert high == max(found)


def test_closed_forms():
    assert gaussian(3.0).compose(gaussian(2.0), times=4) == gaussian(5.0)
    assert gaussian(1.0).log_delta(2.0) == accounting.gaussian_log_delta(2.0, 1.0)
    assert laplace(2.0, 1.0).log_delta(0.25) == accounting.laplace_log_delta(0.25, 2.0, 1.0)
    for shift in (1, 3):
        expected = math.exp(accounting.poisson_log_delta(0.5, 7.0, shift=shift))
        assert poisson(7.0, shift=shift).delta(0.5) == pytest.approx(expected, rel=1e-9)
        assert poisson(7.0, shift=shift, lowered=True).delta(0.5) == poisson(
            7.0, shift=shift
        ).delta(0.5)
        expected = math.exp(accounting.skellam_log_delta(0.5, 7.0, shift=shift))
        assert skellam(7.0, shift=shift).delta(0.5) == pytest.approx(expected, rel=1e-9)


def test_known_compositions():
    many = laplace(20.0, 1.0).compose(laplace(20.0, 1.0), times=19)
    assert many.epsilon(1e-6) == pytest.approx(
        float(accounting.composed_laplace_epsilon([0.05] * 20, math.log(1e-6))), rel=1e-6
    )
    several = poisson(905.0).compose(poisson(905.0), times=49)
    assert several.epsilon(1e-6) == pytest.approx(
        accounting.poisson_groups_epsilon(math.log(1e-6), 905.0, move=((50, 1),)), rel=1e-5
    )
    promises = promised(0.1).compose(promised(0.1), times=9)
    assert promises.log_delta(0.3) == pytest.approx(
        float(accounting.pure_composition_log_delta(10, 0.1, 0.3)), rel=1e-9
    )


def test_both_directions_are_kept_apart():
    up, down = poisson(4.0), poisson(4.0, lowered=True)
    assert up.directions(1.0) == down.directions(1.0)[::-1]
    assert up.directions(1.0)[0] > 50 * up.directions(1.0)[1]
    both = up.compose(down)
    assert both.directions(1.0)[0] == pytest.approx(both.directions(1.0)[1], rel=1e-9)


def test_arrays_and_inverses():
    loss = gaussian(0.5).compose(laplace(1.0, 1.0)).compose(skellam(20.0))
    deltas = np.array([[1e-3, 1e-6], [1e-9, 1e-12]])
    epsilons = loss.epsilon(deltas)
    assert epsilons.shape == (2, 2)
    assert epsilons.dtype == np.float64
    assert np.all(loss.delta(epsilons) <= deltas * (1 + 1e-9))
    assert np.all(loss.delta(epsilons * (1 - 1e-5)) > deltas)
    assert type(loss.delta(1.0)) is float
    assert poisson(4.0).epsilon(1e-6) == math.inf  # nothing counted has probability e^-4
    assert poisson(1e-300).compose(gaussian(1.0)).epsilon(0.5) == math.inf
    assert promised(1.0, 1e-3).compose(gaussian(1.0)).epsilon([1e-2, 1e-4])[1] == math.inf


def test_refusals():
    with pytest.raises(ParameterError, match="other must be a PrivacyLoss"):
        gaussian(1.0).compose(1.0)
    with pytest.raises(ParameterError, match="at most"):
        laplace(1.0, 1.0).compose(laplace(1.0, 1.0), times=1_000_000)
    with pytest.raises(ParameterError, match="ordinary size"):
        laplace(1e-9, 1.0).compose(gaussian(1.0)).delta(1.0)
    with pytest.raises(ParameterError, match="at least 1e-260"):
        gaussian(1.0).epsilon(1e-290)
    with pytest.raises(ParameterError, match="epsilon"):
        gaussian(1.0).delta([1.0, -1.0])


class Pairs:
    """A stand-in for a distribution of dp-accounting: a Gaussian that counts how it is added."""

    def __init__(self, mu):
        self.mu = mu

    def get_delta_for_epsilon(self, epsilon):
        return gaussian(self.mu).delta(epsilon)

    def get_epsilon_for_delta(self, delta):
        return gaussian(self.mu).epsilon(delta)

    def compose(self, other):
        return Pairs(math.hypot(self.mu, other.mu))


def in_use(loss: privacy_loss.Loss) -> list[float]:
    """What code that takes any loss asks of it."""
    whole = loss.compose(loss, times=11)
    return [whole.delta(1.0), whole.epsilon(1e-6)]


def test_another_library_stands_in():
    assert in_use(Accounted(Pairs(0.3))) == pytest.approx(in_use(gaussian(0.3)), rel=1e-9)
    with pytest.raises(ParameterError, match="other must be"):
        Accounted(Pairs(1.0)).compose(gaussian(1.0))


def test_dp_accounting_agrees():
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    theirs = Accounted(pld.from_gaussian_mechanism(1.0, value_discretization_interval=1e-3))
    theirs = theirs.compose(
        Accounted(pld.from_laplace_mechanism(2.0, value_discretization_interval=1e-3)), times=3
    )
    ours = gaussian(1.0).compose(laplace(2.0, 1.0), times=3)
    assert ours.delta([0.5, 3.0]) == pytest.approx(theirs.delta([0.5, 3.0]), rel=1e-3)
    assert ours.epsilon(1e-6) == pytest.approx(theirs.epsilon(1e-6), rel=1e-3)


def test_a_far_end_takes_no_endless_grid():
    """Noise near 0 has losses of hundreds; its grid is no longer than that of any other."""
    loss = skellam(4.9e-225).compose(promised(0.1), times=20)
    assert 2 * 500 / width_of(loss.terms) < 2**17
    assert 517 < loss.epsilon(1e-6) < 521


@pytest.mark.parametrize("flag", [1, "yes", None, np.array([], dtype=int), np.array([True, False])])
def test_a_direction_that_is_neither_true_nor_false_is_refused(flag):
    with pytest.raises(ParameterError, match="lowered must be a bool"):
        privacy_loss.poisson(2.0, lowered=flag)
