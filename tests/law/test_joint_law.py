"""The contract of every noise family: the joint law does not depend on the order of asking.

Every order matters: the ascending one never bridges. All 24 orders of four levels, two of them
close, are checked against the same law [LMR25, Def. 1.1 and 3.4]: of every family in the full run,
else each order of one family or two, and each family in two orders. A session that is rebuilt
before every draw has the same law: so a project draws, each release by another process, say, from
what is held and the exact values.
"""

from itertools import permutations, product

import numpy as np
import pytest

from dpviz import streams
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import FULL, few
from tests.law.specimens import BROKEN, RIGHT, ShiftedBridge, WideBridge
from tests.statistical import DRAWS, WIDE, broken_promises, is_broken

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


@pytest.mark.parametrize(("order", "name"), few(product(ORDERS, ADDITIVE), 13), ids=str)
def test_joint_law_in_every_order(name, order, seed):
    family = FAMILIES[name]
    assert broken_promises(family, LEVELS, noise_in_order(family, order, seed)) == []


@pytest.mark.parametrize("name", ADDITIVE)
def test_joint_law_by_seed_and_level_alone(name, seed):
    noise = noise_in_order(FAMILIES[name], BY_LEVEL, seed, any_order=True)
    assert broken_promises(FAMILIES[name], BY_LEVEL, noise) == []


@pytest.mark.parametrize("name", few(BROKEN, 5))
def test_there_broken_families_are_found_out_as_well(name, seed):
    noise = noise_in_order(BROKEN[name], BY_LEVEL, seed, any_order=True)
    assert is_broken(BROKEN[name], BY_LEVEL, noise)


@pytest.mark.parametrize("order", few(DESCENDING_BETWEEN, 5), ids=str)
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


MANY = 2_000_000
AIMED = 2.2  # the level that is bridged to
BRIDGES = {"from the exact values": (6.0, AIMED), "between two releases": (6.0, 1.0, AIMED)}
SLIPS = {  # of three hundredths, where the questions above find a tenth
    "variance of the bridge": lambda: WideBridge(FAMILIES["gaussian"], 1.03),
    **{
        f"{n}, level of the bridge": lambda f=f: ShiftedBridge(f, 1.03) for n, f in ADDITIVE.items()
    },
}


def spread_off(family, order, seed, draws=MANY):
    """By how many standard errors the variance of bridged noise is off."""
    session = MultipleRelease(np.zeros(draws, dtype=np.int64), family, rng=streams.teaching(seed))
    for level in order:
        noise = session.release(level) - family.mean(level)
    variance = family.variance(AIMED)
    error = np.sqrt((family.fourth_moment(AIMED) - variance**2) / draws)
    return abs(float(np.mean(np.square(noise))) - variance) / error


@pytest.mark.parametrize("order", few(BRIDGES.values(), 2), ids=few(BRIDGES, 2))
@pytest.mark.parametrize("name", [n for n in ADDITIVE if FULL or n != "skellam"])  # takes long
def test_a_bridge_has_its_spread_to_a_hundredth(name, order, seed):
    assert spread_off(FAMILIES[name], order, seed) < WIDE


@pytest.mark.parametrize("order", few(BRIDGES.values(), 2), ids=few(BRIDGES, 2))
@pytest.mark.parametrize("slip", SLIPS)
def test_a_bridge_that_is_three_hundredths_off_is_found_out(slip, order, seed):
    """A quarter of the draws is enough; all of them see a hundredth."""
    assert spread_off(SLIPS[slip](), order, seed, MANY // 4) > WIDE


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
