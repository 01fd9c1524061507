"""The pictures and words of the story of a pulse: what the cone, the law and the meter show."""

import itertools
import math

import numpy as np
import pytest

from dpviz import streams
from dpviz.charts.gradual.frame import law_frame, steps_frame
from dpviz.charts.gradual.laws import law_chart
from dpviz.charts.gradual.thread import cone_frame, sides, thread_chart
from dpviz.charts.local.together import together_chart
from dpviz.errors import ParameterError
from dpviz.gradual import LaplacePath, gradual_law
from dpviz.noise import FAMILIES
from dpviz.palette import COLOURS
from dpviz.ui.growing_trust import stories
from dpviz.ui.growing_trust.pulse import sample, words
from dpviz.ui.growing_trust.pulse.controls import HANDED_OUT, PICKED, SEED, View, _opened
from dpviz.workspace.gradual import EXAMPLES, OneValue, Reading, pieces
from tests.visiting import check_words, plain

EPSILONS = (0.1, 0.37, 0.5, 2.0)


def view_of(mode="teaching", epsilon=0.5, wanted=None, reading=EXAMPLES[0], seed=7):
    one = OneValue(reading, mode, seed)
    return View(one=one, least=0.1, most=2.0, epsilon=epsilon, wanted=wanted)


@pytest.mark.parametrize(
    ("mode", "epsilon", "reading"),
    list(itertools.product(("teaching", "hardened"), EPSILONS, EXAMPLES)),
)
def test_the_number_read_is_that_of_the_path_and_stays_as_long_as_is_said(mode, epsilon, reading):
    """Looked up a second time on a path of its own, from a grid of budgets."""
    view = view_of(mode, epsilon, reading=reading)
    low, high = view.stays
    family = FAMILIES["discrete_laplace"] if mode == "hardened" else FAMILIES["laplace"]
    value = int(reading.value) if family.integer else reading.value
    rng = streams.teaching(7, 1)
    path = LaplacePath([value], 0.1, 2.0, l1_sensitivity=reading.step, family=family, rng=rng)
    grid = np.unique([*np.geomspace(0.1, 2.0, 3000).clip(0.1, 2.0), epsilon])
    same = np.array([path.at(e).item() == view.number for e in grid])
    assert same[grid == epsilon].item()
    assert same[(grid > low) & (grid <= high)].all()
    assert low == 0.1 or path.at(low).item() != view.number
    assert high == 2.0 or path.at(math.nextafter(high, 3)).item() != view.number


def half_of(reading, epsilon, whole):
    """95 % of the noise, by its closed form, or by adding up over whole numbers."""
    scale = reading.step / epsilon
    if not whole:
        return -math.log(0.05) * scale
    ratio, k = math.exp(-1 / scale), np.arange(1.0, 4000.0)
    tail = 2 * np.cumsum(ratio ** k[::-1])[::-1] * (1 - ratio) / (1 + ratio)  # from k on
    return k[tail <= 0.05][0] - 1


@pytest.mark.parametrize("reading", EXAMPLES, ids=lambda reading: reading.what)
@pytest.mark.parametrize("mode", ["teaching", "hardened"])
def test_every_claimed_number_is_that_of_a_reader(mode, reading):
    view = view_of(mode, reading=reading)
    for epsilon in (0.37, 0.1, 2.0):
        view.one.release(epsilon)
        claims = words.claims(view)
        check_words(words.take_away(view), claims, "")
        held = [*view.one.released]
        ends = [max(held)] if len(held) == 1 else [min(held), max(held)]
        expected = [half_of(reading, each, mode == "hardened") for each in ends]
        assert [claim.value for claim in claims] == pytest.approx(expected)
        assert [claim.kind for claim in claims] == ["exact"] * len(ends)
    assert "A stranger sees Maria’s" in words.take_away(view)


