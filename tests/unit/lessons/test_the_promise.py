"""The lesson on the promise: its town, its numbers by other ways, and all of them by simulation."""

import itertools
import math
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpviz import streams
from dpviz.accounting import gaussian_epsilon, privacy_loss
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.the_promise import hills_and_ratio, hills_of_groups
from dpviz.planning.cast import ILL, KNOWN, PEOPLE
from dpviz.release import MultipleRelease
from dpviz.scenes import start
from dpviz.scenes import the_promise as town
from dpviz.scenes.lessons import Settings
from dpviz.scenes.the_promise import (
    GIVEN,
    Line,
    hills_frame,
    limits_frame,
    loss_frame,
    rounded_right,
)
from dpviz.scenes.threads import GAUSSIAN
from dpviz.ui import the_promise as words
from dpviz.ui.the_promise import LESSON
from tests.conftest import FULL
from tests.guessing import overlap
from tests.visiting import plain

WORLDS = 4_000_000 if FULL else 200_000
WITHIN = 4.5 * 1000 * math.sqrt(0.25 / WORLDS) + 0.5  # of a thousand, written as a whole number
MU = math.sqrt(2 * town.RHO)
LEVEL = gaussian_level(town.RHO, 1.0)


def shown(step, chosen="", *, done=True):
    screen = LESSON.screens[step - 1]
    chosen = chosen or screen.choice.default
    return screen, screen.scene(Settings(done=done, chosen=chosen))


def side(step, chosen="", *, done=True):
    screen, frame = shown(step, chosen, done=done)
    return screen.side(frame)


def claimed(said, what):
    (found,) = (claim.value for claim in said.claims if claim.what.startswith(what))
    return found


# The town, and the same noise on both tables


def test_the_town_is_the_one_of_the_front_page_and_one_is_left_out():
    with_her, without = (part for _, part in towns().groupby("name", sort=False))
    assert with_her["x"].tolist() == pytest.approx((without["x"] - 45).tolist())
    assert len(with_her) == PEOPLE
    assert (with_her["kind"] == "counted").sum() == ILL - 1  # and Maria
    assert sum(start.ill(True)) == ILL
    assert sum(town.VISITS.values()) == ILL
    assert KNOWN == ILL - 1


def towns():
    """Everybody's dot in both towns of the first picture, Maria's without its ring."""
    screen, scene = shown(1)
    rows = []
    for trace in screen.picture(scene).figure.data:
        if trace.name in ("counted", "other", "ring"):
            kind = "Maria" if trace.name == "ring" else trace.name
            rows += [
                ("left" if x < 40 else "right", x, y, kind)
                for x, y in zip(trace.x, trace.y, strict=True)
            ]
    frame = pd.DataFrame(rows, columns=["name", "x", "y", "kind"])
    return frame.sort_values(["name", "y", "x"], ignore_index=True)


def test_the_same_noise_moves_both_counts_by_the_same():
    for each in (*town.twins(), *(town.twin(seed) for seed in range(20))):
        assert each.here - each.away == pytest.approx(1, abs=1e-9)
    assert len({each.here for each in town.twins()}) == town.DRAWS
    assert side(1).claims[0].value == 1
    assert side(1).value == "1"


# The ratio and its logarithm


@pytest.mark.parametrize("at", LESSON.screens[1].choice.options)
def test_the_ratio_is_that_of_two_normal_densities(at):
    said = side(2, at)
    sd = math.sqrt(LEVEL)
    with_her, without = (stats.norm.pdf(float(at), count, sd) for count in (ILL, KNOWN))
    assert claimed(said, "times") == pytest.approx(with_her / without, rel=1e-9)
    assert claimed(said, "privacy loss") == pytest.approx(math.log(with_her / without), rel=1e-9)
    screen, scene = shown(2, at)
    assert f"{said.value} times likelier" in screen.picture(scene).alt


def test_nine_numbers_in_ten_are_less_than_twice_as_likely_with_maria(losses):
    """Exactly by the law of the loss, and in as many simulated towns with her."""
    exact = stats.norm.cdf((math.log(2) - town.RHO) / math.sqrt(2 * town.RHO))
    assert exact == pytest.approx(0.9076, abs=1e-4)
    assert (losses < math.log(2)).mean() == pytest.approx(exact, abs=0.005)
    assert stats.norm.sf((math.log(3) - town.RHO) / math.sqrt(2 * town.RHO)) > 0.01, "far likelier"
    assert town.less_than_twice() == pytest.approx(100 * exact, rel=1e-9)
    assert "except in 9 of 100 draws" in side(2).lines[0]


