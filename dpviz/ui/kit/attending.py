"""The class whose student uses this tab: lessons tell it answers and scores, and nothing else.

Code and pass stay in the tab: the address of a lesson, and a link to its screen, have neither. Once
the class is over, nothing is told to anybody.
"""

from collections.abc import Callable, Sequence

from dpviz.ui.kit.state import Slot, nothing
from dpviz.ui.kit.tally import CLASSES
from dpviz.workspace.classroom import NoClassError

Pass = tuple[str, str]  # code of the class, and by what it knows the student
_ATTENDED = Slot[Pass | None]("class_attended", nothing)


def begin(code: str, mine: str) -> None:
    """Note that a student of this class uses the tab."""
    _ATTENDED.set((code, mine))


def leave() -> None:
    """Forget the class of this tab."""
    _ATTENDED.pop()


def attended() -> Pass | None:
    """Code and pass of the student who uses this tab; None where nobody came from a class."""
    return _ATTENDED.get()


def vote(question: str, answer: str, among: Sequence[str]) -> None:
    """Let the board count an answer to the question of a lesson.

    Args:
        question: what the lesson asks.
        answer: what the student said.
        among: the answers to choose from, in order.
    """
    _tell(CLASSES.vote, question, answer, among)


def score(right: int) -> None:
    """Let the board count a round of the game: right guesses of twenty."""
    _tell(CLASSES.score, right)


def _tell(act: Callable[..., None], *what: object) -> None:
    found = attended()
    if found is not None:
        try:
            act(*found, *what)
        except NoClassError:
            leave()
