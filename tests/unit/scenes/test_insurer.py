"""Be the insurer: towns of a seed, the best guess by simulation, scores by counting, a game."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.charts.insurer import piles, scores, written
from dpviz.errors import ParameterError
from dpviz.planning.cast import ILL, KNOWN, TOWNS
from dpviz.scenes import insurer
from dpviz.scenes.insurer import RHO, best_score, game, scores_frame, towns
from dpviz.scenes.lessons import Settings
from dpviz.ui.kit.insurer import ALWAYS, NOISY, SCREEN, SELDOM
from tests.conftest import FULL
from tests.guessing import overlap

ROUNDS = 4000 if FULL else 500
TICKS = {312.0: "312"}


@pytest.fixture(scope="module")
def many():
    """Towns of many rounds with noise."""
    return [town for k in range(ROUNDS) for town in towns(5, RHO, k)]


def test_a_coin_decides_whether_maria_is_ill_and_the_noise_is_the_publics(many):
    ill = np.array([town.ill for town in many])
    errors = np.array([town.said - (ILL if town.ill else KNOWN) for town in many])
    assert abs(ill.mean() - 0.5) < 4.5 * 0.5 / math.sqrt(len(ill))
    normal = stats.norm(0, math.sqrt(1 / (2 * RHO)))
    assert stats.kstest(errors, normal.cdf).pvalue > 1e-4
    assert abs(np.corrcoef(ill, errors)[0, 1]) < 4.5 / math.sqrt(len(ill))


def test_the_best_guess_is_right_as_often_as_the_screen_after_it_says(many):
    share = best_score(many) / len(many)
    assert insurer.right_share(RHO) == pytest.approx(overlap(RHO) / 1000, rel=1e-7)
    assert abs(share - insurer.right_share(RHO)) < 4.5 * math.sqrt(0.25 / len(many))
    for shift in (-1.0, 1.0):  # another line is worse
        other = np.mean([(town.said > insurer.HALFWAY + shift) == town.ill for town in many])
        assert other < share


def test_without_noise_the_best_guess_is_always_right_and_towns_report_their_count():
    played = towns(7, None)
    assert {(town.ill, town.said) for town in played} == {(True, ILL), (False, KNOWN)}
    assert best_score(played) == len(played) == insurer.EXACT_TOWNS


def test_rounds_and_seeds_have_towns_of_their_own_and_come_again():
    assert towns(7, RHO, 1) == towns(7, RHO, 1)
    assert len({towns(seed, RHO, k) for seed in (7, 8) for k in (0, 1)}) == 4
    assert game(7, RHO, (), 2).towns == towns(7, RHO, 0) + towns(7, RHO, 1)


def test_scores_come_up_as_often_as_orders_of_right_and_wrong_say():
    share = insurer.right_share(RHO)
    frame = scores_frame([3, 12, 12], share)
    expected = [
        100 * math.comb(TOWNS, k) * share**k * (1 - share) ** (TOWNS - k) for k in range(TOWNS + 1)
    ]
    np.testing.assert_allclose(frame[insurer.GAMES], expected, rtol=1e-9)
    assert frame[insurer.GAMES] @ frame[insurer.RIGHT] == pytest.approx(100 * TOWNS * share)
    assert frame.set_index(insurer.RIGHT)[insurer.MINE].loc[[3, 12, 13]].tolist() == [1, 2, 0]


def test_a_game_counts_its_round_alone_and_keeps_the_scores_of_those_before():
    truth = [town.ill for town in game(7, RHO, (), 2).towns]
    wrong = [not truth[0], *truth[1:TOWNS]]
    over = game(7, RHO, wrong)
    assert (over.waits, over.right, over.scores) == (False, TOWNS - 1, (TOWNS - 1,))
    on = game(7, RHO, [*wrong, truth[TOWNS]], 2)
    assert (on.waits, on.right, len(on.round), on.scores) == (True, 1, 1, (TOWNS - 1,))
    assert on.best == int(on.towns[TOWNS].points_up == on.towns[TOWNS].ill)


@pytest.mark.parametrize(
    "refused",
    [
        lambda: game(7, RHO, [True] * 21),
        lambda: game(7, RHO, [], 0),
        lambda: towns(7, RHO, -1),
        lambda: towns(7, 0.0),
        lambda: scores_frame([21], 0.5),
        lambda: scores_frame([3], 1.5),
        lambda: piles(game(7, None, []), reach=0.0, ticks={}),
    ],
)
def test_what_no_game_can_be_is_refused(refused):
    with pytest.raises(ParameterError):
        refused()


def test_a_town_stands_on_the_side_of_its_truth_filled_if_the_guess_was_right():
    played = game(7, RHO, [True] * 9)
    ill, not_ill, waits = piles(played, reach=9.0, ticks=TICKS).data
    truth = [town.ill for town in played.towns[:9]]
    assert (len(ill.x), len(not_ill.x)) == (sum(truth), 9 - sum(truth))
    assert min(ill.y) > 0 > max(not_ill.y)
    assert set(ill.marker.symbol) == {"circle"}
    assert set(not_ill.marker.symbol) == {"circle-open"}
    assert waits.x == (played.towns[9].said,)
    for trace in (ill, not_ill):  # nobody shares a place, and none crosses the line to the other
        assert len({*zip(trace.x, trace.y, strict=True)}) == len(trace.x)
        shown = sorted(x > insurer.HALFWAY for x in trace.x)
        side = trace is ill
        assert shown == sorted(town.points_up for town in played.towns[:9] if town.ill == side)


def test_the_marks_of_a_visitor_are_as_high_as_games_of_the_theory():
    theory, mine = scores(scores_frame([9, 13, 13], 0.588)).data
    assert sum(theory.y) == pytest.approx(100)
    assert [*zip(mine.x, mine.y, strict=True)] == [(9, 0.5), (13, 0.5), (13, 1.5)]


def test_a_round_ends_with_what_it_shows_and_the_number_beside_it_is_claimed():
    truth = tuple(town.ill for town in towns(3, None))
    over = SCREEN.scene(Settings(chosen="No noise", guesses=truth, seed=3))
    assert SCREEN.said(over) == ALWAYS
    assert SCREEN.side(over).value == "5 of 5"
    noisy = SCREEN.scene(Settings(chosen=NOISY, guesses=(True,) * TOWNS, seed=3))
    assert SCREEN.said(noisy) == SELDOM
    said = SCREEN.side(noisy)
    assert said.value == f"{sum(town.ill for town in noisy.towns)} of 20"
    assert said.note == f"guessing by the halfway line: {noisy.best} right"
    assert f"{overlap(RHO):.0f} times in 1,000" in said.caption
    assert len(said.lines) == 1
    twice = SCREEN.scene(Settings(chosen=NOISY, guesses=(True,) * 2 * TOWNS, seed=3, rounds=2))
    ill = sum(town.ill for town in twice.towns)
    assert SCREEN.side(twice).lines[1] == f"In all rounds: {ill} of 40, or {25 * ill} in 1,000."
    assert SCREEN.guessing.goes_on(over) == ("Now with noise", NOISY)
    assert SCREEN.guessing.goes_on(noisy) == ("Twenty more towns", NOISY)
    assert written(ILL, None) == "312"
