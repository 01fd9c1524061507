"""CSV and Parquet files that stay on the server, and tables of a DuckDB file: asked by DuckDB.

Files may be larger than memory: they are read again for each question, and what does not fit is
put into a folder of its own for as long as the question lasts. The engine reaches the files of the
source and nothing else. It sees them by their names at the reading; one that changes is refused.
"""

import glob
import hashlib
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb

from dpviz.data import engine
from dpviz.data.engines.duck import Duck
from dpviz.data.engines.kind import Stamps, stamps, unchanged
from dpviz.data.engines.outside import MOST_ROWS, Field, Outside, column, identifier
from dpviz.data.parquet import kind_of
from dpviz.data.reading import Reading
from dpviz.errors import DataError

MEMORY = 1_400_000_000  # bytes, beyond which what is computed goes to the disk; with 10⁹ it fails
PARQUET = (".parquet", ".pq")
CSV = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz")
_PROGRESS = (  # it is asked how far it is, and writes it nowhere
    "SET enable_progress_bar = true",
    "SET enable_progress_bar_print = false",
)
_READ_CSV = "read_csv("
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")


class Files(Duck, Outside):
    """DuckDB over files, or over a file of its own."""

    dialect = "duckdb"
    most_rows = MOST_ROWS
    finds_nearest = True

    def __init__(
        self,
        connection: Any,
        table: str,
        fields: Sequence[Field],
        order: str | None,
        seconds: float,
        files: Stamps,
    ) -> None:
        Outside.__init__(self, engine.backend_on(connection), table, fields, order, seconds)
        self.connection, self._files, self.state = connection, files, repr(files)

    def number(self, position: int, reading: Reading) -> Any:
        """Ibis expression of float64: of a typed column as it is, or each row's text read alone."""
        return Outside.number(self, position, reading)

    def typed(self, position: int, reading: Reading, types: Sequence[str]) -> Any:
        """Ibis expression of the number where there is one, else of the text."""
        return Outside.typed(self, position, reading, types)

    def sorts(self, position: int) -> list[Any]:
        """Ibis expressions by which a column sorts; of CSV numbers by size, then other texts.

        CSV has texts only, and which of them are numbers must not depend on what others wrote.
        """
        if not self._table.startswith(_READ_CSV):
            return Outside.sorts(self, position)
        text, number = self.written(position), self.number(position, Reading())
        return [text.isnull().ifelse(1, 0), number.isnull().ifelse(1, 0), number, text]

    def tallied(self, positions: Sequence[int]) -> Any:
        """Ibis table of the texts of columns, and of how many rows.

        Rows are put together by what is written, and the white space is dropped from the few texts
        that differ: to drop it from every row takes longer than to count them.
        """
        import ibis  # only where it is needed: it takes half a second

        fields = {position: self.fields[position] for position in positions}
        written = ", ".join(f"{each.untrimmed or each.text} AS r{i}" for i, each in fields.items())
        texts = ", ".join(f"{engine.trimmed(f'r{i}')} AS c{i}" for i in fields)
        schema = dict.fromkeys((f"c{i}" for i in fields), "string") | {"times": "int64"}
        return self.backend.sql(
            f"SELECT {texts}, times FROM "
            f"(SELECT {written}, count(*) AS times FROM {self._table} GROUP BY ALL) AS alike",
            schema=ibis.schema(schema),
        )

    @contextmanager
    def lend(self, values: Sequence[str]) -> Iterator[Any]:
        """Lend a list; it is there within the `with` block only."""
        self.lent = hashlib.sha256(repr(values).encode()).hexdigest()
        with Duck.lend(self, values) as listed:
            yield listed

    def close(self) -> None:
        """Let go of answers, files and the folder for what did not fit."""
        Outside.close(self)

    def stop(self) -> None:
        """End what is being computed, from another thread."""
        Outside.stop(self)

    def _computed(self, expression: Any) -> Any:
        unchanged(self._files)
        answer = expression.to_pyarrow()
        unchanged(self._files)
        return answer

    def _interrupt(self) -> None:
        self.connection.interrupt()


def open_files(place: str, columns: tuple[str, ...], order: str | None, seconds: float) -> Files:
    """Open a file, all that a pattern with stars finds, or a folder of them.

    Folders that are called name=value make a column of that name.

    Raises:
        DataError: if there are none, they are of different kinds, or cannot be read.

    >>> open_files("/nowhere/*.parquet", (), None, 60.0)
    Traceback (most recent call last):
    dpviz.errors.DataError: the source has no file; check its path, and that the server may read it
    """
    paths, root = _found(place)
    suffixes = {_suffix(path) for path in paths}
    if len(suffixes) != 1 or not suffixes <= {"parquet", "csv"}:
        raise DataError(
            "the source must be CSV or Parquet files, all of one kind; name such a file, a folder "
            "of them, or a pattern such as visits/*.parquet"
        )
    listed = f"[{', '.join(_literal(path) for path in paths)}]"
    partitioned = str(any("=" in part for part in Path(paths[0]).relative_to(root).parts[:-1]))
    more = f"hive_partitioning = {partitioned.lower()}, hive_types_autocast = false"
    if suffixes == {"parquet"}:
        table = f"read_parquet({listed}, {more})"
    else:
        table = f"{_READ_CSV}{listed}, {more}, all_varchar = true, header = true)"
    connection = _connected([f"SET allowed_paths = {listed}"])
    seen = table.replace("all_varchar = true, ", "")  # for kinds of columns: what CSV looks like
    return _opened(connection, table, seen, (columns, order, seconds), stamps(paths))


