"""The contract of every noise family: the joint law does not depend on the order of asking.

Every order matters: the ascending one never bridges. All 24 orders of four levels, two of them
close, are checked against the same law [LMR25, Def. 1.1 and 3.4].
"""

from itertools import permutations

import numpy as np
import pytest

from dpviz import streams
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import FULL, few
from tests.law.specimens import BROKEN, RIGHT
from tests.statistical import DRAWS, broken_promises, is_broken

LEVELS = (1.0, 2.0, 2.2, 6.0)
BY_LEVEL = LEVELS if FULL else (1.0, 2.0, 2.25, 6.0)  # of few binary digits, so few bridges
ORDERS = list(permutations(LEVELS))
DESCENDING_BETWEEN = [  # the least noisy level is held first: every bridge has two noisy ends
    order for order in ORDERS if order[0] == LEVELS[0] and list(order) != sorted(order)
]


def noise_in_order(family, order, seed, *, any_order=False):
    """Noise at the levels, ascending, one row each, asked for in the given order."""
    number = 0 if any_order else ORDERS.index(order)
    zeros = np.zeros(DRAWS, dtype=np.int64)
    rng = streams.teaching(seed, number)
    session = MultipleRelease(zeros, family, rng=rng, any_order=any_order)
    for level in order:
        session.release(level)
    assert session.levels == tuple(sorted(order))
    return np.array([session.release(level) for level in session.levels])


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("name", ADDITIVE)
def test_joint_law_in_every_order(name, order, seed):
    family = FAMILIES[name]
    assert broken_promises(family, LEVELS, noise_in_order(family, order, seed)) == []


@pytest.mark.parametrize("name", ADDITIVE)
def test_joint_law_by_seed_and_level_alone(name, seed):
    noise = noise_in_order(FAMILIES[name], BY_LEVEL, seed, any_order=True)
    assert broken_promises(FAMILIES[name], BY_LEVEL, noise) == []


@pytest.mark.parametrize("name", BROKEN if FULL else [n for n in BROKEN if "Laplace" not in n])
def test_there_broken_families_are_found_out_as_well(name, seed):
    noise = noise_in_order(BROKEN[name], BY_LEVEL, seed, any_order=True)
    assert is_broken(BROKEN[name], BY_LEVEL, noise)


@pytest.mark.parametrize("order", few(DESCENDING_BETWEEN, 2), ids=str)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_families_are_found_out(name, order, seed):
    family = BROKEN[name]
    assert is_broken(family, LEVELS, noise_in_order(family, order, seed))


@pytest.mark.parametrize("order", few(DESCENDING_BETWEEN, 2), ids=str)
@pytest.mark.parametrize("name", RIGHT)
def test_a_slow_right_sampler_passes(name, order, seed):
    """So it is the scales of the printed lemma that are found out, not the way of drawing."""
    family = RIGHT[name]
    assert broken_promises(family, LEVELS, noise_in_order(family, order, seed)) == []
