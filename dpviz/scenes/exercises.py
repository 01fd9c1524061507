"""An exercise sheet for a class and its answer key: six questions whose numbers follow from a code.

The code alone decides all numbers: who has it can make the same sheet, and check any answer, on
another computer. For a class there is a seventh question about what its board shows, whose numbers
follow from the tiers of the students, which it prints. Questions are answered from the numbers as
they are printed. The towns are made up, and their numbers are drawn by sessions.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from jinja2 import Environment, StrictUndefined

from dpviz import checks, streams
from dpviz.accounting import gaussian_right_guesses
from dpviz.accounting.levels import gaussian_level
from dpviz.errors import ParameterError
from dpviz.noise.bridge_law import release_law
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.cast import RHO
from dpviz.release import MultipleRelease
from dpviz.scenes.classroom import budget_of, right_by
from dpviz.scenes.lessons import HERE, USUAL, correct_guesses, joint
from dpviz.scenes.threads import GAUSSIAN, half_of
from dpviz.words import fixed, join, percent, pm, significant
from dpviz.words.grammar import several
from dpviz.workspace.classroom import MOST_STUDENTS, ROUNDS

LETTERS = 6  # of a code
LABEL = "Class code"
STEP = 0.05  # every budget of a sheet is a multiple, so that each sum is in the table
BUDGETS = tuple(k * STEP for k in (1, 2, 3, 4, 5, 6, 8, 10))
LARGEST = sum(BUDGETS[-3:])
LEAST, MOST = 120, 480  # ill people that a town may have
PATH, SEPARATE, NOISY = 1, 2, 5  # streams below that of a code; three for separate noise
TIE = 0.05  # people: a number this near to halfway would have no better guess


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercises:
    """The numbers of a sheet, as they are printed, and those that answer it.

    Attributes:
        code: six letters.
        known: ill people among all but Maria.
        reported: what the town reports without noise.
        rhos: budgets of three readers, the smallest first.
        elsewhere: ill people among all but Maria in another town.
        said: the number of the first reader there.
        separate: numbers of the three with separate noise.
        sharp: the number of the third on one path.
        blurred: that of the first on the same path.
        half: how far off the first reader's number is, 95 times in 100.
        times: how many times likelier `said` is by the better guess.
        pooled: the best number from those with separate noise.
        apart: right guesses of 1,000 by all three with separate noise.
        together: the same on one path.
        middle: around which the second reader's number falls, on the path.
        around: how far from it, 95 times in 100.
        dealt: tiers of the students of the class, in the order in which they came; () without one.
    """

    code: str
    known: int
    reported: int
    rhos: tuple[float, float, float]
    elsewhere: int
    said: float
    separate: tuple[float, float, float]
    sharp: float
    blurred: float
    half: float
    times: float
    pooled: float
    apart: int
    together: int
    middle: float
    around: float
    dealt: tuple[str, ...] = ()

    @property
    def is_ill(self) -> bool:
        """Whether Maria is ill."""
        return self.reported > self.known

    @property
    def points_up(self) -> bool:
        """Whether "ill" is the better guess by the number of question 3."""
        return self.said > self.elsewhere + 0.5


@dataclass(frozen=True, slots=True)
class Exercise:
    """One question, its answer, and why it is true."""

    title: str
    question: str
    answer: str
    why: str


def read_code(text: str, *, where: str = LABEL) -> str:
    """The code of a class: six letters, in capitals.

    Raises:
        ParameterError: it has other marks, or is longer or shorter.

    >>> read_code(" kxrtmp ")
    'KXRTMP'
    >>> read_code("KXR7MP")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: Class code has six letters from A to Z; type one such as KXRTMP
    """
    code = text.strip().upper()
    if not (len(code) == LETTERS and code.isascii() and code.isalpha()):
        raise ParameterError(f"{where} has six letters from A to Z; type one such as KXRTMP")
    return code


def exercises(code: str, dealt: Sequence[str] = ()) -> Exercises:
    """The numbers of the sheet of a code.

    Args:
        code: six letters.
        dealt: tiers of the students of a class; no question is about it where there is none.

    Raises:
        ParameterError: it is not a code, there are more students than in a class, or no such tier.

    >>> exercises("KXRTMP") == exercises("kxrtmp"), exercises("KXRTMP") == exercises("KXRTMQ")
    (True, False)
    """
    code = read_code(code)
    checks.between(0, MOST_STUDENTS, students=len(dealt))
    for tier in dealt:
        checks.one_of(tuple(RHO), tier=tier)
    place = streams.named(f"exercise sheet {code}")
    rng = streams.teaching(0, *place)
    known, elsewhere = rng.integers(LEAST, MOST, 2).tolist()
    is_ill, is_ill_there = rng.integers(2, size=2).tolist()
    chosen = sorted(rng.choice(BUDGETS, 3, replace=False).tolist())
    rhos = (chosen[0], chosen[1], chosen[2])

    def drawn(truth: float, stream: int, *budgets: float) -> list[float]:
        """Numbers of one session, to one decimal, as they are printed."""
        session = MultipleRelease([truth], GAUSSIAN, rng=streams.teaching(0, *place, stream))
        return [round(float(session.release(gaussian_level(rho, 1.0))[0]), 1) for rho in budgets]

    truth, there = float(known + is_ill), float(elsewhere + is_ill_there)
    tries = (drawn(there, NOISY + k, rhos[0])[0] for k in itertools.count())
    said = next(x for x in tries if abs(x - elsewhere - 0.5) > TIE)
    one, two, three = (drawn(truth, SEPARATE + k, rho)[0] for k, rho in enumerate(rhos))
    sharp, blurred = drawn(truth, PATH, rhos[2], rhos[0])
    low, level, high = (gaussian_level(rho, 1.0) for rho in reversed(rhos))
    law = release_law(GAUSSIAN, sharp, blurred, low, level, high)
    middle, top = law.quantile(np.array([0.5, (1 + ACCURACY_CONFIDENCE) / 2])).tolist()
    return Exercises(
        code=code,
        known=known,
        reported=known + is_ill,
        rhos=rhos,
        elsewhere=elsewhere,
        said=said,
        separate=(one, two, three),
        sharp=sharp,
        blurred=blurred,
        half=half_of(rhos[0]),
        times=_times(said, elsewhere, high),
        pooled=float(np.average((one, two, three), weights=rhos)),
        apart=correct_guesses(joint(rhos, USUAL)),
        together=correct_guesses(joint(rhos, HERE)),
        middle=middle,
        around=top - middle,
        dealt=tuple(dealt),
    )


def _times(said: float, known: int, level: float) -> float:
    """How many times likelier a number is by the better guess: the ratio of two densities."""
    ill, well = (
        float(GAUSSIAN.density(np.array([said - truth]), level)[0]) for truth in (known + 1, known)
    )
    return max(ill, well) / min(ill, well)


def table() -> tuple[tuple[str, str], ...]:
    """Budgets and the guesses that are right by them, to be looked up.

    >>> table()[1]
    ('0.1', '588')
    """
    rows = [k * STEP for k in range(1, round(LARGEST / STEP) + 1)]
    return tuple((significant(rho), f"{gaussian_right_guesses(rho):.0f}") for rho in rows)


def questions(of: Exercises) -> tuple[Exercise, ...]:
    """The six questions, and one about the class where there is one, with their answers."""
    low, mid, high = (significant(rho) for rho in of.rhos)
    one, two, three = (fixed(x, 1) for x in of.separate)
    better, worse = ("ill", "not ill") if of.points_up else ("not ill", "ill")
    said, sharp, blurred = fixed(of.said, 1), fixed(of.sharp, 1), fixed(of.blurred, 1)
    half_way = fixed(of.elsewhere + 0.5, 1)
    total = significant(joint(of.rhos, USUAL))
    levels = [gaussian_level(rho, 1.0) for rho in of.rhos]
    pull = (levels[0] - levels[1]) / (levels[0] - levels[2])
    return (
        Exercise(
            "A count gives her away",
            f"The town reports {of.reported} ill people, without noise. You know of {of.known} "
            "who are ill, and about everyone but Maria. Is Maria ill?",
            f"{'Yes' if of.is_ill else 'No'}: {of.reported} − {of.known} = "
            f"{of.reported - of.known}.",
            "An exact count leaves nothing to guess.",
        ),
        Exercise(
            "How far off?",
            f"The public gets the count with Gaussian noise of ρ = {low}. How far off is its "
            "number at most, 95 times in 100? (One person changes the count by 1.)",
            f"{pm(of.half)} people.",
            f"σ² = 1/(2ρ) = {significant(levels[0])}, and 1.96 σ, rounded up.",
        ),
        Exercise(
            "Which guess is better?",
            f"In another town, you know of {of.elsewhere} others who are ill. With noise of ρ = "
            f"{low} it says {said}. Is “ill” or “not ill” the better guess about Maria, and how "
            "many times likelier is this number if that guess is right?",
            f"“{better}”, {significant(of.times)} times likelier than if she is {worse}.",
            f"The number is {'above' if of.points_up else 'below'} {half_way}, halfway between "
            f"the two counts; the ratio of the two hills is "
            f"exp(2ρ · {fixed(abs(of.said - of.elsewhere - 0.5), 1)}).",
        ),
        Exercise(
            "They compare notes: separate noise",
            f"Three readers have numbers with separate noise: {one} (ρ = {low}), {two} "
            f"(ρ = {mid}) and {three} (ρ = {high}). What is their best common number, and how many "
            "of 1,000 guesses about Maria do they get right together?",
            f"{fixed(of.pooled, 1)}; {of.apart} of 1,000.",
            f"The mean, weighted by ρ. Separate noise averages out, so the budgets add up: ρ = "
            f"{total}.",
        ),
        Exercise(
            "They compare notes: one path",
            f"The same three budgets, ρ = {low}, {mid} and {high}, but each noisier number is made "
            "from a sharper one. How many of 1,000 guesses do the three get right together?",
            f"{of.together} of 1,000.",
            f"As many as the sharpest number alone, ρ = {high}: the others are it, with more "
            "noise.",
        ),
        Exercise(
            "Someone asks later",
            f"On one path the auditors have {sharp} (ρ = {high}) and the public {blurred} "
            f"(ρ = {low}). Now the council asks for ρ = {mid}, and the town has erased its count. "
            "Around which number will the council’s fall?",
            f"Around {fixed(of.middle, 1)} ({pm(of.around)}, 95 times in 100).",
            f"{percent(pull)} of the way from the public’s number to the auditors’: of the noise "
            "variance, 1/(2ρ), between these two, that share lies between the public and the "
            "council.",
        ),
        *_of_class(of.dealt),
    )


def _of_class(dealt: Sequence[str]) -> tuple[Exercise, ...]:
    """What the board of a class shows, once all have drawn; nothing where nobody shares notes."""
    if len(dealt) < 2:
        return ()
    apart, together = (significant(budget_of(dealt, which)) for which in ROUNDS)
    right, alone = (right_by(dealt, which).said for which in ROUNDS)
    kinds = join(
        [
            f"{several(dealt.count(tier), 'number', 'numbers')} of ρ = {significant(RHO[tier])}"
            for tier in sorted({*dealt}, key=lambda tier: -RHO[tier])
        ]
    )
    return (
        Exercise(
            "On your board",
            f"Your class drew {kinds}. Which budget ρ do all of them have together with separate "
            "noise, and which on one path? How many of 1,000 guesses about Maria are right by "
            "each? (Look in the table, or on the board.)",
            f"Separate noise: ρ = {apart}, {right} of 1,000. One path: ρ = {together}, {alone} of "
            "1,000.",
            "With separate noise the budgets add up; on one path the sharpest number counts alone.",
        ),
    )


_PAGE = Environment(
    autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
).from_string(files(__package__).joinpath("exercises.html.jinja").read_text(encoding="utf-8"))


def sheet(code: str, *, answers: bool = False, dealt: Sequence[str] = ()) -> str:
    """The exercise sheet of a class as a web page, which prints on one sheet of paper.

    Args:
        code: six letters.
        answers: whether it is the answer key.
        dealt: tiers of the students of the class, for a last question about its board.

    Raises:
        ParameterError: as for `exercises`.
    """
    of = exercises(code, dealt)
    rows = table()
    half = math.ceil(len(rows) / 2)
    halves: Sequence[Sequence[tuple[str, str]]] = (rows[:half], rows[half:])
    return _PAGE.render(of=of, questions=questions(of), answers=answers, halves=halves)
