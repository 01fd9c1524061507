"""The embedded engine: load a file's records into DuckDB; for CSV, find the columns' types.

Each table has a connection of its own, in memory. It never spills to disk, loads no extension, and
is locked before it is handed out: no file, no network, no setting can be reached from it. Columns
are called c0, c1, … inside the engine, so a name from a file is never part of a statement.

The engine holds text, as written. A column's type is found over all rows and so depends on
everybody: one person's odd value turns numbers into text. What is counted must not depend on it.

What one look at the bytes of a CSV proves, so that the engine may take the fast way.

A file without quotation marks and blank lines has one record in each line: it may be read in
blocks, several at once, and the number of records is known beforehand. Where besides no value
begins or ends with white space, nothing needs to be trimmed. What is not proved is read the slow
way, which takes any file and gives the same rows.

A file that nobody else can open, for the engine to read people's rows from.

On Linux it has no name, so that nothing is left of it even if the process is killed while reading.
Elsewhere it has one until it was read, and the next process that starts removes what a killed one
left behind.
"""

import itertools
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.data.layout import NO_ROWS, Layout, find_fault
from dpviz.errors import DataError

_PIECE = 1 << 18  # bytes: small enough for the processor's cache
_END = 10  # line feed
_LAST_ASCII = 127
_BLANKS = 32  # the ASCII characters up to here: all white space, and some that are not
_LEADS = (0xC2, 0xE1, 0xE2, 0xE3)  # UTF-8 of all other white space begins with one of these
_NEXT_TO_LAST = (0xC2, 0x9A, 0x80, 0x81)  # and has one of these before its last byte

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Plain:
    """What is proved of the records of a CSV file."""

    records: int | None = None  # one in each line; None if a record may have several, or none
    trimmed: bool = False  # no value has white space at its ends, and the empty ones no quotes

    def __post_init__(self) -> None:
        if self.records is not None:
            checks.whole(1, records=self.records)


def look(text: bytes, start: int, delimiter: str) -> Plain:
    r"""See how many records there are, and whether white space touches the ends of values.

    Args:
        text: the whole file, UTF-8, lines ended by line feeds, none at the end.
        start: byte at which the first record begins, at least 2: there is a header.
        delimiter: one ASCII character.

    >>> look(b"a,b\n1,x y\n2,z", 4, ",")
    Plain(records=2, trimmed=True)
    >>> look(b"a,b\n1, x\n2,z", 4, ",")
    Plain(records=2, trimmed=False)
    >>> look(b'a,b\n1,"x"', 4, ",")
    Plain(records=None, trimmed=False)
    """
    if text.find(b'"', start) >= 0:
        return Plain()
    records, trimmed, ascii_only = 0, True, text.isascii()
    for at in range(start, len(text), _PIECE):
        piece = text[at - 2 : at + _PIECE]  # two bytes twice: what is looked for has three
        if at + _PIECE >= len(text):
            piece += b"\n"
        values = np.frombuffer(piece, np.uint8)
        ends = values == _END
        if (ends[2:] & ends[1:-1]).any():
            return Plain()
        records += int(np.count_nonzero(ends[2:]))
        edges = ends | (values == ord(delimiter))
        trimmed = trimmed and not _white_at_edges(values, edges, ascii_only)
    return Plain(records, trimmed)


def _white_at_edges(values: Bytes, edges: NDArray[np.bool_], ascii_only: bool) -> bool:
    """Does what may be white space follow or precede a line's end or a delimiter?"""
    blank = (values <= _BLANKS) & ~edges
    begins, ends = blank[2:], blank[1:-1]
    if not ascii_only:
        begins = begins | np.isin(values[2:], _LEADS)
        ends = ends | (values[1:-1] > _LAST_ASCII) & np.isin(values[:-2], _NEXT_TO_LAST)
    return bool((edges[1:-1] & begins).any() or (edges[2:] & ends).any())


OPEN_FILES = "/proc/self/fd"  # where Linux shows a process the files that it has open
_PREFIX = "dpviz-rows-"
_LEFT = re.compile(rf"{_PREFIX}(\d+)-")


