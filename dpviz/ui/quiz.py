"""Quiz: six questions after the lessons, one at a time; wrong answers are what many believe.

Beside the explanation stands the picture of the screen that shows the answer. Nothing is sent or
kept beyond the tab. The first answer to a question counts.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import pandas as pd
import streamlit as st

from dpviz.charts.forms.bar_rows import COLOUR, END, INK, LENGTH, ROW, Scale, bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.palette import GREY
from dpviz.scenes import quiz as scenes
from dpviz.scenes.lessons import Settings, correct_guesses
from dpviz.scenes.quiz import Quiz
from dpviz.ui.kit import attending, controls, parts
from dpviz.ui.kit.comparing import guess_claim
from dpviz.ui.kit.lesson import Lesson
from dpviz.ui.kit.page_table import page, path
from dpviz.ui.kit.state import Slot, empty
from dpviz.words import NARROW, pm
from dpviz.words.claims import Claim, Number, Said, say
from dpviz.workspace.guesses import ALL, COIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question.

    Attributes:
        asks: the question.
        answers: to choose from, in order; the first is right.
        order: places of the answers on screen.
        why: the explanation, one or two sentences.
        file: of the lesson that shows it.
        step: its screen.
    """

    asks: str
    answers: tuple[str, ...]
    order: tuple[int, ...]
    why: Said
    file: str
    step: int

    @property
    def right(self) -> str:
        """The right answer."""
        return self.answers[0]

    @property
    def options(self) -> tuple[str, ...]:
        """The answers as they stand on screen."""
        return tuple(self.answers[k] for k in self.order)


@dataclass(slots=True)
class Sitting:
    """What a visitor has answered: the question on screen, and the first answer to each."""

    at: int = 0
    first: dict[int, str] = field(default_factory=dict)


_SITTING = Slot[Sitting]("quiz", Sitting)


def right(who: str, rho: float) -> Number:
    """Guesses that are right of 1,000, with their claim."""
    return Number(f"{correct_guesses(rho)}", guess_claim(who, rho))


def times(rho: float) -> str:
    """An answer: so often of 1,000."""
    return f"{correct_guesses(rho)} times"


COUNTED = Number(
    f"{COIN}",
    Claim(
        what="guesses that a coin gets right",
        value=COIN,
        unit=f"of {ALL:,}",
        fixed="yes and no equally likely before",
        method="half of them",
    ),
)


def half(what: str, value: float, text: str) -> Number:
    """How far off a number is, with its claim."""
    method = "quantile of Gaussian noise (MATHEMATICS 4.1)"
    return Number(text, Claim(what=what, value=value, fixed="95 % confidence", method=method))


def about_a_number(of: Quiz) -> Question:
    """What a ± says about one person: nothing directly."""
    far = half("half width of the public’s number", of.half, pm(of.half))
    return Question(
        asks=f"A count is within {pm(of.half)} people, 95 times in 100. With this number, how "
        "often does the insurer guess right about Maria, out of 1,000?",
        answers=(times(of.public), "950 times", f"{COIN} times, as by a coin", f"{ALL:,} times"),
        order=(2, 0, 1, 3),
        why=say(
            "Maria changes the count by one, which is little beside {far}, so the two curves "
            "overlap a lot. {right} guesses are right, where a coin gets {coin}.",
            far=far,
            right=right("by the public’s number", of.public),
            coin=COUNTED,
        ),
        file="start",
        step=2,
    )


def about_separate_noise(of: Quiz) -> Question:
    """What comparing notes adds, with separate noise."""
    return Question(
        asks="Four readers have numbers with separate noise. The sharpest alone is right "
        f"{times(of.sharpest)} in 1,000. How often are they right once they compare notes?",
        answers=(
            times(of.separate),
            times(of.sharpest),
            "Less often: bad numbers spoil the average",
            f"{ALL:,} times",
        ),
        order=(1, 2, 0, 3),
        why=say(
            "Separate errors partly cancel out in an average, so the four are right {right} times.",
            right=right("all four, with separate noise", of.separate),
        ),
        file="start",
        step=4,
    )


