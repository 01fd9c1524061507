"""The embedded engine: load the records of a CSV file into DuckDB and find the types of the columns.

Each table has a connection of its own, in memory. It never spills to disk, loads no extension, and
is locked before it is handed out: no file, no network, no setting can be reached from it. Columns
are called c0, c1, … inside the engine, so a name from a file is never part of a statement.

Types are found over all rows, as text that reads back unchanged: codes such as 007, 1E5, +49 or
numbers of more than 15 digits with decimals stay text, because two different codes must not merge.
"""

import os
import re
import string
import tempfile
from typing import Any

import duckdb
import ibis

from dpviz.data.layout import Layout, find_fault
from dpviz.errors import DataError

TABLE = "data"
_CONFIG = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "temp_directory": "",  # people's data stay in memory
}
_LOCK = (
    "SET enable_external_access = false",
    "SET python_enable_replacements = false",
    "SET lock_configuration = true",
)
_DAY = r"\d{4}-\d{2}-\d{2}"
_CLOCK = r"\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?"
_TYPES = (  # tried in this order; the text must look like this and the engine must take it
    ("BOOLEAN", "(?i:true|false)"),
    ("BIGINT", r"-?(0|[1-9]\d*)"),
    ("DOUBLE", r"-?(0|[1-9]\d{0,14})?(\.\d*)?([eE][+-]\d{1,2})?"),
    ("DATE", _DAY),
    ("TIMESTAMP", f"{_DAY}([ T]{_CLOCK}Z?)?"),
    ("TIME", _CLOCK),
)
_FIRST_LOOK = 1000  # rows that rule out most types before all rows are read


def load(text: bytes, layout: Layout) -> Any:
    """Read the records below the header into a locked engine.

    Text is trimmed, and what is then empty is missing.

    Args:
        text: the whole file, UTF-8 with line ends "\\n".
        layout: of this file.

    Returns:
        An Ibis backend whose one table, `TABLE`, has the columns c0, c1, …

    Raises:
        DataError: if a record cannot be read; the sentence names the line and no value.
    """
    connection = duckdb.connect(":memory:", config=_CONFIG)
    fault = None
    try:
        _read(connection, text, layout)
        _give_types(connection, len(layout.names))
    except duckdb.Error as error:
        fault = find_fault(text, layout, _line_of(error, layout))
    except OSError:
        fault = "the temporary folder cannot hold the file; make room in it and try again"
    if fault is not None:  # raised here, so that the engine's error with its values is not kept
        connection.close()
        raise DataError(fault)
    backend = ibis.duckdb.from_connection(connection)
    for statement in _LOCK:
        connection.execute(statement)
    return backend


def _read(connection: Any, text: bytes, layout: Layout) -> None:
    """All columns as trimmed text, by way of a private file that is deleted in any case."""
    names = [f"c{i}" for i in range(len(layout.names))]
    space = "' ' || " + " || ".join(f"chr({ord(c)})" for c in string.whitespace if c != " ")
    trimmed = ", ".join(f"nullif(trim({c}, {space}), '') AS {c}" for c in names)
    handle, path = tempfile.mkstemp(prefix="dpviz-", suffix=".csv")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(memoryview(text)[layout.start :])
        connection.execute(
            f"""CREATE TABLE raw AS SELECT {trimmed} FROM read_csv(
                $path, delim = $delimiter, columns = $columns, max_line_size = $longest,
                auto_detect = false, header = false, quote = '"', escape = '"')""",
            {
                "path": path,
                "delimiter": layout.delimiter,
                "columns": dict.fromkeys(names, "VARCHAR"),
                "longest": len(text) + 1,
            },
        )
    finally:
        os.unlink(path)


def _give_types(connection: Any, width: int) -> None:
    """Replace the text by the first type that every value of a column has."""
    look = connection.execute(
        f"SELECT {', '.join(_fits(i, kind) for i in range(width) for kind in _TYPES)} "
        f"FROM (SELECT * FROM raw LIMIT {_FIRST_LOOK})"
    ).fetchone()
    size = len(_TYPES)
    open_types = [
        [kind for kind, fits in zip(_TYPES, look[i * size : (i + 1) * size], strict=True) if fits]
        for i in range(width)
    ]
    found = ["VARCHAR"] * width
    while waiting := [i for i in range(width) if open_types[i]]:
        tried = [open_types[i].pop(0) for i in waiting]
        answer = connection.execute(
            "SELECT "
            + ", ".join(
                f"count(c{i}) > 0 AND {_fits(i, kind)}"
                for i, kind in zip(waiting, tried, strict=True)
            )
            + " FROM raw"
        ).fetchone()
        for i, kind, fits in zip(waiting, tried, answer, strict=True):
            if fits:
                found[i], open_types[i] = kind[0], []
    typed = ", ".join(f"CAST(c{i} AS {kind}) AS c{i}" for i, kind in enumerate(found))
    connection.execute(f"CREATE TABLE {TABLE} AS SELECT {typed} FROM raw")
    connection.execute("DROP TABLE raw")


def _fits(position: int, kind: tuple[str, str]) -> str:
    """SQL: do all values of a column have this type? (A column without values has every type.)"""
    name, pattern = kind
    c = f"c{position}"
    return (
        f"count({c}) = count(CASE WHEN regexp_full_match({c}, '{pattern}') "
        f"THEN try_cast({c} AS {name}) END)"
    )


def _line_of(error: duckdb.Error, layout: Layout) -> int | None:
    """The line of the whole file that the engine complained about, if it named one."""
    found = re.search(r"Line: (\d+)", str(error))
    return int(found[1]) + layout.line if found else None
