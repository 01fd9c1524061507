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
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.the_promise import hills_of_groups
from dpviz.planning.cast import ILL, KNOWN, PEOPLE
from dpviz.release import MultipleRelease
from dpviz.scenes import start
from dpviz.scenes import the_promise as town
from dpviz.scenes.lessons import Settings
from dpviz.scenes.the_promise import (
    GIVEN,
    limits_frame,
    loss_frame,
    rounded_right,
)
from dpviz.scenes.threads import GAUSSIAN
from dpviz.ui import the_promise as words
from dpviz.ui.the_promise import LESSON
from tests.conftest import FULL, for_each
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


def test_each_town_comes_to_the_number_with_a_noise_of_its_own():
    _, scene = shown(1)
    session = MultipleRelease([float(ILL)], GAUSSIAN, rng=streams.teaching(town.FIRST))
    assert scene.number == session.release(LEVEL)[0]
    here, away = (claim.value for claim in side(1).claims)
    assert (ILL + here, KNOWN + away) == pytest.approx((scene.number, scene.number))
    assert round(scene.number, 1) == town.AT, "the number of the next screen"


# The ratio


@pytest.mark.parametrize("at", [town.AT, town.RARE])
def test_the_ratio_is_that_of_two_normal_densities(at):
    sd = math.sqrt(LEVEL)
    with_her, without = (stats.norm.pdf(at, count, sd) for count in (ILL, KNOWN))
    screen, scene = shown(2)
    assert scene.times(at) == pytest.approx(with_her / without, rel=1e-9)
    assert claimed(side(2), f"times likelier with Maria than without, at {at:.0f}") == (
        scene.times(at)
    )
    assert f"{with_her / without:.1f} times" in screen.picture(scene).alt


def test_a_number_is_rare_where_it_is_much_likelier():
    assert stats.norm.sf(town.RARE, ILL, math.sqrt(LEVEL)) < 0.02
    assert town.ratio(Settings()).times(town.RARE) > 2.9


def test_nine_numbers_in_a_hundred_are_more_than_twice_as_likely_with_maria(losses):
    """Exactly by the law of the loss, and in as many simulated towns with her."""
    exact = stats.norm.sf((math.log(2) - town.RHO) / math.sqrt(2 * town.RHO))
    assert exact == pytest.approx(0.0924, abs=1e-4)
    assert (losses > math.log(2)).mean() == pytest.approx(exact, abs=0.005)
    assert town.more_than_twice() == pytest.approx(100 * exact, rel=1e-9)
    assert (side(3).value, words.often_answers()[1]) == ("9", "9 of 100 draws")
    frame = loss_frame(town.RHO)
    over = frame[frame["loss"] >= math.log(2)]
    assert np.trapezoid(over["often"], over["loss"]) == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize(("step", "name"), [(2, "ratio"), (3, "beyond the line")])
def test_what_is_asked_for_is_not_shown_before(step, name):
    for done in (False, True):
        screen, scene = shown(step, done=done)
        assert (name in [trace.name for trace in screen.picture(scene).figure.data]) == done


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


# Tricks: no use of the number makes more guesses right


@pytest.fixture(scope="module")
def worlds():
    there = np.random.default_rng(8).integers(0, 2, WORLDS)
    session = MultipleRelease((KNOWN + there).astype(float), GAUSSIAN, rng=streams.teaching(9))
    return SimpleNamespace(there=there, number=session.release(LEVEL))


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
    found = [guessed(worlds, each) for each in after]
    rights = [*town.tricks().values()]
    assert rights == pytest.approx(found, abs=1.5 * WITHIN)
    assert [round(right) for right in rights] == [588, 527, 588, 588]


@for_each("step", [0.3, 1.0, 10.0, 100.0])
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
    assert claimed(said, f"budget for {people}") == pytest.approx(people**2 * town.RHO)


def test_the_answers_are_three_of_the_rows():
    assert [answer.split(",")[0] for answer in words.answers()] == ["588", "673", "814"]
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
    assert f"{GIVEN} visits" in LESSON.screens[5].choice.options


def test_nothing_of_the_people_is_known_before_one_looks():
    for chosen, spots in (("", []), ("30 visits", ["noise"])):
        screen, before = shown(6, chosen, done=False)
        figure = screen.picture(before).figure
        assert [trace.name for trace in figure.data] == ["curve of noise", *spots]
        assert "56" not in str(side(6, chosen, done=False))


@for_each("chosen", LESSON.screens[5].choice.options)
def test_the_limit_of_the_visitor_is_in_the_picture(chosen):
    screen, scene = shown(6, chosen)
    limit = int(chosen.split()[0])
    error = scene.row(limit)["error"]
    assert side(6, chosen).value == f"{error:.0f}"
    marks = {t.x[0]: t.y[0] for t in screen.picture(scene).figure.data if t.mode == "markers"}
    assert marks == {GIVEN: pytest.approx(scene.given), limit: pytest.approx(error)}


# Guess first, then see


@for_each(("step", "done"), [*itertools.product(range(1, 7), (False, True))])
def test_every_number_of_the_caption_and_the_note_has_its_claim(step, done):
    said = side(step, done=done)
    claims = {f"{claim.value:.{k}f}" for claim in said.claims for k in (0, 1, 2)}
    shown_ = plain(f"{said.caption} {said.note or ''}")
    rest = set(re.findall(r"\d+(?:\.\d+)?", shown_)) - claims
    known = {"0", "226", str(town.OLD_GUESS), f"{GIVEN}", f"{town.RARE:.0f}"}
    assert rest <= known | ({"588"} if not done else set())
