"""What the page Linear queries shows, handed from its controls to its pictures and words."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.linear.bars import DIGITS
from dpviz.linear import Contribution
from dpviz.linear.comparison import Comparison, Way, typical_error
from dpviz.noise import Array
from dpviz.noise.family import Family
from dpviz.queries import Nouns
from dpviz.queries.nouns import PERSON
from dpviz.words import budget, significant
from dpviz.workspace.guesses import right_of_epsilon, right_of_rho
from dpviz.workspace.held import HeldTier
from dpviz.workspace.linear.numbers import Numbers
from dpviz.workspace.linear.questions import Asked
from dpviz.workspace.linear.subject import Subject, most_words


def guesses_at(family: Family, loss: str | float, delta: float) -> str:
    """Guesses right of 1,000 about one person at a budget; a coin: 500."""
    promise = guarantee_of(family)
    if promise.letter == "ρ":
        return right_of_rho(float(loss)).said
    return right_of_epsilon(float(loss), delta if promise.with_delta else 0.0).said


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """The questions, the person, the budget, all ways, and the one taken; of whose numbers."""

    asked: Asked
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
        return self.asked.numbers

    @property
    def nouns(self) -> Nouns:
        """What the unit of privacy is called."""
        return self.own.query.nouns if self.own else PERSON

    @property
    def budget(self) -> str:
        """The budget with its letter."""
        return budget(self.way.budget.letter, self.way.budget.loss)

    def typical_at(self, level: float) -> str:
        """Typical error of the answers at a noise level, in their unit."""
        made = self.way.factorization
        found = self.numbers.step * typical_error(made.variances(self.family, level))
        return significant(found, DIGITS)

    @property
    def most(self) -> str:
        """M: what one person adds to one number at most, in its unit."""
        return most_words(self.person, self.numbers.step)

    @property
    def key(self) -> Hashable:
        """What the answers and the law of their noise depend on."""
        if self.own is not None:
            return self.own.key
        return "linear queries", self.asked.key, self.family.name, self.person, self.way.name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answers:
    """What was drawn, for the pictures, and how the library draws the same.

    Attributes:
        tiers: with their answers in steps, most private first.
        exact: the exact answers in units, only where they are public or revealed.
        generator: of the session, as Python.
        asked: tiers and their levels, in the order of asking.
        remarks: lines of Python that say why the same numbers do not come again.
        ordered: a further argument of the session, as Python.
    """

    tiers: tuple[HeldTier, ...]
    exact: Array | None
    generator: str
    asked: tuple[tuple[str, float], ...]
    remarks: Sequence[str] = ()
    ordered: str = ""
