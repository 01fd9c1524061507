"""Every number of the page Falsify by another way, and events in plain words."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy import stats

from dpviz.accounting.guarantees import offered
from dpviz.charts.forms.bar_rows import AGAINST, FROM
from dpviz.experiments.audit import FINALISTS, Audit, Counted
from dpviz.experiments.audit_events import Event, Seen
from dpviz.experiments.broken.table import TWINS
from dpviz.planning.cast import ASKING
from dpviz.scenes import falsify as scenes
from dpviz.scenes.falsify import (
    BESIDE,
    BROKEN,
    DOORS,
    FIRST,
    OURS,
    QUICK,
    ROUNDS,
    Question,
    Trial,
    Trials,
    Tried,
    ours,
)
from dpviz.ui import falsify as page
from dpviz.ui.kit.code import recipe_code
from dpviz.words import percent
from tests.cast import RHO
from tests.conftest import few, for_each
from tests.visiting import check_words, numbers_of

QUESTIONS = [
    *(
        Question(kind=OURS, name=noise, members=members, runs=20_000)
        for noise in offered()
        for members in (("research", "public"), ("audit",))
    ),
    *(Question(kind=BROKEN, name=key, members=(), runs=QUICK) for key in TWINS),
]


@cache
def found(asked):
    return Tried(asked, scenes.tried(*asked.settings))


def another_way(asked, seen):
    """From scipy's intervals: what is proved, and the share that the promise allows."""
    sure = 1 - 2 * (1 - 0.999) / (2 * FINALISTS)
    least, most = (
        stats.binomtest(count, seen.runs).proportion_ci(sure, method="exact")
        for count in (seen.likelier, seen.other)
    )
    proved = math.log((least.low - asked.delta) / most.high)
    if asked.kind == BROKEN:
        return proved, None
    grid = np.linspace(0, 8, 321)
    deltas = np.array([curve(asked, each) for each in grid])
    lines = np.exp(grid) * most.high + deltas
    turned = 1 - np.exp(-grid) * (1 - most.high - deltas)  # the event that it does not happen
    return proved, min(1, lines.min(), turned.min())


@cache
def masses_of(name, level):
    """The chances of whole-number noise, from -300 on."""
    laws = {
        "poisson": stats.poisson(level),
        "skellam": stats.skellam(level, level),
        "discrete_laplace": stats.dlaplace(1 / level),
    }
    return laws[name].pmf(np.arange(-300, 300))


def curve(asked, epsilon):
    """δ of the least private release at this ε, summed over its law or in closed form."""
    level = min(asked.game.held)
    if asked.name == "laplace":
        return max(0.0, -math.expm1((epsilon - 1 / level) / 2))
    if asked.name == "gaussian":
        mu = math.sqrt(2 * max(RHO[name] for name in asked.members))
        above, below = (stats.norm.cdf(side * mu / 2 - epsilon / mu) for side in (1, -1))
        return above - math.exp(epsilon) * below
    masses = masses_of(asked.name, level)
    pairs = (masses[1:], masses[:-1]), (masses[:-1], masses[1:])  # Maria comes, Maria goes
    return max(np.maximum(p - math.exp(epsilon) * q, 0).sum() for p, q in pairs)


@pytest.mark.parametrize("asked", few(QUESTIONS, 9), ids=lambda q: f"{q.name} {q.members}")
def test_every_number_of_a_trial_is_found_again_and_claimed_where_it_is_said(asked):
    tried = found(asked)
    check_sentences(asked, tried)
    seen, bet = tried.seen, tried.trial.bet
    proved, most = another_way(asked, seen)
    assert tried.trial.audit.epsilon(asked.delta) == pytest.approx(proved)
    if asked.kind == OURS:  # of noise whose δ is summed here
        assert tried.allowed == pytest.approx(most, rel=2e-3)
        assert asked.guesses == pytest.approx(500 * (1 + curve(asked, 0.0)), rel=1e-3)
        assert tried.won < asked.guesses + 1000 * 4 / math.sqrt(4 * 2 * bet.runs)  # four deviations
        assert tried.proved < asked.guesses
        assert not tried.law_fails
        assert curve(asked, asked.promised) == pytest.approx(asked.delta, abs=1e-9)
    assert tried.won == pytest.approx(500 + 500 * (bet.likelier - bet.other) / bet.runs)
    low, high = (
        stats.binomtest(count, bet.runs).proportion_ci(0.999, method="exact")
        for count in (bet.likelier, bet.other)
    )
    assert tried.proved == pytest.approx(max(500, 500 * (1 + low.low - high.high)))
    assert tried.possible == pytest.approx(500 * (1 + low.high - high.low))
    assert tried.proved < tried.won < tried.possible
    assert tried.allowed <= math.exp(asked.promised) * seen.at_most + asked.delta + 1e-11
    assert seen.runs < asked.runs, "runs that chose the clue are not counted"
    assert tried.caught == (asked.kind == BROKEN)


def check_sentences(asked, tried):
    bet, clue = tried.trial.bet, tried.seen
    given = f"{2 * bet.runs:,} {clue.runs:,} 1,000 99.8 99.9"
    scene = Trials(asked, tried, tried)
    said = page.headline(scene) if asked.kind == OURS else page.verdict(tried)
    for each in (said, page.proof(tried)):
        check_words(each.text, each.claims, given)
    assert page.badges(scene)[0] == (page.CAUGHT if asked.kind == BROKEN else page.HOLDS)
    assert all(dict(page.facts(scene)).values())
    (made,) = page.picture(scene)
    assert f", {tried.won:.0f}" in made.alt
    assert f"promise, at most {math.ceil(asked.guesses)}" in made.alt
    if asked.kind == OURS:
        formula = page.formula(scene)
        assert f"{clue.likelier:,}" in formula
        assert f"allowed is {percent(tried.allowed)}." in formula