def about_one_path(of: Quiz) -> Question:
    """What comparing notes adds on one path: nothing."""
    return Question(
        asks="The same four readers get numbers from one path, each noisier one made from a "
        "sharper one. How often are they right together?",
        answers=(
            times(of.path),
            times(of.separate),
            f"{times(of.public)}, as with the noisiest number",
        ),
        order=(1, 2, 0),
        why=say(
            "The noisier numbers are only the sharpest one with more noise, so they add nothing. "
            "{right} guesses are right, as with the sharpest alone.",
            right=right("all four, on one path", of.path),
        ),
        file="start",
        step=5,
    )


def about_the_order(of: Quiz) -> Question:
    """What changes if another reader asks first."""
    del of
    return Question(
        asks="The public gets its number before research, instead of after. What does that do to "
        "research’s number?",
        answers=(
            "It may come out different, but its spread stays the same",
            "It is noisier, because it is made from a noisy number",
            "It is sharper, because the truth was looked at later",
        ),
        order=(1, 0, 2),
        why=say(
            "Single numbers change with the order, but not how often each one comes up. The two "
            "hills differ by chance alone."
        ),
        file="the_trick",
        step=4,
    )


def about_the_promise(of: Quiz) -> Question:
    """What weakens the promise: another question, not computing."""
    return Question(
        asks="The auditors have a number about blood pressure. What tells them more about Maria?",
        answers=(
            "A number about who smokes",
            "A computer that analyses the first number for a year",
            "Squaring the number, or averaging it with an old guess",
            "The public’s noisier number from the same path",
        ),
        order=(2, 1, 0, 3),
        why=say(
            "After a second question the auditors are right {twice} times about whether Maria is "
            "counted, not {once}. Computing adds nothing about her.",
            twice=right("the auditors, after two questions", of.twice),
            once=right("the auditors", of.sharpest),
        ),
        file="the_trick",
        step=6,
    )


def about_many_people(of: Quiz) -> Question:
    """What noise on each phone leaves of an average."""
    most = half("half width of the share of yes", of.share, pm(of.share))
    return Question(
        asks=f"Each of {of.people:,} phones adds noise of {pm(of.one)} to an answer, yes (1) or no "
        "(0). How well do we know the share of yes?",
        answers=(
            f"It is known to within {pm(of.share)}",
            "Nothing: the noise is larger than the answers",
            "It is known exactly, as the noise cancels",
            f"It is known to within {pm(of.one)}, like each answer",
        ),
        order=(1, 2, 3, 0),
        why=say(
            "Averaged over many people, the noise shrinks with the square root of their number, to "
            "{most}. It never vanishes.",
            most=most,
        ),
        file="trust_grows",
        step=3,
    )


QUESTIONS: tuple[Callable[[Quiz], Question], ...] = (
    about_a_number,
    about_separate_noise,
    about_one_path,
    about_the_order,
    about_the_promise,
    about_many_people,
)


def questions() -> tuple[Question, ...]:
    """The six questions."""
    made = scenes.numbers()
    return tuple(question(made) for question in QUESTIONS)


def show(lessons: Iterable[Lesson]) -> None:
    """Show the question that the visitor has come to, or the result.

    Args:
        lessons: whose screens the answers are shown by.
    """
    parts.on_one_page()
    sitting, asked = _SITTING.get(), questions()
    if sitting.at == len(asked):
        _result(sitting, asked)
        return
    at, question = sitting.at, asked[sitting.at]
    _count(at, len(asked))
    parts.bare_head(page("quiz").question, question.asks)
    left, right = st.columns(2, gap="large")
    with left:
        chosen = controls.optional_radio(
            "What do you think?", question.options, key=f"quiz_{at}", index=None
        )
    if chosen is not None:
        sitting.first.setdefault(at, chosen)
        with left:
            _explained(question, chosen)
        with right:
            parts.picture(picture_of(question, lessons), key=f"quiz_picture_{at}")
    with st.container(horizontal=True, gap="small"):
        back: controls.Look = {"icon": "arrow_back", "disabled": at == 0}
        controls.button("Back", _ask, at - 1, key="quiz_back", **back)
        on: controls.Look = {"icon": "arrow_forward", "icon_position": "right"}
        on |= {"type": "primary", "disabled": chosen is None}
        last = at + 1 == len(asked)
        controls.button("Result" if last else "Next", _ask, at + 1, key="quiz_next", **on)