@contextmanager
def private_file(content: bytes | memoryview, suffix: str) -> Iterator[str]:
    """Write the bytes to a private file and lend its path, valid within the `with` block only.

    Args:
        content: what to write.
        suffix: how the name ends, where the file has one.

    Raises:
        OSError: if the temporary folder cannot hold it.

    >>> with private_file(b"a;b", ".csv") as path:
    ...     Path(path).read_bytes()
    b'a;b'
    """
    _sweep_once()
    if os.path.isdir(OPEN_FILES):
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.flush()
            yield f"{OPEN_FILES}/{file.fileno()}"
        return
    handle, path = tempfile.mkstemp(prefix=f"{_PREFIX}{os.getpid()}-", suffix=suffix)  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        yield path
    finally:
        os.unlink(path)


def sweep() -> None:
    """Remove the files that killed processes of this user left in the temporary folder.

    Only plain files of this user are removed, by their name, which has the number of a process that
    is no longer there.
    """
    if not hasattr(os, "getuid"):  # Windows: asking whether a process lives would end it
        return
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        found = _LEFT.match(path.name)
        try:
            kind = path.lstat()
            mine = stat.S_ISREG(kind.st_mode) and kind.st_uid == os.getuid()
            if found and mine and not _lives(int(found[1])):
                path.unlink()
        except OSError:  # somebody else was faster
            continue


@cache
def _sweep_once() -> None:
    sweep()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)  # only asks
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # of another user, or no number of a process
    return True


if TYPE_CHECKING:
    import duckdb  # who opens no table, as the workers that compute for pages, never loads it

TABLE = "data"
Found = TypeVar("Found")
_KEPT = "kept"
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "temp_directory": "",  # people's data stay in memory
}
_OPEN = (
    "SET enable_progress_bar = false",  # it would be in the server's log
    "PRAGMA disable_optimizer",  # a minute for a thousand columns, which load in seconds without
    f"ATTACH ':memory:' AS {_KEPT} (COMPRESS)",  # the engine's first database cannot be packed
    f"USE {_KEPT}",
)
_SHUT = (  # the last two cannot be opened again
    "PRAGMA enable_optimizer",
    "SET enable_external_access = false",
    "SET python_enable_replacements = false",
)
_SPACE = r"[\p{Z}\t-\r\x1c-\x1f\x{85}]"  # what `str.strip` drops
_ENDS = f"^{_SPACE}+|{_SPACE}+$"
_DAY = r"\d{4}-\d{2}-\d{2}"
_CLOCK = r"\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?"
_Type = tuple[str, str, str]
# In this order: Ibis type, the engine's type, and what the text must look like.
_TYPES: tuple[_Type, ...] = (
    ("boolean", "BOOLEAN", "(?i:true|false)"),
    ("int64", "BIGINT", r"-?(0|[1-9]\d*)"),
    ("float64", "DOUBLE", r"-?(0|[1-9]\d{0,14})?(\.\d*)?([eE][+-]\d{1,2})?"),
    ("date", "DATE", _DAY),
    ("timestamp", "TIMESTAMP", f"{_DAY}([ T]{_CLOCK}Z?)?"),
    ("time", "TIME", _CLOCK),
)
_SURE = {  # SQL: sooner said than the pattern, which decides on all other values
    "BOOLEAN": "{c} IN ('true', 'false', 'True', 'False', 'TRUE', 'FALSE')",
    "BIGINT": "CAST(try_cast({c} AS BIGINT) AS VARCHAR) = {c}",
    "DATE": "strlen({c}) = 10 AND CAST(try_cast({c} AS DATE) AS VARCHAR) = {c}",
}
_FIRST_LOOK = 1000  # rows that rule out most types before all rows are read
_AT_ONCE = 100  # columns: planning a statement takes longer than its number of columns


def load_csv(
    text: bytes, layout: Layout, types: tuple[str, ...] | None = None, *, keep_empty: bool = False
) -> tuple[Any, tuple[str, ...], bool]:
    """Read the records below the header into a locked engine.

    Text is trimmed, and what is then empty is missing. Of several columns, a record that has a
    value in none is left out: spreadsheets leave such rows behind.

    Args:
        text: the whole file, UTF-8, lines ended by line feeds.
        layout: of this file.
        types: what was found in the same file before; None to find them.
        keep_empty: whether records without a value stay: a program wrote them on purpose.

    Returns:
        A connection whose one table, `TABLE`, has the text columns c0, c1, …; for each column the
        Ibis type that all its values have, "string" if no other; and whether records were left out.

    Raises:
        DataError: if a record cannot be read; the sentence names the line and no value.
    """

    def fill(connection: Any, path: str) -> tuple[tuple[str, ...], bool]:
        _read_csv(connection, path, layout, text)
        emptied = not keep_empty and _leave_out_empty(connection, len(layout.names))
        return _types(connection, len(layout.names)) if types is None else types, emptied

    connection, (found, emptied) = load(
        memoryview(text)[layout.start :],
        ".csv",
        fill,
        lambda error: find_fault(text, layout, _record_of(error)),
    )
    return connection, found, emptied


