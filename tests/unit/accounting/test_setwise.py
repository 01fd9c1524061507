"""Any mixture, chosen in any order: equation 3, means, approximate zCDP, and the best of all."""

import itertools
import math
import random

import numpy as np
import pytest

from dpviz.accounting import (
    Best,
    Bound,
    approximate_zcdp_epsilon,
    approximate_zcdp_epsilon_textbook,
    best_epsilon,
    bounded_range_mean_loss,
    composed_pure_epsilon,
    mixed_composition_epsilon,
    pure_composition_epsilon,
    pure_mean_loss,
    setwise_epsilon,
    zcdp_epsilon,
)
from dpviz.accounting.bounds import ANY_ORDER, EXACT, IN_ADVANCE, UPPER
from dpviz.errors import ParameterError
from tests import oracles_composition as oracle
from tests.conftest import FULL, full_run

LN = math.log(1e-6)


@pytest.mark.parametrize(
    ("epsilon", "ranges", "pure"),
    [
        (0.001, 1.2499999826388893e-7, 4.9999995833333752e-7),
        (0.199, 0.004947404756194639, 0.019735414433165741),
        (1.0, 0.12330156148224453, 0.46211715726000976),
        (20.0, 16.004267765607928, 19.999999917553855),
    ],
)
def test_mean_losses_of_the_vectors(epsilon, ranges, pure):
    assert bounded_range_mean_loss(epsilon) == pytest.approx(ranges, rel=1e-12)
    assert pure_mean_loss(epsilon) == pytest.approx(pure, rel=2e-14)


def test_means_are_the_largest_over_t_and_rounded_up(seed):
    rng = random.Random(seed)
    for epsilon in (0.19999999, 0.2, *(10 ** rng.uniform(-8, 2) for _ in range(20))):
        exact = oracle.mean_loss(epsilon)
        found = bounded_range_mean_loss(epsilon)
        assert exact <= found <= exact * (1 + 3e-11)
        assert found < pure_mean_loss(epsilon)
    assert bounded_range_mean_loss(1e300) == 1e300
    assert bounded_range_mean_loss([0.1, 0.2]).shape == (2,)


@pytest.mark.parametrize(
    ("pure", "ranges", "concentrated", "expected"),
    [
        ([0.1] * 10, [0.1] * 10, [], 1.9209177336573976),
        ([], [0.1] * 50, [], 1.9209524157979112),
        ([0.1] * 50, [], [], 3.9667140636392385),
    ],
)
def test_equation_vectors(pure, ranges, concentrated, expected):
    found = setwise_epsilon(pure, ranges, concentrated, log_delta=LN)
    assert found == pytest.approx(expected, rel=1e-12)
    assert found >= expected * (1 - 1e-15)


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


@pytest.mark.parametrize(
    ("xi", "rho", "log_delta", "textbook"),
    [
        (0.0, 0.1, math.log(1e-6), 2.4507880004767996),
        (0.05, 0.5, math.log(1e-5), 5.3485259121880813),
        (0.0, 0.001, math.log(1e-10), 0.30448542587702928),
    ],
)
def test_approximate_zcdp_vectors(xi, rho, log_delta, textbook):
    for parts in ([(-math.inf, xi, rho)], [(-math.inf, xi / 2, rho / 2)] * 2):
        found = approximate_zcdp_epsilon_textbook(parts, log_delta)
        assert found == pytest.approx(textbook, rel=1e-13)
        best = approximate_zcdp_epsilon(parts, log_delta)
        assert best == pytest.approx(xi + zcdp_epsilon(rho, log_delta), rel=1e-13)
        assert best < found


def test_own_deltas_multiply_instead_of_adding():
    """What is left is (1 - 1e-6)/(1 - 1e-7)^2 of certainty: more than 1e-6 - 2e-7, and rounded."""
    import mpmath as mp

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


@full_run
def test_best_of_the_example():
    """MATHEMATICS 5.8 to 5.11: ten pure and ten of bounded range at 0.1."""
    answer = best_epsilon([0.1] * 10, [0.1] * 10, log_delta=LN)
    values = {each.name: each.value for each in answer.bounds}
    assert values["any choice and order"] == pytest.approx(1.9209177337, abs=1e-10)
    assert values["zCDP"] == pytest.approx(1.6599790500, abs=1e-9)
    assert values["fixed in advance"] == pytest.approx(1.3761617466, abs=1e-10)
    assert values["sum"] == 2.0
    assert 1.3761617466 < answer.value < 1.3802
    assert answer.chosen.assumes == ANY_ORDER
    assert [each.value for each in answer.bounds] == sorted(values.values())


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
def test_losses_of_different_kinds_together_cost_less():
    """A Gaussian beside pure ones: their worst laws are known, so they need no zCDP."""
    found = best_epsilon([0.1] * 10, [0.1] * 10, [(0.05, 0.1**0.5)], log_delta=LN)
    assert found.method == "worst losses"
    assert found.value < 0.97 * next(x.value for x in found.bounds if x.name == "zCDP")


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
