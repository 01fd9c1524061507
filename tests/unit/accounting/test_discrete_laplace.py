"""Discrete Laplace noise with a δ: against literal sums of masses and the optimal composition."""

import itertools
import math

import mpmath
import pytest

from dpviz.accounting.discrete_laplace import discrete_laplace_level_at, discrete_laplace_log_delta
from dpviz.accounting.pure_composition import pure_composition_log_delta
from dpviz.errors import ParameterError

FAR = 400


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
    found = math.exp(discrete_laplace_log_delta(epsilon, level, shift=shift))
    assert want * (1 - 1e-12) <= found <= want * (1 + 1e-9)


@pytest.mark.parametrize(("moved", "level", "epsilon"), [(2, 3.0, 0.4), (5, 4.0, 1.0), (40, 9, 2)])
def test_moved_by_one_each_it_is_randomised_response(moved, level, epsilon):
    want = pure_composition_log_delta(moved, 1 / level, epsilon)
    assert discrete_laplace_log_delta(epsilon, level, moved=moved) == pytest.approx(want, abs=1e-9)


def test_two_coordinates_are_the_double_sum():
    level, shift, epsilon = 2.0, 3, 1.2
    a = math.exp(-1 / level)
    mass = {y: (1 - a) / (1 + a) * a ** abs(y) for y in range(-90, 94)}
    total = sum(
        max(mass[x] * mass[y] - math.exp(epsilon) * mass[x - shift] * mass[y - shift], 0)
        for x, y in itertools.product(range(-80, 90), repeat=2)
    )
    found = math.exp(discrete_laplace_log_delta(epsilon, level, shift=shift, moved=2))
    assert found == pytest.approx(total, rel=1e-8)


@pytest.mark.parametrize(("shift", "moved"), [(1, 1), (1, 5), (20, 1), (6, 3)])
@pytest.mark.parametrize("delta", [0.3, 0.01, 1e-9])
def test_the_least_level_keeps_delta_and_hardly_less_does_not(shift, moved, delta):
    at = {"shift": shift, "moved": moved}
    level = discrete_laplace_level_at(1.0, math.log(delta), **at)
    assert level <= shift * moved * (1 + 1e-12)
    assert discrete_laplace_log_delta(1.0, level, **at) <= math.log(delta)
    assert discrete_laplace_log_delta(1.0, level * 0.999, **at) > math.log(delta)


def test_from_the_pure_budget_on_delta_is_zero():
    assert discrete_laplace_log_delta(2.5, 2.0, shift=5) == -math.inf
    assert discrete_laplace_log_delta(2.5, 2.0, shift=1, moved=5) == -math.inf


@pytest.mark.parametrize("wrong", [{"moved": 0}, {"moved": 10**6}, {"shift": 0}, {"shift": 1.5}])
def test_a_move_out_of_range_is_refused(wrong):
    with pytest.raises(ParameterError):
        discrete_laplace_log_delta(1.0, 2.0, **wrong)
    with pytest.raises(ParameterError):
        discrete_laplace_level_at(1.0, -9.0, **wrong)
