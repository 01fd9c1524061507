"""What the page Falsify claims and says: numbers again by another way, events in plain words."""

import math
from functools import cache

import numpy as np
import pytest
from scipy import stats

from dpviz.accounting.guarantees import offered
from dpviz.experiments.audit import FINALISTS, Audit, Counted
from dpviz.experiments.audit_events import Cells, Event, Likelihood, Seen
from dpviz.experiments.audit_histogram import HIDDEN
from dpviz.experiments.broken.table import TWINS
from dpviz.noise import ADDITIVE
from dpviz.planning.cast import ASKING
from dpviz.ui.falsify import game, jobs, pictures, sample, words
from dpviz.ui.falsify.games import BESIDE, BROKEN, FIRST, OURS, QUICK, Question, ours
from dpviz.ui.falsify.scenes import ROUNDS, SCENES
from tests.cast import RHO
from tests.conftest import few
from tests.visiting import check_words

QUESTIONS = [
    *(
        Question(kind=OURS, name=noise, members=members, runs=20_000)
        for noise in offered()
        for members in (("research", "public"), ("audit",))
    ),
    *(Question(kind=BROKEN, name=key, members=(), runs=QUICK) for key in TWINS),
]


def found(asked):
    *_, (share, trial) = jobs.trial(*asked.settings)
    assert share == 1
    return trial


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


@pytest.mark.parametrize("asked", few(QUESTIONS, 2), ids=lambda q: f"{q.name} {q.members}")
def test_every_number_of_the_sentence_is_claimed_and_found_again(asked):
    trial = found(asked)
    claims = words.claims(asked, trial)
    said = words.take_away if asked.kind == OURS else words.verdict
    check_words(said(asked, trial), claims, f"{trial.bet.runs * 2:,} {QUICK // 2:,} 1,000")
    seen = trial.audit.best(asked.delta)
    most_won, won, likely, rare, allowed, proof = (claim.value for claim in claims)
    proved, most = another_way(asked, seen)
    assert proof == pytest.approx(proved)
    if asked.kind == OURS:  # of noise whose δ is summed here
        assert allowed == pytest.approx(100 * most, rel=2e-3)
        assert most_won == pytest.approx(500 * (1 + curve(asked, 0.0)), rel=1e-3)
        assert won < most_won + 1000 * 4 / math.sqrt(4 * 2 * trial.bet.runs)  # four deviations
        assert 1000 * words.proved_wins(trial) < most_won
    bet = trial.bet
    assert won == pytest.approx(500 + 500 * (bet.likelier - bet.other) / bet.runs)
    assert allowed <= 100 * (math.exp(asked.promised) * seen.at_most + asked.delta) + 1e-9
    assert seen.runs < asked.runs, "runs that chose the clue are not counted"
    assert likely == pytest.approx(100 * seen.likelier / seen.runs)
    assert rare == pytest.approx(100 * seen.other / seen.runs)
    assert f"of the runs {'with' if seen.event.inside else 'without'} Maria" in claims[2].what
    assert words.caught(asked, trial) == (asked.kind == BROKEN)
    if asked.kind == OURS:
        assert not words.law_fails(trial)
        assert curve(asked, asked.promised) == pytest.approx(asked.delta, abs=1e-9)
    text = words.formula(asked, trial)
    assert f"{seen.likelier:,}" in text
    assert words.clue(asked, seen) in text
    assert f"{asked.runs:,} times" in words.reading(asked)
    assert f"over all ε is {words.percent(allowed / 100)}" in text
    held = words.CAUGHT if asked.kind == BROKEN else words.HOLDS
    assert pictures.badges(asked, trial)[0][0] == held
    assert all(dict(words.facts(asked)).values())


def test_every_broken_sampler_has_its_name_and_its_mistake():
    assert set(words.TWIN_NAMES) == set(words.WRONG) == set(TWINS)
    for key, wrong in words.WRONG.items():
        assert wrong.endswith("."), key
        assert len(wrong.split()) <= 30, key


EVENT = Event(Seen("number", (0,)), 1.0, True, True)


def made_up(likelier, other, *, bet=(700, 355)):
    """A trial of 1,000 runs in which the clue and the bet came so often."""
    clue = Counted(EVENT, likelier, other, 1000, 1e-4)
    return jobs.Trial(Audit((clue,), 0.999), None, Counted(EVENT, *bet, 1000, 5e-4))


def test_correct_noise_that_is_caught_by_bad_luck_gets_a_sentence():
    trial = made_up(900, 1)
    said = words.take_away(FIRST, trial)
    assert said.endswith(words.BAD_LUCK)
    check_words(said, words.claims(FIRST, trial))


def test_a_bet_that_wins_more_by_luck_says_so():
    trial = made_up(300, 250, bet=(700, 340))  # 680 of 1,000, where 673 are promised
    assert words.take_away(FIRST, trial).endswith("won 680, and luck explains the difference.")
    assert words.take_away(FIRST, made_up(300, 250)).endswith("the best bet won 672.")