def test_the_meter_is_that_of_the_most_trusted_reader_and_of_separate_noise():
    view = view_of()
    for epsilon in (0.1, 1.0, 0.5):
        view.one.release(epsilon)
    found = words.meter(view)
    size, losses = view.reading.step, (1.0, 1.6)
    levels = [size / epsilon for epsilon in (1.0, 0.5, 0.1)]
    assert found.losses == pytest.approx(losses)
    assert found.right[0].value == pytest.approx(1000 * (1 - math.exp(-0.5) / 2), rel=1e-6)
    noise = np.random.default_rng(7).laplace(0, levels, (400_000, 3))
    llr = ((np.abs(noise - size) - np.abs(noise)) / levels).sum(axis=1)  # the best test
    share = 1000 * ((llr > 0).mean() + (llr == 0).mean() / 2)
    assert found.right[1].value == pytest.approx(share, abs=4)
    assert "All three readers together guess: 62 or 63?" in plain(stories.reading(found))
    assert "at most 1; with separate noise 1.6." in plain(stories.reading(found))
    fig = together_chart(found.right, ("here", "apart"))
    assert [bar.x[-1] for bar in fig.data] == [right.value for right in found.right]
    assert not any(c in fig.to_json() for c in COLOURS)  # no tier’s


def test_the_first_path_shrinks_towards_the_value_and_shows_its_jumps():
    """It was picked for that, and the page says so; its errors are no fair sample."""
    for reading in EXAMPLES:
        one = OneValue(reading, "teaching", SEED, PICKED)
        view = View(one=one, least=0.1, most=2.0, epsilon=0.5, wanted=0.5)
        _, values = one.path.steps()
        off = np.abs(values - reading.value)
        assert (np.diff(off) < 0).all()
        assert (np.abs(np.diff(values)) > 2 * reading.step).all()
        assert (values > 0).all()
        assert "picked because" in sample.formula(view)
        assert "picked" not in sample.formula(view_of())
        assert "from about 0.25 to about 0.61 gets" in plain(words.stays(view))
        handed = _opened(reading, "teaching", SEED, PICKED).released
        assert handed[0.5] == view.number  # the slider begins where a reader is
        assert list(handed) == list(HANDED_OUT)
        off = [abs(handed[e] - reading.value) for e in sorted(handed)]
        assert off[0] > 2 * off[1] > 4 * off[2]


def test_the_words_of_each_turn():
    view = view_of(wanted=0.5)
    assert "You have handed out no number yet" in words.next_release(view)
    half = -math.log(0.05) / 0.5
    assert f"± {half:.0f} beats" in plain(words.next_release(view))
    first = view.one.release(0.5)
    for wanted, said in ((2.0, "Relaxing from"), (0.1, "Tightening from"), (0.5, "stays so")):
        asked = View(one=view.one, least=0.1, most=2.0, epsilon=0.5, wanted=wanted)
        assert said in words.next_release(asked)
    assert "25 % on the other side" not in plain(words.next_release(view))
    assert "6.25 %" in plain(_said(view, 0.125))  # (0.125/0.5)²
    view.one.release(2.0)
    text = plain(_said(view, 1.0))
    assert "Between ε = 0.5 and ε = 2" in text
    assert list(view.one.released) == [0.5, 2.0]
    assert view.one.released[0.5] == first
    assert "surely" in text or "otherwise it is a new number" in text


def _said(view, wanted):
    asked = View(one=view.one, least=0.1, most=2.0, epsilon=0.5, wanted=wanted)
    return words.next_release(asked)


@pytest.mark.parametrize("name", ["laplace", "discrete_laplace"])
@pytest.mark.parametrize("before", [-7.0, 0.0, 3.0])
def test_the_four_pieces_are_those_of_the_law(name, before):
    law = gradual_law({0.5: before}, 0.9, exact=0.0, family=FAMILIES[name])
    found = pieces(law, 0.0, before)
    assert found.stays + found.between + found.opposite + found.beyond == pytest.approx(1)
    if name == "laplace" and before:
        parts = (law.rest, law.toward, law.away, law.beyond)
        mine = (found.stays, found.between, found.opposite, found.beyond)
        assert mine == pytest.approx(parts, abs=1e-12)
    if name == "discrete_laplace":
        x = np.arange(-400.0, 401.0)
        mass, side = law.density(x), -1.0 if before < 0 else 1.0
        assert found.stays == pytest.approx(mass[x == before].sum())
        assert found.opposite == pytest.approx(mass[x * side < 0].sum())


