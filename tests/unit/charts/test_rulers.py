"""Rulers: every number where it belongs, on axes that no exact number places."""

import json

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.labels import PHONE, pixels
from dpviz.charts.releases.frame import sharpest_first
from dpviz.charts.releases.rulers import (
    LENGTHS,
    MOST,
    UNLIKE,
    alike,
    release_rulers,
    suits,
)
from dpviz.charts.tidy import TOO_FEW
from dpviz.errors import ParameterError
from dpviz.palette import GREY
from tests.app.reading import numbers_in
from tests.figure_frames import HOSTILE, releases, texts, unknown

FOUR = ["public", "partners", "research", "audit"]
GROUPS = [f"group {i}" for i in range(5)]
WORDS = {"noun": "people", "confidence": 0.95}


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
    fig = release_rulers(frame, **WORDS)
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
        assert list(mark.ids) == FOUR[::-1]
        styles = rows["style"].tolist()
        assert list(mark.marker.color) == list(bar.marker.color) == [s.colour for s in styles]
        assert list(mark.marker.symbol) == [s.marker for s in styles]
    assert np.all(np.diff(np.concatenate([mark.y for mark in marks])) > 0)  # pixels from the top
    assert suits(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_rulers_are_equally_long_around_the_sharpest_number_and_hold_their_intervals():
    frame = frame_of()
    fig = release_rulers(frame, **WORDS)
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
    fig = release_rulers(frame, **WORDS)
    first, fourth = (np.diff(fig.layout[name].range)[0] for name in ("xaxis", "xaxis4"))
    assert fourth > UNLIKE * first


def test_the_exact_number_is_there_only_when_given_and_moves_no_ruler_before():
    frame = frame_of()
    exact = pd.DataFrame({"group": GROUPS, "value": [1000.25 + 150 * i for i in range(5)]})
    hidden = release_rulers(frame, **WORDS)
    assert not {*exact["value"]} & {*numbers(hidden)}
    shown = release_rulers(frame, **WORDS, exact=exact)
    assert {*exact["value"]} <= {*numbers(shown)}
    grey = [t for t in shown.data if t.name == "exact"]
    assert {t.line.color for t in grey} == {GREY}
    assert [t.x[0] for t in grey] == exact["value"].tolist()
    assert "not private" in " ".join(texts(shown))


def test_numbers_stand_bold_at_their_intervals_and_names_on_the_first_ruler():
    frame = frame_of()
    said = words_of(release_rulers(frame, **WORDS))
    assert [axis for text, axis, *_ in said if "<b>audit</b>" in text] == ["x"]
    bold = [(text, x) for text, _, x, side in said if text.startswith("<b>")]
    by_group = frame.sort_values("group", kind="stable")["value"]
    assert [text for text, _ in bold] == [f"<b>{value:,.1f}</b>" for value in by_group]
    assert {x for _, x in bold} <= {*frame["low"], *frame["high"]}


def test_no_number_runs_over_the_edge_of_a_phone():
    fig = release_rulers(frame_of(), **WORDS)
    width = PHONE - 8 - fig.layout.margin.l
    for text, axis, x, side in words_of(fig):
        if text.startswith("<b>"):
            low, high = fig.layout["xaxis" + axis[1:]].range
            at = (x - low) / (high - low) * width
            long = 8 + pixels(text[3:-4], bold=True)
            assert (at + long <= width + 8) if side == "middle right" else (at - long >= -8)


def test_too_few_to_tell_is_a_note_and_no_mark_and_no_guarantee_has_no_interval():
    fig = release_rulers(unknown(frame_of(), "audit", "group 2"), **WORDS)
    assert sum(TOO_FEW in text for text in texts(fig)) == 1
    bare = frame_of().assign(low=np.nan, high=np.nan)
    assert {t.type for t in release_rulers(bare, **WORDS).data} == {"scatter"}
    nothing = frame_of().assign(value=np.nan, low=np.nan, high=np.nan)
    for axis in ("xaxis", "xaxis2"):
        assert np.isfinite(release_rulers(nothing, **WORDS).layout[axis].range).all()


def test_a_number_that_is_usually_exact_has_a_ruler_all_the_same():
    frame = frame_of().assign(value=7.0, low=7.0, high=7.0)
    low, high = release_rulers(frame, **WORDS).layout.xaxis.range
    assert low < 7 < high


def test_many_groups_or_tiers_have_no_rulers():
    many = [f"group {i}" for i in range(MOST + 1)]
    assert not suits(frame_of(many))
    assert not suits(frame_of(many[:12], [f"tier {i}" for i in range(11)]))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_text(name):
    frame = frame_of([name, "b"], [name, "c"])
    exact = pd.DataFrame({"group": [name], "value": [3.0]})
    for text in texts(release_rulers(frame, noun=name, confidence=0.9, exact=exact)):
        rest = text
        for tag in ("<b>", "</b>", "<br>", "</span>", "<extra></extra>", "%{customdata}"):
            rest = rest.replace(tag, "")
        for start in ("<span style=", "%{x:"):
            while start in rest:
                head, _, tail = rest.partition(start)
                rest = head + tail.partition(">" if start[0] == "<" else "}")[2]
        assert not set("<>$\n") & set(rest), text
        assert "%{" not in rest


def test_what_is_missing_is_named():
    with pytest.raises(ParameterError, match="lacks low"):
        release_rulers(frame_of().drop(columns="low"), **WORDS)
    with pytest.raises(ParameterError, match="no rows"):
        release_rulers(frame_of().iloc[:0], **WORDS)
    with pytest.raises(ParameterError, match="confidence"):
        release_rulers(frame_of(), noun="people", confidence=95)
