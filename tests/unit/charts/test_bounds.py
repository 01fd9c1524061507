"""Influence, readable groups, what bounding costs: told apart without colour, and true to size."""

import re

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.data import GAP, MOST, MOST_GROUPS, REACH, bounds_moved, rows_kept
from dpviz.charts.data import rulers as picture_of_rulers
from dpviz.charts.tiers import error, readable_chart
from dpviz.errors import ParameterError
from dpviz.palette import GREY, TierStyle
from dpviz.queries import Kept
from dpviz.scenes.tiers import readable_frame
from dpviz.ui.tiers import columns_reading
from tests.figure_frames import HOSTILE, looks, texts

FOUR = ["public", "partners", "research", "audit"]


def rulers(frame, **words):
    return picture_of_rulers(frame, **words).figure


def moves(*changes):
    return pd.DataFrame({"group": [f"g{i}" for i in range(len(changes))], "change": changes})


def table(tier_names, sizes, halves, limit=0.1):
    styles = looks(tier_names)
    tiers = [(n, h, styles[n]) for n, h in zip(tier_names, halves, strict=True)]
    groups = [f"group {i}" for i in range(len(sizes))]
    return readable_frame(groups, np.array(sizes, dtype=float), tiers, limit)


def costs(bounded, unbounded):
    frame = pd.DataFrame({"bounded": bounded, "unbounded": unbounded}, dtype=float)
    frame.insert(0, "group", [f"g{i}" for i in range(len(frame))])
    return frame.assign(difference=frame["bounded"] - frame["unbounded"])


def harmless(fig):
    for text in texts(fig):
        rest = text
        for ours in ("<b>", "</b>", "<br>", "</span>", "<extra></extra>"):
            rest = rest.replace(ours, "")
        if rest.startswith("<span style="):
            rest = rest.partition(">")[2]
        assert not set("<>$\n") & set(rest), text
        assert "%{" not in rest, text


def named(fig, name):
    return [trace for trace in fig.data if trace.name == name]


@pytest.mark.parametrize("changes", [(2.0, 0.0), (-0.25, 0.25, 0.0), (-3.0,), (0.0,)])
def test_arrows_run_from_the_exact_number_as_far_as_one_person_moves_a_number(changes):
    frame = moves(*changes)
    before = frame.copy(deep=True)
    fig = rulers(frame, axis_title="people", hidden="exact count")
    arrows = [arrow.x.tolist() for arrow in named(fig, "arrow")]
    assert arrows == [[0, change] for change in changes if change]
    assert [end.x[0] for end in named(fig, "end")] == [change for change in changes if change]
    (exact,) = named(fig, "exact")
    assert list(exact.x) == [0, 0]
    assert exact.y[0] < 0 <= len(changes) - 1 < exact.y[1]
    assert exact.line.color is None  # ink
    assert [note.text for note in fig.layout.annotations].count("exact count") == 1
    low, high = fig.layout.xaxis.range
    assert -low == high > REACH * max(map(abs, changes))
    pd.testing.assert_frame_equal(frame, before)


def test_a_pale_band_of_noise_is_as_wide_as_it_is_said_to_be():
    fig = rulers(moves(1.0, 0.0), axis_title="people", hidden="count", noise=("audit", 2.2))
    (band,) = named(fig, "noise")
    assert (band.base, band.x.tolist(), band.y.tolist()) == (-2.2, [4.4, 4.4], [0, 1])
    (said,) = [n for n in fig.layout.annotations if n.text.startswith("noise: ")]
    assert "2.2" in said.text
    assert (said.x, said.xanchor) == (-GAP, "right")  # the arrow points to the other side


def test_up_down_and_still_differ_without_colour():
    fig = rulers(moves(-1.0, 1.0, 0.0), axis_title="people", hidden="exact count")
    ends = [(end.marker.symbol, end.marker.angle) for end in named(fig, "end")]
    assert ends == [("arrow-wide", -90), ("arrow-wide", 90)]  # left, right
    assert [note.text for note in fig.layout.annotations] == [
        "one person: <b>−1</b>",
        "<b>+1</b>",
        "exact count",
    ]
    assert list(fig.layout.xaxis.ticktext) == ["−2", "−1", "0", "+1", "+2"]
    assert all(trace.line.color is None for trace in named(fig, "arrow"))  # the ink of the mode
    said = [m.hovertemplate for m in [*named(fig, "end"), *named(fig, "still")]]
    assert "lowers this number by at most 1." in said[0]
    assert "raises this number by at most 1." in said[1]
    assert "does not move it" in said[2]


