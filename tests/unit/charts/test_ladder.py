"""The ladder of accuracy: bars to both sides of 0, on an axis where every bar is seen."""

import math

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.releases.chart import release_chart
from dpviz.charts.tiers.ladder import accuracy_ladder, is_logarithmic
from dpviz.errors import ParameterError
from dpviz.handout.report.bars import place
from dpviz.palette import rgba
from tests.figure_frames import HOSTILE, ladder_rows, markers, releases, texts

FOUR = {"public": 294.0, "partners": 131.0, "research": 76.0, "audit": 42.0}
WIDE = {"public": 29_400.0, "partners": 131.0, "research": 76.0, "audit": 4.2}
WORDS = {"noun": "people", "axis_title": "distance from the exact number, people"}


def bars_of(fig):
    return {t.name: t for t in fig.data if t.mode == "lines"}


@pytest.mark.parametrize("halves", [FOUR, WIDE])
def test_bars_run_to_both_sides_of_zero(halves):
    frame = ladder_rows(halves)
    before = frame.copy(deep=True)
    fig = accuracy_ladder(frame, **WORDS)
    unit = 4.2 if halves is WIDE else None
    for name, half in halves.items():
        expected = half if unit is None else math.asinh(half / unit)
        np.testing.assert_allclose(bars_of(fig)[name].x, [-expected, expected])
    low, high = fig.layout.xaxis.range
    assert low == -high
    assert high > max(bars_of(fig)["public"].x)
    assert fig.layout.xaxis.title.text == WORDS["axis_title"]
    pd.testing.assert_frame_equal(frame, before)


def test_rows_run_down_from_the_most_private_and_are_named():
    fig = accuracy_ladder(ladder_rows(FOUR), **WORDS)
    heights = [bar.y[0] for bar in bars_of(fig).values()]
    assert heights == sorted(heights)
    assert fig.layout.yaxis.range[0] > heights[-1] > fig.layout.yaxis.range[1]
    said = [note.text for note in fig.layout.annotations]
    assert said[0].endswith("<b>public</b> ±\u202f294, ρ = 1")
    assert len(said) == 4


@pytest.mark.parametrize(("halves", "wide"), [(FOUR, False), (WIDE, True), ({"a": 5.0}, False)])
def test_the_axis_widens_outwards_only_where_bars_differ_much(halves, wide):
    frame = ladder_rows(halves)
    assert is_logarithmic(frame) is wide
    ticks = accuracy_ladder(frame, **WORDS).layout.xaxis
    numbers = [float(t.replace(",", "").replace("−", "-")) for t in ticks.ticktext]
    unit = min(halves.values()) if wide else None
    np.testing.assert_allclose(ticks.tickvals, place(np.array(numbers), unit), rtol=1e-6)
    assert 0 in numbers
    assert sorted(numbers) == numbers == [-n for n in reversed(numbers)]


def test_place_is_even_near_zero_logarithmic_far_out_and_odd():
    x = np.array([0.0, 0.01, 1e6, 1e7])
    at = place(x, 1.0)
    assert at[0] == 0
    assert at[1] == pytest.approx(0.01, rel=1e-4)
    assert at[3] - at[2] == pytest.approx(math.log(10), rel=1e-6)
    np.testing.assert_array_equal(place(-x, 1.0), -at)


def test_no_guarantee_has_a_row_and_no_bar():
    fig = accuracy_ladder(ladder_rows({"a": math.nan, "b": 4.0}), **WORDS)
    assert set(bars_of(fig)) == {"b"}
    assert "no guarantee" in fig.layout.annotations[0].text
    alone = accuracy_ladder(ladder_rows({"a": math.nan}), **WORDS)
    assert np.isfinite(alone.layout.xaxis.range).all()
    assert not is_logarithmic(ladder_rows({"a": math.nan}))


def test_a_hundred_tiers():
    fig = accuracy_ladder(ladder_rows({f"tier {i}": 1e6 / 1.2**i for i in range(100)}), **WORDS)
    assert len(bars_of(fig)) == 100
    assert 3 <= len(fig.layout.xaxis.ticktext) <= 7


def test_tiers_look_as_in_every_other_figure_and_nothing_looks_released():
    rows = release_chart(releases(list(FOUR), ["x"]), confidence=0.95, **WORDS)
    fig = accuracy_ladder(ladder_rows(FOUR), **WORDS)
    assert markers(fig) == {}
    colours = {name: colour for name, (colour, _) in markers(rows).items()}
    assert {n: bar.line.color for n, bar in bars_of(fig).items()} == {
        name: rgba(colour, 0.7) for name, colour in colours.items()
    }


def test_the_hover_sentence():
    fig = accuracy_ladder(ladder_rows(FOUR), **WORDS, confidence=0.9)
    assert bars_of(fig)["audit"].hovertext[0] == (
        "<b>audit</b> will see each number within ±\u202f42 people<br>"
        "of the exact one, with 90\u202f% confidence."
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_text(name):
    frame = ladder_rows({name: 3.0}).assign(budget=name)
    for text in texts(accuracy_ladder(frame, noun=name, axis_title=name)):
        rest = text.replace("<b>", "").replace("</b>", "").replace("<br>", "")
        rest = rest.replace("</span>", "")
        if rest.startswith("<span style="):
            rest = rest.partition(">")[2]
        assert not set("<>$\n") & set(rest)
        assert "%{" not in rest


def test_what_is_missing_is_named():
    frame = ladder_rows(FOUR)
    with pytest.raises(ParameterError, match="lacks budget"):
        accuracy_ladder(frame.drop(columns="budget"), **WORDS)
    with pytest.raises(ParameterError, match="no rows"):
        accuracy_ladder(frame.iloc[:0], **WORDS)
