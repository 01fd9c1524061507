"""Lines say all they show in hovers and alt text, and leave their frame alone.

Where everything stands on a phone and a desktop is measured in tests/browser/test_forms.py.
"""

import math

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.axes import log_ticks, spread
from dpviz.charts.forms.lines import POINTS, Axis, Look, lines
from tests.conftest import few
from tests.line_cases import cases, drawn, frame

CASES = [pytest.param(*c[1:], id=c[0]) for c in cases()]
AXES = {"x": Axis(title="week"), "y": Axis(title="visits")}


@pytest.mark.parametrize(("made", "asked"), few(CASES, 4))
def test_every_mark_has_a_hover_sentence_and_the_alt_text_every_line(made, asked):
    before = made.copy(deep=True)
    picture = drawn(made, asked)
    figure, alt = picture.figure, picture.alt
    pd.testing.assert_frame_equal(made, before)
    for trace in figure.data:
        if trace.hoverinfo != "skip":
            assert len(trace.hovertext) == len(trace.x)
            assert all(hover and "<b>" not in hover for hover in trace.hovertext)
    told = {trace.name for trace in figure.data if trace.hoverinfo != "skip"}
    assert len(told - {"here"}) == made["line"].nunique()
    assert alt.startswith("Visits so far. ")
    assert all(f"{name}: " in alt for name in made["line"].unique())
    assert ("Marked: " in alt) == ("here" in asked)


def test_lines_go_through_their_points_and_bands_along_both_edges():
    made = frame(1, 1, 4, points=5)
    band, line = lines(made, what="So far.", looks={"A": Look()}, **AXES).figure.data
    assert line.x.tolist() == [1, 2, 3, 4, 5]
    assert line.y.tolist() == made["y"].tolist()
    assert band.y.tolist() == [*made["low"], *made["high"][::-1]]


def test_marks_are_not_joined_have_intervals_and_leave_the_name_to_their_line():
    made = frame(1, 2, 4, points=5)
    looks = {"A 0": Look(), "A 1": Look(marks=True, symbol="diamond-open")}
    figure = lines(made, what="So far.", looks=looks, **AXES).figure
    marks, rows = figure.data[-1], made[made["line"] == "A 1"]
    assert (marks.mode, marks.marker.symbol) == ("markers", "diamond-open")
    np.testing.assert_allclose(marks.y + marks.error_y.array, rows["high"])
    np.testing.assert_allclose(marks.y - marks.error_y.arrayminus, rows["low"])
    assert [note.text for note in figure.layout.annotations].count("A 1") == 0


def test_of_many_points_the_extremes_are_drawn():
    rows = [("A", x, math.sin(x) * (50 if x == 777 else 1), None, None, "") for x in range(20_000)]
    made = pd.DataFrame(rows, columns=list(POINTS)).astype({"low": float, "high": float})
    (line,) = lines(made, what="So far.", looks={"A": Look()}, **AXES).figure.data
    assert len(line.x) <= 2_000
    assert line.y.max() == made["y"].max()
    assert line.y.min() == made["y"].min()


def test_what_is_enlarged_is_drawn_twice_and_alone_has_room():
    made = frame(1, 1, 4, points=200)
    figure = lines(made, what="So far.", looks={"A": Look()}, enlarged=(190, 200), **AXES).figure
    whole, part = (trace for trace in figure.data if trace.fill is None)
    assert (len(whole.x), part.x.tolist()) == (200, list(range(190, 201)))
    low, high = figure.layout.yaxis2.range
    assert high - low < (figure.layout.yaxis.range[1] - figure.layout.yaxis.range[0]) / 4
    funnel, _ = figure.layout.shapes
    assert funnel.path.startswith("M 190")


@pytest.mark.parametrize(("part", "side"), [((190, 200), "right"), ((1, 11), "left")])
def test_the_enlarged_part_is_named_where_both_sides_of_the_funnel_end(part, side):
    made, named = frame(1, 1, 4, points=200), {"part": "the last day", "enlarged": part}
    layout = lines(made, what="So far.", looks={"A": Look()}, **named, **AXES).figure.layout
    (words,) = (each for each in layout.annotations if each.text == "↓ the last day, enlarged")
    assert (words.xanchor, words.x) == (side, 0 if side == "left" else 1)
    assert layout.yaxis2.domain[1] == pytest.approx(words.y)  # the large plot begins below them
    assert layout.yaxis.domain[0] > words.y


def test_the_range_of_a_logarithmic_axis_is_in_powers_of_ten():
    made = frame(1, 1, 4).assign(low=math.nan, high=math.nan)
    logs = {"x": Axis(title="x", log=True), "y": Axis(title="y", log=True)}
    layout = lines(made, what="So.", looks={"A": Look()}, **logs).figure.layout
    low, high = layout.yaxis.range
    assert low < np.log10(made["y"].min()) < np.log10(made["y"].max()) < high
    zero = AXES | {"y": Axis(title="visits", zero=True)}
    assert lines(made, what="So.", looks={"A": Look()}, **zero).figure.layout.yaxis.range[0] == 0


@pytest.mark.parametrize("span", [(0.0, 0.3), (-3.1, 0.8), (-12, 12), (1.0, 1.05), (2.0, 2.7)])
def test_logarithmic_ticks_are_few_round_and_inside(span):
    ticks = log_ticks(*span, most=6)
    values = np.log10(ticks["tickvals"])
    assert 2 <= len(values) <= 6
    assert (np.diff(values) > 0).all()
    assert values[0] >= span[0] - 1e-6
    assert values[-1] <= span[1] + 1e-6
    assert len(set(ticks["ticktext"])) == len(values)


def test_labels_are_spread_within_limits_and_in_order():
    moved = spread([0.0, 1.0, 2.0, 99.0, 100.0], 10.0, 0.0, 100.0)
    assert moved == [0.0, 10.0, 20.0, 90.0, 100.0]
    assert spread([10.0, 30.0], 10.0, 0.0, 100.0) == [10.0, 30.0]
