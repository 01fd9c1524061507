"""Discrete Laplace noise with a δ: against literal sums of masses and the optimal composition."""

import itertools
import math

import mpmath
import pytest

from dpviz.accounting.privacy_loss import PrivacyLoss, discrete_laplace
from dpviz.accounting.pure_composition import pure_composition_log_delta

FAR = 400


def log_delta(epsilon, level, shift=1, moved=1):
    loss = PrivacyLoss().compose(discrete_laplace(level, shift=shift), times=moved)
    return float(loss.log_delta(epsilon))


def literal_delta(epsilon, level, shift):
    """Σ max(P(y) - e^ε P(y - shift), 0) at 40 digits."""
    a = mpmath.exp(-1 / mpmath.mpf(level))
    norm = (1 - a) / (1 + a)

    def mass(y):
        return norm * a ** abs(y)

    factor = mpmath.exp(mpmath.mpf(epsilon))
    terms = (max(mass(y) - factor * mass(y - shift), 0) for y in range(-FAR, FAR))
    return mpmath.fsum(terms)


@pytest.mark.parametrize(
    ("epsilon", "level", "shift"), [(0.0, 2.0, 1), (0.3, 2.0, 1), (0.5, 4.0, 7), (1.0, 3.0, 10)]
)
def test_one_coordinate_is_the_literal_sum(epsilon, level, shift):
    with mpmath.workdps(40):
        want = literal_delta(epsilon, level, shift)
    found = math.exp(log_delta(epsilon, level, shift=shift))
    assert want * (1 - 1e-12) <= found <= want * (1 + 1e-9)


@pytest.mark.parametrize(("moved", "level", "epsilon"), [(2, 3.0, 0.4), (5, 4.0, 1.0), (40, 9, 2)])
def test_moved_by_one_each_it_is_randomised_response(moved, level, epsilon):
    want = pure_composition_log_delta(moved, 1 / level, epsilon)
    assert log_delta(epsilon, level, moved=moved) == pytest.approx(want, abs=1e-9)


def test_two_coordinates_are_the_double_sum():
    level, shift, epsilon = 2.0, 3, 1.2
    a = math.exp(-1 / level)
    mass = {y: (1 - a) / (1 + a) * a ** abs(y) for y in range(-90, 94)}
    total = sum(
        max(mass[x] * mass[y] - math.exp(epsilon) * mass[x - shift] * mass[y - shift], 0)
        for x, y in itertools.product(range(-80, 90), repeat=2)
    )
    found = math.exp(log_delta(epsilon, level, shift=shift, moved=2))
    assert found == pytest.approx(total, rel=1e-8)


def test_from_the_pure_budget_on_delta_is_zero():
    assert log_delta(2.5, 2.0, shift=5) == -math.inf
    assert log_delta(2.5, 2.0, shift=1, moved=5) == -math.inf
