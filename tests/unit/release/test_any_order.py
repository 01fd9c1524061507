"""A teaching release by seed and level alone: in every order the same numbers, for every family."""

import math
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dpviz import streams
from dpviz.errors import ParameterError, SealedError
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MemoryStore, MultipleRelease
from dpviz.release.session import release_at
from tests.conftest import FULL, few

every_family = pytest.mark.parametrize("family", ADDITIVE.values(), ids=ADDITIVE)
LEVELS = (1.0, 2.2, 2.0, 37.5, 0.25)
WHOLE = FAMILIES["discrete_laplace"]


def opened(family, seed=1, values=(3, 5, 8), *, any_order=True):
    return MultipleRelease(
        np.array(values), family, rng=streams.teaching(seed), any_order=any_order
    )


def in_order(family, order, **options):
    session = opened(family, **options)
    for level in order:
        session.release(level)
    return {level: values.tolist() for level, values in session.held.items()}


@every_family
def test_every_order_and_every_subset_give_the_same_numbers(family):
    orders = list(permutations(LEVELS))[:: 1 if FULL else 40]
    first = in_order(family, orders[0])
    for order in orders[1:]:
        assert in_order(family, order) == first
    for level in LEVELS:
        assert in_order(family, [level]) == {level: first[level]}
    assert in_order(family, LEVELS, seed=2) != first


@every_family
def test_without_the_option_another_order_gives_other_numbers_of_the_old_stream(family):
    orders = LEVELS, LEVELS[::-1]
    assert len({repr(in_order(family, order, any_order=False)) for order in orders}) == 2
    plain = MultipleRelease(np.array([3, 5, 8]), family, rng=streams.teaching(1))
    assert in_order(family, LEVELS, any_order=False) == {
        level: plain.release(level).tolist() for level in LEVELS if plain.release(level) is not None
    }


@every_family
def test_only_extend_and_bridge_draw_and_no_two_points_share_a_stream(family):
    drawn = []

    class Recorder:
        integer, name, label, span = family.integer, family.name, family.label, family.span

        def extend(self, values, low, high, *, rng):
            drawn.append((high, rng.bit_generator.seed_seq.spawn_key))
            return family.extend(values, low, high, rng=rng)

        def bridge(self, below, above, low, level, high, *, rng):
            assert low < level < high
            drawn.append((level, rng.bit_generator.seed_seq.spawn_key))
            return family.bridge(below, above, low, level, high, rng=rng)

    session = opened(Recorder())
    for level in LEVELS:
        session.release(level)
    assert len(set(drawn)) == len({point for point, _ in drawn}) == len({key for _, key in drawn})
    assert set(session.levels) == set(LEVELS)  # what is on the way is kept nowhere
    draws = len(drawn)
    for level in LEVELS:
        session.release(level)
    assert len(drawn) == draws, "a level that is asked for again is not drawn again"


@pytest.mark.parametrize("family", few(ADDITIVE.values(), 5), ids=few(ADDITIVE, 5))
def test_the_ends_of_the_span_are_reached(family):
    rng = streams.for_levels(rng=streams.teaching(3))
    least, greatest = family.span
    levels = [least, greatest]
    if FULL:
        levels += [math.nextafter(x, 1.0) for x in levels] + [math.nextafter(1.0, 2.0)]
    for level in levels:
        assert release_at(family, np.array([7]), level, rng=rng).shape == (1,)
    for level in (math.nextafter(least, 0.0), math.nextafter(greatest, math.inf)):
        with pytest.raises(ParameterError, match="level must"):
            release_at(family, np.array([7]), level, rng=rng)


@every_family
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_values_of_any_shape(family, shape):
    values = np.arange(10, 10 + math.prod(shape)).reshape(shape)
    release = opened(family, values=values).release(2.5)
    assert release.shape == shape
    assert not release.flags.writeable
    assert_array_equal(release.ravel(), opened(family, values=values.ravel()).release(2.5))


def test_two_sessions_of_one_generator_share_no_noise():
    rng = streams.teaching(1)
    first, second = (
        MultipleRelease(np.zeros(50), FAMILIES["gaussian"], rng=rng, any_order=True)
        for _ in range(2)
    )
    assert abs(np.corrcoef(first.release(2.5), second.release(2.5))[0, 1]) < 0.9
    assert streams.mode_of(rng) == "teaching"


def test_a_suspended_session_goes_on_in_any_order():
    session, store = opened(WHOLE), MemoryStore()
    session.release(4.0)
    back = MultipleRelease.resume(session.suspend(store), store)
    assert {x: back.release(x).tolist() for x in LEVELS} == in_order(WHOLE, LEVELS)


def test_where_it_does_not_hold():
    """After sealing, in a fork, in hardened mode: said in the docstring of the session."""
    with pytest.raises(ParameterError, match="a hardened generator has no seed"):
        MultipleRelease([3], WHOLE, rng=streams.hardened(), any_order=True)
    with pytest.raises(ParameterError, match="any_order must be a bool"):
        MultipleRelease([3], WHOLE, rng=streams.teaching(1), any_order=1)
    many = np.full(200, 1000)
    sealed, open_one = opened(WHOLE, values=many), opened(WHOLE, values=many)
    sealed.seal(9.0)
    assert_array_equal(sealed.release(9.0), open_one.release(9.0))
    assert not np.array_equal(sealed.release(40.0), open_one.release(40.0))
    with pytest.raises(SealedError):
        sealed.release(1.0)
    fork = open_one.fork(independent_noise=True)
    assert_array_equal(fork.release(9.0), open_one.release(9.0))
    assert not np.array_equal(fork.release(2.5), open_one.release(2.5))
    store = MemoryStore()
    back = MultipleRelease.resume(sealed.suspend(store), store)
    assert back.sealed_at == 9.0
