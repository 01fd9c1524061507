"""The contract of every noise family: the joint law does not depend on the order of asking.

Every order matters: the ascending one never bridges. All 24 orders of four levels, two of them
close, are checked against the same law [LMR25, Def. 1.1 and 3.4].
"""

from itertools import permutations

import numpy as np
import pytest

from dpviz import streams
from dpviz.noise import FAMILIES
from dpviz.release import MultipleRelease
from tests.law.specimens import BROKEN, RIGHT
from tests.statistical import DRAWS, broken_promises

LEVELS = (1.0, 2.0, 2.2, 6.0)
ORDERS = list(permutations(LEVELS))
DESCENDING_BETWEEN = [  # the least noisy level is held first: every bridge has two noisy ends
    order for order in ORDERS if order[0] == LEVELS[0] and list(order) != sorted(order)
]


def noise_in_order(family, order, seed):
    """Noise at LEVELS, one row each, asked for in the given order."""
    number = ORDERS.index(order)
    zeros = np.zeros(DRAWS, dtype=np.int64)
    session = MultipleRelease(zeros, family, rng=streams.teaching(seed, number))
    for level in order:
        session.release(level)
    assert session.levels == LEVELS
    return np.array([session.release(level) for level in LEVELS])


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("name", FAMILIES)
def test_joint_law_in_every_order(name, order, seed):
    family = FAMILIES[name]
    assert broken_promises(family, LEVELS, noise_in_order(family, order, seed)) == []


@pytest.mark.parametrize("order", DESCENDING_BETWEEN, ids=str)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_families_are_found_out(name, order, seed):
    family = BROKEN[name]
    assert broken_promises(family, LEVELS, noise_in_order(family, order, seed))


@pytest.mark.parametrize("order", DESCENDING_BETWEEN, ids=str)
@pytest.mark.parametrize("name", RIGHT)
def test_a_slow_right_sampler_passes(name, order, seed):
    """So it is the scales of the printed lemma that are found out, not the way of drawing."""
    family = RIGHT[name]
    assert broken_promises(family, LEVELS, noise_in_order(family, order, seed)) == []
