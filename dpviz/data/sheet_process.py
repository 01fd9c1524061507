"""Read a sheet of a workbook, in a process of its own: see `dpviz.data.limited_process`.

The library (calamine) runs no macro and computes no formula: it takes the values that were saved. A
merged cell has its value in each row and column that it covers, as one sees it.
"""

import csv
import datetime
import io
import itertools
import json
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

import python_calamine

_CLOSED = 15  # digits: whole numbers up to here are exact in a spreadsheet
_AT_ONCE = 10_000  # rows that are written together
_OTHERS = {  # zip archives that are no workbooks, by a file in them
    "word/document.xml": "a Word document (.docx)",
    "ppt/presentation.xml": "a PowerPoint presentation (.pptx)",
    "Index/Document.iwa": "a document of Numbers, Pages or Keynote",
    "META-INF/MANIFEST.MF": "a Java archive",
    "content.xml": "an OpenDocument file without sheets",
    "metadata.json": "a project of a statistics program, such as jamovi (.omv)",
}

Range = tuple[tuple[int, int], tuple[int, int]]  # first and last cell, each by row and column


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
        asked: `sheet`, a name or None for the first one; `header`, the row with the names, from 1,
            or None for the first with values; and `unpacked`, the most bytes.
        workbook: the bytes of the file.
    """
    parts: set[str] = set()
    try:
        with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
            parts.update(archive.namelist())
        if unpacked > asked["unpacked"]:
            yield _line(fault="large")
            return
        book = python_calamine.load_workbook(io.BytesIO(workbook))
    except (zipfile.BadZipFile, python_calamine.CalamineError, ValueError, OSError):
        other = next((what for part, what in _OTHERS.items() if part in parts), None)
        archive_of_others = bool(parts) and not any(part.startswith("xl/") for part in parts)
        what = other or ("a zip archive" if archive_of_others else None)
        yield _line(fault="other" if what else "damaged", what=what)
        return
    yield from _sheet(book, asked["sheet"], asked["header"])


def _sheet(book: Any, wanted: str | None, header: int | None) -> Iterator[bytes]:
    table = python_calamine.SheetTypeEnum.WorkSheet
    shown = python_calamine.SheetVisibleEnum.Visible
    found = [sheet for sheet in book.sheets_metadata if sheet.typ == table]
    names = [sheet.name for sheet in sorted(found, key=lambda sheet: sheet.visible != shown)]
    if wanted not in (None, *names) or not names:
        yield _line(fault="absent" if names else "none", sheets=names)
        return
    name = names[0] if wanted is None else wanted
    try:
        sheet = book.get_sheet_by_name(name)
        cells = Cells(sheet.iter_rows(), sheet.merged_cell_ranges or (), (sheet.start or (0, 0))[1])
    except python_calamine.CalamineError:
        yield _line(fault="damaged")
        return
    yield from _below(cells, header, sheet=name, sheets=names)


def _below(cells: "Cells", wanted: int | None, **said: object) -> Iterator[bytes]:
    """What was found, then the rows below the one with the names."""
    rows = iter(cells)
    number, names = next(rows, (0, []))
    usual = number
    while number < (wanted or 0) and names:
        number, names = next(rows, (0, []))
    fault = None
    if not names or wanted not in (None, number):
        fault = "unnamed" if usual else "empty"
    else:
        names = cells.named(number, names)
    merged = cells.reach(number)
    yield _line(fault=fault, header=number, usual=usual, names=names, merged=merged, **said)
    texts = (row for _, row in rows)
    while some := list(itertools.islice(texts, _AT_ONCE)):
        piece = io.StringIO()
        csv.writer(piece, lineterminator="\n").writerows(some)
        yield b"\n" + piece.getvalue()[:-1].encode()


class Cells:
    """The rows of a sheet that have values, with their numbers, and merged cells filled."""

    def __init__(
        self, rows: Iterable[Iterable[object]], merged: Iterable[Range], first: int
    ) -> None:
        """Args: rows from the sheet's first; merged ranges; the column that the rows begin with."""
        self._rows = rows
        self._merged = sorted(
            (top + 1, bottom + 1, max(left - first, 0), right - first)
            for (top, left), (bottom, right) in merged
            if right >= first
        )

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        waiting = self._merged[::-1]
        open_ones: list[tuple[int, int, int, str]] = []  # last row, columns and the value
        for number, row in enumerate(self._rows, start=1):
            texts = [text_of(value).strip() for value in row]
            there = any(texts)
            while waiting and waiting[-1][0] <= number:
                _, bottom, left, right = waiting.pop()
                value = texts[left] if left < len(texts) else ""
                open_ones.append((bottom, left, right, value))
            open_ones = [one for one in open_ones if one[0] >= number]
            if there:
                for _, left, right, value in open_ones:
                    for column in range(left, min(right + 1, len(texts))):
                        texts[column] = value
                yield number, texts

    def reach(self, number: int) -> bool:
        """Whether a merged cell is in this row or below it."""
        return any(bottom >= number for _, bottom, _, _ in self._merged)

    def named(self, number: int, names: list[str]) -> list[str]:
        """Names of columns, each its own where one cell names several of them."""
        found = list(names)
        for top, bottom, left, right in self._merged:
            if top <= number <= bottom:
                for column in range(left + 1, min(right + 1, len(found))):
                    found[column] = found[column] and f"{found[column]} ({column - left + 1})"
        return found


def _line(**found: object) -> bytes:
    return json.dumps(found).encode()
