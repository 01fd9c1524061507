"""Read a zip that anybody may have made: plain names, bounded sizes, nothing hidden between files.

How far: it promises that reading is safe and says what is in there; whether that belongs there is
decided in `dpviz.release.verify_pack`.
"""

import csv
import io
import json
import struct
import zipfile
import zlib
from typing import Any

from dpviz.errors import DataError

_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,  # encrypted
    ValueError,
)
_LOCAL, _CENTRAL, _END = 30, 46, 22  # bytes of the three kinds of zip record, without their names
NO_ZIP = "it is not a zip that can be read; choose the zip that was downloaded here"


def read_pack(content: bytes, *, most_files: int, most_bytes: int) -> dict[str, bytes]:
    """All files of a zip, by path.

    Args:
        content: the zip.
        most_files: more files than that are refused before any is read.
        most_bytes: the same for the size of all files together, unpacked.

    Raises:
        DataError: if it is no zip, holds more than that, names a file in an unsafe way or twice,
            or has bytes that belong to no file.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = archive.infolist()
            if len(infos) > most_files or sum(info.file_size for info in infos) > most_bytes:
                raise DataError("it holds far more than these releases have")
            _check_names([info.orig_filename for info in infos])
            if archive.comment or _described(infos) != len(content):
                raise DataError("it has bytes that belong to no file, so it was changed")
            return {info.filename: _read(archive, info) for info in infos}
    except DataError:
        raise
    except _BROKEN:
        raise DataError(NO_ZIP) from None


def read_json(content: bytes) -> Any:
    """Plain JSON: no name twice in one object, no NaN.

    Raises:
        DataError: if it is anything else.

    >>> read_json(b'{"a": [1, 2.5, null]}')
    {'a': [1, 2.5, None]}
    """
    try:
        return json.loads(
            content.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant
        )
    except (ValueError, RecursionError):
        raise DataError("it is not plain JSON") from None


def read_csv_rows(content: bytes) -> list[list[str]]:
    """All rows of a CSV in UTF-8.

    Raises:
        DataError: if it cannot be read as one.
    """
    try:
        return list(csv.reader(io.StringIO(read_text(content), newline=""), strict=True))
    except csv.Error:
        raise DataError("it is not a CSV that can be read") from None


def read_text(content: bytes) -> str:
    """Text in UTF-8, with or without a byte order mark.

    Raises:
        DataError: if it is anything else.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("it is not text in UTF-8") from None


def _check_names(names: list[str]) -> None:
    for name in names:
        parts = name.removesuffix("/").split("/")
        if any(part in ("", ".", "..") for part in parts) or set(name) & set("\\:\0"):
            raise DataError("a name in it is no plain path, so unpacking it is not safe")
    if len(set(names)) < len(names):
        raise DataError("a name stands in it twice, so it was changed")


def _described(infos: list[zipfile.ZipInfo]) -> int:
    """Length of a zip that has these files and nothing between, before or after them."""
    total = _END
    for info in infos:
        name = len(info.orig_filename.encode("utf-8"))
        total += _LOCAL + _CENTRAL + 2 * name + info.compress_size
    return total


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """One file; the size that the zip states is the most that is unpacked."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DataError(NO_ZIP)
    with archive.open(info) as file:
        return file.read(info.file_size)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name stands there twice")
    return dict(pairs)


def _no_constant(_: str) -> None:
    raise ValueError("NaN and Infinity are no JSON")