def test_a_value_in_hardened_mode_is_whole_and_drawn_without_a_seed():
    view = view_of("hardened")
    twin = view_of("hardened")
    assert view.number == twin.number  # the thread, by its seed
    drawn = [view_of("hardened").one.release(0.05) for _ in range(6)]
    assert len(set(drawn)) > 1
    assert all(number == int(number) for number in drawn)
    with pytest.raises(ParameterError, match="type a whole number"):
        OneValue(Reading(what="x", value=1.5, unit="m", step=1.0), "hardened", 7)


def test_the_thread_shows_where_the_number_stays():
    path = LaplacePath(62.0, 0.1, 2.0, rng=streams.teaching(7))
    ends, values = path.steps()
    frame = steps_frame([(ends, values)], 0.1, 2.0)
    cone = cone_frame(np.array([0.1, 2.0]), np.array([30.0, 1.5]))
    fig = thread_chart(frame, cone, exact=62.0, epsilon=0.5, unit="beats", step=1.0)
    rests = next(t for t in fig.data if t.name == "rests")
    assert list(rests.y[::3]) == list(values)
    assert list(rests.x[1::3]) == list(ends)  # trust grows to the right
    assert fig.layout.xaxis.range[0] < fig.layout.xaxis.range[1]
    said = " ".join(note.text for note in fig.layout.annotations)
    assert said.index("a stranger") < said.index("your doctor")
    assert not any(c in fig.to_json() for c in COLOURS)  # no tier’s
    told = {note.text: note for note in fig.layout.annotations}
    number = told[f"<b>{float(path.at(0.5)):.1f}</b>"]
    assert (number.x, number.y) == (math.log10(0.5), path.at(0.5)[()])
    assert told["95 of 100<br>numbers<br>fall here"].x == pytest.approx(-1)
    flat = cone_frame(np.array([0.1, 2.0]), np.array([3.0, 1.5]))  # no room for words
    thin = thread_chart(frame, flat, exact=62.0, epsilon=0.5, unit="beats", step=1.0)
    assert "95 of 100" not in " ".join(note.text for note in thin.layout.annotations)
    narrow = steps_frame([(ends, values)], 0.3, 0.4)
    assert (narrow["low"] >= 0.3).all()
    assert (narrow["high"] <= 0.4).all()


def test_the_line_of_the_slider_leads_to_its_trust_and_crosses_no_words():
    frame = steps_frame([(np.array([0.3, 2.0]), np.array([80.0, 65.0]))], 0.1, 2.0)
    cone = cone_frame(np.array([0.1, 2.0]), np.array([30.0, 1.5]))
    for epsilon, value in ((0.15, 80.0), (1.0, 65.0)):
        fig = thread_chart(frame, cone, exact=62.0, epsilon=epsilon, unit="beats", step=1.0)
        bottom, top = fig.layout.yaxis.range
        (line,) = [shape for shape in fig.layout.shapes if shape.x0 == shape.x1]
        assert (line.x0, line.y0) == (epsilon, value)
        assert line.y1 == (top if epsilon == 0.15 else bottom)


def test_dots_are_the_numbers_of_readers_within_the_axis():
    path = LaplacePath(62.0, 0.1, 2.0, rng=streams.teaching(7))
    frame = steps_frame([path.steps()], 0.1, 2.0)
    cone = cone_frame(np.array([0.1, 2.0]), np.array([30.0, 1.5]))
    got = {epsilon: float(path.at(epsilon)) for epsilon in (0.2, 0.5)}
    axis = {"exact": 62.0, "epsilon": 0.5, "unit": "beats", "step": 1.0}
    fig = thread_chart(frame, cone, **axis, handed_out=got | {4.0: 61.0})
    dots = next(t for t in fig.data if t.name == "handed out")
    assert dict(zip(dots.x, dots.y, strict=True)) == got
    said = {(note.text, note.x, note.y): note for note in fig.layout.annotations}
    large, beside = (said[f"<b>{got[e]:.1f}</b>", math.log10(e), got[e]] for e in (0.5, 0.2))
    assert (large.font.size, beside.font.size) == (20, None)  # the slider's number stands once
    close = thread_chart(frame, cone, **axis, handed_out=got | {0.22: 70.0})
    assert len(close.layout.annotations) == len(said)  # no number on another
    assert min(fig.layout.yaxis.tickvals) > fig.layout.yaxis.range[0] + 1  # clear of the corner


