"""Classes: who may do what, for how long, how many, and what a stranger with many tabs can do."""

from functools import partial

import pytest

from dpviz.errors import ParameterError
from dpviz.planning.cast import RHO
from dpviz.workspace import classroom
from dpviz.workspace.classroom import (
    AUDITORS,
    FULL,
    LASTS,
    LENGTH,
    LETTERS,
    LONGEST,
    MOST_CLASSES,
    MOST_QUESTIONS,
    MOST_STUDENTS,
    MOST_WRONG,
    MOST_WRONG_IN_ALL,
    NO_SUCH_CLASS,
    ONE_PATH,
    OVER,
    QUIET,
    SEPARATE,
    WAIT,
    WINDOW,
    Classes,
    NoClassError,
    Register,
    Student,
    code_from,
)
from tests.project_workers import in_threads


class Clock:
    """A clock that a test turns on."""

    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def classes(clock):
    return Classes(clock)


def wrong_codes(code, count):
    """Codes that are no class's, the same in every run."""
    first = LETTERS.index(code[0]) + 1
    rest = [a + b + c for a in LETTERS for b in LETTERS for c in LETTERS]
    return [LETTERS[first % len(LETTERS)] + code[1:3] + end for end in rest[:count]]


def refused(act, *args):
    with pytest.raises(ParameterError) as found:
        act(*args)
    return str(found.value)


def test_a_class_goes_from_its_first_press_to_its_end(classes):
    code, secret = classes.open()
    ann, bob = (classes.join(code, tab) for tab in ("a", "b"))
    classes.press(code, bob)
    classes.press(code, ann)
    classes.press(code, bob)  # once more, which changes nothing
    assert classes.seen(code, secret).asked == ((1, 0), ())
    classes.begin_second(code, secret, "Q")
    edition = classes.seen(code, secret).edition
    classes.begin_second(code, secret, "Q")
    assert classes.seen(code, secret).edition == edition
    classes.press(code, ann)
    register = classes.seen(code, secret)
    assert (register.round, register.asked, register.turn) == (ONE_PATH, ((1, 0), (0,)), (1, 0))
    assert [student.tier for student in register.students] == ["audit", "research"]
    assert classes.place(code, bob) == (1, register)
    classes.end(code, secret)
    assert classes.place(code, bob) is None
    assert refused(classes.press, code, bob) == refused(classes.join, code, "a") == OVER


def test_students_are_dealt_tiers_of_the_cast_in_turn_or_are_auditors(classes):
    for tiers in (classroom.FOUR_TIERS, AUDITORS):
        code, secret = classes.open(tiers)
        for k in range(9):
            classes.join(code, str(k))
        dealt = [student.tier for student in classes.seen(code, secret).students]
        assert dealt == [tiers[k % len(tiers)] for k in range(9)]
        assert set(dealt) <= set(RHO)
    assert "four tiers" in refused(classes.open, ("public",))


def test_names_are_made_up_and_nobody_has_the_same_one(classes):
    code, secret = classes.open()
    for k in range(MOST_STUDENTS):
        classes.join(code, str(k))
    names = [student.name for student in classes.seen(code, secret).students]
    assert len(set(names)) == MOST_STUDENTS
    assert all(len(name.split()) == 2 and name.istitle() for name in names)
    assert refused(classes.join, code, "one more") == FULL
    assert len(classes.seen(code, secret).students) == MOST_STUDENTS


def test_codes_are_six_letters_from_all_that_there_are(classes, clock):
    codes = set()
    for _ in range(30):
        codes |= {classes.open()[0] for _ in range(MOST_CLASSES)}
        clock.now += LASTS
    assert len(codes) == 30 * MOST_CLASSES
    assert {len(code) for code in codes} == {LENGTH}
    assert set("".join(codes)) == set(LETTERS)  # each of 20 letters is missing with chance 1e-79
    assert not set(LETTERS) & set("AEIOUY015")


def test_another_class_is_out_of_reach(classes):
    (code, secret), (other, theirs) = classes.open(), classes.open()
    mine, hers = classes.join(code, "a"), classes.join(other, "b")
    acts = (classes.seen, classes.begin_second, classes.tell, classes.shuffle, classes.end)
    for act, more in zip(acts, ((), ("Q",), ("Q",), (), ()), strict=True):
        for wrong in (theirs, mine, hers, "", "é"):
            assert refused(act, code, wrong, *more) == classroom.NOT_YOURS
    assert classes.place(code, hers) is None
    assert refused(classes.press, code, hers) == OVER
    assert refused(classes.vote, code, hers, "Q", "A") == OVER
    classes.press(other, hers)
    classes.vote(other, hers, "Q", "A")
    assert classes.seen(code, secret).asked == ((), ())
    assert (classes.votes(code, "Q"), classes.votes(other, "Q")) == ({}, {"A": 1})


def test_a_class_ends_by_itself_after_two_hours(classes, clock):
    code, secret = classes.open()
    mine = classes.join(code, "a")
    clock.now += LASTS - 0.1
    classes.press(code, mine)  # no act makes it last longer
    clock.now += 0.1
    assert classes.place(code, mine) is None
    assert refused(classes.seen, code, secret) == classroom.NOT_YOURS
    assert refused(classes.join, code, "b") == OVER
    assert LASTS == 7200


