"""Read a Parquet file that somebody brings into the same kind of table that a CSV file gives.

Flat columns only: those that hold lists or records are named, and can be left out. The engine reads
the file and keeps the text of each value, as CSV would have it: true or false, 25, 2.5, 2025-01-31,
2025-01-31 13:05:00. The text is made value by value, so it is a function of the row alone. Instants
with a time zone are written in UTC with a Z at the end; fractions of a second are cut after six
digits. A column's type is the one that the file declares.

A Parquet file may unpack to far more than its own size, a hundred bytes to gigabytes. So before
anything is kept, its rows, its values and the bytes of its texts are limited; while it is kept, the
memory is.
"""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from dpviz.data import engine
from dpviz.data.engines.duck import Embedded
from dpviz.data.file_format import (
    FileFormat,
    HowRead,
    NestedError,
    check_left_out,
    left_marks,
    name_columns,
)
from dpviz.data.layout import check_names
from dpviz.data.read import MAX_ROWS, Source, check_rows, columns_of, content_of, digest_of, name_of
from dpviz.data.table import Table
from dpviz.errors import DataError

if TYPE_CHECKING:
    import duckdb

MAX_MEMORY = 2 << 30  # bytes that a file may unpack to
_VALUE = 16  # bytes that the engine takes for each value, empty ones, too
_AT_ONCE = 100_000  # rows whose texts are measured together
_MOST_DIGITS = 38  # of a decimal
MAGIC = b"PAR1"
ENCRYPTED = b"PARE"
_SHORTEST = 12  # bytes: both marks and the length of the footer
_TYPES = {  # engine's type: Ibis type, and the text of a value
    "BOOLEAN": ("boolean", "{}"),
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT"), ("int64", "{}")),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER"), ("int64", "{}")),
    "UBIGINT": ("uint64", "{}"),
    **dict.fromkeys(("FLOAT", "DOUBLE"), ("float64", "{}")),
    "DATE": ("date", "{}"),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS"), ("timestamp", "{}")),
    "TIMESTAMP_NS": ("timestamp", "CAST({} AS TIMESTAMP)"),
    "TIMESTAMP WITH TIME ZONE": ("timestamp", "make_timestamp(epoch_us({})) || 'Z'"),
    **dict.fromkeys(("TIME", "TIME_NS", "TIME WITH TIME ZONE"), ("time", "CAST({} AS TIME)")),
    **dict.fromkeys(("VARCHAR", "UUID", "JSON", '"NULL"'), ("string", "{}")),
}
_TOO_MUCH = "the file unpacks to more than 2 GB; keep only the columns and rows that you need"
_INSTEAD = "export the table again, as Parquet or as CSV"


def read_parquet(
    source: Source, *, name: str | None = None, leave_out: Sequence[str] = ()
) -> Table:
    """Read a Parquet file into a table with an engine of its own.

    Values are held as text without white space at both ends, and empty ones are missing. Kinds of
    columns are those that the file declares.

    Args:
        source: the bytes, a path, or a file opened in binary mode (read from its beginning).
        name: what to call the table; by default the name of the file.
        leave_out: names of columns that are not read, such as those that hold lists.

    Raises:
        NestedError: if columns hold lists, records or bytes; it has their names.
        DataError: if the bytes are no usable Parquet, or have no such columns: one sentence,
            without any value of the file.
        ParameterError: if the names of columns are no list of texts.

    >>> import io
    >>> import pandas as pd
    >>> file = io.BytesIO()
    >>> pd.DataFrame({"id": [1, 2], "region": ["north", "south"]}).to_parquet(file)
    >>> table = read_parquet(file, name="people.parquet")
    >>> table
    Table(“people.parquet”, 2 columns)
    >>> table.columns[0]
    Column(name='id', kind='whole number')
    """
    left_out = tuple(HowRead(leave_out=leave_out).leave_out)
    data = content_of(source)
    _check_ends(data)
    fill = partial(_fill, left_out=left_out)
    connection, (names, unnamed, types) = engine.load(data, ".parquet", fill, _blame)
    return Table(
        name=name_of(source) if name is None else name,
        digest=digest_of(data, *left_marks(left_out)),
        columns=columns_of(names, types),
        types=types,
        engine=Embedded(connection),
        file=FileFormat(unnamed=unnamed, left_out=left_out),
    )


def _check_ends(data: bytes) -> None:
    """A Parquet file begins and ends with its mark."""
    if not data:
        raise DataError("the file is empty; use a Parquet file with columns and rows")
    if ENCRYPTED in (data[:4], data[-4:]):
        raise DataError(f"the file is encrypted; decrypt it first, or {_INSTEAD}")
    if data[:4] != MAGIC:
        raise DataError(f"the file does not begin like a Parquet file; {_INSTEAD}")
    if data[-4:] != MAGIC or len(data) < _SHORTEST:
        raise DataError("the Parquet file is cut off before its end; copy or export it again")


