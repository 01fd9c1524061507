"""The pictures of the page Falsify: bars with the line of the promise, and four doors."""

import math

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.falsify.doors import doors_frame, four_doors
from dpviz.charts.falsify.event import EVENT, event_bars, event_frame
from dpviz.errors import ParameterError
from dpviz.experiments.audit import Counted
from dpviz.experiments.audit_events import Event, Seen


def seen(inside, likelier=900, other=100):
    return Counted(Event(Seen("number", (0,)), 0.0, True, inside), likelier, other, 1000, 0.001)


@pytest.mark.parametrize("inside", [True, False])
def test_the_rarer_table_comes_first_and_the_line_is_the_promise(inside):
    counted = seen(inside)
    line = math.e * counted.at_most + 0.01
    frame = event_frame(counted, line)
    assert frame["share"].tolist() == [0.1, 0.9]
    assert frame["table"].iloc[1] == ("with Maria" if inside else "without Maria")
    assert frame["proved"].tolist() == [counted.at_most, counted.at_least]
    assert frame["allowed"].tolist() == [line, line]
    broken = counted.at_least > frame["allowed"].iloc[0]
    assert broken == (counted.epsilon(0.01) > 1.0), "the line and the verdict agree"
    fig = event_bars(frame)
    assert [bar.x[0] for bar in fig.data] == [0.1, 0.9]
    assert fig.layout.shapes[0].x0 == frame["allowed"].iloc[0]
    assert fig.data[0].error_x.array == (pytest.approx(counted.at_most - 0.1),)
    assert fig.data[1].error_x.arrayminus == (pytest.approx(0.9 - counted.at_least),)


def test_everything_is_allowed_where_nothing_is_promised():
    frame = event_frame(seen(True), 1.0)
    assert frame["allowed"].tolist() == [1.0, 1.0]
    assert event_bars(frame).layout.xaxis.range[1] >= 1.0


def test_numbers_stand_clear_of_the_line():
    rows = [("without Maria", 0.0004, 0.001, 0.014), ("with Maria", 0.27, 0.26, 0.014)]
    fig = event_bars(pd.DataFrame(rows, columns=list(EVENT)))
    beside = {each.text: each.x for each in fig.layout.annotations}
    assert beside["<b>0.04\u202f%</b> (almost never)"] == 0.014
    assert beside["<b>27\u202f%</b><br>too much"] == 0.27


@pytest.mark.parametrize(("share", "said"), [(0.02, ""), (0.05, "<br>not proved yet")])
def test_a_share_that_is_not_proved_too_much_says_so_beyond_the_line_alone(share, said):
    rows = [("with Maria", 0.001, 0.002, 0.03), ("without Maria", share, share - 0.03, 0.03)]
    fig = event_bars(pd.DataFrame(rows, columns=list(EVENT)))
    assert f"<b>{100 * share:g}\u202f%</b>{said}" in [each.text for each in fig.layout.annotations]


def test_each_door_has_its_dots_on_the_same_axes():
    rng = np.random.default_rng(1)
    drawn = [(door, rng.normal(size=(50, 2))) for door in "ABCD"]
    fig = four_doors(doors_frame(drawn), across="one", up="other")
    for (door, dots), trace in zip(drawn, fig.data, strict=True):
        assert trace.name == door
        np.testing.assert_array_equal(trace.x, dots[:, 0])
        np.testing.assert_array_equal(trace.y, dots[:, 1])
    for axis in "xy":
        assert len({fig.layout[f"{axis}axis{n}"].range for n in ("", 2, 3, 4)}) == 1


def test_refusals():
    for allowed in (-0.1, 2.0):
        with pytest.raises(ParameterError, match="allowed"):
            event_frame(seen(True), allowed)
    with pytest.raises(ParameterError, match="for each door"):
        doors_frame([("A", np.zeros((3, 1)))])
    with pytest.raises(ParameterError, match="the frame lacks"):
        event_bars(pd.DataFrame({"table": ["x"]}))
    with pytest.raises(ParameterError, match="the frame lacks"):
        four_doors(pd.DataFrame({"door": ["x"]}), across="", up="")
