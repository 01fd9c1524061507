"""Read a CSV file that somebody brings: refuse what is no CSV with one sentence, hold the rest.

Accepts UTF-8, UTF-16 and Windows-1252 (see `dpviz.data.text`), any line ends, delimiters comma,
semicolon, tab and bar, values in quotation marks (RFC 4180), a header line with names; all
of it may be compressed by gzip. The bytes reach the engine by a private file, see
`dpviz.data.engine`.

Read a stream to a limit, in no more memory than what is there needs.

`read(n)` makes room for n bytes first, however few come: 100 MB for a file of a hundred lines. The
dashboard overwrites all memory that is freed, so that such room would be written twice.
"""

import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Iterable
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import IO, Any, TypeAlias

from dpviz.data import engine
from dpviz.data.engines.duck import Embedded, Waiting
from dpviz.data.file_format import FileFormat, HowRead
from dpviz.data.layout import Layout, find_layout
from dpviz.data.table import Column, Kind, Table
from dpviz.data.text import GZIP, text_of
from dpviz.errors import DataError

_PIECE = 1 << 20  # bytes


def up_to(stream: IO[bytes] | io.BufferedIOBase, most: int) -> bytes:
    """The next bytes of a stream: `most` of them, or all if there are fewer.

    Args:
        stream: opened in binary mode.
        most: bytes.

    Raises:
        OSError: as the stream's own `read`.

    >>> up_to(io.BytesIO(b"a,b"), 100), up_to(io.BytesIO(b"a,b"), 2)
    (b'a,b', b'a,')
    """
    found = io.BytesIO()
    while (left := most - found.tell()) and (piece := stream.read(min(left, _PIECE))):
        found.write(piece)
    return found.getvalue()


MAX_BYTES = 100 * 1024 * 1024
MAX_UNPACKED = 4 * MAX_BYTES  # what a compressed file may hold
_FIRST = 1000  # bytes that say what a compressed file is
MAX_ROWS = 50_000_000  # as many as 100 MB of CSV can hold
_KINDS: dict[str, Kind] = {  # by Ibis type
    "boolean": "yes/no",
    "int64": "whole number",
    "uint64": "whole number",
    "float64": "number",
    "date": "date",
    "timestamp": "time",
    "time": "time",
    "string": "text",
}
_PACKAGED: dict[str, tuple[str, tuple[Column, ...], tuple[str, ...], FileFormat]] = {}


Source: TypeAlias = bytes | bytearray | memoryview | str | os.PathLike[str] | IO[bytes]


def read_csv(
    source: Source,
    *,
    name: str | None = None,
    encoding: str | None = None,
    header: int | None = None,
) -> Table:
    r"""Read a CSV file into a table with an engine of its own.

    Values lose white space at both ends, and empty ones are missing; a row without any value is
    left out. The engine finds the types over all rows; codes with leading zeros stay text. Columns
    without a name are given one. The file may be compressed by gzip, and then hold at most 400 MB.

    Args:
        source: the bytes, a path, or a file opened in binary mode (read from its beginning).
        name: what to call the table; by default the name of the file.
        encoding: "UTF-8", "UTF-16", "Windows-1252" or "Latin-1"; None to find it.
        header: number of the line with the names of the columns; those above it are left out. By
            default the first line that is not empty.

    Raises:
        DataError: if the bytes are no usable CSV: one sentence, with line or column number where
            there is one, without any value of the file.
        ParameterError: if there is no such encoding, or the number of the line is no whole number
            of at least 1.

    >>> table = read_csv(b"id,region\n1,north\n2,south\n", name="people.csv")
    >>> table
    Table(“people.csv”, 2 columns)
    >>> table.columns[0]
    Column(name='id', kind='whole number')
    """
    how = HowRead(encoding=encoding, header=header)
    content = content_of(source)
    return _read(content, name_of(source) if name is None else name, how)


def read_packaged(file: str) -> Table:
    """Read a CSV file of this package, public and always the same: its types are found once.

    From the second time on the rows are read at the first question, which most visitors of a
    sample never ask.

    >>> read_packaged("declaration.csv")
    Table(“declaration.csv”, 5 columns)
    """
    content = resources.files("dpviz.data").joinpath(file).read_bytes
    if file not in _PACKAGED:
        table = _read(content(), file, HowRead())
        _PACKAGED[file] = table.digest, table.columns, table.types, table.file
        return table
    digest, columns, types, how = _PACKAGED[file]

    def load() -> Any:
        text, _ = text_of(content(), None)
        return engine.load_csv(text, find_layout(text), types)[0]

    return Table(
        name=file, digest=digest, columns=columns, types=types, engine=Waiting(load), file=how
    )


def _read(data: bytes, name: str, how: HowRead) -> Table:
    packed = data[:2] == GZIP
    text, found = text_of(unpacked(data) if packed else data, how.encoding)
    layout = find_layout(text, how.header)
    header = how.header if layout.chosen else None
    file = FileFormat(
        encoding=found,
        chosen=how.encoding is not None,
        packed=packed,
        header=header,
        unnamed=layout.unnamed,
    )
    digest = digest_of(data, how.encoding, *row_marks(header))
    return table_of(text, layout, name, digest, file)


