"""Columns that are read as numbers or times, and whether most of their values have that form.

A format that fits no value would make every value missing, and a sum of it 0, without a word. So
nothing is drawn where fewer than half of the values fit. What leaves the engine is that alone, of
the form of all values together, as the type of a column does when a file is read, and which other
form most of them have: no number of values, and nothing of one of them. So hardened mode asks this
without a word of warning, and no hand-out notes it.
"""

from typing import Any, Literal

from dpviz.data import Reading, Table, quoted
from dpviz.data.reading import DECIMALS, THOUSANDS, Use, either
from dpviz.data.suggestion import nearest
from dpviz.errors import DataError, ParameterError
from dpviz.queries.cuts import ByBins, ByCycle, ByTime
from dpviz.queries.query import Query
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
