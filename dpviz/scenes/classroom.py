"""Every number of a class: what its students drew, and what they know together.

All people of the town are made up, so its exact count may be on the board. Which numbers students
hold follows from the register alone: its seed, and who asked in which order. In the first round
each number comes from a session of its own; in the second from one session for all, asked in the
order in which the students pressed. Students of one tier then hold the same number, as a session
draws each level once.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from dpviz import checks
from dpviz.accounting.levels import gaussian_level
from dpviz.accounting.schemes import INDEPENDENT, LOSSLESS
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.planning.cast import ILL, RHO, STYLES
from dpviz.scenes.lessons import Readers, joint, number_for, session_on
from dpviz.scenes.threads import half_of
from dpviz.workspace.classroom import (
    FOUR_TIERS,
    MOST_STUDENTS,
    ONE_PATH,
    ROUNDS,
    SEPARATE,
    Register,
    Student,
)
from dpviz.workspace.classroom import Round as Which
from dpviz.workspace.guesses import COIN, CorrectGuesses, right_of_rho

TRUTH = float(ILL)
TWELVE, EXAMPLE = 12, 7  # students of a made-up class, and its seed
SCHEMES = {SEPARATE: INDEPENDENT, ONE_PATH: LOSSLESS}
COLUMNS = ("who", "tier", "value", "style")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The number of one student."""

    who: str
    tier: str
    value: float

    @property
    def rho(self) -> float:
        """Its budget."""
        return RHO[self.tier]

    @property
    def half(self) -> float:
        """How far off it is at most, 95 times in 100, in people."""
        return half_of(self.rho)

    @property
    def style(self) -> TierStyle:
        """How its tier looks."""
        return STYLES[self.tier]


def draw(register: Register, which: Which) -> tuple[Drawn, ...]:
    """Draw the numbers of a round, in the order of asking.

    The same register gives the same numbers, and those who ask later change none of them.

    Args:
        register: of the class.
        which: the round.

    >>> from dpviz.workspace.classroom import FOUR_TIERS, Student
    >>> class_ = Register(code="", seed=7, tiers=FOUR_TIERS, asked=((0, 1), (1, 0)),
    ...     students=(Student("Wise Owl", "audit"), Student("Glad Fox", "public")))
    >>> [(x.who, round(x.value, 1)) for x in draw(class_, ONE_PATH)]
    [('Glad Fox', 315.5), ('Wise Owl', 312.7)]
    """
    one = session_on(TRUTH, register.seed, ONE_PATH, register.shuffles)
    drawn = []
    for place in register.asked[which]:
        own = session_on(TRUTH, register.seed, SEPARATE, place) if which == SEPARATE else one
        student = register.students[place]
        value = number_for(own, RHO[student.tier])
        drawn.append(Drawn(who=student.name, tier=student.tier, value=value))
    return tuple(drawn)


def dealt_to(students: int) -> tuple[str, ...]:
    """The tiers of this many students who read for the four tiers in turn.

    Raises:
        ParameterError: it is not a whole number from 0 to 200, as many as a class holds.

    >>> dealt_to(5)
    ('audit', 'research', 'partners', 'public', 'audit')
    """
    checks.whole(0, students=students)
    checks.between(0, MOST_STUDENTS, students=students)
    return tuple(FOUR_TIERS[k % len(FOUR_TIERS)] for k in range(students))


def budget_of(tiers: Sequence[str], which: Which) -> float:
    """The budget ρ of all numbers of a round together; 0 where there is none.

    Args:
        tiers: of those who have a number, one for each.
        which: the round.

    >>> budget_of(["audit", "audit", "public"], SEPARATE)
    0.9
    >>> budget_of(["audit", "audit", "public"], ONE_PATH)
    0.4
    """
    return joint([RHO[tier] for tier in tiers], SCHEMES[which]) if tiers else 0.0


