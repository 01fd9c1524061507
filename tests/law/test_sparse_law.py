"""The sparse histogram draws the law of noise in every cell: counts, values, joint projections.

Every order of three tiers, close and distant budgets, thresholds that rise and fall, and cells with
and without a count; each is compared with the dense reference. The same questions find out
Algorithm 6 as printed, an independent draw in place of the hidden past, and a forgotten message.
"""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy import stats

from tests import oracles_sparse
from tests.conftest import few
from tests.oracles_sparse import opened
from tests.statistical import LEVEL

CELLS = 60_000
DENSE = 3 * CELLS
EVERY = 20  # each 20th cell has a count
COUNT = 2
ORDERS = list(permutations(range(3)))
BACK = [order for order in ORDERS if 1 not in order[1:2]]
RATIOS = (1.0001, 2.0, 50.0)
THRESHOLDS = {
    "level": (1.5, 1.5, 1.5),
    "falling and rising": (1.0, 1.3, 0.7),
    "low": (0.5, 0.5, 0.5),
}  # in sd
FEWEST = 25


def budgets(ratio, thresholds):
    rhos = 0.1 * ratio ** np.arange(3)
    return rhos, np.array(THRESHOLDS[thresholds]) * np.sqrt(0.5 / rhos)


def drawn(kind, ratio, thresholds, order, seed, cells=CELLS):
    """Values of every cell at the three tiers, NaN where it does not show: shape (3, cells)."""
    rhos, taus = budgets(ratio, thresholds)
    counted = np.arange(0, cells, EVERY)
    histogram = opened(kind, counted, np.full(counted.size, COUNT), cells, seed=seed)
    for tier in order:
        histogram.release(rhos[tier], taus[tier])
    values = np.full((3, cells), np.nan)
    for tier in range(3):
        shown, numbers = histogram.release(rhos[tier], taus[tier])
        values[tier, shown] = numbers
    return values


def differences(one, other):
    """P-values of everything asked about two histograms: who shows when, and the values."""
    for counted in (False, True):
        mine, theirs = (
            (v[:, (np.arange(v.shape[1]) % EVERY == 0) == counted]) for v in (one, other)
        )
        shapes = [np.array([1, 2, 4]) @ ~np.isnan(v) for v in (mine, theirs)]
        table = np.array([np.bincount(shape, minlength=8) for shape in shapes])
        table = table[:, table.sum(axis=0) >= FEWEST]
        yield stats.chi2_contingency(table).pvalue if table.shape[1] > 1 else 1.0
        for shape in range(1, 8):
            tiers = [tier for tier in range(3) if shape >> tier & 1]
            a, b = (v[:, s == shape] for v, s in zip((mine, theirs), shapes, strict=True))
            if min(a.shape[1], b.shape[1]) < FEWEST:
                continue
            for tier in tiers:
                yield stats.ks_2samp(a[tier], b[tier], method="asymp").pvalue
            for i, j in combinations(tiers, 2):
                yield stats.ks_2samp(a[i] - a[j], b[i] - b[j], method="asymp").pvalue


@pytest.fixture(scope="module")
def dense():
    """The reference, drawn once for each setting and seed: its order does not matter."""
    held = {}

    def drawn_once(ratio, thresholds, seed):
        key = (ratio, thresholds, seed)
        if key not in held:
            held[key] = drawn("dense", ratio, thresholds, (0, 1, 2), seed + 100, DENSE)
        return held[key]

    return drawn_once


@pytest.mark.parametrize(
    ("order", "ratio", "thresholds"),
    few(product(ORDERS, RATIOS, ["level", "falling and rising"]), 7),  # six orders, three ratios
    ids=str,
)
def test_sparse_is_dense(ratio, thresholds, order, seed, dense):
    found = drawn("sparse", ratio, thresholds, order, seed)
    assert min(differences(found, dense(ratio, thresholds, seed))) > LEVEL


@pytest.mark.parametrize("ratio", [1.2, 2.0])
def test_the_printed_algorithm_is_found_out(ratio, seed, dense):
    """It is for rising budgets only."""
    found = drawn("printed", ratio, "level", (0, 1, 2), seed)
    assert min(differences(found, dense(ratio, "level", seed))) < LEVEL


@pytest.mark.parametrize("order", few(BACK, 4), ids=str)
@pytest.mark.parametrize("ratio", [1.2, 2.0])
def test_an_independent_hidden_past_is_found_out(ratio, order, seed, dense, monkeypatch):
    """In orders that come back behind a crossing; the others never need the past."""
    oracles_sparse.with_independent_past(monkeypatch)
    found = drawn("sparse", ratio, "level", order, seed)
    assert min(differences(found, dense(ratio, "level", seed))) < LEVEL


@pytest.mark.parametrize("ratio", [1.2, 2.0])
def test_a_forgotten_backward_message_is_found_out(ratio, seed, dense):
    """Three rising budgets: the third knows of the second only."""
    found = drawn("forgotten backward message", ratio, "low", (0, 1, 2), seed)
    assert min(differences(found, dense(ratio, "low", seed))) < LEVEL
