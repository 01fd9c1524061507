"""Randomised response in any order: the joint law of three reports, and broken copies of it.

Against the product of the chances of each step, for every order of asking; a clock 10 % too fast, a
report drawn afresh in place of a bridge, and one drawn from the sharper neighbour alone are found.
"""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.noise import FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import FULL, few
from tests.law.specimens import IndependentBridge, Specimen, WrongLevel

LEVELS = (0.4, 1.0, 2.2)
ORDERS = list(itertools.permutations(LEVELS))
PEOPLE = 1_000_000 if FULL else 60_000
LEVEL = 1e-7  # as in tests/statistical.py
SIZES = pytest.mark.parametrize("categories", [2, 3, 7])


class OneSided(Specimen):
    """A bridge that looks at the sharper neighbour alone: each report is right, the three not."""

    def bridge(self, below, _above, low, level, _high, *, rng):
        return self.right.extend(below, low, level, rng=rng)


BROKEN = {
    "independent": IndependentBridge,
    "one-sided": OneSided,
    "clock too fast": lambda family: WrongLevel(family, 1.1),
}


def pvalue(family, order, seed):
    """Chi-square test of three reports of everybody, whose truth is 0, against their joint law."""
    k = family.categories
    rng = streams.teaching(seed, ORDERS.index(order))
    session = MultipleRelease(np.zeros(PEOPLE, dtype=int), family, rng=rng)
    for level in order:
        session.release(level)
    cells = np.zeros(PEOPLE, dtype=int)
    expected, low = np.array([1.0]), 0.0
    for level in LEVELS:
        cells = cells * k + session.release(level)
        kept = math.exp(low - level)
        step = kept * np.eye(k) + (1 - kept) / k
        last = np.arange(expected.size) % k
        expected = (expected[:, np.newaxis] * step[last]).ravel()
        low = level
    seen, expected = np.bincount(cells, minlength=k**3), PEOPLE * expected
    large = expected >= 25
    seen = np.append(seen[large], seen[~large].sum())
    expected = np.append(expected[large], max(expected[~large].sum(), 1e-9))
    if expected[-1] < 25:  # too few to be a cell of their own
        seen, expected = (np.append(x[:-2], x[-2] + x[-1]) for x in (seen, expected))
    statistic = ((seen - expected) ** 2 / expected).sum()
    return float(stats.chi2.sf(statistic, seen.size - 1))


@SIZES
@pytest.mark.parametrize("order", few(ORDERS, 2), ids=str)
def test_three_reports_have_their_joint_law_in_every_order(categories, order, seed):
    family = FAMILIES["randomised_response"].with_categories(categories)
    assert pvalue(family, order, seed) > LEVEL


@SIZES
@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("order", few([o for o in ORDERS if o[1:] == (2.2, 1.0) or o[2] == 1.0], 3))
def test_broken_copies_are_found_out(categories, name, order, seed):
    family = FAMILIES["randomised_response"].with_categories(categories)
    assert pvalue(BROKEN[name](family), order, seed) < LEVEL
