"""The forms of the lessons: threads and strings, a town, a thousand guesses, two hills."""

import math
from dataclasses import replace

import mpmath
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpviz.accounting import gaussian_right_guesses
from dpviz.charts.forms.squares import guesses_frame, squares
from dpviz.charts.forms.town import ALONE, people, places, town
from dpviz.charts.labels import PHONE
from dpviz.charts.theme import dress
from dpviz.charts.threads import threads
from dpviz.charts.two_hills import two_hills
from dpviz.palette import INKS, TierStyle
from dpviz.scenes.lessons import hills_frame
from dpviz.scenes.threads import (
    COMPARED,
    LARGE,
    NO_STYLE,
    Mark,
    half_of,
    string_frame,
    threads_frame,
)
from dpviz.workspace.guesses import COIN
from tests.conftest import for_each

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


@for_each("rho", [1e-6, 0.1, 0.15, 0.25, 0.4, 1.0, 40.0])
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
    fig = threads(frame, ticks={})
    assert set(drawn(fig)) == {"thread of public", "audit", "public"}
    assert not [x for trace in fig.data for x in trace.x if x == 312.0]


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


@pytest.mark.parametrize(("rho", "side"), [(0.38, "left"), (0.2, "right")])
def test_a_number_is_not_written_over_the_mark_of_a_near_row(rho, side):
    ahead = Mark(who="ahead", rho=0.4, style=AUDIT, value=312.2)
    fig = threads(threads_frame([ahead, *marks(value=312.8, rho=rho)[1:]], TRUTH), ticks={})
    (number,) = [note for note in fig.layout.annotations if note.text == "<b>312.2</b>"]
    assert number.xanchor == {"left": "right", "right": "left"}[side]


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


# The town: everybody has a place of their own, and the one in question always has the same.


TOWN_WORDS = {"name": "<Maria>", "what": "A town.", "kinds": ("ill", "not ill")}
HER = "&lt;Maria&gt;"


@for_each("count", [1, 2, 33, 34, 35, 41, 1000])
def test_everybody_has_a_place_of_their_own(count):
    found = places(count)
    assert len({*found}) == count
    assert found[0] == (ALONE, -2.5)
    assert all(down >= 0 for _, down in found[1:])
    assert (ALONE, 0) not in found  # her empty place


@pytest.mark.parametrize("count", [1, 40, 1000])
def test_the_one_in_question_stands_at_the_same_place_in_every_town(count):
    counted = [True] * count
    one = town(people(counted), **TOWN_WORDS).figure
    pair = pd.concat([people(counted, named="a"), people(counted, named="b", left_out=True)])
    two = town(pair, **TOWN_WORDS).figure
    at = [
        (trace.x[0], trace.y[0]) for fig in (one, two) for trace in fig.data if "ring" in trace.name
    ]
    assert at[0] == at[1]
    assert (at[2][0] - at[1][0], at[2][1]) == (45, at[1][1])


def test_dots_are_counted_and_who_is_left_out_has_an_empty_ring():
    def sizes(frame):
        return {trace.name: len(trace.x) for trace in town(frame, **TOWN_WORDS).figure.data}

    kinds = [False, True, True, False]
    assert sizes(people(kinds)) == {"other": 1, "counted": 2, "ring": 1, HER: 1}
    assert sizes(people(kinds, left_out=True)) == {"other": 1, "counted": 2, "ring": 1}
    assert "3 of 4 dots are large" in town(people([True, *kinds[1:]]), **TOWN_WORDS).alt


@pytest.mark.parametrize("towns", [1, 2])
def test_dots_do_not_touch_on_a_phone(towns):
    frame = pd.concat([people([True] * 1000, named=f"{k}") for k in range(towns)])
    figure = town(frame, **TOWN_WORDS).figure
    low, high = figure.layout.xaxis.range
    pitch = (PHONE - 8) / (high - low)
    assert next(t for t in figure.data if t.name == "counted").marker.size < pitch


def test_words_stand_above_one_town_and_below_each_of_two():
    fig = town(
        people([True]), above=(("312", "says"), ("=", ""), ("1", "Maria")), **TOWN_WORDS
    ).figure
    assert [note.text for note in fig.layout.annotations] == [
        *("<b>312</b>", "says", "<b>=</b>", "<b>1</b>", "Maria")
    ]
    assert fig.layout.annotations[-1].x == ALONE
    out = people([True], named="b", left_out=True)
    pair = pd.concat([people([True], named="<a>"), out])
    whose = "<b>&lt;Maria&gt;</b> →"
    fig = town(pair, below={"b": (("311", 20),)}, between="apart", **TOWN_WORDS).figure
    assert [note.text for note in fig.layout.annotations] == [
        *(
            "<b>&lt;a&gt;</b>",
            whose,
            "<b>b</b>",
            whose.replace("</b>", " left out</b>"),
            "311",
            "apart",
        )
    ]


