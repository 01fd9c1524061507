"""The reading check: how many rows belong to each typed group, how many values fit a format.

Groups are typed as a list, as bins of a number or as spans of time. A list that matches no value,
bins in which no number is, or a format that fits none, is drawn as noise around 0, and nobody who
gets the number can see it. These counts show it before. They are exact answers: not private.
"""

from dataclasses import dataclass

from dpviz import checks
from dpviz.data import Table
from dpviz.errors import DataError
from dpviz.queries.columns import ByColumn, listed_in
from dpviz.queries.cuts import ByBins, ByTime
from dpviz.queries.formats import Form, fitting, formats
from dpviz.queries.groupings import Grouping
from dpviz.queries.query import Query
from dpviz.queries.rows import per_group


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCheck:
    """Rows of a table by the groups that were typed for one column. Not private.

    Attributes:
        what: was typed: "groups" on a list, "bins", or spans of time, such as "months".
        column: whose values are grouped.
        labels: the groups, as they are shown.
        rows: how many rows belong to each.
        others: rows with a value that is in none of them.
        missing: rows without a value, or one that is no number, or no date or time.
    """

    what: str = "groups"
    column: str
    labels: tuple[str, ...]
    rows: tuple[int, ...]
    others: int
    missing: int

    def __post_init__(self) -> None:
        for rows in (*self.rows, self.others, self.missing):
            checks.whole(0, rows=rows)

    @property
    def matched(self) -> int:
        """How many rows belong to one of the groups."""
        return sum(self.rows)

    @property
    def unmatched(self) -> tuple[str, ...]:
        """The groups to which no row belongs."""
        return tuple(g for g, rows in zip(self.labels, self.rows, strict=True) if not rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatCheck:
    """Values of a column, and how many of them are read as numbers or times. Not private."""

    column: str
    form: Form
    values: int
    fit: int

    def __post_init__(self) -> None:
        checks.whole(0, values=self.values, fit=self.fit)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingCheck:
    """How the columns of a statistic are read, in numbers of rows. Not private.

    Attributes:
        rows: of the table.
        lists: of each column whose groups were typed.
        formats: of each column that is read as numbers or times.
    """

    rows: int
    lists: tuple[ListCheck, ...]
    formats: tuple[FormatCheck, ...]

    def __post_init__(self) -> None:
        checks.whole(0, rows=self.rows)


def checkable(query: Query) -> tuple[str, ...]:
    """The columns of a query that a reading check counts; each once.

    >>> from dpviz.queries import BoundedSum
    >>> checkable(BoundedSum("cost", 0, 9, ByColumn("ward", ("A",))))
    ('ward', 'cost')
    """
    lists = [part.column for part in listed_in(query.by)]
    return tuple(dict.fromkeys([*lists, *(column for column, _ in formats(query))]))


def cut_in(by: Grouping) -> ByBins | ByTime | None:
    """The grouping itself if its bins or its times were typed, so that all rows may be outside.

    >>> from dpviz.queries import ByCycle
    >>> cut_in(ByBins("age", (0, 10))), cut_in(ByCycle("day", "weekday"))
    (ByBins(column='age', edges=(0.0, 10.0)), None)
    """
    return by if isinstance(by, ByBins | ByTime) else None


def check_reading(query: Query, table: Table) -> ReadingCheck:
    r"""Count the rows of each typed group, and the values that fit each format. Not private.

    Bounds cut nothing off here: it is every row of the table that is counted.

    Raises:
        DataError: if the table lacks a column, or the engine cannot compute it.

    >>> from dpviz.data import read_csv
    >>> from dpviz.queries import Count
    >>> towns = read_csv(b"id;code\n1;01000\n2;01000\n3;\n", name="towns.csv")
    >>> (found,) = check_reading(Count(ByColumn("code", ("1000", "01000"))), towns).lists
    >>> found.rows, found.others, found.missing, found.unmatched
    ((0, 2), 0, 1, ('1000',))
    """
    rows = table.rows()
    return ReadingCheck(
        rows=rows,
        lists=tuple(_list(table, part, rows) for part in listed_in(query.by))
        + _cut(table, query, rows),
        formats=tuple(
            FormatCheck(column=column, form=form, values=values, fit=fit)
            for column, form in formats(query)
            for values, fit in _fitting(table, column, form)
        ),
    )


def _list(table: Table, part: ByColumn, rows: int) -> ListCheck:
    with part.tallied(table) as found:
        (counts,) = per_group(table, found, len(part.groups), "times")
    texts = table.tallied([part.column])
    known = texts.filter(texts.key0.notnull())
    answer = table.collect(known.aggregate(values=known.times.sum().cast("string")))
    values = int(answer["values"][0].as_py() or 0)
    return ListCheck(
        column=part.column,
        labels=part.labels,
        rows=tuple(counts.tolist()),
        others=values - int(counts.sum()),
        missing=rows - values,
    )


def _cut(table: Table, query: Query, rows: int) -> tuple[ListCheck, ...]:
    """Rows by bins or times; nothing where there are none."""
    by = cut_in(query.by)
    if by is None:
        return ()
    bins = isinstance(by, ByBins)
    with by.tallied(table) as found:
        (counts,) = per_group(table, found, len(by.labels), "times")
    read = table.expression.select(key=table.number(by.column) if bins else table.moment(by.column))
    answer = table.collect(read.aggregate(values=read.key.count().cast("string")))
    values = int(answer["values"][0].as_py() or 0)
    return (
        ListCheck(
            what="bins" if isinstance(by, ByBins) else f"{by.every}s",
            column=by.column,
            labels=by.labels,
            rows=tuple(counts.tolist()),
            others=values - int(counts.sum()),
            missing=rows - values,
        ),
    )


def _fitting(table: Table, column: str, form: Form) -> list[tuple[int, int]]:
    """Values and those that fit; none where an engine holds floats, which have no other form."""
    try:
        return [fitting(table, column, form)]
    except DataError:
        if table.seconds is None:
            raise
        return []
