"""Linear queries: how far off all answers are by every way to place the noise, and what tiers get.

`answers` makes the numbers; the drawer of the page shows its source.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from dpviz.accounting.guarantees import guarantee_of
from dpviz.linear import Contribution
from dpviz.linear.accuracy import half_widths
from dpviz.linear.comparison import Comparison, Way, compare, typical_error
from dpviz.linear.workloads import Workload
from dpviz.noise import Array
from dpviz.noise.family import Family
from dpviz.planning.amounts import Amount
from dpviz.planning.budgets import ACCURACY_CONFIDENCE as SURE
from dpviz.queries import Nouns
from dpviz.queries.nouns import PERSON
from dpviz.scenes.releases import interval_rows
from dpviz.workspace.guesses import CorrectGuesses, right_of_epsilon, right_of_rho
from dpviz.workspace.held import HeldTier
from dpviz.workspace.linear import WEEKS, Numbers, Queries, Subject

DATA, ANSWERS = "noise on data", "noise on answers"
SEED = 31


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
    def compared(self) -> Way | None:
        """The simple way that the one in use is compared with; None if there is no other."""
        ways = (self.comparison.ways.get(name) for name in (ANSWERS, DATA))
        return next((way for way in ways if way is not None and way is not self.way), None)

    def reaches(self, way: Way) -> Array:
        """Half widths, 95 times in 100, of the answers by a way, in their unit."""
        found = half_widths(way.factorization, self.family, way.budget.level, SURE)
        return np.asarray(self.numbers.step * found)

    @property
    def spread(self) -> bool:
        """Whether the way in use is the best one, and puts noise on neither data nor answers."""
        return self.way is self.comparison.best and self.way.name not in (DATA, ANSWERS)

    @property
    def attained(self) -> bool:
        """Whether nothing does better than the best way by more than 0.1 %."""
        found = self.comparison
        return found.bound is not None and found.bound > 0.999 * found.best.typical

    @property
    def right(self) -> CorrectGuesses:
        """Guesses right of 1,000 about one person by all answers, at the budget."""
        promise, loss = guarantee_of(self.family), float(self.amount)
        if promise.letter == "ρ":
            return right_of_rho(loss)
        return right_of_epsilon(loss, self.delta if promise.with_delta else 0.0)

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


def answers_frame(scene: Linear, tiers: Sequence[HeldTier]) -> pd.DataFrame:
    """One row per answer and held tier, with its interval; columns `RELEASE`.

    Args:
        scene: what was asked, and of whom.
        tiers: with their answers in steps, in the order to draw them.
    """
    parts, step = [], scene.numbers.step
    for tier in tiers:
        reach = half_widths(scene.way.factorization, scene.family, tier.level, SURE)
        values = step * np.asarray(tier.values, dtype=np.float64)
        parts.append(interval_rows(tier, scene.queries.names, values, step * reach))
    return pd.concat(parts, ignore_index=True)
