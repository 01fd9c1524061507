"""What items are counted for a list, and what files say of it."""

from collections.abc import Hashable
from dataclasses import dataclass

from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.queries import Count, ItemCounts, TextCounts
from dpviz.release import LedgerEntry
from dpviz.top_k import Reach
from dpviz.workspace.facts import Facts, header
from dpviz.workspace.sessions import Session
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
