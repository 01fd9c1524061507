"""The auditor: never above the truth, near it where the best test is known, and it catches."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.accounting import gaussian_trade_off, laplace_trade_off
from dpviz.accounting.guarantees import offered
from dpviz.accounting.levels import randomised_response_epsilon
from dpviz.accounting.privacy_loss import gaussian, laplace
from dpviz.errors import ParameterError
from dpviz.experiments.audit import (
    FINALISTS,
    Counted,
    audit,
    auditing,
    best_bet,
    most_allowed,
    wins,
)
from dpviz.experiments.audit_events import Event, Seen, statistics, thresholds
from dpviz.experiments.audit_sessions import Coalition, HistogramCells, promised_loss
from dpviz.noise import FAMILIES
from dpviz.release import MemoryStore, MultipleRelease
from dpviz.release.suspended import ticket_of
from dpviz.scenes.falsify import ours
from tests.conftest import FULL, few, for_each, full_run

# --- The auditor: never above the truth, near it where the best test is known, and it catches ----

PARTS, CASES, RUNS = (10, 30, 1_000_000) if FULL else (1, 5, 30_000)  # 300 in the full run
SURE = 1 - 1e-6  # a right sampler fails a case once in a million audits
SCALES = (0.7, 1.5, 2.0, 2.25, 6.0, 20.0)
RATES = (12.0, 20.0, 33.0, 34.0, 60.0, 200.0)  # of counts: Poisson and Skellam noise
SHIFTS = ((1.0,), (-1.0,), (1.0, 1.0), (2.0, -1.0))
ANY = Event(Seen("number", (0,)), 0.0, True, True)


def coin(right):
    """Says whether the person is in, and is right with this chance: ε = ln(right/(1 - right))."""

    def mechanism(inside, size, *, rng):
        return (rng.random((size, 1)) < (right if inside else 1 - right)).astype(float)

    return mechanism


def test_bounds_are_those_of_clopper_and_pearson():
    settings = ((60, 3, 200, 0.01), (200, 0, 200, 1e-6), (0, 200, 200, 0.1))
    for likelier, other, runs, miss in settings:
        seen = Counted(ANY, likelier, other, runs, miss)
        low, high = (
            stats.binomtest(k, runs).proportion_ci(1 - 2 * miss, method="exact")
            for k in (likelier, other)
        )
        assert seen.at_least == pytest.approx(low.low, rel=1e-9)
        assert seen.at_most == pytest.approx(high.high, rel=1e-9)
    assert seen.epsilon() == seen.delta(0.0) == 0


def test_certificates_follow_from_the_two_bounds_at_every_delta_and_epsilon():
    seen = Counted(ANY, 900, 100, 1000, 0.001)
    for delta in (0.0, 0.01, 0.3):
        epsilon = seen.epsilon(delta)
        assert seen.at_least == pytest.approx(math.exp(epsilon) * seen.at_most + delta)
        assert seen.delta(epsilon) == pytest.approx(delta)
    assert seen.epsilon(0.999) == 0
    assert seen.delta(1e6) == 0


@pytest.mark.parametrize("right", few([0.6, 0.5, 1.0, 0.9], 2))
def test_a_coin_is_certified_nearly_all_of_its_loss(right, seed):
    truth = math.log(right / (1 - right)) if right < 1 else math.inf
    found = audit(coin(right), 200_000, rng=streams.teaching(seed), confidence=SURE).epsilon()
    assert found <= truth
    assert found >= min(truth - 0.1, 8.0)


@full_run
def test_a_certificate_is_wrong_no_more_often_than_it_says():
    """With a confidence of one half, so that mistakes can be counted; a coin is the worst case."""
    audits = 400
    wrong = sum(
        audit(coin(0.6), 1000, rng=streams.teaching(1, k), confidence=0.5).epsilon() > math.log(1.5)
        for k in range(audits)
    )
    assert wrong <= audits * 0.5
    assert wrong > 0, "so wide that it says nothing"


def cases(part):
    """Coalitions of sessions of every family that promises something, in all orders."""
    rng = np.random.default_rng((18, part))
    names = offered()
    for k in range(CASES):
        name = names[k % len(names)]
        family = FAMILIES[name]
        levels = RATES if family.level_unit == "rate" else SCALES
        order = rng.choice(levels, size=rng.integers(1, 5), replace=False).tolist()
        held = rng.choice(order, size=rng.integers(1, len(order) + 1), replace=False).tolist()
        again = held + held[:1] if k % 3 == 0 else held  # what is asked for again is the same
        shifts = SHIFTS[int(rng.integers(len(SHIFTS)))]
        yield k, Coalition(family, tuple(order), tuple(again), shifts)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_coalition_of_ours_learns_more_than_is_claimed(part):
    """R5: families, orders, coalitions, levels, moves; at the whole curve of each event."""
    pure = 0
    for k, game in cases(part):
        delta = 0.0 if math.isfinite(game.promised_epsilon(0.0)) else 1e-3
        found = audit(
            game,
            RUNS,
            rng=streams.teaching(18, part, k),
            delta=delta,
            confidence=SURE,
            looking=[game.likelihood],
            digits=game.family.integer,  # a family of floats is for teaching: see the next test
        )
        pure += delta == 0
        assert math.isfinite(game.promised_epsilon(delta)), "a promise that can be broken"
        assert found.epsilon(delta) <= game.promised_epsilon(delta), game
        for epsilon in (0.1, 0.5, 1.0, 2.0):
            assert found.delta(epsilon) <= game.promised.delta(epsilon) + 1e-12, game
    assert 0 < pure < CASES


def test_those_who_know_the_law_find_nearly_all_there_is():
    for name, least in few((("discrete_laplace", 0.93), ("laplace", 0.93)), 2):
        game = Coalition(FAMILIES[name], (6.0, 1.5, 2.0), (2.0, 6.0))
        found = audit(
            game, 200_000, rng=streams.teaching(2), looking=[game.likelihood], digits=False
        )
        assert least * 0.5 < found.epsilon() <= game.promised_epsilon(0.0) == 0.5


def test_the_last_digits_of_floats_give_a_release_away_and_whole_numbers_have_none():
    for name in ("gaussian", "laplace"):
        game = Coalition(FAMILIES[name], (1.0,), (1.0,))
        found = audit(game, 100_000, rng=streams.teaching(3), delta=1e-3)
        assert found.best(1e-3).event.statistic.kind == "digit"
        assert found.epsilon(1e-3) > 5
    game = Coalition(FAMILIES["skellam"], (4.0,), (4.0,))
    assert audit(game, 100_000, rng=streams.teaching(3), delta=1e-3).epsilon(1e-3) < 2


def test_randomised_response_is_audited_by_a_function_of_ones_own():
    family = FAMILIES["randomised_response"]

    def answers(inside, size, *, rng):
        session = MultipleRelease(np.full(size, int(inside)), family, rng=rng)
        reports = [session.release(level) for level in (2.0, 0.5, 1.0)]
        return np.stack(reports[::2], axis=1)  # those at 2 and at 1

    claimed = randomised_response_epsilon(1.0, categories=2)
    found = audit(answers, 200_000, rng=streams.teaching(4))
    assert 0.95 * claimed < found.epsilon() <= claimed


class Resumed:
    """A session that is put down and taken up again before every request, as after a restart."""

    def __init__(self, values, family, *, rng):
        self.store = MemoryStore()
        self.data = MultipleRelease(values, family, rng=rng).suspend(self.store)

    def release(self, level):
        session = MultipleRelease.resume(self.data, self.store)
        drawn = session.release(level)
        self.data = session.suspend(self.store)
        return drawn


class Replayed(Resumed):
    """The same bytes each time: an old copy of the store was put back."""

    def release(self, level):
        store = MemoryStore()
        store.issue(ticket_of(self.data))
        return MultipleRelease.resume(self.data, store).release(level)


@pytest.mark.parametrize(("kind", "caught"), [(Resumed, False), (Replayed, True)])
def test_a_replay_after_a_restart_tells_no_more_unless_the_store_is_put_back(kind, caught):
    game = Coalition(FAMILIES["discrete_laplace"], (2.0,), (2.0,) * 4, open_releases=kind)
    found = audit(game, 60_000, rng=streams.hardened(), looking=[game.likelihood])
    assert (found.epsilon() > game.promised_epsilon(0.0)) == caught


def test_our_sparse_histogram_keeps_its_promise():
    for order in few(itertools.permutations(((0.1, 5.0), (0.11, 4.0), (0.4, 1.5))), 3):
        rhos, taus = zip(*order, strict=True)
        game = HistogramCells(rhos, taus)
        found = audit(game, 60_000, rng=streams.teaching(6), delta=1e-3, digits=False)
        assert found.epsilon(1e-3) <= game.promised_epsilon(1e-3)
    assert game.promised_epsilon(0.0) == math.inf


@full_run
def test_the_result_depends_on_the_generator_alone_and_comes_at_the_end():
    game = Coalition(FAMILIES["laplace"], (2.0, 1.0), (1.0, 2.0))
    steps = list(auditing(game, 150_000, rng=streams.teaching(8), digits=False))
    again = audit(game, 150_000, rng=streams.teaching(8), digits=False)
    assert [found for _, found in steps[:-1]] == [None] * (len(steps) - 1)
    shares = [share for share, _ in steps]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    for mine, theirs in zip(steps[-1][1].counted, again.counted, strict=True):
        assert (mine.likelier, mine.other) == (theirs.likelier, theirs.other)
    assert len(again.counted) == FINALISTS


def test_events_are_cut_at_ties_and_counted_as_they_say():
    runs = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 3.0]])
    assert thresholds(np.r_[runs[:, 0], 2.0]).tolist() == [0.0, 1.0]
    agree = Event(Seen("agreement", (0, 1)), -1e-9, True, False)
    assert agree.count(runs) == 2
    assert Event(agree.statistic, agree.threshold, False, True).count(runs) == 1
    kinds = [each.kind for each in statistics(runs, runs + 1, digits=False)]
    assert "digit" not in kinds
    assert kinds.count("cells") == 2


def giving(columns=1, number=0.0, rows=None):
    """A mechanism whose outputs are all one number."""
    return lambda _inside, size, **_: np.full((rows or size, columns), number)


LAPLACE = FAMILIES["laplace"]
REFUSED = {
    "at least 1,000|at least 1000": lambda rng: audit(giving(), 999, rng=rng),
    "at most 10,000,000": lambda rng: auditing(giving(), 10_000_001, rng=rng),
    "delta": lambda rng: auditing(giving(), 5000, rng=rng, delta=-1.0),
    "confidence": lambda rng: auditing(giving(), 5000, rng=rng, confidence=1.0),
    "one row of outputs": lambda rng: audit(giving(rows=3), 5000, rng=rng),
    "outputs": lambda rng: audit(giving(number=np.nan), 5000, rng=rng),
    "1 to 32 outputs": lambda rng: audit(giving(33), 5000, rng=rng),
    "only levels of order": lambda _: Coalition(LAPLACE, (1.0,), (2.0,)),
    "at least one, not 0": lambda _: Coalition(LAPLACE, (1.0,), (1.0,), (0.0,)),
    "whole numbers": lambda _: Coalition(FAMILIES["poisson"], (1.0,), (1.0,), (0.5,)),
    "same length": lambda _: HistogramCells((0.1,), ()),
    "not offered": lambda _: promised_loss(FAMILIES["exponential"], 1.0, (1.0,)),
    "must be at least each": lambda _: Counted(ANY, 5, 0, 4, 0.1),
}


@for_each("said", REFUSED)
def test_refusals(said):
    with pytest.raises(ParameterError, match=said):
        REFUSED[said](streams.teaching(1))


# --- The best bet: as often won as theory says, never proved above what is promised --------------

BETS = 100_000


def shifted(mu):
    """Gaussian noise of variance 1, which one person moves by mu."""

    def run(inside, size, *, rng):
        return rng.normal(mu * inside, 1.0, (size, 1))

    return run


@for_each("mu", [0.3, math.sqrt(0.8), 2.0, -2.0, 0.0])
def test_of_gaussian_noise_it_wins_as_often_as_the_best_test(mu):
    """Whichever side is likelier; without a difference it is a coin."""
    bet = best_bet(shifted(mu), BETS, rng=streams.teaching(3), digits=False)
    best = stats.norm.cdf(abs(mu) / 2)
    deviation = 0.5 / math.sqrt(2 * bet.runs)
    assert bet.runs == BETS // 2
    assert best - 0.002 - 5 * deviation < wins(bet) < best + 5 * deviation
    assert (1 + bet.at_least - bet.at_most) / 2 < best


def test_a_hidden_person_is_found_for_certain():
    def told(inside, size, **_):
        return np.full((size, 1), float(inside))

    assert wins(best_bet(told, 1000, rng=streams.teaching(5))) == 1.0


def test_no_bet_of_too_few_or_too_many_runs():
    for bad in ({"runs": 999}, {"runs": 10**8}, {"runs": 1000, "confidence": 1.0}):
        with pytest.raises(ParameterError):
            best_bet(shifted(1.0), **bad, rng=streams.teaching(1))


# --- What a promise allows: the exact trade-off curve, and no more power than a proof may have ---

SHARES = [1e-6, 0.0036, 0.0047, 0.1, 0.4, 0.5, 0.8, 0.999]


@pytest.mark.parametrize("share", few(SHARES, 5))
def test_it_is_the_trade_off_curve(share):
    for mu in (0.3, math.sqrt(0.6), 2.0):
        exact = 1 - gaussian_trade_off(mu, share)
        assert most_allowed(gaussian(mu), share) == pytest.approx(exact, rel=1e-6)
    for epsilon in (0.5, 2.0):
        exact = 1 - laplace_trade_off(epsilon, share)
        assert most_allowed(laplace(1 / epsilon, 1.0), share) == pytest.approx(exact, rel=1e-6)


def test_no_test_of_whole_noise_reaches_more_and_one_reaches_it():
    """Every set of outcomes that the best test may choose, for Skellam noise."""
    game = ours("skellam", ("audit",))
    level = min(game.held)
    x = np.arange(-200, 201)
    out, inside = (stats.skellam(level, level).pmf(x - moved) for moved in (0, 1))
    for cut in range(-2, 8):
        rare, likely = out[x > cut].sum(), inside[x > cut].sum()
        assert likely <= most_allowed(game.promised, float(rare)) + 1e-9
        assert likely == pytest.approx(most_allowed(game.promised, float(rare)), rel=1e-4)


def test_no_power_of_no_promise():
    for use in (lambda: most_allowed(None, 0.5), lambda: most_allowed(gaussian(1.0), 1.5)):
        with pytest.raises(ParameterError):
            use()