def test_the_loss_of_the_public_number_is_its_budget_on_average(losses):
    """Its loss has mean ρ, its variance is 1/(2ρ), and 95 in 100 of it are within ±."""
    said = plain(" ".join(side(5).lines)).replace("*", "")
    assert pytest.approx(5) == LEVEL
    assert "The loss on average (ρ) of 1, 2, 4 and 8 people: 0.1, 0.4, 1.6 and 6.4." in said
    assert losses.mean() == pytest.approx(1 / (2 * LEVEL), abs=0.01)
    assert 4.3 < 1.96 * math.sqrt(LEVEL) < 4.4


def test_the_ratio_is_shown_once_it_is_asked_for():
    frame = hills_frame(ILL, town.RHO)
    names = [
        [trace.name for trace in hills_and_ratio(frame, 317.0, town.STYLE, revealed=revealed).data]
        for revealed in (False, True)
    ]
    assert "ratio" not in names[0]
    assert "ratio" in names[1]


# The loss of many draws


@pytest.fixture(scope="module")
def losses():
    """The loss of draws from the town with Maria, by the densities of both towns."""
    session = MultipleRelease(np.full(WORLDS, float(ILL)), GAUSSIAN, rng=streams.teaching(4))
    numbers = session.release(LEVEL)
    with_her, without = (GAUSSIAN.density(numbers - count, LEVEL) for count in (ILL, KNOWN))
    return np.log(with_her / without)


def test_the_mean_loss_is_rho(losses):
    assert losses.mean() == pytest.approx(town.RHO, abs=4.5 * MU / math.sqrt(WORLDS))
    assert losses.var() == pytest.approx(2 * town.RHO, rel=0.02)


@pytest.mark.parametrize("epsilon", LESSON.screens[2].choice.options)
def test_the_line_is_passed_and_leaves_open_what_the_lesson_says(losses, epsilon):
    said, line = side(3, epsilon), float(epsilon)
    passed, delta = claimed(said, "draws of 100"), claimed(said, "left open")
    assert 100 * np.mean(losses > line) == pytest.approx(passed, abs=WITHIN / 10)
    open_ = np.maximum(-np.expm1(line - losses), 0)
    spread = max(float(open_.std()), 1e-3)
    assert open_.mean() == pytest.approx(delta, abs=4.5 * spread / math.sqrt(WORLDS))
    assert privacy_loss.gaussian(MU).delta(line) == pytest.approx(delta, rel=1e-9)
    assert r"P(\text{with Maria})\le e^ε\,P(\text{without})+δ" in said.lines[-1]
    frame = loss_frame(Line(rho=town.RHO, epsilon=line))
    left = np.trapezoid(frame["beyond"], frame["loss"])
    assert left == pytest.approx(delta, rel=0.01, abs=1e-8)


def test_at_the_farthest_line_the_promise_is_that_of_the_cast():
    """ε = 2.0 at δ = 1e-6: what the story says of the public tier."""
    assert round(gaussian_epsilon(math.log(1e-6), MU), 1) == 2.0
    assert claimed(side(3, "2"), "left open") < 1e-6


# Tricks: no use of the number makes more guesses right


@pytest.fixture(scope="module")
def worlds():
    there = np.random.default_rng(8).integers(0, 2, WORLDS)
    session = MultipleRelease((KNOWN + there).astype(float), GAUSSIAN, rng=streams.teaching(9))
    blurred = session.release(2 * LEVEL)
    return SimpleNamespace(there=there, number=session.release(LEVEL), blurred=blurred)


def guessed(worlds, outcome):
    """Right guesses of 1,000 by the best rule for an outcome in steps, learned from one half."""
    steps = np.unique(outcome, return_inverse=True)[1]
    half = WORLDS // 2
    votes = np.zeros(steps.max() + 1)
    np.add.at(votes, steps[:half], 2 * worlds.there[:half] - 1)
    return 1000 * np.mean((votes[steps[half:]] > 0) == worlds.there[half:])


def test_every_trick_gets_as_many_right_as_the_lesson_says(worlds):
    x, old = worlds.number, town.OLD_GUESS
    after = (x > 311.5, np.round(x, -1), x**2 > 311.5**2, (x + old) / 2 > (311.5 + old) / 2)
    found = [guessed(worlds, each) for each in (*after, worlds.blurred > 311.5)]
    rights = [*town.tricks().values()]
    assert rights == pytest.approx(found, abs=1.5 * WITHIN)
    assert [round(right) for right in rights] == [588, 527, 588, 588, 563]


