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
    Best,
    Bound,
    adaptive_composition_epsilon,
    adaptive_composition_log_delta,
    approximate_zcdp_epsilon,
    approximate_zcdp_epsilon_textbook,
    best_epsilon,
    bounded_range_log_delta,
    bounded_range_mean_loss,
    composed_pure_epsilon,
    mixed_composition_epsilon,
    mixed_composition_log_delta,
    pure_composition_epsilon,
    pure_composition_log_delta,
    pure_mean_loss,
    setwise_epsilon,
    worst_order,
    zcdp_epsilon,
    zcdp_epsilon_textbook,
)
from dpviz.accounting.bounds import ANY_ORDER, EXACT, FIXED_ORDER, IN_ADVANCE, UPPER
from dpviz.accounting.mixed_composition import RangeCurve
from dpviz.errors import ParameterError
from tests import oracles_composition as oracle
from tests.conftest import FULL, few, for_each, full_run
from tests.oracles_composition import Plain, two_delta

D, B = PURE, BOUNDED_RANGE
LN = math.log(1e-6)


def delta(order, epsilon, total):
    return math.exp(adaptive_composition_log_delta(order, epsilon, total).value)


@for_each(
    ("order", "epsilon", "total", "expected"),
    [
        ((B, D, B), 1.0, 0.0, 0.48803303534498098),
        ((D, B, B), 1.0, 0.0, 0.49277934568918139),
        ((B, D, B), 1.0, 0.8, 0.27409533033032755),
        ((D, B, B), 1.0, 0.8, 0.27427587967044937),
        ((B, D, B), 0.2, 0.05, 0.084538069516696464),
        ((D, B, B), 0.2, 0.05, 0.085538588033727958),
        ((D, D, B, B), 1.0, 0.0, 0.5814077107446507),
        ((D, D, B, B), 1.0, 1.3, 0.30680184757365947),
        (worst_order(10, 2), 0.1, 0.4, 0.020496168121513),
        (worst_order(3, 2), 0.5, 1.0, 0.10856938185109),
    ],
)
def test_vectors(order, epsilon, total, expected):
    found = adaptive_composition_log_delta(order, epsilon, total)
    assert found.kind == EXACT
    assert math.exp(found.value) == pytest.approx(expected, rel=3e-12)


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


@for_each("order", [(B, B), (B, B, B), (D, B, D, B), worst_order(3, 6)])
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


# --- Any mixture, chosen in any order ---


def test_means_are_the_largest_over_t_and_rounded_up(seed):
    rng = random.Random(seed)
    for epsilon in (0.19999999, 0.2, *(10 ** rng.uniform(-8, 2) for _ in range(20))):
        exact = oracle.mean_loss(epsilon)
        found = bounded_range_mean_loss(epsilon)
        assert exact <= found <= exact * (1 + 3e-11)
        assert found < pure_mean_loss(epsilon)
        pure = epsilon * math.tanh(epsilon / 2)
        assert pure_mean_loss(epsilon) == pytest.approx(pure, rel=2e-14)
    assert bounded_range_mean_loss(1e300) == 1e300
    assert bounded_range_mean_loss([0.1, 0.2]).shape == (2,)


def test_equation_with_concentrated_ones(seed):
    """Term by term, at random."""
    rng = random.Random(seed)
    for _ in range(20):
        pure, ranges = ([rng.uniform(0.01, 2) for _ in range(rng.randrange(4))] for _ in range(2))
        concentrated = [(rng.random(), rng.random()) for _ in range(1 + rng.randrange(3))]
        mean = sum(e * math.tanh(e / 2) for e in pure) + sum(mu for mu, _ in concentrated)
        mean += sum(float(oracle.mean_loss(e)) for e in ranges)
        square = sum(e * e for e in pure) + sum(e * e / 4 for e in ranges)
        square += sum(tau * tau for _, tau in concentrated)
        exact = mean + math.sqrt(2 * -LN * square)
        found = setwise_epsilon(pure, ranges, concentrated, log_delta=LN)
        assert found == pytest.approx(exact, rel=1e-11)
        assert found >= exact


