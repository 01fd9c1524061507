"""How far one person moves R·x: brute force over all persons, never below it, exact where said."""

import numpy as np
import pytest

from dpviz.accounting.trees import smallest_tree
from dpviz.errors import ParameterError
from dpviz.linear import contribution as module
from dpviz.linear.contribution import Contribution, moves
from dpviz.linear.operators import Matrix, PrefixSums, dense
from dpviz.linear.operators_intervals import HaarCoefficients
from dpviz.linear.operators_tree import TreeVertices
from dpviz.queries import RELATIONS
from tests.oracles_linear import moves_by_trying

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


@pytest.mark.parametrize(
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
    ids=str,
)
def test_wrong_contributions_are_refused(wrong):
    with pytest.raises(ParameterError):
        Contribution(**wrong)
