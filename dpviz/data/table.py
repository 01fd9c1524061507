"""A table of people behind an embedded engine: its columns are public, its values are not.

The values stay in the engine and leave it only by methods that say so. Methods marked *not private*
give exact answers that must not reach a figure, a file, a log or a cache that others see.
"""

import threading
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from dpviz import checks
from dpviz.data.engines.kind import Engine
from dpviz.data.file_format import FileFormat, unquoted
from dpviz.data.reading import AS_WRITTEN, TYPES, Reading
from dpviz.errors import DataError
from dpviz.words.names import quoted

if TYPE_CHECKING:
    import pandas as pd  # as the engine: loaded by what asks a table

Kind = Literal["number", "whole number", "text", "date", "time", "yes/no"]
_CALENDAR = ("date", "timestamp", "time")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name as in the file's header, and what it holds."""

    name: str
    kind: Kind


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Table:
    """A table and the engine that holds its rows; threads may take turns with it.

    Attributes:
        name: what to call it, e.g. the name of the file.
        digest: SHA-256 of the bytes it was read from, and of what was chosen for reading them,
            hexadecimal: the key for caches.
        columns: in the order of the file; names differ.
        types: Ibis type of each column, found over all rows.
        engine: what holds the rows.
        file: how the file became this table.
        readings: how columns are read that are not read as usual, in the order of the file.
        loaded: the same table as it was loaded, where some are; both share one engine.
    """

    name: str
    digest: str
    columns: tuple[Column, ...]
    types: tuple[str, ...]
    engine: Engine
    file: FileFormat = field(default_factory=FileFormat)
    readings: tuple[tuple[str, Reading], ...] = ()
    loaded: "Table | None" = None
    _lock: Any = field(default_factory=threading.RLock)
    _closed: threading.Event = field(default_factory=threading.Event)

    @property
    def connection(self) -> Any:
        """DuckDB's, shut and filled, of a table in memory; see `dpviz.data.engine`."""
        return self.engine.connection

    def close(self) -> None:
        """Drop the rows and their engine, once nobody asks this table any more; again does nothing.

        What needs the rows is refused from then on, also by the same table read otherwise. Name,
        columns and digest stay.
        """
        with self._lock:
            self._closed.set()
            self.engine.close()

    def pack(self) -> None:
        """Keep the rows in less memory, for a table that stays; exact answers come sooner, too.

        A million rows of ten columns take a fifth, and about as long as to read them.

        Raises:
            DataError: if the table was closed.
        """
        with self.in_turn():
            self.engine.pack()

    def stop(self) -> None:
        """End what is being computed in another thread, which is then refused with one sentence."""
        if not self._closed.is_set():
            self.engine.stop()

    @property
    def seconds(self) -> float | None:
        """How long a statement may take where the rows stay in an engine; None of an upload."""
        return self.engine.seconds

    @property
    def order_said(self) -> str:
        """How one person's rows are sorted, in words; empty where they are as in the file."""
        return self.engine.order_said

    def share(self) -> float | None:
        """How much is done of what another thread computes, from 0 to 1; None if nobody knows."""
        return self.engine.share()

    @property
    def backend(self) -> Any:
        """Ibis backend that holds `expression`, made at the first question.

        Raises:
            DataError: if the table was closed.
        """
        with self.in_turn():
            return self.engine.backend

    @property
    def expression(self) -> Any:
        """Ibis table, all text; its columns are in the same order under other names.

        Rows that a reading leaves out are not in it.

        Raises:
            DataError: if the table was closed.
        """
        with self.in_turn():
            rows = self.engine.expression
        for name, reading in self.readings:
            if reading.left_out:
                rows = rows.filter(reading.counts(self._written(name)))
        return rows

    def __repr__(self) -> str:
        """Name and number of columns; a table prints no value."""
        return f"Table({quoted(self.name)}, {len(self.columns)} columns)"

    def read_as(self, readings: Mapping[str, Reading]) -> "Table":
        r"""The same rows with some columns read otherwise; no row is copied.

        Columns that are not named keep their reading. Closing either closes both.

        Args:
            readings: by the column's name; `Reading()` for the usual one.

        Raises:
            DataError: if the table has no such column.
            ParameterError: if what stands for a column is not a `Reading`.

        >>> from dpviz.data import Reading, read_csv
        >>> pay = read_csv(b"id;euros\n1;1.234,5\n2;12,5\n", name="pay")
        >>> pay.column("euros").kind
        'text'
        >>> german = Reading(kind="number", decimal=",", thousands=".")
        >>> pay.read_as({"euros": german}).column("euros").kind
        'number'
        """
        asked = dict(self.readings)
        for name, reading in readings.items():
            checks.instance(Reading, reading=reading)
            asked[self.column(name).name] = reading
        file = self.loaded or self
        differ = [(c.name, asked.get(c.name, AS_WRITTEN)) for c in file.columns]
        kept = tuple((name, reading) for name, reading in differ if reading != AS_WRITTEN)
        if not kept:
            return file
        columns, types = [], []
        for column, found, (_, reading) in zip(file.columns, file.types, differ, strict=True):
            columns.append(Column(column.name, reading.kind or column.kind))
            types.append(TYPES[reading.kind] if reading.kind else found)
        return replace(file, columns=tuple(columns), types=tuple(types), readings=kept, loaded=file)

    def reading(self, name: str) -> Reading:
        """How a column is read.

        Raises:
            DataError: if the table has no such column.
        """
        return dict(self.readings).get(self.column(name).name, AS_WRITTEN)

    def readings_of(self, columns: Iterable[str]) -> tuple[tuple[str, Reading], ...]:
        """How columns are read that are not read as usual, and what leaves rows out for all."""
        wanted = set(columns)
        return tuple((n, how) for n, how in self.readings if n in wanted or how.left_out)

    def source(self, columns: Iterable[str]) -> Hashable:
        """All on which the values of columns depend: the bytes of the file, and their readings."""
        return self.digest, self.readings_of(columns)

    def described(self, columns: Iterable[str]) -> str:
        r"""What the table is called, how columns are read that are not read as usual, its order.

        >>> from dpviz.data import Reading, read_csv
        >>> pay = read_csv(b"id;euros\n1;12,5\n", name="pay")
        >>> pay = pay.read_as({"euros": Reading(decimal=",")})
        >>> pay.described(["euros"])
        'pay; “euros” is read with a decimal comma'
        >>> pay.described(["id"])
        'pay'
        """
        said = [f"{quoted(n)} is read {how.described}" for n, how in self.readings_of(columns)]
        order = [self.engine.order_said] if self.engine.order_said else []
        return "; ".join([self.name, *said, *order])

    def column(self, name: str) -> Column:
        """Find a column by name.

        Raises:
            DataError: if the table has no such column.
        """
        return self.columns[self._position(name)]

    def text(self, name: str) -> Any:
        """Ibis expression of a column as text, the form in which values are compared and listed.

        As written in the file, without white space at the ends; missing values, and the marks that
        the column's reading names for them, are null. It is a function of the row alone: the text
        of a *typed* value would depend on everybody ("25.0" would read "25.0" or "25" according to
        what others wrote), and no sensitivity would hold.

        Raises:
            DataError: if the table has no such column.
        """
        return self.reading(name).text(self._written(name))

    def typed(self, name: str) -> Any:
        """Ibis expression of a column in its own type, to sort, and to show numbers.

        Raises:
            DataError: if the table has no such column.
        """
        position = self._position(name)
        with self.in_turn():
            return self.engine.typed(position, self.reading(name), (self.loaded or self).types)

    def number(self, name: str) -> Any:
        """Ibis expression of a column as float64, each row's text read as a decimal number alone.

        With a decimal point, or as the column's reading says; what is not a finite decimal number
        is null: text, NaN, infinity, hexadecimal, 1_000. Unlike `typed` it is a function of the row
        alone, so statistics may rest on it.

        Raises:
            DataError: if the table has no such column.
        """
        position = self._position(name)
        with self.in_turn():
            return self.engine.number(position, self.reading(name))

    def moment(self, name: str) -> Any:
        """Ibis expression of a column as moments, each row's text read as date or time alone.

        As an ISO date or time, or as the column's reading says: the time as written, in no zone.
        Anything else is null. See `Reading.moment`. An upload has timestamps, other engines texts
        that sort alike; `calendar` gives the parts of either.

        Raises:
            DataError: if the table has no such column.
        """
        return self.engine.moment(self._written(name), self.reading(name))

    def turns(self, key: str = "") -> Mapping[str, Any]:
        """Ibis expressions by which the rows of one person are sorted, by names that sort alike.

        In a file it is the row's place. A table that stays in its engine has no order: its rows
        are sorted by the column that its source names, and then by a hash of the row's own values.

        Args:
            key: a public text; with another one the hash sorts otherwise.
        """
        return self.engine.turns(key)

    def rows(self) -> int:
        """Number of rows. Not private: where a row is a person, it is an exact answer."""
        answer = self.collect(self.expression.aggregate(n=self.expression.count()))
        return int(answer["n"][0].as_py())

    def preview(self, n: int = 5) -> "pd.DataFrame":
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
        rows = self.collect(self.expression.select(**typed).limit(n), keep=False)
        frame: pd.DataFrame = rows.to_pandas()
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
        found = self.collect(different, keep=False)
        return [str(text) for text in found["text"].to_pylist()]

    def collect(self, expression: Any, *, keep: bool = True) -> Any:
        """Compute an Ibis table expression made from this table, as Arrow table.

        Args:
            expression: what to compute.
            keep: whether it is an aggregate. One of a table that stays in its engine is kept and
                given again, as the rows may have changed since: a session has one exact answer.

        Raises:
            DataError: if the engine cannot, e.g. for want of memory, or the table was closed; no
                value is in the sentence.
        """
        with self.in_turn():
            return self.engine.run(expression, keep=keep)

    def tallied(self, names: Sequence[str]) -> Any:
        r"""Ibis table of the texts of columns, key0, key1, …, and `times`: of how many rows.

        Rows with the same texts may be one here, which is quicker than to read each of them.

        Args:
            names: of the columns.

        Raises:
            DataError: if the table has no such column.

        >>> from dpviz.data import read_csv
        >>> pets = read_csv(b"pet\ncat\ncat \n")
        >>> sum(pets.collect(pets.tallied(["pet"]))["times"].to_pylist())
        2
        """
        positions = [self._position(name) for name in names]
        if any(reading.left_out for _, reading in self.readings):
            return self._one_by_one(names)
        with self.in_turn():
            rows = self.engine.tallied(positions)
        texts = {
            f"key{i}": self.reading(name).text(rows[f"c{position}"])
            for i, (name, position) in enumerate(zip(names, positions, strict=True))
        }
        return rows.select(**texts, times=rows.times)

    def _one_by_one(self, names: Sequence[str]) -> Any:
        """What `tallied` gives, of a table that leaves rows out: each that is left, once."""
        import ibis  # only where it is needed: it takes half a second

        texts = {f"key{i}": self.text(name) for i, name in enumerate(names)}
        return self.expression.select(**texts, times=ibis.literal(1))

    @contextmanager
    def listed(self, values: Sequence[str]) -> Iterator[Any]:
        """Lend a list to the engine, as Ibis table with the columns value and position (0, 1, …).

        The table exists within the `with` block only, and other threads wait for its end.
        """
        with self.in_turn(), self.engine.lend(values) as listed:
            yield listed

    def _written(self, name: str) -> Any:
        """A column as it is in the engine: text, without white space at the ends."""
        position = self._position(name)
        with self.in_turn():
            return self.engine.written(position)

    @contextmanager
    def in_turn(self) -> Iterator[None]:
        """One thread at a time, while the table is open.

        Raises:
            DataError: if it was closed.
        """
        with self._lock:
            if self._closed.is_set():
                raise DataError("the table was closed; load it again")
            yield

    def _position(self, name: str) -> int:
        found = [column.name for column in self.columns]
        for each in (name, unquoted(str(name))):  # plans may be older than names without quotes
            if each in found:
                return found.index(each)
        raise DataError(
            f"the table has no column {quoted(name)}; choose one of its {len(self.columns)} columns"
        )
