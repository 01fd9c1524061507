"""What three and more reports cost together at least: MATHEMATICS 17.1.

Bounds are compared with a linear program that is written out cell by cell and solved by another
method; joint laws are added up from their definition.
"""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.lossless import (
    FiniteMechanism,
    LatticeLaw,
    clipped_noise,
    decide_noise,
    least_joint_loss,
    response,
)
from dpviz.lossless.least_loss import LeastLoss, _solved
from tests.conftest import FULL, few, for_each, full_run
from tests.finite_mechanisms import clipped_geometric, exponential_mechanism_table, noisy_max
from tests.unit.lossless.test_kernels import (
    CUBE,
    EVEN,
    GAPS,
    GRID,
    check_above,
    feasible,
    neighbours,
)

LEVELS = ("1/4", "1/2", "3/4")
MECHANISMS = (exponential_mechanism_table, noisy_max)
# each two of these cost 5/2, what the sharpest of them does alone; all three cost more
FIRST = ("4/7", "1/2", "4/5", "2/3"), ("1/2", "1/2", "1/2", "1/4"), ("1/2", "1/3", "1/4", "1/5")
THREE = [FiniteMechanism(tuple((F(p), 1 - F(p)) for p in each)) for each in FIRST]
EVERY = [*itertools.combinations(range(4), 2)]


def test_two_lossless_levels_cost_the_largest_and_drawn_apart_the_sum():
    reports = [clipped_geometric(a, 3) for a in LEVELS[:2]]
    pairs = [(0, 1), (1, 2), (2, 3)]
    found = least_joint_loss(reports, pairs, tolerance=1e-6)
    assert found.alone == found.low == 4
    assert found.high == pytest.approx(4, rel=1e-9)
    apart = FiniteMechanism(
        tuple(
            tuple(a * b for a in mine for b in theirs)
            for mine, theirs in zip(reports[0].rows, reports[1].rows, strict=True)
        )
    )
    assert apart.ratio(pairs) == 4 * 2  # e^ε multiplies: ε adds up
    assert not feasible(reports, pairs, 3.99)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("scores", [GAPS, EVEN, GRID, CUBE], ids=["gaps", "even", "grid", "cube"])
def test_three_levels_of_a_list_cost_no_more_than_the_sharpest(mechanism, scores):
    """The table of MATHEMATICS 17.1; nobody has proved it for all lists."""
    reports, pairs = [mechanism(scores, F(base)) for base in LEVELS], neighbours(scores)
    found = least_joint_loss(reports, pairs, tolerance=1e-6)
    check_above(found, reports, pairs)
    alone, low, high = found.epsilons
    assert alone == max(math.log(each.ratio(pairs)) for each in reports)
    assert alone <= low <= high <= alone + 1e-6


@full_run
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize(
    ("scores", "levels"),
    [
        ([[a, b] for a in range(4) for b in range(4)], (*LEVELS, "7/8")),
        ([*map(list, itertools.product((0, 1), repeat=4))], LEVELS),
        ([*map(list, itertools.product((0, 1, 2), repeat=3))], LEVELS),
    ],
    ids=["four levels", "four candidates", "scores to 2"],
)
def test_larger_lists_and_four_levels_cost_no_more_either(mechanism, scores, levels):
    reports, pairs = [mechanism(scores, F(base)) for base in levels], neighbours(scores)
    alone, low, high = least_joint_loss(reports, pairs, tolerance=1e-6).epsilons
    assert alone <= low <= high <= alone + 1e-6


def test_discrete_gaussian_noise_that_is_not_lossless_costs_no_more_on_a_few_counts():
    laws = [
        LatticeLaw.of({x: math.exp(-x * x / (2 * variance)) for x in range(-30, 31)})
        for variance in (1, 2, 4)
    ]
    assert decide_noise(laws[0], laws[1]).verdict == "no"
    reports, pairs = [clipped_noise(law, 4) for law in laws], [(n, n + 1) for n in range(4)]
    found = least_joint_loss(reports, pairs, tolerance=1e-6)
    check_above(found, reports, pairs)
    alone, low, high = found.epsilons
    assert alone == pytest.approx(3.5190, abs=1e-4)
    assert alone <= low <= high <= alone + 1e-6
    assert 2 * math.exp(-(31**2) / 8) * 10 < 1e-48  # what is left out of the widest


