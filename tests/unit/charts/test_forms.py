"""Forms of pictures say all they show in hovers and alt text, and leave their frame alone.

Rows of bars, lines, and the cone with its stops, the new one between two, and what is left out.
Where everything stands on a phone and a desktop is measured in tests/browser/test_forms.py.
"""

import math
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest

from dpviz.charts import theme
from dpviz.charts.axes import log_ticks, spread
from dpviz.charts.forms.bar_rows import BAR_ROWS, LEAST, bar_rows
from dpviz.charts.forms.cone import IDLE, LARGE, NEW, WAITING
from dpviz.charts.forms.lines import POINTS, Axis, Look, lines
from dpviz.charts.labels import PHONE
from dpviz.palette import GREY, ON_GREY
from dpviz.words import clean
from tests import cone_cases, line_cases
from tests.bar_cases import GUESSES, SCALE, cases, drawn, frame
from tests.conftest import few, for_each


def marks(picture):
    return [
        (x, base, y, hover, trace.marker.color and trace.marker.color[i])
        for trace in picture.figure.select_traces({"type": "bar"})
        for i, (x, base, y, hover) in enumerate(
            zip(trace.x, trace.base, trace.y, trace.hovertext, strict=True)
        )
    ]


@for_each(("made", "large", "scale"), few([c[1:] for c in cases()], 4))
def test_segments_stand_one_after_the_other_and_say_their_numbers(made, large, scale):
    before = made.copy(deep=True)
    picture = drawn(made, large, scale)
    found, alt = marks(picture), picture.alt
    pd.testing.assert_frame_equal(made, before)
    assert len(found) == len(made)
    for *_, hover, _ in found:
        assert hover.endswith(("Why.", "<br>Why."))
        assert "<b>" not in hover
    assert {round(x, 6) for x, *_ in found} == {round(x, 6) for x in made["length"]}
    assert alt.startswith("How far off each is. ")
    bars = made.groupby(["group", "row"], sort=False).ngroups
    ticks = len(scale.ticks) if scale else 0
    assert bars <= alt.count(made["end"][0]) <= bars + ticks
    assert all(name in alt for name in made["group"])
    assert alt.endswith(".")
    assert (scale.high_words in alt) if scale else SCALE.high_words not in alt
    assert all(clean(tick.words) in alt for tick in (scale.ticks if scale else ()))
    start = scale.low if scale else 0.0
    rows = {}
    for x, base, y, _, _ in found:
        rows.setdefault(y, []).append((base, x))
    for segments in rows.values():
        at = start
        for base, x in sorted(segments):
            assert base == pytest.approx(at)
            at = base + x
    layout = picture.figure.layout
    assert PHONE - layout.margin.l - layout.margin.r >= LEAST
    assert layout.xaxis.range[0] == start
    assert layout.height == pytest.approx(layout.yaxis.range[0] - layout.yaxis.range[1], abs=1)


def test_what_has_no_colour_gets_the_ink_of_the_page():
    picture = drawn(frame(1, 1, 1), None, None)
    inked = [trace for trace in picture.figure.data if trace.marker.color is None]
    assert len(inked) == 1
    for mode, ink in theme.INKS.items():
        dressed = theme.dress(picture.figure, mode)
        assert dressed.layout.template.data.bar[0].marker.color == ink["mark"]
        assert all(note.font.color is None for note in dressed.layout.annotations)


def test_names_from_outside_do_nothing():
    evil = "<i>x</i> %{y} $z$"
    made = frame(1, 1, 1).assign(group=evil, row=evil, unit=evil, end=evil, detail=evil)
    assert "<i>" not in drawn(made, None, None).figure.to_json()
    assert "%{" not in drawn(made, None, None).figure.to_json()
    assert evil in drawn(made, None, None).alt


def test_the_yardstick_is_on_the_scale_and_says_what_it_protects():
    """The right guesses of both by another way: Φ(√(2ρ)/2)."""
    picture = drawn(frame(1, 1, 1, scale=GUESSES), None, GUESSES)
    (ticks,) = picture.figure.select_traces({"name": "yardstick"})
    wikipedia, census = (1000 * NormalDist().cdf(math.sqrt(2 * r) / 2) for r in (0.015, 2.63))
    assert list(ticks.x) == pytest.approx([wikipedia, census, 673])
    private, open_, line = (text.replace("<br>", " ") for text in ticks.hovertext)
    assert private.startswith("Wikipedia page views: 535. It protects the first ten pages")
    assert open_.startswith("US Census 2020: 874. It protects a person’s record and a housing")
    assert line.startswith("all four together: 673. The upright line")


def test_one_length_is_marked_on_every_bar():
    picture = drawn(frame(1, 3, 1, scale=GUESSES), None, GUESSES)
    heights = {y for _, _, y, _, _ in marks(picture)}
    lines = [
        shape for shape in picture.figure.layout.shapes if shape.x0 == shape.x1 == GUESSES.line
    ]
    assert all(sum(line.y0 < y < line.y1 for line in lines) == 1 for y in heights)


def test_the_length_to_compare_with_is_seen_on_a_grey_bar_that_passes_it():
    bars = [("of a tier", 300, "#C7821B"), ("grey and longer", 300, GREY), ("shorter", 9, GREY)]
    rows = pd.DataFrame(
        [("", name, length, colour, "1", "", "") for name, length, colour in bars],
        columns=list(BAR_ROWS),
    )
    figure = bar_rows(rows, what="Bars.", scale=GUESSES).figure
    lines = [shape for shape in figure.layout.shapes if shape.x0 == shape.x1 == GUESSES.line]
    seen = [line.line.color for line in lines if line.line.width == 2]
    assert seen == [GREY, ON_GREY, GREY]


