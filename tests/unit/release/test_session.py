"""The session: any order, drawn once, nothing else kept; and one that goes on from others."""

import math
import threading
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from dpviz import streams
from dpviz.errors import HardenedModeError, ParameterError, SealedError
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MultipleRelease
from dpviz.release.ledger import draw_neighbours
from tests.conftest import FULL

# --- The session: any order, drawn once, nothing else kept ---------------------------------------

every_family = pytest.mark.parametrize("family", ADDITIVE.values(), ids=ADDITIVE)


def opened(family, values=(3, 5, 8), seed=1):
    return MultipleRelease(np.array(values), family, rng=streams.teaching(seed))


def held(session):
    return {level: session.release(level).tolist() for level in session.levels}


@every_family
def test_same_level_is_the_same_array(family):
    session = opened(family)
    first = session.release(4.0)
    session.release(2.0)
    session.release(9.0)
    for level in (4, 4.0, np.float64(4), np.int64(4), np.float32(4), Fraction(4)):
        assert session.release(level) is first
    assert session.levels == (2.0, 4.0, 9.0)
    assert [type(level) for level in session.levels] == [float] * 3


@every_family
def test_releases_are_read_only_and_of_the_right_kind(family):
    session = opened(family)
    for level in (4.0, 1.0, 2.0):
        release = session.release(level)
        assert release.shape == (3,)
        assert release.dtype == (np.int64 if family.integer else np.float64)
        with pytest.raises(ValueError, match="read-only"):
            release[0] = 0


@every_family
@pytest.mark.parametrize("shape", [(), (6,), (2, 3), (1, 2, 0)])
def test_values_of_any_shape_draw_what_the_same_row_draws(family, shape):
    values = np.arange(10, 10 + math.prod(shape)).reshape(shape)
    shaped = MultipleRelease(np.array(values, order="F"), family, rng=streams.teaching(1))
    row = MultipleRelease(values.ravel(), family, rng=streams.teaching(1))
    for level in (4.0, 1.0, 2.0, 9.0):
        release = shaped.release(level)
        assert release.shape == shape
        assert_array_equal(release.ravel(), row.release(level))
        assert release is shaped.release(level)
        assert not release.flags.writeable
    assert shaped.dimension == values.size
    shaped.seal(1.0)
    assert shaped.release(3.0).shape == shape


@every_family
def test_values_are_copied(family):
    values = np.array([3, 5, 8])
    session = MultipleRelease(values, family, rng=streams.teaching(1))
    values[:] = 1000
    assert_array_equal(session.release(4.0), opened(family).release(4.0))
    assert values.tolist() == [1000] * 3
    own = np.array([3.0, 5.0]) if not family.integer else np.array([3, 5])
    MultipleRelease(own, family, rng=streams.teaching(1)).seal(1.0)
    assert own.tolist() == [3, 5]  # erasing is for the copy


@every_family
def test_asks_the_family_for_the_nearest_neighbours(family):
    asked = []

    class Recorder:
        integer, name, label = family.integer, family.name, family.label

        def extend(self, values, low, high, *, rng):
            asked.append(("extend", low, high, values.tolist()))
            return family.extend(values, low, high, rng=rng)

        def bridge(self, below, above, low, level, high, *, rng):
            asked.append(("bridge", low, level, high, below.tolist(), above.tolist()))
            return family.bridge(below, above, low, level, high, rng=rng)

    session = opened(Recorder())
    got = {level: session.release(level).tolist() for level in (4, 1, 9, 2, 0.5, 20)}
    assert asked == [
        ("extend", 0.0, 4.0, [3, 5, 8]),
        ("bridge", 0.0, 1.0, 4.0, [3, 5, 8], got[4]),
        ("extend", 4.0, 9.0, got[4]),
        ("bridge", 1.0, 2.0, 4.0, got[1], got[4]),
        ("bridge", 0.0, 0.5, 1.0, [3, 5, 8], got[1]),
        ("extend", 9.0, 20.0, got[9]),
    ]


@every_family
def test_neighbours_and_holds(family):
    session = opened(family)
    assert session.neighbours(2) == (0.0, None)
    for level in (4, 1, 9):
        session.release(level)
    assert session.neighbours(2) == (1.0, 4.0)
    assert session.neighbours(0.5) == (0.0, 1.0)
    assert session.neighbours(10) == (9.0, None)
    assert session.neighbours(4) == (1.0, 9.0)
    assert session.neighbours(1) == (0.0, 4.0)
    assert (session.holds(4), session.holds(2)) == (True, False)
    assert session.levels == (1.0, 4.0, 9.0)  # asking has drawn nothing
    for level in (0.5, 2, 5, 10):
        leaned_on = [each.level for each in draw_neighbours(family, session.levels, level)]
        assert leaned_on == [each for each in session.neighbours(level) if each is not None]
    session.seal(0.5)
    assert session.neighbours(0.4) == (None, 0.5)
    assert session.neighbours(0.5) == (None, 1.0)
    assert session.neighbours(0.7) == (0.5, 1.0)


