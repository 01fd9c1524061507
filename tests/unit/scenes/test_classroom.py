"""Every number of a class by another way: pooled by least squares, over all that students hold."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.accounting import coalition_rho
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.planning.cast import ILL, RHO
from dpviz.release import MultipleRelease
from dpviz.scenes import classroom as scenes
from dpviz.ui import classroom as page
from dpviz.workspace.classroom import (
    AUDITORS,
    FOUR_TIERS,
    ONE_PATH,
    ROUNDS,
    SEPARATE,
    Register,
    Student,
)
from tests.conftest import for_each
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
