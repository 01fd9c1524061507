"""The process that reads a spreadsheet, and nothing else: its memory and its time are limited.

A workbook of a few kilobytes may ask for hundreds of gigabytes, by one cell in its last corner; the
reader (calamine) then ends its process, which must not be the one that serves everybody. It
runs no macro and computes no formula: it takes the values that were saved.

From the standard input: a line of JSON with what is asked, then the workbook. To the standard
output: a line of JSON with what was found, then the rows as CSV, UTF-8, without a line end at the
end. Run as a file, so it imports nothing of this package.

Limits: memory is limited on Linux; on Windows and macOS only the time is.
"""

import contextlib
import csv
import datetime
import io
import itertools
import json
import sys
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

import python_calamine

_CLOSED = 15  # digits: whole numbers up to here are exact in a spreadsheet
_AT_ONCE = 10_000  # rows that are written together


def text_of(value: object) -> str:
    r"""The text of a cell, as a CSV file would have it; it depends on no other cell.

    >>> [text_of(v) for v in (25.0, 2.5, 1e20, True, "a\r\nb", datetime.date(2025, 1, 31))]
    ['25', '2.5', '1e+20', 'true', 'a\nb', '2025-01-31']
    >>> text_of(datetime.datetime(2025, 1, 31)), text_of(datetime.datetime(2025, 1, 31, 13, 5))
    ('2025-01-31', '2025-01-31 13:05:00')
    >>> text_of(datetime.timedelta(hours=26, minutes=30))
    '26:30:00'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 10**_CLOSED else repr(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(value, datetime.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def answer(asked: dict[str, Any], workbook: bytes) -> Iterator[bytes]:
    """The pieces of the answer; a fault is the whole answer, by a word that has no value in it.

    Args:
        asked: `sheet`, a name or None for the first one, and `unpacked`, the most bytes.
        workbook: the bytes of the file.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(workbook)) as parts:
            unpacked = sum(part.file_size for part in parts.infolist())
        if unpacked > asked["unpacked"]:
            yield _line(fault="large")
            return
        book = python_calamine.load_workbook(io.BytesIO(workbook))
    except (zipfile.BadZipFile, python_calamine.CalamineError, ValueError, OSError):
        yield _line(fault="damaged")
        return
    yield from _sheet(book, asked["sheet"])


def _sheet(book: Any, wanted: str | None) -> Iterator[bytes]:
    table = python_calamine.SheetTypeEnum.WorkSheet
    shown = python_calamine.SheetVisibleEnum.Visible
    found = [sheet for sheet in book.sheets_metadata if sheet.typ == table]
    names = [sheet.name for sheet in sorted(found, key=lambda sheet: sheet.visible != shown)]
    if wanted not in (None, *names) or not names:
        yield _line(fault="absent" if names else "none", sheets=names)
        return
    name = names[0] if wanted is None else wanted
    try:
        rows = map(_texts, book.get_sheet_by_name(name).iter_rows())
    except python_calamine.CalamineError:
        yield _line(fault="damaged")
        return
    filled = (row for row in rows if any(row))
    header = next(filled, None)
    yield _line(fault=None if header else "empty", sheet=name, sheets=names, header=header)
    while some := list(itertools.islice(filled, _AT_ONCE)):
        piece = io.StringIO()
        csv.writer(piece, lineterminator="\n").writerows(some)
        yield b"\n" + piece.getvalue()[:-1].encode()


def _texts(row: Iterable[object]) -> list[str]:
    return [text_of(value).strip() for value in row]


def _line(**found: object) -> bytes:
    return json.dumps(found).encode()


def _limit(memory: int, seconds: int) -> None:
    """No more than this for the process, and no image of its memory on the disk when it ends."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(OSError, ValueError):  # a system without, or with a lower one
            resource.setrlimit(what, (most, most))


def main(given: IO[bytes], taken: IO[bytes]) -> None:
    """Answer one question; no more bytes than were asked for."""
    asked = json.loads(given.readline())
    _limit(asked["memory"], asked["seconds"])
    left = asked["most"]
    for piece in answer(asked, given.read()):
        left -= len(piece)
        if left < 0:
            sys.exit("too much text")
        taken.write(piece)


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
