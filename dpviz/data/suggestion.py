"""Which readings all values of a column have the form of: a suggestion, to be confirmed.

It looks at the data, but only as far as the form goes: what leaves the engine is which forms every
value has, as the type of a column does when a file is read. How many values have a form is an exact
answer, which stays there. What is suggested is used only once somebody confirms it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dpviz.data.reading import CLOCKS, DATES, USUAL_MARKS, Reading
from dpviz.data.table import Table

_NUMBERS = (  # in this order: where two read every value alike, the first is suggested
    (".", ""),
    (",", ""),
    (",", "."),
    (".", ","),
    (",", " "),
    (".", " "),
    (".", "'"),
    (",", "'"),
)
_FIRST_LOOK = 1000  # rows that rule out most readings before all rows are read
_CODE = r"^[+-]?0\d"  # 007 is no number: its zeros say something


def suggest(table: Table, column: str) -> tuple[Reading, ...]:
    r"""Find the readings under which every value of a column is one of their kind.

    Args:
        table: whose column; its readings do not matter.
        column: its name.

    Returns:
        Empty where the file's own reading does, or where no other one fits; several where they
        fit and read some value differently, as 01/02/2025 is two days.

    Raises:
        DataError: if the table has no such column, or the engine cannot compute it.

    >>> from dpviz.data import read_csv
    >>> pay = read_csv(b"id;euros\n1;1.234,5\n2;12,5\n", name="pay")
    >>> [reading.described for reading in suggest(pay, "euros")]
    ['as a number, with a decimal comma, thousands marked by a point']
    """
    file = table.loaded or table
    rows = file.expression.select(text=file.text(column))
    found = file.types[[c.name for c in file.columns].index(column)]
    looked = _ask(file, rows, marks=_marked(rows).sum(), other=(~_marked(rows)).sum())
    marks = USUAL_MARKS if looked["marks"] else ()
    if not looked["other"] or (found != "string" and not marks):
        return ()
    fitting = _fitting(file, rows.limit(_FIRST_LOOK), _candidates(marks))
    kept = _different(file, rows, _fitting(file, rows, fitting))
    return tuple(kept) if kept or not marks else (Reading(missing=marks),)


def _candidates(marks: tuple[str, ...]) -> list[Reading]:
    numbers = [Reading(kind="number", decimal=d, thousands=t, missing=marks) for d, t in _NUMBERS]
    dates = [
        Reading(kind="date", dates=form, clock=clock, missing=marks)
        for clock in CLOCKS
        for form in DATES
    ]
    whole = [replace(reading, kind="whole number") for reading in numbers]
    return [*whole, *numbers, *dates, Reading(kind="yes/no", missing=marks)]


def _marked(rows: Any) -> Any:
    return rows.text.isin(USUAL_MARKS)


def _value(table: Table, reading: Reading, text: Any) -> Any:
    """What a reading makes of a value, as text; null where it has not the form."""
    if reading.kind == "yes/no":
        return reading.text(text)
    if reading.kind == "date":  # minutes are the same in every reading
        found = table.engine.calendar(table.engine.moment(text, reading))
        return (found.days * 24 + found.hour).cast("string")
    number = reading.number(text, table.engine.float_of)
    return text.re_search(_CODE).ifelse(None, number).cast("string")


def _fitting(table: Table, rows: Any, readings: Sequence[Reading]) -> list[Reading]:
    """The readings whose form every value of some rows has, but for marks."""
    if not readings:
        return []
    values = {f"fit{i}": _value(table, how, rows.text).count() for i, how in enumerate(readings)}
    answer = _ask(table, rows, every=(~_marked(rows)).sum(), **values)
    return [how for i, how in enumerate(readings) if answer[f"fit{i}"] == answer["every"]]


def _different(table: Table, rows: Any, readings: Sequence[Reading]) -> list[Reading]:
    """The first of those that read every value alike, and no more."""
    kept: list[Reading] = []
    for reading in readings:
        value = _value(table, reading, rows.text)
        others = [_value(table, other, rows.text) for other in kept]
        differ = {f"by{i}": (value != other).sum() for i, other in enumerate(others)}
        if not kept or all(_ask(table, rows, **differ).values()):
            kept.append(reading)
    return kept


def _ask(table: Table, rows: Any, **sums: Any) -> dict[str, int]:
    answer = table.collect(rows.aggregate(**sums))
    return {name: int(answer[name][0].as_py() or 0) for name in sums}
