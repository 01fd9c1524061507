"""The most common items of a column: the list, and the counts on it.

A list is drawn once, for all tiers: it is a session of its own, and its cost adds. The counts of
its items are another session, which tiers share at different exactness. The exact counts are made
when the list is drawn, inside the mechanism, and again only for "reveal".
"""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks, streams
from dpviz.accounting.guarantees import Setting
from dpviz.errors import ParameterError
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Count
from dpviz.release import LedgerEntry, Selection
from dpviz.top_k import ListCost, TopK, UnknownDomain
from dpviz.top_k.ranking import Ranking
from dpviz.words import percent, significant, within
from dpviz.words.grammar import numbered
from dpviz.workspace.facts import Facts
from dpviz.workspace.kept import Levels
from dpviz.workspace.legend import Legend
from dpviz.workspace.sessions import Asking, Session, at_its_level, held_at
from dpviz.workspace.structured import budgeted, for_all_tiers
from dpviz.workspace.top_k.keeping import HeldList, KeptList
from dpviz.workspace.top_k.source import Source, opened
from dpviz.workspace.workspace import Workspace

EXACT = {"teaching": "", "hardened": "; drawn by that law item after item, exactly"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A list of the k most common items, and the counts on it.

    Attributes:
        source: what items are counted.
        k: length of the list, at most.
        step: ε of each draw.
        unknown: how it is drawn where the domain is unknown; None: it is known.
    """

    source: Source
    k: int
    step: Fraction
    unknown: UnknownDomain | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", checks.integer(1, k=self.k))
        checks.instance(Fraction, step=self.step)
        checks.positive(step=float(self.step))
        if self.source.known == (self.unknown is not None):
            raise ParameterError(
                "pass how an unknown domain is drawn from where the items are not on a list, and "
                "only there"
            )
        if isinstance(self.source.query, Count) and self.k > len(self.source.query.labels):
            raise ParameterError(
                f"k must be at most the {len(self.source.query.labels):,} items on the list of "
                f"groups, got {self.k:,}"
            )

    @property
    def key(self) -> Hashable:
        """Everything that the list depends on, but for the mode and its length."""
        source = self.source
        return "top-k", *source.key, self.step, self.unknown

    @property
    def name(self) -> str:
        """What the ledger calls the list; a longer one is another entry of the same session."""
        return f"list of {self.k:,}"

    def ranking(self, ws: Workspace) -> Ranking | None:
        """The longest list that was drawn, or None; draws nothing."""
        one = ws.find(self.key)
        return one.mechanism.ranking if one else None

    def draw(self, ws: Workspace, *, sure: bool = False) -> Ranking:
        """Draw the list, or go on with a shorter one, and write its cost into the ledger.

        Args:
            ws: the workspace.
            sure: whether a budget that promises next to nothing is meant.

        Raises:
            ParameterError: if the counts cannot be used, or it is not meant.
        """
        ws.record(self.asking(ws.family), self.planned, sure=sure)
        return opened(ws, self.key).mechanism.rank(self.k)  # type: ignore[no-any-return]

    @property
    def cost(self) -> ListCost:
        """What the list costs, drawn or not."""
        hidden = None if self.unknown is None else self.unknown.log_delta
        return ListCost(steps=self.k, step=self.step, log_hidden=hidden)

    @property
    def level(self) -> float:
        """The scale of its noise."""
        ways = 2 if self.source.reach.both_ways else 1
        return float(self.source.reach.linf * ways / self.step)

    @property
    def planned(self) -> PlannedTier:
        """The list as the ledger takes it: for all tiers, at the scale of its noise."""
        return for_all_tiers(self.name, self.level, self.cost.pure, self.cost.hidden)

    def asking(self, family: Family) -> Asking:
        """What the mechanism of the list is asked for, and how it is accounted for.

        Args:
            family: noise of the counts to come, which shares its ledger.
        """
        source, step, unknown, k = self.source, self.step, self.unknown, self.k

        def mechanism(rng: np.random.Generator) -> TopK:
            return TopK(
                source.counts(),
                epsilon=step,
                reach=source.reach,
                unknown=unknown,
                rng=rng,
                any_order=streams.mode_of(rng) == "teaching",
            )

        def release(top: TopK, tier: PlannedTier) -> float:
            top.rank(k)
            return tier.budget.level

        return Asking(
            key=self.key,
            statistic=f"most common items by {source.query.statistic}",
            data=source.table.name,
            family=family,
            kind="lossless",
            mechanism=mechanism,
            release=release,
            facts=self._facts,
            values=lambda top, _: np.arange(1, len(top.ranking.items) + 1),
            entries=lambda top, _: tuple(map(str, top.ranking.items)),
            as_of=self._as_of,
            about=source.table,
            bounds=source.query.bounds,
            selection=lambda number: Selection(noise="Gumbel", cost=self.cost.event(number)),
            kept=KeptList(subject=self),
            any_order=True,
            laid=source.labels,
            legend=Legend(
                one="common item",
                many="common items",
                columns=("item", "place"),
                says="The order is noisy: items that are about equally common change places "
                "easily.",
            ),
        )

    def _as_of(self, top: Any, entry: LedgerEntry) -> HeldList:
        """The list of an entry, without what was drawn on for a later one."""
        k = int(entry.budget.exact / self.step)
        return HeldList(ranking=top.ranking.first(k))

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of the list: the value beside each item is its place."""
        found = self._as_of(one.mechanism, entry).ranking
        threshold = ""
        if self.unknown is not None:
            above = float(self.unknown.above(self.step, self.source.reach))
            threshold = (
                "the list ends where a noisy count is below the sign of its end, "
                f"{significant(above)} above the count next after the {self.unknown.seen:,} largest"
                + ("; it has ended" if found.ended else "")
            )
        return self.source.facts(
            entry,
            one,
            f"the {found.asked:,} most common items, in noisy order",
            threshold=threshold,
            noise=f"Gumbel, scale {entry.level!r}, once on every count, of which only the order is "
            f"released{EXACT[one.mode]}",
            accuracy="the value beside an item is its place in noisy order; counts that are nearer "
            f"to each other than about {significant(3 * entry.level)} change places easily",
        )

    def values(self, ws: Workspace) -> "Values":
        """The counts of the list that was drawn, for tiers.

        Raises:
            ParameterError: if no list was drawn, or it is empty.
        """
        ranking = self.ranking(ws)
        if ranking is None or not ranking.items:
            raise ParameterError("There is no list yet, or nothing on it. Draw the list first")
        listed = opened(ws, self.key)
        return Values(subject=self, ranking=ranking, family=ws.family, listed=listed)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Values:
    """The counts of the items of one list, released to several tiers, in any order, lossless."""

    subject: Subject
    ranking: Ranking
    family: Family
    listed: Session  # of the list

    @property
    def key(self) -> Hashable:
        """Everything that the numbers and their noise depend on, but for the mode."""
        one, source = self.listed, self.subject.source.key
        return (
            "top-k values",
            *source,
            one.stream or one.number,
            self.ranking.items,
            self.family.name,
        )

    def setting(self, delta: float) -> Setting:
        """What budgets refer to on the counts of this list."""
        size = len(self.ranking.items)
        return Setting(
            family=self.family,
            delta=delta,
            sensitivity=self.subject.source.reach.sensitivity(size),
            dimension=size,
        )

    def tiers(self, ws: Workspace) -> tuple[list[PlannedTier], list[str]]:
        """The plan's tiers on these counts, most private first, and who is left out."""
        return budgeted(ws, self.setting(ws.delta))

    @property
    def asking(self) -> Asking:
        """What the session of the counts is asked for, and how it is accounted for."""
        source, family = self.subject.source, self.family
        kept = Levels(subject=self, family=family, exact=self._exact)
        return Asking(
            key=self.key,
            statistic=f"counts of the most common items by {source.query.statistic}",
            data=source.table.name,
            family=family,
            kind="lossless",
            mechanism=lambda rng: kept.opened(rng=rng),
            release=at_its_level,
            facts=self._facts,
            values=held_at,
            entries=lambda *_: tuple(map(str, self.ranking.items)),
            about=source.table,
            bounds=source.query.bounds,
            kept=kept,
            any_order=True,
            legend=Legend(
                one="count",
                many="counts",
                noun=source.query.noun,
                half=lambda entry: entry.budget.half_width,
                offset=family.mean,
            ),
        )

    def _exact(self) -> NDArray[np.int64]:
        """The exact counts of the list."""
        counts = self.subject.source.counts()
        return np.array([counts[str(item)] for item in self.ranking.items], dtype=np.int64)

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of one tier's counts."""
        family, half = self.family, entry.budget.half_width
        size = len(self.ranking.items)
        return self.subject.source.facts(
            entry,
            one,
            f"the {numbered(size, 'items')} on the list of session {self.listed.number}, whose "
            "cost adds,",
            size,
            noise=f"{family.label}, {family.level_name} {entry.level!r}",
            accuracy=f"with {percent(ACCURACY_CONFIDENCE)} confidence a number is "
            f"{within(half, f'({self.subject.source.query.noun}) of the bounded one')}; the list "
            "was chosen by other noise",
        )
