"""Structured operators against matrices written from their definitions."""

import numpy as np
import pytest

from dpviz.accounting.trees import Tree, smallest_tree
from dpviz.errors import ParameterError
from dpviz.linear import contribution as module
from dpviz.linear.contribution import Contribution, moves
from dpviz.linear.operators import (
    Identity,
    Marginals,
    Matrix,
    PrefixSums,
    SquareRoot,
    TreeSums,
    TreeVertices,
    dense,
    fitting,
)
from dpviz.linear.operators_intervals import HaarCoefficients, HaarSums, Ranges, RangesOf
from dpviz.queries import RELATIONS
from tests import oracles_linear as oracle
from tests.conftest import FULL, few, for_each
from tests.oracles_linear import moves_by_trying

SIZES = (1, 2, 3, 5, 8, 13)
PLAIN = [
    *[(Identity(n), np.eye(n)) for n in SIZES],
    *[(PrefixSums(n), oracle.prefix_matrix(n)) for n in SIZES],
    *[(Ranges(n), oracle.range_matrix(n)) for n in SIZES],
    *[(Marginals(n, m), oracle.marginal_matrix(n, m)) for n, m in ((1, 4), (3, 1), (3, 4))],
    (Matrix([[1, -2], [0, 3], [4, 5]]), np.array([[1.0, -2], [0, 3], [4, 5]])),
]
TREES = [
    (n, smallest_tree(n, arity, subtraction))
    for n in (1, 2, 4, 7, 13, 14, 40, 41)
    for arity in (2, 3, 4, 5, 7)
    for subtraction in (False, True)
]


def check_rows(operator, entries):
    assert operator.shape == entries.shape
    assert operator.row_squares() == pytest.approx((entries**2).sum(axis=1))
    known = operator.full_column_rank
    assert known in (None, np.linalg.matrix_rank(entries) == entries.shape[1])


def check_columns(operator, entries):
    norms = operator.column_norms()
    assert norms.l1 == pytest.approx(np.abs(entries).sum(axis=0))
    assert norms.l2 == pytest.approx(np.sqrt((entries**2).sum(axis=0)))
    assert norms.linf == pytest.approx(np.abs(entries).max(axis=0))
    assert not operator.non_negative or (entries >= 0).all()


@for_each(("operator", "entries"), PLAIN)
def test_plain_operators_are_their_matrices(operator, entries):
    assert np.array_equal(dense(operator), entries)
    check_rows(operator, entries)
    check_columns(operator, entries)


@for_each(("operator", "entries"), PLAIN)
def test_whole_numbers_stay_exact(operator, entries):
    large = 2**50 + np.arange(entries.shape[1])
    answers = operator.apply(large)
    assert answers.dtype == np.int64
    exact = [sum(int(a) * int(x) for a, x in zip(row, large, strict=True)) for row in entries]
    assert answers.tolist() == exact


@for_each(("n", "tree"), few(TREES, 7))
def test_trees_use_the_vertices_of_the_digits(n, tree):
    left, right = oracle.tree_factors(n, tree.arity, tree.height, tree.subtraction)
    ours_left, ours_right = dense(TreeSums(tree, n)), dense(TreeVertices(tree, n))
    assert np.array_equal(ours_right, right)
    assert np.array_equal(ours_left, left)
    check_rows(TreeSums(tree, n), left)
    check_columns(TreeVertices(tree, n), right)
    assert tree.digit_total(n) == np.abs(left).sum()


@for_each("n", SIZES)
def test_square_root_is_one(n):
    root = dense(SquareRoot(n))
    assert root @ root == pytest.approx(oracle.prefix_matrix(n), abs=1e-12)
    assert np.array_equal(np.triu(np.abs(root) > 1e-12, 1), np.zeros((n, n)))
    check_rows(SquareRoot(n), root)
    norms = SquareRoot(n).column_norms()
    assert norms.l1 == pytest.approx(root.sum(axis=0))
    assert norms.l2 == pytest.approx(np.sqrt((root**2).sum(axis=0)))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("which", ["points", "prefixes", "ranges"])