def load(
    content: bytes | memoryview,
    suffix: str,
    fill: Callable[[Any, str], Found],
    blame: Callable[["duckdb.Error"], str],
) -> tuple[Any, Found]:
    """Fill a new engine from a private file, which is gone in any case, and lock it.

    Args:
        content: what to write to the file.
        suffix: how its name ends.
        fill: makes `TABLE` on a connection from the file at a path; may refuse with a `DataError`.
        blame: one sentence on an engine's error, without its text, which may quote values.

    Returns:
        The locked connection and what `fill` returned.

    Raises:
        DataError: if the file cannot be read.
    """
    import duckdb

    connection = connect()
    try:
        with private_file(content, suffix) as path:
            found = fill(connection, path)
        fault = None
    except DataError:
        connection.close()
        raise
    except (duckdb.OutOfMemoryException, MemoryError):
        fault = "the file needs more memory than there is; keep only the columns that you need"
    except duckdb.Error as error:
        fault = blame(error)
    except OSError:
        fault = "the temporary folder cannot hold the file; make room in it and try again"
    if fault is not None:  # raised here, so that the engine's error with its values is not kept
        connection.close()
        raise DataError(fault)
    shut(connection)
    return connection, found


def connect() -> Any:
    """A new engine in memory, still open to the outside.

    >>> connect().execute("SELECT 1").fetchone()
    (1,)
    """
    import duckdb

    connection = duckdb.connect(":memory:", config=_CONFIG)
    for statement in _OPEN:
        connection.execute(statement)
    return connection


def shut(connection: Any) -> None:
    """Cut a filled engine off from files, network and the variables of Python, for good.

    >>> connection = connect()
    >>> shut(connection)
    >>> connection.execute("SELECT current_setting('enable_external_access')").fetchone()
    (False,)
    """
    for statement in _SHUT:
        connection.execute(statement)


def pack(connection: Any) -> None:
    """Compress the rows, which stay what they are, and give back the memory that reading took.

    >>> connection = connect()
    >>> connection.execute(f"CREATE TABLE {TABLE} AS SELECT 'a' AS c0 FROM range(9)").fetchone()
    (9,)
    >>> pack(connection)
    >>> connection.execute(f"SELECT count(c0) FROM {TABLE}").fetchone()
    (9,)
    """
    connection.execute(f"CHECKPOINT {_KEPT}")
    connect().close()  # when any engine closes, the memory that all of them freed is given back


def trimmed(expression: str) -> str:
    """SQL: text without white space at its ends; missing if nothing is left.

    >>> connect().execute(f"SELECT {trimmed('x')} FROM (VALUES (' a '), (' ')) AS t (x)").fetchall()
    [('a',), (None,)]
    """
    c = expression
    return (
        f"CASE WHEN ord({c}) BETWEEN 33 AND 126 AND {c}[-1] BETWEEN '!' AND '~' "  # surely none
        f"THEN {c} ELSE nullif(regexp_replace({c}, '{_ENDS}', '', 'g'), '') END"
    )


def backend_on(connection: Any) -> Any:
    """An Ibis backend on a loaded engine, whose settings are locked from then on.

    Ibis is imported here, at the first question, so that a page which asks none need not wait.
    """
    import ibis

    backend = ibis.duckdb.from_connection(connection)  # sets the time zone
    connection.execute("SET lock_configuration = true")
    return backend


def _read_csv(connection: Any, path: str, layout: Layout, text: bytes) -> None:
    """All columns as trimmed text: in blocks where each line is a record, else in one."""
    found = look(text, layout.start, layout.delimiter)
    if found.records is not None and _read_blocks(connection, path, layout, found):
        return
    one_block = {"buffer_size": len(text)}  # a second one might begin inside a quoted value
    _create(connection, path, layout, trim=not found.trimmed, options=one_block)