def test_a_class_in_which_nothing_happens_makes_room(classes, clock):
    made = []
    for _ in range(MOST_CLASSES):
        made.append(classes.open())
        clock.now += 1
    assert refused(classes.open) == classroom.ALL_TAKEN
    clock.now += QUIET
    classes.join(made[0][0], "a")
    classes.seen(*made[1])  # a board that looks keeps its class
    code, _ = classes.open()
    assert len({code, *(c for c, _ in made)}) == MOST_CLASSES + 1
    assert classes.seen(*made[0])
    assert classes.seen(*made[1])
    assert refused(classes.seen, *made[2]) == classroom.NOT_YOURS


def test_a_tab_that_guesses_ten_codes_wrong_waits(classes, clock):
    code, _ = classes.open()
    first, *others = wrong_codes(code, MOST_WRONG)
    for _ in range(3 * MOST_WRONG):  # that a page asks for again: one guess
        assert refused(classes.join, first, "a") == NO_SUCH_CLASS
    for wrong in others:
        assert refused(classes.join, wrong, "a") == NO_SUCH_CLASS
    assert refused(classes.join, code, "a") == WAIT  # the right one, too: else waiting tells
    assert classes.join(code, "b")
    clock.now += WINDOW
    assert classes.join(code, "a")


def test_many_tabs_together_guess_no_more_than_all_may(classes, clock):
    ended, secret = classes.open()
    classes.end(ended, secret)
    for k in range(2 * MOST_WRONG_IN_ALL):  # thirty open pages ask once more: no wrong guess
        assert refused(classes.join, ended, f"tab {k}") == OVER
    code, _ = classes.open()
    inside = classes.join(code, "in class")
    wrong = wrong_codes(code, 4 * MOST_WRONG_IN_ALL)
    said = [refused(classes.join, each, f"tab {k}") for k, each in enumerate(wrong)]
    assert said.count(NO_SUCH_CLASS) == MOST_WRONG_IN_ALL
    assert refused(classes.join, code, "a new tab") == WAIT
    classes.press(code, inside)  # those who are in a class do not wait
    chance = MOST_WRONG_IN_ALL * (LASTS / WINDOW) * MOST_CLASSES / len(LETTERS) ** LENGTH
    assert chance < 1e-3
    clock.now += WINDOW
    assert classes.join(code, "a new tab")


def test_the_first_round_is_not_shuffled(classes):
    code, secret = classes.open()
    for k in range(3):
        classes.press(code, classes.join(code, str(k)))
    assert "start that round first" in refused(classes.shuffle, code, secret)
    classes.begin_second(code, secret, "Q")
    classes.shuffle(code, secret)
    after = classes.seen(code, secret)
    assert (after.asked[SEPARATE], after.turn) == ((0, 1, 2), (ONE_PATH, 1))


@pytest.mark.parametrize("tiers", [classroom.FOUR_TIERS, AUDITORS])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_a_shuffle_gives_another_order_whenever_there_is_one(classes, tiers, count):
    code, secret = classes.open(tiers)
    passes = [classes.join(code, str(k)) for k in range(count)]
    classes.begin_second(code, secret, "Q")
    for mine in passes:
        classes.press(code, mine)
    for shuffles in range(1, 9):
        before = classes.seen(code, secret)
        classes.shuffle(code, secret)
        after = classes.seen(code, secret)
        assert after.shuffles == shuffles
        assert sorted(after.asked[ONE_PATH]) == list(range(count))
        assert (after.asked != before.asked) == (count > 1)
        if count > 1 and tiers != AUDITORS:
            assert first_asked(after) != first_asked(before), "what the board shows"


def first_asked(register):
    """The tiers in the order in which the first student of each asked."""
    asked = register.asked[ONE_PATH]
    return [*dict.fromkeys(register.students[place].tier for place in asked)]


def test_one_reader_of_another_tier_among_many_changes_places():
    tiers = [*(60 * ["audit"]), "public"]
    order = tuple(range(61))
    after = classroom._another_order(order, tiers)
    assert after[0] == 60
    assert classroom._another_order(after, tiers)[0] != 60


def test_once_answers_are_shown_nobody_votes_any_more(classes):
    code, secret = classes.open()
    ann, bob = (classes.join(code, tab) for tab in "ab")
    assert "yet" in refused(classes.tell, code, secret, "Q")
    classes.vote(code, ann, "Q", "yes", ("yes", "no"))
    assert classes.seen(code, secret).told == ()
    classes.tell(code, secret, "Q")
    edition = classes.seen(code, secret).edition
    classes.tell(code, secret, "Q")
    classes.vote(code, bob, "Q", "yes", ("yes", "no"))
    classes.vote(code, ann, "Q", "no", ("yes", "no"))
    assert classes.seen(code, secret).edition == edition
    assert classes.votes(code, "Q") == {"yes": 1, "no": 0}
    assert (classes.answer_of(code, ann, "Q"), classes.answer_of(code, bob, "Q")) == ("yes", None)
    assert classes.answer_of(code, "nobody", "Q") is classes.answer_of("none", ann, "Q") is None