# --- A thousand guesses, square by square ---


LINES = [
    "500 you would get by tossing a coin",
    "173 more, by audit",
    "87 more, together",
    "240 wrong",
    "0 more never",
]
PARTS = ("by audit", 173, AUDIT, False), ("together", 87, None, False), ("never", 0, None, True)


@pytest.mark.parametrize("more", [0, 151, 500])
@pytest.mark.parametrize("name", ["", "All together"])
def test_each_guess_has_a_place_of_its_own(more, name):
    made = squares(guesses_frame(("by audit", more, AUDIT, False)), name=name)
    drawn = made.figure.data
    assert [len(part.x) for part in drawn] == [COIN, more, COIN - more]
    places = {
        (x, y)
        for part in drawn
        for x, y in zip(part.x, np.round(part.base.astype(float) + part.y / 2, 9), strict=True)
    }
    assert places == {(x, y) for x in range(40) for y in range(25)}
    assert drawn[1].marker.color == AUDIT.colour
    assert f"{COIN + more:,} are right" in made.alt


@pytest.mark.parametrize(("name", "lines"), [("", LINES[:4]), ("both", LINES)])
def test_the_key_looks_as_the_squares_do(name, lines):
    """A small array names what is there; one that is compared with others names all parts."""
    without, with_key = (
        squares(guesses_frame(*PARTS), key=way, name=name).figure.data for way in (False, True)
    )
    shown = [part for part in without if len(part.x) or name]
    key = with_key[len(without) :]
    assert [line.name for line in key] == lines
    assert not any(part.showlegend for part in with_key[: len(without)])
    shown.sort(key=lambda part: part.type == "scatter")  # what is outlined is wrong as well
    for line, part in zip(key, shown, strict=True):
        assert line.marker.color == part.marker.color
        assert ("open" in line.marker.symbol) == (part.type == "scatter")


def test_a_large_array_has_its_name_and_its_number_above_it():
    made = squares(guesses_frame(*PARTS), name="<b>ours</b>", number="at most 760")
    texts = [note.text for note in made.figure.layout.annotations]
    assert any("at most 760" in text for text in texts)
    assert not any("<b>ours" in text for text in texts)
    assert "at most 760 are right" in made.alt


def test_several_together_are_in_ink_and_may_be_outlined():
    frame = guesses_frame(("by audit", 173, AUDIT, False), ("together", 87, None, True))
    assert frame["style"].tolist() == [None, AUDIT, None, None]
    together = squares(frame).figure.data[2]
    key = [part.name for part in squares(frame, key=True).figure.data[-2:]]
    assert key == ["327 wrong", "87 more together"]
    assert together.marker.color is None
    assert together.marker.symbol == "square-open"


# Two hills: the law of a number around either truth, and the words at the number that came.


HILL_WORDS = {"names": ("if no", "if yes"), "says": "she sends", "ticks": {0.0: "no"}}


@pytest.mark.parametrize("rho", [0.1, 0.4])
@pytest.mark.parametrize("first", [0.0, 311.0])
def test_two_hills_are_the_law_of_the_number(rho, first):
    frame = hills_frame(rho, first)
    assert sorted(frame["centre"].unique()) == [first, first + 1]
    for centre, part in frame.groupby("centre"):
        wanted = stats.norm.pdf(part["place"], centre, math.sqrt(1 / (2 * rho)))
        np.testing.assert_allclose(part["density"], wanted, rtol=1e-9)


def test_without_noise_there_are_two_spikes_and_a_whole_number():
    fig = two_hills(hills_frame(None, 311.0), 312.0, TierStyle(0, 0), **HILL_WORDS)
    assert [tuple(t.x) for t in fig.data[1:4:2]] == [(311.0, 311.0), (312.0, 312.0)]
    assert fig.layout.annotations[-1].text == "she sends <b>312</b>"


def test_the_axis_reaches_as_far_as_the_hills_or_as_far_as_asked():
    frame = hills_frame(0.1, 311.0)
    assert two_hills(frame, 312.0, TierStyle(2, 0), **HILL_WORDS, reach=9.0).layout.xaxis.range == (
        302.5,
        320.5,
    )
    low, high = two_hills(frame, 312.0, TierStyle(2, 0), **HILL_WORDS).layout.xaxis.range
    assert (low, high) == pytest.approx((frame["place"].min(), frame["place"].max()))


def test_what_belongs_to_no_tier_is_in_the_ink_of_the_page():
    frame = hills_frame(0.1)
    assert two_hills(frame, 0.3, TierStyle(0, 0), **HILL_WORDS).data[-1].marker.color is None
    assert two_hills(frame, 0.3, TierStyle(2, 0), **HILL_WORDS).data[-1].marker.color == "#385FC2"
