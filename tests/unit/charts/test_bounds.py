"""Influence, and what bounding costs: told apart without colour, and true to size."""

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.data import GAP, MOST, MOST_GROUPS, REACH, bounds_moved, rows_kept
from dpviz.charts.data import rulers as picture_of_rulers
from dpviz.palette import GREY
from dpviz.queries import KeptRows
from tests.conftest import few, for_each
from tests.figure_frames import HOSTILE, check_harmless


def rulers(frame, **words):
    return picture_of_rulers(frame, **words).figure


def moves(*changes):
    return pd.DataFrame({"group": [f"g{i}" for i in range(len(changes))], "change": changes})


def costs(bounded, unbounded):
    frame = pd.DataFrame({"bounded": bounded, "unbounded": unbounded}, dtype=float)
    frame.insert(0, "group", [f"g{i}" for i in range(len(frame))])
    return frame.assign(difference=frame["bounded"] - frame["unbounded"])


def named(fig, name):
    return [trace for trace in fig.data if trace.name == name]


@for_each("changes", [(2.0, 0.0), (-0.25, 0.25, 0.0), (-3.0,), (0.0,)])
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
    (said,) = [n for n in fig.layout.annotations if n.text.startswith("audit’s noise: ")]
    assert "2.2" in said.text
    assert (said.x, said.xanchor) == (-GAP, "right")  # the arrow points to the other side


def test_up_down_and_still_differ_without_colour():
    fig = rulers(moves(-1.0, 1.0, 0.0), axis_title="people", hidden="exact count")
    ends = [(end.marker.symbol, end.marker.angle) for end in named(fig, "end")]
    assert ends == [("arrow-wide", -90), ("arrow-wide", 90)]  # left, right
    assert [note.text for note in fig.layout.annotations] == [
        "one person: <b>−1</b>",
        "<b>+1</b>",
        "the same person: <b>0</b>",
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
    made = rows_kept(KeptRows(1_000_000, 400_000, 400_000, 0, 0))
    (bars,) = made.figure.data
    assert bars.x == (1, 0.4, 0.4, 0, 0)
    assert "in a group, with what is needed, 400,000, 40 %" in made.alt.replace("\u202f", " ")
    assert all("not private" in " ".join(text.split("<br>")) for text in bars.hovertext)
    assert rows_kept(KeptRows(0, 0, 0, 0, 0)).figure.data[0].x == (0,) * 5


@pytest.mark.parametrize("name", few(HOSTILE, 5))
def test_hostile_names_are_only_text(name):
    check_harmless(
        rulers(moves(1.0, 0.0).assign(group=name), axis_title=name, hidden=name, noise=(name, 1.0))
    )
    check_harmless(bounds_moved(costs([1], [2]).assign(group=name), unit=name).figure)
