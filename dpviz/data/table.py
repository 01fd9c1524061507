"""A table of people behind an embedded engine: its columns are public, its values are not.

The values stay in the engine and leave it only by methods that say so. Methods marked *not private*
give exact answers that must not reach a figure, a file, a log or a cache that others see.
"""

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import duckdb
import pandas as pd

from dpviz import checks
from dpviz.data import engine
from dpviz.data.file_format import FileFormat
from dpviz.errors import DataError
from dpviz.words.names import visible

Kind = Literal["number", "whole number", "text", "date", "time", "yes/no"]
LISTED = "listed"
_SHORT = 40
_CALENDAR = ("date", "timestamp", "time")
_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_MOMENT = r"^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?Z?)?$"


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name as in the file's header, and what it holds."""

    name: str
    kind: Kind


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Table:
    """A table with an engine of its own; threads may take turns with it.

    Attributes:
        name: what to call it, e.g. the name of the file.
        digest: SHA-256 of the bytes it was read from, and of what was chosen for reading them,
            hexadecimal: the key for caches.
        columns: in the order of the file; names differ.
        types: Ibis type of each column, found over all rows.
        connection: the engine, shut and filled; see `dpviz.data.engine`.
        file: how the file became this table.
    """

    name: str
    digest: str
    columns: tuple[Column, ...]
    types: tuple[str, ...]
    connection: Any
    file: FileFormat = field(default_factory=FileFormat)
    _lock: Any = field(default_factory=threading.RLock)
    _closed: threading.Event = field(default_factory=threading.Event)

    def close(self) -> None:
        """Drop the rows and their engine, once nobody asks this table any more; again does nothing.

        What needs the rows is refused from then on. Name, columns and digest stay.
        """
        with self._lock:
            self._closed.set()
            for made in ("expression", "backend"):
                self.__dict__.pop(made, None)
            self.connection.close()

    def pack(self) -> None:
        """Keep the rows in less memory, for a table that stays; exact answers come sooner, too.

        A million rows of ten columns take a fifth, and about as long as to read them.

        Raises:
            DataError: if the table was closed.
        """
        with self._in_turn(), suppress(duckdb.Error):  # e.g. no memory for both: as good unpacked
            engine.pack(self.connection)

    @cached_property
    def backend(self) -> Any:
        """Ibis backend that holds `expression`, made at the first question.

        Raises:
            DataError: if the table was closed.
        """
        with self._in_turn():
            return engine.backend_on(self.connection)

    @cached_property
    def expression(self) -> Any:
        """Ibis table, all text; its columns are in the same order under other names.

        Raises:
            DataError: if the table was closed.
        """
        with self._in_turn():
            return self.backend.table(engine.TABLE)

    def __repr__(self) -> str:
        """Name and number of columns; a table prints no value."""
        return f"Table({quoted(self.name)}, {len(self.columns)} columns)"

    def column(self, name: str) -> Column:
        """Find a column by name.

        Raises:
            DataError: if the table has no such column.
        """
        return self.columns[self._position(name)]

    def text(self, name: str) -> Any:
        """Ibis expression of a column as text, the form in which values are compared and listed.

        As written in the file, without white space at the ends; missing values are null. It is a
        function of the row alone: the text of a *typed* value would depend on everybody ("25.0"
        would read "25.0" or "25" according to what others wrote), and no sensitivity would hold.

        Raises:
            DataError: if the table has no such column.
        """
        return self.expression[self._position(name)]

    def typed(self, name: str) -> Any:
        """Ibis expression of a column in its own type, to sort, and to show numbers.

        Raises:
            DataError: if the table has no such column.
        """
        position = self._position(name)
        return self.expression[position].try_cast(self.types[position])

    def number(self, name: str) -> Any:
        """Ibis expression of a column as float64, each row's text read as a decimal number alone.

        What is not a finite decimal number is null: text, NaN, infinity, hexadecimal, 1_000.
        Unlike `typed` it is a function of the row alone, so statistics may rest on it.

        Raises:
            DataError: if the table has no such column.
        """
        text = self.text(name)
        number = text.re_search(_NUMBER).ifelse(text.try_cast("float64"), None)
        return (number.abs() < math.inf).ifelse(number, None)

    def moment(self, name: str) -> Any:
        """Ibis expression of a column as timestamp, each row's text read as ISO date or time alone.

        "2025-01-06", "2025-01-06 13:05", with T for the blank, with seconds, with a Z at the end:
        always the time as written, in no zone; 24:00 is the end of the day. Anything else
        is null.

        Raises:
            DataError: if the table has no such column.
        """
        text = self.text(name)
        return text.re_search(_MOMENT).ifelse(text.replace("Z", "").try_cast("timestamp"), None)

    @property
    def place(self) -> Any:
        """Ibis expression of the row's place in the file, from 0."""
        return self.expression.rowid()

    def rows(self) -> int:
        """Number of rows. Not private: where a row is a person, it is an exact answer."""
        return int(self.collect(self.expression.aggregate(n=self.expression.count()))["n"][0])

    def preview(self, n: int = 5) -> pd.DataFrame:
        """The first `n` rows, dates and times as written. Not private: real people's values.

        The engine knows dates that Python does not, such as the year 0 or the hour 24:00.

        Raises:
            ParameterError: if `n` is not a whole number of at least 0.
        """
        checks.whole(0, n=n)
        names = [column.name for column in self.columns]
        typed = {
            f"c{i}": self.text(name) if kind in _CALENDAR else self.typed(name)
            for i, (name, kind) in enumerate(zip(names, self.types, strict=True))
        }
        frame: pd.DataFrame = self.collect(self.expression.select(**typed).limit(n)).to_pandas()
        return frame.set_axis(names, axis=1)

    def distinct(self, column: str, limit: int) -> list[str]:
        """Up to `limit` different values of a column, ascending, as `text` writes them.

        Not private: they are read off the data, so the presence of a rare one tells of a person.

        Raises:
            DataError: if the table has no such column.
            ParameterError: if `limit` is not a whole number of at least 1.
        """
        checks.whole(1, limit=limit)
        pairs = self.expression.select(value=self.typed(column), text=self.text(column))
        different = pairs.filter(pairs.text.notnull()).distinct()
        different = different.order_by("value", "text").limit(limit)
        return [str(text) for text in self.collect(different)["text"].to_pylist()]

    def collect(self, expression: Any) -> Any:
        """Compute an Ibis table expression made from this table, as Arrow table.

        Raises:
            DataError: if the engine cannot, e.g. for want of memory, or the table was closed; no
                value is in the sentence.
        """
        with self._in_turn():
            try:
                return expression.to_pyarrow()
            except duckdb.Error:
                pass  # its text may carry values
        raise DataError("the engine could not compute this; try a smaller table or a shorter list")

    @contextmanager
    def listed(self, values: Sequence[str]) -> Iterator[Any]:
        """Lend a list to the engine, as Ibis table with the columns value and position (0, 1, …).

        The table exists within the `with` block only, and other threads wait for its end.
        """
        listed = pd.DataFrame(
            {"value": pd.Series(values, dtype="object"), "position": range(len(values))}
        )
        with self._in_turn():
            self.backend.con.register(LISTED, listed)
            try:
                yield self.backend.table(LISTED)
            finally:
                self.backend.con.unregister(LISTED)

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """One thread at a time, while the table is open."""
        with self._lock:
            if self._closed.is_set():
                raise DataError("the table was closed; load it again")
            yield

    def _position(self, name: str) -> int:
        for position, column in enumerate(self.columns):
            if column.name == name:
                return position
        raise DataError(
            f"the table has no column {quoted(name)}; choose one of its {len(self.columns)} columns"
        )


def quoted(name: object) -> str:
    """A name for a sentence: in quotation marks, all of it to be seen, at most 40 characters.

    >>> quoted("education")
    '“education”'
    >>> len(quoted("x" * 1000))
    42
    """
    text = visible(name)
    return f"“{text}”" if len(text) <= _SHORT else f"“{text[: _SHORT - 1]}…”"
