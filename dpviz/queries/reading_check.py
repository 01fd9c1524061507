"""The reading check: whether most values fit the typed format, and the rows of each typed group.

A format that fits no value would make every value missing, and a sum of it 0, without a word. So
nothing is drawn where fewer than half of the values fit. What leaves the engine is that alone, of
the form of all values together, as the type of a column does when a file is read, and which other
form most of them have: no number of values, and nothing of one of them. So hardened mode asks this
without a word of warning, and no hand-out notes it.

Groups are typed as a list, as bins of a number or as spans of time. A list that matches no value,
bins in which no number is, or a format that fits none, is drawn as noise around 0, and nobody who
gets the number can see it. The counts of `check_reading` show it before. They are exact answers:
not private.
"""

from dataclasses import dataclass
from typing import Any, Literal

from dpviz import checks
from dpviz.data import Reading, Table, quoted
from dpviz.data.reading import DECIMALS, THOUSANDS, Use, either
from dpviz.data.suggestion import nearest
from dpviz.errors import DataError, ParameterError
from dpviz.queries.columns import ByColumn, listed_in
from dpviz.queries.cuts import ByBins, ByCycle, ByTime
from dpviz.queries.groupings import Grouping
from dpviz.queries.query import Query
from dpviz.queries.rows import per_group
from dpviz.words.grammar import a

Form = Literal["number", "date"]
_WHOLE, _TIMES = ("int64", "uint64"), ("date", "timestamp")  # types of columns, as found


def formats(query: Query) -> tuple[tuple[str, Form], ...]:
    """The columns that a query reads as numbers, or as dates and times.

    >>> from dpviz.queries import BoundedSum, ByTime
    >>> formats(BoundedSum("cost", 0, 9, ByTime("day", "year", "2024-01-01", "2026-01-01")))
    (('cost', 'number'), ('day', 'date'))
    """
    found: list[tuple[str, Form]] = []
    if query.clip is not None:
        found.append((query.clip.column, "number"))
    if isinstance(query.by, ByBins):
        found.append((query.by.column, "number"))
    if isinstance(query.by, ByTime | ByCycle):
        found.append((query.by.column, "date"))
    return tuple(dict.fromkeys(found))


def fitting(table: Table, column: str, form: Form) -> tuple[int, int]:
    r"""How many values a column has, and how many of them fit its format. Not private.

    Raises:
        DataError: if the table has no such column, the engine has no text for it that others have,
            too, or cannot compute it.

    >>> from dpviz.data import read_csv
    >>> fitting(read_csv(b"id;cost\n1;20,5\n2;7\n3;\n"), "cost", "number")
    (2, 1)
    """
    written = (table.loaded or table).text(column)
    read: Any = table.number(column) if form == "number" else table.moment(column)
    rows = table.expression.select(
        written=table.reading(column).known(written), fits=read.notnull().ifelse(1, None)
    )
    answer = table.collect(rows.aggregate(values=rows.written.count(), fit=rows.fits.count()))
    return int(answer["values"][0].as_py()), int(answer["fit"][0].as_py())


def misread(query: Query, table: Table) -> tuple[str, ...]:
    r"""Say which columns of a query have a format that fewer than half of their values fit.

    Returns:
        One sentence for each: how it is read, and how to read it instead; no number of values.

    Raises:
        DataError: if the table lacks a column, or the engine cannot compute it.

    >>> from dpviz.data import read_csv
    >>> from dpviz.queries import BoundedSum
    >>> (said,) = misread(BoundedSum("cost", 0, 9), read_csv(b"id;cost\n1;20,5\n2;7,25\n"))
    >>> said.partition(" Most are ")[2].partition(":")[0]
    'numbers with a decimal comma'
    """
    return tuple(
        _sentence(table, column, form)
        for column, form in doubtful(query, table)
        if _too_few(table, column, form)
    )


def doubtful(query: Query, table: Table) -> tuple[tuple[str, Form], ...]:
    r"""The columns of which some value may not fit its format, by the types of the columns alone.

    Raises:
        DataError: if the table lacks a column.

    >>> from dpviz.data import read_csv
    >>> from dpviz.queries import BoundedSum
    >>> doubtful(BoundedSum("cost", 0, 9), read_csv(b"id;cost\n1;20.5\n2;7\n"))
    ()
    """
    return tuple(
        (column, form) for column, form in formats(query) if not _is_sure(table, column, form)
    )


def refuse_misread(query: Query, table: Table) -> None:
    """Refuse to ask for numbers that most values of a column are not read as.

    Raises:
        ParameterError: the first of the sentences of `misread`.
        DataError: if the table lacks a column, or the engine cannot compute it.

    >>> from dpviz.data import load_sample
    >>> from dpviz.queries import Count, Everybody
    >>> refuse_misread(Count(Everybody()), load_sample())
    """
    for sentence in misread(query, table):
        raise ParameterError(sentence)


def _is_sure(table: Table, column: str, form: Form) -> bool:
    """Whether the type that the column was found to have says that every value fits."""
    reading, file = table.reading(column), table.loaded or table
    found = file.types[[c.name for c in file.columns].index(table.column(column).name)]
    if form == "date":
        return found in _TIMES and reading.iso
    return found in _WHOLE or (
        found == "float64" and reading.decimal == "." and reading.kind != "whole number"
    )


def _too_few(table: Table, column: str, form: Form) -> bool:
    """Whether fewer than half of the values fit; not where a column has none."""
    try:
        values, fit = fitting(table, column, form)
    except DataError:
        if table.seconds is None:
            raise
        return False  # an engine's own floats have no text, and need none
    return 2 * fit < values


def _sentence(table: Table, column: str, form: Form) -> str:
    now = f"{quoted(column)} is read as {_words(table.reading(column), form)}, and fewer than half "
    now += "of its values have that form."
    uses: tuple[Use, ...] = ("whole number", "number") if form == "number" else ("date",)
    wanted = nearest(table, column, *uses)
    if wanted:
        most = " or ".join(_words(reading, form) for reading in wanted)
        return (
            f"{now} Most are {most}: read the column so, on the page Data under “How was my "
            "table read?” or by read_as in a script"
        )
    return (
        f"{now} No other way to write {form}s was found that fits half of them. Choose another "
        "column, or say on the page Data what stands for a missing value in this one"
    )


def _words(reading: Reading, form: Form) -> str:
    """How numbers or dates are written under a reading, such as "dates such as dd.mm.yyyy"."""
    if form == "date":
        said = f"dates such as {reading.dates}"
        said += " and times with AM or PM" if reading.clock == "AM/PM" else ""
    else:
        whole = reading.kind == "whole number"
        said = "whole numbers" if whole else f"numbers with a decimal {DECIMALS[reading.decimal]}"
        if reading.thousands:
            said += f" and {a(THOUSANDS[reading.thousands])} between thousands"
    marks = f", missing where {either(reading.missing)} is written" if reading.missing else ""
    return said + marks


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
