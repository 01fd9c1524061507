"""A noise or mechanism of one's own: examples are what they are called, and answers are true."""

from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.falsify import (
    added_bars,
    added_frame,
    bet_bars,
    bet_frame,
    doors_frame,
    four_doors,
    would_be_frame,
)
from dpviz.errors import ParameterError
from dpviz.lossless import (
    LatticeLaw,
    adds_up,
    read_noise,
)
from dpviz.lossless.convolution import NoiseDecision
from dpviz.scenes import falsify as scenes
from dpviz.ui import falsify as page
from tests.unit.lossless.test_noise import bounded, two_sided, uniform

NOISE = {  # both levels, and the verdict
    "geometric": (two_sided(F(1, 3)), two_sided(F(1, 2)), "yes"),
    "geometric, kept within ±2": (bounded(F(1, 3), 2), bounded(F(1, 2), 2), "no"),
    "uniform: dice of 4 and 6 sides": (uniform(4), uniform(6), "no"),
}
LAPLACE = (
    "value, sharper, noisier\n..., 1/16, 1/4\n-1, 15/128, 3/16\n0, 3/4, 1/2\n1, 15/128, 3/16\n"
    "..., 1/16, 1/4"
)


def ended(steps):
    *_, (share, found) = steps
    assert share == 1
    return found


def answered(name):
    return ended(scenes.noise_answer(*NOISE[name][:2]))


def test_each_noise_has_its_verdict():
    for name, (sharper, noisier, verdict) in NOISE.items():
        found = answered(name)
        assert found.decision.verdict == verdict, name
        if verdict == "yes":
            assert adds_up(sharper, found.decision.added, noisier)
    one, other, sums = read_noise(page.GEOMETRIC)
    assert (one, other, sums) == (*NOISE["geometric"][:2], (1, 1))


def test_a_table_too_long_for_partial_fractions_is_not_decided():
    weights = {x: 1 + x * x % 7 for x in range(80)}
    long, longer = (
        LatticeLaw.of({**weights, 0: first}, left=a, right=a)
        for first, a in ((1, "1/3"), (9, "1/2"))
    )
    verdict = page.of_noise(ended(scenes.noise_answer(long, longer)))
    assert verdict.heading == page.OPEN
    assert verdict.then == (page.UNDECIDED,)


def test_a_chance_just_below_0_is_among_those_that_would_do():
    sharper = read_noise(LAPLACE)[0]
    a = F("0.0675")
    side = F("0.2598076") * (1 - a) / 2
    noisier = LatticeLaw.of({-1: side, 0: F("0.7401924"), 1: side}, left=a, right=a)
    found = ended(scenes.noise_answer(sharper, noisier))
    assert found.decision.negative[0] in dict(found.candidate)
    assert page.of_noise(found).heading == page.NO_CHANCE


def test_every_verdict_is_said_in_full_sentences():
    found = [answered(name) for name in NOISE]
    found.append(ended(scenes.noise_answer(*read_noise(LAPLACE)[:2])))
    assert "most often it is 0" in page.of_noise(found[-1]).reading
    found.append(ended(scenes.noise_answer(two_sided(F(1, 2)), two_sided(F(1, 3)))))
    found.append(scenes.NoiseAnswer(NoiseDecision("no"), ()))
    for verdict in map(page.of_noise, found):
        assert verdict.heading.startswith(("Yes: ", "No: "))
        for sentence in (verdict.reading, *verdict.then):
            assert sentence.endswith((".", ":")), sentence
    assert page.of_noise(found[-2]).heading == page.NO_CHANCE


def test_numbers_that_differ_are_written_so_that_they_do():
    assert page.apart(F(1, 3), F(1, 3) - F(1, 10**6)) == ("0.333333", "0.333332")


def test_the_picture_of_what_is_added_goes_as_far_as_it_is_seen():
    frame = added_frame(two_sided(F(1, 2)))
    assert frame["number"].min() == -frame["number"].max() < -5
    assert frame["chance"].sum() == pytest.approx(1, abs=0.01)
    fig = added_bars(would_be_frame({-1: 0.7, 0: -0.1, 1: 0.4, 9: 1e-9}))
    assert [bar.y.tolist() for bar in fig.data] == [[0.7, 0.0, 0.4], [0.0, -0.1, 0.0]]
    assert fig.layout.annotations[0].text == "<b>−10\u202f%</b>"
    assert fig.layout.yaxis.range[0] < -0.1
    lowest = would_be_frame({0: 1.0, 5: -1e-6})
    assert lowest["number"].max() == 5, "what is below 0 is shown, however small"


def test_the_picture_of_a_bet_pays_what_is_said():
    name = "uniform: dice of 4 and 6 sides"
    (sharper, noisier), bet = NOISE[name][:2], answered(name).decision.bet
    frame = bet_frame(sharper, noisier, bet)
    assert (frame["paid"] * frame["noisier"]).sum() == pytest.approx(float(bet.noisier))
    assert (frame["paid"] * frame["sharper"]).sum() == pytest.approx(float(bet.sharper))
    shaded = bet_bars(frame).data[0]
    assert np.flatnonzero(shaded.y).tolist() == np.flatnonzero(frame["paid"]).tolist()
    without = bet_bars(bet_frame(sharper, noisier, None))
    assert not without.data[0].y.any()
    assert all("pays" not in note.text for note in without.layout.annotations)


def test_a_frame_without_its_columns_is_refused():
    for draw in (added_bars, bet_bars):
        with pytest.raises(ParameterError, match="the frame lacks"):
            draw(would_be_frame({0: 1.0}).rename(columns=str.upper))


def test_each_door_has_its_dots_on_the_same_axes():
    rng = np.random.default_rng(1)
    drawn = [(door, rng.normal(size=(50, 2))) for door in "ABCD"]
    fig = four_doors(doors_frame(drawn), across="one", up="other")
    for (door, dots), trace in zip(drawn, fig.data, strict=True):
        assert trace.name == door
        np.testing.assert_array_equal(trace.x, dots[:, 0])
        np.testing.assert_array_equal(trace.y, dots[:, 1])
    for axis in "xy":
        assert len({fig.layout[f"{axis}axis{n}"].range for n in ("", 2, 3, 4)}) == 1
    with pytest.raises(ParameterError, match="for each door"):
        doors_frame([("A", np.zeros((3, 1)))])
    with pytest.raises(ParameterError, match="the frame lacks"):
        four_doors(pd.DataFrame({"door": ["x"]}), across="", up="")
