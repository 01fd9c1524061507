"""The joint law of linear answers over tiers: in every order the same, near misses found out.

Thousands of sessions at once: L and R are applied to every one of many small tables, so that the
noise of one session on all of them is a sample. For answers with a left inverse the noisy inner
numbers are recovered and given to the checker of noise families; for all others the covariances of
every pair of answers at every pair of levels, which are Var N(the lower level) · L Lᵀ.
"""

from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest

from dpviz import streams
from dpviz.linear import Factorization
from dpviz.linear.operators import ColumnNorms
from dpviz.noise import FAMILIES
from tests.conftest import few
from tests.statistical import WIDE, broken_promises

LEVELS = (1.0, 2.0, 5.0)
ORDERS = list(permutations(LEVELS))
TABLES = 30_000
NAMES = ("gaussian", "laplace", "poisson", "discrete_laplace", "skellam")
TALL = np.array([[1, 0], [1, 1], [2, -1]])  # has a left inverse
FLAT = np.array([[1, 1, 0], [0, 1, 1]])  # has none
RIGHTS = {2: np.array([[1, 1, 0], [0, 1, 1]]), 3: np.array([[1, 1], [0, 1], [1, -1]])}


class Repeated:
    """A matrix applied to every table of many, one after another."""

    whole = True
    non_negative = False

    def __init__(self, entries):
        self.entries = entries
        self.shape = tuple(TABLES * size for size in entries.shape)
        self.full_column_rank = np.linalg.matrix_rank(entries) == entries.shape[1]

    def apply(self, vector):
        return (vector.reshape(TABLES, -1) @ self.entries.T).ravel()

    def row_squares(self):
        return np.tile((self.entries**2).sum(axis=1).astype(float), TABLES)

    def column_norms(self):
        ones = np.ones(self.shape[1])
        return ColumnNorms(ones, ones, ones)


def released(family, left, order, seed):
    """Noise of the answers at LEVELS, shape (levels, tables, answers), asked for in an order."""
    right = RIGHTS[left.shape[1]]
    made = Factorization(Repeated(left), Repeated(right))
    data = np.tile(np.arange(right.shape[1]) + 5, TABLES)
    answers = made.session(data, family, rng=streams.teaching(seed, ORDERS.index(order)))
    for level in order:
        answers.release(level)
    exact = (left @ right @ data[: right.shape[1]])[None, :]
    return np.array([answers.release(level).reshape(TABLES, -1) - exact for level in LEVELS])


def broken(family, left, noise):
    """Everything that is wrong with the noise of answers, shape (levels, tables, answers)."""
    found = list(wrong_covariances(family, left, noise))
    if np.linalg.matrix_rank(left) < left.shape[1]:
        return found
    inner = noise @ np.linalg.pinv(left).T
    if np.abs(inner @ left.T - noise).max() > 1e-9 * np.abs(noise).max():
        found.append("noise that is not of the inner dimension")
    flat = inner.reshape(len(LEVELS), -1)
    whole = np.rint(flat).astype(np.int64) if family.integer else flat
    return found + atoms_kept(family, whole)


def atoms_kept(family, noise):
    """The checker of noise families; recovering inner numbers blurs what was exactly equal."""
    equal = np.abs(np.diff(noise, axis=0)) < 1e-12
    for step, same in enumerate(equal, start=1):
        noise[step][same] = noise[step - 1][same]
    return broken_promises(family, LEVELS, noise)


def wrong_covariances(family, left, noise):
    """Pairs of levels and answers whose covariance is not Var N(lower level) · L Lᵀ."""
    means = np.array([family.mean(level) * left.sum(axis=1) for level in LEVELS])
    centred = noise - means[:, None, :]
    products = left @ left.T
    for (i, low), (j, high) in combinations_with_replacement(enumerate(LEVELS), 2):
        for p in range(len(left)):
            for q in range(len(left)):
                sample = centred[i, :, p] * centred[j, :, q]
                away = sample.mean() - family.variance(low) * products[p, q]
                if abs(away) > WIDE * sample.std() / np.sqrt(TABLES):
                    yield f"covariance of answers {p} at {low} and {q} at {high}"


@pytest.mark.parametrize(("order", "left", "name"), few(product(ORDERS, [TALL, FLAT], NAMES), 7))
def test_joint_law_of_answers_in_every_order(name, left, order, seed):
    family = FAMILIES[name]
    assert broken(family, left, released(family, left, order, seed)) == []


def independent(family, left, rng):
    """Each level drawn afresh: right marginals, no joint law."""
    zeros = np.zeros(TABLES * left.shape[1])
    return [family.extend(zeros, 0, level, rng=rng) for level in LEVELS], left


def wider(family, left, rng):
    """One path, its levels a tenth too high."""
    path = [np.zeros(TABLES * left.shape[1])]
    for low, high in zip((0.0, *LEVELS), LEVELS, strict=False):
        path.append(family.extend(path[-1], low * 1.1, high * 1.1, rng=rng))
    return path[1:], left


def outer(family, left, rng):
    """Noise added to the answers, not to the inner numbers: as if A = I·A."""
    path = [np.zeros(TABLES * left.shape[0])]
    for low, high in zip((0.0, *LEVELS), LEVELS, strict=False):
        path.append(family.extend(path[-1], low, high, rng=rng))
    return path[1:], np.eye(len(left))


@pytest.mark.parametrize("left", few([TALL, FLAT], 2), ids=few(["left inverse", "none"], 2))
@pytest.mark.parametrize("miss", [independent, wider, outer])
@pytest.mark.parametrize("name", ["gaussian", "laplace"])
def test_near_misses_are_found_out(name, miss, left, seed):
    family = FAMILIES[name]
    path, applied = miss(family, left, streams.teaching(seed, 99))
    noise = np.array([inner.reshape(TABLES, -1) @ applied.T for inner in path])
    assert broken(family, left, noise)
