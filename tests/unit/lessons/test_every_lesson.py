"""Lessons as data: what every lesson keeps to, and the address of a screen."""

import importlib
import re
from itertools import pairwise

import pytest

from dpviz.charts.forms.squares import right_in
from dpviz.planning import cast
from dpviz.scenes.lessons import Settings
from dpviz.scenes.the_promise import AT
from dpviz.ui.kit import page_table
from dpviz.ui.kit.comparing import COMPARE
from dpviz.ui.kit.lesson import AGAIN, RIGHT, SENTENCE, WRONG
from dpviz.ui.kit.lesson_view import wanted
from dpviz.words import NARROW, pm
from tests.conftest import FULL, few, for_each
from tests.guessing import overlap
from tests.visiting import plain

LESSONS = [
    importlib.import_module(f"dpviz.ui.{page.file}").LESSON
    for page in page_table.PAGES
    if page.is_lesson
]
SCREENS = [
    pytest.param(screen, id=f"{lesson.file} {k}")
    for lesson in LESSONS
    for k, told in enumerate(lesson.screens, 1)
    for screen in (told, told.opening)
    if screen
]
# Of the made-up town; the last is what it says.
PUBLIC = {f"{number:.0f}" for number in (cast.PEOPLE, cast.ILL, cast.KNOWN, AT)}
LETTER = "[α-ωΑ-Ω]"  # Greek; only a link to a page has one


def shown(screen):
    """The scene of a screen before and after its act, and for each choice."""
    options = screen.choice.options if screen.choice else ("",)
    return [
        screen.scene(Settings(done=done, chosen=chosen))
        for done in (False, True)
        for chosen in options
    ]


@for_each("lesson", LESSONS)
def test_a_lesson_has_six_screens_and_begins_as_the_table_of_pages_says(lesson):
    assert len(lesson.screens) == 6
    assert lesson.screens[0].title == page_table.page(lesson.file).begins
    titles = [screen.title for screen in lesson.screens]
    assert len(set(titles)) == 6


def test_a_question_is_asked_once_as_the_board_of_a_class_knows_it_by_its_sentence():
    asked = [screen.sentence for lesson in LESSONS for screen in lesson.screens if screen.asks]
    assert len({*asked}) == len(asked)
    assert all(each.endswith("?") for each in asked)


RIGHTS = {  # the right answers of each lesson, in order
    "start": ("The public", "More", "Just as much", "Its two neighbours"),
    "trust_grows": (
        *("The office", f"±{NARROW}0.081", "About 32 times as far off"),
        *("Everyone but the doctor", "The hospital’s and the city’s"),
    ),
    "the_trick": (
        *("Research’s number", "Research’s", "Not at all", "The court", "736, a bit more"),
    ),
    "the_promise": (
        *("No one can tell for sure", "1.3 times as likely", "9 of 100 draws"),
        *("None", "814, far more", "12 visits"),
    ),
}