def right_by(tiers: Sequence[str], which: Which) -> CorrectGuesses:
    """How many of 1,000 guesses about Maria are right by all numbers of a round.

    Args:
        tiers: of those who have a number, one for each.
        which: the round.

    >>> [right_by(3 * ["audit", "research", "partners", "public"], k).count for k in ROUNDS]
    [890, 673]
    """
    return right_of_rho(budget_of(tiers, which)) if tiers else CorrectGuesses(value=COIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the cone: a tier, and the standard deviation and half width of its noise."""

    tier: str
    sd: float
    half: float

    @property
    def style(self) -> TierStyle:
        """How the tier looks."""
        return STYLES[self.tier]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The number that all come to together, and the noise that is left in it."""

    value: float
    sd: float
    half: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What the students of a class drew in a round, and what they know together.

    Attributes:
        which: the round.
        drawn: the numbers, in the order of asking.
    """

    which: Which
    drawn: tuple[Drawn, ...]

    @property
    def scheme(self) -> str:
        """How the numbers were made: with separate noise, or on one path."""
        return SCHEMES[self.which]

    @property
    def count(self) -> int:
        """How many have drawn."""
        return len(self.drawn)

    @property
    def rho(self) -> float:
        """The budget of all who have drawn, together; 0 while nobody has."""
        return budget_of([x.tier for x in self.drawn], self.which)

    @property
    def right(self) -> CorrectGuesses:
        """How many of 1,000 guesses are right by all numbers."""
        return right_by([x.tier for x in self.drawn], self.which)

    @property
    def alone(self) -> CorrectGuesses:
        """How many are right by the sharpest number alone."""
        return right_of_rho(self.sharpest.rho) if self.drawn else CorrectGuesses(value=COIN)

    @property
    def sharpest(self) -> Drawn:
        """The first of the sharpest numbers."""
        return max(self.drawn, key=lambda x: x.rho)

    @property
    def pool(self) -> Pool | None:
        """The best estimate from all numbers: on one path it is the sharpest; None without one."""
        if not self.drawn:
            return None
        value = self.sharpest.value
        if self.scheme == INDEPENDENT:
            readers = Readers(
                rho={x.who: x.rho for x in self.drawn},
                styles={x.who: x.style for x in self.drawn},
                truth=("", TRUTH),
            )
            value = readers.pooled({x.who: x.value for x in self.drawn})
        return Pool(value=value, sd=_sd(self.rho), half=half_of(self.rho))

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each student who has drawn; columns `COLUMNS`."""
        rows = [(x.who, x.tier, x.value, x.style) for x in self.drawn]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    @property
    def tiers(self) -> tuple[str, ...]:
        """The tiers in the order in which the first student of each asked."""
        return tuple(dict.fromkeys(x.tier for x in self.drawn))


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What the board shows.

    Attributes:
        register: of the class.
        rounds: that have begun.
    """

    register: Register
    rounds: tuple[Round, ...]

    @property
    def last(self) -> Round:
        """The round that is open."""
        return self.rounds[-1]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the cone, the sharpest tier first."""
        return tuple(map(row_of, self.register.tiers))

    @property
    def is_told(self) -> bool:
        """Whether the truth is told: once all who are there have drawn, or the second round began.

        Before that students would read the count off the board instead of asking for it.
        """
        there = len(self.register.students)
        return len(self.rounds) > 1 or 0 < there == self.rounds[0].count

    @property
    def can_shuffle(self) -> bool:
        """Whether another tier could ask first on one path."""
        return self.last.which == ONE_PATH and len(self.last.tiers) > 1

    @property
    def reach(self) -> float:
        """How far the farthest number is from the truth, in people; 0 where there is none."""
        drawn = (x for each in self.rounds for x in each.drawn)
        return max((abs(x.value - TRUTH) for x in drawn), default=0.0)


def board(register: Register) -> Board:
    """Make what the board shows of a class."""
    begun = ROUNDS[: register.round + 1]
    rounds = tuple(Round(which=which, drawn=draw(register, which)) for which in begun)
    return Board(register=register, rounds=rounds)


def example() -> Board:
    """The board of a made-up class: twelve students in the first round.

    >>> example().last.right.count
    890
    """
    tiers = dealt_to(TWELVE)
    students = tuple(Student(f"student {k}", tier) for k, tier in enumerate(tiers, 1))
    asked = (tuple(range(TWELVE)), ())
    return board(Register(code="", seed=EXAMPLE, tiers=FOUR_TIERS, students=students, asked=asked))


def number_of(register: Register, place: int) -> Drawn:
    """The number of a student who has drawn in the round that is open.

    Args:
        register: of the class.
        place: of the student in it.

    Raises:
        ParameterError: the student has not drawn in this round.
    """
    asked = register.asked[register.round]
    if place not in asked:
        raise ParameterError(f"student {place} has not drawn in this round; press first")
    return draw(register, register.round)[asked.index(place)]


def row_of(tier: str) -> Row:
    """The row of the cone in which the numbers of a tier are."""
    return Row(tier=tier, sd=_sd(RHO[tier]), half=half_of(RHO[tier]))


def _sd(rho: float) -> float:
    """The standard deviation of the noise of a budget, in people."""
    return math.sqrt(gaussian_level(rho, 1.0))
