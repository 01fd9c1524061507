"""Engines outside: a table stays where it is, and only aggregates come here.

The table is asked through one SELECT that writes each column as the text that an upload would hold
(c0, c1, …), and the numbers of typed columns as float64 (n0, …): docs/ENGINES.md has the rules.
Statistics are made of it by the same Ibis expressions as ever. An answer is kept and given again,
so that a statistic has one exact answer however the table changes; a new reading is a new table.

Moments from text by patterns and whole numbers alone, so that every engine finds the same day.

Engines disagree on dates before 1582, on the year 0, on the hour 24 and on what they do with the
31st of February: some refuse the whole statement. Here a moment is a text "yyyy-mm-dd hh" that one
pattern has proved to be a day of the calendar; its parts are whole numbers.
"""

import hashlib
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import sqlglot as sg

from dpviz.data.engines.kind import Calendar, row_by_row
from dpviz.data.reading import CLOCKS, TWO_DIGITS, Reading
from dpviz.errors import DataError
from dpviz.words.names import quoted

_DAY = (  # of a year that has it: 29 February in every 4th, but of every 100th in every 400th only
    "^([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|"
    "(0[13578]|1[02])-31)|"
    "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)"
)
_AFTER_HOUR = ":[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?"
_LAST = r"24:00(:00(\.0{1,6})?)?"  # the end of a day
_ISO = f"{_DAY}([ T]({_LAST}|([01][0-9]|2[0-3]){_AFTER_HOUR})Z?)?$"
_OF_24 = f"([ T]({_LAST}|([01]?[0-9]|2[0-3]){_AFTER_HOUR}))?Z?$"
_OF_12 = (
    f"([ T](0?[1-9]|1[0-2]){_AFTER_HOUR}[ \u00a0\u202f]?"
    r"[AaPp]\.?[Mm]\.?)?$"
)
_MONTH_ENDS = (  # of any year; 28 February of some
    *("01-31", "02-29", "03-31", "04-30", "05-31", "06-30"),
    *("07-31", "08-31", "09-30", "10-31", "11-30", "12-31"),
)
_BEFORE_1970 = 719_468 + 146_097  # days from 1 March of the year −400 to 1970-01-01


def moment_of(text: Any, reading: Reading) -> Any:
    """Ibis expression "yyyy-mm-dd hh" of the moment that a text is, as `Reading.moment` reads it.

    Null for anything else. 24:00 stays hour 24 of its day.

    Args:
        text: Ibis expression of the column.
        reading: of the column.

    >>> import ibis
    >>> found = moment_of(ibis.literal("1.2.2025 9:05"), Reading(dates="dd.mm.yyyy"))
    >>> ibis.duckdb.connect().execute(found)
    '2025-02-01 09'
    """
    known = reading.known(text)
    if reading.iso:  # each part has its place
        hour = _or_zero(known.substr(11, 2)).lpad(2, "0")
        return known.re_search(_ISO).ifelse(known.substr(0, 10) + " " + hour, None)
    begins, of_24 = reading.date_shape, reading.clock == CLOCKS[0]
    shape = begins + (_OF_24 if of_24 else _OF_12)
    digits = [known.re_extract(shape, group) for group in reading.date_groups]
    if reading.dates in TWO_DIGITS:
        digits[0] = _of_four(digits[0], reading.first_year)
    year, month, day = digits[0], digits[1].lpad(2, "0"), digits[2].lpad(2, "0")
    hour = _or_zero(known.re_extract("[ T]([0-9]{1,2}):", 1))
    if not of_24:
        after_noon = known.re_search(r"[Pp]\.?[Mm]").ifelse(12, 0)
        timed = known.re_search(":").ifelse(hour, "12").cast("int64") % 12  # 12 AM is 0
        hour = (timed + after_noon).cast("string")
    iso = year + "-" + month + "-" + day
    legal = known.re_search(shape) & iso.re_search(f"{_DAY}$")
    return legal.ifelse(iso + " " + hour.lpad(2, "0"), None)


