"""Figures of Laplace or Gauss: structure, words where there is room, and names that stay text."""

import math
import re

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.axes import LN_10, power_axis, probability, ratio_axis
from dpviz.charts.crossover import frame as crossover
from dpviz.charts.crossover import points as of_map
from dpviz.charts.crossover import rounds
from dpviz.charts.crossover import tiers as for_tiers
from dpviz.charts.crossover.hills import THICK, noise_hills
from dpviz.charts.crossover.labels import line_names
from dpviz.charts.crossover.map import crossover_map
from dpviz.charts.crossover.noise import noise_lines
from dpviz.charts.crossover.points import RIGHT
from dpviz.charts.crossover.turn import turn_strip
from dpviz.errors import ParameterError
from dpviz.palette import COLOURS, GAUSS_SLOT, LAPLACE_SLOT
from dpviz.planning.choice import Question, choose
from tests.figure_frames import HOSTILE, looks, texts


def asked(epsilon=1.0, delta=1e-6, moved=1.0):
    return Question(epsilon=epsilon, log_delta=math.log(delta), l1=math.sqrt(moved), l2=1.0)


def points(names, log10_delta=-6.0):
    styles = looks(names)
    rows = [
        (n, log10_delta, 0.1 * 2.0**i, styles[n].slot, styles[n].symbol)
        for i, n in enumerate(names)
    ]
    return pd.DataFrame(rows, columns=list(for_tiers.CROSSOVER_POINTS))


def drawn(question, axis="epsilon", low=-15.0, names=()):
    cells = crossover.crossover_map(of_map.cells(question, axis, low, RIGHT))
    lines = crossover.crossover_lines(of_map.lines(question, axis, low))
    copies = cells.copy(deep=True), lines.copy(deep=True)
    height = question.epsilon if axis == "epsilon" else question.moved
    between = choose(question).gauss_between
    fig = crossover_map(
        cells,
        lines,
        points(names),
        here=(question.log_delta / LN_10, height),
        star=between and between[0] / LN_10,
        axis=axis,
    )
    pd.testing.assert_frame_equal(cells, copies[0])
    pd.testing.assert_frame_equal(lines, copies[1])
    return fig


def named(fig):
    return {t.name: t for t in fig.data}


def written(fig):
    return " | ".join(note.text.replace("<br>", " ") for note in fig.layout.annotations)


def test_the_map_has_regions_lines_query_and_crossover():
    question = asked(moved=9)
    traces = named(drawn(question))
    lines = ["classical", "exact", "pure", "switch"]
    assert list(traces) == ["regions", *lines, "crossover", "query"]
    z = np.array(traces["regions"].z)
    assert -2 <= z.min() < -1.9
    assert 1 < z.max() <= 1.1  # about twice: exact Laplace noise is not much larger anywhere
    assert traces["query"].x == (pytest.approx(-6.0),)
    assert traces["query"].y == (0.0,)
    begin, _ = choose(question).gauss_between
    assert traces["crossover"].x[0] == pytest.approx(begin / LN_10)
    line = traces["exact"]
    at = np.interp(0.0, np.array(line.y), np.array(line.x))
    assert at == pytest.approx(traces["crossover"].x[0], abs=0.02)


@pytest.mark.parametrize("axis", ["epsilon", "moved"])
def test_words_stand_in_their_own_region(axis):
    question = asked(moved=9)
    fig = drawn(question, axis)
    found = {}
    for note in fig.layout.annotations:
        if "exact" in note.text:
            found["Laplace" if "Laplace" in note.text else "Gaussian"] = (note.x, 10**note.y)
    assert set(found) == {"Laplace", "Gaussian"}
    for name, (x, y) in found.items():
        epsilon = y if axis == "epsilon" else 1.0
        moved = y if axis == "moved" else 9.0
        q = Question(epsilon=epsilon, log_delta=x * LN_10, l1=math.sqrt(moved), l2=1.0)
        assert choose(q).better.name == {"Laplace": "laplace", "Gaussian": "gaussian"}[name]


def test_where_both_are_nowhere_equal_no_crossing_is_drawn():
    fig = drawn(asked(4.886554))
    assert "crossover" not in named(fig)
    assert "δ*" not in written(fig)


def test_a_region_without_room_has_no_words():
    assert "Gaussian" not in written(drawn(asked(), low=-300.0))
    assert "Laplace is more exact" in written(drawn(asked(), low=-300.0))


def test_tiers_stand_at_their_epsilon_with_their_looks():
    names = ["public", "audit"]
    traces, styles = named(drawn(asked(), names=names)), looks(names)
    for rank, name in enumerate(names):
        assert traces[name].y[0] == pytest.approx(math.log10(0.1 * 2.0**rank))
        assert traces[name].marker.color == styles[name].colour
        assert traces[name].marker.symbol == styles[name].marker
    assert "public" in written(drawn(asked(), names=names))


def test_every_tier_is_named_where_they_crowd():
    names = ["public", "partners", "research", "audit"]
    near = points(names).assign(height=[2.0, 2.9, 3.7, 4.3])
    q = asked()
    fig = crossover_map(
        crossover.crossover_map(of_map.cells(q, "epsilon", -15.0, RIGHT)),
        crossover.crossover_lines(of_map.lines(q, "epsilon", -15.0)),
        near,
        here=(-6.0, 1.0),
        star=-1.2,
        axis="epsilon",
    )
    assert all(f"</span> {name}" in written(fig) for name in names)


