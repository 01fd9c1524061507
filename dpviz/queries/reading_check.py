"""The reading check: how many rows belong to each group on a list, how many values fit a format.

A list that matches no value, or a format that fits none, is drawn as noise around 0, and nobody who
gets the number can see it. These counts show it before. They are exact answers: not private.
"""

from dataclasses import dataclass

from dpviz import checks
from dpviz.data import Table
from dpviz.errors import DataError
from dpviz.queries.columns import ByColumn, listed_in
from dpviz.queries.formats import Form, fitting, formats
from dpviz.queries.query import Query
from dpviz.queries.rows import per_group


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCheck:
    """Rows of a table by the values of one column that are on a list. Not private.

    Attributes:
        column: whose values are on the list.
        labels: the groups, as they are shown.
        rows: how many rows belong to each.
        others: rows with a value that is not on the list.
        missing: rows without a value.
    """

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
        lists: of each column whose groups are a list.
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


def check_reading(query: Query, table: Table) -> ReadingCheck:
    r"""Count the rows of each group on a list, and the values that fit each format. Not private.

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
        lists=tuple(_list(table, part, rows) for part in listed_in(query.by)),
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


def _fitting(table: Table, column: str, form: Form) -> list[tuple[int, int]]:
    """Values and those that fit; none where an engine holds floats, which have no other form."""
    try:
        return [fitting(table, column, form)]
    except DataError:
        if table.seconds is None:
            raise
        return []