def test_haar_wavelet_answers_intervals(n, which):
    matrices = {"points": np.eye, "prefixes": oracle.prefix_matrix, "ranges": oracle.range_matrix}
    entries = dense(HaarCoefficients(n))
    assert np.array_equal(entries, oracle.haar_matrix(n))
    check_columns(HaarCoefficients(n), entries)
    left = dense(HaarSums(n, which))
    assert left @ entries == pytest.approx(matrices[which](n))
    check_rows(HaarSums(n, which), left)


@pytest.mark.parametrize(
    "prefixes", [Identity(5), SquareRoot(6), TreeSums(smallest_tree(7, 3), 7)], ids=repr
)
def test_ranges_are_differences_of_prefixes(prefixes):
    n, inner = prefixes.shape
    steps = np.vstack([np.zeros(inner), dense(prefixes)])
    wanted = [steps[last + 1] - steps[first] for first in range(n) for last in range(first, n)]
    assert dense(RangesOf(prefixes)) == pytest.approx(np.array(wanted), abs=1e-12)
    check_rows(RangesOf(prefixes), np.array(wanted))


def test_a_million_totals():
    n = 1_000_000 if FULL else 100_000
    data = np.arange(n) % 1000
    totals = np.cumsum(data)
    for arity, subtraction in ((2, False), (18, True)):
        tree = smallest_tree(n, arity, subtraction)
        assert np.array_equal(TreeSums(tree, n).apply(TreeVertices(tree, n).apply(data)), totals)
    wavelet = HaarSums(n, "prefixes").apply(HaarCoefficients(n).apply(data))
    root = SquareRoot(n).apply(SquareRoot(n).apply(data))
    assert np.abs(wavelet - totals).max() < 1e-12 * totals[-1]
    assert np.abs(root - totals).max() < 1e-12 * totals[-1]


@for_each(
    ("entries", "sentence"),
    [
        ([[1, 2], [3]], "differ in length"),
        ([["a", "b"]], "not a number"),
        ([[1, None]], "not a number"),
        ([1, 2, 3], "rows and columns"),
        ([], "rows and columns"),
        ([[]], "rows and columns"),
        ([[1.0, float("nan")]], "finite"),
        ([[float("inf")]], "finite"),
        ([[1e101]], "finite"),
        (np.zeros((4001, 1000)), "4,001,000 entries"),
    ],
)
def test_bad_matrices_are_refused(entries, sentence):
    with pytest.raises(ParameterError, match=sentence):
        Matrix(entries)


def test_a_matrix_keeps_what_it_was_given():
    given = np.array([[1.0, 2.0]])
    matrix = Matrix(given)
    given[0, 0] = 9
    assert matrix.entries.tolist() == [[1, 2]]
    assert matrix.whole
    assert not Matrix([[0.5]]).whole
    assert not Matrix([[2.0**53]]).whole
    with pytest.raises(ValueError, match="read-only"):
        matrix.entries[0, 0] = 3


def test_wrong_lengths_and_sizes_are_refused():
    with pytest.raises(ParameterError, match="3 numbers"):
        PrefixSums(3).apply(np.zeros(2))
    with pytest.raises(ParameterError, match="numbers"):
        fitting(np.array(["a"]), Identity(1))
    with pytest.raises(ParameterError, match="too large"):
        dense(PrefixSums(3000))
    with pytest.raises(ParameterError, match="at most 1,000"):
        Ranges(1001)
    for make in (Identity, PrefixSums, SquareRoot, HaarCoefficients, Ranges):
        with pytest.raises(ParameterError):
            make(0)
    for operator in (TreeSums, TreeVertices):
        with pytest.raises(ParameterError, match="gives 4 totals, got n = 5"):
            operator(Tree(3, 2, subtraction=True), 5)
        with pytest.raises(ParameterError, match="at most 1,000"):
            operator(Tree(1001, 1, subtraction=True), 5)
        with pytest.raises(ParameterError):
            operator(Tree(3, 2, subtraction=True), 0)


