"""Sentences of the page Data about the file."""

from dpviz.data import FileFormat
from dpviz.data.text import MIXED, WINDOWS
from dpviz.words import join, shorten
from dpviz.words.markdown import literal

_NAMED = 6  # columns; more are counted


def how_it_was_read(file: FileFormat) -> str:
    """Encoding, sheet and columns without a name, for everybody to check.

    >>> how_it_was_read(FileFormat(encoding="UTF-16", packed=True, unnamed=(3, 7)))
    'Unpacked by gzip. Read as UTF-16 text. Columns 3 and 7 had no name and were given one.'
    """
    return " ".join(s for s in (_packed(file), _source(file), _unnamed(file)) if s)


def _packed(file: FileFormat) -> str:
    return "Unpacked by gzip." if file.packed else ""


def _source(file: FileFormat) -> str:
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