def _fill(
    connection: Any, path: str, left_out: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...]]:
    """All columns as trimmed text; gives their names, which had none, and their Ibis types."""
    _limit_memory(connection)
    every, unnamed = name_columns(_names(connection, path))
    check_names(every)
    check_left_out(every, left_out)
    kept = [i for i, name in enumerate(every) if name not in left_out]
    columns = ", ".join(f"c{i}" for i in range(len(every)))
    file = f"read_parquet($path, hive_partitioning = false) AS t({columns})"
    _check_size(connection, path, file, len(kept))
    declared = connection.execute(f"DESCRIBE SELECT * FROM {file}", {"path": path}).fetchall()
    kinds = _kinds([(every[i], declared[i][1]) for i in kept])
    texts = [f"c{i}" for i, (kind, _) in zip(kept, kinds, strict=True) if kind == "string"]
    _measure(connection, path, file, texts)
    values = ", ".join(
        _value(f"c{i}", *kind, called=f"c{at}")
        for at, (i, kind) in enumerate(zip(kept, kinds, strict=True))
    )
    connection.execute(
        f"CREATE TABLE {engine.TABLE} AS SELECT {values} FROM {file}", {"path": path}
    )
    connection.execute("RESET memory_limit")
    names = tuple(every[i] for i in kept)
    places = tuple(at for at, i in enumerate(kept, start=1) if i + 1 in unnamed)
    return names, places, tuple(kind for kind, _ in kinds)


def _kinds(declared: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Ibis type and text of each column by its name; those of no usable type are named together."""
    kinds: list[tuple[str, str]] = []
    refused: list[NestedError] = []
    for name, its in declared:
        try:
            kinds.append(kind_of(name, its))
        except NestedError as error:
            refused.append(error)
    if len(refused) > 1:
        raise NestedError([column for one in refused for column in one.columns])
    for one in refused:
        raise one
    return kinds


def _limit_memory(connection: Any) -> None:
    """At most `MAX_MEMORY` while the file is unpacked, or less where the machine has less."""
    least = connection.execute(
        "SELECT least(parse_formatted_bytes(current_setting('memory_limit')), $most)",
        {"most": MAX_MEMORY},
    ).fetchone()[0]
    connection.execute(f"SET memory_limit = '{least} bytes'")


def _names(connection: Any, path: str) -> list[str]:
    """Names of the columns from the file itself: the engine would rename equal ones."""
    schema = connection.execute(
        "SELECT name, coalesce(num_children, 0) FROM parquet_schema($path)", {"path": path}
    ).fetchall()
    names = []
    below = 0  # parts of the column before that are still to come
    for name, children in schema[1:]:  # the first is the root
        if below:
            below -= 1
        else:
            names.append(name)
        below += children
    return names


def _check_size(connection: Any, path: str, file: str, columns: int) -> None:
    """Refuse too many rows or values, by what the end of the file says of the rest."""
    rows = connection.execute(f"SELECT count(*) FROM {file}", {"path": path}).fetchone()[0]
    if rows == 0:
        raise DataError("the file has columns but no rows; use a table with at least one row")
    check_rows(rows, MAX_ROWS)
    if rows * columns * _VALUE > MAX_MEMORY:
        raise DataError(_TOO_MUCH)


def _measure(connection: Any, path: str, file: str, texts: list[str]) -> None:
    """Refuse texts of too many bytes: they are unpacked once without being kept.

    What the file says of its own size may be untrue, and a text that a million rows share stands in
    it once.
    """
    if not texts:
        return
    length = " + ".join(f"coalesce(strlen(CAST({c} AS VARCHAR)), 0)" for c in texts)
    lengths = connection.sql(f"SELECT {length} AS n FROM {file}", params={"path": path})
    left = MAX_MEMORY
    for batch in lengths.to_arrow_reader(_AT_ONCE):  # nothing more is unpacked once it is too much
        left -= int(batch.column(0).to_numpy(zero_copy_only=False).sum())
        if left < 0:
            raise DataError(_TOO_MUCH)


def kind_of(name: str, declared: str) -> tuple[str, str]:
    """Ibis type of a type that DuckDB declares, and SQL of what is written of a value.

    Args:
        name: of the column, for the refusal.
        declared: such as BIGINT.

    Raises:
        NestedError: if it holds lists, records or bytes.

    >>> kind_of("id", "BIGINT")
    ('int64', '{}')
    """
    if decimal := re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", declared):
        digits, after = int(decimal[1]), int(decimal[2])
        if 0 < digits == after < _MOST_DIGITS:  # else written without the 0 before the point
            return "float64", f"CAST({{}} AS DECIMAL({digits + 1},{after}))"
        whole = after == 0 and digits <= 18  # what fits into 64 bits
        return "int64" if whole else "float64", "{}"
    if declared in _TYPES:
        return _TYPES[declared]
    if declared.startswith("ENUM"):
        return _TYPES["VARCHAR"]
    nested = declared.endswith("]") or declared.startswith(("STRUCT", "MAP", "VARIANT"))
    raise NestedError((name,), "lists or records" if nested else "bytes that are not text")


def _value(column: str, kind: str, text: str, *, called: str) -> str:
    """SQL: the text of a column, under the name that it gets."""
    value = f"CAST({text.format(column)} AS VARCHAR)"
    return f"{engine.trimmed(value) if kind == 'string' else value} AS {called}"


def _blame(error: "duckdb.Error") -> str:
    if "non-root column" in str(error):
        return f"the file has no columns; {_INSTEAD}"
    if "ncrypt" in str(error):
        return f"the file is encrypted; decrypt it first, or {_INSTEAD}"
    return f"the file cannot be read as Parquet, it may be damaged; {_INSTEAD}"
