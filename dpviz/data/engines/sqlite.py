"""A table or view in an SQLite file, opened to be read alone.

SQLite keeps what was written, whatever a column is said to hold, and reads decimals by its own
arithmetic. So texts and numbers are made by Python, value by value, and MD5, too.
"""

import hashlib
import math
import re
import sqlite3
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dpviz.data.engines.kind import Stamps, stamps, unchanged
from dpviz.data.engines.outside import Field, Outside, column, identifier, md5_of
from dpviz.data.reading import LONGEST_NUMBER
from dpviz.errors import DataError

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
_TYPES = (  # words in a declared type, by the rules of SQLite itself, and the Ibis type
    ("BOOL", "boolean"),
    ("INT", "int64"),
    ("CHAR", "string"),
    ("CLOB", "string"),
    ("TEXT", "string"),
    ("REAL", "float64"),
    ("FLOA", "float64"),
    ("DOUB", "float64"),
    ("NUMERIC", "float64"),
    ("DECIMAL", "float64"),
    ("TIMESTAMP", "timestamp"),
    ("DATETIME", "timestamp"),
    ("DATE", "date"),
    ("TIME", "time"),
)


class Sqlite(Outside):
    """The engine of an SQLite file."""

    dialect = "sqlite"

    def __init__(
        self,
        backend: Any,
        table: str,
        fields: Sequence[Field],
        order: str | None,
        seconds: float,
        files: Stamps,
    ) -> None:
        super().__init__(backend, table, fields, order, seconds)
        self._files, self.state = files, repr(files)

    def float_of(self, text: Any) -> Any:
        """Ibis expression of float64 by Python's own reader, which is right to the last digit."""
        return _functions()[0](text)

    def md5(self, text: Any) -> Any:
        """Ibis expression of a text's MD5, which SQLite itself has not."""
        return _functions()[1](text)

    def _computed(self, expression: Any) -> Any:
        unchanged(self._files)
        answer = super()._computed(expression)
        unchanged(self._files)
        return answer

    def _listed(self, rows: Sequence[tuple[str, int]]) -> str:
        values = ", ".join(f"({self._literal(text)}, {place})" for text, place in rows)
        return f"SELECT column1 AS value, column2 AS position FROM (VALUES {values})"

    def _interrupt(self) -> None:
        self.backend.con.interrupt()


def open_sqlite(
    path: str, table: str, columns: tuple[str, ...], order: str | None, seconds: float
) -> Sqlite:
    """Open a file and look at the columns of a table.

    Raises:
        DataError: if there is no such file or table.

    >>> open_sqlite("/nowhere/at/all.db", "visits", (), None, 60.0)
    Traceback (most recent call last):
    dpviz.errors.DataError: the source is no SQLite file with such a table and columns; check both
    """
    import ibis  # only where it is needed: it takes half a second

    found: list[Any] = []
    connection = None
    try:
        address = f"{Path(path).absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        connection.execute("PRAGMA query_only = on")
        for name, function in (
            ("text", _text),
            ("bool", _bool),
            ("number", _number),
            ("md5", _md5),
        ):
            connection.create_function(f"dpviz_{name}", 1, function, deterministic=True)
        found = connection.execute(f"PRAGMA table_info({column(table)})").fetchall()
    except (sqlite3.Error, ValueError):
        pass
    fields = [_field(row[1], row[2]) for row in found if row[1] in columns or not columns]
    if not fields:
        if connection is not None:
            connection.close()
        raise DataError("the source is no SQLite file with such a table and columns; check both")
    backend = ibis.sqlite.from_connection(connection)
    files = stamps((path, f"{path}-wal"))
    return Sqlite(backend, identifier(table, "sqlite"), fields, order, seconds, files)


def _field(name: str, declared: str) -> Field:
    c = column(name)
    kind = next((kind for word, kind in _TYPES if word in declared.upper()), "string")
    if kind == "boolean":
        return Field(name, kind, f"dpviz_bool({c})")
    number = f"dpviz_number({c})" if kind in ("int64", "float64") else None
    return Field(name, kind, f"dpviz_text({c})", number)


@cache
def _functions() -> tuple[Any, Any]:
    """What Python computes, as functions for Ibis."""
    import ibis

    builtin = ibis.udf.scalar.builtin
    return builtin(_number_of, name="dpviz_number"), builtin(md5_of, name="dpviz_md5")


def _number_of(text: str) -> float:  # type: ignore[empty-body]
    """The number that a text is: the signature of `_number`, for Ibis."""


def _text(value: Any) -> str | None:
    """The text that an upload would hold."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, float):
        return text_of_float(value)
    return str(value) if isinstance(value, int) else None


def _bool(value: Any) -> str | None:
    """Yes or no is 1 or 0 here; anything else stays what it is."""
    return ("false", "true")[value] if value in (0, 1) else _text(value)


def _number(value: Any) -> float | None:
    """The finite number that a value is, or that its text is."""
    if isinstance(value, str):
        text = value.strip()
        legal = len(text) <= LONGEST_NUMBER and _NUMBER.fullmatch(text)
        value = float(text) if legal else None
    if not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def _md5(text: str | None) -> str | None:
    if text is None:
        return None
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def text_of_float(value: float) -> str:
    """A float as uploads have it: the shortest digits that give it back, and a point.

    >>> text_of_float(25.0), text_of_float(1e16), text_of_float(1e-5), text_of_float(float("nan"))
    ('25.0', '1e+16', '1e-05', 'nan')
    """
    return repr(value)