def test_a_thread_that_never_leaves_the_value_has_an_axis():
    """Of whole numbers at a large ε; the axis had no length."""
    frame = steps_frame([(np.array([800.0]), np.array([7.0]))], 20.0, 800.0)
    cone = cone_frame(np.array([20.0, 800.0]), np.array([0.0, 0.0]))
    fig = thread_chart(frame, cone, exact=7.0, epsilon=20.0, unit="beats", step=1.0)
    assert fig.layout.yaxis.range[0] < 7 < fig.layout.yaxis.range[1]


@pytest.mark.parametrize(
    ("value", "step", "said"),
    [
        (1e15, 1.0, r"Exact value: 1e\+15 is too large"),
        (1e9, 1e-9, r"Type a number from 1000 to 1e\+06"),
        (3.0, 1e9, r"Hide differences up to: 1e\+09 cannot be used"),
    ],
)
def test_values_that_floats_cannot_tell_apart_are_refused(value, step, said):
    with pytest.raises(ParameterError, match=said):
        Reading(what="x", value=value, unit="m", step=step)


@pytest.mark.parametrize("ends", [(1e-7, 1.0), (1.0, 1e5), (2.0, 1.0)])
def test_budgets_that_no_thread_has_are_refused(ends):
    one = OneValue(EXAMPLES[0], "teaching", 7)
    with pytest.raises(ParameterError, match=r"(Smallest|Largest) ε: "):
        one.serve(*ends)
    assert not one.grown


def test_the_law_has_a_spike_where_the_number_stays():
    curve, atoms = law_frame(gradual_law({1.0: 0.75}, 2.0, exact=0.0), whole=False)
    look = {"exact": 0.0, "unit": "m", "step": 0.1}
    fig = law_chart(curve, atoms, drawn=0.3, whole=False, **look)
    notes = plain(" ".join(note.text for note in fig.layout.annotations))
    assert "<b>23.6 %</b>: 0.75 again" in notes
    assert "drawn: <b>0.30</b>" in notes
    assert "likely numbers" in notes
    area = np.trapezoid(curve["chance"], curve["value"])
    assert area + atoms["chance"].sum() == pytest.approx(1, abs=2e-3)
    family = FAMILIES["discrete_laplace"]
    masses, _ = law_frame(gradual_law({1.0: 3.0}, 2.0, exact=0.0, family=family), whole=True)
    assert masses["chance"].sum() == pytest.approx(1, abs=1e-3)
    assert law_chart(masses, atoms, drawn=None, whole=True, **look).data[0].type == "bar"


def test_a_number_that_surely_stays_has_a_spike_and_no_hill():
    """Between two equal releases; the picture failed."""
    curve, atoms = law_frame(gradual_law({0.5: 3.0, 2.0: 3.0}, 1.0, exact=0.0), whole=False)
    look = {"exact": 0.0, "unit": "m", "step": 0.1, "drawn": None, "whole": False}
    fig = law_chart(curve, atoms, **look)
    assert not np.any(fig.data[0].y)
    assert "likely numbers" not in {note.text for note in fig.layout.annotations}


def test_the_whole_cone_is_inside_of_the_axis():
    view = view_of()
    steps = steps_frame([view.one.path.steps()], 0.1, 2.0)
    half = words.reach(view, 0.1)
    cone = cone_frame(np.array([0.1, 2.0]), np.array([half, words.reach(view, 2.0)]))
    left, right = sides(steps, cone, exact=62.0, step=2.0)
    assert left < 62 - half < 62 + half < right