def test_a_third_report_can_cost_more_though_no_two_do():
    for two in itertools.combinations(THREE, 2):
        found = least_joint_loss(two, EVERY, tolerance=1e-6)
        check_above(found, two, EVERY)
        assert found.high <= F(5, 2) * (1 + F(1, 10**6))
    found = least_joint_loss(THREE, EVERY, tolerance=1e-6)
    check_above(found, THREE, EVERY)
    assert found.alone == F(5, 2)
    assert 2.6 < found.low <= found.high < 2.602
    assert not feasible(THREE, EVERY, 2.6)
    assert feasible(THREE, EVERY, 2.602)


def test_two_data_sets_cost_the_largest_however_many_reports():
    """Each report is a blur of randomised response at the largest ε, so all of them together."""
    rng = np.random.default_rng(5)
    for _ in range(8 if FULL else 3):
        many = int(rng.integers(3, 6))
        reports = [FiniteMechanism.of(rng.integers(1, 9, (2, 2)).tolist()) for _ in range(many)]
        found = least_joint_loss(reports, [(0, 1)], tolerance=1e-6)
        check_above(found, reports, [(0, 1)])
        assert found.low == found.alone
        assert found.high <= found.alone * (1 + F(1, 10**6))


@pytest.mark.parametrize("seed", few(range(6), 4))
def test_bounds_of_three_random_reports_agree_with_another_solver(seed):
    rng = np.random.default_rng(seed)
    reports = [FiniteMechanism.of(rng.integers(1, 6, (3, 2)).tolist()) for _ in range(3)]
    pairs = [(0, 1), (1, 2), (0, 2)]
    found = least_joint_loss(reports, pairs)
    check_above(found, reports, pairs)
    assert feasible(reports, pairs, float(found.high) * (1 + 1e-6))
    assert found.low == found.alone or not feasible(reports, pairs, float(found.low) * (1 - 1e-3))


def test_a_copy_of_a_report_costs_nothing():
    reports = [response("1/2", 2), response("1/4", 2), response("1/4", 2)]
    found = least_joint_loss(reports, [(0, 1)], tolerance=1e-6)
    assert found.low == found.alone == 3


@pytest.mark.parametrize("largest", [1, 2, 5])
def test_clipped_noise_loses_no_chance(largest):
    for a in LEVELS:
        law = LatticeLaw.of({0: 1}, left=a, right=a)
        assert clipped_noise(law, largest) == clipped_geometric(a, largest)
    dice = LatticeLaw.of({-2: 1, 0: 3, 3: 2})
    for count, row in enumerate(clipped_noise(dice, largest).rows):
        made = [F(0)] * (largest + 1)
        for x, chance in ((-2, F(1, 6)), (0, F(1, 2)), (3, F(1, 3))):
            made[min(max(count + x, 0), largest)] += chance
        assert row == tuple(made)
    lopsided = LatticeLaw.of({1: 1, 2: 5}, left="1/3")
    for row in clipped_noise(lopsided, largest).rows:
        assert sum(row) == 1
    assert (
        clipped_noise(lopsided, 2).rows[0][0]
        == sum((lopsided.mass(x) for x in range(-200, 1)), F(0)) + lopsided.mass(-200) / 2
    )  # what is left of a tail of ratio 1/3


def test_equations_without_a_solution_are_said_to_have_none():
    assert _solved([[1, 0], [1, 1], [0, 1]], [F(1), F(3), F(2)]) == [1, 2]
    assert _solved([[1, 0], [1, 1], [0, 1]], [F(1), F(4), F(2)]) is None


@for_each(
    "use",
    [
        lambda: least_joint_loss([response("1/2", 2)], [(0, 1)]),
        lambda: least_joint_loss([response("1/2", 2)] * 7, [(0, 1)]),
        lambda: least_joint_loss([response("1/2", 2), None], [(0, 1)]),
        lambda: least_joint_loss([response("1/2", 2), response("1/2", 3)], [(0, 1)]),
        lambda: least_joint_loss([response("1/2", 13)] * 3, [(0, 1)]),
        lambda: least_joint_loss([FiniteMechanism.of([[1, 0], [1, 1]])] * 2, [(0, 1)]),
        lambda: least_joint_loss([FiniteMechanism.of([[10**5, 1], [1, 10**5]])] * 3, [(0, 1)]),
        lambda: least_joint_loss(response("1/2", 2), [(0, 1)]),
        lambda: clipped_noise(LatticeLaw.of({0: 1}), 0),
        lambda: clipped_noise(LatticeLaw.of({0: 1}), 20),
        lambda: clipped_noise(None, 2),
        lambda: LeastLoss(F(2), F(3), F(4), ((F(1), F(1)),)),
    ],
)
def test_refuses(use):
    with pytest.raises(ParameterError):
        use()
