"""A statistic in use, and the sessions that were opened for it.

A round is one session with what it was opened for. Whatever changes the exact answer or the noise
family needs a new session, and the losses of different sessions add.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

from dpviz.accounting import ReleaseEvent
from dpviz.accounting.guarantees import guarantee_of
from dpviz.data import Table
from dpviz.noise import FAMILIES
from dpviz.parameters import exact
from dpviz.planning.budgets import Budget, Setting, at_level
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import (
    Query,
)
from dpviz.release import LedgerEntry, MultipleRelease, Neighbour
from dpviz.streams import Mode
from dpviz.words import loss_with_delta, significant
from dpviz.workspace.facts import Facts, handout_facts

PUBLIC = (
    "When one person is replaced by another, this number stays as it is: it is public and needs no "
    "noise. Choose “one person more or less”, or split by groups."
)


@dataclass(frozen=True, slots=True)
class Statistic:
    """What is published: a query on a table, and how the library loads that table."""

    table: Table
    query: Query
    loading: str  # Python expression, for the code samples

    @property
    def key(self) -> tuple[str, Query]:
        """What makes it this statistic: the bytes of the table and the query."""
        return self.table.digest, self.query

    def setting(self, family_name: str, delta: float) -> Setting:
        """What budgets refer to under this statistic and noise."""
        query = self.query
        return Setting(
            family=FAMILIES[family_name],
            delta=delta,
            sensitivity=query.sensitivity,
            dimension=query.dimension,
            step=query.step,
            same_direction=query.same_direction,
        )


@dataclass(slots=True, eq=False)
class Round:
    """One session with what it was opened for. Closed by "start over"; its releases stay."""

    number: int
    statistic: Statistic
    family_name: str
    seed: int
    session: MultipleRelease
    asked: list[float] = field(default_factory=list)  # levels, in order of asking
    closed: bool = False

    def is_for(self, statistic: Statistic, family_name: str, mode: Mode) -> bool:
        """Whether this round goes on for this statistic, family and mode."""
        mine = (*self.statistic.key, self.family_name, self.session.mode)
        return not self.closed and mine == (*statistic.key, family_name, mode)


@dataclass(slots=True, kw_only=True, repr=False)
class Structured:
    """A session of a structured mechanism on this workspace's data, with what it was opened for.

    Its mechanism keeps what it drew; its releases stand in the ledger beside those of the rounds,
    and its loss adds to theirs. Its page hands its answers out: they enter no pack.
    """

    number: int
    key: Hashable  # what it was opened for; another key is another session
    statistic: str  # in words
    data: str  # name of the table
    definition: str
    mode: Mode
    seed: int
    mechanism: Any
    closed: bool = False


def event_of(session: int, family_name: str, b: Budget) -> ReleaseEvent:
    """The release of a budget in a session, for accounting."""
    promise = guarantee_of(FAMILIES[family_name])
    return ReleaseEvent(
        session=session,
        definition=promise.definition,
        budget=b.exact,
        delta=b.delta if promise.with_delta else 0.0,
    )


def stated_at(entry: LedgerEntry, setting: Setting) -> Budget:
    """What a release tells, in every currency: as it was stated when it was drawn."""
    then = replace(setting, delta=entry.event.delta or setting.delta)
    loss = exact(entry.event.budget)
    return replace(at_level(entry.level, then), loss=float(loss), exact=loss)


def entry_of(
    number: int,
    one: Round,
    planned: PlannedTier,
    neighbours: tuple[Neighbour, ...],
    setting: Setting,
    promised: Facts,
) -> LedgerEntry:
    """The ledger's record of a release that a tier was just given."""
    b, family = planned.budget, setting.family
    event = event_of(one.number, one.family_name, b)
    return LedgerEntry(
        number=number,
        tier=planned.name,
        level=b.level,
        noise=f"{family.level_name} {family.level_symbol} = {significant(b.level, 4)}",
        budget=loss_with_delta(b.letter, b.loss, event.delta),
        event=event,
        kind="lossless",
        neighbours=neighbours,
        meaning=family.weight_meaning,
        facts=(
            *handout_facts(
                planned,
                one.statistic.query,
                one.statistic.table.name,
                setting,
                event.definition,
                one.session.mode,
            ),
            *promised,
        ),
    )