@for_each(
    ("xi", "rho", "log_delta"),
    [(0.0, 0.1, LN), (0.05, 0.5, math.log(1e-5)), (0.0, 0.001, math.log(1e-10))],
)
def test_approximate_zcdp_vectors(xi, rho, log_delta):
    textbook = xi + zcdp_epsilon_textbook(rho, log_delta)
    for parts in ([(-math.inf, xi, rho)], [(-math.inf, xi / 2, rho / 2)] * 2):
        found = approximate_zcdp_epsilon_textbook(parts, log_delta)
        assert found == pytest.approx(textbook, rel=1e-13)
        best = approximate_zcdp_epsilon(parts, log_delta)
        assert best == pytest.approx(xi + zcdp_epsilon(rho, log_delta), rel=1e-13)
        assert best < found


def test_own_deltas_multiply_instead_of_adding():
    """What is left is (1 - 1e-6)/(1 - 1e-7)^2 of certainty: more than 1e-6 - 2e-7, and rounded."""
    with mp.workdps(40):
        left = 1 - (1 - mp.mpf("1e-6")) / (1 - mp.mpf("1e-7")) ** 2
        assert left > mp.mpf("8e-7")
    parts = [(math.log(1e-7), 0.0, 0.05)] * 2
    exact = zcdp_epsilon(0.1, float(mp.log(left)))
    assert approximate_zcdp_epsilon(parts, LN) == pytest.approx(exact, rel=1e-11)
    assert approximate_zcdp_epsilon(parts, LN) >= exact
    tiny = approximate_zcdp_epsilon([(-2000.0, 0.0, 0.1)], -1900.0)
    assert tiny == pytest.approx(zcdp_epsilon(0.1, -1900.0), rel=1e-12)
    large = approximate_zcdp_epsilon([(math.log(0.5), 0.0, 0.1)], math.log(0.9))
    assert large == pytest.approx(zcdp_epsilon(0.1, math.log(0.8)), rel=1e-12)


def test_own_deltas_that_use_up_the_total():
    for log_delta in (LN, -3.0, -2000.0):
        with pytest.raises(ParameterError, match="use up the total delta"):
            approximate_zcdp_epsilon([(log_delta, 0.0, 0.1)], log_delta)
    with pytest.raises(ParameterError, match="at least one"):
        approximate_zcdp_epsilon([], LN)
    with pytest.raises(ParameterError, match="three numbers"):
        approximate_zcdp_epsilon([(0.1, 0.2)], LN)


def random_mechanisms(rng):
    equal = rng.random() < 0.5
    sizes = [round(rng.uniform(0.02, 0.8), 2)] if equal else [0.05, 0.1, 0.3, 0.7]
    pure, ranges = ([rng.choice(sizes) for _ in range(rng.randrange(8))] for _ in range(2))
    concentrated = [(0.02, 0.2)] * rng.choice([0, 0, 0, 1, 2])
    return pure, ranges, concentrated


def test_best_is_at_most_each_that_may_be_used(seed):
    rng = random.Random(seed)
    for _ in range(40 if FULL else 3):
        mechanisms = random_mechanisms(rng)
        if not any(mechanisms):
            continue
        log_delta = -(10 ** rng.uniform(0, 1.7))
        free = best_epsilon(*mechanisms, log_delta=log_delta)
        fixed = best_epsilon(*mechanisms, log_delta=log_delta, fixed_in_advance=True)
        assert free.value == min(x.value for x in free.bounds if x.assumes == ANY_ORDER)
        assert fixed.value == min(x.value for x in fixed.bounds) <= free.value
        assert free.bounds == fixed.bounds
        assert free.value <= setwise_epsilon(*mechanisms, log_delta=log_delta)
        exact = [x for x in free.bounds if x.kind == EXACT and x.assumes == ANY_ORDER]
        assert all(x.value <= free.value * (1 + 1e-6) for x in exact)
        for each in free.bounds:
            assert each.theorem


def test_what_is_fixed_in_advance_must_be_said():
    free = best_epsilon([], [0.1] * 5, log_delta=LN)
    assert free.chosen.assumes == ANY_ORDER
    assert free.bounds[0].assumes == IN_ADVANCE
    assert free.bounds[0].value < free.value
    fixed = best_epsilon([], [0.1] * 5, log_delta=LN, fixed_in_advance=True)
    assert fixed.value == mixed_composition_epsilon(0, 5, 0.1, LN)
    for bad in (1, None, "yes"):
        with pytest.raises(ParameterError, match="fixed_in_advance must be True or False"):
            best_epsilon([0.1], log_delta=LN, fixed_in_advance=bad)


