"""Who may see how much: a row per tier, bars true to size, max beside sum."""

import math

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.compared import TOGETHER, compared
from dpviz.charts.tiers.clearances import clearances, clearances_frame
from dpviz.charts.tiers.least_sizes import least_sizes
from dpviz.errors import ParameterError
from dpviz.ui.tiers.picture import together
from dpviz.workspace import account
from dpviz.workspace.guesses import right_at
from dpviz.workspace.workspace import Workspace
from tests.figure_frames import HOSTILE, texts

BOTH = pd.DataFrame(
    [("all two", "max", 673.0, "673", 11), ("fresh", "sum", 760.0, "at most 760", 0)],
    columns=list(TOGETHER),
)


def rows(halves):
    frame = pd.DataFrame({"tier": list(halves), "half_width": list(halves.values())})
    places = np.arange(len(frame))
    looks = {"slot": 1 + places % 12, "symbol": places % 12}
    return frame.assign(budget="ρ = 1", right=600.0, said="600", **looks)


def marks(fig, name):
    return next(trace for trace in fig.data if trace.name == name)


def plan_of(ws):
    rights = [right_at(p.budget) for p in ws.planned()[0]]
    downwards = ws.values_of_tiers[::-1], rights[::-1]
    frame = clearances_frame(*downwards, ws.family, ws.statistic.query.step)
    return frame, together(ws, rights, *account.plan(ws))


def test_the_cast_from_the_sharpest_down_with_max_beside_sum():
    frame, both = plan_of(Workspace.fresh())
    assert frame["tier"].tolist() == ["audit", "research", "partners", "public"]
    assert frame["half_width"].round(2).tolist() == [2.19, 2.53, 3.1, 4.38]
    assert frame["said"].tolist() == ["673", "651", "624", "588"]
    assert both["said"].tolist() == ["673", "760"]
    assert both["how"].tolist() == [
        "ρ = 0.4, only the largest",
        "ρ = 1, all four added",
    ]
    fig = clearances(frame, both, noun="people")
    right, tiers = marks(fig, "right"), marks(fig, "tiers")
    assert right.x[0] == pytest.approx(172.64, abs=0.01)
    here = len(frame)  # the first row below the tiers
    assert right.x[here] == right.x[0]
    assert right.marker.color[here] == right.marker.color[0]
    alone = compared(both)  # the same bars on the page Releases
    assert marks(alone, "right").x.tolist() == right.x[here:].tolist()
    assert {"<b>673</b>", "<b>760</b>"} <= set(texts(alone))
    heights = [*tiers.y]
    assert heights == sorted(heights)
    low, high = fig.layout.yaxis.range
    assert high < heights[0] < heights[-1] < right.y[here] < low


def test_nobody_compares_notes_alone_or_with_an_equal():
    ws = Workspace.fresh()
    for count in (1, 3):
        ws.use_tiers([{"tier": f"t{i}", "budget": "0.1", "as": "ρ"} for i in range(count)])
        assert plan_of(ws)[1] is None


@pytest.mark.parametrize("family", ["laplace", "poisson"])
def test_of_an_epsilon_the_guesses_are_at_most(family):
    ws = Workspace.fresh()
    ws.use_family(family)
    frame, both = plan_of(ws)
    assert all(said.startswith("at most") for said in [*frame["said"], *both["said"]])
    fig = clearances(frame, both, noun="people")
    assert any("≤" in text for text in texts(fig))


@pytest.mark.parametrize("wide", [4.0, 4000.0])
def test_bars_of_accuracy_are_even_or_stretched_alike(wide):
    halves = {"a": 1.0, "b": wide}
    fig = clearances(rows(halves), BOTH, noun="people")
    line = marks(fig, "±")
    ends = [half if wide < 30 else math.asinh(half) for half in halves.values()]
    assert line.base.tolist() == pytest.approx([-end for end in ends])
    assert line.x.tolist() == pytest.approx([2 * end for end in ends])
    assert fig.layout.xaxis.range[1] > max(ends)


def test_no_guarantee_has_no_bar_of_accuracy_and_many_tiers_fit():
    fig = clearances(rows({"a": math.nan, "b": 2.0}), noun="n")
    line, tiers = marks(fig, "±"), marks(fig, "tiers")
    assert line.y.tolist() == [tiers.y[1]]
    assert "No guarantee" in tiers.hovertext[0]
    many = clearances(rows({f"t{i}": 1.0 + i for i in range(100)}), BOTH, noun="n")
    assert many.layout.height < 45 * 104
    assert len(many.data) == 5  # a browser draws few traces fast


def test_frames_stay_as_they_are_and_what_is_missing_is_named():
    frame, both = rows({"a": 1.0}), BOTH.copy()
    clearances(frame, both, noun="n")
    pd.testing.assert_frame_equal(frame, rows({"a": 1.0}))
    pd.testing.assert_frame_equal(both, BOTH)
    for fewer, more in ((frame.drop(columns="said"), both), (frame, both.drop(columns="said"))):
        with pytest.raises(ParameterError, match="lacks said"):
            clearances(fewer, more, noun="n")
    with pytest.raises(ParameterError, match="no rows"):
        clearances(frame.iloc[:0], noun="n")


def test_a_line_per_tier_begins_at_the_least_size_it_can_read():
    frame = rows({"audit": 1.0, "public": 2.0}).rename(columns={"half_width": "size"})
    frame["size"] = [22.0, 0.0]
    fig = least_sizes(frame, [100.0, 0.0, 100.0, 30.0], axis_title="people")
    first, second = fig.data
    assert 10 ** first.x[0] == pytest.approx(22.0)
    assert second.x[0] == fig.layout.xaxis.range[0]
    assert list(fig.layout.xaxis.ticktext) == ["30", "100"]
    said = [note.text for note in fig.layout.annotations]
    assert said[0].endswith("22 and more")
    assert said[1].endswith("any size")
    assert len(least_sizes(frame, [*range(1, 40)], axis_title="n").layout.shapes) == 4
    assert np.isfinite(least_sizes(frame, [], axis_title="n").layout.xaxis.range).all()
    with pytest.raises(ParameterError, match="lacks size"):
        least_sizes(frame.drop(columns="size"), [], axis_title="n")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_text(name):
    frame = rows({name: 1.0}).assign(size=1.0, budget=name, said=name)
    both = BOTH.assign(who=name, how=name, said=name)
    figures = clearances(frame, both, noun=name), least_sizes(frame, [1.0], axis_title=name)
    for text in (text for fig in figures for text in texts(fig)):
        rest = text
        for ours in ("<b>", "</b>", "<br>", "</span>"):
            rest = rest.replace(ours, "")
        if rest.startswith("<span style="):
            rest = rest.partition(">")[2]
        assert not set("<>$\n") & set(rest), text
        assert "%{" not in rest, text
