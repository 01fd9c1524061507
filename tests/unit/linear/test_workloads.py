"""Workloads: every way answers the same questions, and none beats the bound."""

import numpy as np
import pytest
from scipy import optimize

from dpviz.errors import ParameterError
from dpviz.linear import error_bounds, workloads
from dpviz.linear.operators import Matrix, PrefixSums, dense
from tests import oracles_linear as oracle

TYPED = [[1, 1, 0, 0], [0, 1, 1, 1], [2, 0, 0, -1]]
CASES = [
    *[(workloads.single_numbers(n), np.eye(n)) for n in (1, 6)],
    *[(workloads.prefix_sums(n), oracle.prefix_matrix(n)) for n in (1, 2, 7, 16)],
    *[(workloads.ranges(n), oracle.range_matrix(n)) for n in (1, 2, 7, 8)],
    *[(workloads.marginals(*shape), oracle.marginal_matrix(*shape)) for shape in ((1, 3), (3, 4))],
    (workloads.typed(TYPED), np.array(TYPED)),
]
WAYS = [(workload, way, entries) for workload, entries in CASES for way in workload.ways]


def named(value):
    return "" if isinstance(value, np.ndarray) else str(getattr(value, "name", value))


@pytest.mark.parametrize(("workload", "way", "entries"), WAYS, ids=named)
def test_every_way_is_a_factorization(workload, way, entries):
    made = workload.factorization(way)
    assert workload.shape == made.shape == entries.shape
    assert dense(made.left) @ dense(made.right) == pytest.approx(entries, abs=1e-9)
    least = workload.bound().value
    error = made.row_squares.sum() * made.l2_sensitivity**2
    assert error >= least * (1 - 1e-9)
    if way == workloads.LEAST:
        assert error <= least * (1 + 2 * error_bounds.CLOSE)


def test_marginals_and_typed_matrices_have_a_way_better_than_both_ends():
    for workload, _ in CASES[-2:]:
        errors = {
            made.name: made.row_squares.sum() * made.l2_sensitivity**2
            for made in map(workload.factorization, workload.ways)
        }
        assert errors[workloads.LEAST] <= min(errors.values()) * (1 + 1e-3)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 40])
def test_bound_of_prefix_sums_is_the_sum_of_singular_values(n):
    values = np.linalg.svd(oracle.prefix_matrix(n), compute_uv=False)
    assert error_bounds.prefix_sums_bound(n) == pytest.approx(values.sum() ** 2 / n)
    found = error_bounds.optimum(PrefixSums(n))
    assert error_bounds.prefix_sums_bound(n) <= found.bound * (1 + 1e-9)


def test_optimum_of_two_totals_against_a_search():
    """A = [[1, 0], [1, 1]]: R up to rotation is [[a, b], [0, c]] with columns of norm 1."""

    def error(angle):
        right = np.array([[1.0, np.cos(angle)], [0.0, np.sin(angle)]])
        return (np.array([[1.0, 0], [1, 1]]) @ np.linalg.inv(right)).ravel() @ (
            np.array([[1.0, 0], [1, 1]]) @ np.linalg.inv(right)
        ).ravel()

    least = optimize.minimize_scalar(error, bounds=(0.1, 3.0), method="bounded").fun
    found = error_bounds.optimum(PrefixSums(2))
    assert found.bound <= least <= found.error
    assert found.error == pytest.approx(least, rel=error_bounds.CLOSE)


def test_optimum_does_not_depend_on_the_unit():
    one, many = (error_bounds.optimum(Matrix(scale * np.array(TYPED))) for scale in (1.0, 1e-9))
    assert many.error == pytest.approx(1e-18 * one.error)
    assert many.bound == pytest.approx(1e-18 * one.bound)


def test_trees_have_the_arities_of_the_mathematics():
    """MATHEMATICS 7.3, for pure ε: best plain and best with subtraction."""
    for n, plain, mse_plain, offset, mse_offset in (
        (1_000, 11, 243.54, 14, 170.244),
        (1_000_000, 16, 1851.55325, 18, 1136.5221),
    ):
        made = list(workloads.trees(n).values())[1:]
        assert [tree.arity for tree in made] == [plain, offset]
        errors = [2 * tree.height**2 * tree.digit_total(n) / n for tree in made]
        assert errors == pytest.approx([mse_plain, mse_offset], rel=1e-5)


def test_large_prefix_sums_have_a_bound_without_a_matrix():
    workload = workloads.prefix_sums(1_000_000)
    root = workload.factorization("square root")
    ratio = root.row_squares.sum() * root.l2_sensitivity**2 / workload.bound().value
    assert 1 < ratio < 1.1
    assert workloads.LEAST not in workload.ways
    assert workloads.ranges(200).bound() is None


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: workloads.prefix_sums(5).factorization("magic"), "choose one of: noise on"),
        (lambda: workloads.typed([[1, 0], [2, 0]]), "column 2 of the matrix is all zeros"),
        (lambda: workloads.typed([[1, 1], [0, 0]]), "row 2 of the matrix is all zeros"),
        (lambda: workloads.typed([["x"]]), "not a number"),
        (lambda: workloads.ranges(1001), "at most 1,000"),
        (lambda: error_bounds.optimum(PrefixSums(129)), "at most 128 columns"),
        (lambda: error_bounds.optimum(Matrix([[1, 0]])), "all zeros"),
    ],
)
def test_refusals(make, sentence):
    with pytest.raises(ParameterError, match=sentence):
        make()


def test_a_tree_that_is_another_way_stands_once():
    assert list(workloads.trees(1)) == list(workloads.trees(5)) == ["binary tree"]
    assert list(workloads.trees(1000)) == ["binary tree", "11-ary tree", "14-ary tree ±"]
