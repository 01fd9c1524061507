"""Groupings: a public list of k groups, and how a row finds its group.

The list is typed, not read off the data, and a row finds its group by itself: no grouping looks at
two rows at once, so one person never changes where another one's rows belong. The groupings:
everybody (here), by columns (`dpviz.queries.columns`), by bins and times (`dpviz.queries.cuts`).
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from dpviz import checks
from dpviz.data import Table, quoted

MAX_GROUPS = 100_000


class Placing(Protocol):
    """Which rows belong to which group."""

    def placed(self, table: Table, carried: Mapping[str, Any]) -> AbstractContextManager[Any]:
        """The rows that belong to a group, as Ibis table: `position` from 0, and what is carried.

        Args:
            table: whose rows.
            carried: Ibis expressions over the table by name, to take along for each row.

        Raises:
            DataError: if the table lacks a column.
        """


class Tallying(Placing, Protocol):
    """Which rows belong to which group, and how many they are."""

    def tallied(self, table: Table) -> AbstractContextManager[Any]:
        """The rows that belong to a group, as Ibis table: `position`, and `times`.

        A row stands for that number of rows of the table, whose texts are the same.

        Raises:
            DataError: if the table lacks a column.
        """


class Grouping(Tallying, Protocol):
    """What the groups are called, and which rows belong to which; frozen, hashable, comparable."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the k groups, in the order of the statistic; they differ."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are looked at."""

    @property
    def title(self) -> str:
        """What is grouped, for people to read."""

    @property
    def per(self) -> str:
        """How a statistic ends: " per group of …", or nothing."""

    @property
    def described(self) -> str:
        """Which rows belong to which group, one sentence."""


class OneByOne:
    """What groupings have in common that look at every row by itself."""

    __slots__ = ()

    @contextmanager
    def tallied(self: Placing, table: Table) -> Iterator[Any]:
        """The rows that belong to a group, each of them once; see `Tallying.tallied`."""
        with self.placed(table, {}) as rows:
            yield rows.mutate(times=1)


@dataclass(frozen=True, slots=True)
class Everybody(OneByOne):
    """All rows as the one group.

    >>> Everybody().labels
    ('everybody',)
    """

    columns = ()
    title = "everybody"
    per = ""  # nothing: there is no cut
    described = "Every row belongs to the one group."

    @property
    def labels(self) -> tuple[str, ...]:
        """The one group."""
        return ("everybody",)

    @contextmanager
    def placed(self, table: Table, carried: Mapping[str, Any]) -> Iterator[Any]:
        """All rows, at position 0; see `Placing.placed`."""
        import ibis  # only where it is needed: it takes half a second

        rows = table.expression.select(position=ibis.literal(0, "int64"), **carried)
        yield rows


EVERYBODY = Everybody()


@dataclass(frozen=True, slots=True)
class OneColumn(OneByOne):
    """What groupings by a single column have in common."""

    column: str

    def _check(self) -> None:
        checks.instance(str, column=self.column)

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.column,)

    @property
    def title(self) -> str:
        """The column's name."""
        return quoted(self.column)
