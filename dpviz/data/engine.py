"""The embedded engine: load the records of a CSV file into DuckDB and find the columns' types.

Each table has a connection of its own, in memory. It never spills to disk, loads no extension, and
is locked before it is handed out: no file, no network, no setting can be reached from it. Columns
are called c0, c1, … inside the engine, so a name from a file is never part of a statement.

The engine holds text, as written. A column's type is found over all rows and so depends on
everybody: one person's odd value turns numbers into text. What is counted must not depend on it.
"""

import os
import re
import tempfile
from typing import Any

import duckdb

from dpviz.data.layout import Layout, find_fault
from dpviz.errors import DataError

TABLE = "data"
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "temp_directory": "",  # people's data stay in memory
}
_SHUT = (  # neither can be opened again
    "SET enable_external_access = false",
    "SET python_enable_replacements = false",
)
_SPACE = r"[\p{Z}\t-\r\x1c-\x1f\x{85}]"  # what `str.strip` drops
_ENDS = f"^{_SPACE}+|{_SPACE}+$"
_SOLID = "{} BETWEEN 33 AND 126"  # surely no white space: spares most values the slow pattern
_DAY = r"\d{4}-\d{2}-\d{2}"
_CLOCK = r"\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?"
_TYPES = (  # in this order: Ibis type, the engine's type, and what the text must look like
    ("boolean", "BOOLEAN", "(?i:true|false)"),
    ("int64", "BIGINT", r"-?(0|[1-9]\d*)"),
    ("float64", "DOUBLE", r"-?(0|[1-9]\d{0,14})?(\.\d*)?([eE][+-]\d{1,2})?"),
    ("date", "DATE", _DAY),
    ("timestamp", "TIMESTAMP", f"{_DAY}([ T]{_CLOCK}Z?)?"),
    ("time", "TIME", _CLOCK),
)
_FIRST_LOOK = 1000  # rows that rule out most types before all rows are read


def load(text: bytes, layout: Layout) -> tuple[Any, tuple[str, ...]]:
    """Read the records below the header into a locked engine.

    Text is trimmed, and what is then empty is missing.

    Args:
        text: the whole file, UTF-8, lines ended by line feeds.
        layout: of this file.

    Returns:
        A connection whose one table, `TABLE`, has the text columns c0, c1, …; and for each column
        the Ibis type that all its values have, "string" if no other.

    Raises:
        DataError: if a record cannot be read; the sentence names the line and no value.
    """
    connection = duckdb.connect(":memory:", config=_CONFIG)
    fault = None
    try:
        _read(connection, text, layout)
        types = _types(connection, len(layout.names))
    except duckdb.OutOfMemoryException:
        fault = "the file needs more memory than there is; keep only the columns that you need"
    except duckdb.Error as error:
        fault = find_fault(text, layout, _line_of(error, layout))
    except OSError:
        fault = "the temporary folder cannot hold the file; make room in it and try again"
    if fault is not None:  # raised here, so that the engine's error with its values is not kept
        connection.close()
        raise DataError(fault)
    for statement in _SHUT:
        connection.execute(statement)
    return connection, types


def backend_on(connection: Any) -> Any:
    """An Ibis backend on a loaded engine, whose settings are locked from then on.

    Ibis is imported here, at the first question, so that a page which asks none need not wait.
    """
    import ibis

    backend = ibis.duckdb.from_connection(connection)  # sets the time zone
    connection.execute("SET lock_configuration = true")
    return backend


def _read(connection: Any, text: bytes, layout: Layout) -> None:
    """All columns as trimmed text, by way of a private file that is deleted in any case."""
    names = [f"c{i}" for i in range(len(layout.names))]
    trimmed = ", ".join(
        f"CASE WHEN {_SOLID.format(f'ord({c})')} AND {_SOLID.format(f'ord(right({c}, 1))')} "
        f"THEN {c} ELSE nullif(regexp_replace({c}, '{_ENDS}', '', 'g'), '') END AS {c}"
        for c in names
    )
    handle, path = tempfile.mkstemp(prefix="dpviz-", suffix=".csv")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(memoryview(text)[layout.start :])
        connection.execute(
            f"""CREATE TABLE {TABLE} AS SELECT {trimmed} FROM read_csv(
                $path, delim = $delimiter, columns = $columns, buffer_size = $block,
                auto_detect = false, header = false, quote = '"', escape = '"')""",
            {
                "path": path,
                "delimiter": layout.delimiter,
                "columns": dict.fromkeys(names, "VARCHAR"),
                "block": len(text),  # one block: a second might begin inside a quoted value
            },
        )
    finally:
        os.unlink(path)


def _types(connection: Any, width: int) -> tuple[str, ...]:
    """The first type that every value of a column has; codes such as 007, 1E5, +49 are text."""
    look = connection.execute(
        f"SELECT {', '.join(_fits(i, kind) for i in range(width) for kind in _TYPES)} "
        f"FROM (SELECT * FROM {TABLE} LIMIT {_FIRST_LOOK})"
    ).fetchone()
    size = len(_TYPES)
    open_types = [
        [kind for kind, fits in zip(_TYPES, look[i * size : (i + 1) * size], strict=True) if fits]
        for i in range(width)
    ]
    found = ["string"] * width
    while waiting := [i for i in range(width) if open_types[i]]:
        tried = [open_types[i].pop(0) for i in waiting]
        answer = connection.execute(
            "SELECT "
            + ", ".join(
                f"count(c{i}) > 0 AND {_fits(i, kind)}"
                for i, kind in zip(waiting, tried, strict=True)
            )
            + f" FROM {TABLE}"
        ).fetchone()
        for i, kind, fits in zip(waiting, tried, answer, strict=True):
            if fits:
                found[i], open_types[i] = kind[0], []
    return tuple(found)


def _fits(position: int, kind: tuple[str, str, str]) -> str:
    """SQL: do all values of a column have this type? Without values it has every type."""
    _, name, pattern = kind
    c = f"c{position}"
    return (
        f"count({c}) = count(CASE WHEN regexp_full_match({c}, '{pattern}') "
        f"THEN try_cast({c} AS {name}) END)"
    )


def _line_of(error: duckdb.Error, layout: Layout) -> int | None:
    """The line of the whole file that the engine complained about, if it named one."""
    found = re.search(r"Line: (\d+)", str(error))
    return int(found[1]) + layout.line if found else None
