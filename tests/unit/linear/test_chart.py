"""Errors of linear queries as bars, and rows of answers: what is drawn, and what stays out."""

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.linear.answers import answers_frame
from dpviz.charts.linear.bars import TOTALS, error_bars, totals_frame
from dpviz.charts.tidy import RELEASE
from dpviz.errors import ParameterError
from dpviz.linear.comparison import compare
from dpviz.linear.workloads import ranges
from dpviz.noise import FAMILIES
from dpviz.palette import GREY, TierStyle
from dpviz.planning.amounts import Amount
from dpviz.workspace.held import HeldTier
from tests.figure_frames import HOSTILE

FOUND = compare(ranges(5), FAMILIES["laplace"], "ε", Amount(1))
CALLED = {way: f"noise by {way}" for way in FOUND.ways}
BARS = totals_frame(FOUND, CALLED)


def test_totals_are_sorted_root_mean_squares():
    assert tuple(BARS.columns) == TOTALS
    assert BARS["typical error"].is_monotonic_increasing
    assert BARS["times the least"].iloc[0] == 1.0
    for row in BARS.to_dict("records"):
        assert row["typical error"] == FOUND.ways[row["way"]].typical


def test_a_way_without_a_name_has_no_bar():
    assert totals_frame(FOUND, {"binary tree": "blocks"})["name"].tolist() == ["blocks"]


def test_a_lower_bound_is_rounded_down():
    figure = error_bars(BARS, chosen="binary tree", bound=1.4996, unit="visits")
    assert "no way does better than 1.49" in figure.layout.annotations[-1].text


def test_without_a_bound_no_line_stands_for_one():
    assert not error_bars(BARS, chosen="x", bound=None, unit="").layout.shapes


def test_bars_start_at_zero_and_carry_their_numbers():
    figure = error_bars(BARS, chosen="binary tree", bound=1.5, unit="visits")
    ours, others = figure.data
    errors = {way.name: way.typical for way in FOUND.ways.values()}
    assert ours.x.tolist() == [errors.pop("binary tree")]
    assert others.x.tolist() == sorted(errors.values())
    assert (ours.marker.color, others.marker.color) == (None, GREY)
    at = {y: x for bars in figure.data for x, y in zip(bars.x, bars.y, strict=True)}
    assert [at[place] for place in range(len(at))] == BARS["typical error"].tolist()
    assert figure.layout.xaxis.range[0] == 0
    assert figure.layout.xaxis.range[1] > max(at.values())
    named = [a.text for a in figure.layout.annotations[:-1]]
    wanted = [f"noise by {way}" for way in BARS["way"]]
    assert [text.replace("<b>", "").replace("</b>", "") for text in named] == wanted
    assert [text for text in named if text.startswith("<b>")] == ["<b>noise by binary tree</b>"]
    assert "no way does better than 1.5" in figure.layout.annotations[-1].text


def test_a_bar_that_is_nearly_the_least_says_so():
    rows = [("a", "a", 4.6, 1.0), ("b", "b", 4.8, 1.04), ("c", "c", 9.2, 2.0)]
    ours, others = error_bars(
        pd.DataFrame(rows, columns=list(TOTALS)), chosen="a", bound=None, unit="visits"
    ).data
    assert list(ours.text) == ["<b>4.6 visits</b>"]
    assert list(others.text) == ["4.8 visits, nearly the least", "9.2 visits"]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_stay_words(name):
    named = totals_frame(FOUND, dict.fromkeys(FOUND.ways, name))
    bars = error_bars(named, chosen="binary tree", bound=1.5, unit=name)
    text = str(bars.to_dict())
    assert "<a href" not in text
    assert "%{" not in text


def test_frames_stay_as_they_were_and_bad_ones_are_refused():
    before = BARS.copy(deep=True)
    error_bars(BARS, chosen="binary tree", bound=1.5, unit="visits")
    pd.testing.assert_frame_equal(BARS, before)
    with pytest.raises(ParameterError, match="lacks way"):
        error_bars(BARS.drop(columns="way"), chosen="", bound=None, unit="")
    with pytest.raises(ParameterError, match="no rows"):
        error_bars(BARS.head(0), chosen="", bound=None, unit="")


def test_answers_lose_the_mean_of_the_noise():
    tier = HeldTier(
        name="public", level=2.0, letter="ε", loss=1, style=TierStyle(2, 0), values=np.array([7, 9])
    )
    frame = answers_frame([tier], ["a", "b"], [np.array([2.0, 4.0])], [np.array([1.0, 3.0])])
    assert tuple(frame.columns) == RELEASE
    assert frame["value"].tolist() == [5.0, 5.0]
    assert frame["low"].tolist() == [4.0, 2.0]
    assert frame["high"].tolist() == [6.0, 8.0]
    assert answers_frame([], [], [], []).empty