@pytest.mark.parametrize("step", [0.3, 1.0, 10.0, 100.0])
def test_a_rounded_number_is_never_better(step):
    assert 500 <= rounded_right(town.RHO, (KNOWN, ILL), step) <= 500 * (1 + math.erf(MU / 8**0.5))


# Groups


@pytest.mark.parametrize("people", town.FAMILY)
def test_guesses_about_a_group_are_the_overlap_of_its_hills(people, worlds):
    said = side(5)
    who = "one person" if people == 1 else f"{people} people"
    right = claimed(said, f"right guesses of 1,000, about {who}")
    assert right == pytest.approx(overlap(town.RHO, people), rel=1e-7)
    moved = worlds.number - worlds.there + people * worlds.there  # all come, or none
    hit = 1000 * np.mean((moved > KNOWN + people / 2) == worlds.there)
    assert hit == pytest.approx(right, abs=WITHIN)
    assert claimed(said, f"budget ρ for {people}") == pytest.approx(people**2 * town.RHO)


def test_the_answers_are_three_of_the_rows():
    assert words.answers() == ("588", "673", "814")
    assert side(5).value == "814"
    hills, groups, _ = shown(5)[1]
    fig = hills_of_groups(hills, groups, known=1)
    assert [note.text for note in fig.layout.annotations][:4] == ["<b>588</b>", *3 * ["<b>?</b>"]]


# Limits


def test_the_error_of_a_sum_is_what_its_draws_show():
    values = np.repeat([*town.VISITS], [*town.VISITS.values()]).astype(float)
    frame = limits_frame(town.VISITS, town.RHO).set_index("limit")
    for limit in (6, 15, 60):
        cut = np.full(20_000, np.minimum(values, limit).sum())
        level = gaussian_level(town.RHO, float(limit))
        sums = MultipleRelease(cut, GAUSSIAN, rng=streams.teaching(limit)).release(level)
        error = math.sqrt(np.mean((sums - values.sum()) ** 2))
        assert error == pytest.approx(frame.loc[limit, "error"], rel=0.03)
        assert frame.loc[limit, "cut"] == np.maximum(values - limit, 0).sum()


def test_the_limit_given_before_is_not_the_best_and_close_to_it():
    frame = limits_frame(town.VISITS, town.RHO)
    _, scene = shown(6)
    assert (scene.least, GIVEN) == (15, 12)
    assert scene.row(scene.least)["error"] == frame["error"].min() < scene.given
    assert scene.given < 1.05 * frame["error"].min()
    assert (np.diff(frame["cut"]) <= 0).all()
    assert (np.diff(frame["noise"]) > 0).all()
    assert f"{GIVEN}" in LESSON.screens[5].choice.options


def test_nothing_of_the_people_is_known_before_one_looks():
    screen, before = shown(6, done=False)
    figure = screen.picture(before).figure
    assert [trace.name for trace in figure.data] == ["curve of noise", "noise"]
    assert "56" not in str(side(6, done=False))


# Guess first, then see


@pytest.mark.parametrize(
    ("step", "right", "wrong"),
    [
        (1, words.EXACTLY, words.A_FEW),
        (4, words.NO, words.SQUARE_IT),
        (5, "814", "588"),
        (6, "15", "60"),
    ],
)
def test_the_answer_says_whether_the_guess_was_right(step, right, wrong):
    for chosen, lead in ((right, "Right: "), (wrong, "Not quite: ")):
        screen, scene = shown(step, chosen)
        assert screen.said(scene).startswith(lead)
        before = screen.said(shown(step, chosen, done=False)[1])
        assert before == screen.sentence
        assert before[-1] == "?"


@pytest.mark.parametrize("step", [1, 4, 5])
def test_who_gave_no_answer_is_told_it_alone(step):
    screen, scene = shown(step)
    assert re.match("[A-Z]", screen.said(scene))
    assert not any("You said" in line for line in side(step).lines)


@pytest.mark.parametrize(("step", "done"), [*itertools.product(range(1, 7), (False, True))])
def test_every_number_of_the_caption_and_the_note_has_its_claim(step, done):
    said = side(step, done=done)
    claims = {f"{claim.value:.{k}f}" for claim in said.claims for k in (0, 1, 2)}
    shown_ = plain(f"{said.caption} {said.note or ''}")
    rest = set(re.findall(r"\d+(?:\.\d+)?", shown_)) - claims
    known = {"0", "226", str(town.OLD_GUESS), f"{GIVEN}", LESSON.screens[2].choice.default}
    assert rest <= known | ({"588"} if not done else set())