def test_of_many_numbers_those_that_move_are_shown():
    changes = np.zeros(1000)
    changes[[0, 500, 999]] = (1.0, -1.0, 1.0)
    axis = rulers(moves(*changes), axis_title="people", hidden="exact count").layout.yaxis
    assert list(axis.ticktext) == ["g0", "g500", "g999", "each of the<br>other 997"]
    axis = rulers(moves(*[1.0] * 40), axis_title="people", hidden="exact count").layout.yaxis
    assert len(axis.ticktext) == MOST + 1
    assert axis.ticktext[-1] == "… and 28 more"


def test_a_readable_group_has_a_full_symbol_and_no_brackets():
    frame = table(FOUR, [900, 120, 5], [93.0, 41.0, 11.0, 0.5])
    before = frame.copy(deep=True)
    fig = readable_chart(frame)
    assert [trace.name for trace in fig.data] == FOUR
    for trace, name in zip(fig.data, FOUR, strict=True):
        own = frame[frame["tier"] == name]
        hollow = [symbol.endswith("-open") for symbol in trace.marker.symbol]
        assert hollow == (~own["readable"]).tolist()
        assert [("not readable" in text) for text in trace.hovertext] == hollow
    cells = [note.text for note in fig.layout.annotations if "%" in note.text]
    assert len(cells) == 12
    by_tier = frame.groupby("tier", sort=False)
    expected = [good for _, rows in by_tier for good in rows["readable"]]
    assert [not text.startswith("(") for text in cells] == expected
    assert list(fig.layout.yaxis.ticktext) == ["group 0", "group 1", "group 2"]
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(("count", "wordy"), [(1, True), (4, True), (6, False), (16, False)])
def test_many_tiers_keep_their_symbols_and_drop_the_texts(count, wordy):
    names = [f"tier {i}" for i in range(count)]
    fig = readable_chart(table(names, [100, 20], [5.0] * count))
    assert len(fig.data) == count
    assert any("%" in note.text for note in fig.layout.annotations) is wordy
    assert all("tier" in trace.hovertext[0] for trace in fig.data)


def test_of_a_hundred_tiers_every_few_are_shown_with_both_ends():
    names = [f"tier {i}" for i in range(100)]
    shown = [trace.name for trace in readable_chart(table(names, [9], [1.0] * 100)).data]
    assert (len(shown), shown[0], shown[-1]) == (16, "tier 0", "tier 99")
    assert shown == sorted(set(shown), key=names.index)


def heads(fig):
    """The texts above the columns, without markup."""
    return [
        re.sub("<[^>]*>", " ", note.text).split()[-1]
        for note in fig.layout.annotations
        if "<b>" in note.text
    ]


def test_names_too_long_for_one_line_stand_by_turns_on_two_and_whole():
    names = ["public", "restricted", "confidential", "top secret"]
    fig = readable_chart(table(names, [9], [1.0] * 4))
    found = [note for note in fig.layout.annotations if "<b>" in note.text]
    assert [note.text.split("<b>")[1][:-4] for note in found] == names
    assert len({note.y for note in found}) == 2
    assert found[0].y == found[2].y != found[1].y == found[3].y
    short = readable_chart(table(FOUR, [9], [1.0] * 4))
    assert len({note.y for note in short.layout.annotations if "<b>" in note.text}) == 1


@pytest.mark.parametrize("count", [6, 16, 30, 100])
def test_columns_without_names_have_the_place_in_the_plan(count):
    names = [f"tier {i}" for i in range(1, count + 1)]
    fig = readable_chart(table(names, [9], [1.0] * count))
    assert heads(fig) == [trace.name.removeprefix("tier ") for trace in fig.data]
    said = columns_reading(names)
    assert all(f"{number} tier {number}" in said for number in heads(fig))
    assert ("Without a column" in said) == (count > 16)
    assert said.count(" tier ") == min(count, 16 + 30)


