"""Sentences of the page Data about the file."""

from dpviz.data import Reading
from dpviz.data.text import MIXED, WINDOWS
from dpviz.words import join, shorten
from dpviz.words.markdown import literal

_NAMED = 6  # columns; more are counted


def how_it_was_read(reading: Reading) -> str:
    """Encoding, sheet and columns without a name, for everybody to check.

    >>> how_it_was_read(Reading(encoding="UTF-16", packed=True, unnamed=(3, 7)))
    'Unpacked by gzip. Read as UTF-16 text. Columns 3 and 7 had no name and were given one.'
    """
    return " ".join(s for s in (_packed(reading), _source(reading), _unnamed(reading)) if s)


def _packed(reading: Reading) -> str:
    return "Unpacked by gzip." if reading.packed else ""


def _source(reading: Reading) -> str:
    if reading.sheet is not None:
        among = f", one of {len(reading.sheets)}" if len(reading.sheets) > 1 else ""
        return f"Read from the sheet “{literal(shorten(reading.sheet, 40))}”{among}."
    if reading.encoding is None:
        return ""
    if reading.chosen:
        return f"Read as {reading.encoding} text, as you chose."
    if reading.encoding == WINDOWS:
        return f"Read as {WINDOWS} text, because it is not UTF-8."
    if reading.encoding == MIXED:
        return f"Read as UTF-8 text, and as {WINDOWS} where a byte is not UTF-8."
    return f"Read as {reading.encoding} text."


def _unnamed(reading: Reading) -> str:
    positions = [f"{position:,}" for position in reading.unnamed]
    if not positions:
        return ""
    if len(positions) > _NAMED:
        return f"{len(positions):,} columns had no name and were given one."
    if len(positions) == 1:
        return f"Column {positions[0]} had no name and was given one."
    return f"Columns {join(positions)} had no name and were given one."