@for_each("lesson", LESSONS)
def test_a_lesson_asks_at_its_turning_point_and_tells_nothing_before_the_act(lesson):
    asking = [screen for screen in lesson.screens if screen.asks]
    for screen, right in zip(asking, RIGHTS[lesson.file], strict=True):
        before = {screen.said(screen.scene(Settings(chosen=c))) for c in screen.choice.options}
        assert before == {screen.sentence}, "as before anybody voted"
        assert screen.sentence.endswith("?")
        for chosen in screen.choice.options:
            after = screen.said(screen.scene(Settings(chosen=chosen, done=True)))
            assert after.startswith(RIGHT if chosen == right else WRONG)
        alone = screen.said(screen.scene(Settings(done=True)))
        assert re.match(r"[A-Z\d]", alone)
        assert not alone.startswith((RIGHT, WRONG)), "who gave no answer is told it alone"


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_is_a_sentence_or_two_in_plain_words(screen):
    said = {screen.said(scene) for scene in shown(screen)} if screen.said else set()
    for words in (screen.title, screen.sentence, *said):
        assert not re.search(LETTER, words)
        assert not set(re.findall(r"\w+", words.lower())) & {"release", "budget", "epsilon"}
    assert numbers(screen.title, screen.sentence) <= PUBLIC
    for scene in shown(screen) if screen.said else ():
        side, options = screen.side(scene), screen.choice.options if screen.choice else ()
        beside = (side.label, side.value, side.note or "", *side.lines, side.caption, *options)
        assert numbers(screen.said(scene)) <= PUBLIC | numbers(*beside), "with why"
    for sentence in (screen.sentence, *said):
        assert 0 < len(sentence) <= SENTENCE
        assert sentence[-1] in ".?"  # what is to be guessed first is a question
        told = sentence.removeprefix(RIGHT).removeprefix(WRONG).strip()
        assert len(re.findall(r"[.!?](?: |$)", told)) <= 3 - (told != sentence), "few sentences"


def numbers(*texts):
    return set(re.findall(r"[\d.,]*\d", " ".join(texts)))


@pytest.mark.parametrize("screen", SCREENS)
def test_the_number_beside_a_picture_says_why(screen):
    for scene in shown(screen):
        side = screen.side(scene)
        assert not side.label or side.claims or side.value in ("?", "1,000")
        assert 0 < len(side.caption.split()) <= 36
        assert not re.search("(?i)black|white", side.caption)  # ink is either, by the mode
        told = (side.label, side.value, side.note or "", side.caption, *side.lines)
        assert not any("{" in each and ":color[" not in each for each in told), "filled in"
        why = [text for claim in side.claims for text in (claim.stated, claim.reason)]
        texts = " ".join((*told, *why))
        assert not re.search(LETTER, texts)
        if side.guesses is not None:
            assert side.value == f"{right_in(side.guesses):,}"


# Variances: audit 5/4, partners 5/2, council 10/3; beyond audit's the latter two are independent.
FROM_AUDIT = 1 / (2 * (5 / 4 + 1 / (1 / (5 / 2 - 5 / 4) + 1 / (10 / 3 - 5 / 4))))
CLAIMED = {  # lesson, screen, done: budgets whose guesses are claimed
    ("start", 3, False): (0.4,),
    ("start", 3, True): (1.0,),
    ("start", 4, False): (0.4,),
    ("start", 4, True): (0.4, 1.0),
    ("start", 5, True): (0.2, FROM_AUDIT),
    ("trust_grows", 4, False): (0.4,),
    ("trust_grows", 4, True): (0.4, 1.0),
    ("trust_grows", 5, False): (0.1,),
    ("trust_grows", 5, True): (0.25,),
    ("the_trick", 4, True): (0.4,),
    ("the_trick", 5, False): (0.4,),
    ("the_trick", 5, True): (0.8, 0.4),
}


@for_each(("file", "step", "done"), CLAIMED)
def test_each_claim_is_the_overlap_of_two_hills_and_all_numbers_of_the_caption_are_claimed(
    file, step, done
):
    screen = next(lesson for lesson in LESSONS if lesson.file == file).screens[step]
    said = screen.side(screen.scene(Settings(done=done)))
    guesses = [claim.value for claim in said.claims if "guesses" in claim.what]
    assert guesses == pytest.approx([overlap(rho) for rho in CLAIMED[file, step, done]], rel=1e-7)
    assert said.value == f"{round(guesses[0])}"
    claimed = {f"{claim.value:.0f}" for claim in said.claims}
    claimed |= {plain(pm(claim.value)).lstrip("± ") for claim in said.claims}
    known = {"50", "95", "100", "2.2"}  # the last: how near audit's number comes
    assert set(re.findall(r"\d+(?:\.\d+)?", plain(said.caption))) <= claimed | known


