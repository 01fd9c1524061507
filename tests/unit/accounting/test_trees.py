"""Trees of continual counting against enumeration, and the formulas of MATHEMATICS 7.1 to 7.3."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz.accounting import (
    Tree,
    best_arity,
    chosen_tree,
    honaker_error,
    smallest_tree,
    step_variances,
    tree_error,
    vertex_variance,
)
from dpviz.accounting.levels import laplace_level
from dpviz.noise import FAMILIES
from tests import oracles_counting
from tests.conftest import few

DISCRETE = FAMILIES["discrete_laplace"]
TREES = [
    Tree(arity, height, subtraction)
    for subtraction in (True, False)
    for arity, height in (
        (2, 5),
        (3, 4),
        (4, 3),
        (5, 3),
        (6, 3),
        (7, 2),
        (20, 2),
        (19, 1),
        (100, 1),
    )
]


@pytest.mark.parametrize("tree", few(TREES, 3), ids=str)
def test_digits_and_vertices_by_enumeration(tree):
    digits = oracles_counting.all_digits(tree.arity, tree.height, tree.subtraction)
    assert tree.most_steps == max(digits)
    inputs = np.random.default_rng(7).integers(0, 100, size=tree.arity**tree.height + 1)
    sums = np.concatenate([[0], np.cumsum(inputs)])
    signs, seen, most = {}, {}, 0
    for step in range(tree.most_steps + 1):
        assert tree.digits(step) == digits[step]
        used = tree.vertices(step)
        spans = [(v.sign, v.first, v.last) for v in used]
        assert spans == oracles_counting.used_vertices(digits[step], tree.arity)
        assert sum(v.sign * (sums[v.last] - sums[v.first - 1]) for v in used) == sums[step]
        most = max(most, len(used))
        for v in used:
            assert v.last - v.first + 1 == tree.arity**v.level
            assert signs.setdefault((v.level, v.first), v.sign) == v.sign  # one sign for good
            seen[v.level, v.first] = v
    assert len(seen) == tree.most_steps
    assert most == tree.most_held
    loads = np.zeros(len(inputs) + 1, dtype=int)
    for v in seen.values():
        loads[v.first : v.last + 1] += 1
    assert loads[1 : tree.most_steps + 1].max() == tree.height == loads.max()


@pytest.mark.parametrize("tree", few(TREES, 3), ids=str)
def test_totals_of_every_length_by_enumeration(tree):
    used = [[0] * tree.height]
    for step in range(1, tree.most_steps + 1):
        digits = reversed(tree.digits(step))
        used.append([total + abs(d) for total, d in zip(used[-1], digits, strict=True)])
    for steps, totals in enumerate(used):
        assert [tree.level_total(level, steps) for level in range(tree.height)] == totals
        assert tree.digit_total(steps) == sum(totals)


@pytest.mark.parametrize("subtraction", [True, False])
def test_heights_by_enumeration(subtraction):
    for arity in range(2, 24):
        for steps in (1, 2, 3, 7, 8, 9, 15, 16, 17, 40, 41, 288, 289, 361, 362, 10**6, 3**30):
            tree = smallest_tree(steps, arity, subtraction)
            assert tree.height == oracles_counting.height_for(steps, arity, subtraction)
            top = oracles_counting.most_steps(arity, tree.height, subtraction)
            assert tree.most_steps == top
            assert smallest_tree(top, arity, subtraction) == tree
            assert smallest_tree(top + 1, arity, subtraction).height == tree.height + 1


def test_a_height_from_logarithms_would_be_wrong():
    steps = (3**31 - 1) // 2  # ⌈log_3(2T)⌉ = 31, and floats cannot tell it from 3^31 + 1
    assert smallest_tree(steps, 3).height == 31
    assert smallest_tree(steps + 1, 3).height == 32


@pytest.mark.parametrize(
    ("arity", "steps", "subtraction", "mean", "error"),
    [
        (2, 63, False, Fraction(64, 21), 219.428571428571),
        (3, 80, False, Fraction(81, 20), 129.6),
        (17, 288, False, Fraction(289, 18), 128.444444444444),
        (3, 121, True, Fraction(405, 121), 167.355371900826),
        (5, 62, True, Fraction(225, 62), 65.3225806451613),
        (19, 180, True, Fraction(19, 2), 76),
        (2, 63, True, Fraction(64, 21), 219.428571428571),
        (4, 170, True, Fraction(711, 170), 133.835294117647),
        (20, 210, True, Fraction(431, 42), 82.0952380952381),
        (6, 129, True, Fraction(203, 43), 84.9767441860465),
    ],
)
def test_vectors_of_the_mean_squared_error(arity, steps, subtraction, mean, error):
    assert oracles_counting.mean_vertices(steps, arity, subtraction) == mean
    found = tree_error(steps, arity, 1.0, subtraction)
    assert found == pytest.approx(error, rel=1e-14)
    assert tree_error(steps, arity, 0.1, subtraction) == pytest.approx(100 * error, rel=1e-14)


@pytest.mark.parametrize("steps", [10**3, 10**6, 10**9])
def test_closed_forms_at_full_trees(steps):
    for arity in (2, 3, 4, 7, 10, 19, 20):
        tree = smallest_tree(steps, arity)
        k, h = Fraction(arity), tree.height
        if arity % 2:
            closed = k * (1 - 1 / k**2) * h**3 / (2 * (1 - 1 / k**h))
        else:
            closed = k * h**3 / (2 * (1 - 1 / k**h)) + (k - 2) * h**2 / (2 * (k - 1))
        assert 2 * h**2 * tree.digit_total(tree.most_steps) == closed * tree.most_steps
        plain = smallest_tree(steps, arity, subtraction=False)
        closed = (k - 1) * plain.height**3 / (1 - 1 / k**plain.height)
        assert (
            2 * plain.height**2 * plain.digit_total(plain.most_steps) == closed * plain.most_steps
        )


@pytest.mark.parametrize(
    ("steps", "arity", "odd", "plain"),
    [
        (10**3, (14, 170.244), (13, 170.352), (11, 243.54)),
        (10**6, (18, 1136.5221), (19, 1142.5309), (16, 1851.55325)),
        (10**9, (22, 3670.52333109), (23, 3715.24235387), (20, 6287.91520363)),
    ],
)
def test_best_arities_of_the_table(steps, arity, odd, plain):
    assert best_arity(steps) == arity[0]
    assert best_arity(steps, subtraction=False) == plain[0]
    assert chosen_tree(steps).arity == arity[0]
    assert chosen_tree(steps, 19).arity == 19
    for (k, error), subtraction in ((arity, True), (odd, True), (plain, False)):
        assert tree_error(steps, k, 1.0, subtraction) == pytest.approx(error, rel=1e-11)
    errors = {k: tree_error(steps, k, 1.0) for k in range(2, 101)}
    assert min(errors, key=errors.__getitem__) == arity[0]
    odds = {k: error for k, error in errors.items() if k % 2}
    assert min(odds, key=odds.__getitem__) == odd[0]


def test_binary_and_honaker_baselines():
    assert tree_error(63, 2, 1, subtraction=False) == pytest.approx(219.428571428571)
    assert honaker_error(15, 1) == pytest.approx(47.2990476190476, rel=1e-14)
    assert honaker_error(1023, 1) == pytest.approx(580.853153001766, rel=1e-14)
    for steps in (1, 2, 6, 11, 15):
        tree = smallest_tree(steps, 2, subtraction=False)
        shares = [oracles_counting.honaker_variance(i) for i in range(tree.height)]
        mean = sum(shares[v.level] for t in range(1, steps + 1) for v in tree.vertices(t)) / steps
        error = 2 * (tree.height / 0.3) ** 2 * mean
        assert honaker_error(steps, 0.3) == pytest.approx(error, rel=1e-12)


@pytest.mark.parametrize(
    ("arity", "subtraction", "constant"),
    [  # MATHEMATICS 7.3: (k - 1/k)/(2 log2(k)^3) for odd k, k/(2 log2(k)^3) for even, (k - 1)/...
        (19, True, 0.1235912179598711),
        (20, True, 0.12387035681674894),
        (17, False, 0.23429257740895449),
    ],
)
def test_errors_grow_with_the_constant_of_the_arity(arity, subtraction, constant):
    steps = Tree(arity, 300, subtraction).most_steps
    error = tree_error(steps, arity, 1, subtraction)
    assert error / math.log2(steps) ** 3 == pytest.approx(constant, rel=0.01)


def test_single_steps_average_to_the_error():
    for arity, steps, subtraction in ((3, 121, True), (14, 1000, True), (11, 999, False)):
        tree = smallest_tree(steps, arity, subtraction)
        each = step_variances(tree, steps, 0.5)
        assert each.mean() == pytest.approx(tree_error(steps, arity, 0.5, subtraction))
        norms = [sum(map(abs, tree.digits(t))) for t in range(1, steps + 1)]
        assert each == pytest.approx(8 * tree.height**2 * np.array(norms))
    high = Tree(100, 40, True)  # whose numbers no 64 bits hold
    assert step_variances(high, 3, 1.0) == pytest.approx(3200 * np.array([1, 2, 3]))


def test_whole_noise():
    for epsilon, height, variance in ((1.0, 5, 49.833666138305917), (0.1, 4, 3199.8333385415371)):
        tree = Tree(19, height, True)
        found = vertex_variance(tree, epsilon, family=DISCRETE)
        assert found == pytest.approx(variance, rel=1e-13)
        assert found < vertex_variance(tree, epsilon) == pytest.approx(2 * (height / epsilon) ** 2)
    whole = tree_error(180, 19, 1.0, family=DISCRETE)
    assert whole == pytest.approx(9.5 / (2 * math.sinh(0.25) ** 2), rel=1e-13)


def test_what_one_person_moves_multiplies_the_scale():
    assert tree_error(180, 19, 1.0, sensitivity=3) == pytest.approx(9 * 76)
    tree = smallest_tree(180, 19)
    level = laplace_level(0.7, 3 * tree.height)
    assert vertex_variance(tree, 0.7, sensitivity=3) == pytest.approx(2 * level**2, rel=1e-15)
