"""The story of a pulse: every number again, what its sentences say, and what its pictures show."""

import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest

from dpviz import streams
from dpviz.charts.pulse import TEAL, cone_on_its_side, next_number
from dpviz.errors import ParameterError
from dpviz.gradual import LaplacePath, gradual_law
from dpviz.noise import FAMILIES
from dpviz.palette import COLOURS
from dpviz.scenes.growing_trust import HANDED_OUT, PATH_SEED, Pulse, handed_out, law, stopping
from dpviz.ui.growing_trust import pulse
from dpviz.words import NARROW
from dpviz.workspace.gradual import EXAMPLES, OneValue, Reading, pieces
from tests.conftest import few, for_each
from tests.visiting import check_words, plain

EPSILONS = (0.1, 0.37, 0.5, 2.0)


def scene_of(mode="teaching", epsilon=0.5, reading=EXAMPLES[0], seed=7):
    return Pulse(one=OneValue(reading, mode, seed), least=0.1, most=2.0, epsilon=epsilon)


@for_each(
    ("mode", "epsilon", "reading"),
    few(itertools.product(("teaching", "hardened"), EPSILONS, EXAMPLES), 5),
)
def test_the_number_read_is_that_of_the_path_and_stays_as_long_as_is_said(mode, epsilon, reading):
    """Looked up a second time on a path of its own, from a grid of budgets."""
    scene = scene_of(mode, epsilon, reading=reading)
    low, high = np.clip(scene.one.rests(epsilon), 0.1, 2.0)
    family = FAMILIES["discrete_laplace"] if mode == "hardened" else FAMILIES["laplace"]
    value = int(reading.value) if family.integer else reading.value
    rng = streams.teaching(7, 1)
    path = LaplacePath([value], 0.1, 2.0, l1_sensitivity=reading.step, family=family, rng=rng)
    grid = np.unique([*np.geomspace(0.1, 2.0, 3000).clip(0.1, 2.0), epsilon])
    same = np.array([path.at(e).item() == scene.number for e in grid])
    assert same[grid == epsilon].item()
    assert same[(grid > low) & (grid <= high)].all()
    assert low == 0.1 or path.at(low).item() != scene.number
    assert high == 2.0 or path.at(math.nextafter(high, 3)).item() != scene.number


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
    scene = scene_of(mode, reading=reading)
    scene.one.release(0.37)
    for epsilon in (0.1, 2.0):
        scene.one.release(epsilon)
        said = pulse.headline(scene)
        check_words(said.text, said.claims, "")
        ends = min(scene.one.released), max(scene.one.released)
        expected = [half_of(reading, each, mode == "hardened") for each in ends]
        assert said.values == pytest.approx(expected)
        assert [claim.kind for claim in said.claims] == ["exact"] * 2


def test_the_meter_is_that_of_the_most_trusted_reader_and_of_separate_noise():
    scene = scene_of()
    for epsilon in (0.1, 1.0, 0.5):
        scene.one.release(epsilon)
    found = scene.meter
    size, losses = scene.reading.step, (1.0, 1.6)
    levels = [size / epsilon for epsilon in (1.0, 0.5, 0.1)]
    assert found.losses == pytest.approx(losses)
    assert found.right[0].value == pytest.approx(1000 * (1 - math.exp(-0.5) / 2), rel=1e-6)
    noise = np.random.default_rng(7).laplace(0, levels, (400_000, 3))
    llr = ((np.abs(noise - size) - np.abs(noise)) / levels).sum(axis=1)  # the best test
    share = 1000 * ((llr > 0).mean() + (llr == 0).mean() / 2)
    assert found.right[1].value == pytest.approx(share, abs=4)
    said = pulse.beside(scene)[0]
    assert plain(said.text) == (
        "**Is her resting pulse 62 or 63?** All three readers together guess right at most 697 "
        "times in 1,000. One more reader who knows no more than these adds nothing; with separate "
        "noise, every further reader adds something. Whether it is 62 or 67 may be told: right at "
        "most 959 times."
    )
    far = 1000 * (1 - math.exp(-2.5) / 2)  # Laplace noise, five units apart
    assert said.values == pytest.approx((*losses, *(right.value for right in found.right), far))


