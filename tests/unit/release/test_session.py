"""The session: any order, drawn once, nothing else kept; and one that goes on from others."""

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import get_args

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from dpviz import streams
from dpviz.accounting import ReleaseEvent
from dpviz.charts.forms.picture import Picture
from dpviz.errors import HardenedModeError, ParameterError, SealedError
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.planning.budgets import Amount, Setting, resolve
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease
from dpviz.release.ledger import LedgerEntry, Selected, Selection, draw_neighbours, tiers_at
from dpviz.release.values import own_copy
from tests.conftest import FULL, for_each
from tests.project_workers import in_threads

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
@pytest.mark.parametrize("shape", [(), (6,), (2, 3), (1, 2, 0)])
def test_values_of_any_shape_draw_what_the_same_row_draws(family, shape):
    values = np.arange(10, 10 + math.prod(shape)).reshape(shape)
    shaped = MultipleRelease(np.array(values, order="F"), family, rng=streams.teaching(1))
    row = MultipleRelease(values.ravel(), family, rng=streams.teaching(1))
    for level in (4.0, 1.0, 2.0, 9.0):
        release = shaped.release(level)
        assert release.shape == shape
        assert release.dtype == (np.int64 if family.integer else np.float64)
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
    got = in_threads(*[lambda: session.release(4.0)] * 8)
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


