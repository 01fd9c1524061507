"""The form of a column's values: which readings it suggests, and how groups on a list are to look.

It looks at the data, but only as far as the form goes: what leaves the engine is which forms every
value has, or at least half of them, as the type of a column does when a file is read. How many
values have a form is an exact answer, which stays there. What is suggested is used only once
somebody confirms it.

Groups on a list are compared with what *every* value is like (`Form`), such as that each has
5 characters. It is known without a word of warning, in both modes, and no hand-out notes it. One
value that is not so hides it; none can be told from it, nor how many there are, nor which.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpviz import checks
from dpviz.data.reading import CLOCKS, DATES, MARKS, USUAL_MARKS, Reading, Use
from dpviz.data.table import Kind, Table

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
_SPREAD = 2000  # rows that tell which reading fits most, before that one is tried on all rows
_CODE = r"^[+-]?0\d"  # 007 is no number: its zeros say something
_SHAPES: dict[Kind, str] = {  # what a value of each type looks like; of a text see `Form.fits`
    "whole number": r"-?(0|[1-9][0-9]*)",
    "number": r"-?[0-9]*(\.[0-9]*)?([eE][+-][0-9]{1,2})?",
    "yes/no": "(?i:true|false)",
    "date": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "time": "[0-9T:. Z-]+",
}
_WORDS: dict[Kind, str] = {
    "whole number": "whole numbers without leading zeros",
    "number": "numbers with a decimal point",
    "yes/no": "true or false",
    "date": "dates such as 2025-12-31",
    "time": "dates or times such as 2025-12-31 14:05",
}


def suggest(table: Table, column: str) -> tuple[Reading, ...]:
    r"""Find the readings under which every value of a column is one of their kind.

    Args:
        table: whose column; of its readings, only what leaves rows out matters.
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
    rows = table.expression.select(text=file.text(column))
    found = file.types[[c.name for c in file.columns].index(column)]
    marks, others = _marks(file, rows)
    if not others or (found != "string" and not marks):
        return ()
    some, shaped = _shaped(file, rows.limit(_FIRST_LOOK), _candidates(marks))
    fitting = [how for how, count in shaped if count == some]
    fits = _fits(file, rows, fitting)
    every = [how for how, fit in zip(fitting, fits, strict=True) if fit == others]
    kept = _different(file, rows, every)
    usual = set(USUAL_MARKS) <= set(marks)  # ND and NC are names of groups, too
    return tuple(kept) if kept or not usual else (Reading(missing=USUAL_MARKS),)


def nearest(table: Table, column: str, *uses: Use) -> tuple[Reading, ...]:
    r"""Find the readings that fit most values of a column, and at least half of them.

    Args:
        table: whose column; of its readings, only what leaves rows out matters.
        column: its name.
        uses: the kinds of reading that are wanted; by default all.

    Returns:
        Empty where none fits half of the values; several where they fit as many, and read some
        value differently.

    Raises:
        DataError: if the table has no such column, or the engine cannot compute it.

    >>> from dpviz.data import read_csv
    >>> pay = read_csv("id;euros\n1;1 234,5\n2;12,5\n3;12,5 €\n".encode(), name="pay")
    >>> suggest(pay, "euros")
    ()
    >>> [reading.described for reading in nearest(pay, "euros", "number")]
    ['as a number, with a decimal comma, thousands marked by a blank']
    """
    file = table.loaded or table
    rows = table.expression.select(text=file.text(column))
    marks, others = _marks(file, rows)
    asked = [how for how in _candidates(marks) if not uses or how.kind in uses]
    some = _spread(table, file.text(column), others)
    _, shaped = _shaped(file, some, asked)
    best = _different(file, some, _best(file, some, [how for how, count in shaped if count]))
    return tuple(how for how in best if 2 * _fits(file, rows, [how])[0] >= others > 0)