def test_the_question_of_the_first_round_is_over_with_it(classes):
    code, secret = classes.open()
    ann, bob = (classes.join(code, tab) for tab in "ab")
    classes.vote(code, ann, "Q", "yes")
    classes.vote(code, ann, "R", "yes")
    classes.begin_second(code, secret, "Q")
    for question in "QR":
        classes.vote(code, bob, question, "yes")
    assert (classes.votes(code, "Q"), classes.votes(code, "R")) == ({"yes": 1}, {"yes": 2})


def test_a_student_has_one_vote_on_each_question(classes):
    code, secret = classes.open()
    ann, bob = (classes.join(code, tab) for tab in "ab")
    classes.vote(code, ann, "Q", "yes")
    classes.vote(code, bob, "Q", "no")
    before = classes.seen(code, secret).edition
    classes.vote(code, bob, "Q", "no")
    assert classes.seen(code, secret).edition == before
    classes.vote(code, bob, "Q", "yes")
    classes.vote(code, bob, "R", "no")
    assert classes.votes(code, "Q") == {"yes": 2}
    assert classes.seen(code, secret).votes == {"Q": {"yes": 2}, "R": {"no": 1}}
    assert classes.votes(code, "S") == classes.votes("nobody", "Q") == {}
    classes.vote(code, ann, "S", "b", ("c", "b", "a"))
    classes.vote(code, bob, "S", "a", ("c", "b", "a"))
    assert [*classes.votes(code, "S").items()] == [("c", 0), ("b", 1), ("a", 1)]
    assert "answer" in refused(classes.vote, code, ann, "S", "d", ("c", "b", "a"))
    for text in ("", "x" * (LONGEST + 1)):
        assert "letters" in refused(classes.vote, code, ann, text, "yes")
        assert "letters" in refused(classes.vote, code, ann, "Q", text)
    for k in range(MOST_QUESTIONS - 3):
        classes.vote(code, ann, f"{k}", "yes")
    assert "at most" in refused(classes.vote, code, ann, "one more", "yes")


def test_a_student_has_one_score_the_latest(classes):
    code, secret = classes.open()
    ann, bob = (classes.join(code, tab) for tab in "ab")
    classes.score(code, bob, 13)
    classes.score(code, ann, 20)
    assert classes.seen(code, secret).scores == (13, 20)
    before = classes.seen(code, secret).edition
    classes.score(code, ann, 20)
    assert classes.seen(code, secret).edition == before
    classes.score(code, ann, 0)
    assert classes.seen(code, secret).scores == (0, 13)
    for wrong in (-1, 21, 2.5, "13"):
        assert "right" in refused(classes.score, code, ann, wrong)
    classes.end(code, secret)
    assert refused(classes.score, code, ann, 3) == OVER


def test_a_register_changes_no_more_once_it_is_handed_out(classes):
    code, secret = classes.open()
    mine = classes.join(code, "a")
    classes.vote(code, mine, "Q", "yes")
    before = classes.seen(code, secret)
    classes.press(code, mine)
    classes.vote(code, mine, "Q", "no")
    assert before.asked == ((), ())
    assert before.votes == {"Q": {"yes": 1}}
    assert classes.seen(code, secret).edition == before.edition + 2


def test_a_register_of_what_cannot_be_is_refused():
    fine = {"code": "", "seed": 1, "tiers": AUDITORS, "students": (Student("Wise Owl", "audit"),)}
    assert Register(**fine, asked=((0,), ())).students
    for wrong, says in (
        ({"asked": ((1,), ())}, "not in the class"),
        ({"round": 2}, "rounds"),
        ({"scores": (21,)}, "score"),
    ):
        with pytest.raises(ParameterError, match=says):
            Register(**fine, **wrong)


def test_thirty_who_press_at_once_are_all_there_once(classes):
    code, secret = classes.open()

    def student(k):
        mine = classes.join(code, str(k))
        for _ in range(3):
            classes.press(code, mine)
            classes.vote(code, mine, "Q", "yes")
        return mine

    passes = in_threads(*(partial(student, k) for k in range(30)))
    register = classes.seen(code, secret)
    assert len(register.students) == len(set(passes)) == 30
    assert sorted(register.asked[SEPARATE]) == list(range(30))
    assert register.votes == {"Q": {"yes": 30}}
    assert register.edition == 90  # each joined, drew and voted once


def test_a_code_is_read_as_people_type_it_and_who_asks_for_no_class_is_told_so(classes):
    for none in ("", "BBBBBB" * 100):
        with pytest.raises(NoClassError):
            classes.join(none, "a")
    for typed, code in (("kxr tmp", "KXRTMP"), ("KXR-TMP", "KXRTMP"), ("", ""), ("<b>", "B")):
        assert code_from(typed) == code
    assert len(code_from("K" * 10_000)) < 20