@for_each(
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


# --- What an entry leans on, and who holds a release ---


def test_who_holds_a_release_is_told_by_session_and_level():
    asked = [("a", 1, 2.0), ("b", 2, 2.0), ("c", 1, 4.0), ("d", 1, 2.0)]
    ledger = [SimpleNamespace(tier=t, session=s, level=level) for t, s, level in asked]
    assert tiers_at(ledger, 1, 2.0) == ["a", "d"]
    assert tiers_at(ledger, 2, 2.0) == ["b"]
    assert tiers_at(ledger, 2, 4.0) == []


def test_an_entry_costs_its_budget_or_what_was_selected():
    one = Setting(
        family=FAMILIES["gaussian"], delta=1e-6, dimension=1, sensitivity=Sensitivity.bounded(1)
    )
    budget = resolve("ρ", Amount(0.1), one)
    given = {"number": 0, "session": 0, "tier": "a", "family": "gaussian", "budget": budget}
    given |= {"kind": "lossless", "neighbours": ()}
    plain, cost = LedgerEntry(**given), ReleaseEvent(session=1, definition="ε-DP", budget=0.5)
    assert (plain.level, plain.event.budget, plain.event.session) == (5.0, budget.exact, 0)
    chosen = Selection(noise=get_args(Selected)[0], cost=cost)
    assert LedgerEntry(**given, selection=chosen).event == cost
    for wrong in ({"number": -1}, {"session": 0.5}, {"budget": 0.1}):
        with pytest.raises(ParameterError):
            LedgerEntry(**given | wrong)
    with pytest.raises(ParameterError):
        Selection(noise=chosen.noise, cost=0.5)


def test_a_draw_leans_on_the_nearest_on_either_side_and_on_nothing_that_is_held():
    law = FAMILIES["gaussian"]
    near = draw_neighbours(law, [1.0, 8.0, 3.0, 5.0], 4.0)
    assert [(n.level, n.weight) for n in near] == [(3.0, 0.5), (5.0, 0.5)]
    assert [n.level for n in draw_neighbours(law, [5.0, 8.0], 4.0)] == [0.0, 5.0]
    assert [n.level for n in draw_neighbours(law, [1.0, 3.0], 4.0)] == [3.0]
    assert draw_neighbours(law, [1.0, 4.0], 4.0) == ()


# --- What a session refuses: one sentence each, and nothing about it changes ---


BAD_LEVELS = [0, -1, math.nan, math.inf, -math.inf, 10**400, Fraction(10**400)]
NO_NUMBERS = [True, np.True_, "1", "abc", b"1", None, [1.0], np.array([1.0]), 1j]


@pytest.mark.parametrize("level", [*BAD_LEVELS, *NO_NUMBERS], ids=repr)
@pytest.mark.parametrize("ask", ["release", "seal", "holds", "neighbours"])
def test_refuses_what_is_no_level(ask, level):
    session = opened(FAMILIES["gaussian"])
    session.release(2.0)
    with pytest.raises(ParameterError, match="level must be"):
        getattr(session, ask)(level)
    assert session.levels == (2.0,)
    assert session.sealed_at is None


BAD_FLOATS = {
    "nan": np.array([1.0, math.nan]),
    "inf": np.array([1.0, math.inf]),
    "-inf": np.array([-math.inf]),
    "longer float": np.array([np.longdouble(10) ** 4000]),
    "half nan": np.array([math.nan], dtype=np.float16),
}


@for_each(
    ("given", "says"),
    [
        ({"values": np.array([1, 2], dtype=object)}, "values must"),
        ({"values": np.array(["1", "2"])}, "values must"),
        ({"values": np.array([True, False])}, "values must"),
        ({"values": np.array([1j])}, "values must"),
        ({"values": np.array(["2020-01-01"], dtype="datetime64[D]")}, "values must"),
        ({"values": [[1], [1, 2]]}, "values must"),
        ({"values": None}, "values must"),
        ({"values": np.array([2**64 - 1, 0], dtype=np.uint64)}, "values must"),
        ({"values": [1.0, 2.0]}, "values must be whole numbers"),
        *(
            ({"rng": rng}, "rng must be a numpy Generator")
            for rng in (None, 7, np.random.RandomState(1), np.random.PCG64(1))
        ),
        *(
            ({"family": family}, "family must be a noise family")
            for family in ("gaussian", None, type(GAUSSIAN))
        ),
    ],
)
def test_refuses_what_is_no_count_no_generator_and_no_family(given, says):
    fine = {"values": [1], "family": POISSON, "rng": streams.teaching(1)}
    assert MultipleRelease(**fine).levels == ()
    with pytest.raises(ParameterError, match=says):
        MultipleRelease(**fine | given)


@pytest.mark.parametrize("values", BAD_FLOATS.values(), ids=BAD_FLOATS)
@every_family
def test_refuses_values_that_are_no_finite_vector(family, values):
    with pytest.raises(ParameterError, match="values must") as refusal:
        MultipleRelease(values, family, rng=streams.teaching(1))
    assert "nan" not in str(refusal.value).lower()  # nothing read from the data


@for_each("dtype", [np.int8, np.uint16, np.uint64, np.float16, np.longdouble])
def test_other_dtypes_of_good_values_are_taken(dtype):
    session = MultipleRelease(
        np.array([3, 5, 8], dtype=dtype), FAMILIES["gaussian"], rng=streams.teaching(1)
    )
    assert_array_equal(session.release(4.0), opened(FAMILIES["gaussian"]).release(4.0))


@every_family
def test_numbers_under_a_mask_are_not_released_and_all_others_are_as_they_were(family):
    counts = np.ma.array([3, 5], mask=[False, True])
    with pytest.raises(ParameterError, match="values must have no masked entries"):
        own_copy(counts, family)
    assert own_copy(counts[:1], family).tolist() == [3]
    assert not np.signbit(own_copy(np.array([-0.0, 0.0]), GAUSSIAN)).any()
    largest = np.array([2**63 - 1, 0], dtype=np.uint64)
    assert own_copy(largest, POISSON).tolist() == [2**63 - 1, 0]


@every_family
def test_hardened_generators_are_for_integer_families(family):
    if family.integer:
        session = MultipleRelease([3, 5], family, rng=streams.hardened())
        assert session.mode == "hardened"
        session.release(9.0)
        session.seal(4.0)
        assert session.mode == "hardened"
    else:
        with pytest.raises(HardenedModeError, match="last digits give"):
            MultipleRelease([3, 5], family, rng=streams.hardened())


@every_family
def test_a_draw_that_fails_changes_nothing(family):
    class Failing:
        integer, name, label = family.integer, family.name, family.label
        fail = False

        def extend(self, *arguments, rng):
            drawn = family.extend(*arguments, rng=rng)
            if self.fail:
                raise MemoryError
            return drawn

        def bridge(self, *_, **__):
            raise MemoryError

    failing = Failing()
    session = opened(failing)
    session.release(4.0)
    before = held(session)
    failing.fail = True
    for level in (9.0, 2.0):
        with pytest.raises(MemoryError):
            session.release(level)
        assert held(session) == before
    with pytest.raises(MemoryError):
        session.seal(2.0)
    assert (session.sealed_at, held(session)) == (None, before)
    failing.fail = False
    session.release(9.0)  # and it goes on


# --- What a session and a figure show of themselves in a notebook ---


EXACT = 312_457


@for_each("name", list(FAMILIES))
def test_a_session_shows_levels_and_losses_and_no_number(name):
    family = FAMILIES[name]
    values = [1] if name == "randomised_response" else [EXACT]
    session = MultipleRelease(values, family, rng=streams.teaching(7))
    assert "No release yet" in session._repr_html_()
    level = 0.5 if name == "randomised_response" else 64.0
    session.release(level)
    shown = session._repr_html_()
    assert f"<td>{level:g}</td>" in shown
    assert str(EXACT) not in shown
    assert "312" not in shown
    if family.integer:
        assert f">{session.release(level)[0]}<" not in shown


def test_losses_are_those_of_one_number_that_moves_by_1_and_a_seal_is_said():
    losses = {"gaussian": "ρ = 0.125", "laplace": "ε = 0.25", "exponential": "no bound"}
    for name, loss in losses.items():
        session = MultipleRelease([0], FAMILIES[name], rng=streams.teaching(7))
        session.seal(4.0)
        assert f"<td>{loss}</td>" in session._repr_html_().replace("\u00a0", " ")
        assert "sealed at 4" in session._repr_html_()


def test_a_picture_shows_its_figure_and_its_text(monkeypatch):
    monkeypatch.setattr(pio.renderers, "default", "plotly_mimetype")
    picture = Picture(go.Figure(go.Bar(y=np.array([1.0]))), "one bar")
    shown = picture._repr_mimebundle_()
    assert shown["text/plain"] == "one bar"
    assert shown["application/vnd.plotly.v1+json"]["data"][0]["type"] == "bar"