LINES = [pytest.param(*c[1:], id=c[0]) for c in line_cases.cases()]
AXES = {"x": Axis(title="week"), "y": Axis(title="visits")}


@pytest.mark.parametrize(("made", "asked"), few(LINES, 4))
def test_every_mark_has_a_hover_sentence_and_the_alt_text_every_line(made, asked):
    before = made.copy(deep=True)
    picture = line_cases.drawn(made, asked)
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
    made = line_cases.frame(1, 1, 4, points=5)
    band, line = lines(made, what="So far.", looks={"A": Look()}, **AXES).figure.data
    assert line.x.tolist() == [1, 2, 3, 4, 5]
    assert line.y.tolist() == made["y"].tolist()
    assert band.y.tolist() == [*made["low"], *made["high"][::-1]]


def test_marks_are_not_joined_have_intervals_and_leave_the_name_to_their_line():
    made = line_cases.frame(1, 2, 4, points=5)
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
    made = line_cases.frame(1, 1, 4, points=200)
    figure = lines(made, what="So far.", looks={"A": Look()}, enlarged=(190, 200), **AXES).figure
    whole, part = (trace for trace in figure.data if trace.fill is None)
    assert (len(whole.x), part.x.tolist()) == (200, list(range(190, 201)))
    low, high = figure.layout.yaxis2.range
    assert high - low < (figure.layout.yaxis.range[1] - figure.layout.yaxis.range[0]) / 4
    funnel, _ = figure.layout.shapes
    assert funnel.path.startswith("M 190")


@pytest.mark.parametrize(("part", "side"), [((190, 200), "right"), ((1, 11), "left")])
def test_the_enlarged_part_is_named_where_both_sides_of_the_funnel_end(part, side):
    made, named = line_cases.frame(1, 1, 4, points=200), {"part": "the last day", "enlarged": part}
    layout = lines(made, what="So far.", looks={"A": Look()}, **named, **AXES).figure.layout
    (words,) = (each for each in layout.annotations if each.text == "↓ the last day, enlarged")
    assert (words.xanchor, words.x) == (side, 0 if side == "left" else 1)
    assert layout.yaxis2.domain[1] == pytest.approx(words.y)  # the large plot begins below them
    assert layout.yaxis.domain[0] > words.y


def test_the_range_of_a_logarithmic_axis_is_in_powers_of_ten():
    made = line_cases.frame(1, 1, 4).assign(low=math.nan, high=math.nan)
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


CONES = {name: (made, more) for name, made, more in cone_cases.cases()}


def named(picture, name):
    return [trace for trace in picture.figure.data if trace.name == name]


@for_each("name", few(CONES, 3))
def test_each_stop_is_at_its_number_and_noise_and_nothing_leaves_the_axes(name):
    made, more = CONES[name]
    picture = cone_cases.drawn(made, more)
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
    made, more = CONES["two stops and a new one"]
    picture = cone_cases.drawn(made, more)
    (bar,) = named(picture, "new")
    assert tuple(bar.x) == more["new"].ends
    assert set(bar.y) == {more["new"].noise}
    assert len(named(picture, "source")) == 2
    assert not named(picture, "thread")
    drawn = cone_cases.drawn(*CONES["drawn"])
    assert [len(thread.x) for thread in named(drawn, "thread")] == [2, 2]
    assert [a.font.size for a in drawn.figure.layout.annotations].count(LARGE) == 1
    assert not named(cone_cases.drawn(*CONES["hidden"]), "new")


def test_a_chance_is_a_spike_with_its_number():
    made, more = CONES["chances"]
    picture = cone_cases.drawn(made, more)
    assert [t.x[0] for t in named(picture, "chance")] == [300.0, 296.0]
    heights = [abs(np.diff(t.y)[0]) for t in named(picture, "chance")]
    assert heights[1] / heights[0] == pytest.approx(4 / 3)
    assert "<b>30" in str(picture.figure.layout.annotations)


def test_the_walk_goes_through_the_stops():
    made, more = CONES["long names"]
    picture = cone_cases.drawn(made, more)
    for region in named(picture, "walk"):
        corners = {(x, y) for x, y in zip(region.x, region.y, strict=True) if x is not None}
        assert set(zip(made["value"], made["noise"], strict=True)) <= corners


def test_rows_that_would_touch_keep_their_marks_and_lose_their_words():
    made = cone_cases.stops(12, times=1.05)
    picture = cone_cases.drawn(made, {})
    assert len(picture.figure.layout.yaxis.tickvals) < 12
    assert len(named(picture, "held")[0].x) == 12 - (made["state"] == WAITING).sum()


def test_much_more_noise_needs_a_logarithmic_axis_and_steps_share_their_axes():
    assert cone_cases.drawn(*CONES["much more noise"]).figure.layout.yaxis.type == "log"
    assert cone_cases.drawn(*CONES["drawn"]).figure.layout.yaxis.type == "linear"
    made, more = CONES["steps"]
    later = made.assign(state=[NEW, IDLE, IDLE])
    ranges = {cone_cases.drawn(each, more).figure.layout.xaxis.range for each in (made, later)}
    assert len(ranges) == 1
