"""What the page Linear queries shows, handed from its controls to its pictures and words."""

from collections.abc import Hashable
from dataclasses import dataclass

from dpviz.linear import Contribution
from dpviz.linear.comparison import Comparison, Way
from dpviz.linear.statistic import Summed
from dpviz.noise import Array
from dpviz.noise.family import Family
from dpviz.ui.linear_queries.numbers import Numbers
from dpviz.ui.linear_queries.questions import Asked
from dpviz.words import budget, significant
from dpviz.workspace.held import HeldTier
from dpviz.workspace.sessions import Statistic


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """The user's statistic as linear queries take it."""

    statistic: Statistic
    query: Summed


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
    own: Own | None

    @property
    def numbers(self) -> Numbers:
        """What the numbers are called."""
        return self.asked.numbers

    @property
    def budget(self) -> str:
        """The budget with its letter."""
        return budget(self.way.budget.letter, self.way.budget.loss)

    @property
    def most(self) -> str:
        """M: what one person adds to one number at most, in its unit."""
        m, step = self.person.largest, self.numbers.step
        steps = "" if step == 1 else f" ({significant(m)} steps of {significant(step)})"
        return f"{significant(m * step)}{steps}"

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What the answers and the law of their noise depend on."""
        what = self.person if self.own is None else self.own.statistic.key
        return "linear queries", self.asked.key, self.family.name, what, self.way.name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answers:
    """What was drawn, for the pictures, and how the library draws the same.

    Attributes:
        tiers: with their answers in steps, most private first.
        exact: the exact answers in units, only where they are public or revealed.
        generator: of the session, as Python.
        asked: tiers and their levels, in the order of asking.
    """

    tiers: tuple[HeldTier, ...]
    exact: Array | None
    generator: str
    asked: tuple[tuple[str, float], ...]