def test_the_first_path_shrinks_towards_the_value_and_shows_its_jumps():
    """It was picked for that, and the page says so; its errors are no fair sample."""
    for reading in EXAMPLES:
        one = handed_out(reading, "teaching", PATH_SEED)
        scene = Pulse(one=one, least=0.1, most=2.0, epsilon=0.5)
        _, values = one.path.steps()
        off = np.abs(values - reading.value)
        assert (np.diff(off) < 0).all()
        assert (np.abs(np.diff(values)) > 2 * reading.step).all()
        assert (values > 0).all()
        assert "picked because" in pulse.formula(scene)
        assert "picked" not in pulse.formula(scene_of())
        assert one.released[0.5] == scene.number  # the slider begins where a reader is
        assert tuple(one.released) == HANDED_OUT
        off = [abs(one.released[e] - reading.value) for e in sorted(one.released)]
        assert off[0] > 2 * off[1] > 4 * off[2]


def test_what_a_first_visitor_reads():
    scene = Pulse(
        one=handed_out(EXAMPLES[0], "teaching", PATH_SEED), least=0.1, most=2.0, epsilon=0.5
    )
    assert plain(pulse.headline(scene).text) == (
        "A stranger sees Maria’s resting pulse to within ± 30 beats per minute, her doctor to "
        "within ± 3. All her readers together know no more than the doctor."
    )
    whole = scene_of("hardened")
    whole.one.release(0.5)
    assert "each number is whole, drawn exactly" in pulse.beside(whole)[-1].text
    assert "what readers have, drawn apart from the line." in pulse.reading(whole)
    assert "Grey area and ±: how near the truth a number is, 95 times in 100." in pulse.reading(
        whole
    )


def test_the_words_of_each_turn():
    scene = scene_of()

    def said(wanted):
        return plain(pulse.next_words(scene, wanted))

    first = scene.one.release(0.5)
    for wanted, words in ((2.0, "Relaxing from"), (0.1, "Tightening from"), (0.5, "stays so")):
        assert words in said(wanted)
    assert "6.25 %" in said(0.125)  # (0.125/0.5)²
    scene.one.release(2.0)
    assert "Between ε = 0.5 and ε = 2" in said(1.0)
    assert list(scene.one.released) == [0.5, 2.0]
    assert scene.one.released[0.5] == first
    assert "surely" in said(1.0) or "otherwise it is a new number" in said(1.0)


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
    scene = scene_of("hardened")
    twin = scene_of("hardened")
    assert scene.number == twin.number  # the thread, by its seed
    drawn = [scene_of("hardened").one.release(0.05) for _ in range(6)]
    assert len(set(drawn)) > 1
    assert all(number == int(number) for number in drawn)
    with pytest.raises(ParameterError, match="type a whole number"):
        OneValue(Reading(what="x", value=1.5, unit="m", step=1.0), "hardened", 7)


def drawn(scene, **instead):
    settings = {
        "exact": scene.reading.value,
        "at": scene.epsilon,
        "unit": "beats",
        "what": "pulse",
        "step": scene.digit,
    }
    told = instead.pop("told", scene.one.released)
    return cone_on_its_side(
        instead.pop("steps", scene.steps),
        instead.pop("cone", scene.cone),
        told,
        {epsilon: scene.half(epsilon) for epsilon in told},
        **settings | instead,
    )


def test_the_picture_shows_where_the_number_stays():
    scene = scene_of()
    ends, values = scene.one.path.steps()
    fig = drawn(scene).figure
    rests = next(t for t in fig.data if t.name == "rests")
    assert list(rests.y[::3]) == list(values)
    assert list(rests.x[1::3]) == list(ends)  # trust grows to the right
    assert fig.layout.xaxis.range[0] < fig.layout.xaxis.range[1]
    said = " ".join(note.text for note in fig.layout.annotations)
    assert said.index("low trust") < said.index("high trust")
    assert [c for c in COLOURS if c in fig.to_json()] == [TEAL]  # no tier’s of the example
    told = {note.text: note for note in fig.layout.annotations}
    number = next(note for text, note in told.items() if f"<b>{scene.number:.1f}</b>" in text)
    assert (number.x, number.y) == (math.log10(0.5), scene.number)
    bottom, top = fig.layout.yaxis.range  # the whole cone is inside
    assert bottom < 62 - scene.half(0.1) < 62 + scene.half(0.1) < top
    assert min(fig.layout.yaxis.tickvals) > bottom + 1  # clear of the corner
    narrow = Pulse(one=scene.one, least=0.3, most=0.4, epsilon=0.35).steps
    assert (narrow["low"].min(), narrow["high"].max()) == (0.3, 0.4)


