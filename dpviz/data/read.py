"""Read a CSV file that somebody brings: refuse what is no CSV with one sentence, hold the rest.

Accepts UTF-8 with or without byte-order mark, any line ends, delimiters comma, semicolon and tab,
values in quotation marks (RFC 4180), a header line with names. The bytes reach the engine by a
private file, see `dpviz.data.private_file`.
"""

import hashlib
import os
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import IO, Any, TypeAlias

from dpviz.data import engine
from dpviz.data.layout import find_layout
from dpviz.data.table import Column, Kind, Table
from dpviz.errors import DataError

MAX_BYTES = 100 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_BINARY = (  # how files begin that are not text
    (b"PK", "an Excel workbook (.xlsx) or zip archive"),
    (b"\xd0\xcf\x11\xe0", "an Excel workbook (.xls)"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"%PDF", "a PDF document"),
    (b"SQLite format 3", "an SQLite database"),
    (b"<stata_dta", "a Stata file"),
    (b"$FL", "an SPSS file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)
_TEXT = (  # how texts begin that are not tables
    (b"<!doctype", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "an XML file"),
    (b'{"', "a JSON file"),
    (b"[{", "a JSON file"),
)
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
_PACKAGED: dict[str, tuple[str, ...]] = {}  # types of this package's own files, never of others
_INSTEAD = "export the table as CSV (UTF-8) and use that file"


Source: TypeAlias = bytes | bytearray | memoryview | str | os.PathLike[str] | IO[bytes]


def read_csv(source: Source, *, name: str | None = None) -> Table:
    r"""Read a CSV file into a table with an engine of its own.

    Values lose white space at both ends, and empty ones are missing. The engine finds the types
    over all rows; codes with leading zeros stay text.

    Args:
        source: the bytes, a path, or a file opened in binary mode (read from its beginning).
        name: what to call the table; by default the name of the file.

    Raises:
        DataError: if the bytes are no usable CSV: one sentence, with line or column number where
            there is one, without any value of the file.

    >>> table = read_csv(b"id,region\n1,north\n2,south\n", name="people.csv")
    >>> table
    Table(“people.csv”, 2 columns)
    >>> table.columns[0]
    Column(name='id', kind='whole number')
    """
    return _read(content_of(source), name_of(source) if name is None else name)


def read_packaged(file: str) -> Table:
    """Read a CSV file of this package, public and always the same: its types are found once.

    >>> read_packaged("declaration.csv")
    Table(“declaration.csv”, 5 columns)
    """
    content = resources.files("dpviz.data").joinpath(file).read_bytes()
    table = _read(content, file, _PACKAGED.get(file))
    _PACKAGED[file] = table.types
    return table


def _read(data: bytes, name: str, types: tuple[str, ...] | None = None) -> Table:
    text = _text(data)
    layout = find_layout(text)
    connection, found = engine.load_csv(text, layout, types)
    return Table(
        name=name,
        digest=hashlib.sha256(data).hexdigest(),
        columns=columns_of(layout.names, found),
        types=found,
        connection=connection,
    )


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
                data = file.read(MAX_BYTES + 1)
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


def _text(data: bytes) -> bytes:
    """UTF-8 without byte-order mark, lines ended by line feeds, no blank lines at the end."""
    unmarked = data.removeprefix(_BOM)
    one_end = b"\r" not in unmarked  # asked first: to replace what is not there takes long
    lines = unmarked if one_end else unmarked.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    text = lines.rstrip(b"\n ")
    if not text.strip():
        raise DataError("the file is empty; use a CSV file with a header and one line per row")
    line = _line_not_utf8(text)
    if line is not None or b"\0" in text:
        what = _beginning(unmarked, _BINARY)
        if what is not None:
            raise DataError(f"the file is {what}, not CSV; {_INSTEAD}")
    if b"\0" in text:
        raise DataError(f"the file has zero bytes in it, so it is not CSV; {_INSTEAD}")
    if line is not None:
        raise DataError(f"line {line} is not UTF-8 text; save the file as UTF-8 and try again")
    what = _beginning(text.lstrip()[:20].lower(), _TEXT)
    if what is not None:
        raise DataError(f"the file is {what}, not CSV; {_INSTEAD}")
    return text


def _line_not_utf8(text: bytes) -> int | None:
    """The first line that is not UTF-8, from 1; the decoder's error, which holds it, is dropped."""
    if text.isascii():  # without a copy
        return None
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return text.count(b"\n", 0, error.start) + 1
    return None


def _beginning(data: bytes, beginnings: tuple[tuple[bytes, str], ...]) -> str | None:
    return next((what for start, what in beginnings if data.startswith(start)), None)


def name_of(source: Any) -> str:
    """The file's own name, or a plain word.

    >>> name_of("data/people.csv"), name_of(b"id")
    ('people.csv', 'table')
    """
    path = source if isinstance(source, str | os.PathLike) else getattr(source, "name", None)
    return Path(path).name if isinstance(path, str | os.PathLike) else "table"
