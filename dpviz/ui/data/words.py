"""Sentences of the page Data about the file."""

from collections.abc import Sequence

from dpviz.data import FileFormat
from dpviz.data.text import MIXED, WINDOWS
from dpviz.words import join, shorten
from dpviz.words.markdown import literal

_NAMED = 6  # columns; more are counted


def how_it_was_read(file: FileFormat) -> str:
    """Encoding, sheet, row of names, what was filled or left out, for everybody to check.

    >>> how_it_was_read(FileFormat(encoding="UTF-16", packed=True, unnamed=(3, 7), header=2))
    'Unpacked by gzip. Read as UTF-16 text. The names stand in row 2. Columns 3 and 7 had no name \
and were given one.'
    """
    parts = (_packed, _source, _header, _merged, _unnamed, _left_out, _missing, _labels)
    return " ".join(said for part in parts if (said := part(file)))


def _header(file: FileFormat) -> str:
    return "" if file.header is None else f"The names stand in row {file.header:,}."


def _merged(file: FileFormat) -> str:
    return "A merged cell has its value in all rows and columns that it covers." * file.merged


def _left_out(file: FileFormat) -> str:
    return f"Left out: {_columns(file.left_out)}." if file.left_out else ""


def _missing(file: FileFormat) -> str:
    """What stands for nothing by the file's codebook."""
    if not file.missing:
        return ""
    return f"Values that the file declares as missing are missing: in {_columns(file.missing)}."


def _labels(file: FileFormat) -> str:
    """Columns of which the codebook names values."""
    columns = [column for column, _ in file.labels]
    return f"Its codebook names the values of {_columns(columns)}." if columns else ""


def _columns(names: Sequence[str]) -> str:
    shown = [f"“{literal(shorten(name, 24))}”" for name in names[:_NAMED]]
    more = [f"{len(names) - _NAMED:,} more"] if len(names) > _NAMED else []
    return join([*shown, *more])


def _packed(file: FileFormat) -> str:
    return "Unpacked by gzip." if file.packed else ""


def _source(file: FileFormat) -> str:
    if file.kind:
        said = f", its text as {file.encoding}" if file.encoding else ""
        return f"Read as {file.kind}{said}."
    if file.sheet is not None:
        among = f", one of {len(file.sheets)}" if len(file.sheets) > 1 else ""
        return f"Read from the sheet “{literal(shorten(file.sheet, 40))}”{among}."
    if file.encoding is None:
        return ""
    if file.chosen:
        return f"Read as {file.encoding} text, as you chose."
    if file.encoding == WINDOWS:
        return f"Read as {WINDOWS} text, because it is not UTF-8."
    if file.encoding == MIXED:
        return f"Read as UTF-8 text, and as {WINDOWS} where a byte is not UTF-8."
    return f"Read as {file.encoding} text."


def _unnamed(file: FileFormat) -> str:
    positions = [f"{position:,}" for position in file.unnamed]
    if not positions:
        return ""
    if len(positions) > _NAMED:
        return f"{len(positions):,} columns had no name and were given one."
    if len(positions) == 1:
        return f"Column {positions[0]} had no name and was given one."
    return f"Columns {join(positions)} had no name and were given one."