def test_with_twenty_tiers_names_do_not_pile_up():
    fig = drawn(asked(), names=[f"tier {i}" for i in range(7)])
    heights = sorted(n.y for n in fig.layout.annotations if " tier " in n.text)
    assert (np.diff(heights) > 0.1).all()
    assert len(named(drawn(asked(), names=[f"t{i}" for i in range(20)]))) == 27


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_text(name):
    fig = drawn(asked(), names=[name, "b"])
    for text in texts(fig):
        rest = re.sub('<span style="color:#[0-9A-F]{6}">|</span>', "", text)
        rest = rest.replace("<b>", "").replace("</b>", "").replace("<br>", "")
        assert not set("<>$\n") & set(rest)
        assert "%{" not in rest


def test_noise_lines_are_labelled_inside_and_keep_apart():
    for question in (asked(), asked(moved=20), asked(moved=683), asked(0.2, 0.01)):
        for low in (-15.0, -350.0):
            frame = crossover.crossover_noise(of_map.noise(question, low, RIGHT))
            fig = noise_lines(frame, here=-6.0, noun="people")
            assert len(fig.data) == len(fig.layout.annotations) == 5
            for note in fig.layout.annotations:
                assert 0 <= note.x <= 1
                assert 0 <= note.y <= 1
    exact = named(fig)["Gaussian, exact"]
    np.testing.assert_allclose(
        10 ** np.array(exact.y), frame[frame["noise"] == "gauss"]["deviation"]
    )


def test_a_name_stands_beside_its_line_and_on_no_other():
    x = np.linspace(0, 1, 50)
    lines = {"falling": 140 - 120 * x, "flat": np.full(50, 80.0)}
    for note in line_names(lines, width=300, height=160):
        at = note["y"] * 160
        first = int(note["x"] * 49)
        own, other = (
            lines[n][first : first + 10]
            for n in (note["text"], "flat" if note["text"] == "falling" else "falling")
        )
        assert np.abs(own - at).min() < 30
        assert np.abs(other - at).min() > 8


def test_hills_show_the_reach_of_each_noise():
    c = choose(asked(moved=20))
    curves, marks = crossover.crossover_hills(c, 0.95)
    fig = noise_hills(curves, marks, noun="people", axis_title="noise", confidence=0.95)
    bars = [t for t in fig.data if t.line.width == THICK]
    assert [b.x[2] for b in bars] == list(marks["half_width"])
    assert [b.line.color for b in bars] == [COLOURS[LAPLACE_SLOT - 1], COLOURS[GAUSS_SLOT - 1]]
    assert max(max(t.y) for t in fig.data[:2]) == pytest.approx(1)
    assert min(b.y[0] for b in bars) > 1  # above both hills
    with pytest.raises(ParameterError, match="lacks density"):
        noise_hills(
            curves.drop(columns="density"), marks, noun="n", axis_title="n", confidence=0.95
        )


@pytest.mark.parametrize(("turn", "here"), [(9, 5), (9, 9), (1, 1), (2, 100), (500, 30)])
def test_the_strip_turns_between_two_numbers_and_marks_the_query(turn, here):
    fig = turn_strip(turn=turn, here=here, noun="counts")
    parts = named(fig)
    assert 10 ** parts["here"].x[0] == pytest.approx(here)
    assert f"<b>{here}</b> here" in written(fig)
    assert parts["Gaussian"].line.color == COLOURS[GAUSS_SLOT - 1]
    assert ("Laplace" in parts) == (turn > 1)
    if turn > 1:
        border = 10 ** parts["Laplace"].x[1]
        assert turn - 1 < border < turn
        assert parts["Gaussian"].x[0] == parts["Laplace"].x[1]
    assert fig.layout.xaxis.range[0] < parts["here"].x[0] < fig.layout.xaxis.range[1]


def test_the_strip_refuses_what_is_no_count():
    with pytest.raises(ParameterError, match="whole"):
        turn_strip(turn=2.5, here=1, noun="counts")


def test_rounds_show_the_loose_line_dashed():
    frame = rounds.crossover_rounds(asked(moved=10))
    traces = named(rounds.rounds_chart(frame))
    laplace, gauss = ["Laplace, exact", "Laplace, bound"], ["Gaussian, exact", "Gaussian, zCDP"]
    assert list(traces) == [*laplace, *gauss, "Gaussian, loose"]
    assert traces["Gaussian, loose"].line.dash == "8px 4px"
    assert traces["Gaussian, exact"].line.dash == traces["Laplace, exact"].line.dash == "solid"
    own = frame[frame["method"] == "gauss"]
    np.testing.assert_allclose(10 ** np.array(traces["Gaussian, exact"].y), own["epsilon"])
    with pytest.raises(ParameterError, match="lacks rounds"):
        rounds.rounds_chart(frame.drop(columns="rounds"))


@pytest.mark.parametrize("low", [-15, -50, -60, -350, -2500, -500_000])
def test_powers_of_ten_are_few_and_inside(low):
    axis = power_axis(float(low), RIGHT)
    assert 2 <= len(axis["tickvals"]) <= 7
    assert len(axis["tickvals"]) == len(axis["ticktext"])
    assert all(low <= v <= 0 for v in axis["tickvals"])
    assert axis["ticktext"][-1] in ("0.5", "1")


def test_numbers_are_written_as_people_do():
    assert probability(-694.2506835611689, 3) == "3.1×10⁻³⁰²"
    assert probability(math.log(0.5)) == "0.5"
    assert probability(math.log(9.996e-7)) == "10⁻⁶"
    assert probability(0.0) == "1"
    assert ratio_axis(1.0, 29.0, whole=True)["ticktext"] == ["1", "3", "10"]
