"""Rows of bars say all they show in hovers and alt text, and leave their frame alone.

Where everything stands on a phone and a desktop is measured in tests/browser/test_forms.py.
"""

import math
from statistics import NormalDist

import pandas as pd
import pytest

from dpviz.charts import theme
from dpviz.charts.forms.bar_rows import BAR_ROWS, LEAST, bar_rows
from dpviz.charts.labels import PHONE
from dpviz.palette import GREY, ON_GREY
from dpviz.words import clean
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
    """The right guesses of both by another way: Φ(√(2ρ)/2), and the bound of ε and δ."""
    picture = drawn(frame(1, 1, 1, scale=GUESSES), None, GUESSES)
    (ticks,) = picture.figure.select_traces({"name": "yardstick"})
    wikipedia = 1000 * NormalDist().cdf(math.sqrt(2 * 0.015) / 2)
    census = 1000 * (math.exp(19.61) + 1e-10) / (1 + math.exp(19.61))
    assert list(ticks.x) == pytest.approx([wikipedia, census, 673])
    private, open_, line = (text.replace("<br>", " ") for text in ticks.hovertext)
    assert private.startswith("Wikipedia page views: 535. It protects the first ten pages")
    assert open_.startswith("US Census 2020: up to 1,000. It protects one person’s or housing unit")
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
