"""The quiz after the lessons: every number of its questions, right and plausibly wrong."""

from dataclasses import dataclass

from dpviz.planning.cast import AUDIT, PEOPLE, PUBLIC
from dpviz.scenes.lessons import HERE, USUAL
from dpviz.scenes.start import READERS, RHO
from dpviz.scenes.the_trick import questions
from dpviz.scenes.threads import half_of
from dpviz.scenes.trust_grows import HOSPITAL
from dpviz.scenes.trust_grows import RHO as TRUST


@dataclass(frozen=True, slots=True, kw_only=True)
class Quiz:
    """What the questions need.

    Attributes:
        public: budget of the public's number.
        half: how far off it is, 95 times in 100, in people.
        sharpest: budget of the auditors' number.
        separate: of all four with separate noise.
        path: of all four on one path.
        twice: of the auditors' numbers about two questions.
        one: how far off the number of one phone is, 95 times in 100.
        share: how far off the share of yes is, by the reports of the whole town.
        people: of the town.
    """

    public: float
    half: float
    sharpest: float
    separate: float
    path: float
    twice: float
    one: float
    share: float
    people: int


def numbers() -> Quiz:
    """The numbers of the quiz, from the cast of the lessons.

    >>> from dpviz.scenes.lessons import correct_guesses
    >>> made = numbers()
    >>> [correct_guesses(rho) for rho in (made.public, made.separate, made.path, made.twice)]
    [588, 760, 673, 736]
    """
    return Quiz(
        public=RHO[PUBLIC],
        half=half_of(RHO[PUBLIC]),
        sharpest=RHO[AUDIT],
        separate=READERS.together(USUAL),
        path=READERS.together(HERE),
        twice=questions(2),
        one=half_of(TRUST[HOSPITAL]),
        share=half_of(TRUST[HOSPITAL] * PEOPLE),
        people=PEOPLE,
    )
