"""How DuckDB answers what engines are asked: for uploads, and for files that stay."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from dpviz.data import engine
from dpviz.data.engines.kind import LISTED, Calendar, row_by_row
from dpviz.data.reading import Reading
from dpviz.errors import DataError

FAILED = "the engine could not compute this; try a smaller table or a shorter list"


class Duck:
    """A connection of DuckDB: it compares texts by their bytes, and reads decimals exactly.

    Args:
        connection: shut, with the rows in it or in its reach.
    """

    most_rows = 1 << 26  # as many as no file of 100 MB has
    order_said = ""
    finds_nearest = True

    connection: Any
    expression: Any

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    @cached_property
    def backend(self) -> Any:
        """Ibis backend, made at the first question."""
        return engine.backend_on(self.connection)

    def stop(self) -> None:
        """End what is being computed, from another thread."""
        self.connection.interrupt()

    def share(self) -> float | None:
        """How much of a statement is done, which is seldom known at its beginning."""
        done = self.connection.query_progress()
        return done / 100 if done > 0 else None

    def written(self, position: int) -> Any:
        """Ibis expression of a column's text."""
        return self.expression[position]

    def float_of(self, text: Any) -> Any:
        """Ibis expression of float64: of texts that are decimal numbers; null beyond the floats."""
        import ibis  # only where it is needed: it takes half a second

        number = text.try_cast("float64")
        return (number.abs() < ibis.literal(float("inf"))).ifelse(number, None)

    def typed(self, position: int, reading: Reading, types: Sequence[str]) -> Any:
        """Ibis expression of a column in its own type, to sort, and to show numbers."""
        return reading.typed(self.expression[position], types[position], self.float_of)

    def moment(self, text: Any, reading: Reading) -> Any:
        """Ibis expression of timestamps: the engine's own are those of the calendar, and quick."""
        return reading.moment(text)

    def calendar(self, moment: Any) -> Calendar:
        """The parts of timestamps."""
        import ibis  # only where it is needed: it takes half a second

        return Calendar(
            days=moment.delta(ibis.timestamp("1970-01-01"), unit="day"),
            months=moment.year().cast("int64") * 12 + moment.month() - 1,
            hour=moment.hour().cast("int64"),
        )

    def md5(self, text: Any) -> Any:
        """Ibis expression of a text's MD5, 32 hexadecimal digits."""
        return text.hexdigest("md5")

    def tallied(self, positions: Sequence[int]) -> Any:
        """Ibis table of the texts of columns, and of how many rows: a row is alone."""
        return row_by_row(self, positions)

    @contextmanager
    def lend(self, values: Sequence[str]) -> Iterator[Any]:
        """Lend a list; it is there within the `with` block only."""
        import pandas as pd  # as the engine: loaded by what asks a table

        listed = pd.DataFrame(
            {"value": pd.Series(values, dtype="object"), "position": range(len(values))}
        )
        self.backend.con.register(LISTED, listed)
        try:
            yield self.backend.table(LISTED)
        finally:
            self.backend.con.unregister(LISTED)


class Embedded(Duck):
    """An upload, held in memory as text."""

    seconds: float | None = None
    place = ""

    @cached_property
    def marks(self) -> dict[str, str]:
        """What the rows are known by, once that is computed; it outlasts them."""
        return {}

    @cached_property
    def expression(self) -> Any:
        """Ibis table of texts, as they are held, and of their places in the file."""
        table = self.backend.table(engine.TABLE)
        return table.mutate(place=table.rowid())

    def close(self) -> None:
        """Drop the rows."""
        for name in ("backend", "expression"):
            self.__dict__.pop(name, None)
        self.connection.close()

    def pack(self) -> None:
        """Keep the rows in less memory, if there is enough for both meanwhile."""
        import duckdb

        try:
            engine.pack(self.connection)
        except duckdb.Error:  # as good unpacked
            return

    def number(self, position: int, reading: Reading) -> Any:
        """Ibis expression of float64: each row's text, read alone."""
        return reading.number(self.expression[position], self.float_of)

    def turns(self, key: str) -> dict[str, Any]:  # noqa: ARG002 - a file has an order
        """The row's place in the file."""
        return {"place": self.expression["place"]}

    def run(self, expression: Any, *, keep: bool) -> Any:  # noqa: ARG002 - asked again as quickly
        """Compute an expression; the engine's error, which may quote values, is dropped.

        Raises:
            DataError: if the engine cannot.
        """
        import duckdb

        try:
            return expression.to_pyarrow()
        except duckdb.Error:
            pass
        raise DataError(FAILED)


class Waiting(Embedded):
    """A file of this package, whose rows are read at the first question.

    Args:
        load: makes the connection.
    """

    def __init__(self, load: Callable[[], Any]) -> None:
        self._load = load

    @cached_property
    def connection(self) -> Any:
        """Shut, with the rows in it."""
        return self._load()

    def stop(self) -> None:
        """End what is being computed, if anything was asked."""
        if "connection" in self.__dict__:
            super().stop()

    def share(self) -> float | None:
        """How much of a statement is done, if anything was asked."""
        return super().share() if "connection" in self.__dict__ else None

    def close(self) -> None:
        """Drop the rows, if they were read."""
        if "connection" in self.__dict__:
            super().close()
