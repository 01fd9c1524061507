"""One tier's view: its own numbers in large type, on a scale that several pages share."""

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.labels import pixels
from dpviz.charts.present import TEXT, one_tier_chart, sample_frame, span_of
from dpviz.errors import ParameterError
from dpviz.scenes.releases import TOO_FEW
from tests.conftest import few, for_each
from tests.figure_frames import HOSTILE, check_harmless, releases, texts, unknown

GROUPS = [f"group {i}" for i in range(5)]


def view(groups=GROUPS, tier="audit"):
    frame = releases(["public", "audit"], groups)
    return frame[frame["tier"] == tier]


def test_every_number_is_marked_with_its_interval_and_written_out():
    frame = view()
    before = frame.copy(deep=True)
    fig = one_tier_chart(frame, axis_title="people")
    bar, mark = fig.data
    np.testing.assert_array_equal(mark.x, frame["value"])
    np.testing.assert_array_equal(bar.x.reshape(-1, 3)[:, 0], frame["low"])
    np.testing.assert_array_equal(bar.x.reshape(-1, 3)[:, 1], frame["high"])
    style = frame["style"].iloc[0]
    assert (mark.marker.color, mark.marker.symbol) == (style.colour, style.marker)
    said = [note.text.replace("\u202f", "") for note in fig.layout.annotations]
    assert said[0::2] == GROUPS
    assert said[1::2] == [f"<b>{value:,.0f}</b> ±50" for value in frame["value"]]
    pd.testing.assert_frame_equal(frame, before)


def test_names_stand_on_the_left_and_numbers_on_the_right_above_each_bar():
    frame = view(["short", "a name that needs a second line", *GROUPS[2:]])
    frame = frame.assign(value=[0.0, 25.0, 50.0, 75.0, 100.0], low=0.0, high=100.0)
    fig = one_tier_chart(frame, axis_title="n", span=(0.0, 100.0))
    notes = fig.layout.annotations
    assert [(note.x, note.xanchor) for note in notes] == [(0, "left"), (1, "right")] * 5
    assert notes[1].text == "<b>0</b> (0 to 100)"
    assert notes[2].text == "a name that needs<br>a second line"
    rows = [note.y for note in notes[0::2]]
    below = np.diff([*rows, fig.layout.yaxis.range[0]])
    assert (below > 0).all()
    assert [note.y for note in notes[1::2]] == rows
    for name, mark in zip(rows, fig.data[1].y, strict=True):
        assert mark > name


@for_each("high", [7.0, 707.0, 41_000.0, 3.5e6])
def test_the_ticks_fit_beside_one_another_on_a_phone(high):
    axis = one_tier_chart(view(), axis_title="n", span=(0.0, high)).layout.xaxis
    assert len(axis.ticktext) >= 2
    assert sum(pixels(text, TEXT) for text in axis.ticktext) <= 200


def test_pages_share_a_scale():
    frame = view([f"g{i}" for i in range(8)])
    frame.iloc[-1, frame.columns.get_loc("high")] = 1e9  # on the last page
    span = span_of(frame)
    pages = [frame.iloc[:5], frame.iloc[5:]]
    figs = [one_tier_chart(page, axis_title="people", span=span) for page in pages]
    assert [fig.layout.xaxis.range for fig in figs] == [span, span]
    assert [len(fig.data[1].x) for fig in figs] == [5, 3]
    assert span[0] <= frame["low"].min()
    assert span[1] >= 1e9


def test_too_few_to_tell_is_said_and_not_marked():
    fig = one_tier_chart(unknown(view(), "audit", "group 1"), axis_title="years")
    told = [note.text for note in fig.layout.annotations]
    assert [text for text in told if TOO_FEW in text] == [told[3]] == [TOO_FEW]
    assert np.isnan(fig.data[1].x[1])
    assert np.isnan(fig.data[0].x[3:5]).all()


def test_no_guarantee_has_a_number_and_no_bar():
    fig = one_tier_chart(view().assign(low=np.nan, high=np.nan), axis_title="people")
    assert "±" not in " ".join(texts(fig))
    assert "No guarantee" in fig.data[1].hovertemplate


@for_each("name", few(HOSTILE, 3))
def test_hostile_names_are_only_text(name):
    frame = view().assign(group=name, tier=name, budget=name)
    check_harmless(one_tier_chart(frame, axis_title=name))


def test_one_tier_and_all_its_columns_are_asked_for():
    with pytest.raises(ParameterError, match="several tiers"):
        one_tier_chart(releases(["a", "b"], GROUPS), axis_title="n")
    with pytest.raises(ParameterError, match="lacks high"):
        one_tier_chart(view().drop(columns="high"), axis_title="n")
    with pytest.raises(ParameterError, match="no rows"):
        one_tier_chart(view().iloc[:0], axis_title="n")
    with pytest.raises(ParameterError, match="confidence"):
        one_tier_chart(view(), axis_title="n", confidence=95)


def test_a_number_without_noise_to_speak_of_claims_no_interval_and_keeps_its_mark_whole():
    exact = view().assign(value=[0.0, 1, 2, 3, 659.0])
    exact = exact.assign(low=exact["value"], high=exact["value"])
    fig = one_tier_chart(exact, axis_title="people")
    assert fig.layout.annotations[-1].text == "<b>659</b>"
    low, high = fig.layout.xaxis.range
    assert (high - 659) / (high - low) * 200 > 12  # half a mark, on a phone


def test_one_number_alone_stands_over_its_mark_unless_its_name_is_in_the_way():
    near = sample_frame()
    far = near.assign(group="a name that is long and takes the room")
    for frame, x in ((near, 312.0), (far, 1.0)):
        name, number = one_tier_chart(frame, axis_title="people").layout.annotations
        assert number.text.startswith("<b>312</b>")
        assert (name.x, number.x) == (0, x)
