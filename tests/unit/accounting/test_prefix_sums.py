"""The least error of Gaussian noise on running totals: a search, matrices, and both sides."""

import math

import numpy as np
import pytest
from scipy import optimize

from dpviz.accounting import prefix_sums, square_root_factor
from dpviz.accounting.prefix_sums import (
    CLOSE,
    MOST_SEARCHED,
    SLACK,
    least_factor,
    prefix_sums_bound,
)
from dpviz.errors import ParameterError


def totals(n):
    return np.tril(np.ones((n, n)))


def least_by_descent(n):
    """Least ‖L‖²/n over all R with columns of norm 1, by descent from several starts."""

    def error(entries):
        right = entries.reshape(n, n)
        right = right / np.sqrt((right**2).sum(axis=0))
        if abs(np.linalg.det(right)) < 1e-12:
            return 1e6
        return float((np.linalg.solve(right.T, totals(n).T) ** 2).sum() / n)

    rng = np.random.default_rng(1)
    starts = [np.eye(n) + 0.3 * rng.normal(size=(n, n)) for _ in range(3)]
    return min(optimize.minimize(error, start.ravel()).fun for start in starts)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_the_best_factorization_against_a_descent(n):
    found, least = least_factor(n), least_by_descent(n)
    assert found.bound <= least * (1 + 1e-7)
    assert least <= found.reached
    assert found.reached <= found.bound * (1 + CLOSE) * (1 + 1e-9)


def test_two_totals_in_closed_form():
    golden = (3 + math.sqrt(5)) / 4
    assert least_factor(2).bound <= golden <= least_factor(2).reached


@pytest.mark.parametrize("n", [2, 7, 60])
def test_the_diagonal_against_eigenvectors(n):
    weights = np.random.default_rng(n).uniform(0.01, 1, n)
    weights /= weights.sum()
    root = np.sqrt(weights)
    values, vectors = np.linalg.eigh(totals(n).T @ totals(n) * np.outer(root, root))
    wanted = vectors**2 @ np.sqrt(values)
    assert prefix_sums._root_diagonal(weights) == pytest.approx(wanted, rel=SLACK)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 40])
def test_bound_of_equal_weights_is_the_sum_of_singular_values(n):
    values = np.linalg.svd(totals(n), compute_uv=False)
    assert prefix_sums_bound(n) == pytest.approx(values.sum() ** 2 / n)
    assert prefix_sums_bound(n) <= least_factor(n).bound * n * (1 + 2 * SLACK) * (1 + 1e-9)


def test_the_bound_of_long_streams_is_below_the_sum(monkeypatch):
    for n in (10, 1000, 100_000):
        monkeypatch.setattr(prefix_sums, "TERMS", n)
        added = prefix_sums_bound(n)
        monkeypatch.setattr(prefix_sums, "TERMS", 1)
        assert added * (1 - 1 / n) < prefix_sums_bound(n) < added


def test_bounds_and_square_root_are_in_order():
    for n in (2, 10, 128, 1008):
        found = least_factor(n)
        assert prefix_sums_bound(n) / n < found.bound < found.reached < square_root_factor(n)
    assert least_factor(MOST_SEARCHED + 1) is None


@pytest.mark.parametrize("call", [prefix_sums_bound, least_factor])
@pytest.mark.parametrize("bad", [0, -1, 2.5, "7", None, True])
def test_refusals(call, bad):
    with pytest.raises(ParameterError, match="n must be a whole number"):
        call(bad)