@pytest.mark.parametrize("screen", few(SCREENS, 14))
def test_a_picture_is_a_pure_function_of_its_scene(screen):
    for scene in shown(screen):
        made = screen.picture(scene)
        one, other = made.figure, screen.picture(scene).figure
        assert one is not other
        assert one.to_json() == other.to_json()
        assert all(mark.marker.opacity == 0 for mark in one.data[: watched(one)])  # a still
        assert one.layout.height <= 390
        assert 20 < len(made.alt) <= 200


@pytest.mark.parametrize("again", range(1, 200 if FULL else 2))
def test_any_draw_can_be_shown(again):
    for screen in few((case.values[0] for case in SCREENS), 3):
        for done in (False, True):
            chosen = screen.choice.default if screen.choice else ""
            scene = screen.scene(Settings(done=done, chosen=chosen, draw=again))
            assert 20 < len(screen.picture(scene).alt) <= 200


def watched(figure):
    """How many marks move in a picture, once somebody asks for it."""
    assert bool(figure.frames) == bool(figure.layout.updatemenus)
    assert not figure.layout.sliders
    return len(figure.frames[0].data) if figure.frames else 0


def test_marks_move_where_notes_are_compared_and_end_as_they_began():
    moving = [
        (screen, figure)
        for lesson in LESSONS
        for screen in lesson.screens
        if screen.act == COMPARE
        for figure in [screen.picture(screen.scene(Settings(done=True))).figure]
        if watched(figure)
    ]
    assert len(moving) == 3  # both ways on the front page, and on one path where trust grows
    for screen, figure in moving:
        assert not watched(screen.picture(screen.scene(Settings())).figure)
        movers = figure.data[: watched(figure)]
        still = {trace.name: (trace.x[0], trace.y[0]) for trace in figure.data if len(trace.x) == 1}
        ends = {(mover.x[0], mover.y[0]) for mover in figure.frames[-1].data}
        assert len(ends) == 1  # all come to one number, which is there anyway
        assert ends <= {place for name, place in still.items() if "climbs" not in name}
        for mover in movers:  # each from its own mark
            assert still[mover.name] == still[mover.name.removesuffix(" climbs")]
        assert all(mover.marker.opacity == 0 for mover in figure.frames[-1].data)


@pytest.mark.parametrize("screen", few(SCREENS, 6))
def test_an_act_changes_the_picture(screen):
    act = screen.act
    if act is None:
        return
    chosen = screen.choice.default if screen.choice else ""
    pressed = Settings(chosen=chosen, done=not act.repeats, draw=int(act.repeats))
    before, after = map(screen.scene, (Settings(chosen=chosen), pressed))
    pictures = [screen.picture(scene).figure.to_json() for scene in (before, after)]
    assert pictures[0] != pictures[1]
    assert max(len(act.label), len(act.undo)) <= len(
        AGAIN.label
    )  # the longest for which the bar of a phone does not wrap


NONSENSE = ("", "0", "7", "-1", "+2", " 2", "2.0", "02", "٣", "²", "nan", "1e0", "9" * 5000, "<b>")


@for_each("text", NONSENSE)
def test_nonsense_in_the_address_opens_the_first_screen(text):
    assert wanted(text, 6) == 1


def test_an_address_opens_each_screen_and_says_nothing_without_a_step():
    assert [wanted(text, 6) for text in "123456"] == [1, 2, 3, 4, 5, 6]
    assert wanted(None, 6) is None


def test_a_lesson_leads_on_to_pages_and_to_the_next_lesson():
    for lesson, after in pairwise([*LESSONS, None]):
        following = [page.file for page in page_table.following(lesson.file)]
        assert following[:1] == ([after.file] if after else [])
        assert not set(following) & set(lesson.onward)
        deeper = [screen.deeper[0] for screen in lesson.screens if screen.deeper]
        for file in (*lesson.onward, lesson.after[0], *deeper):
            assert page_table.page(file).file == file