@every_family
def test_repr_tells_no_value(family):
    session = opened(family, values=(123456789, 987654321))
    session.release(4.0)
    expected = (
        f"MultipleRelease(family='{family.name}', dimension=2, levels=1, sealed_at=None, "
        "mode='teaching')"
    )
    assert repr(session) == expected
    session.seal(4.0)
    assert repr(session) == expected.replace("None", "4.0")


@every_family
def test_nothing_can_be_set_or_added(family):
    session = opened(family)
    for name in ("values", "family", "mode", "levels", "dimension", "sealed_at", "noise"):
        with pytest.raises(AttributeError):
            setattr(session, name, 1)
    assert not hasattr(session, "__dict__")


@every_family
def test_two_threads_draw_once(family):
    session = opened(family, values=range(50_000))
    got, start = [], threading.Barrier(8)

    def ask():
        start.wait()
        got.append(session.release(4.0))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 8
    assert all(array is got[0] for array in got)
    assert session.levels == (4.0,)


@every_family
@pytest.mark.parametrize("d", [0, 1, 10_000_000 if FULL else 1_000_000])
def test_dimensions(family, d):
    session = MultipleRelease(np.zeros(d, dtype=int), family, rng=streams.teaching(1))
    assert session.dimension == d
    for level in (4.0, 1.0) if d > 1 else (4.0, 1.0, 2.0, 9.0):
        assert session.release(level).shape == (d,)
    session.seal(1.0)
    assert session.dimension == d


@every_family
def test_thousands_of_levels(family):
    session = opened(family, values=(3,))
    levels = np.linspace(1, 2, 10_000 if FULL else 500)
    levels = np.random.default_rng(1).permutation(levels).tolist()
    first = {level: session.release(level) for level in levels}
    assert session.levels == tuple(sorted(levels))
    assert all(session.release(level) is array for level, array in first.items())


levels_asked = st.lists(
    st.one_of(st.floats(1e-12, 1e12), st.sampled_from([1.0, math.nextafter(1, 2), 1 + 1e-9, 2.0])),
    max_size=12,
)


@every_family
@settings(max_examples=200 if FULL else 10)
@given(asked=levels_asked, again=st.randoms(use_true_random=False), seal=st.booleans())
def test_any_sequence_of_levels(family, asked, again, seal):
    session = opened(family)
    if family.name == "skellam" or (family.name == "poisson" and not FULL):
        asked = [min(level, 1e6) for level in asked]  # beyond, each bridge takes a large table
    first = {}
    for level in asked:
        release = session.release(level)
        assert first.setdefault(level, release) is release
        assert np.isfinite(release).all()
    if seal and asked:
        session.seal(min(asked))
    again.shuffle(asked)
    assert all(session.release(level) is first[level] for level in asked)
    assert session.levels == tuple(sorted(set(asked)))
    if family.name in ("poisson", "exponential") and len(asked) > 1:
        path = np.array([session.release(level) for level in session.levels])
        assert (np.diff(path, axis=0) >= 0).all()


# --- A session that goes on from earlier releases: it keeps them, and refuses what cannot be they -

POISSON, GAUSSIAN = FAMILIES["poisson"], FAMILIES["gaussian"]
HELD = {9.0: [12, 14], 4.0: [8, 9]}


def continued(values=(3, 5), family=POISSON, held=HELD, rng=None):
    return MultipleRelease.continued(values, family, held, rng=rng or streams.hardened())


def test_what_was_held_stays_and_the_rest_is_drawn_from_it():
    mine = np.array([8, 9])
    session = continued(held={9.0: [12, 14], 4.0: mine})
    mine[0] = 0
    assert session.levels == (4.0, 9.0)
    assert session.neighbours(5.0) == (4.0, 9.0)
    assert {x: v.tolist() for x, v in session.held.items()} == HELD
    assert not session.release(4.0).flags.writeable
    between = session.release(5.0)
    assert np.all(between >= [8, 9])
    assert np.all(between <= [12, 14]), "Poisson noise never falls"
    assert session.mode == "hardened"
    assert session.sealed_at is None


def test_without_the_exact_values_it_is_sealed_at_the_least_level():
    session = continued(values=None)
    assert session.sealed_at == 4.0
    session.seal(4.0)
    assert np.all(session.release(20.0) >= [12, 14])
    with pytest.raises(SealedError):
        session.release(3.0)
    assert continued(held={}).levels == ()


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"values": None, "held": {}}, "sealed session holds"),
        ({"held": {4.0: [8]}}, "has shape"),
        ({"held": {4.0: [8, 9], 9.0: [[12, 14]]}, "values": None}, "has shape"),
        ({"held": {4.0: [8.5, 9.0]}}, "whole numbers"),
        ({"held": {0.0: [8, 9]}}, "level must be"),
        ({"held": {1e300: [8, 9]}}, "level must lie between"),
        ({"held": [4.0]}, "held must be a Mapping"),
        ({"values": [0.5]}, "whole numbers"),
        ({"family": GAUSSIAN}, "teaching only"),
        ({"rng": 7}, "rng"),
    ],
)
def test_what_cannot_be_an_earlier_session_is_refused(wrong, error):
    with pytest.raises(ParameterError, match=error) as refused:
        continued(**wrong)
    if wrong.get("family") is GAUSSIAN:
        assert refused.type is HardenedModeError
