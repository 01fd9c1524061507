"""Figures of Composition: what counts is coloured and first, nothing is lost from a loss."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz.accounting.bounds import ANY_ORDER, EXACT, IN_ADVANCE, UPPER, Bound
from dpviz.charts.composition import frame as frames
from dpviz.charts.composition import points
from dpviz.charts.composition.bounds import (
    BOUND,
    EPSILON,
    best_and_sum,
    bound_bars,
    bounds_frame,
)
from dpviz.charts.composition.frame import AT
from dpviz.charts.composition.lines import total_lines
from dpviz.charts.composition.orders import BETWEEN, FIRST, RATIO, TOTAL, order_ratio, orders_frame
from dpviz.charts.losses import (
    LOSS,
    MASS,
    STAGE,
    loss_strips,
    losses_frame,
    reach_of,
)
from dpviz.errors import ParameterError
from dpviz.workspace.composition import ANY, CHOICE, CONCENTRATED, GAUSS, WITH_DELTA, Part
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


def test_lines_end_at_the_totals_and_the_lowest_is_bold():
    parts = [Part(answer=ANY, budget=0.1, count=6), Part(answer=GAUSS, budget=0.01, count=2)]
    frame = frames.lines_frame(points.along(parts, DELTA, ANY_ORDER))
    assert sorted(frame[AT].unique())[0] == 1
    assert {6.0, 8.0} <= set(frame[AT])
    added = frame[frame[BOUND] == "sum"].set_index(AT)[EPSILON]
    assert added[1.0] == pytest.approx(0.1)
    assert added[6.0] == pytest.approx(0.6)
    fig = total_lines(frame, axis="answers given")
    best = min(fig.data, key=lambda line: line.y[-1])
    assert [line.name for line in fig.data if line.line.color is None] == [best.name]
    assert f"<b>{best.name}</b>" in texts(fig)


def test_choices_cost_less_than_other_answers():
    frame = frames.lines_frame(points.over_choices(Fraction(1, 10), 3, DELTA, IN_ADVANCE))
    for name, part in frame.groupby(BOUND):
        assert (np.diff(part[EPSILON]) <= 1e-9).all(), name
    assert frame[AT].max() == 3


def test_a_smaller_delta_costs_more():
    frame = frames.lines_frame(
        points.over_delta([Part(answer=GAUSS, budget=0.1)], Fraction("3e-7"), ANY_ORDER)
    )
    for name, part in frame.groupby(BOUND):
        assert (np.diff(part[EPSILON]) < 0).all(), name
    assert math.log10(3e-7) in set(frame[AT])
    assert total_lines(frame, axis="δ", over_delta=True).layout.xaxis.ticktext


def test_lines_of_a_single_point_and_of_nothing_but_zeros_have_axes():
    one = frames.lines_frame(points.along([Part(answer=ANY, budget=1)], DELTA, ANY_ORDER))
    half, tiny = Fraction(1, 2), Part(answer=CONCENTRATED, budget=1e-9)
    zeros = frames.lines_frame(points.along([tiny, tiny], half, ANY_ORDER))
    own = [Part(answer=WITH_DELTA, budget=1, delta=Fraction(3, 1000))]
    last = frames.lines_frame(points.over_delta(own, Fraction(1, 100), ANY_ORDER))
    assert (one[AT].nunique(), zeros[EPSILON].max(), last[AT].max()) == (1, 0, -2)
    for frame in (one, zeros, last):
        fig = total_lines(frame, axis="", over_delta=frame is last)
        for axis, column in ((fig.layout.xaxis, AT), (fig.layout.yaxis, EPSILON)):
            low, high = axis.range
            assert low < high
            assert ((low <= frame[column]) & (frame[column] <= high)).all()
            assert len(axis.ticktext) >= 2


def test_every_stage_keeps_its_mass():
    parts = [Part(answer=ANY, budget=0.5, count=4), Part(answer=CONCENTRATED, budget=0.1)]
    stages = frames.stages(parts)
    assert [name for name, _, _ in stages] == [
        "after one answer",
        "after 4 answers",
        "after all 5 answers",
    ]
    frame = losses_frame(stages, 1.0)
    assert frame.groupby(STAGE)[MASS].sum().to_numpy() == pytest.approx(np.ones(3), abs=1e-6)
    assert frame[LOSS].abs().max() <= 1
    four = frame[frame[STAGE] == "after 4 answers"]
    high = 1 / (1 + math.exp(-0.5))
    beyond = 4 * high**3 * (1 - high) + high**4  # losses of 1 and 2
    assert four[MASS].iloc[-1] == pytest.approx(beyond)
    last = stages[-1][0]
    fig = loss_strips(frame, totals={last: 0.9}, main=last)
    assert [bar.marker.color for bar in fig.data].count(None) == 1
    assert "ε = 0.9" in texts(fig)


def test_losses_are_seen_even_where_delta_covers_all():
    stages = frames.stages([Part(answer=ANY, budget=0.1)])
    assert reach_of(stages, 0.0) == pytest.approx(0.1, rel=0.2)
    assert reach_of(stages, 2.0) >= 2.0


def test_losses_too_large_to_draw_have_no_strips():
    assert frames.stages([Part(answer=ANY, budget=1e12), Part(answer=CHOICE, budget=1)]) == []


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
