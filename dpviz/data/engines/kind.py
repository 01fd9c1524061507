"""What a table asks of whatever holds its rows: one class per engine, and the mark of its source.

An engine is asked by Ibis expressions and gives aggregates back. Engines disagree on how a text
becomes a number or a day, on what comes first and on how a list is lent to them. Each such question
is a member here, answered so that the same rows give the same exact answers on every engine; tests
compare them on tables that are made to trip them up.
A source is stamped when it is read: if its stamps change, it is another table.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from dpviz.data.reading import Reading
from dpviz.errors import DataError

Stamps = tuple[tuple[str, str], ...]
CHANGED = "the file changed after the source was read; read the source again, as another table"
LISTED = "listed"


def stamps(paths: Iterable[str]) -> Stamps:
    """Paths with their size, place on the disk, and times of change to the nanosecond.

    The last of these is the system's own: no program that copies a file can set it back. A file
    that is empty or not there has no stamp.

    >>> stamps(["/nowhere/at/all"])
    (('/nowhere/at/all', ''),)
    """
    return tuple((path, _stamp(path)) for path in paths)


def _stamp(path: str) -> str:
    try:
        found = os.stat(path)
    except (OSError, ValueError):  # ValueError: a zero byte in the path
        return ""
    if not found.st_size:
        return ""
    return f"{found.st_size} {found.st_ino} {found.st_mtime_ns} {found.st_ctime_ns}"


def unchanged(before: Stamps) -> None:
    """Refuse files that are not what they were.

    Raises:
        DataError: if one of them changed.

    >>> unchanged(stamps(["/nowhere/at/all"]))
    """
    if stamps(path for path, _ in before) != before:
        raise DataError(CHANGED)


def digest(definition: Mapping[str, Any], reading: str) -> str:
    """SHA-256 of what a source is and of the reading: the files' state, or the time.

    >>> digest({"name": "visits"}, "1") != digest({"name": "visits"}, "2")
    True
    """
    said = json.dumps([definition, reading], sort_keys=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class Calendar:
    """A moment in parts: Ibis expressions of whole numbers, all null where no moment is written.

    Attributes:
        days: days since 1970-01-01, before it below 0.
        months: months since the beginning of the year 0, of today's calendar also before 1582.
        hour: of 24, from 0.
    """

    days: Any
    months: Any
    hour: Any

    @property
    def weekday(self) -> Any:
        """From 0, Monday; 1970-01-01 was a Thursday."""
        return ((self.days + 3) % 7 + 7) % 7  # engines differ on what is left over below 0


class Engine(Protocol):
    """What holds the rows of a table.

    Attributes:
        most_rows: more than these it never has, whatever the rows say: sums are sure to fit.
        order_said: how it sorts one person's rows, in words; empty: as the file does.
        finds_nearest: whether it can join with the nearest number below, which is quick.
        seconds: how long it may take for a statement; None where the rows are in memory.
        place: what tells the place of a table that stays from others; empty where it is in memory.
    """

    most_rows: int
    order_said: str
    finds_nearest: bool
    seconds: float | None
    place: str

    @property
    def connection(self) -> Any:
        """DuckDB's, of a table in memory."""

    @property
    def marks(self) -> dict[str, str]:
        """What rows in memory are known by, where that was asked; see `dpviz.data.same_rows`."""

    @property
    def backend(self) -> Any:
        """Ibis backend."""

    @property
    def expression(self) -> Any:
        """Ibis table whose first columns are the texts of the table's columns."""

    def close(self) -> None:
        """Let go of rows and connection; again does nothing."""

    def pack(self) -> None:
        """Keep the rows in less memory, where they are kept in memory."""

    def stop(self) -> None:
        """End what is being computed, from another thread."""

    def share(self) -> float | None:
        """How much is done of what another thread computes, from 0 to 1; None if nobody knows."""

    def written(self, position: int) -> Any:
        """Ibis expression of the text of the column at a position, without white space at the ends.

        Raises:
            DataError: if the engine has no text for it that others have, too.
        """

    def float_of(self, text: Any) -> Any:
        """Ibis expression of float64: of texts that are decimal numbers; null beyond the floats."""

    def number(self, position: int, reading: Reading) -> Any:
        """Ibis expression of float64 of the column at a position; null where there is no number."""

    def typed(self, position: int, reading: Reading, types: Sequence[str]) -> Any:
        """Ibis expression of the column at a position as it is sorted and shown.

        Args:
            position: from 0.
            reading: of the column.
            types: Ibis types of all columns, as found or declared.
        """

    def moment(self, text: Any, reading: Reading) -> Any:
        """Ibis expression of the moments that stand in a column's texts, null for others."""

    def calendar(self, moment: Any) -> Calendar:
        """The parts of such moments."""

    def turns(self, key: str) -> Mapping[str, Any]:
        """Ibis expressions that sort one person's rows, by name; they look at each row alone."""

    def md5(self, text: Any) -> Any:
        """Ibis expression of a text's MD5, 32 hexadecimal digits that sort by their bytes."""

    def tallied(self, positions: Sequence[int]) -> Any:
        """Ibis table of the texts of columns, by the names c0, c1, …; `times`: of how many rows.

        Rows with the same texts may be one here, or several.

        Raises:
            DataError: as `written`.
        """

    def lend(self, values: Sequence[str]) -> AbstractContextManager[Any]:
        """Lend a list, as Ibis table with the columns value and position."""

    def run(self, expression: Any, *, keep: bool) -> Any:
        """Compute an Ibis table expression, as Arrow table.

        Args:
            expression: over this engine's table.
            keep: whether the answer is an aggregate, which may be kept and given again.

        Raises:
            DataError: if the engine cannot; no value is in the sentence.
        """


def row_by_row(engine: Any, positions: Sequence[int]) -> Any:
    r"""What `Engine.tallied` gives where no row is put together with another: each is there once.

    Args:
        engine: an `Engine`, or what engines have in common.
        positions: of the columns.

    Raises:
        DataError: if the engine has no text for a column that others have, too.

    >>> from dpviz.data import read_csv
    >>> pets = read_csv(b"pet\ncat\ncat\n")
    >>> pets.collect(row_by_row(pets.engine, [0]))["times"].to_pylist()
    [1, 1]
    """
    import ibis  # only where it is needed: it takes half a second

    texts = {f"c{position}": engine.written(position) for position in positions}
    return engine.expression.select(**texts, times=ibis.literal(1))
