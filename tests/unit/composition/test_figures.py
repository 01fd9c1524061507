"""Figures of Composition: what counts is coloured and first; the order of answers."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz.accounting.bounds import ANY_ORDER, EXACT, IN_ADVANCE, UPPER, Bound
from dpviz.charts.composition.bounds import (
    best_and_sum,
    bound_bars,
    bounds_frame,
)
from dpviz.charts.composition.orders import BETWEEN, FIRST, RATIO, TOTAL, order_ratio, orders_frame
from dpviz.errors import ParameterError
from tests.figure_frames import texts

DELTA = Fraction("1e-6")
BOUNDS = (
    Bound("fixed in advance", 1.3761, "Theorem 3", EXACT, IN_ADVANCE),
    Bound("zCDP", 1.66001, "", UPPER, ANY_ORDER),
    Bound("sum", 2.0, "", UPPER, ANY_ORDER),
)


def test_the_tightest_that_holds_is_first_and_has_the_ink_of_the_page():
    fig = bound_bars(bounds_frame(BOUNDS, granted=ANY_ORDER), limit=1.8)
    assert [bar.name for bar in fig.data] == ["zCDP", "sum", "fixed in advance"]
    assert [bar.marker.color is None for bar in fig.data] == [True, False, False]
    assert fig.data[2].marker.color == "rgba(0,0,0,0)"
    assert fig.data[2].marker.line.width > 0
    assert [shape.x0 for shape in fig.layout.shapes] == [1.8]
    granted = bound_bars(bounds_frame(BOUNDS, granted=IN_ADVANCE))
    assert granted.data[0].name == "fixed in advance"
    assert granted.data[0].marker.color is None
    assert not granted.layout.shapes


def test_bounds_are_never_written_smaller():
    fig = bound_bars(bounds_frame(BOUNDS, granted=ANY_ORDER))
    said = [text.replace("\u202f", " ") for text in texts(fig)]
    assert "<b>≤ 1.661</b>" in said
    assert "<b>1.376</b>" in said  # exact: to the nearest
    two = best_and_sum(bounds_frame(BOUNDS, granted=ANY_ORDER))
    said = texts(bound_bars(two, named={"zCDP": "together", "sum": "added"}))
    assert said[:2] == ["<b>together</b>", "<b>added</b>"]
    assert [text.replace("\u202f", " ") for text in said[2:4]] == ["<b>≤ 1.67</b>", "<b>≤ 2</b>"]


def test_a_limit_far_away_leaves_room_for_the_bars():
    fig = bound_bars(bounds_frame(BOUNDS, granted=ANY_ORDER), limit=1e6)
    assert not fig.layout.shapes
    assert fig.layout.xaxis.range[1] < 10


def test_a_frame_without_rows_is_refused():
    with pytest.raises(ParameterError, match="no rows"):
        bound_bars(bounds_frame([], granted=ANY_ORDER))


def literal_delta(order, epsilon, total, grid=240):
    """δ of mechanisms chosen one after the other, every t on a grid, from the definition."""
    if not order:
        return max(0.0, -math.expm1(total))
    rest, high = order[1:], 1 / (1 + math.exp(-epsilon))
    if order[0] == "D":
        return high * literal_delta(rest, epsilon, total - epsilon, grid) + (
            1 - high
        ) * literal_delta(rest, epsilon, total + epsilon, grid)
    found = []
    for t in np.linspace(0, epsilon, grid if "B" not in rest else grid // 4):
        q = math.expm1(t - epsilon) / math.expm1(-epsilon)
        found.append(
            q * literal_delta(rest, epsilon, total - t, grid)
            + (1 - q) * literal_delta(rest, epsilon, total - t + epsilon, grid)
        )
    return max(found)


def test_the_ratio_of_orders_is_that_of_a_literal_search():
    frame = orders_frame(1.0)
    three_tenths = frame.set_index(frame[TOTAL].round(9))[RATIO][0.3]
    assert three_tenths == pytest.approx(0.41360142268715323 / 0.40927849679912697)
    at = frame.iloc[10]
    for order, name in (("DBB", FIRST), ("BDB", BETWEEN)):
        assert literal_delta(order, 1.0, at[TOTAL]) == pytest.approx(at[name], rel=2e-4)
    assert frame[frame[TOTAL] >= 1][RATIO].to_numpy() == pytest.approx(1.0, abs=1e-9)
    assert (frame[RATIO] >= 1 - 1e-12).all()
    assert order_ratio(frame).data[1].y[0] == frame[RATIO].max()
