"""Mechanisms chosen as results come in: closed forms, orders, bounds; against a plain recursion."""

import itertools
import math
import random

import mpmath as mp
import numpy as np
import pytest

from dpviz.accounting import (
    BOUNDED_RANGE,
    PURE,
    adaptive_composition_epsilon,
    adaptive_composition_log_delta,
    bounded_range_log_delta,
    mixed_composition_log_delta,
    pure_composition_epsilon,
    pure_composition_log_delta,
    worst_order,
)
from dpviz.accounting.bounds import ANY_ORDER, EXACT, FIXED_ORDER, UPPER
from dpviz.accounting.mixed_composition import RangeCurve
from dpviz.errors import ParameterError
from tests.conftest import FULL, few, full_run
from tests.oracles_composition import Plain, two_delta

D, B = PURE, BOUNDED_RANGE
LN = math.log(1e-6)


def delta(order, epsilon, total):
    return math.exp(adaptive_composition_log_delta(order, epsilon, total).value)


@pytest.mark.parametrize(
    ("order", "epsilon", "total", "expected"),
    [
        ((B, B), 1.0, -1.6, 0.79908625059512772),
        ((B, B), 1.0, 0.1, 0.26917813862160039),
        ((B, B), 1.0, 1.4, 0.014906392784017364),
        ((B, D, B), 1.0, 0.0, 0.48803303534498098),
        ((D, B, B), 1.0, 0.0, 0.49277934568918139),
        ((B, D, B), 1.0, 0.8, 0.27409533033032755),
        ((D, B, B), 1.0, 0.8, 0.27427587967044937),
        ((B, D, B), 0.2, 0.05, 0.084538069516696464),
        ((D, B, B), 0.2, 0.05, 0.085538588033727958),
        ((D, D, B, B), 1.0, 0.0, 0.5814077107446507),
        ((D, D, B, B), 1.0, 1.3, 0.30680184757365947),
        ((D, B, D), 1.0, -0.5, 0.66375932669599103),
        ((B, D, D), 1.0, 0.3, 0.49106231575665932),
        ((D, D, B), 1.0, 1.2, 0.29774462723307116),
        (worst_order(10, 2), 0.1, 0.4, 0.020496168121513),
        (worst_order(3, 2), 0.5, 1.0, 0.10856938185109),
    ],
)
def test_vectors(order, epsilon, total, expected):
    found = adaptive_composition_log_delta(order, epsilon, total)
    assert found.kind == EXACT
    digits = 1e-12 if len(str(expected)) < 17 else 3e-12
    assert math.exp(found.value) == pytest.approx(expected, rel=max(digits, 2e-12))


def test_fixed_in_advance_costs_less():
    for (pure, ranges), epsilon, total, expected in (
        ((10, 2), 0.1, 0.4, 0.020267290213528),
        ((3, 2), 0.5, 1.0, 0.1051508143749),
    ):
        fixed = math.exp(mixed_composition_log_delta(pure, ranges, epsilon, total))
        assert fixed == pytest.approx(expected, rel=1e-11)
        assert fixed < delta(worst_order(pure, ranges), epsilon, total)


def test_only_the_pure_one_first_costs_more_of_three():
    """MATHEMATICS 5.10: two values and not three; from epsilon on only one."""
    for total in np.linspace(-2.9, 2.9, 30):
        first, middle, last = (delta(o, 1.0, total) for o in ((D, B, B), (B, D, B), (B, B, D)))
        assert middle == last
        if abs(total) < 1:
            assert first > middle * (1 + 1e-9)
        else:
            assert first == pytest.approx(middle, rel=1e-11)


def test_two_of_bounded_range_at_sixty_digits(seed):
    """Rounded up, with all digits for small and for large budgets."""
    rng = random.Random(seed)
    for _ in range(150):
        epsilon = 10 ** rng.uniform(-9, 2)
        total = rng.uniform(-2, 2) * epsilon
        exact = two_delta(epsilon, total)
        found = adaptive_composition_log_delta((B, B), epsilon, total).value
        assert mp.log(exact) <= found <= mp.log(exact) + 1e-11 * (1 + abs(mp.log(exact)))


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.0])
@pytest.mark.parametrize("order", [(B, B), (B, D, B), (B, B, D), (D, B, B)])
def test_closed_forms_against_the_chords_and_the_plain_recursion(order, epsilon):
    """Between them, wherever: the recursion is below, the chords above."""
    plain = Plain(epsilon, 100, len(order))
    curve = plain.order(order)
    for k in range(-100 * len(order) + 5, 100 * len(order) - 5, 37):
        total = k * plain.width
        exact = delta(order, epsilon, total)
        below = plain.read(curve, total)
        assert below <= exact * (1 + 1e-11)
        assert exact - below <= 6e-3 * exact + 1e-6
        if order[0] == B:
            kinds = tuple(each == B for each in order)
            above = math.exp(RangeCurve.of(kinds, epsilon)(np.array([total]))[0])
            assert exact * (1 - 1e-11) <= above <= exact * (1 + 2e-3)