def _spread(table: Table, text: Any, values: int) -> Any:
    """Rows of a whole file, about as many as `_SPREAD`, not the first alone: it may be sorted."""
    if table.seconds is not None:
        return table.expression.select(text=text).limit(_SPREAD)
    rows = table.expression.select(text=text, **table.turns())
    return rows.filter(rows.place % max(1, values // _SPREAD) == 0)


def _best(table: Table, rows: Any, readings: Sequence[Reading]) -> list[Reading]:
    """The readings that fit the most values of some rows; none where none fits any."""
    fits = _fits(table, rows, readings)
    most = max(fits, default=0)
    return [how for how, fit in zip(readings, fits, strict=True) if fit == most > 0]


def _marks(table: Table, rows: Any) -> tuple[tuple[str, ...], int]:
    """The marks for what is missing that a column seems to have, and how many are missing."""
    found = {f"of{i}": rows.text.isin(marks).sum() for i, marks in enumerate(MARKS)}
    answer = _ask(table, rows, every=rows.text.count(), **found)
    there = [marks for i, marks in enumerate(MARKS) if answer[f"of{i}"]]
    marked = sum(answer[f"of{i}"] for i in range(len(MARKS)))
    return tuple(mark for marks in there for mark in marks), answer["every"] - marked


def _candidates(marks: tuple[str, ...]) -> list[Reading]:
    numbers = [Reading(kind="number", decimal=d, thousands=t, missing=marks) for d, t in _NUMBERS]
    dates = [
        Reading(kind="date", dates=form, clock=clock, missing=marks)
        for clock in CLOCKS
        for form in DATES
    ]
    whole = [replace(reading, kind="whole number") for reading in numbers]
    return [*whole, *numbers, *dates, Reading(kind="yes/no", missing=marks)]


def _value(table: Table, reading: Reading, text: Any) -> Any:
    """What a reading makes of a value; null where it has not the form."""
    if reading.kind == "yes/no":
        return reading.text(text)
    if reading.kind == "date":  # minutes are the same in every reading
        found = table.engine.calendar(table.engine.moment(text, reading))
        return found.days * 24 + found.hour
    number = reading.number(text, table.engine.float_of)
    return text.re_search(_CODE).ifelse(None, number)


def _shaped(
    table: Table, rows: Any, readings: Sequence[Reading]
) -> tuple[int, list[tuple[Reading, int]]]:
    """How many values some rows have, and for each reading, how many of them look like its kind.

    What a reading makes of a value takes fifty times as long to ask as what the value looks like.
    """
    known, _ = _known(rows, readings)
    patterns = {how.pattern: f"like{i}" for i, how in enumerate(readings) if how.kind != "yes/no"}
    looks = {name: known.text.re_search(pattern).sum() for pattern, name in patterns.items()}
    answer = _ask(table, known, every=known.text.count(), **looks)
    every = answer["every"]
    return every, [
        (how, every if how.kind == "yes/no" else answer[patterns[how.pattern]]) for how in readings
    ]


def _fits(table: Table, rows: Any, readings: Sequence[Reading]) -> list[int]:
    """How many values of some rows have the form of each reading: exact, for this room alone."""
    if not readings:
        return []
    read, values = _values(table, rows, readings)
    answer = _ask(table, read, **{f"fit{i}": value.count() for i, value in enumerate(values)})
    return [answer[f"fit{i}"] for i in range(len(readings))]


def _different(table: Table, rows: Any, readings: Sequence[Reading]) -> list[Reading]:
    """The first of those that read every value alike, and no more; all fit as many values."""
    kept: list[Reading] = []
    left = list(readings)
    while left:
        first, *others = left
        kept.append(first)
        wide = _widely(first)
        left = [how for how in others if _widely(how) != wide]  # as many are whole as are numbers
        asked = [how for how in left if _widely(how).kind == wide.kind]  # no day is a number
        if asked:
            read, (value, *values) = _values(table, rows, [first, *asked])
            differ = {f"by{i}": (~value.identical_to(v)).sum() for i, v in enumerate(values)}
            answer = _ask(table, read, **differ)
            alike = [how for i, how in enumerate(asked) if not answer[f"by{i}"]]
            left = [how for how in left if how not in alike]
    return kept


def _values(table: Table, rows: Any, readings: Sequence[Reading]) -> tuple[Any, list[Any]]:
    """Some rows, and what each reading makes of them; no text is read twice alike."""
    known, plain = _known(rows, readings)
    names = {wide: f"v{i}" for i, wide in enumerate(dict.fromkeys(map(_widely, plain)))}
    read = known.select(**{name: _value(table, wide, known.text) for wide, name in names.items()})
    return read, [how.whole(read[names[_widely(how)]]) for how in plain]


def _widely(reading: Reading) -> Reading:
    """The reading that reads whole numbers alike, and others, too."""
    return replace(reading, kind="number") if reading.kind == "whole number" else reading


def _known(rows: Any, readings: Sequence[Reading]) -> tuple[Any, list[Reading]]:
    """Rows without the marks, which all candidates share, and the readings without them.

    What is asked of the engine is text, and takes as long as it is: a number names its text often.
    """
    known = rows.select(text=readings[0].known(rows.text))
    return known, [replace(how, missing=()) for how in readings]


def _ask(table: Table, rows: Any, **sums: Any) -> dict[str, int]:
    answer = table.collect(rows.aggregate(**sums))
    return {name: int(answer[name][0].as_py() or 0) for name in sums}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What every value of a column is like, as it is compared with a list.

    Attributes:
        kind: what the file was found to hold.
        length: of every value, in characters; None where values differ, or there are none.
        digits: whether every value is made of digits alone, so that some begin with a zero.

    >>> Form(kind="text", length=5, digits=True).described
    '5 characters, leading zeros kept'
    """

    kind: Kind
    length: int | None = None
    digits: bool = False

    def __post_init__(self) -> None:
        if self.length is not None:
            checks.whole(1, length=self.length)

    @property
    def described(self) -> str:
        """The form in words; empty where nothing is common to all values.

        >>> Form(kind="whole number").described
        'whole numbers without leading zeros'
        """
        if self.kind != "text":
            return _WORDS[self.kind]
        zeros = "leading zeros kept" if self.digits else ""
        if self.length is None:
            return f"digits alone, {zeros}" if zeros else ""
        long = "1 character" if self.length == 1 else f"{self.length:,} characters"
        return f"{long}, {zeros}" if zeros else long

    def fits(self, text: str) -> bool:
        """Whether some value can be written as this text.

        >>> Form(kind="text", length=5, digits=True).fits("1000")
        False
        """
        if self.kind != "text":
            return re.fullmatch(_SHAPES[self.kind], text) is not None
        if self.digits and not (text.isascii() and text.isdigit()):
            return False
        return self.length in (None, len(text))


def form_of(table: Table, column: str) -> Form | None:
    r"""Find the form that every value of a column has, as it is compared with a list.

    Returns:
        None where nobody may ask for it on the way: a table that stays in its engine would be asked
        for all its rows; and of a column that is read as yes or no, whose texts are these.

    Raises:
        DataError: if the table has no such column, or was closed.

    >>> from dpviz.data import read_csv
    >>> towns = read_csv(b"code;name\n01000;Bourg\n01100;Oyonnax\n", name="towns.csv")
    >>> form_of(towns, "code").described
    '5 characters, leading zeros kept'
    >>> form_of(towns, "name")
    Form(kind='text', length=None, digits=False)
    """
    found = (table.loaded or table).column(column).kind
    if table.seconds is not None or table.reading(column).kind == "yes/no":
        return None
    if found != "text":
        return Form(kind=found)
    rows = table.expression.select(text=table.text(column))
    length, digits = rows.text.length(), rows.text.re_search("^[0-9]+$").cast("int64")
    answer = table.collect(
        rows.aggregate(least=length.min(), most=length.max(), digits=digits.min())
    )
    least, most, all_digits = (answer[name][0].as_py() for name in ("least", "most", "digits"))
    return Form(
        kind=found, length=int(most) if least == most and most else None, digits=all_digits == 1
    )
