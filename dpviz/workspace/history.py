"""The plans that one tab had in use: what undo goes back to, and redo on to.

A plan is kept here once it was in use; what is typed and refused never was. All of it is in memory
and ends with the workspace: no project and no file has it. What was released is not in it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpviz import checks
from dpviz.data import Table
from dpviz.palette import TierStyle
from dpviz.planning.tiers import Tier
from dpviz.streams import Mode
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.topics import Topic

MOST = 50  # plans to go back to; of more the earliest goes


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanState:
    """A plan that is in use, with all that it takes to use it again.

    Attributes:
        table: that is loaded, with its readings.
        statistics: of the plan, each with its budgets and its noise.
        topics: the structured mechanisms that are planned beside them.
        statistic: the one in use.
        tiers: with their budgets for the statistic in use.
        styles: colour and symbol of each tier.
        sizes: expected ones that can be read, by their unit.
        former: what ± a tier had of another statistic.
        family_name: the noise of the statistic in use.
        mode: teaching or hardened.
        delta: of the whole plan.
        seed: of practice numbers.
        is_guess: whether nobody has said what is published.
    """

    table: Table
    statistics: tuple[Statistic, ...]
    topics: tuple[Topic, ...]
    statistic: Statistic
    tiers: tuple[Tier, ...]
    styles: Mapping[str, TierStyle]
    sizes: Mapping[str, str]
    former: Mapping[str, str]
    family_name: str
    mode: Mode
    delta: float
    seed: int
    is_guess: bool

    def __post_init__(self) -> None:
        checks.probability(delta=self.delta)
        checks.whole(0, seed=self.seed)

    def said(self, without: Collection[Any] = ()) -> Any:
        """What somebody said: whichever statistic is looked at, and however tiers look.

        Args:
            without: keys of statistics that are left out.
        """
        rows = tuple(replace(tier, kind="ρ", amount="") for tier in self.tiers)
        asked = [
            (s.key, s.words, s.own_name, s.noise, s.budgets)
            for s in self.statistics
            if s.key not in without
        ]
        topics = [topic.key for topic in self.topics]
        setting = self.mode, self.delta, self.seed, self.table.readings
        return rows, asked, topics, setting, dict(self.sizes)


@dataclass(slots=True)
class History:
    """The plan in use, those before it, and those that were undone."""

    past: list[PlanState] = field(default_factory=list)
    now: PlanState | None = None
    future: list[PlanState] = field(default_factory=list)
    plan_a: PlanState | None = None  # what the plan in use is compared with

    def begin_again(self) -> None:
        """Begin with the plan that is in use next: to none before it one can go back."""
        self.past, self.now, self.future = [], None, []

    def follow(self, state: PlanState) -> None:
        """Have another plan in use; what was undone is gone."""
        if self.now is not None:
            self.past = [*self.past, self.now][-MOST:]
        self.now, self.future = state, []