def calendar_of_text(moment: Any) -> Calendar:
    """The parts of a moment that is a text "yyyy-mm-dd hh".

    The year begins in March, so that the leap day is its last; 400 years, 146,097 days, are added
    and taken away, so that nothing is below 0.

    Args:
        moment: Ibis expression of such texts, or null.

    >>> import ibis
    >>> last = calendar_of_text(ibis.literal("1969-12-31 24"))
    >>> int(ibis.duckdb.connect().execute(last.days))
    0

    Source: E. M. Reingold, N. Dershowitz, Calendrical Calculations, 4th ed. (2018), chapter 2.
    """

    def part(start: int, length: int) -> Any:
        return moment.substr(start, length).cast("int64")

    year, month, day, hour = part(0, 4), part(5, 2), part(8, 2), part(11, 2)
    since = year + 400 - (month <= 2).ifelse(1, 0)
    era = since // 400
    of_era = since - era * 400
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    days = era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - _BEFORE_1970
    over = hour == 24  # the end of the day is the beginning of the next
    common = (year % 4 != 0) | ((year % 100 == 0) & (year % 400 != 0))
    ends = moment.substr(5, 5)
    last = ends.isin(_MONTH_ENDS) | ((ends == "02-28") & common)
    return Calendar(
        days=days.cast("int64") + over.ifelse(1, 0),
        months=year * 12 + month - 1 + (over & last).ifelse(1, 0),
        hour=over.ifelse(0, hour),
    )


def _or_zero(digits: Any) -> Any:
    """The digits, or 0 where there are none: engines say that with an empty text, or with null."""
    return digits.nullif("").fill_null("0")


def _of_four(digits: Any, first: int) -> Any:
    """A year of two digits as one of the hundred years from `first`, as text."""
    year = _or_zero(digits).cast("int64")
    return (first + (year - first % 100 + 100) % 100).cast("string")


