"""Threads and strings: what is drawn, and by which numbers."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest

from dpviz.accounting import gaussian_right_guesses
from dpviz.charts.theme import dress
from dpviz.charts.threads import threads
from dpviz.palette import INKS, TierStyle
from dpviz.scenes.threads import (
    COMPARED,
    LARGE,
    NO_STYLE,
    Mark,
    half_of,
    string_frame,
    threads_frame,
)

AUDIT, PUBLIC = TierStyle(11, 3), TierStyle(2, 0)
TRUTH = ("the truth", 312.0)
TICKS = {310.0: "310", 314.0: "314"}
NORMAL_975 = 1.959963984540054


def marks(**changes):
    return [
        Mark(who="audit", rho=0.4, style=AUDIT, value=310.6, above="the truth"),
        Mark(**({"who": "public", "rho": 0.1, "style": PUBLIC, "value": 308.7} | changes)),
    ]


def drawn(fig):
    return {trace.name: trace for trace in fig.data}


def texts(fig):
    return [each.text for each in fig.layout.annotations]


@pytest.mark.parametrize("rho", [1e-6, 0.1, 0.15, 0.25, 0.4, 1.0, 40.0])
def test_guesses_and_half_widths_have_fifty_digits_behind_them(rho):
    with mpmath.workdps(50):
        right = 1000 * mpmath.ncdf(mpmath.sqrt(2 * mpmath.mpf(rho)) / 2)
        half = mpmath.mpf(NORMAL_975) / mpmath.sqrt(2 * mpmath.mpf(rho))
    assert gaussian_right_guesses(rho) == pytest.approx(float(right), rel=1e-12)
    assert half_of(rho) == pytest.approx(float(half), rel=1e-12)


def test_a_row_has_its_noise_and_what_it_hangs_from():
    frame = threads_frame(marks(above="audit", state=COMPARED), TRUTH)
    assert frame["who"].tolist() == ["the truth", "audit", "public"]
    assert frame["sd"].tolist() == pytest.approx([0, 1.25**0.5, 5**0.5], rel=1e-12)
    assert frame["state"].tolist() == ["truth", "held", "compared"]
    fig = drawn(threads(frame, ticks=TICKS))
    assert fig["thread of public"].x == (310.6, 308.7)
    assert fig["thread of audit"].y == (0.0, frame["sd"][1])
    assert fig["thread of audit"].line.color is None  # ink
    assert fig["thread of public"].line.color == PUBLIC.colour
    assert fig["public"].marker.symbol == "circle-open"


def test_the_cone_holds_95_percent_at_every_level():
    fig = threads(threads_frame(marks(), TRUTH), ticks=TICKS)
    cone = drawn(fig)["cone"]
    assert cone.x[0] == 312.0
    assert (cone.x[2] - 312) / cone.y[2] == pytest.approx(NORMAL_975, rel=1e-9)
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]  # the higher, the sharper


def test_without_the_truth_there_is_neither_nail_nor_cone_and_no_true_number():
    sharpest, other = marks(above="audit")
    frame = threads_frame([replace(sharpest, above=""), other])
    fig = threads(frame, ticks={}, remark="not shown")
    assert set(drawn(fig)) == {"thread of public", "audit", "public"}
    assert not [x for trace in fig.data for x in trace.x if x == 312.0]
    assert "not shown" in texts(fig)


def test_what_is_to_come_has_a_row_and_no_mark():
    frame = threads_frame(marks(value=None, above="audit"), TRUTH)
    fig = threads(frame, ticks=TICKS)
    assert "public" not in drawn(fig)
    assert "thread of public" not in drawn(fig)
    assert any("public" in label for label in fig.layout.yaxis.ticktext)


def test_a_large_number_is_large_and_a_compared_one_is_silent_on_its_thread():
    fig = threads(threads_frame(marks(state=LARGE), TRUTH), ticks=TICKS)
    size = {note.text: note.font.size for note in fig.layout.annotations}
    assert size["<b>308.7</b>"] > size["<b>310.6</b>"]
    for above, silent in (("audit", True), ("", False)):  # with its thread, or alone
        frame = threads_frame(marks(state=COMPARED, above=above), TRUTH)
        assert ("<b>308.7</b>" not in texts(threads(frame, ticks=TICKS))) == silent


def test_guesses_stand_at_the_right_edge_unless_they_are_left_out():
    frame = threads_frame(marks(), TRUTH)
    assert {"<b>673</b>", "<b>588</b>"} <= set(texts(threads(frame, ticks=TICKS)))
    assert "<b>673</b>" not in texts(threads(frame, ticks=TICKS, guesses=False))


@pytest.mark.parametrize(("other", "side"), [(311.0, "right"), (307.8, "left")])
def test_a_number_stands_outwards_unless_a_thread_runs_there(other, side):
    sharp = Mark(who="sharp", rho=0.2, style=AUDIT, value=310.0, above="the truth")
    fig = threads(
        threads_frame([sharp, *marks(value=other, above="the truth")[1:]], TRUTH), ticks={}
    )
    (number,) = [note for note in fig.layout.annotations if note.text == "<b>310.0</b>"]
    assert number.xanchor == side


def test_a_number_stays_inside_the_plot_of_a_phone():
    fig = threads(threads_frame(marks(value=307.5), TRUTH), ticks=TICKS)
    (number,) = [note for note in fig.layout.annotations if note.text == "<b>307.5</b>"]
    assert number.xanchor == "left"


def test_names_that_people_type_are_safe():
    bad = Mark(who="<b>%{x}", rho=0.1, style=PUBLIC, value=308.7, above="")
    fig = threads(threads_frame([bad]), ticks={})
    assert "<b>%{x}" not in str(fig.to_dict()).replace("&", "")
    assert "%{x}" not in fig.data[-1].hovertemplate


def test_bands_of_a_string_are_those_of_the_bridge():
    above, below = (replace(mark, value=x) for mark, x in zip(marks(), (1.0, -2.0), strict=True))
    frame = string_frame(above, below)
    low, high = 1.25, 5.0
    t = frame["sd"].to_numpy() ** 2
    mean = 1.0 - 3.0 * (t - low) / (high - low)
    sd = np.sqrt(np.maximum((t - low) * (high - t) / (high - low), 0))
    for column, z in (("low", -NORMAL_975), ("lower", -0.6744897501960817)):
        np.testing.assert_allclose(frame[column], mean + z * sd, atol=1e-9)
    np.testing.assert_allclose(frame["low"] + frame["high"], 2 * mean, atol=1e-9)


@pytest.mark.parametrize("mode", INKS)
def test_what_has_no_colour_gets_the_ink_of_the_mode(mode):
    fig = dress(threads(threads_frame(marks(), TRUTH), ticks=TICKS), mode)
    (look,) = fig.layout.template.data.scatter
    assert look.marker.color == look.line.color == INKS[mode]["mark"]
    assert NO_STYLE.slot == 0
