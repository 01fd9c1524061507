"""A statistic in use, and the sessions that were opened for it.

A round is one session with what it was opened for. Whatever changes the exact answer or the noise
family needs a new session, and the losses of different sessions add.
"""

from dataclasses import dataclass, field

from dpviz.accounting import ReleaseEvent
from dpviz.data import Table
from dpviz.figures.words import loss_with_delta, significant
from dpviz.mechanisms.budgets import Budget, Setting
from dpviz.mechanisms.tiers import PlannedTier
from dpviz.queries import CountPerGroup
from dpviz.release import LedgerEntry, MultipleRelease, Neighbour
from dpviz.streams import Mode
from dpviz.ui.facts import handout_facts

FROM_SAMPLE = "load_sample()"  # how the library loads the ready sample
DEFINITIONS = {
    "gaussian": "ρ-zCDP",
    "laplace": "ε-DP",
    "discrete_laplace": "ε-DP",
    "poisson": "(ε, δ)-DP",
    "skellam": "(ε, δ)-DP",
}


@dataclass(frozen=True, slots=True)
class Statistic:
    """What is published: a query on a table, and how the library loads that table."""

    table: Table
    query: CountPerGroup
    loading: str  # Python expression, for the code samples


@dataclass(slots=True)
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
        mine = (self.statistic.table.digest, self.statistic.query, self.family_name)
        wanted = (statistic.table.digest, statistic.query, family_name)
        return not self.closed and mine == wanted and self.session.mode == mode


def event_of(session: int, family_name: str, b: Budget) -> ReleaseEvent:
    """The release of a budget in a session, for accounting."""
    definition = DEFINITIONS[family_name]
    delta = b.delta if definition == DEFINITIONS["poisson"] else 0.0
    return ReleaseEvent(session=session, definition=definition, budget=b.loss, delta=delta)


def entry_of(
    number: int,
    one: Round,
    planned: PlannedTier,
    neighbours: tuple[Neighbour, ...],
    setting: Setting,
) -> LedgerEntry:
    """The ledger's record of a release that was just drawn."""
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
        facts=handout_facts(
            planned,
            one.statistic.query,
            one.statistic.table.name,
            setting,
            event.definition,
            one.session.mode,
        ),
    )