@pytest.mark.parametrize(
    "order", few([(B, D, B, D, B), (B, B, B), (D, B, B, D, B, D), (D, D, B, B, B, B)], 2)
)
def test_bounds_against_the_plain_recursion(order):
    plain = Plain(0.5, 80, len(order))
    curve = plain.order(order)
    for k in range(-80 * len(order) + 40, 80 * len(order) - 40, 61):
        total = k * plain.width
        found = adaptive_composition_log_delta(order, 0.5, total)
        below = plain.read(curve, total)
        assert found.kind == UPPER
        assert below <= math.exp(found.value) <= below * (1 + 2e-3) + 1e-6


def test_all_pure_first_is_the_worst_order():
    for pure, ranges in ((2, 2), (1, 3)) if FULL else ((2, 2),):
        worst = worst_order(pure, ranges)
        for total in (-0.3, 0.0, 0.2, 0.6):
            most = adaptive_composition_log_delta(worst, 0.4, total).value
            for order in set(itertools.permutations(worst)):
                assert adaptive_composition_log_delta(order, 0.4, total).value <= most + 1e-5


@pytest.mark.parametrize(("pure", "ranges"), [(2, 2), (1, 3)] if FULL else [(2, 2)])
def test_choosing_the_order_as_results_come_in_gains_nothing(pure, ranges):
    plain = Plain(1.0, 80, pure + ranges)
    free, first = plain.any_order(pure, ranges), plain.order(worst_order(pure, ranges))
    assert np.max(free - first) < 1e-12
    for total in (-1.0, 0.0, 0.75, 1.3):
        total = round(total * 80) / 80
        found = adaptive_composition_log_delta(worst_order(pure, ranges), 1.0, total)
        assert found.assumes == ANY_ORDER
        assert plain.read(free, total) == pytest.approx(math.exp(found.value), rel=2e-4)
        assert plain.read(free, total) <= math.exp(found.value)


def test_with_one_of_bounded_range_the_order_is_irrelevant():
    for total in (-0.7, 0.0, 0.5):
        values = [
            adaptive_composition_log_delta(order, 0.3, total)
            for order in ((B, D, D), (D, B, D), (D, D, B))
        ]
        assert len({each.value for each in values}) == 1
        assert values[0].value == mixed_composition_log_delta(2, 1, 0.3, total)
        assert {(each.kind, each.assumes) for each in values} == {(EXACT, ANY_ORDER)}
    assert adaptive_composition_log_delta((B,), 0.3, 0.1).value == pytest.approx(
        bounded_range_log_delta(0.3, 0.1), rel=1e-11
    )


def test_pure_alone():
    found = adaptive_composition_log_delta((D,) * 30, 0.1, 1.0)
    assert found.value == pytest.approx(pure_composition_log_delta(30, 0.1, 1.0), abs=1e-12)
    assert "KOV15" in found.theorem
    epsilon = adaptive_composition_epsilon((D,) * 30, 0.1, LN).value
    assert epsilon == pytest.approx(pure_composition_epsilon(30, 0.1, LN), rel=1e-9)


def test_what_the_records_say():
    assert adaptive_composition_log_delta((B, D, B), 1.0, 0.3).assumes == FIXED_ORDER
    many = adaptive_composition_log_delta((D,) + (B,) * 3, 0.2, 0.3)
    assert (many.kind, many.assumes) == (UPPER, ANY_ORDER)
    assert "chords" in many.theorem


@pytest.mark.parametrize("order", [(B, B), (B, B, B), (D, B, D, B), worst_order(3, 6)])
def test_epsilon_is_the_least_that_holds(order):
    for log_delta in (-0.5, -3.0, LN, -60.0):
        found = adaptive_composition_epsilon(order, 0.3, log_delta)
        value = found.value
        assert 0 <= value <= 0.3 * len(order) * (1 + 1e-14)
        assert adaptive_composition_log_delta(order, 0.3, value).value <= log_delta
        if value > 0:
            less = adaptive_composition_log_delta(order, 0.3, value * (1 - 1e-8)).value
            assert less > log_delta


@full_run
def test_ends():
    order = (B, D, B, B)
    assert adaptive_composition_log_delta(order, 0.5, 2.0).value == -math.inf
    low = adaptive_composition_log_delta(order, 0.5, -2.0).value
    assert math.exp(low) == pytest.approx(1 - math.exp(-2), rel=1e-12)
    for epsilon in (1e-300, 1e-9, 29.0, 31.0, 1e300):
        found = adaptive_composition_log_delta(order, epsilon, 0.6 * epsilon).value
        assert -750 < found <= 0
    scaled = adaptive_composition_log_delta((B, B, B), 1e-9, 0.5e-9).value + math.log(1e9)
    small = adaptive_composition_log_delta((B, B, B), 1e-4, 0.5e-4).value + math.log(1e4)
    assert scaled == pytest.approx(small, abs=1e-3)


def test_an_order_has_at_most_a_thousand():
    with pytest.raises(ParameterError, match="at most 1000 mechanisms"):
        worst_order(999, 2)