def test_of_many_groups_the_smallest_are_shown_in_the_order_of_the_list():
    sizes = np.arange(100, 0, -1)
    fig = readable_chart(table(["audit"], sizes, [1.0]))
    assert list(fig.layout.yaxis.ticktext) == [f"group {i}" for i in range(70, 100)]


@pytest.mark.parametrize(
    ("relative", "text"),
    [
        (0.123, "±13 %"),
        (0.12, "±12 %"),
        (0.0044, "±0.44 %"),
        (2.7, "±270 %"),
        (np.inf, "> 999 %"),
        (0.0, "usually exact"),
    ],
)
def test_errors_have_two_digits_and_are_rounded_up(relative, text):
    assert error(relative).replace("\u202f", " ") == text


def test_bars_are_as_long_as_the_bounds_move_a_number():
    made = bounds_moved(costs([90, 200, 4, np.nan], [100, 200, 2, np.nan]), unit="rows")
    (bars,) = made.figure.data
    assert bars.x == (10, 0, 2, 0)
    assert set(bars.marker.color) == {GREY}
    assert "g0, −10 rows; g1, 0 rows; g2, +2 rows; g3, no rows." in made.alt
    assert all("not private" in text for text in bars.hovertext[:3])


def test_of_many_groups_those_that_move_most_are_shown():
    sizes = np.arange(100.0)
    (bars,) = bounds_moved(costs(sizes, 2 * sizes), unit="rows").figure.data
    assert bars.x == tuple(range(100 - MOST_GROUPS, 100))


def test_kept_rows_are_bars_with_their_numbers():
    made = rows_kept(Kept(1_000_000, 400_000, 400_000, 0, 0))
    (bars,) = made.figure.data
    assert bars.x == (1, 0.4, 0.4, 0, 0)
    assert "in a group, with what is needed, 400,000, 40 %" in made.alt.replace("\u202f", " ")
    assert all("not private" in " ".join(text.split("<br>")) for text in bars.hovertext)
    assert rows_kept(Kept(0, 0, 0, 0, 0)).figure.data[0].x == (0,) * 5


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_text(name):
    harmless(
        rulers(moves(1.0, 0.0).assign(group=name), axis_title=name, hidden=name, noise=(name, 1.0))
    )
    styles = looks([name])[name]
    tiers = [(name, 5.0, styles)]
    harmless(readable_chart(readable_frame([name, "b"], np.ones(2), tiers, 0.1)))
    harmless(bounds_moved(costs([1], [2]).assign(group=name), unit=name).figure)


@pytest.mark.parametrize(
    ("draw", "frame", "column"),
    [
        (lambda frame: rulers(frame, axis_title="", hidden=""), moves(1.0), "change"),
        (readable_chart, table(["a"], [1], [1.0]), "readable"),
        (lambda frame: bounds_moved(frame, unit=""), costs([1], [2]), "difference"),
    ],
)
def test_what_is_missing_is_named(draw, frame, column):
    with pytest.raises(ParameterError, match=f"lacks {column}"):
        draw(frame.drop(columns=column))
    with pytest.raises(ParameterError, match="no rows"):
        draw(frame.iloc[:0])


@pytest.mark.parametrize(("group", "tiers"), [("8th grade or less", 12), ("high school", 4)])
def test_names_broken_in_two_have_room_between_rows(group, tiers):
    groups = [group, "high school dropout"]
    frame = pd.DataFrame(
        [(g, f"t{i}", 9.0, 0.5, False, TierStyle(1, 0)) for i in range(tiers) for g in groups],
        columns=["group", "tier", "size", "relative", "readable", "style"],
    )
    axis = readable_chart(frame).layout.yaxis
    assert axis.ticktext[1].count("<br>") == 1
    assert axis.tickvals[1] - axis.tickvals[0] >= 2 * 13 * 1.3  # Plotly's height of two lines
