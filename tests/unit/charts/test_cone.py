"""The form of the cone: the walk, its stops, the new one between two, and what is left out."""

import numpy as np
import pytest

from dpviz.charts.forms.cone import IDLE, LARGE, NEW, WAITING
from tests import cone_cases as cases
from tests.conftest import few, for_each

CASES = {name: (made, more) for name, made, more in cases.cases()}


def named(picture, name):
    return [trace for trace in picture.figure.data if trace.name == name]


@for_each("name", few(CASES, 3))
def test_each_stop_is_at_its_number_and_noise_and_nothing_leaves_the_axes(name):
    made, more = CASES[name]
    picture = cases.drawn(made, more)
    (marks,) = named(picture, "held")
    there = made[made["state"] != WAITING]
    assert list(marks.x) == there["value"].tolist()
    assert list(marks.y) == there["noise"].tolist()
    low, high = picture.figure.layout.xaxis.range
    assert low < there["value"].min()
    assert there["value"].max() < high
    foot, top = picture.figure.layout.yaxis.range
    assert foot > top  # more noise is further down
    assert all(
        row in picture.alt for row in ("The numbers that are held.", str(made["name"][0])[:1])
    )


def test_the_new_stop_is_a_bar_and_a_drawn_one_a_large_number_on_threads():
    made, more = CASES["two stops and a new one"]
    picture = cases.drawn(made, more)
    (bar,) = named(picture, "new")
    assert tuple(bar.x) == more["new"].ends
    assert set(bar.y) == {more["new"].noise}
    assert len(named(picture, "source")) == 2
    assert not named(picture, "thread")
    drawn = cases.drawn(*CASES["drawn"])
    assert [len(thread.x) for thread in named(drawn, "thread")] == [2, 2]
    assert [a.font.size for a in drawn.figure.layout.annotations].count(LARGE) == 1
    assert not named(cases.drawn(*CASES["hidden"]), "new")


def test_a_chance_is_a_spike_with_its_number():
    made, more = CASES["chances"]
    picture = cases.drawn(made, more)
    assert [t.x[0] for t in named(picture, "chance")] == [300.0, 296.0]
    heights = [abs(np.diff(t.y)[0]) for t in named(picture, "chance")]
    assert heights[1] / heights[0] == pytest.approx(4 / 3)
    assert "<b>30" in str(picture.figure.layout.annotations)


def test_the_walk_goes_through_the_stops():
    made, more = CASES["long names"]
    picture = cases.drawn(made, more)
    for region in named(picture, "walk"):
        corners = {(x, y) for x, y in zip(region.x, region.y, strict=True) if x is not None}
        assert set(zip(made["value"], made["noise"], strict=True)) <= corners


def test_rows_that_would_touch_keep_their_marks_and_lose_their_words():
    made = cases.stops(12, times=1.05)
    picture = cases.drawn(made, {})
    assert len(picture.figure.layout.yaxis.tickvals) < 12
    assert len(named(picture, "held")[0].x) == 12 - (made["state"] == WAITING).sum()


def test_much_more_noise_needs_a_logarithmic_axis_and_steps_share_their_axes():
    assert cases.drawn(*CASES["much more noise"]).figure.layout.yaxis.type == "log"
    assert cases.drawn(*CASES["drawn"]).figure.layout.yaxis.type == "linear"
    made, more = CASES["steps"]
    later = made.assign(state=[NEW, IDLE, IDLE])
    ranges = {cases.drawn(each, more).figure.layout.xaxis.range for each in (made, later)}
    assert len(ranges) == 1
