"""Rulers: every number where it belongs, on axes that no exact number places."""

import json

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.forms.rulers import (
    CLOSE,
    LENGTHS,
    LINE,
    MOST,
    TALLEST,
    TOLD,
    UNLIKE,
    alike,
    rulers,
    suits,
)
from dpviz.scenes.releases import TOO_FEW, sharpest_first
from tests import ruler_cases
from tests.app.reading import numbers_in
from tests.conftest import few
from tests.figure_frames import HOSTILE, check_harmless, releases, texts, unknown

FOUR = ["public", "partners", "research", "audit"]
GROUPS = [f"group {i}" for i in range(5)]
WORDS = {"noun": "people", "confidence": 0.95}


def drawn(frame, **more):
    return rulers(frame, what="People per group.", **{**WORDS, **more}).figure


def frame_of(groups=GROUPS, tiers=FOUR):
    """Counts far apart, each known to a few people: on one axis their intervals would be dots."""
    frame = releases(tiers, groups, half=lambda rank: 4.4 / (rank + 1))
    shift = frame["group"].map({group: 150.0 * row for row, group in enumerate(groups)})
    for name in ("value", "low", "high"):
        frame[name] += shift
    return sharpest_first(frame)


def numbers(fig):
    return list(numbers_in(json.loads(fig.to_json())))


def traces(fig, kind, mode=None):
    return [t for t in fig.data if t.type == kind and (mode is None or t.mode == mode)]


def words_of(fig):
    """Every text on a ruler, its axis, where it stands and on which side of that."""
    return [
        (t.strip(), trace.xaxis, x, side)
        for trace in traces(fig, "scatter", "text")
        for t, x, side in zip(trace.text, trace.x, trace.textposition, strict=True)
    ]


def axis_of(fig, trace):
    return fig.layout["xaxis" + trace.xaxis[1:]]


