"""Frames and figures of the Bridge paths page: pinched bands, lit neighbours, hidden numbers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpviz import streams
from dpviz.charts.bridge.frame import (
    BANDS,
    HIGH50,
    HIGH95,
    LOW50,
    LOW95,
    NOISE,
    SIDE,
    VALUE,
    Held,
    Pin,
    atoms_frame,
    bands_frame,
    pins_frame,
)
from dpviz.charts.bridge.paths import path_frame, reach_frame
from dpviz.charts.bridge.rows import NewTier
from dpviz.charts.bridge.strings import strings
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.release import MultipleRelease
from dpviz.words import between

OFFERED = ("gaussian", "laplace", "discrete_laplace", "poisson", "skellam")


def scene(name, levels=(2.0, 9.0, 40.0), exact=120, step=1.0):
    family = FAMILIES[name]
    values = np.array([exact], dtype=np.int64 if family.integer else np.float64)
    session = MultipleRelease(values, family, rng=streams.teaching(3))
    pins = tuple(
        Pin(
            tier=f"t{i}",
            level=level,
            value=float(session.release(level)[0]),
            budget=f"ρ = {i}",
            slot=1 + i % 12,
            symbol=i % 12,
        )
        for i, level in enumerate(levels)
    )
    bottom, top = levels[0] / 2, levels[-1] * 2
    return Held(family=family, pins=pins, exact=None, bottom=bottom, top=top, step=step)


@pytest.mark.parametrize("name", OFFERED)
def test_bands_are_zero_wide_at_pins_and_nested_between(name):
    held = scene(name)
    bands = bands_frame(held, count=41)
    assert list(bands.columns) == list(BANDS)
    for pin in held.pins:
        rows = bands[np.isclose(bands[NOISE], held.noise(pin.level))]
        value = held.read(pin.value, pin.level)
        assert len(rows)
        assert np.allclose(rows[[LOW95, LOW50, HIGH50, HIGH95]], value)
    assert (bands[LOW95] <= bands[LOW50]).all()
    assert (bands[HIGH50] <= bands[HIGH95]).all()
    assert (bands[HIGH95] - bands[LOW95]).max() > 1


@pytest.mark.parametrize("name", OFFERED)
def test_a_path_meets_every_pin_and_the_bands_hold_paths(name):
    held = scene(name)
    inside = []
    level = 20.0
    low, high = held.read(held.law(level).quantile(np.array([0.025, 0.975])), level)
    for seed in range(40):
        path = path_frame(held, rng=streams.teaching(seed), count=30)
        for pin in held.pins:
            at = path[np.isclose(path[NOISE], held.noise(pin.level))]
            assert np.allclose(at[VALUE], held.read(pin.value, pin.level))
        near = (path[NOISE] - held.noise(level)).abs().idxmin()
        inside.append(low - 2 <= path[VALUE][near] <= high + 2)
    assert np.mean(inside) > 0.8


@pytest.mark.parametrize("name", OFFERED)
def test_nothing_is_drawn_below_the_first_pin_while_the_answer_is_hidden(name):
    held = scene(name)
    first = held.noise(held.pins[0].level)
    assert bands_frame(held, count=41)[NOISE].min() >= first * (1 - 1e-9)
    assert path_frame(held, rng=streams.teaching(1), count=20)[NOISE].min() >= first * (1 - 1e-9)
    assert held.law(1.5) is None


@pytest.mark.parametrize(
    ("level", "sides"), [(20.0, ["", "below", "above"]), (1.0, ["above", "", ""])]
)
def test_the_two_neighbours_have_a_side(level, sides):
    assert pins_frame(scene("gaussian"), level)[SIDE].tolist() == sides


def test_neighbours_count_by_how_near_their_noise_is():
    assert scene("gaussian").weights(20.0) == pytest.approx((20 / 31, 11 / 31))


def test_steps_scale_values_and_noise():
    one, ten = scene("gaussian"), scene("gaussian", step=10.0)
    assert np.allclose(bands_frame(ten, count=41)[HIGH95], 10 * bands_frame(one, count=41)[HIGH95])
    assert np.allclose(bands_frame(ten, count=41)[NOISE], 10 * bands_frame(one, count=41)[NOISE])


def string(held, level, pinned=None, **more):
    """The string picture; with a number it is held at that level."""
    if pinned is not None:
        new = Pin(tier="new", level=level, value=pinned, budget="", slot=3, symbol=4)
        held = replace(held, pins=tuple(sorted((*held.pins, new), key=lambda p: p.level)))
    new = NewTier(
        name="new",
        style=TierStyle(3, 4),
        noise=held.noise(level),
        held=pinned is not None,
    )
    law = held.law(level)
    reach = more.pop("reach", reach_frame(held, level))
    shown = {
        "atoms": None if law is None else atoms_frame(law, held, level),
        "path": None,
        "jumps": held.jumps,
        "accuracies": {p.tier: "±1" for p in held.pins} | {"new": "±1"},
        "remark": "not shown",
        "noun": "people",
    }
    return strings(pins_frame(held, level), reach, new, **shown | more)


def traces(fig, name):
    return [trace for trace in fig.data if trace.name == name]


@pytest.mark.parametrize("name", OFFERED)
def test_before_a_draw_a_bar_on_the_new_row_says_where_its_number_may_fall(name):
    held, level = scene(name), 20.0
    fig = string(held, level)
    law = held.law(level)
    ends = held.read(law.quantile(np.array([0.025, 0.975])), level)
    (whole,) = traces(fig, "reach")
    assert list(whole.x) == pytest.approx(list(ends))
    (caps,) = traces(fig, "ends")
    assert list(caps.x) == pytest.approx(list(ends))
    assert {*whole.y, *caps.y} == {held.noise(level)}
    told = [a.text for a in fig.layout.annotations if a.xshift and abs(a.xshift) == 8]
    assert " to ".join(told) == between(*ends)
    arrows = traces(fig, "made from")
    assert len(arrows) == 2  # from its two neighbours, upright where the bar is below or above
    for arrow in arrows:
        assert arrow.x[1] == pytest.approx(min(max(arrow.x[0], ends[0]), ends[1]))
        start, end = arrow.y  # it leads towards the bar, and ends before it
        assert start < end < held.noise(level) or start > end > held.noise(level)
    assert not traces(fig, "thread")
    assert bool(traces(fig, "atom")) == held.family.lazy
    told = [a.text for a in fig.layout.annotations]
    assert ("given these two,<br>95 of 100 times<br>it lands here" in told) != held.family.lazy
    assert reach_frame(held, 9.0).empty  # held
    assert reach_frame(held, 1.0).empty  # would use the hidden number


def test_a_number_that_takes_no_part_is_paler_and_not_bold():
    held, level = scene("gaussian", (2.0, 9.0, 40.0, 70.0)), 20.0
    for pinned in (None, float(round(held.pins[1].value))):
        fig = string(held, level, pinned=pinned)
        (mark,) = traces(fig, "held")
        needed = [strength == 1 for strength in mark.marker.opacity]
        assert needed == [False, True, *([True] * (pinned is not None)), True, False]
        bold = [a.text.startswith("<b>") for a in fig.layout.annotations if abs(a.xshift or 0) > 17]
        assert sorted(bold) == sorted(needed)


def test_beside_one_number_the_bar_s_words_name_one_and_on_top_none():
    held = scene("gaussian")
    beyond = {a.text for a in string(held, 60.0).layout.annotations}
    assert any(text.startswith("given this one,<br>95 of 100") for text in beyond)
    fresh = replace(held, exact=100.0)
    assert "95 of 100 times here" in {a.text for a in string(fresh, 1.0).layout.annotations}


def test_the_true_number_is_a_line_where_it_is_public_and_nowhere_else():
    held, level = scene("gaussian"), 20.0
    far = max(pin.value for pin in held.pins) + 1000.0
    shown, hidden = string(held, level, truth=far), string(held, level)
    assert [s.x0 for s in shown.layout.shapes if s.x0 == s.x1] == [far]
    assert not [s for s in hidden.layout.shapes if s.x0 == s.x1]
    assert shown.layout.xaxis.range[1] > far > hidden.layout.xaxis.range[1]
    assert "exact: <b>" in str(shown.layout.annotations)
    assert "</b><br>not used" in str(shown.layout.annotations)
    assert "exact" not in str([note.text for note in hidden.layout.annotations])
    first = string(replace(held, exact=100.0), 1.0, truth=far)  # nothing is sharper
    assert "not used" not in str(first.layout.annotations)
    assert "made from<br>these two" in {note.text for note in hidden.layout.annotations}


@pytest.mark.parametrize("name", OFFERED)
def test_after_a_draw_its_number_is_large_at_its_pin_and_the_string_bent(name):
    held, level = scene(name), 20.0
    number = float(round((held.pins[1].value + held.pins[2].value) / 2))
    fig = string(held, level, pinned=number)
    value = held.read(number, level)
    large = [a for a in fig.layout.annotations if a.font.size == 32]
    assert [a.x for a in large] == [pytest.approx(value)]
    (mark,) = traces(fig, "held")
    assert sorted(mark.marker.size) == [15, 15, 15, 26]
    assert len(traces(fig, "thread")) == 2  # to its neighbours
    assert not traces(fig, "reach")
    assert not traces(fig, "made from")
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]  # the sharpest on top


def test_rows_that_would_touch_keep_their_marks_and_lose_their_words():
    held = scene("gaussian", (2.0, 2.01, 9.0, 40.0))
    fig = string(held, 20.0)
    assert len(traces(fig, "held")[0].x) == 4
    assert len(fig.layout.yaxis.ticktext) == 4  # with the new one: one of the first two has none
    assert any("new" in text for text in fig.layout.yaxis.ticktext)


def test_much_more_noise_needs_a_logarithmic_axis():
    assert string(scene("gaussian"), 20.0).layout.yaxis.type == "linear"
    far = scene("gaussian", (2.0, 9.0, 400.0))
    assert string(far, 20.0).layout.yaxis.type == "log"
    with pytest.raises(ParameterError):
        string(far, 20.0, reach=pd.DataFrame([{"low": 1.0}]))


def test_beyond_the_blurriest_the_bar_stays_inside_the_picture():
    held = scene("gaussian")
    fig = string(held, 60.0)
    assert len(traces(fig, "made from")) == 1
    low, high = held.law(60.0).quantile(np.array([0.025, 0.975]))
    left, right = fig.layout.xaxis.range
    assert left < low < high < right
    path = path_frame(held, rng=streams.teaching(2), count=60)
    (line,) = traces(string(held, 20.0, path=path), "possible path")
    assert max(line.y[:-1]) <= held.noise(40.0) * (1 + 1e-9)
