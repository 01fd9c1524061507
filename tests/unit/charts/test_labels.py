"""Ticks are round and fit, ranges hold everything."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpviz.charts import labels
from dpviz.charts.tidy import Intervals, extent, half_widths, require_columns, tiers
from dpviz.errors import ParameterError
from tests.figure_frames import releases

sizes = st.floats(min_value=1e-9, max_value=1e12)


@example(low=1.192092896e-07, width=1e-09, most=3)
@given(low=st.floats(min_value=-1e12, max_value=1e12), width=sizes, most=st.integers(3, 7))
def test_ticks_lie_inside_differ_and_fit(low, width, most):
    high = low + max(width, 1e-4 * abs(low))
    made = labels.ticks(low, high, most=most)
    values, texts = made["tickvals"], made["ticktext"]
    slack = 1e-6 * (high - low)
    assert np.all((values >= low - slack) & (values <= high + slack))
    assert len(values) == len(set(texts)) == len(texts)
    assert 2 <= len(texts) <= most + 1
    if len(texts) > 3:
        assert sum(labels.pixels(text, 12) + 12 for text in texts) <= 230


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0, 2500, ["0", "500", "1,000", "1,500", "2,000", "2,500"]),
        (0, 1.5, ["0", "0.5", "1", "1.5"]),
        (-300, 300, ["−300", "−200", "−100", "0", "100", "200", "300"]),
        (0, 2.6e6, ["0", "0.5M", "1M", "1.5M", "2M", "2.5M"]),
        (0, 3e-7, ["0", "10⁻⁷", "2×10⁻⁷", "3×10⁻⁷"]),
        (1e9, 1e9 + 1000, ["1,000,000,000", "1,000,000,500", "1,000,001,000"]),
    ],
)
def test_tick_texts(low, high, texts):
    assert labels.ticks(low, high)["ticktext"] == texts


@given(low=st.floats(-1e9, 1e9), width=st.floats(0, 1e9))
def test_a_range_holds_what_has_to_be_seen(low, width):
    start, end = labels.span(low, low + width)
    assert start <= low <= low + width <= end
    assert start < end


def test_a_range_starts_at_zero_unless_values_are_far_from_it():
    assert labels.span(10.0, 100.0)[0] == 0
    assert labels.span(-10.0, 100.0)[0] < -10
    assert labels.span(1000.0, 1010.0)[0] > 990
    assert labels.span(0.0, 0.0) == (0.0, 1.0)
    assert labels.span(5.0, 5.0) == (0.0, pytest.approx(5.15))


@pytest.mark.parametrize(("low", "high"), [(-5.0, 0.0), (0.0, 5.0), (-9.0, 5.0), (0.0, 0.0)])
def test_a_text_beyond_a_bar_is_not_cut(low, high):
    text, width = "+12,345", 250.0
    start, end = labels.beyond(low, high, [text], width)
    pixel = width / (end - start)
    high = high if low < high else 1.0
    assert (low - start) * pixel >= (labels.pixels(text) + 23 if low else 3)
    assert (end - high) * pixel >= (labels.pixels(text) + 23 if high else 3)


def test_wrapped_lines_are_short_and_escaped():
    text, width = labels.wrapped("<b>first</b> second third fourth fifth sixth")
    assert text == "&lt;b&gt;first&lt;/b&gt;<br>second third f…"
    assert 60 < width < 120
    assert labels.wrapped("")[0] == "(no name)"


def test_columns_are_asked_for_by_name():
    frame = releases(["a"], ["x"])
    with pytest.raises(ParameterError, match="lacks budget"):
        require_columns(frame.drop(columns="budget"), "tier", "budget")
    with pytest.raises(ParameterError, match="no rows"):
        require_columns(frame.iloc[:0], "tier")
    require_columns(frame, "tier", "budget")


def test_tiers_come_in_order_of_appearance_with_their_looks():
    found = tiers(releases(["z", "a", "m"], ["x", "y"]))
    assert [tier.key for tier in found] == ["z", "a", "m"]
    assert [tier.style.slot for tier in found] == [2, 7, 12]
    assert [len(tier.rows) for tier in found] == [2, 2, 2]


def test_no_guarantee_is_no_interval():
    half = pd.DataFrame({"half_width": [math.nan, math.inf, 3.0]})
    assert np.isnan(half_widths(half)).tolist() == [True, True, False]
    ends = {"low": [math.nan, -math.inf, -1.0], "high": [math.nan, 9.0, 5.0]}
    frame = pd.DataFrame({"value": [1.0, 5.0, 2.0]} | ends)
    before = frame.copy(deep=True)
    marks = Intervals.of(frame)
    assert np.isnan(marks.low).tolist() == np.isnan(marks.high).tolist() == [True, True, False]
    assert extent(frame) == (-1.0, 5.0)
    assert extent(frame, pd.DataFrame({"value": [-9.0]})) == (-9.0, 5.0)
    assert extent(frame.iloc[:0]) == (0.0, 0.0)
    too_few = frame.assign(value=[1.0, 5.0, math.nan])
    assert extent(too_few) == (1.0, 5.0)  # what may be anything does not stretch the axis
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    ("value", "low", "high", "common", "centred"),
    [
        ([1e6, 7.0], [1e6 - 0.3, 6.7], [1e6 + 0.3, 7.3], 0.3, [True, True]),
        ([5.0, 0.0], [3.0, -6.0], [7.0, -2.0], 2.0, [True, False]),
        ([5.0, 5.0], [3.0, 4.0], [7.0, 6.0], math.nan, [True, True]),
        ([5.0, 5.0], [3.0, math.nan], [7.0, math.nan], math.nan, [True, False]),
        ([math.nan, 5.0], [math.nan, 3.0], [math.nan, 7.0], 2.0, [False, True]),
        ([], [], [], math.nan, []),
    ],
)
def test_intervals_know_what_they_have_in_common(value, low, high, common, centred):
    marks = Intervals(*(np.array(x, dtype=float) for x in (value, low, high)))
    np.testing.assert_allclose(marks.common_half, common)
    assert marks.centred.tolist() == centred
