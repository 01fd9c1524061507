"""Frames and figures of the Bridge paths page: pinched bands, lit neighbours, hidden numbers."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from dpviz import streams
from dpviz.charts.bridge.chart import bridge_chart
from dpviz.charts.bridge.frame import (
    BANDS,
    CHANCE,
    HIGH50,
    HIGH95,
    LOW50,
    LOW95,
    NOISE,
    SIDE,
    VALUE,
    WEIGHT,
    Held,
    Pin,
    atoms_frame,
    bands_frame,
    hill_frame,
    is_bars,
    pins_frame,
)
from dpviz.charts.bridge.labels import ROOM, NewTier
from dpviz.charts.bridge.paths import path_frame, reach_frame
from dpviz.charts.bridge.sideways import Sideways
from dpviz.charts.bridge.strings import strings
from dpviz.charts.bridge.worlds import (
    ORDERS,
    order_of,
    share_inside,
    world_errors,
    world_levels,
)
from dpviz.charts.labels import pixels
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.release import MultipleRelease
from dpviz.words import between, percent

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


def picture(held, level):
    law = held.law(level)
    new = NewTier(
        name="<b>new</b>",
        style=TierStyle(5, 9),
        noise=held.noise(level),
        budget="ρ = 0.1",
        said="not drawn yet",
        held=False,
    )
    side = Sideways(
        hill=hill_frame(law, held, level),
        atoms=atoms_frame(law, held, level),
        bars=is_bars(law, held),
    )
    pins, bands = pins_frame(held, level), bands_frame(held)
    return bridge_chart(pins, bands, new, side, noun="people", average=True)


@pytest.mark.parametrize("name", OFFERED)
def test_bands_are_zero_wide_at_pins_and_nested_between(name):
    held = scene(name)
    bands = bands_frame(held)
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
    assert bands_frame(held)[NOISE].min() >= first * (1 - 1e-9)
    assert path_frame(held, rng=streams.teaching(1), count=20)[NOISE].min() >= first * (1 - 1e-9)
    assert held.law(1.5) is None
    assert pins_frame(held, 1.5)[WEIGHT].isna().all()


def test_hills_add_up_to_one():
    for name in OFFERED:
        held = scene(name)
        law, level = held.law(20.0), 20.0
        hill, atoms = hill_frame(law, held, level), atoms_frame(law, held, level)
        if held.family.integer:
            rest = 0.0 if is_bars(law, held) else atoms[CHANCE].sum()
            assert hill[CHANCE].sum() + rest == pytest.approx(1, abs=2e-3), name
        else:
            area = np.trapezoid(hill[CHANCE], hill[VALUE])
            assert area + atoms[CHANCE].sum() == pytest.approx(1, abs=0.02), name


def test_the_two_neighbours_are_lit_with_their_weights():
    pins = pins_frame(scene("gaussian"), 20.0)
    assert pins[SIDE].tolist() == ["", "below", "above"]
    assert pins[WEIGHT].tolist()[1:] == pytest.approx([20 / 31, 11 / 31])
    lazy, held = pins_frame(scene("laplace"), 20.0), scene("laplace")
    assert lazy[WEIGHT].tolist()[1:] == pytest.approx([c for _, c in held.law(20.0).atoms])


def test_the_figure_has_spikes_bars_or_a_hill_and_no_tags_of_users():
    names = {n: [t.name for t in picture(scene(n), 20.0).data] for n in OFFERED}
    assert names["laplace"].count("atom") == 2
    assert {"hill", "average"} <= set(names["gaussian"])
    assert "bars" in names["poisson"]
    assert "hill" not in names["poisson"]
    text = " ".join(a.text for a in picture(scene("gaussian"), 20.0).layout.annotations)
    assert "&lt;b&gt;new" in text


def test_steps_scale_values_and_noise():
    one, ten = scene("gaussian"), scene("gaussian", step=10.0)
    assert np.allclose(bands_frame(ten)[HIGH95], 10 * bands_frame(one)[HIGH95])
    assert np.allclose(bands_frame(ten)[NOISE], 10 * bands_frame(one)[NOISE])


def test_missing_columns_are_refused():
    held = scene("gaussian")
    new = NewTier(name="n", style=TierStyle(5, 1), noise=4.0, budget="", said="", held=False)
    with pytest.raises(ParameterError):
        bridge_chart(pd.DataFrame(), bands_frame(held), new, None, noun="", average=True)


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize("order", ORDERS)
def test_worlds_have_the_law_of_a_single_release_in_every_order(name, order):
    held = scene(name)
    levels = world_levels(held)
    assert sorted(order_of(levels, order)) == levels
    errors = world_errors(held.family, levels, order, 2000, rng=streams.teaching(5))
    drawn, theory = share_inside(held, errors)
    assert abs(drawn - theory) < 0.02
    assert 0.949 < theory <= 1
    variances = [held.family.variance(level) for level in levels]
    assert np.allclose(errors.var(axis=1), variances, rtol=0.3)
    halved, _ = share_inside(held, 2 * errors)
    assert halved < theory - 0.1  # a near miss: noise twice as large


def test_the_first_mark_and_a_level_below_it_stay_inside_the_axis():
    held = scene("gaussian")
    first = held.noise(held.pins[0].level)
    fig = picture(held, 20.0)
    assert 10 ** fig.layout.xaxis.range[0] < 0.9 * first
    assert "t0" in " ".join(a.text for a in fig.layout.annotations)
    new = NewTier(name="n", style=TierStyle(5, 1), noise=first / 3, budget="b", said="", held=False)
    pins, bands = pins_frame(held, 0.2), bands_frame(held)
    fig = bridge_chart(pins, bands, new, None, noun="people", average=True)
    assert 10 ** fig.layout.xaxis.range[0] < first / 3


@pytest.mark.parametrize("level", [2.1, 3.0, 8.0, 9.5, 39.0])
@pytest.mark.parametrize("levels", [(2.0, 9.0, 40.0), (2.0, 2.2, 9.0, 9.9, 40.0)])
def test_both_neighbours_have_a_heading_however_long_their_names(level, levels):
    held = scene("gaussian", levels)
    pins = tuple(replace(pin, tier=f"a tier of some length {i}") for i, pin in enumerate(held.pins))
    held = replace(held, pins=pins)
    fig = picture(held, level)
    notes = [n for n in fig.layout.annotations if n.yref == "paper" and n.yshift == 4]
    frame = pins_frame(held, level)
    lit = frame[frame[SIDE] != ""]
    over = {round(10**n.x, 9): n for n in notes}
    places = []
    plot = fig.layout.xaxis.range
    for noise, weight in zip(lit[NOISE], lit[WEIGHT], strict=True):
        note = over[round(noise, 9)]
        assert note.text.endswith(f"weight {percent(weight)}")
        at = (np.log10(noise) - plot[0]) / (plot[1] - plot[0]) * ROOM
        half = (
            max(pixels("a tier of som…", bold=True) + 16, pixels(note.text.split("<br>")[-1])) / 2
        )
        places.append((at + note.xshift, half))
    assert len(places) == 2
    for (left, wide), (right, broad) in pairwise(sorted(places)):
        assert right - left >= wide + broad
    assert min(c - h for c, h in places) >= 0
    assert max(c + h for c, h in places) <= ROOM


def string(held, level, pinned=None, **more):
    """The string picture; with a number it is held at that level."""
    if pinned is not None:
        new = Pin(tier="new", level=level, value=pinned, budget="", slot=3, symbol=4)
        held = replace(held, pins=tuple(sorted((*held.pins, new), key=lambda p: p.level)))
    new = NewTier(
        name="new",
        style=TierStyle(3, 4),
        noise=held.noise(level),
        budget="",
        said="",
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