def picture_of(question: Question, lessons: Iterable[Lesson]) -> Picture:
    """The picture of the screen that shows the answer, after its act."""
    lesson = next(each for each in lessons if each.file == question.file)
    screen = lesson.screens[question.step - 1]
    chosen = screen.choice.default if screen.choice else ""
    return screen.picture(screen.scene(Settings(done=True, chosen=chosen)))


def _count(at: int, count: int) -> None:
    dots = " ".join("●" if k <= at else "○" for k in range(count))
    st.caption(f"{dots}  {NARROW} Question {at + 1} of {count}")


def _explained(question: Question, chosen: str) -> None:
    """Whether the answer is right, why, and the screen that shows it."""
    told = "**Right.**" if chosen == question.right else f"**Not quite:** {question.right}."
    with st.container(border=True, gap="xsmall"):
        st.markdown(told)
        parts.sentence(question.why)
        _see(question)


def _see(question: Question) -> None:
    asked = {"step": f"{question.step}", "done": "yes", "told": "yes"}
    label = f"See it: {page(question.file).title}, screen {question.step}"
    controls.page_link(path(question.file), label, **asked)


def _result(sitting: Sitting, asked: tuple[Question, ...]) -> None:
    """How many were right at the first go, and where to look again; then on along the course."""
    firsts = [sitting.first.get(k) for k in range(len(asked))]
    hits = [first == question.right for first, question in zip(firsts, asked, strict=True)]
    parts.bare_head(
        page("quiz").question,
        f"{sum(hits)} of {len(asked)} right at the first try. Here is where each answer is shown.",
    )
    left, right = st.columns([2, 1], gap="large")
    with left:
        for hit, first, question in zip(hits, firsts, asked, strict=True):
            with st.container(gap="xxsmall"):
                told = "✓ Right" if hit else "○ Look again"
                yours = "" if hit or first is None else f" You said “{first}”."
                st.markdown(f"**{told}:** {question.asks} **{question.right}.**{yours}")
                _see(question)
    with right:
        parts.picture(result_picture(hits, asked), key="quiz_hits")
    attends = attending.attended() is not None
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        controls.button("Begin again", _again, key="quiz_again", icon="replay")
        on: controls.Look = {"type": "primary", "icon": "arrow_forward", "icon_position": "right"}
        words, file = (TO_CLASS, "classroom") if attends else (TO_DATA, "data")
        if controls.button(words, key="quiz_on", **on):
            st.switch_page(path(file))
        if not attends:
            controls.page_link(path("classroom"), "Teaching a class? Open a class board")


TO_CLASS, TO_DATA = "Back to your class", "To your own data"


def result_picture(hits: Sequence[bool], asked: Sequence[Question]) -> Picture:
    """How many were right, beside how many are right by chance."""
    chance = sum(1 / len(question.answers) for question in asked)
    rows = [
        ("your answers", float(sum(hits)), INK, f"{sum(hits)}"),
        ("guessing blindly, on average", chance, GREY, f"{chance:.1f}"),
    ]
    return bar_rows(
        pd.DataFrame(rows, columns=[ROW, LENGTH, COLOUR, END]),
        what="Right answers.",
        scale=Scale(
            low=0, high=len(asked), low_words="0", high_words=f"{len(asked)} right answers"
        ),
    )


def _ask(at: int) -> None:
    _SITTING.get().at = at


def _again() -> None:
    for k in range(len(QUESTIONS)):
        empty(f"quiz_{k}")
    _SITTING.pop()