def test_every_release_is_marked_on_its_groups_ruler_with_its_interval():
    frame = frame_of()
    before = frame.copy(deep=True)
    fig = drawn(frame)
    bars, marks = traces(fig, "bar"), traces(fig, "scatter", "markers")
    rulers = [rows for _, rows in frame.groupby("group", sort=False)]  # sharpest tier first
    for rows, bar, mark, axis in zip(
        rulers, bars, marks, ["x", "x2", "x3", "x4", "x5"], strict=True
    ):
        assert (bar.xaxis, mark.xaxis) == (axis, axis)
        assert list(mark.x) == rows["value"].tolist()
        assert list(bar.base) == rows["low"].tolist()
        np.testing.assert_allclose(np.add(bar.base, bar.x), rows["high"])
        assert list(bar.y) == list(mark.y)
        assert list(mark.meta) == FOUR[::-1]
        assert mark.ids is None, "marks of one id would hide one another"
        styles = rows["style"].tolist()
        assert list(mark.marker.color) == list(bar.marker.color) == [s.colour for s in styles]
        assert list(mark.marker.symbol) == [s.marker for s in styles]
    assert np.all(np.diff(np.concatenate([mark.y for mark in marks])) > 0)  # pixels from the top
    assert suits(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_rulers_are_equally_long_around_the_sharpest_number_and_hold_their_intervals():
    frame = frame_of()
    fig = drawn(frame)
    axes = [fig.layout[f"xaxis{i or ''}"] for i in ("", 2, 3, 4, 5)]
    lengths = [axis.range[1] - axis.range[0] for axis in axes]
    assert lengths == pytest.approx([max(lengths)] * 5)
    assert alike(frame)
    assert max(lengths) >= LENGTHS * 4.4
    for trace in fig.data:
        low, high = axis_of(fig, trace).range  # of every interval, mark and text
        ends = [*trace.base, *np.add(trace.base, trace.x)] if trace.type == "bar" else trace.x
        assert low <= min(ends) <= max(ends) <= high
    for axis, value in zip(axes, frame["value"][:5], strict=True):
        assert abs(sum(axis.range) / 2 - value) <= max(lengths) / 5  # audit's, to the next tick


def test_intervals_of_quite_different_lengths_have_rulers_of_their_own():
    frame = frame_of()
    wide = frame["group"] == "group 3"
    frame.loc[wide, "low"] -= 2 * UNLIKE * 100
    assert not alike(frame)
    fig = drawn(frame)
    first, fourth = (np.diff(fig.layout[name].range)[0] for name in ("xaxis", "xaxis4"))
    assert fourth > UNLIKE * first


def test_the_exact_number_is_there_only_when_given_and_moves_no_ruler_before():
    frame = frame_of()
    exact = pd.DataFrame({"group": GROUPS, "value": [1000.25 + 150 * i for i in range(5)]})
    hidden = drawn(frame)
    assert not {*exact["value"]} & {*numbers(hidden)}
    shown = drawn(frame, exact=exact)
    assert {*exact["value"]} <= {*numbers(shown)}
    ink = [t for t in shown.data if t.name == "exact"]
    assert {t.line.color for t in ink} == {None}, "the ink of the page"
    assert [t.x[0] for t in ink] == exact["value"].tolist()
    assert "not private" in " ".join(texts(shown))
    ranges = [fig.layout.xaxis.range for fig in (hidden, drawn(frame))]
    assert ranges[0] == ranges[1]


def test_numbers_stand_bold_at_their_intervals_and_names_on_the_first_ruler():
    frame = frame_of()
    said = words_of(drawn(frame))
    assert [axis for text, axis, *_ in said if "<b>audit</b>" in text] == ["x"]
    bold = [(text, x) for text, _, x, side in said if text.startswith("<b>")]
    by_group = frame.sort_values("group", kind="stable")["value"]
    assert [text for text, _ in bold] == [f"<b>{value:,.1f}</b>" for value in by_group]
    assert {x for _, x in bold} <= {*frame["low"], *frame["high"]}


def test_too_few_to_tell_is_a_note_and_no_mark_and_no_guarantee_has_no_interval():
    fig = drawn(unknown(frame_of(), "audit", "group 2"))
    assert sum(TOO_FEW in text for text in texts(fig)) == 1
    bare = frame_of().assign(low=np.nan, high=np.nan)
    assert {t.type for t in drawn(bare).data} == {"scatter"}
    nothing = frame_of().assign(value=np.nan, low=np.nan, high=np.nan)
    for axis in ("xaxis", "xaxis2"):
        assert np.isfinite(drawn(nothing).layout[axis].range).all()


def test_a_number_that_is_usually_exact_has_a_ruler_all_the_same():
    frame = frame_of().assign(value=7.0, low=7.0, high=7.0)
    low, high = drawn(frame).layout.xaxis.range
    assert low < 7 < high


def test_groups_that_share_an_axis_have_one_scale_with_its_title():
    fig = drawn(frame_of(), shared="people, 2025")
    assert {trace.xaxis for trace in fig.data} == {"x"}
    bars, marks = traces(fig, "bar"), traces(fig, "scatter", "markers")
    assert (len(bars), len(marks), len(marks[0].x)) == (1, 1, 20)
    assert [n.text for n in fig.layout.annotations].count("people, 2025") == 1
    low, high = fig.layout.xaxis.range
    assert low <= min(bars[0].base)
    assert max(np.add(bars[0].base, bars[0].x)) <= high
    assert len([text for text, *_ in words_of(fig) if text.startswith("<b>")]) == 20


@pytest.mark.parametrize(
    ("groups", "tiers"), few([(MOST + 1, 4), (12, 11), (30, 20), (30, 100)], 4)
)
def test_many_marks_stand_in_low_rows_and_of_many_tiers_two_are_named(groups, tiers):
    names = [f"tier {i}" for i in range(tiers)]
    frame = frame_of([f"group {i}" for i in range(groups)], names)
    assert not suits(frame)
    fig = drawn(frame)
    (marks,) = traces(fig, "scatter", "markers")
    assert sorted(marks.x) == sorted(frame["value"])
    assert fig.layout.height < 2 * TALLEST + 3 * tiers * LINE
    assert np.diff(marks.y)[-1] <= CLOSE
    said = [text for text, *_ in words_of(fig) if "tier" in text]
    assert len(said) == (tiers if tiers <= 6 else 2)
    assert len(words_of(fig)) <= 2 * len(said), "numbers on the first row alone"
    assert any(n.text == "people" for n in fig.layout.annotations)


def test_what_is_hidden_is_said_at_each_tier_and_in_a_low_row_once():
    frame = frame_of().assign(value=np.nan, low=np.nan, high=np.nan)
    assert sum("hidden" in text for text in texts(drawn(frame, absent="hidden"))) == 20
    low = frame_of([f"g{i}" for i in range(13)]).assign(value=np.nan)
    assert sum("hidden" in text for text in texts(drawn(low, absent="hidden"))) == 13 + 3


def test_the_alt_text_says_every_number_or_how_many_more_there_are():
    alt = rulers(frame_of(), what="People per group.", **WORDS).alt
    assert alt.startswith("People per group. group 0: audit ")
    assert alt.count("public") == 5
    many = frame_of([f"g{i}" for i in range(30)])
    alt = rulers(unknown(many, "audit", "g0"), what="People.", **WORDS).alt
    assert f"g0: audit {TOO_FEW}" in alt
    assert alt.endswith(f"; and {30 - TOLD // 4} more groups.")


def test_the_hover_sentence():
    (_, marks, _) = drawn(frame_of(["0–9"], ["public"])).data
    assert marks.hovertemplate == (
        "<b>public</b> sees %{x:,.1~f} people for %{customdata}.<br>"
        "With 95\u202f% confidence the<br>true bounded number is within ±\u202f4.4 of that "
        "(ρ = 0.1).<extra></extra>",
    )
    apart = frame_of(["a"], ["public"]).assign(low=900.0)
    (_, marks, _) = drawn(apart, truth="true number plus the mean noise").data
    assert "the<br>true number plus the mean noise is between 900 and" in marks.customdata[0][1]


@pytest.mark.parametrize("made", few([pytest.param(c[1], id=c[0]) for c in ruler_cases.cases()], 4))
def test_every_case_has_a_mark_for_each_number_and_changes_no_frame(made):
    before = made.copy(deep=True)
    fig = ruler_cases.drawn(made).figure
    found = [x for t in traces(fig, "scatter", "markers") for x in t.x]
    assert sorted(found) == sorted(made["value"])
    pd.testing.assert_frame_equal(made, before)


@pytest.mark.parametrize("name", few(HOSTILE, 5))
def test_hostile_names_are_only_text(name):
    frame = frame_of([name, "b"], [name, "c"])
    exact = pd.DataFrame({"group": [name], "value": [3.0]})
    check_harmless(drawn(frame, noun=name, confidence=0.9, exact=exact, absent=name))