def test_the_line_of_the_slider_leads_to_its_trust_and_crosses_no_words():
    steps = pd.DataFrame({"low": [0.1, 0.3], "high": [0.3, 2.0], "value": [80.0, 65.0]})
    for epsilon, value in ((0.15, 80.0), (1.0, 65.0)):
        fig = drawn(scene_of(), steps=steps, at=epsilon).figure
        bottom, top = fig.layout.yaxis.range
        (line,) = fig.layout.shapes
        assert (line.x0, line.x1, line.y0) == (epsilon, epsilon, value)
        assert line.y1 == (top if epsilon == 0.15 else bottom)


def test_dots_are_the_numbers_of_readers_within_the_axis_each_with_its_name():
    scene = scene_of()
    got = {epsilon: scene.one.number(epsilon) for epsilon in (0.1, 0.5, 1.0)}
    beyond = {0.05: 80.0, 4.0: 61.0}
    whole = "stranger ±30", "friend ±6", "doctor ±3"
    for told, names in ((got, whole), (got | beyond, ("friend ±30", "friend ±6", "friend ±3"))):
        fig = drawn(scene, told=told).figure
        dots = next(t for t in fig.data if t.name == "handed out")
        assert dict(zip(dots.x, dots.y, strict=True)) == got
        for (epsilon, value), name in zip(got.items(), names, strict=True):
            (said,) = (
                n.text.replace(NARROW, "")
                for n in fig.layout.annotations
                if n.x == math.log10(epsilon) and n.y == value
            )  # the slider's number stands once
            assert sorted(re.sub("<(?!br)[^>]*>", "", said).split("<br>")) == sorted(
                [f"{value:.1f}", name]
            )
    close = drawn(scene, told=got | {0.55: 70.0}).figure
    assert len(close.layout.annotations) == len(fig.layout.annotations)  # no number on another


def test_a_path_that_never_leaves_the_value_has_an_axis():
    """Of whole numbers at a large ε; the axis had no length."""
    steps = pd.DataFrame({"low": [20.0], "high": [800.0], "value": [62.0]})
    cone = pd.DataFrame({"epsilon": [20.0, 800.0], "half_width": [0.0, 0.0]})
    fig = drawn(scene_of(), steps=steps, cone=cone, at=20.0).figure
    assert fig.layout.yaxis.range[0] < 62 < fig.layout.yaxis.range[1]


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
    curve, atoms = law(gradual_law({1.0: 0.75}, 2.0, exact=0.0), whole=False)
    look = {"exact": 0.0, "unit": "m", "step": 0.1}
    fig = next_number(curve, atoms, whole=False, **look)
    notes = plain(" ".join(note.text for note in fig.layout.annotations))
    assert "<b>23.6 %</b>: 0.75 again" in notes
    assert "likely numbers" in notes
    area = np.trapezoid(curve["chance"], curve["value"])
    assert area + atoms["chance"].sum() == pytest.approx(1, abs=2e-3)
    family = FAMILIES["discrete_laplace"]
    masses, _ = law(gradual_law({1.0: 3.0}, 2.0, exact=0.0, family=family), whole=True)
    assert masses["chance"].sum() == pytest.approx(1, abs=1e-3)
    assert next_number(masses, atoms, whole=True, **look).data[0].type == "bar"


def test_a_number_that_surely_stays_has_a_spike_and_no_hill():
    """Between two equal releases; the picture failed."""
    curve, atoms = law(gradual_law({0.5: 3.0, 2.0: 3.0}, 1.0, exact=0.0), whole=False)
    fig = next_number(curve, atoms, exact=0.0, unit="m", step=0.1, whole=False)
    assert not np.any(fig.data[0].y)
    assert "likely numbers" not in {note.text for note in fig.layout.annotations}


@pytest.mark.parametrize("share", few(pulse.SHARES, 2))
def test_stopping_pays_the_last_release_and_starting_again_all_of_them(share):
    """By the closed form: on one path the first ε whose 95 % are below the share of the number."""
    found = stopping(72.0, 1.0, share)
    assert found.met
    aim = -math.log(0.05) / (share * 72.0)
    expected = 2.0 ** math.ceil(math.log2(aim * 64)) / 64  # of a number that is about the value
    assert found.one_path in (expected / 2, expected, 2 * expected)
    assert found.again == pytest.approx(2 * found.one_path - 1 / 64, rel=0.35)
    assert found.one_path < 0.7 * found.again
    text = pulse.stop_words(found).text
    assert "You pay only for where you stop: ε = " in plain(text)
    picture = pulse.paid_bars(found)
    assert "Sharpen the same number" in picture.alt


def test_what_is_never_near_enough_says_so():
    found = stopping(0.0, 1.0, 0.1)
    assert not found.met
    assert "Choose a larger share" in pulse.stop_words(found).text