# --- How far one person moves R·x ---


AMOUNTS = ((0, 1), (0, 2), (-1, 2), (-3, 0), (1, 2), (-0.5, 0.25))
SHAPES = ((1, 1), (3, 1), (2, 3), (4, 3), (3, 4), (2, 5))


def matrices():
    rng = np.random.default_rng(5)
    for shape in SHAPES:
        yield rng.integers(1, 4, shape)
        yield rng.integers(1, 4, shape) * rng.choice([-1, 1], shape)
        yield rng.normal(size=shape)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(("low", "high"), AMOUNTS)
@pytest.mark.parametrize("groups", [1, 2, 3])
@pytest.mark.parametrize("work", [module.MOST_WORK, 0])
def test_never_too_small_and_exact_for_one_group(monkeypatch, groups, low, high, relation, work):
    monkeypatch.setattr(module, "MOST_WORK", work)
    person = Contribution(groups=groups, low=low, high=high, relation=relation)
    for entries in matrices():
        found = moves(Matrix(entries), person)
        ours = [found.l1.value, found.l2.value, found.linf.value]
        truth = moves_by_trying(entries.astype(float), groups, low, high, relation)
        assert all(o >= t * (1 - 1e-12) for o, t in zip(ours, truth, strict=True)), entries
        if work and min(groups, entries.shape[1]) == 1:
            assert ours == pytest.approx(truth)
        elif work:
            assert ours[2] == pytest.approx(truth[2])
            assert ours[0] <= 2.2 * truth[0]
            assert ours[1] == pytest.approx(truth[1])  # all are tried


def test_signs_of_products_bound_several_groups_that_are_replaced():
    """Wavelet of 52 numbers, four groups: 14.97 as four times one group, 12.65 with products."""
    person = Contribution(groups=4, relation="replace")
    assert moves(HaarCoefficients(52), person).l2.value == pytest.approx(np.sqrt(160))
    small = HaarCoefficients(8)
    found = moves(small, Contribution(groups=2, relation="replace"))
    truth = moves_by_trying(dense(small), 2, 0, 1, "replace")[1]
    assert truth <= found.l2.value <= 1.2 * truth


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_exact_for_counts_and_trees(groups):
    """ℓ₁ of a matrix of no negative entries is the sum of the ℓ₀ largest columns."""
    rng = np.random.default_rng(1)
    entries = rng.integers(0, 3, (4, 5)) + 1
    found = moves(Matrix(entries), Contribution(groups=groups, high=2))
    assert found.l1.value == moves_by_trying(entries, groups, 0, 2, "add/remove")[0]
    tree = TreeVertices(smallest_tree(1000, 3), 1000)
    assert moves(tree, Contribution(groups=groups)).l1.value == groups * tree.tree.height


def test_replacing_in_a_tree_moves_two_paths():
    tree = TreeVertices(smallest_tree(10_000, 3), 10_000)
    replaced = moves(tree, Contribution(relation="replace"))
    height = tree.tree.height
    assert replaced.l1.value == 2 * height
    assert replaced.l2.value == pytest.approx(np.sqrt(2 * height))
    assert replaced.linf.value == 1.0


def test_every_norm_says_its_rule():
    found = moves(PrefixSums(5), Contribution(relation="replace"))
    assert found.l1.method == "largest norm of a difference of two columns"
    assert moves(PrefixSums(5), Contribution()).l2.method == "M · largest column norm"


@for_each(
    "wrong",
    [
        {"groups": 0},
        {"groups": 1.5},
        {"low": 1, "high": 0},
        {"low": 0, "high": 0},
        {"high": float("nan")},
        {"high": float("inf")},
        {"relation": "swap"},
    ],
)
def test_wrong_contributions_are_refused(wrong):
    with pytest.raises(ParameterError):
        Contribution(**wrong)
