"""What the page Falsify claims and says: numbers again by another way, events in plain words."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.accounting.guarantees import guarantee_of
from dpviz.experiments.audit import FINALISTS, Audit, Counted
from dpviz.experiments.audit_events import Cells, Event, Likelihood, Seen
from dpviz.experiments.audit_histogram import HIDDEN
from dpviz.experiments.broken.table import TWINS
from dpviz.noise import ADDITIVE
from dpviz.planning.cast import ASKING
from dpviz.ui.falsify import controls, game, jobs, sample, words
from dpviz.ui.falsify.games import BROKEN, OURS, Question, kinds_of_noise, ours
from tests.cast import RHO
from tests.conftest import few
from tests.visiting import check_words

QUESTIONS = [
    *(
        Question(kind=OURS, name=noise, members=members, runs=20_000)
        for noise in kinds_of_noise()
        for members in (("research", "public"), ("audit",))
    ),
    *(Question(kind=BROKEN, name=key, members=(), runs=controls.QUICK) for key in TWINS),
]


def found(asked):
    *_, (share, trial) = jobs.trial(*controls.settings(asked))
    assert share == 1
    return trial


def another_way(asked, seen):
    """The certificate from scipy's intervals and the inequality of the definition."""
    sure = 1 - 2 * (1 - 0.999) / (2 * FINALISTS)
    least, most = (
        stats.binomtest(count, seen.runs).proportion_ci(sure, method="exact")
        for count in (seen.likelier, seen.other)
    )
    return math.log((least.low - asked.delta) / most.high)


@pytest.mark.parametrize("asked", few(QUESTIONS, 2), ids=lambda q: f"{q.name} {q.members}")
def test_every_number_of_the_sentence_is_claimed_and_found_again(asked):
    trial = found(asked)
    claims = words.claims(asked, trial)
    check_words(words.take_away(asked, trial), claims)
    proof, promise = claims
    assert proof.value == pytest.approx(another_way(asked, trial.audit.best(asked.delta)))
    assert promise.value == asked.promised
    assert words.caught(asked, trial) == (asked.kind == BROKEN)
    if asked.kind == OURS:
        assert not words.law_fails(trial)
        family = ADDITIVE[asked.name]
        least = max(RHO[name] for name in asked.members) if asked.name == "gaussian" else None
        if least is not None:  # the exact curve of Gaussian noise at its ρ
            mu = math.sqrt(2 * least)
            above = stats.norm.cdf(mu / 2 - promise.value / mu)
            below = stats.norm.cdf(-mu / 2 - promise.value / mu)
            curve = above - math.exp(promise.value) * below
            assert curve == pytest.approx(asked.delta, rel=1e-6)
        else:
            assert guarantee_of(family).pure
            typed = {"research": 1.5, "audit": 2.0}[asked.members[0]]
            assert promise.value == pytest.approx(typed)
    text = words.formula(asked, trial)
    assert f"{trial.audit.best(asked.delta).likelier:,}" in text
    assert words.event_of(asked, trial.audit.best(asked.delta))
    assert all(dict(words.facts(asked)).values())


def test_every_broken_sampler_has_its_name_and_its_mistake():
    assert set(words.TWIN_NAMES) == set(words.WRONG) == set(TWINS)
    for key, wrong in words.WRONG.items():
        assert wrong.endswith("."), key
        assert len(wrong.split()) <= 30, key
    assert set(game.SEEN) <= set(TWINS)


def test_a_trial_that_proves_too_little_says_so():
    asked = Question(kind=BROKEN, name="straight bridge", members=(), runs=2000)
    event = Event(Seen("number", (0,)), 1.0, True, True)
    trial = jobs.Trial(Audit((Counted(event, 300, 250, 1000, 1e-4),), 0.999), None)
    assert "Not caught yet" in words.take_away(asked, trial)
    check_words(words.take_away(asked, trial), words.claims(asked, trial))
    assert words.law_words(trial).startswith("The test of the distribution is for sessions")
    assert words.claims(asked, None) == ()
    assert words.take_away(asked, None) == words.RUNNING


NAMES = ("public’s number", "audit’s number")
GRID = Cells((0, 1), np.zeros(1), np.zeros(1), np.zeros((2, 2)))
LIKELY = Likelihood(ADDITIVE["laplace"], 1.0, (1.0,), (0,))
SAID = {
    "public’s number is above 2": (Seen("number", (0,)), 2.0, True),
    "audit’s number is at most 2": (Seen("number", (1,)), 2.0, False),
    "audit’s number minus public’s number is above 2": (Seen("difference", (0, 1)), 2.0, True),
    "the item is hidden in public’s number and shows in audit’s number, above 3": (
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
    "the weighted sum of public’s number and audit’s number is above 2": (
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


@pytest.mark.parametrize("noise", kinds_of_noise())
def test_the_cast_asks_in_an_order_that_needs_bridges(noise):
    both = ours(noise, ("research", "public"))
    assert len(both.order) == len(ASKING)
    assert sorted(both.order) != list(both.order)
    assert both.held == both.order[:2]


def test_each_round_of_the_game_has_one_broken_sampler_that_draws_otherwise():
    for number in range(2 * len(game.SEEN)):
        shown = game.made(number)
        assert [door for door, _ in shown.drawn] == list(game.DOORS)
        rests = {door: np.mean(draws[:, 0] == draws[:, 1]) for door, draws in shown.drawn}
        spread = {door: np.median(np.abs(draws)) for door, draws in shown.drawn}
        right = [door for door in game.DOORS if door != shown.broken]
        assert all(0.5 < rests[door] < 0.68 for door in right), "59 %"
        odd = not 0.5 < rests[shown.broken] < 0.68
        assert odd or not 0.5 < spread[shown.broken] / spread[right[0]] < 2
        assert game.answer(shown, shown.broken).startswith(f"**Yes, {shown.broken}")
        assert game.answer(shown, right[0]).startswith(f"**Not {right[0]}.**")
    assert game.made(3).broken == game.made(3).broken


def test_the_sample_plays_the_same_game():
    for asked in QUESTIONS[:1] + QUESTIONS[-1:]:
        made = {}
        exec(sample.code(asked), made)
        assert made["found"].epsilon(asked.delta) == found(asked).audit.epsilon(asked.delta)
