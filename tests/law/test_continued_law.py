"""A session that is rebuilt before every draw has the joint law of one session, in every order.

So a project draws: each release by another process, say, from what is held and the exact values.
"""

from itertools import permutations

import numpy as np
import pytest

from dpviz import streams
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import few
from tests.statistical import DRAWS, broken_promises

LEVELS = (1.0, 2.0, 2.2, 6.0)
ORDERS = list(permutations(LEVELS))
ASKED = few([(2.2, 6.0, 1.0, 2.0), *ORDERS], 25)
ZEROS = np.zeros(DRAWS, dtype=np.int64)


def rebuilt(family, order, seed, *, nearest=False, forgets=False, seal=None):
    """Noise at the levels, ascending; each draw by a session of its own, with its own stream."""
    held = {}
    for number, level in enumerate(order):
        exact = None if seal is not None and level > seal and seal in held else ZEROS
        known = {} if forgets else held
        if nearest:  # of what is held, the two next to the level alone
            below, above = [x for x in held if x < level], [x for x in held if x > level]
            known = {x: held[x] for x in (max(below, default=0), min(above, default=0)) if x}
        rng = streams.teaching(seed, number)
        session = MultipleRelease.continued(exact, family, known, rng=rng)
        held[level] = session.release(level)
    return np.array([held[level] for level in sorted(held)])


@pytest.mark.parametrize("order", ASKED, ids=str)
@pytest.mark.parametrize("name", ADDITIVE)
def test_joint_law_of_a_session_rebuilt_between_every_two_draws(name, order, seed):
    family = FAMILIES[name]
    assert broken_promises(family, LEVELS, rebuilt(family, order, seed)) == []


@pytest.mark.parametrize("name", ADDITIVE)
def test_the_nearest_releases_are_all_that_a_draw_needs(name, seed):
    """Bit for bit: so what a project need not read is no part of the law."""
    family = FAMILIES[name]
    for order in ASKED:
        whole, part = (rebuilt(family, order, seed, nearest=each) for each in (False, True))
        np.testing.assert_array_equal(whole, part)


@pytest.mark.parametrize("name", ADDITIVE)
def test_joint_law_without_the_exact_values_once_it_is_sealed(name, seed):
    family = FAMILIES[name]
    noise = rebuilt(family, (1.0, 6.0, 2.0, 2.2), seed, seal=1.0)
    assert broken_promises(family, LEVELS, noise) == []


@pytest.mark.parametrize("name", ADDITIVE)
def test_a_session_that_forgets_what_is_held_is_found_out(name, seed):
    family = FAMILIES[name]
    assert broken_promises(family, LEVELS, rebuilt(family, ASKED[0], seed, forgets=True))
