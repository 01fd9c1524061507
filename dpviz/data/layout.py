"""The outline of a CSV file (delimiter, column names, first record) and what is wrong with it.

Follows RFC 4180 with four delimiters. The engine reads the records; this module reads the header,
and a second time the records only when the engine refused them, to name the line. It gives line
numbers and counts, never a value of the file: a file without a header has people in its first line.
"""

import csv
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from dpviz import checks
from dpviz.data.file_format import name_columns
from dpviz.errors import DataError

DELIMITERS = ",;\t|"
MAX_COLUMNS = 1000
NO_ROWS = "the file has a header but no rows below it; add one line for each row of the table"
_LOOK_AHEAD = 50  # lines by which the delimiter is judged
_SAID = re.compile(rb'"?sep=([,;\t|])"?[ ,;\t|]*\n', re.IGNORECASE)  # Excel says its delimiter so
_SOLID = re.compile(rb"\S")
_READ_AGAIN = 1_000_000  # records in which a fault is looked for: a second or two


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the records of a CSV file begin, and how to read them."""

    delimiter: str
    names: tuple[str, ...]
    start: int  # byte at which the first record after the header begins
    line: int  # lines before that byte
    unnamed: tuple[int, ...] = ()  # positions, from 1, of columns whose name is not the file's
    chosen: bool = False  # whether the names stand elsewhere than in the first line with values

    def __post_init__(self) -> None:
        checks.whole(0, start=self.start, line=self.line)
        for position in self.unnamed:
            checks.whole(1, unnamed=position)


class Lines:
    """The lines of UTF-8 text, one at a time, with the number of bytes handed out so far."""

    def __init__(self, text: bytes, offset: int = 0) -> None:
        self._text = text
        self.offset = offset

    def __iter__(self) -> Iterator[str]:
        while self.offset < len(self._text):
            start = self.offset
            self.skip()
            yield self._text[start : self.offset].decode()

    def skip(self) -> None:
        """Leave out the next line."""
        self.offset = self._text.find(b"\n", self.offset) + 1 or len(self._text)


def find_layout(text: bytes, header: int | None = None) -> Layout:
    r"""Find delimiter, column names and first record.

    Args:
        text: UTF-8, lines ended by line feeds.
        header: number of the line with the names; None: the first one with values.

    Raises:
        DataError: if there is no usable header or nothing below it.

    >>> find_layout(b"id;age\n1;25\n")
    Layout(delimiter=';', names=('id', 'age'), start=7, line=1, unnamed=(), chosen=False)
    >>> find_layout(b"sep=;\nid;a, b\n1;25\n").names
    ('id', 'a, b')
    """
    lines = Lines(text)
    said = _SAID.match(text)
    if said is not None:  # Excel's own first line, which is no record
        lines.skip()
    above = _above(lines, 1 if said else 0, text, header)
    delimiter = said[1].decode() if said else _delimiter(text, lines.offset)
    reader = csv.reader(iter(lines), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        found = next((r for r in reader if len(r) > 1 or "".join(r).strip()), None)
    except csv.Error:
        found = None
    if found is None:
        raise DataError("the header cannot be read; check the quotation marks in the first line")
    names, unnamed = name_columns(found)
    check_names(names)
    if not _SOLID.search(text, lines.offset):
        raise DataError(NO_ROWS)
    chosen = above > (said is not None)
    return Layout(delimiter, names, lines.offset, reader.line_num + above, unnamed, chosen)


def find_fault(text: bytes, layout: Layout, refused: int | None) -> str:
    r"""Say in one sentence why the engine could not read the records.

    Args:
        text: the whole file, UTF-8, lines ended by line feeds.
        layout: of this file.
        refused: the record at which the engine stopped, if it said so; blank lines count.

    >>> text = b"a,b\n1,2,3\n"
    >>> find_fault(text, find_layout(text), None)
    'line 2 has 3 values but the header names 2 columns; give each line one value per column'
    """
    lines, width = Lines(text), len(layout.names)
    each_is_a_line = b'"' not in text
    before = layout.line + (refused - 1 if refused and each_is_a_line else 0)
    for _ in range(before):
        lines.skip()
    reader = csv.reader(lines, delimiter=layout.delimiter, skipinitialspace=True, strict=True)
    for _ in range(_READ_AGAIN):
        line = before + reader.line_num + 1
        try:
            record = next(reader, None)
        except csv.Error:
            return (
                f"the record that begins at line {line} cannot be read; "
                "check that each quotation mark there is closed"
            )
        if record is None:
            break
        if record and (len(record) < width or any(record[width:])):
            return wrong_length(line, len(record), width)
    if refused is not None:
        return (
            f"record {refused:,} below the header cannot be read; "
            "check its number of values, and that each quotation mark there is closed"
        )
    return "the file cannot be read as CSV; export the table again as CSV"


def _above(lines: Lines, said: int, text: bytes, header: int | None) -> int:
    """Skip to the line with the names, and count the lines above it, if any of them has values.

    Args:
        lines: behind the line in which Excel says its delimiter.
        said: whether there is such a line, as a number.
        text: the whole file.
        header: number of the line that was chosen, or None.
    """
    if header is None:
        return said
    first = lines.offset
    above = said
    while above < header - 1 and lines.offset < len(text):
        lines.skip()
        above += 1
    if not _SOLID.search(text, lines.offset):
        raise DataError(
            f"the file has no line {header:,} with names; type the number of the line in which the "
            "names of the columns stand"
        )
    if _SOLID.search(text, first, lines.offset):
        return above
    lines.offset = first  # the lines above it are empty: it is the usual one
    return said


def _delimiter(text: bytes, start: int) -> str:
    """The delimiter that cuts the first lines into equally many values; then the most values."""
    head = list(itertools.islice(Lines(text, start), _LOOK_AHEAD + 1))
    cut = len(head) > _LOOK_AHEAD  # the last record may have been cut in two

    def score(delimiter: str) -> tuple[bool, int]:
        try:
            records = [r for r in csv.reader(head, delimiter=delimiter, skipinitialspace=True) if r]
        except csv.Error:
            return False, 0
        widths = [len(record) for record in records]
        judged = widths[:-1] if cut else widths
        return set(judged) == {widths[0]} and widths[0] > 1, widths[0]

    return max(DELIMITERS, key=score)


def check_names(names: tuple[str, ...]) -> None:
    """Refuse too many columns, and names that are equal.

    Raises:
        DataError: names the columns by their position, from 1.

    >>> check_names(("id", "age", "id"))
    Traceback (most recent call last):
    dpviz.errors.DataError: columns 1 and 3 have the same name; rename one of them
    """
    if len(names) > MAX_COLUMNS:
        raise DataError(
            f"the file has {len(names):,} columns; keep the ones you need, at most {MAX_COLUMNS:,}"
        )
    first: dict[str, int] = {}
    for position, name in enumerate(names, start=1):
        if name in first:
            raise DataError(
                f"columns {first[name]} and {position} have the same name; rename one of them"
            )
        first[name] = position


def wrong_length(line: int, values: int, width: int) -> str:
    """The sentence on a record with too few or too many values.

    >>> wrong_length(3, 1, 2)
    'line 3 has 1 value but the header names 2 columns; give each line one value per column'
    """
    return (
        f"line {line} has {_many(values, 'value')} but the header names "
        f"{_many(width, 'column')}; give each line one value per column"
    )


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
