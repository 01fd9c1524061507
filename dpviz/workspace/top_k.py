"""The most common items of a column: the list, the counts on it, and truncated histograms.

A list is drawn once, for all tiers: it is a session of its own, and its cost adds. The counts of
its items are another session, which tiers share at different exactness. The exact counts are made
when the list is drawn, inside the mechanism, and again only for "reveal".
"""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpviz import checks
from dpviz.accounting import ReleaseEvent
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.noise.family import Family
from dpviz.parameters import exact
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Budget, Setting
from dpviz.planning.tiers import PlannedTier, Tier
from dpviz.queries import Count, ItemCounts, TextCounts
from dpviz.release import LedgerEntry, MultipleRelease, Selection
from dpviz.top_k import ListCost, Reach, TopK, TruncatedHistogram, UnknownDomain
from dpviz.top_k.costs import rounded_up
from dpviz.top_k.ranking import Ranking
from dpviz.top_k.truncated_histogram import CommonItems, concentrated_cost
from dpviz.words import percent, significant, within
from dpviz.workspace.facts import Facts, header
from dpviz.workspace.sessions import Asking, Session
from dpviz.workspace.structured import budgeted
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
                "top-k needs counts: choose the number of people per group, or per item of a column"
            )
        groups = len(self.query.labels) if isinstance(self.query, Count) else LEAST_ITEMS
        if groups < LEAST_ITEMS or (isinstance(self.query, Count) and self.query.total):
            raise ParameterError(
                "top-k needs a count for each of at least two groups, without their total; choose "
                "such a statistic"
            )

    @property
    def known(self) -> bool:
        """Whether the list of all items is public: that of groups is."""
        return isinstance(self.query, Count)

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
            else "unknown: the items that somebody has"
        )
        return header(
            entry,
            one.mode,
            statistic=f"{what} of: {query.statistic}",
            data=self.table.name,
            unit=query.bounds.unit,
            neighbours=query.bounds.neighbours,
            bounds=query.contribution,
            sensitivity=f"one person moves a count by at most Δ∞ = {reach.linf:,}, and at most "
            f"{moved:,} of the counts",
            items=domain,
            **slots,
        )


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

    @property
    def key(self) -> Hashable:
        """Everything that the list depends on, but for the mode and its length."""
        source = self.source
        return "top-k", source.table.digest, source.query, self.step, self.unknown

    @property
    def name(self) -> str:
        """What the ledger calls the list; a longer one is another entry of the same session."""
        return f"list of {self.k:,}"

    def ranking(self, ws: Workspace) -> Ranking | None:
        """The longest list that was drawn, or None; draws nothing."""
        one = ws.find(self.key)
        return one.mechanism.ranking if one else None

    def draw(self, ws: Workspace) -> Ranking:
        """Draw the list, or go on with a shorter one, and write its cost into the ledger.

        Raises:
            ParameterError: if the counts cannot be used.
        """
        ws.record(self.asking(ws.family), self._planned)
        return _opened(ws, self.key).mechanism.rank(self.k)  # type: ignore[no-any-return]

    @property
    def cost(self) -> ListCost:
        """What the list costs, drawn or not."""
        hidden = {} if self.unknown is None else {"log_hidden": self.unknown.log_delta}
        return ListCost(steps=self.k, step=self.step, **hidden)

    @property
    def _planned(self) -> PlannedTier:
        """The list as the ledger takes it: for all tiers, at the scale of its noise."""
        ways = 2 if self.source.reach.both_ways else 1
        level = float(self.source.reach.linf * ways / self.step)
        return _planned(self.name, level, self.cost.pure, self.cost.hidden)

    def asking(self, family: Family) -> Asking:
        """What the mechanism of the list is asked for, and how it is accounted for.

        Args:
            family: noise of the counts to come, which shares its ledger.
        """
        source, step, unknown, k = self.source, self.step, self.unknown, self.k

        def mechanism(rng: np.random.Generator) -> TopK:
            return TopK(source.counts(), epsilon=step, reach=source.reach, unknown=unknown, rng=rng)

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
            about=source.table,
            selection=lambda number: Selection(noise="Gumbel", cost=self.cost.event(number)),
        )

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of the list: the value beside each item is its place."""
        found: Ranking = one.mechanism.ranking
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
            noise=f"Gumbel, scale {entry.level!r}, once on every count; only the order is released",
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
        listed = _opened(ws, self.key)
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
        return "top-k values", self.listed.number, self.ranking.items, self.family.name

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
        source, listed, family = self.subject.source, self.listed, self.family

        def mechanism(rng: np.random.Generator) -> MultipleRelease:
            return listed.mechanism.values(family, rng=rng)  # type: ignore[no-any-return]

        def release(session: MultipleRelease, tier: PlannedTier) -> float:
            session.release(tier.budget.level)
            return tier.budget.level

        return Asking(
            key=self.key,
            statistic=f"counts of the most common items by {source.query.statistic}",
            data=source.table.name,
            family=family,
            kind="lossless",
            mechanism=mechanism,
            release=release,
            facts=self._facts,
            values=lambda session, level: session.held[level],
            entries=lambda *_: tuple(map(str, self.ranking.items)),
            about=source.table,
        )

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of one tier's counts."""
        family, half = self.family, entry.budget.half_width
        size = len(self.ranking.items)
        return self.subject.source.facts(
            entry,
            one,
            f"the {size:,} items on the list of session {self.listed.number}, whose cost adds,",
            size,
            noise=f"{family.label}, {family.level_name} {entry.level!r}",
            accuracy=f"with {percent(ACCURACY_CONFIDENCE)} confidence a number is "
            f"{within(half, f'({self.subject.source.query.noun}) of the bounded one')}; the list "
            "was chosen by other noise",
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
        return "truncated histogram", source.table.digest, source.query, *numbers

    def found(self, ws: Workspace) -> CommonItems | None:
        """What was released, or None; draws nothing."""
        one = ws.find(self.key)
        return one.mechanism.release() if one else None

    def draw(self, ws: Workspace) -> CommonItems:
        """Draw the release, and write its cost into the ledger.

        Raises:
            ParameterError: if the counts cannot be used.
        """
        event = self._event(1)
        planned = _planned(self.name, self.sigma, exact(event.budget), event.delta)
        ws.record(self.asking, planned)
        return _opened(ws, self.key).mechanism.release()  # type: ignore[no-any-return]

    @property
    def asking(self) -> Asking:
        """What the mechanism is asked for, and how it is accounted for."""

        def release(histogram: TruncatedHistogram, tier: PlannedTier) -> float:
            histogram.release()
            return tier.budget.level

        return Asking(
            key=self.key,
            statistic=f"common items by {self.source.query.statistic}",
            data=self.source.table.name,
            family=FAMILIES["gaussian"],
            kind="lossless",
            mechanism=self._mechanism,
            release=release,
            facts=self._facts,
            values=lambda histogram, _: histogram.release().values,
            entries=lambda histogram, _: tuple(map(str, histogram.release().items)),
            about=self.source.table,
            selection=lambda number: Selection(
                noise="truncated Gaussian", cost=self._event(number)
            ),
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
            threshold=f"{histogram.threshold!r}; nobody's item, and an item of one person alone, "
            "can never exceed it",
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


def _opened(ws: Workspace, key: Hashable) -> Session:
    """The session of a key, which was just recorded."""
    one = ws.find(key)
    if one is None:
        raise ParameterError("There is no such session. Draw it first")
    return one


def _planned(name: str, level: float, loss: Fraction, delta: float) -> PlannedTier:
    """A draw for all tiers as the ledger takes it: the scale of its noise, and its ε and δ."""
    stated = rounded_up(loss)
    return PlannedTier(
        tier=Tier(name=name, amount=repr(stated), kind="ε"),
        budget=Budget(
            level=level,
            letter="ε",
            loss=stated,
            exact=loss,
            rho=None,
            mu=None,
            epsilon=stated,
            delta=delta,
            half_width=0.0,
        ),
    )
