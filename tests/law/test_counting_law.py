"""The joint law of continual counting: over tiers and over time, in every order, both forms.

Streams of zeros are cut where a new subtree of height 2 begins. Seen from its middle, its 9 prefix
sums hold the noise of the 8 vertices below: so a few streams are many independent samples.
"""

from itertools import permutations, product

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import smallest_tree
from dpviz.counting import ContinualCounter, CountedStream
from dpviz.counting import steps as counting_steps
from dpviz.noise import FAMILIES
from tests import oracles_accounting
from tests.conftest import few, full_run
from tests.law.specimens import FlippedBridge, IndependentBridge
from tests.statistical import DRAWS, WIDE, broken_promises

TREE = smallest_tree(1093, 3)  # of height 7, full
FEW, MANY = 8, 30  # streams: enough for covariances, and for scales wrong by a tenth
LEVELS = (1.0, 2.2, 6.0)
ORDERS = list(permutations(LEVELS))
BRIDGING = [order for order in ORDERS if list(order) != sorted(order)]
NAMES = ("laplace", "discrete_laplace")
WITHIN = [
    set(oracles_accounting.used_vertices(digits, 3))
    for _, digits in sorted(oracles_accounting.all_digits(3, 2, True).items())
]


def epsilon(level):
    return TREE.height / level


def streamed(family, order, seed, size, monkeypatch):
    """Prefix sums of live counters that the tiers join in this order; all vertices are live."""
    monkeypatch.setattr(counting_steps, "AHEAD", 2 * TREE.most_steps)
    rng = streams.teaching(seed, 1, ORDERS.index(order))
    found = []
    for _ in range(size):
        first, *others = map(epsilon, order)
        counter = ContinualCounter(TREE.most_steps, [first], 3, family=family, rng=rng)
        for other in others:
            counter.add_tier(other)
        found.append(np.array([counter.push(0) for _ in range(TREE.most_steps)]).T)
    return np.stack(found, axis=1)[[order.index(level) for level in LEVELS]]


def counted(family, order, seed, size, _):
    """Prefix sums of the whole-stream form, tiers asked for in this order."""
    rng = streams.teaching(seed, 2, ORDERS.index(order))
    found = []
    for _ in range(size):
        zeros = np.zeros(TREE.most_steps, dtype=int)
        stream = CountedStream(zeros, 3, family=family, rng=rng)
        for level in order:
            stream.release(epsilon(level))
        found.append([stream.release(epsilon(level)) for level in LEVELS])
    return np.stack(found, axis=1)


FORMS = (streamed, counted)


def subtrees(sums):
    """Shape (levels, subtrees, 9): prefix sums less that in the middle of their subtree."""
    first = -(TREE.offset + 1) % 9  # steps count from 1
    sums = sums[:, :, first:]
    whole = sums.shape[2] // 9 * 9
    blocks = sums[:, :, :whole].reshape(len(LEVELS), -1, 9)
    return blocks - blocks[:, :, 4:5]


def vertices(blocks):
    """Shape (levels, draws): single vertices of width 1, those of both signs."""
    parts = blocks.reshape(len(LEVELS), -1, 3)
    found = (parts[:, :, [0, 2]] - parts[:, :, 1:2]).reshape(len(LEVELS), -1)[:, :DRAWS]
    return found if found.dtype.kind == "i" else found.round(9)  # as sums of floats are rounded


def broken_sharing(family, blocks):
    """Covariances over tiers and time: shared vertices times the variance of the less noisy."""
    size = blocks.shape[1]
    samples = blocks.transpose(1, 0, 2).reshape(size, -1).astype(float)
    found = samples.T @ samples / size
    spread = np.sqrt(np.maximum((samples**2).T @ samples**2 / size - found**2, 0) / size)
    shared = np.array([[len(one & other) for other in WITHIN] for one in WITHIN])
    variances = np.array([[family.variance(min(a, b)) for b in LEVELS] for a in LEVELS])
    return int((np.abs(found - np.kron(variances, shared)) > WIDE * spread + 1e-9).sum())


@pytest.mark.parametrize(("order", "name", "form"), few(product(ORDERS, NAMES, FORMS), 5))
def test_tiers_and_times_share_in_every_order(form, name, order, seed, monkeypatch):
    family = FAMILIES[name]
    blocks = subtrees(form(family, order, seed, FEW, monkeypatch))
    assert broken_sharing(family, blocks) == 0


@pytest.mark.parametrize(("form", "name"), few(product(FORMS, NAMES), 3))
def test_joint_law_of_a_vertex_and_its_near_misses(form, name, seed, monkeypatch):
    family = FAMILIES[name]
    order = BRIDGING[seed % len(BRIDGING)]
    noise = vertices(subtrees(form(family, order, seed, MANY, monkeypatch)))
    assert broken_promises(family, LEVELS, noise) == []
    for factor in (1.1, 1 / 1.1, (TREE.height + 1) / TREE.height):  # scales, and a wrong height
        assert broken_promises(family, [factor * level for level in LEVELS], noise)


@pytest.mark.parametrize("order", few(BRIDGING, 5), ids=str)
@pytest.mark.parametrize("specimen", [FlippedBridge, IndependentBridge])
@pytest.mark.parametrize("form", FORMS)
def test_broken_bridges_are_found_out(form, specimen, order, seed, monkeypatch):
    """Bridges that head the wrong way, and tiers that know nothing of each other."""
    family = specimen(FAMILIES["laplace"])
    assert broken_sharing(family, subtrees(form(family, order, seed, FEW, monkeypatch)))


def test_other_sharing_is_found_out(seed):
    family = FAMILIES["laplace"]
    blocks = subtrees(counted(family, ORDERS[0], seed, 3 * MANY, None))
    assert broken_sharing(family, blocks) == 0
    for place in (0, 1, 2, 6, 7, 8):  # one prefix sum with vertices of its own; 3 and 5 share none
        apart = blocks.copy()
        apart[:, :, place] = np.roll(blocks[:, :, place], 1, axis=1)
        assert broken_sharing(family, apart)
    for level in range(3):  # a tier with noise of its own
        apart = blocks.copy()
        apart[level] = np.roll(blocks[level], 1, axis=0)
        assert broken_sharing(family, apart)
    assert broken_sharing(family, 1.1 * blocks)
    assert broken_sharing(family, blocks * (TREE.height + 1) / TREE.height)


@full_run  # of parts of these sums above
def test_variances_of_whole_prefix_sums(seed):
    """Through all heights, over many counters: 2 (h/ε)² times the digits of t."""
    tree, size = smallest_tree(13, 3), 2500
    rng = streams.teaching(seed, 3)
    found = np.empty((size, 2, 13))
    for place in range(size):
        stream = CountedStream(np.zeros(13, dtype=int), 3, rng=rng)
        found[place] = stream.release(3.0), stream.release(1.0)
    digits = [sum(map(abs, tree.digits(t))) for t in range(1, 14)]
    for row, scale in ((0, 1.0), (1, 3.0)):
        squares = found[:, row] ** 2
        away = squares.mean(axis=0) - 2 * scale**2 * np.array(digits)
        assert (np.abs(away) < WIDE * squares.std(axis=0) / size**0.5).all()
    shared = [[len(set(tree.vertices(a)) & set(tree.vertices(b))) for b in range(1, 14)]
              for a in range(1, 14)]  # fmt: skip
    products = found[:, 0].T @ found[:, 1] / size
    spread = np.sqrt((found[:, 0] ** 2).T @ found[:, 1] ** 2 / size - products**2)
    assert (np.abs(products - 2 * np.array(shared)) < WIDE * spread / size**0.5).all()
