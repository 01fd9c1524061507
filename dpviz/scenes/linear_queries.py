"""Linear queries: how far off all answers are by every way to place the noise, and what tiers get.

`answers` makes the numbers; the drawer of the page shows its source.
"""

import zlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from dpviz import streams
from dpviz.accounting.guarantees import guarantee_of
from dpviz.linear import Contribution
from dpviz.linear.accuracy import half_widths
from dpviz.linear.answers import LinearAnswers
from dpviz.linear.comparison import Comparison, Way, compare, setting_of, typical_error
from dpviz.linear.workloads import Workload
from dpviz.noise import Array
from dpviz.noise.family import Family
from dpviz.parameters import USUAL_DELTA
from dpviz.planning import cast
from dpviz.planning.amounts import Amount, Kind
from dpviz.planning.budgets import ACCURACY_CONFIDENCE as SURE
from dpviz.planning.budgets import Budget, resolve
from dpviz.queries import Nouns
from dpviz.queries.nouns import PERSON
from dpviz.workspace.guesses import CorrectGuesses, right_of_epsilon, right_of_rho
from dpviz.workspace.held import HeldTier
from dpviz.workspace.linear import WEEKS, Numbers, Queries, Subject

DATA, ANSWERS = "noise on data", "noise on answers"
SEED = 31
TIERS = (cast.PUBLIC, cast.PARTNERS, cast.RESEARCH, cast.AUDIT)
OPENING = cast.ASKING[:2]  # who asked before the page is opened


def answers(
    questions: Workload,
    family: Family,
    contribution: Contribution,
    amount: str,
    delta: float,
    step: float,
    way: str,
    data: Sequence[float],
    levels: Sequence[float],
    any_order: bool = False,
    *,
    rng: np.random.Generator,
) -> tuple[pd.Series, list[Any]]:
    """Return the typical error of every way, and what tiers at these noise levels get by one way.

    Args:
        questions: what is asked.
        family: of the noise.
        contribution: what one person adds to the data.
        amount: the budget of the comparison, as it is typed.
        delta: of families whose ε needs one.
        step: one whole step of the data, in units of the answers.
        way: the one that is used.
        data: in whole steps.
        levels: noise levels, in the order of asking.
        any_order: whether the same numbers come in any order of asking.
        rng: where the noise comes from.
    """
    kind = guarantee_of(family).letter
    found = compare(
        questions,
        family,
        kind,
        Amount(Fraction(amount)),
        contribution=contribution,
        delta=delta,
        step=step,
    )
    errors = pd.Series({name: each.typical for name, each in found.ways.items()})
    session = found.ways[way].factorization.session(
        np.asarray(data), family, rng=rng, any_order=any_order
    )
    return errors, [session.release(level) for level in levels]


def guesses_at(family: Family, loss: float, delta: float) -> CorrectGuesses:
    """Guesses right of 1,000 about one person at a budget.

    >>> from dpviz.noise import FAMILIES
    >>> guesses_at(FAMILIES["gaussian"], 0.4, 0.0).said
    '673'
    """
    promise = guarantee_of(family)
    if promise.letter == "ρ":
        return right_of_rho(loss)
    return right_of_epsilon(loss, delta if promise.with_delta else 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Linear:
    """The questions, the person, the budget, all ways, and the one taken; of whose numbers.

    Attributes:
        queries: the questions.
        family: of the noise.
        person: what one adds to the data.
        amount: the budget as it is typed.
        delta: of families whose ε needs one.
        comparison: all ways at this budget.
        way: the one that is used.
        own: the visitor's statistic; None for the made-up year.
    """

    queries: Queries
    family: Family
    person: Contribution
    amount: str
    delta: float
    comparison: Comparison
    way: Way
    own: Subject | None

    @property
    def numbers(self) -> Numbers:
        """What the numbers are called."""
        return self.queries.numbers

    @property
    def nouns(self) -> Nouns:
        """What the unit of privacy is called."""
        return self.own.query.nouns if self.own else PERSON

    @property
    def count(self) -> int:
        """How many answers there are."""
        return self.queries.workload.shape[0]

    @property
    def key(self) -> Hashable:
        """What the answers and the law of their noise depend on."""
        if self.own is not None:
            return self.own.key
        return "linear queries", self.queries.key, self.family.name, self.person, self.way.name

    @property
    def compared(self) -> Way | None:
        """The simple way that the one in use is compared with; None if there is no other."""
        ways = (self.comparison.ways.get(name) for name in (ANSWERS, DATA))
        return next((way for way in ways if way is not None and way is not self.way), None)

    def reaches(self, way: Way) -> Array:
        """Half widths, 95 times in 100, of the answers by a way, in their unit."""
        found = half_widths(way.factorization, self.family, way.budget.level, SURE)
        return np.asarray(self.numbers.step * found)

    def attained(self, way: Way | None = None) -> bool:
        """Whether nothing does better than a way, usually the best, by more than 0.1 %."""
        found = self.comparison
        return found.bound is not None and found.bound > 0.999 * (way or found.best).typical

    def typical_at(self, level: float) -> float:
        """Typical error of the answers at a noise level, in their unit."""
        made = self.way.factorization
        return self.numbers.step * typical_error(made.variances(self.family, level))

    @property
    def data(self) -> Array:
        """The made-up numbers that are asked about."""
        return np.array(WEEKS[: self.queries.workload.shape[1]])

    @property
    def exact(self) -> Array:
        """The exact answers about the made-up year, which are public."""
        return np.asarray(self.queries.workload.exact(self.data))


def seed_of(scene: Linear, attempt: int) -> tuple[int, ...]:
    """Seed and path of the generator of a session about the made-up year."""
    return SEED, zlib.crc32(repr(scene.key).encode()), attempt


@dataclass(slots=True)
class YearSession:
    """One session of answers about the made-up year, and the tiers that hold releases of it.

    The year is public, so it is in no ledger. Two tiers draw when it is opened.

    Attributes:
        answers: the session.
        budgets: what each tier may have, most private first.
        seed: seed and path of its generator.
        drawn: tiers that hold their release, in the order of asking.
    """

    answers: LinearAnswers
    budgets: dict[str, Budget]
    seed: tuple[int, ...]
    drawn: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, scene: Linear, attempt: int) -> "YearSession":
        """Open the session of these questions.

        Raises:
            ParameterError: a tier's budget cannot be used.
        """
        family, made = scene.family, scene.way.factorization
        setting = setting_of(made, family, USUAL_DELTA)
        kind: Kind = guarantee_of(family).letter
        budgets = {
            name: resolve(kind, Amount(Fraction(amount)), setting)
            for name, amount in cast.amounts(kind).items()
            if name in TIERS
        }
        seed = seed_of(scene, attempt)
        session = made.session(scene.data, family, rng=streams.teaching(*seed))
        one = cls(session, budgets, seed)
        one.draw(*OPENING)
        return one

    def draw(self, *names: str) -> None:
        """Draw the answers of tiers; once drawn they stay."""
        for name in names:
            self.answers.release(self.budgets[name].level)
            if name not in self.drawn:
                self.drawn.append(name)

    @property
    def tiers(self) -> tuple[HeldTier, ...]:
        """The tiers that drew, with what they hold, most private first."""
        return tuple(
            HeldTier.of(
                name, self.budgets[name], cast.STYLES[name], self.answers.release(budget.level)
            )
            for name, budget in self.budgets.items()
            if name in self.drawn
        )
