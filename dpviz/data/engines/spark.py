"""A table that Spark knows, or files that it reads: in this process, on a cluster, or by Connect.

Spark has no transaction that only reads; nothing but SELECT is ever sent to it.
"""

import hashlib
import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from dpviz.data.engines.outside import Field, Outside, identifier, no_column, trimmed
from dpviz.errors import DataError

LOCAL = "local"  # spark://local is a Spark of this machine
_PATH = re.compile(r"(parquet|orc|delta)\.`[^`]+`")
_WHOLE = ("tinyint", "smallint", "int", "bigint")
_AS_TEXT = {"boolean": "boolean", "date": "date", "timestamp_ntz": "timestamp"}  # Ibis types
_SETTINGS = {"spark.sql.session.timeZone": "UTC", "spark.sql.ansi.enabled": "true"}


class Spark(Outside):
    """The engine of a Spark session."""

    dialect = "spark"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._job = f"dpviz-{uuid.uuid4()}"

    def close(self) -> None:
        """Let go of the answers; the Spark of this process goes on for other sources."""
        self._answers.clear()

    @contextmanager
    def lend(self, values: Sequence[str]) -> Iterator[Any]:
        """Lend a list as a view of this session, since texts in statements have escapes."""
        import ibis  # only where it is needed: it takes half a second

        session = self.backend._session
        same = hashlib.sha256(repr(values).encode()).hexdigest()  # list, so same answer
        name = f"dpviz_{same}"
        rows = [(text, position) for position, text in enumerate(values)]
        frame = session.createDataFrame(rows, "value string, position bigint")
        frame.createOrReplaceTempView(name)
        schema = ibis.schema({"value": "string", "position": "int64"})
        try:
            yield self.backend.sql(f"SELECT value, position FROM {name}", schema=schema)
        finally:
            session.catalog.dropTempView(name)

    def _computed(self, expression: Any) -> Any:
        session = self.backend._session
        session.addTag(self._job)
        try:
            return session.sql(str(self.backend.compile(expression))).toArrow()
        finally:
            session.removeTag(self._job)

    def _interrupt(self) -> None:
        self.backend._session.interruptTag(self._job)


def open_spark(
    url: str, table: str, columns: tuple[str, ...], order: str | None, seconds: float
) -> Spark:
    """Begin a session and look at the columns of a table.

    Args:
        url: spark://local, spark://host:port of a cluster, or sc://host:port of Spark Connect.
        table: as Spark knows it; or files, such as parquet.`/srv/visits`.
        columns: those to take; empty: all.
        order: a column that sorts a person's rows.
        seconds: for each statement.

    Raises:
        DataError: if there is no such Spark or table, or a column cannot be read alike everywhere.
    """
    import ibis

    place = table if _PATH.fullmatch(table) else identifier(table, "spark")
    found: list[tuple[str, str]] = []
    backend = None
    with suppress(Exception):  # whatever it says may have the address
        backend = ibis.pyspark.connect(_session(url))
        schema = backend._session.sql(f"SELECT * FROM {place} LIMIT 0").schema
        found = [(each.name, each.dataType.simpleString()) for each in schema.fields]
    fields = [_field(name, kind) for name, kind in found if name in columns or not columns]
    if backend is None or not fields:
        raise DataError(
            "Spark cannot be reached, or has no such table or columns; check its address and the "
            "names of the source"
        )
    return Spark(backend, place, fields, order, seconds)


def _session(url: str) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("dpviz").config("spark.ui.enabled", "false")
    if url.startswith("sc://"):
        session = builder.remote(url).getOrCreate()
    else:
        local = url.removeprefix("spark://") == LOCAL
        session = builder.master("local[*]" if local else url).getOrCreate().newSession()
    for name, value in _SETTINGS.items():
        session.conf.set(name, value)
    return session


def _field(name: str, kind: str) -> Field:
    c = f"`{name.replace('`', '``')}`"
    text = f"CAST({c} AS STRING)"
    if kind == "string" or kind.startswith(("char(", "varchar(")):
        return Field(name, "string", trimmed(text, "spark"))
    if kind in _AS_TEXT:
        return Field(name, _AS_TEXT[kind], text)
    if kind in _WHOLE:
        return Field(name, "int64", text, f"CAST({c} AS DOUBLE)")
    if decimal := re.fullmatch(r"decimal\((\d+),(\d+)\)", kind):
        return Field(name, "float64" if decimal[2] != "0" else "int64", text)
    if kind == "double":
        finite = f"CASE WHEN ABS({c}) < CAST('Infinity' AS DOUBLE) THEN {c} END"
        return Field(name, "float64", None, finite)
    if kind == "timestamp":
        return Field(name, "timestamp", f"CONCAT({text}, 'Z')")
    raise no_column(name)
