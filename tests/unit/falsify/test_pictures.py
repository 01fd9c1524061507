"""The pictures of the page Falsify: bets with the line of the promise, and four doors."""

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.falsify.bets import bets_chart, bets_frame
from dpviz.charts.falsify.doors import doors_frame, four_doors
from dpviz.errors import ParameterError


def test_a_bar_goes_from_a_coin_to_what_is_won_and_the_line_is_the_promise():
    rows = [("ours", 671.8, 672.6), ("broken", 761.6, 672.6)]
    fig = bets_chart(bets_frame(rows))
    spans = [(t.name, t.base[0], t.base[0] + t.x[0]) for t in fig.data if t.type == "bar"]
    assert spans == [
        ("ours", 500, 671.8),
        ("broken", 500, pytest.approx(672.6)),
        ("broken", 672.6, pytest.approx(761.6)),  # beyond what is promised
    ]
    assert [list(t.x) for t in fig.data if t.name == "promised"] == [[672.6, 672.6]] * 2
    said = [each.text for each in fig.layout.annotations]
    assert said == [
        *("<b>ours</b>", "<b>672</b>", "promised: at most 673"),
        *("<b>broken</b>", "<b>762</b>", "promised: at most 673"),
        *("500: a coin", "1,000: always"),
    ]


def test_luck_that_no_number_shows_is_no_breach():
    fig = bets_chart(bets_frame([("ours", 672.9, 672.6)]))
    assert sum(t.type == "bar" for t in fig.data) == 1


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
    with pytest.raises(ParameterError, match="won"):
        bets_frame([("ours", 1001.0, 600.0)])
    with pytest.raises(ParameterError, match="for each door"):
        doors_frame([("A", np.zeros((3, 1)))])
    with pytest.raises(ParameterError, match="the frame lacks"):
        bets_chart(pd.DataFrame({"who": ["x"]}))
    with pytest.raises(ParameterError, match="the frame lacks"):
        four_doors(pd.DataFrame({"door": ["x"]}), across="", up="")