def test_best_of_pure_alone_is_exact():
    equal = best_epsilon([0.1] * 50, log_delta=LN)
    assert equal.chosen.kind == EXACT
    assert equal.value == pytest.approx(pure_composition_epsilon(50, 0.1, LN), rel=1e-6)
    different = best_epsilon([0.1, 0.2, 0.5], log_delta=LN)
    assert different.value == composed_pure_epsilon([0.1, 0.2, 0.5], LN).value
    one = best_epsilon(bounded_range=[0.3], log_delta=LN)
    assert one.chosen.kind == EXACT


def test_a_gaussian_and_nothing_else():
    """Only what knows of concentrated mechanisms; with a mean of its own no law is known."""
    found = best_epsilon(concentrated=[(0.5, 1.0)], log_delta=LN)
    assert {each.name for each in found.bounds} == {"zCDP", "any choice and order", "worst losses"}
    assert found.value == pytest.approx(zcdp_epsilon(0.5, LN), rel=1e-9)
    heavier = best_epsilon(concentrated=[(0.7, 1.0)], log_delta=LN)
    assert {each.name for each in heavier.bounds} == {"zCDP", "any choice and order"}
    assert heavier.value == pytest.approx(0.2 + zcdp_epsilon(0.5, LN), rel=1e-12)
    assert {each.kind for each in found.bounds} == {UPPER}
    nothing = best_epsilon(concentrated=[(0, 0)], log_delta=LN)
    assert nothing.value == 0


@full_run
def test_several_concentrated_ones_count_with_those_of_bounded_range():
    """They may alternate, so no block of either has a fixed law: all of both are zCDP."""
    once = best_epsilon([0.1] * 4, [0.1] * 10, [(0.01, 0.02**0.5)], log_delta=LN)
    twice = best_epsilon([0.1] * 4, [0.1] * 10, [(0.005, 0.01**0.5)] * 2, log_delta=LN)
    named = [{x.name: x.value for x in each.bounds} for each in (once, twice)]
    assert named[1]["worst losses"] < named[1]["zCDP"]
    assert named[1]["worst losses"] > named[0]["worst losses"]


def test_different_ranges_against_the_recursion_in_every_order():
    """Two of bounded range of different size and one pure: no order and no t costs more."""
    sizes = {"pure": 0.6, "wide": 0.5, "narrow": 0.2}
    width = 0.02
    g = np.round(np.arange(-150, 151) * width, 12)
    for log_delta in (-1.5, -3.0, -6.0):
        found = best_epsilon([0.6], [0.5, 0.2], log_delta=log_delta)
        assert found.method == "worst losses"
        place = 150 + math.ceil(found.value / width)
        for order in itertools.permutations(sizes):
            value = np.maximum(0.0, -np.expm1(g))
            for name in reversed(order):
                e = sizes[name]
                k = round(e / width)
                t = np.arange(k + 1) * width
                q = np.expm1(t - e) / math.expm1(-e)
                if name == "pure":  # Q and the loss epsilon, or -epsilon
                    t, q, k = np.array([e]), np.array([1 / (1 + math.exp(-e))]), 2 * k
                value = np.max(
                    [
                        high * _moved(value, -round(x / width))
                        + (1 - high) * _moved(value, k - round(x / width))
                        for x, high in zip(t, q, strict=True)
                    ],
                    axis=0,
                )
            assert math.log(value[place]) <= log_delta
            assert math.log(value[place - 5]) > log_delta - 0.6  # and not far below


def _moved(values, steps):
    """The curve at g + steps of the grid; flat beyond its ends, which is far from what is read."""
    return values[np.clip(np.arange(len(values)) + steps, 0, len(values) - 1)]


def test_records_check_themselves():
    one = Bound("sum", 0.3, "", UPPER, ANY_ORDER)
    assert float(one) == 0.3
    for arguments in (
        ("sum", math.nan, "", UPPER, ANY_ORDER),
        ("sum", 0.3, "", "about", ANY_ORDER),
    ):
        with pytest.raises(ParameterError):
            Bound(*arguments)
    with pytest.raises(ParameterError, match="method must be one of sum"):
        Best(0.3, "zCDP", (one,))
    with pytest.raises(ParameterError, match="bounds must be"):
        Best(0.3, "sum", (0.3,))
