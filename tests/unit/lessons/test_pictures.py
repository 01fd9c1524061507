"""The pictures of the first two lessons: where words stand, how much ink, what is held."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpviz.charts.start import blurs, plucked
from dpviz.charts.the_trick import heaps, sealed, walks
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.scenes.the_trick import (
    COUNT,
    ORDER,
    STRANDS,
    heaps_frame,
    strands_frame,
)
from dpviz.scenes.threads import Mark, hanging_frame, string_frame, threads_frame

AUDIT, PUBLIC = TierStyle(11, 3), TierStyle(2, 0)
TRUTH = ("the truth", 312.0)
MARKS = (
    Mark(who="audit", rho=0.4, style=AUDIT, value=312.0),
    Mark(who="public", rho=0.1, style=PUBLIC, value=308.7),
    Mark(who="court", rho=1.0, style=AUDIT),
)
FRAME = threads_frame(MARKS, TRUTH)
TICKS = {312.0: "312"}
NOTHING = pd.DataFrame(columns=list(STRANDS))
AT = 1.25  # level of audit


def named(fig):
    return [trace.name for trace in fig.data]


def side_of(fig, text):
    (words,) = (each for each in fig.layout.annotations if each.text == f"<b>{text}</b>")
    return words.xanchor


@pytest.mark.parametrize("turn", [-0.6, 0.6])
def test_a_number_stands_at_the_edge_where_no_path_runs(turn):
    path = {0.0: 312.0, AT - 0.05: 312.0 + turn, AT: 312.0, AT + 0.05: 312.0 + turn, 5.0: 308.7}
    far = {0.0: 312.0, 4.0: 330.0, 5.0: 300.0}
    fig = walks(FRAME, strands_frame([path]), strands_frame([far]), ticks=TICKS)
    numbers = [
        each for each in fig.layout.annotations if each.text in ("<b>312.0</b>", "<b>308.7</b>")
    ]
    assert [(each.x, each.xref, each.xanchor) for each in numbers] == [(1, "paper", "right")] * 2
    low, high = fig.layout.xaxis.range
    assert low <= 300.0
    assert high - 330.0 == pytest.approx((high - low) * 48 / 215)  # the room of a number on a phone
    assert named(fig)[:3] == ["cone", "a possible path", "the path"]
    assert named(fig)[-1] == "the truth"  # marks above the paths


def test_what_is_ringed_is_named():
    fig = walks(FRAME, NOTHING, NOTHING, ticks=TICKS, rings=("audit", "public"))
    rings = [trace for trace in fig.data if trace.name == "ring"]
    assert [ring.x[0] for ring in rings] == [312.0, 308.7]


def test_the_axis_holds_all_bands_and_the_cone_gives_way_to_them():
    fan = hanging_frame(0.1, 318.0, 0.05)
    fig = walks(FRAME, NOTHING, NOTHING, ticks=TICKS, strings=[(fan, PUBLIC)])
    low, high = fig.layout.xaxis.range
    assert low <= fan["low"].min()
    assert high >= fan["high"].max()
    assert "cone" not in named(fig)


def test_possible_paths_are_one_line_with_gaps():
    paths = strands_frame([{0.0: 312.0, 1.0: 311.0}, {0.0: 312.0, 1.0: 314.0}])
    (line,) = (
        t for t in walks(FRAME, NOTHING, paths, ticks=TICKS).data if t.name == "a possible path"
    )
    assert list(line.x) == [312.0, 311.0, None, 312.0, 314.0, None]
    assert list(line.y) == [0.0, 1.0, None, 0.0, 1.0, None]


def test_a_sealed_truth_is_crossed_out_and_what_is_above_is_closed():
    fan = [(hanging_frame(0.1, 308.7, 0.05), PUBLIC)]
    asked = {"ticks": TICKS, "strings": fan}
    before = sealed(FRAME, can_ask={"court": True}, erased=False, **asked)
    after = sealed(FRAME, can_ask={"court": False}, erased=True, **asked)
    assert side_of(before, "can ask") == side_of(after, "too late") == "right"
    assert "the truth" in named(before)
    assert named(after)[-1] == "erased"
    assert "the truth" not in named(after)
    (shade,) = (shape for shape in after.layout.shapes if shape.type == "rect")
    assert 1.0 < shade.y1 < AT**0.5
    assert not [shape for shape in before.layout.shapes if shape.type == "rect"]


def test_bands_below_a_number_are_those_of_more_noise():
    frame = hanging_frame(0.3, 310.0, 0.1)
    spread = np.sqrt(np.maximum(frame["sd"] ** 2 - 1 / 0.6, 0))
    for name, chance in (("low", 0.025), ("lower", 0.25), ("upper", 0.75), ("high", 0.975)):
        np.testing.assert_allclose(frame[name], 310.0 + stats.norm.ppf(chance) * spread, atol=1e-6)


def test_bands_from_the_truth_end_at_the_number():
    frame = hanging_frame(float("inf"), 312.0, 0.4, 310.6)
    assert frame.iloc[0].tolist() == [0.0, *4 * [312.0]]
    assert frame.iloc[-1].tolist() == pytest.approx([AT**0.5, *4 * [310.6]])
    level = frame["sd"].to_numpy()[1:-1] ** 2
    wanted = 312.0 - 1.4 * level / AT + stats.norm.ppf(0.75) * np.sqrt(level * (AT - level) / AT)
    np.testing.assert_allclose(frame["upper"][1:-1], wanted, rtol=1e-9)


def test_a_string_is_what_hangs_between_two_marks():
    above, below = MARKS[:2]
    pd.testing.assert_frame_equal(
        string_frame(above, below), hanging_frame(0.4, 312.0, 0.1, below.value)
    )


def test_runs_are_counted_on_an_axis_with_its_unit():
    runs = {"one": np.random.default_rng(1).normal(5, 2, 4000), "two": np.zeros(4000)}
    frame = heaps_frame(runs, 5.0, 4.0)
    counts = frame.groupby(ORDER)[COUNT].sum()
    assert counts["one"] == np.sum(np.abs(runs["one"] - 5) <= 7)
    assert [*counts.index] == ["one", "two"]
    single = {order: float(x[0]) for order, x in runs.items()}
    for both, hills, marks in ((False, 1, 1), (True, 2, 2)):
        fig = heaps(frame, single, PUBLIC, what="numbers", ticks={5.0: "5"}, both=both)
        what, *names = fig.layout.annotations
        assert len(names) == hills
        assert len(fig.data) == hills + marks
        assert what.text == "numbers"
        assert fig.layout.yaxis.ticktext[0] == "0"
    with pytest.raises(ParameterError):
        heaps_frame(runs, 5.0, 0.0)


# The front page

PINNED_AUDIT = Mark(who="audit", rho=0.4, style=TierStyle(11, 3), value=310.6)
PINNED_PUBLIC = Mark(who="public", rho=0.1, style=TierStyle(2, 0), value=308.7)
NEW = Mark(who="council", rho=0.2, style=TierStyle(3, 4))


def test_every_bar_has_as_much_ink():
    frame = threads_frame([PINNED_AUDIT, PINNED_PUBLIC], ("the truth", 312.0))
    bars = [trace for trace in blurs(frame, ticks={}).data if trace.type == "heatmap"]
    assert len(bars) == 2
    inks = []
    for bar, mark in zip(bars, (PINNED_AUDIT, PINNED_PUBLIC), strict=True):
        darkest = float(re.findall(r"[\d.]+(?=\))", bar.colorscale[1][1])[0])
        inks.append(darkest * np.trapezoid(bar.z[0], bar.x))
        assert np.max(bar.z) == pytest.approx(1)
        assert np.mean(bar.y) == pytest.approx(math.sqrt(1 / (2 * mark.rho)))
    assert inks[0] == pytest.approx(inks[1], rel=0.02)


def drawn_between(done):
    frame = threads_frame([PINNED_AUDIT, PINNED_PUBLIC, NEW])
    string = string_frame(PINNED_AUDIT, PINNED_PUBLIC) if done else None
    pins = ("audit", "public") if done else ()
    return plucked(frame, string, NEW.style, pins=pins, truth=TRUTH, ticks={}, holds=(305.0,))


def test_the_pins_are_ringed_and_the_truth_is_a_line_within_the_axis():
    before, after = map(drawn_between, (False, True))
    for fig, rings in ((before, ()), (after, (310.6, 308.7))):
        assert tuple(trace.x[0] for trace in fig.data if trace.name == "ring") == rings
        (line,) = (trace for trace in fig.data if trace.name == "the truth")
        assert tuple(line.x) == (312.0, 312.0)
        assert fig.layout.xaxis.range[0] <= 305.0 < 312.0 < fig.layout.xaxis.range[1]
        assert "± 3.1" in " ".join(fig.layout.yaxis.ticktext).replace("\u202f", " ")
    bands = ["string, low to high", "string, lower to upper"]
    assert [name for name in named(after) if name.startswith("string")] == bands
    assert not [name for name in named(before) if name.startswith("string")]
