"""A class: its numbers by least squares, its exercise sheet, and the game of the insurer."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.accounting import coalition_rho
from dpviz.charts.insurer import piles, scores, written
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.planning.cast import ILL, KNOWN, RHO, TOWNS
from dpviz.release import MultipleRelease
from dpviz.scenes import classroom as scenes
from dpviz.scenes import insurer
from dpviz.scenes.classroom import board, dealt_to
from dpviz.scenes.exercises import BUDGETS, exercises, questions, read_code, sheet, table
from dpviz.scenes.insurer import best_score, game, scores_frame, towns
from dpviz.scenes.lessons import Settings
from dpviz.ui import classroom as page
from dpviz.ui.kit.insurer import ALWAYS, NOISY, SCREEN, SELDOM
from dpviz.workspace.classroom import (
    AUDITORS,
    FOUR_TIERS,
    ONE_PATH,
    ROUNDS,
    SEPARATE,
    Register,
    Student,
)
from tests.conftest import FULL, few, for_each
from tests.guessing import overlap
from tests.visiting import check_words, plain

GAUSSIAN = FAMILIES["gaussian"]
THIRTY = tuple(range(30))


def register_of(order=THIRTY, tiers=FOUR_TIERS, **more):
    """A class in which these places drew in both rounds, in this order."""
    size = max(order, default=-1) + 1
    students = tuple(Student(f"Owl {k}", tiers[k % len(tiers)]) for k in range(size))
    made = {"seed": 7, "round": ONE_PATH, "asked": (tuple(order), tuple(order))}
    return Register(code="KXRTMP", tiers=tiers, students=students, **(made | more))


def least_squares(drawn, covariance):
    """The best linear estimate of the truth from these numbers, and its variance."""
    values, inverse = np.array([x.value for x in drawn]), np.linalg.pinv(covariance, hermitian=True)
    precision = inverse.sum()
    return inverse.sum(axis=0) @ values / precision, 1 / precision


def variances(drawn):
    return np.array([1 / (2 * x.rho) for x in drawn])


@for_each("order", [(0,), (3, 0), (5, 2, 7), THIRTY, tuple(reversed(THIRTY))])
def test_all_together_is_the_best_estimate_from_what_they_hold(order):
    separate, path = scenes.board(register_of(order)).rounds
    for each, covariance in (
        (separate, np.diag(variances(separate.drawn))),
        (path, np.minimum.outer(variances(path.drawn), variances(path.drawn))),
    ):
        value, variance = least_squares(each.drawn, covariance)
        assert each.pool.value == pytest.approx(value, rel=1e-9)
        assert each.pool.sd**2 == pytest.approx(variance, rel=1e-9)
        assert each.pool.half == pytest.approx(stats.norm.ppf(0.975) * math.sqrt(variance))
        right = 1000 * stats.norm.cdf(1 / (2 * math.sqrt(variance)))
        assert each.right.value == pytest.approx(right, rel=1e-9)


def test_the_core_adds_the_same_budgets():
    separate, path = scenes.board(register_of()).rounds
    held = [RHO[x.tier] for x in separate.drawn]
    assert separate.rho == pytest.approx(coalition_rho(held, "independent").value)
    assert path.rho == coalition_rho(held, "lossless").value == 0.4


def test_thirty_auditors_find_the_truth_with_separate_noise_and_stay_where_one_is_on_one_path():
    climbs, stays = [], []
    for count in (1, 2, 30):
        separate, path = scenes.board(register_of(range(count), AUDITORS)).rounds
        climbs.append(separate.right.count)
        stays.append(path.right.count)
    assert climbs == [673, 736, 993]
    assert stays == [673, 673, 673]
    assert len({x.value for x in path.drawn}) == 1
    assert len({x.value for x in separate.drawn}) == 30


def test_students_of_one_tier_hold_one_number_on_one_path_and_tiers_differ():
    drawn = scenes.draw(register_of(), ONE_PATH)
    by_tier = {tier: {x.value for x in drawn if x.tier == tier} for tier in FOUR_TIERS}
    assert all(len(values) == 1 for values in by_tier.values())
    assert len(set.union(*by_tier.values())) == 4


def test_numbers_of_a_path_are_those_of_one_session_asked_in_that_order():
    order = (2, 1, 5, 0, 3)
    session = MultipleRelease([float(ILL)], GAUSSIAN, rng=streams.teaching(7, ONE_PATH, 0))
    register = register_of(order)
    held = [
        session.release(1 / (2 * RHO[register.students[place].tier]))[0].item() for place in order
    ]
    assert [x.value for x in scenes.draw(register, ONE_PATH)] == held


@for_each("which", ROUNDS)
def test_who_asks_later_changes_no_number(which):
    few, all_ = (scenes.draw(register_of(THIRTY[:k]), which) for k in (11, 30))
    assert all_[:11] == few


def test_separate_numbers_do_not_depend_on_the_order():
    first, second = (scenes.draw(register_of(o), SEPARATE) for o in (THIRTY, THIRTY[::-1]))
    assert sorted(first, key=lambda x: x.who) == sorted(second, key=lambda x: x.who)


def test_shuffled_single_numbers_change_and_how_sharp_they_are_does_not():
    before = scenes.board(register_of())
    after = scenes.board(register_of(THIRTY[::-1], shuffles=1))
    assert after.rounds[0].pool.value == pytest.approx(before.rounds[0].pool.value)
    old, new = before.rounds[1], after.rounds[1]
    assert {x.value for x in old.drawn}.isdisjoint(x.value for x in new.drawn)
    assert (old.right, old.pool.sd, before.rows) == (new.right, new.pool.sd, after.rows)


def test_before_anybody_has_drawn_there_is_a_coin_and_no_number():
    board = scenes.board(register_of((), round=SEPARATE))
    assert len(board.rounds) == 1
    assert (board.last.right.count, board.last.alone.count, board.last.pool) == (500, 500, None)
    assert board.reach == 0
    assert list(board.last.frame.columns) == list(scenes.COLUMNS)


def test_the_truth_is_told_once_all_who_are_there_have_drawn():
    def told(*asked, **more):
        return scenes.board(register_of(asked=(asked, ()), **more)).is_told

    assert not scenes.board(register_of((), round=SEPARATE)).is_told
    assert not told(*range(29), round=SEPARATE)
    assert told(*THIRTY, round=SEPARATE)
    assert told(0, 1)  # the second round has begun


def test_a_shuffle_takes_readers_of_two_tiers_on_one_path():
    assert scenes.board(register_of((0, 1))).can_shuffle
    assert not scenes.board(register_of((0, 4))).can_shuffle, "both auditors"
    assert not scenes.board(register_of((0, 1), round=SEPARATE)).can_shuffle


def test_a_student_sees_the_number_of_the_round_that_is_open():
    register = register_of((1, 0), asked=((1, 0), (0,)))
    assert scenes.number_of(register, 0) == scenes.draw(register, ONE_PATH)[0]
    with pytest.raises(ParameterError, match="press first"):
        scenes.number_of(register, 1)
    before = register_of((1, 0), asked=((1, 0), ()), round=SEPARATE)
    assert scenes.number_of(before, 1).who == "Owl 1"


@for_each(
    "register",
    [
        register_of((), round=SEPARATE),
        register_of((0,), round=SEPARATE),
        register_of(THIRTY, round=SEPARATE),
        register_of(THIRTY),
        register_of(THIRTY, asked=(THIRTY, ())),
        register_of((3,)),
        register_of((3, 2)),
        register_of(THIRTY, asked=((), THIRTY)),
        register_of((3, 2), AUDITORS),
    ],
)
def test_the_headline_says_why(register):
    said = page.headline(scenes.board(register))
    check_words(said.text, said.claims)


def test_the_headline_tells_what_an_insurer_learns():
    def told(**more):
        return plain(page.headline(scenes.board(register_of(**more))).text)

    assert told(tiers=AUDITORS, round=SEPARATE) == (
        "Together: right 993 times in 1,000. The best alone: 673 times in 1,000."
    )
    assert told(tiers=AUDITORS) == (
        "One path: right 673 times in 1,000, as by the best alone. With separate noise: 993 times "
        "in 1,000."
    )
    assert "With separate noise" not in told(asked=((), THIRTY))


def test_a_student_is_told_how_near_the_number_comes():
    for tier in FOUR_TIERS:
        said = page.task(Student("Wise Owl", tier))
        check_words(said.text, said.claims)
        assert said.values == (pytest.approx(1.959964 / math.sqrt(2 * RHO[tier]), rel=1e-6),)


@for_each("scores", [(0,), (9, 20), (12,) * 200])
def test_the_scores_of_a_class_are_told_beside_the_best_guess(scores):
    said = page.told_of_scores(scores)
    check_words(said.text, said.claims)
    students = "1 student" if len(scores) == 1 else f"{len(scores)} students"
    assert plain(said.text) == (
        f"{students} guessed with noise: right {50 * np.mean(scores):.0f} times in 1,000. In the "
        f"long run the best rule is right {overlap(RHO['public']):.0f} times in 1,000."
    )


# The exercise sheet of a class: every answer again from what is printed, by other formulas.


CODES = [
    "KXRTMP",
    "BCDFGH",
    "AAAAAA",
    *("".join(np.random.default_rng(k).choice([*"BCDFGHJKLM"], 6)) for k in range(200 * FULL + 20)),
]
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def numbers(text):
    return [float(x) for x in NUMBER.findall(plain(text).replace("1,000", "").replace(",", ""))]


def normal(mean, rho):
    return stats.norm(mean, math.sqrt(1 / (2 * rho)))


@pytest.fixture(params=few(CODES, 4))
def asked(request):
    """Questions and answers of a code, as they are printed."""
    return questions(exercises(request.param))


def test_the_count_is_the_known_and_maria(asked):
    reported, known = numbers(asked[0].question)
    assert reported - known in (0, 1)
    assert asked[0].answer.startswith("Yes" if reported > known else "No")


def test_the_half_width_holds_95_of_100_draws(asked):
    (half,) = numbers(asked[1].answer)
    rho = numbers(asked[1].question)[0]
    exact = normal(0, rho).ppf(0.975)
    assert exact <= half <= 1.1 * exact  # rounded up, to two digits


def test_the_better_guess_is_the_higher_hill_and_by_so_much(asked):
    known, rho, said = numbers(asked[2].question)
    well, ill = (normal(truth, rho).pdf(said) for truth in (known, known + 1))
    assert ill != well
    assert asked[2].answer.startswith("“ill”" if ill > well else "“not ill”")
    (times,) = numbers(asked[2].answer)
    assert times == pytest.approx(max(ill, well) / min(ill, well), rel=6e-3)


def test_separate_numbers_are_pooled_by_least_squares_and_their_budgets_add(asked):
    printed = numbers(asked[3].question)
    said, rhos = np.array(printed[0::2]), np.array(printed[1::2])
    pooled = np.linalg.lstsq(np.sqrt(2 * rhos)[:, None], np.sqrt(2 * rhos) * said, rcond=None)[0]
    best, right = numbers(asked[3].answer)
    assert best == pytest.approx(pooled[0], abs=0.0501)
    assert right == round(overlap(rhos.sum()))


def test_on_one_path_the_sharpest_number_counts(asked):
    rhos = numbers(asked[4].question)
    assert numbers(asked[4].answer) == [round(overlap(max(rhos)))]


def test_the_late_number_falls_where_two_normal_steps_say(asked):
    """Given the sharp one, the middle one adds a step and the blurred one a further step."""
    sharp, high, blurred, low, rho = numbers(asked[5].question)
    first, second = (1 / (2 * a) - 1 / (2 * b) for a, b in ((rho, high), (low, rho)))
    middle, half = numbers(asked[5].answer)[:2]
    assert middle == pytest.approx(sharp + (blurred - sharp) * first / (first + second), abs=0.0501)
    spread = 1.959964 * math.sqrt(first * second / (first + second))
    assert spread <= half <= 1.1 * spread


def test_the_table_is_the_overlap_of_two_hills_and_has_every_sum():
    found = {float(rho): int(right) for rho, right in table()}
    for rho, right in found.items():
        assert right == round(overlap(rho))
    sums = {round(a + b + c, 2) for a in BUDGETS for b in BUDGETS for c in BUDGETS if a < b < c}
    assert sums <= found.keys()


def test_a_code_alone_makes_a_sheet_and_another_code_makes_another():
    assert sheet("KXRTMP") == sheet(" kxrtmp")
    assert len({sheet(code) for code in CODES}) == len({*CODES})
    made, key = sheet("KXRTMP"), sheet("KXRTMP", answers=True)
    for each in questions(exercises("KXRTMP")):
        assert each.question in made
        assert each.answer not in made
        assert each.answer in key
    assert not re.search(r"https?:|<script|<link|src=", made + key)


@for_each(
    "dealt",
    [("public", "audit"), dealt_to(12), dealt_to(30), 5 * ("audit",), dealt_to(60)],
)
def test_the_question_about_the_board_adds_budgets_or_takes_the_largest(dealt):
    """From what it prints, and as the board of a class of these students has it."""
    asked = questions(exercises("KXRTMP", dealt))
    assert asked[:6] == questions(exercises("KXRTMP"))
    printed = re.findall(r"([\d,]+) numbers? of ρ = ([\d.]*\d)", plain(asked[6].question))
    rhos = [float(rho) for count, rho in printed for _ in range(int(count))]
    assert len(rhos) == len(dealt)
    apart, right, together, alone = numbers(asked[6].answer)
    assert (apart, together) == (pytest.approx(sum(rhos)), max(rhos))
    assert (right, alone) == (round(overlap(sum(rhos))), round(overlap(max(rhos))))
    order = tuple(range(len(dealt)))
    students = tuple(Student(f"Owl {k}", tier) for k, tier in enumerate(dealt))
    both = {"asked": (order, order), "round": ONE_PATH}
    tiers = tuple(dict.fromkeys(dealt))
    shown = board(Register(code="KXRTMP", seed=7, tiers=tiers, students=students, **both))
    assert [each.right.count for each in shown.rounds] == [right, alone]


def test_a_class_that_cannot_be_is_refused():
    with pytest.raises(ParameterError, match="students"):
        dealt_to(201)
    with pytest.raises(ParameterError, match="students"):
        exercises("KXRTMP", 201 * ("audit",))
    with pytest.raises(ParameterError, match="tier"):
        exercises("KXRTMP", ("board",))


def test_only_the_sheet_of_a_class_asks_about_its_board():
    made, key = (sheet("KXRTMP", answers=k, dealt=dealt_to(12)) for k in (False, True))
    assert "3 numbers of ρ = 0.4" in plain(made)
    assert "890" not in made
    assert "890 of 1,000" in plain(key)
    assert "the students of the class" in key
    assert "the students of the class" not in sheet("KXRTMP", answers=True)
    assert questions(exercises("KXRTMP", dealt_to(1))) == questions(exercises("KXRTMP"))


@for_each("text", ["", "ABCDE", "ABCDEFG", "ABC1EF", "ÄBCDEF", "AB CDE", "<b>abc"])
def test_what_is_no_code_is_refused(text):
    with pytest.raises(ParameterError, match="six letters from A to Z"):
        read_code(text)


# Be the insurer: towns of a seed, the best guess by simulation, scores by counting, a game.


MANY_ROUNDS = 4000 if FULL else 500
TICKS = {312.0: "312"}


@pytest.fixture(scope="module")
def many():
    """Towns of many rounds with noise."""
    return [town for k in range(MANY_ROUNDS) for town in towns(5, insurer.RHO, k)]


def test_a_coin_decides_whether_maria_is_ill_and_the_noise_is_the_publics(many):
    ill = np.array([town.ill for town in many])
    errors = np.array([town.said - (ILL if town.ill else KNOWN) for town in many])
    assert abs(ill.mean() - 0.5) < 4.5 * 0.5 / math.sqrt(len(ill))
    normal = stats.norm(0, math.sqrt(1 / (2 * insurer.RHO)))
    assert stats.kstest(errors, normal.cdf).pvalue > 1e-4
    assert abs(np.corrcoef(ill, errors)[0, 1]) < 4.5 / math.sqrt(len(ill))


def test_the_best_guess_is_right_as_often_as_the_screen_after_it_says(many):
    share = best_score(many) / len(many)
    assert insurer.right_share(insurer.RHO) == pytest.approx(overlap(insurer.RHO) / 1000, rel=1e-7)
    assert abs(share - insurer.right_share(insurer.RHO)) < 4.5 * math.sqrt(0.25 / len(many))
    for shift in (-1.0, 1.0):  # another line is worse
        other = np.mean([(town.said > insurer.HALFWAY + shift) == town.ill for town in many])
        assert other < share


def test_without_noise_the_best_guess_is_always_right_and_towns_report_their_count():
    played = towns(7, None)
    assert {(town.ill, town.said) for town in played} == {(True, ILL), (False, KNOWN)}
    assert best_score(played) == len(played) == insurer.EXACT_TOWNS


def test_rounds_and_seeds_have_towns_of_their_own_and_come_again():
    assert towns(7, insurer.RHO, 1) == towns(7, insurer.RHO, 1)
    assert len({towns(seed, insurer.RHO, k) for seed in (7, 8) for k in (0, 1)}) == 4
    assert game(7, insurer.RHO, (), 2).towns == towns(7, insurer.RHO, 0) + towns(7, insurer.RHO, 1)


def test_scores_come_up_as_often_as_orders_of_right_and_wrong_say():
    share = insurer.right_share(insurer.RHO)
    frame = scores_frame([3, 12, 12], share)
    expected = [
        100 * math.comb(TOWNS, k) * share**k * (1 - share) ** (TOWNS - k) for k in range(TOWNS + 1)
    ]
    np.testing.assert_allclose(frame[insurer.GAMES], expected, rtol=1e-9)
    assert frame[insurer.GAMES] @ frame[insurer.RIGHT] == pytest.approx(100 * TOWNS * share)
    assert frame.set_index(insurer.RIGHT)[insurer.MINE].loc[[3, 12, 13]].tolist() == [1, 2, 0]


def test_a_game_counts_its_round_alone_and_keeps_the_scores_of_those_before():
    truth = [town.ill for town in game(7, insurer.RHO, (), 2).towns]
    wrong = [not truth[0], *truth[1:TOWNS]]
    over = game(7, insurer.RHO, wrong)
    assert (over.waits, over.right, over.scores) == (False, TOWNS - 1, (TOWNS - 1,))
    on = game(7, insurer.RHO, [*wrong, truth[TOWNS]], 2)
    assert (on.waits, on.right, len(on.round), on.scores) == (True, 1, 1, (TOWNS - 1,))
    assert on.best == int(on.towns[TOWNS].points_up == on.towns[TOWNS].ill)


@for_each(
    "refused",
    [
        lambda: game(7, insurer.RHO, [True] * 21),
        lambda: game(7, insurer.RHO, [], 0),
        lambda: towns(7, insurer.RHO, -1),
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
    played = game(7, insurer.RHO, [True] * 9)
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
    assert said.note == f"using the halfway line: {noisy.best} right"
    assert f"{overlap(insurer.RHO):.0f} times in 1,000" in said.caption
    assert len(said.lines) == 1
    twice = SCREEN.scene(Settings(chosen=NOISY, guesses=(True,) * 2 * TOWNS, seed=3, rounds=2))
    ill = sum(town.ill for town in twice.towns)
    assert SCREEN.side(twice).lines[1] == f"In all rounds: {ill} of 40, or {25 * ill} in 1,000."
    assert SCREEN.guessing.goes_on(over) == ("Now with noise", NOISY)
    assert SCREEN.guessing.goes_on(noisy) == ("Twenty more towns", NOISY)
    assert written(ILL, None) == "312"