def open_duckdb(
    path: str, table: str, columns: tuple[str, ...], order: str | None, seconds: float
) -> Files:
    """Open a DuckDB file, to be read alone; nobody can write to it meanwhile.

    Raises:
        DataError: if there is no such file or table.

    >>> open_duckdb("/nowhere/at/all.duckdb", "visits", (), None, 60.0)
    Traceback (most recent call last):
    dpviz.errors.DataError: the source cannot be opened; check its path, and who writes to it
    """
    connection = _connected([f"ATTACH {_literal(path)} AS stays (READ_ONLY)", "USE stays"])
    name = identifier(table, "duckdb")
    files = stamps((path, f"{path}.wal"))
    return _opened(connection, name, name, (columns, order, seconds), files)


def _found(place: str) -> tuple[list[str], str]:
    """The files of a place, each by its whole path, and the folder in which they are."""
    whole = os.path.abspath(place)
    if os.path.isdir(whole):
        every = glob.glob(os.path.join(glob.escape(whole), "**", "*"), recursive=True)
        return sorted(p for p in every if os.path.isfile(p) and _suffix(p)), whole
    paths = sorted(p for p in glob.glob(whole, recursive=True) if os.path.isfile(p))
    if os.path.isfile(whole):
        paths = [whole]
    if not paths:
        raise DataError("the source has no file; check its path, and that the server may read it")
    root = whole.split("*", 1)[0].rpartition(os.sep)[0]
    return paths, root or os.sep


def _suffix(path: str) -> str:
    """What a file holds, by the end of its name; nothing if it is neither."""
    small = path.lower()
    return "parquet" if small.endswith(PARQUET) else "csv" if small.endswith(CSV) else ""


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _connected(reach: Sequence[str]) -> Any:
    """An engine that reaches what is named, with a folder for what does not fit in memory."""
    folder = tempfile.mkdtemp(prefix="dpviz-")  # nobody else may look into it
    connection = duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "temp_directory": folder,
            "memory_limit": f"{MEMORY} bytes",
            "preserve_insertion_order": False,
        },
    )
    weakref.finalize(connection, shutil.rmtree, folder, ignore_errors=True)
    failed = False
    try:
        for statement in (*_PROGRESS, *reach):
            connection.execute(statement)
    except duckdb.Error:
        failed = True
    if failed:
        connection.close()
        raise DataError("the source cannot be opened; check its path, and who writes to it")
    engine.shut(connection)
    return connection


def _opened(
    connection: Any,
    table: str,
    seen: str,
    rest: tuple[tuple[str, ...], str | None, float],
    files: Stamps,
) -> Files:
    """The engine, once its columns are known, and what they look like."""
    columns, order, seconds = rest
    found: list[Any] = []
    with suppress(duckdb.Error):  # its text may quote a value of the file
        held = connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
        looks = connection.execute(f"DESCRIBE SELECT * FROM {seen}").fetchall()
        found = [(*a[:2], b[1]) for a, b in zip(held, looks, strict=True)]
    fault = None
    try:
        fields = [
            _field(*row, collated=not table.startswith("read_"))
            for row in found
            if row[0] in columns or not columns
        ]
    except DataError as error:
        fields, fault = [], str(error)
    if not fields:
        connection.close()
        raise DataError(
            fault or "the source has no such table or columns, or cannot be read; check its names"
        )
    return Files(connection, table, fields, order, seconds, files)


def _field(name: str, declared: str, looks: str, *, collated: bool) -> Field:
    """A column as an upload has it; a text in CSV is of the kind that the first rows look like."""
    kind, text = kind_of(name, declared)
    c = column(name)
    value = f"CAST({text.format(c)} AS VARCHAR)"
    if kind == "string":
        kind = kind if looks == declared else kind_of(name, looks)[0]
        if collated:  # a column of a DuckDB file may compare otherwise than by its characters
            value = f"decode(encode({value}))"
        return Field(name, kind, engine.trimmed(value), untrimmed=value)
    if declared in _WHOLE:
        return Field(name, kind, value, f"CAST({c} AS DOUBLE)")
    if re.match("DOUBLE|FLOAT", declared):
        number = c if declared == "DOUBLE" else f"CAST({value} AS DOUBLE)"
        return Field(name, kind, value, f"CASE WHEN isfinite({c}) THEN {number} END")
    if kind == "float64":  # a decimal: to the last digit
        return Field(name, kind, value, f"CAST({value} AS DOUBLE)")
    return Field(name, kind, value)