def test_a_trial_that_proves_too_little_says_so():
    asked = Question(kind=BROKEN, name="straight bridge", members=(), runs=2000)
    trial = made_up(300, 250)
    assert "Not proved yet" in words.verdict(asked, trial)
    assert pictures.badges(asked, trial)[0][0] == words.HOLDS, "less than is allowed"
    assert words.claims(asked, None) == ()
    assert words.take_away(asked, None) == words.RUNNING
    assert words.coming(asked).endswith(f"promised at most: {math.ceil(asked.guesses)}.")


def test_the_trials_that_a_visitor_meets_first_are_made_once_and_like_any_other():
    for asked in (FIRST, BESIDE):
        assert jobs.first(asked) is jobs.first(asked)
        assert jobs.first(asked).audit.best(asked.delta) == found(asked).audit.best(asked.delta)


NAMES = ("public’s number", "audit’s number")
GRID = Cells((0, 1), np.zeros(1), np.zeros(1), np.zeros((2, 2)))
LIKELY = Likelihood(ADDITIVE["laplace"], 1.0, (1.0,), (0,))
SAID = {
    "public’s number is more than 2 above the count without Maria": (
        Seen("number", (0,)),
        2.0,
        True,
    ),
    "audit’s number is at most 2 above the count without Maria": (Seen("number", (1,)), 2.0, False),
    "audit’s number is 2 or more below the count without Maria": (
        Seen("number", (1,)),
        -2.0,
        False,
    ),
    "audit’s number is at most the count without Maria": (Seen("number", (1,)), 0.0, False),
    "audit’s number minus public’s number is above 2": (Seen("difference", (0, 1)), 2.0, True),
    "the item is hidden in public’s number and shows in audit’s number, more than 3 above the "
    "count without Maria": (
        Seen("difference", (0, 1)),
        3.0 - HIDDEN,
        True,
    ),
    "public’s number and audit’s number are less than 2 apart": (
        Seen("agreement", (0, 1)),
        -2.0,
        True,
    ),
    "public’s number and audit’s number are at least 2 apart": (
        Seen("agreement", (0, 1)),
        -2.0,
        False,
    ),
    "a weighted average of public’s and audit’s numbers is more than 1 "
    "above the count without Maria": (
        Seen("sum", (0, 1), (1.0, 1.0)),
        2.0,
        True,
    ),
    "public’s number has a binary digit as fine as 2 to the power −54": (
        Seen("digit", (0,)),
        -54.0,
        False,
    ),
    "public’s number has no binary digit as fine as 2 to the power −54": (
        Seen("digit", (0,)),
        -54.0,
        True,
    ),
    "public’s number and its distance to audit’s number lie where they are likelier with Maria": (
        GRID,
        0.1,
        True,
    ),
    "public’s number lie where they are likelier without Maria": (LIKELY, 0.1, False),
}


@pytest.mark.parametrize("said", SAID)
def test_events_in_words(said):
    statistic, cut, above = SAID[said]
    assert words.event_words(Event(statistic, cut, above, True), NAMES) == said


@pytest.mark.parametrize("noise", offered())
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
    assert sorted(ROUNDS) == sorted(SCENES) == sorted(TWINS), "all nine are played"
    for number, twin in enumerate(ROUNDS):
        shown = game.made(number)
        assert (shown.twin, [door for door, _ in shown.drawn]) == (twin, list(game.DOORS))
        drawn = dict(shown.drawn)
        right = [door for door in game.DOORS if door != shown.broken]
        assert odd(twin, drawn[shown.broken], drawn[right[0]]), twin
        assert not any(odd(twin, drawn[door], drawn[right[0]]) for door in right), twin
        assert game.answer(shown, shown.broken).startswith(f"**Yes, {shown.broken}")
        assert game.answer(shown, right[0]).startswith(f"**Not {right[0]}.**")
        assert shown.scene.hint in game.answer(shown, right[0])
    assert game.made(3).broken == game.made(3).broken


def test_what_the_checks_say_of_a_broken_sampler_after_the_guess():
    for key, said in {
        "copies": "each number by itself is drawn as it should be",
        "small": "and so does the test of the distribution",
        "Algorithm 6": "Histograms have a test of the distribution of their own",
    }.items():
        asked = Question(kind=BROKEN, name=key, members=(), runs=QUICK)
        trial = found(asked)
        assert words.seen_by(asked, trial).startswith("The auditor catches it")
        assert said in words.seen_by(asked, trial)
        (_, promised), (_, proved) = words.proved(asked, trial)
        assert (promised, proved) == (asked.promised, trial.audit.epsilon(asked.delta))
        assert proved > promised
    little = jobs.Trial(made_up(300, 250).audit, trial.law, trial.bet)
    assert words.seen_by(asked, little).startswith("The auditor does not catch it")


def test_the_sample_plays_the_same_game():
    for asked in QUESTIONS[:1] + QUESTIONS[-1:]:
        made = {}
        exec(sample.code(asked), made)
        assert made["found"].epsilon(asked.delta) == found(asked).audit.epsilon(asked.delta)