def table_of(text: bytes, layout: Layout, name: str, digest: str, file: FileFormat) -> Table:
    r"""A table from the text of a file, once its layout is known.

    Args:
        text: UTF-8, lines ended by line feeds, none at the end.
        layout: of this text.
        name: what to call the table.
        digest: of the file and of what was chosen for it, see `digest_of`.
        file: how the file became this text.

    Raises:
        DataError: if there are too many rows, or one cannot be read.

    >>> text = b"id\n7"
    >>> table_of(text, find_layout(text), "people.csv", digest_of(text), FileFormat())
    Table(“people.csv”, 1 columns)
    """
    if len(text) > MAX_BYTES:  # once unpacked; any smaller file has fewer rows
        check_rows(text.count(b"\n"), MAX_ROWS)
    connection, found, emptied = engine.load_csv(text, layout, keep_empty=bool(file.kind))
    return Table(
        name=name,
        digest=digest_of(digest.encode(), "without empty rows") if emptied else digest,
        columns=columns_of(layout.names, found),
        types=found,
        engine=Embedded(connection),
        file=replace(file, emptied=emptied),
    )


def check_rows(rows: int, most: int) -> None:
    """Refuse a table of more rows than are counted exactly.

    Raises:
        DataError: with the limit, and without the number of rows.

    >>> check_rows(7, MAX_ROWS)
    """
    if rows > most:
        raise DataError(
            f"the file has more than {most:,} rows; split it, or keep only the rows you need"
        )


def digest_of(data: bytes, *chosen: str | None) -> str:
    """SHA-256 of a file; another one if it is read in another way, since that is another table.

    >>> digest_of(b"id", None) == digest_of(b"id") != digest_of(b"id", "Latin-1")
    True
    """
    plain = hashlib.sha256(data)
    if any(choice is not None for choice in chosen):
        plain = hashlib.sha256(repr((plain.hexdigest(), chosen)).encode())
    return plain.hexdigest()


def row_marks(header: int | None) -> tuple[str, ...]:
    """What `digest_of` takes of a row of names that was chosen; nothing where none was.

    >>> row_marks(3), row_marks(None)
    (('header 3',), ())
    """
    return () if header is None else (f"header {header}",)


def columns_of(names: Iterable[str], types: Iterable[str]) -> tuple[Column, ...]:
    """Columns by their names and Ibis types.

    >>> columns_of(["id"], ["int64"])
    (Column(name='id', kind='whole number'),)
    """
    return tuple(Column(n, _KINDS[t]) for n, t in zip(names, types, strict=True))


def content_of(source: Any) -> bytes:
    """All bytes of the source, or a refusal as soon as there are too many.

    Raises:
        DataError: if it cannot be read, holds no bytes, or is larger than `MAX_BYTES`.

    >>> content_of(b"id")
    b'id'
    """
    if isinstance(source, str | os.PathLike):
        try:
            with open(source, "rb") as file:
                data = up_to(file, MAX_BYTES + 1)
        except (OSError, ValueError):  # ValueError: a zero byte in the path
            data = None
        if data is None:
            raise DataError("the file cannot be opened; check its path and that you may read it")
    elif hasattr(source, "read"):
        if source.seekable():
            source.seek(0)
        data = source.read(MAX_BYTES + 1)
    else:
        data = source
    if not isinstance(data, bytes | bytearray | memoryview):
        raise DataError("the source must be bytes, a path, or a file opened in binary mode")
    if len(data) > MAX_BYTES:
        raise DataError(
            "the file is larger than 100 MB; keep only the columns that you need, "
            "or save it as Parquet, which is smaller than CSV"
        )
    return bytes(data)


def unpacked(content: bytes) -> bytes:
    """What gzip packed, or a refusal as soon as it is too much.

    Raises:
        DataError: if it is damaged, or unpacks to more than `MAX_UNPACKED`.

    >>> unpacked(gzip.compress(b"id"))
    b'id'
    """
    try:
        with gzip.open(io.BytesIO(content)) as file:
            data = up_to(file, MAX_UNPACKED + 1)
    except (OSError, EOFError, zlib.error):
        data = None
    if data is None:
        raise DataError("the gzip file is damaged or cut off; copy or pack it again")
    if len(data) > MAX_UNPACKED:
        raise DataError(
            f"the file unpacks to more than {MAX_UNPACKED >> 20} MB; keep only the columns and "
            "rows that you need"
        )
    return data


def first_unpacked(content: bytes) -> bytes:
    """The first bytes of what gzip packed; none if it is damaged there.

    >>> first_unpacked(gzip.compress(b"id"))
    b'id'
    """
    try:
        with gzip.open(io.BytesIO(content)) as file:
            return up_to(file, _FIRST)
    except (OSError, EOFError, zlib.error):
        return b""


def name_of(source: Any) -> str:
    """The file's own name, or a plain word.

    >>> name_of("data/people.csv"), name_of(b"id")
    ('people.csv', 'table')
    """
    path = source if isinstance(source, str | os.PathLike) else getattr(source, "name", None)
    return Path(path).name if isinstance(path, str | os.PathLike) else "table"