def _read_blocks(connection: Any, path: str, layout: Layout, found: Plain) -> bool:
    """Read several blocks at once; False if not every record came, or one cannot be read.

    The slow way decides then, and says what is wrong.
    """
    import duckdb

    try:
        _create(connection, path, layout, trim=not found.trimmed, options={})
    except duckdb.Error:  # e.g. a line that is longer than a block
        return False
    (rows,) = connection.execute(f"SELECT count(*) FROM {TABLE}").fetchone()
    return bool(rows == found.records)


def _create(
    connection: Any, path: str, layout: Layout, *, trim: bool, options: dict[str, int]
) -> None:
    names = [f"c{i}" for i in range(len(layout.names))]
    values = (f"{trimmed(c)} AS {c}" for c in names) if trim else names
    more = "".join(f", {option} = ${option}" for option in options)
    connection.execute(
        f"""CREATE OR REPLACE TABLE {TABLE} AS SELECT {", ".join(values)}
            FROM read_csv(
                $path, delim = $delimiter, columns = $columns,
                auto_detect = false, header = false, quote = '"', escape = '"'{more})""",
        {
            "path": path,
            "delimiter": layout.delimiter,
            "columns": dict.fromkeys(names, "VARCHAR"),
            **options,
        },
    )


def _leave_out_empty(connection: Any, width: int) -> bool:
    """Leave out the records without a value; one column alone may be a question nobody answered."""
    if width < 2:
        return False
    empty = " AND ".join(f"c{i} IS NULL" for i in range(width))
    if not connection.execute(f"SELECT 1 FROM {TABLE} WHERE {empty} LIMIT 1").fetchone():
        return False
    connection.execute(f"DELETE FROM {TABLE} WHERE {empty}")
    if not connection.execute(f"SELECT 1 FROM {TABLE} LIMIT 1").fetchone():
        raise DataError(NO_ROWS)
    return True


def _types(connection: Any, width: int) -> tuple[str, ...]:
    """The first type that every value of a column has; codes such as 007, 1E5, +49 are text."""
    possible = _possible_types(connection, width)
    found: list[str] = []
    while len(found) < width:
        columns = range(len(found), min(len(found) + _AT_ONCE, width))
        found += _first_types(connection, {i: possible[i] for i in columns})
    return tuple(found)


def _possible_types(connection: Any, width: int) -> list[list[_Type]]:
    """Of each column, the types that all values in the first rows have.

    The values of all columns stand in one, as it takes long to plan a statement on each of them.
    """
    first = f"(SELECT * FROM {TABLE} LIMIT {_FIRST_LOOK})"
    answer = connection.execute(
        f"SELECT name, {', '.join(_fits('c', kind) for kind in _TYPES)} "
        f"FROM (UNPIVOT {first} ON COLUMNS(*) INTO NAME name VALUE c) GROUP BY name"
    ).fetchall()
    fitting = {name: fits for name, *fits in answer}  # not of columns without a value
    every = [True] * len(_TYPES)
    return [list(itertools.compress(_TYPES, fitting.get(f"c{i}", every))) for i in range(width)]


def _first_types(connection: Any, possible: dict[int, list[_Type]]) -> list[str]:
    """Of each column, the first of its possible types that all values have."""
    found = dict.fromkeys(possible, "string")
    while waiting := [i for i in possible if possible[i]]:
        tried = [possible[i].pop(0) for i in waiting]
        answer = connection.execute(
            "SELECT "
            + ", ".join(
                f"count(c{i}) > 0 AND {_fits(f'c{i}', kind)}"
                for i, kind in zip(waiting, tried, strict=True)
            )
            + f" FROM {TABLE}"
        ).fetchone()
        for i, kind, fits in zip(waiting, tried, answer, strict=True):
            if fits:
                found[i], possible[i] = kind[0], []
    return list(found.values())


def _fits(c: str, kind: _Type) -> str:
    """SQL: do all values of a column have this type? Without values it has every type."""
    _, name, pattern = kind
    sure = f"WHEN {_SURE[name].format(c=c)} THEN true " if name in _SURE else ""
    return (
        f"count({c}) = count(CASE {sure}WHEN regexp_full_match({c}, '{pattern}') "
        f"THEN nullif(try_cast({c} AS {name}) IS NOT NULL, false) END)"
    )


def _record_of(error: "duckdb.Error") -> int | None:
    """The record, from 1, that the engine complained about, if it named one."""
    found = re.search(r"Line: (\d+)", str(error))  # the first: a quoted value may follow
    return int(found[1]) if found else None