def test_the_recipe_shown_makes_the_trial():
    asked = replace(FIRST, runs=2_000)
    scene = Trials(asked, found(asked), None)
    again = numbers_of(recipe_code(scenes.tried, **page.PAGE.arguments(scene)))
    assert again.bet == scene.ours.trial.bet
    assert again.audit.epsilon(0.001) == scene.ours.trial.audit.epsilon(0.001)


EVENT = Event(Seen("number", (0,)), 1.0, True, True)


def made_up(likelier, other, *, bet=(700, 355)):
    """A trial of 1,000 runs in which the clue and the bet came so often."""
    clue = Counted(EVENT, likelier, other, 1000, 1e-4)
    return Trial(Audit((clue,), 0.999), None, Counted(EVENT, *bet, 1000, 5e-4))


def test_what_is_beyond_a_broken_promise_has_the_colour_of_a_breach():
    ours_, copy = Tried(FIRST, made_up(300, 250)), Tried(BESIDE, made_up(900, 1, bet=(800, 250)))
    (made,) = page.picture(Trials(FIRST, ours_, copy))
    bars = next(trace for trace in made.figure.data if trace.type == "bar")
    assert bars.marker.color.count(page.BEYOND) == 1
    ends = [base + length for base, length in zip(bars.base, bars.x, strict=True)]
    assert ends == pytest.approx([ours_.won, BESIDE.guesses, copy.won])
    lines = [trace.x for trace in made.figure.data if trace.name == AGAINST]
    assert lines == [pytest.approx([FIRST.guesses] * 2)] * 2
    brackets = [(trace.x[0], trace.x[-1]) for trace in made.figure.data if trace.name == FROM]
    assert brackets == [(tried.proved, tried.possible) for tried in (ours_, copy)]
    lucky = Tried(FIRST, made_up(300, 250, bet=(700, 340)))  # more than is promised, by luck
    (made,) = page.picture(Trials(FIRST, lucky, None))
    assert page.BEYOND not in made.figure.data[0].marker.color


def test_a_copy_is_caught_by_bets_or_by_a_rare_clue():
    copy = Tried(BESIDE, made_up(900, 1, bet=(800, 250)))
    assert page.verdict(copy).values == (copy.proved, BESIDE.guesses)
    rare = Tried(BESIDE, made_up(300, 1))
    assert page.verdict(rare).text.startswith("**Caught by a rare clue.**")


@pytest.mark.parametrize(
    ("trial", "says"),
    [
        (made_up(300, 250), "the best bet won 672 in 1,000."),  # where 673 are promised
        (
            made_up(300, 250, bet=(700, 340)),
            "won 680 in 1,000, and luck explains the difference.",
        ),
    ],
)
def test_luck_gets_a_sentence(trial, says):
    said = page.headline(Trials(FIRST, Tried(FIRST, trial), None))
    assert said.text.endswith(says)
    check_words(said.text, said.claims, "1,000")


def test_a_trial_that_proves_too_little_says_so():
    asked = Question(kind=BROKEN, name="straight bridge", members=(), runs=2000)
    assert "Not proved yet" in page.verdict(Tried(asked, made_up(300, 250))).text
    waiting = Trials(FIRST, None, None)
    assert page.headline(waiting).text == page.TOWN
    assert (page.picture(waiting), page.beside(waiting), page.badges(waiting)) == ((), (), ())
    assert page.formula(waiting)


@for_each("noise", offered())
def test_the_cast_asks_in_an_order_that_needs_bridges(noise):
    both = ours(noise, ("research", "public"))
    assert len(both.order) == len(ASKING)
    assert sorted(both.order) != list(both.order)
    assert both.held == both.order[:2]


def odd(twin, draws, others):
    """Whether dots differ from those of right samplers as the scene of this mistake says."""
    rests = np.mean(draws[:, 0] == draws[:, 1])
    if twin in ("redraw", "copies"):
        return rests == 0
    if twin == "floats":
        return draws[:, 1].max() > 40 or draws[:, 1].min() < -40
    middle, usual = (np.median(np.abs(each[:, 0])) for each in (draws, others))
    if twin == "Algorithm 6":
        return middle < usual / 2
    return not 0.52 < rests < 0.68 or not 0.5 < middle / usual < 2


def test_each_round_of_the_game_has_one_broken_sampler_that_draws_otherwise():
    assert sorted(ROUNDS) == sorted(page.VIEWS) == sorted(TWINS), "all nine are played"
    for number, twin in enumerate(ROUNDS):
        shown = scenes.round_of(number)
        assert (shown.twin, [door for door, _ in shown.drawn]) == (twin, list(DOORS))
        drawn = dict(shown.drawn)
        right = [door for door in DOORS if door != shown.broken]
        assert odd(twin, drawn[shown.broken], drawn[right[0]]), twin
        assert not any(odd(twin, drawn[door], drawn[right[0]]) for door in right), twin
        assert page.answer(shown, shown.broken).startswith(f"**Yes, {shown.broken}")
        assert page.answer(shown, right[0]).startswith(f"**Not {right[0]}.**")