FAILED = (
    "the engine could not compute this; check that it runs and that the table is still there, or "
    "ask for fewer groups"
)
STOPPED = "the computation was stopped; ask again"
MOST_ROWS = 1 << 40  # of one table; sums are sure to fit up to this number
SPACE = (  # what `str.strip` drops, one by one, as engines have no common word for it
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


@dataclass(frozen=True, slots=True)
class Field:
    """A column where it is: how SQL writes it.

    Attributes:
        name: of the column.
        type: Ibis type, as columns of uploads have it.
        text: SQL of the text that an upload would hold; None if the engine has no such text.
        number: SQL of the column as float64, null if it is not finite; None for what is no number.
        untrimmed: SQL of that text before the white space at its ends is dropped, where an engine
            puts equal ones together first.
    """

    name: str
    type: str
    text: str | None
    number: str | None = None
    untrimmed: str | None = None


class Outside:
    """What all engines outside have in common; texts are compared by their bytes.

    Attributes:
        dialect: of sqlglot.
    """

    dialect: str
    state = ""  # what tells two readings apart; empty: the time
    place = ""  # what tells it from other tables, however they are read; set by `open_source`
    marks: Mapping[str, str] = MappingProxyType({})  # its rows are not known by what is in them
    lent = ""  # what tells lists apart that stand in no statement
    most_rows = MOST_ROWS
    finds_nearest = False

    def __init__(
        self, backend: Any, table: str, fields: Sequence[Field], order: str | None, seconds: float
    ) -> None:
        self.backend = backend
        self.fields = tuple(fields)
        self.seconds = seconds
        by_hash = "a hash of each row's values"
        by = by_hash if order is None else f"{quoted(order)}, then by {by_hash}"
        self.order_said = f"the rows of one person are sorted by {by}"
        self._table, self._order = table, order
        self._answers: dict[str, Any] = {}
        self._let_go = weakref.finalize(self, _disconnect, backend)  # also if nobody closes it
        self._stopped = threading.Event()

    @cached_property
    def expression(self) -> Any:
        """Ibis table of texts, and of the numbers of typed columns."""
        import ibis  # only where it is needed: it takes half a second

        columns, schema = [], {}
        for i, field in enumerate(self.fields):
            columns.append(f"{field.text or 'CAST(NULL AS VARCHAR)'} AS c{i}")
            schema[f"c{i}"] = "string"
        for i, field in enumerate(self.fields):
            if field.number is not None:
                columns.append(f"{field.number} AS n{i}")
                schema[f"n{i}"] = "float64"
        query = f"SELECT {', '.join(columns)} FROM {self._table}"
        return self.backend.sql(query, schema=ibis.schema(schema))

    def close(self) -> None:
        """Let go of the answers and the connection; again does nothing."""
        self._answers.clear()
        self._let_go()

    def pack(self) -> None:
        """Nothing is kept in memory."""

    def stop(self) -> None:
        """End what is being computed, from another thread."""
        self._stopped.set()
        with suppress(Exception):  # nothing is computed, or the connection is lost
            self._interrupt()

    def share(self) -> float | None:
        """Servers do not tell how much is done."""
        return None

    def float_of(self, text: Any) -> Any:
        """Ibis expression of float64: of texts that are decimal numbers; null beyond the floats."""
        import ibis  # only where it is needed: it takes half a second

        number = text.try_cast("float64")
        return (number.abs() < ibis.literal(float("inf"))).ifelse(number, None)

    def written(self, position: int) -> Any:
        """Ibis expression of a column's text.

        Raises:
            DataError: if it holds floats, which this engine writes in its own way.
        """
        field = self.fields[position]
        if field.text is None:
            raise DataError(
                f"the column {quoted(field.name)} holds floating-point numbers, which this engine "
                "writes in its own way; use bins, or a view in which it is a decimal or a text"
            )
        return self.expression[f"c{position}"]

    def number(self, position: int, reading: Reading) -> Any:
        """Ibis expression of float64: of a typed column as it is, or each row's text read alone."""
        field = self.fields[position]
        if field.number is not None and (reading.plain or field.text is None):
            return reading.whole(self.expression[f"n{position}"])
        return reading.number(self.expression[f"c{position}"], self.float_of)

    def typed(self, position: int, reading: Reading, types: Sequence[str]) -> Any:  # noqa: ARG002
        """Ibis expression of the number where there is one, else of the text."""
        if reading.kind in ("number", "whole number") or self.fields[position].number is not None:
            return self.number(position, reading)
        return reading.text(self.expression[f"c{position}"])

    def moment(self, text: Any, reading: Reading) -> Any:
        """Ibis expression of moments, as texts that sort alike."""
        return moment_of(text, reading)

    def calendar(self, moment: Any) -> Calendar:
        """The parts of moments."""
        return calendar_of_text(moment)

    def turns(self, key: str) -> Mapping[str, Any]:
        """The named column, missing values last, then a hash of the row; equal rows count alike.

        What is hashed is the key and each column's text between signs that say where it ends, so
        that two rows have the same hash if they have the same texts, and by accident never.
        """
        import ibis  # only where it is needed: it takes half a second

        found = []
        if self._order is not None:
            found += self.sorts([field.name for field in self.fields].index(self._order))
        parts = ibis.literal(key)
        for i, field in enumerate(self.fields):
            text = self.expression[f"c{i}"]
            if field.text is None:
                text = self.expression[f"n{i}"].cast("string")
            parts = parts + text.isnull().ifelse("\nn", "\nv" + text.replace("\n", "\n "))
        found.append(self.md5(parts))
        return {f"turn{i}": each for i, each in enumerate(found)}

    def sorts(self, position: int) -> list[Any]:
        """Ibis expressions by which a column sorts, one after the other; missing values last."""
        value = self.typed(position, Reading(), ())
        return [value.isnull().ifelse(1, 0), value]

    def md5(self, text: Any) -> Any:
        """Ibis expression of a text's MD5, 32 hexadecimal digits that sort by their bytes."""
        return text.hexdigest("md5")

    def tallied(self, positions: Sequence[int]) -> Any:
        """Ibis table of the texts of columns, and of how many rows: a row is alone."""
        return row_by_row(self, positions)

    @contextmanager
    def lend(self, values: Sequence[str]) -> Iterator[Any]:
        """Lend a list as rows that stand in the statement: nothing is written anywhere."""
        import ibis  # only where it is needed: it takes half a second

        storable = [(text, i) for i, text in enumerate(values) if "\0" not in text]
        rows = storable or [("", -1)]  # a zero byte is in no text of these engines
        yield self.backend.sql(
            self._listed(rows), schema=ibis.schema({"value": "string", "position": "int64"})
        )

    def run(self, expression: Any, *, keep: bool) -> Any:
        """Compute an expression, once; what the engine says of a failure is dropped.

        Raises:
            DataError: if the engine cannot, took too long, was stopped, or its files changed.
        """
        statement = str(self.backend.compile(expression))
        key = hashlib.sha256(f"{self.lent}\n{statement}".encode()).hexdigest()
        if key in self._answers:
            return self._answers[key]
        self._stopped.clear()
        timer = threading.Timer(self.seconds, self._late)
        timer.daemon = True
        self._is_late = False
        timer.start()
        try:
            answer, fault = self._computed(expression), None
        except DataError as known:
            answer, fault = None, str(known)
        except Exception:
            answer, fault = None, self._why()
        finally:
            timer.cancel()
        if fault is not None:
            raise DataError(fault)
        if keep:
            self._answers[key] = answer
        return answer

    def _computed(self, expression: Any) -> Any:
        """The answer of the engine, as Arrow table."""
        return self.backend.to_pyarrow(expression)

    def _listed(self, rows: Sequence[tuple[str, int]]) -> str:
        """SQL of a list as rows (value, position)."""
        values = ", ".join(f"({self._literal(text)}, {place})" for text, place in rows)
        return f"SELECT value, position FROM (VALUES {values}) AS lent (value, position)"

    def _literal(self, text: str) -> str:
        """A text in SQL."""
        return sg.exp.Literal.string(text).sql(self.dialect)

    def _interrupt(self) -> None:
        """End what is being computed, in the engine's way."""

    def _late(self) -> None:
        self._is_late = True
        with suppress(Exception):
            self._interrupt()

    def _why(self) -> str:
        """The sentence on a failure."""
        if self._stopped.is_set():
            return STOPPED
        if self._is_late:
            return (
                f"the engine took longer than the {self.seconds:g} seconds that its source allows; "
                "ask for fewer groups, or have the limit raised"
            )
        return FAILED


def _disconnect(backend: Any) -> None:
    """Close what Ibis holds open; its own word for it does nothing for most engines."""
    with suppress(Exception):  # it is lost already
        getattr(backend, "con", backend).close()


def trimmed(text: str, dialect: str) -> str:
    """SQL: text without white space at its ends; missing if nothing is left.

    >>> trimmed("x", "postgres")[:14]
    'NULLIF(TRIM(x,'
    """
    if dialect == "postgres":  # which knows no escapes in texts
        return f"NULLIF(TRIM({text}, {sg.exp.Literal.string(SPACE).sql(dialect)}), '')"
    signs = [ord(c) for c in SPACE if c < " "]  # others take the v of an escape for a letter
    blanks = sg.exp.Literal.string("".join(c for c in SPACE if c >= " ")).sql(dialect)
    space = f"CONCAT({blanks}, {', '.join(f'CHR({sign})' for sign in signs)})"
    cut = f"TRIM(BOTH {space} FROM {text})" if dialect == "spark" else f"TRIM({text}, {space})"
    return f"NULLIF({cut}, '')"


def identifier(name: str, dialect: str) -> str:
    """SQL: a name, also one of several parts with points between, such as clinic.visits.

    >>> identifier("clinic.the visits", "postgres")
    '"clinic"."the visits"'
    """
    return sg.exp.to_table(
        ".".join(sg.to_identifier(part, quoted=True).sql(dialect) for part in name.split(".")),
        dialect=dialect,
    ).sql(dialect)


def column(name: str) -> str:
    """SQL of most engines: the name of one column, which may have points in it.

    >>> column("the.age")
    '"the.age"'
    """
    return '"' + name.replace('"', '""') + '"'


def md5_of(text: str) -> str:  # type: ignore[empty-body]
    """32 hexadecimal digits: the signature of the engines' own function, for Ibis."""


def no_column(name: str) -> DataError:
    """The refusal of a column that cannot be read alike on every engine.

    >>> str(no_column("photo"))[:38]
    'the column “photo” holds neither text,'
    """
    return DataError(
        f"the column {quoted(name)} holds neither text, numbers, dates nor yes or no; name the "
        "columns that you need in the source, or use a view without it"
    )
