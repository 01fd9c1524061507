"""Linear queries about the visitor's statistic: what a session is about, its tiers, the facts.

The exact numbers are made when the first tier draws, inside the mechanism, and again only for
"reveal".
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from dpviz.accounting.guarantees import guarantee_of
from dpviz.linear import Contribution
from dpviz.linear.accuracy import half_widths
from dpviz.linear.comparison import setting_of
from dpviz.linear.factorization import Factorization
from dpviz.linear.statistic import Summed, numbers_of
from dpviz.noise import Array
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry
from dpviz.words import percent, significant, within
from dpviz.workspace.facts import Facts, header
from dpviz.workspace.kept import Levels
from dpviz.workspace.legend import Legend
from dpviz.workspace.linear.questions import Asked
from dpviz.workspace.sessions import Asking, Session, Statistic, at_its_level, held_at
from dpviz.workspace.structured import budgeted
from dpviz.workspace.workspace import Workspace


def statistic_of(ws: Workspace) -> tuple[Statistic, Summed]:
    """The statistic in use as linear queries take it, and its query.

    Raises:
        ParameterError: if its numbers do not add up, or are too many.
    """
    used = ws.statistic
    query = numbers_of(used.query)
    return replace(used, query=query), query


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """What a session is about: a statistic, what is asked of it, the noise, and how it is split."""

    statistic: Statistic
    query: Summed
    asked: Asked
    family: Family
    factorization: Factorization

    @property
    def key(self) -> Hashable:
        """Everything that the answers and their noise depend on, but for the mode."""
        what = self.statistic.key
        return "linear queries", self.asked.key, self.family.name, what, self.factorization.name

    @property
    def exact(self) -> Array:
        """The exact answers in units, computed again: not private, for "reveal" only."""
        data = self.query.values(self.statistic.table)
        return np.asarray(self.asked.workload.exact(data) * self.asked.numbers.step)

    def tiers(self, ws: Workspace) -> tuple[list[PlannedTier], list[str]]:
        """The plan's tiers for these numbers, most private first, and who is left out."""
        step = self.asked.numbers.step
        return budgeted(ws, setting_of(self.factorization, self.family, ws.delta, step))

    @property
    def asking(self) -> Asking:
        """What the mechanism is asked for, and how its releases are accounted for."""
        statistic, query, family = self.statistic, self.query, self.family
        made = self.factorization
        kept = Levels(
            subject=self,
            family=family,
            exact=lambda: made.exact(query.values(statistic.table), family),
            around=made.around,
            inner=lambda answers: answers.inner,
        )
        return Asking(
            key=self.key,
            statistic=f"{self.asked.workload.name} of: {query.statistic}",
            data=statistic.data,
            family=family,
            kind="lossless",
            mechanism=lambda rng: kept.opened(rng=rng),
            release=at_its_level,
            facts=self._facts,
            values=held_at,
            entries=lambda *_: self.asked.names,
            step=self.asked.numbers.step,
            about=statistic,
            bounds=query.bounds,
            kept=kept,
            any_order=True,
            legend=Legend(
                one="answer",
                many="answers",
                noun=self.asked.numbers.noun,
                half=lambda entry: self._half_widths(entry.level),
                offset=lambda level: made.offset(family, level),
            ),
        )

    def _half_widths(self, level: float) -> Array:
        """How far off each answer by itself may be."""
        found = half_widths(self.factorization, self.family, level, ACCURACY_CONFIDENCE)
        return np.asarray(found * self.asked.numbers.step)

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of one tier's answers."""
        query, numbers, family = self.query, self.asked.numbers, self.family
        made, level = self.factorization, entry.level
        most = float(self._half_widths(level).max())
        return header(
            entry,
            one.mode,
            statistic=f"{self.asked.workload.name} of: {query.statistic}",
            questions=self._typed_questions(),
            data=self.statistic.data,
            together=f"for all {len(self.asked.names):,} answers together",
            unit=query.unit,
            neighbours=query.neighbours,
            bounds=query.contribution,
            sensitivity=sensitivity_words(made, family, numbers.step),
            noise=f"{family.label}, {family.level_name} {level!r}, on each of {made.inner:,} "
            f"numbers R·x, of which L makes the answers; factorization A = L·R: {made.name}",
            accuracy=f"with {percent(ACCURACY_CONFIDENCE)} confidence each answer by itself is "
            f"{within(most, f'({numbers.noun}) of the bounded one')}; most are nearer",
        )

    def _typed_questions(self) -> str:
        """A typed matrix in full: nobody could read the answers without it."""
        if not isinstance(self.asked.key, tuple):
            return ""
        rows = self.asked.sample.removeprefix("typed(").removesuffix(")")
        return f"row by row {rows}, times the numbers of: {'; '.join(self.asked.numbers.labels)}"


def most_words(person: Contribution, step: float) -> str:
    """M: what one person adds to one number at most, in its unit."""
    steps = "" if step == 1 else f" ({significant(person.largest)} steps of {significant(step, 6)})"
    return f"{significant(person.largest * step)}{steps}"


def sensitivity_words(made: Factorization, family: Family, step: float) -> str:
    """The norm of R·x that counts, and the rule that gave it."""
    moves = made.moves
    norm, found = ("Δ₂", moves.l2) if guarantee_of(family).norm == "l2" else ("Δ₁", moves.l1)
    steps = "" if step == 1 else f" steps of {significant(step, 6)}"
    return (
        f"{norm} of R·x = {significant(found.value, 4)}{steps}: {found.method}, with "
        f"M = {most_words(made.contribution, step)}"
    )
