"""A lesson as data: a few screens, told one after the other by Back, one act and Next.

A screen is a title, one sentence or two short ones, a picture that is a pure function of a scene,
at most one act and one choice, and what stands beside the picture. `dpviz.ui.kit.lesson_view` shows
it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from dpviz import checks
from dpviz.charts.forms.picture import Picture
from dpviz.errors import ParameterError
from dpviz.scenes.lessons import Settings
from dpviz.words.claims import Claim

TITLE, SENTENCE = 30, 110  # letters at most: a line of a phone; a line of a desk, four of a phone
Link = tuple[str, str]  # file of a page, and what one finds there


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """The one act of a screen: the primary button until it is done.

    Attributes:
        label: what the button says.
        undo: what it says once the act is done; "" for an act that can be repeated, which is
            never primary.
        icon: of the button, by its name.
        idle_at: the option of the choice at which it would change nothing: there is no button.
    """

    label: str
    undo: str = ""
    icon: str
    idle_at: str = ""

    @property
    def repeats(self) -> bool:
        """Whether each press is another draw of the whole lesson."""
        return not self.undo


AGAIN = Act(label="Another possible draw", icon="casino")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a visitor may choose.

    Attributes:
        label: what is chosen.
        options: in order; two, or the answers to a question, are a switch, others a slider.
        default: the one that is seen first; "" for a question, which nobody has answered yet.
        help: on hover.
        ahead: whether it is above the picture, and not beside it; in a lecture all are beside it.

    Raises:
        ParameterError: the default is not an option.
    """

    label: str
    options: tuple[str, ...]
    default: str
    help: str | None = None
    ahead: bool = False

    def __post_init__(self) -> None:
        checks.one_of(("", *self.options), default=self.default)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guessing:
    """A question that is asked again and again, with two large buttons below the picture.

    The scene says by `waits` whether it asks.

    Attributes:
        yes: what the first button says.
        no: what the second one says.
        keys: of a keyboard, for the two.
        goes_on: what the button says that stands in their place after a round, and the option of
            the choice with which it goes on.
        score: what the board of a class counts once a round is over; None before.
    """

    yes: str
    no: str
    keys: tuple[str, str]
    goes_on: Callable[[Any], tuple[str, str]]
    score: Callable[[Any], int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What stands beside the picture.

    Attributes:
        label: what the large number is; "" without a large number.
        value: the large number.
        note: what it compares with, below it.
        worse: whether that is a harm, said in red.
        claims: why the numbers are true, behind the question mark.
        guesses: a thousand guesses, as `guesses_frame` makes them.
        lines: Markdown paragraphs.
        caption: what to notice, one or two sentences.
    """

    label: str = ""
    value: str = ""
    note: str | None = None
    worse: bool = False
    claims: tuple[Claim, ...] = ()
    guesses: pd.DataFrame | None = None
    lines: tuple[str, ...] = ()
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """One screen of a lesson.

    Attributes:
        title: at most 30 letters.
        sentence: one sentence or two short ones, 110 letters at most.
        scene: its numbers, by the settings; alone of these it may draw, and keeps that.
        picture: the figure of a scene, and the same in words.
        side: what stands beside it.
        act: its one act.
        choice: its one choice.
        deeper: the page where one finds more.
        said: the sentence for a scene, where it depends on the choice or the act; as short.
        below: what a mark of the picture is, right below it.
        guessing: a question that is asked again and again.
        opening: a screen in its place until the visitor goes on.

    Raises:
        ParameterError: title or sentence is too long, or empty.
    """

    title: str
    sentence: str
    scene: Callable[[Settings], Any]
    picture: Callable[[Any], Picture]
    side: Callable[[Any], Side]
    act: Act | None = None
    choice: Choice | None = None
    deeper: Link | None = None
    said: Callable[[Any], str] | None = None
    below: str = ""
    guessing: Guessing | None = None
    opening: "Screen | None" = None

    @property
    def asks(self) -> bool:
        """Whether it asks before it tells: a choice that nobody has answered yet, then its act."""
        return self.choice is not None and not self.choice.default

    def __post_init__(self) -> None:
        for name, words, most in (
            ("title", self.title, TITLE),
            ("sentence", self.sentence, SENTENCE),
        ):
            if not 0 < len(words) <= most:
                raise ParameterError(f"{name} has {len(words)} letters: write 1 to {most}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """Screens in order, and where they lead.

    Attributes:
        file: its page.
        screens: in order.
        purpose: what the whole site is for, below the sentence of the first screen.
        after: the page for those who have seen enough, and its name in a sentence ("your data").
        onward: files of pages that the last screen links to, after that one; three in all.
        front: whether it is the front page: who has been through it or skipped it comes back to
            its last screen, and who has begun work may skip to it.
    """

    file: str
    screens: tuple[Screen, ...]
    after: Link
    purpose: str = ""
    onward: tuple[str, ...] = ()
    front: bool = False


def asking(*options: str) -> Choice:
    """What a screen asks above its picture: nobody has answered yet."""
    return Choice(label="What do you think?", options=options, default="", ahead=True)


RIGHT, WRONG = "Right.", "Not quite."


def answered(sentence: str, chosen: str, right: bool) -> str:
    """The answer, after whether the visitor gave it; who gave none is told the answer alone.

    >>> answered("One.", "two", False), answered("One.", "one", True), answered("One.", "", False)
    ('Not quite. One.', 'Right. One.', 'One.')
    """
    if not chosen:
        return sentence
    return f"{RIGHT if right else WRONG} {sentence}"
