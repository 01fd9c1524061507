"""The most common items of a column of the visitor's data: lists with their counts, histograms.

A list is drawn once, for all tiers: it is a session of its own, and its cost adds. The counts of
its items are another session, which tiers share at different exactness. The exact counts are made
when the list is drawn, inside the mechanism, and again only for "reveal". A project keeps the
longest list that was drawn, from which it is drawn on: item by item from those that are left, so
what was released is all that matters for the rest (MATHEMATICS 13.1); no noise is held. A truncated
histogram has all common items of an unknown domain with their counts, drawn once.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks, streams
from dpviz.accounting import ReleaseEvent
from dpviz.accounting.guarantees import Setting
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Family
from dpviz.parameters import exact
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Count, ItemCounts, TextCounts
from dpviz.release import LedgerEntry, Selection
from dpviz.top_k import ListCost, Reach, TopK, TruncatedHistogram, UnknownDomain
from dpviz.top_k.ranking import Ranking
from dpviz.top_k.truncated_histogram import CommonItems, concentrated_cost
from dpviz.words import percent, significant, within
from dpviz.words.grammar import numbered
from dpviz.workspace.facts import Facts, header
from dpviz.workspace.kept import Content, Levels, NeverSealed
from dpviz.workspace.sessions import Asking, Legend, Session, at_its_level, held_at
from dpviz.workspace.structured import budgeted, for_all_tiers
from dpviz.workspace.workspace import Workspace

Counted = Count | ItemCounts | TextCounts
LEAST_ITEMS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What items are counted, and how: a count per group of a list, or per item of a column."""

    table: Table
    query: Counted

    def __post_init__(self) -> None:
        if not isinstance(self.query, Counted):
            raise ParameterError(
                "top-k needs counts: choose a number per group, or per item of a column"
            )
        groups = len(self.query.labels) if isinstance(self.query, Count) else LEAST_ITEMS
        if groups < LEAST_ITEMS or (isinstance(self.query, Count) and self.query.total):
            raise ParameterError(
                "top-k needs a count for each of at least two groups, without their total; choose "
                "such a statistic"
            )

    @property
    def key(self) -> tuple[Hashable, Counted]:
        """All on which the counts depend."""
        return self.table.source(self.query.columns), self.query

    @property
    def known(self) -> bool:
        """Whether the list of all items is public: that of groups is."""
        return isinstance(self.query, Count)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the items on a public list: noise is laid on the counts in their order."""
        return self.query.labels if isinstance(self.query, Count) else ()

    @property
    def reach(self) -> Reach:
        """What one person can do to the counts."""
        query = self.query
        if isinstance(query, Count):
            return Reach.of(query.bounds, len(query.labels))
        return Reach.of(query.bounds)

    def counts(self) -> dict[str, int]:
        """The exact count of each item, computed again: not private, for "reveal" only."""
        query = self.query
        if isinstance(query, TextCounts):
            return query.values(self.table)
        if isinstance(query, Count):
            return dict(zip(query.labels, query.values(self.table).tolist(), strict=True))
        indices, counts = query.values(self.table)
        return dict(zip(query.coding.names(indices), counts.tolist(), strict=True))

    def facts(
        self, entry: LedgerEntry, one: Session, what: str, size: int | None = None, **slots: str
    ) -> Facts:
        """The header block of a hand-out, with what is common to lists and counts.

        Args:
            entry: the release.
            one: its session.
            what: what it is of.
            size: how many counts there are, if that is public.
            slots: other lines of the header.
        """
        query, reach = self.query, self.reach
        moved = reach.l0 if size is None else reach.moved(size)
        domain = (
            f"known: the {len(query.labels):,} groups"
            if isinstance(query, Count)
            else f"unknown: the items of {query.bounds.nouns.many} in the table"
        )
        return header(
            entry,
            one.mode,
            statistic=f"{what} of: {query.statistic}",
            data=self.table.described(query.columns),
            unit=query.bounds.unit,
            neighbours=query.bounds.neighbours,
            bounds=query.contribution,
            sensitivity=f"one {query.bounds.nouns.one} moves a count by at most "
            f"Δ∞ = {reach.linf:,}, and at most {moved:,} of the counts",
            items=domain,
            **slots,
        )


def opened(ws: Workspace, key: Hashable) -> Session:
    """The open session of a key.

    Raises:
        ParameterError: if nothing was drawn in it.
    """
    one = ws.find(key)
    if one is None:
        raise ParameterError("There is no such session. Draw it first")
    return one


# --- how a project keeps a list ---


NO_SEAL = (
    "A list cannot be sealed: a longer one is drawn from the exact counts. Seal the session of its "
    "counts"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldList:
    """A list that was released, for tabs to show: no count, and it draws nothing."""

    ranking: Ranking

    def __post_init__(self) -> None:
        checks.instance(Ranking, ranking=self.ranking)

    def rank(self, k: int) -> Ranking:
        """The first k of the list.

        Raises:
            ParameterError: if fewer were drawn; only its project draws.
        """
        if k > self.ranking.asked and not self.ranking.ended:
            raise ParameterError(
                f"only {self.ranking.asked:,} have been drawn; ask for more with "
                "Workspace.record, which writes them into the project first"
            )
        return self.ranking.first(k)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeptList(NeverSealed):
    """How a project keeps a list; `subject` is a `Subject` of a list."""

    never_sealed: str = NO_SEAL
    lives = False  # what was released is all that it goes on from

    def exact(self) -> dict[str, int]:
        """The exact counts of all items; not private."""
        counts: dict[str, int] = self.subject.source.counts()
        return counts

    def content(self, mechanism: Any) -> Mapping[float, Content]:
        """The longest list so far, at the scale of its noise."""
        return {self.subject.level: mechanism.ranking}

    def serves(self, mechanism: Any, _level: float) -> bool:
        """Whether the list is long enough, or has ended."""
        found: Ranking = mechanism.ranking
        return found.ended or self.subject.k <= found.asked

    def shown(self, content: Mapping[float, Content], *, sealed: bool) -> HeldList:
        """The list; it is never sealed."""
        del sealed
        return HeldList(ranking=content[self.subject.level])

    def continued(self, content: Mapping[float, Content], exact: Any) -> TopK:
        """The list that goes on with the exact counts.

        Raises:
            ParameterError: without them.
        """
        one = self.subject
        if exact is None:
            raise ParameterError(NO_SEAL)
        return TopK.continued(
            exact,
            content[one.level],
            epsilon=one.step,
            reach=one.source.reach,
            rng=streams.hardened(),
            unknown=one.unknown,
        )


# --- lists, and the counts on them ---


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

    def asked(self, ws: Workspace) -> tuple[Asking, list[PlannedTier]]:
        """What a plan asks of it: one list for all tiers."""
        return self.asking(ws.family), [self.planned]

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

    def asked(self, ws: Workspace) -> tuple[Asking, list[PlannedTier]]:
        """What a plan asks of it, and for whom."""
        return self.asking, self.tiers(ws)[0]

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


# --- truncated histograms ---


COMMON_NOT_KEPT = (
    "A project keeps hardened releases only, and a truncated histogram adds Gaussian noise, which "
    "hardened mode does not allow. Choose the Gumbel list, or draw in a workspace without a project"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """All common items of an unknown domain with their counts, in one release of truncated noise.

    Attributes:
        source: what items are counted.
        sigma: standard deviation of the noise before it is cut.
        log_delta: ln of the δ of one count.
        log_delta_used: ln of the δ' at which its ρ is converted to ε.
    """

    source: Source
    sigma: float
    log_delta: float
    log_delta_used: float

    def __post_init__(self) -> None:
        checks.positive(sigma=self.sigma)
        checks.between(-1e7, -1e-12, log_delta=self.log_delta, log_delta_used=self.log_delta_used)
        if self.source.known:
            raise ParameterError(
                "the groups of this statistic are a public list, which needs no threshold: release "
                "it as it is"
            )

    name = "common items"

    @property
    def key(self) -> Hashable:
        """Everything that the release depends on, but for the mode."""
        source = self.source
        numbers = self.sigma, self.log_delta, self.log_delta_used
        return "truncated histogram", *source.key, *numbers

    def found(self, ws: Workspace) -> CommonItems | None:
        """What was released, or None; draws nothing."""
        one = ws.find(self.key)
        return one.mechanism.release() if one else None

    def draw(self, ws: Workspace, *, sure: bool = False) -> CommonItems:
        """Draw the release, and write its cost into the ledger.

        Args:
            ws: the workspace.
            sure: whether a budget that promises next to nothing is meant.

        Raises:
            ParameterError: if the counts cannot be used, or it is not meant.
        """
        ws.record(self.asking(), self.planned, sure=sure)
        return opened(ws, self.key).mechanism.release()  # type: ignore[no-any-return]

    @property
    def planned(self) -> PlannedTier:
        """The release as the ledger takes it: for all tiers, at the scale of its noise."""
        event = self._event(1)
        return for_all_tiers(self.name, self.sigma, exact(event.budget), event.delta)

    def asked(self, ws: Workspace) -> tuple[Asking, list[PlannedTier]]:
        """What a plan asks of it: one release for all tiers."""
        return self.asking(ws.family), [self.planned]

    def asking(self, family: Family = ADDITIVE["gaussian"]) -> Asking:
        """What the mechanism is asked for, and how it is accounted for.

        Args:
            family: as of a list; no counts are to come, so none is used.
        """
        del family

        def release(histogram: TruncatedHistogram, tier: PlannedTier) -> float:
            histogram.release()
            return tier.budget.level

        return Asking(
            key=self.key,
            statistic=f"common items by {self.source.query.statistic}",
            data=self.source.table.name,
            family=ADDITIVE["gaussian"],
            kind="lossless",
            mechanism=self._mechanism,
            release=release,
            facts=self._facts,
            values=lambda histogram, _: histogram.release().values,
            entries=lambda histogram, _: tuple(map(str, histogram.release().items)),
            about=self.source.table,
            bounds=self.source.query.bounds,
            selection=lambda number: Selection(
                noise="truncated Gaussian", cost=self._event(number)
            ),
            kept=COMMON_NOT_KEPT,
            any_order=True,  # as it is drawn once
        )

    def _event(self, number: int) -> ReleaseEvent:
        """The cost, which does not depend on the counts."""
        cost = concentrated_cost(self.sigma, self.log_delta, self.source.reach)
        return cost.event(number, self.log_delta_used)

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of the items above the threshold."""
        histogram: TruncatedHistogram = one.mechanism
        return self.source.facts(
            entry,
            one,
            "the items whose noisy count is above the threshold, and these counts",
            threshold=f"{histogram.threshold!r}; no item that only one "
            f"{self.source.query.bounds.nouns.one} has, or none, can ever exceed it",
            noise=f"Gaussian, standard deviation {self.sigma!r}, cut at ±{histogram.cut!r}",
            accuracy=f"a number is never more than {significant(histogram.cut)} "
            f"({self.source.query.noun}) off the bounded one; what is just above the threshold "
            "tends to be too high",
        )

    def _mechanism(self, rng: np.random.Generator) -> TruncatedHistogram:
        return TruncatedHistogram(
            self.source.counts(),
            sigma=self.sigma,
            log_delta=self.log_delta,
            reach=self.source.reach,
            whole=True,  # the query counts every item that somebody has
            rng=rng,
        )
