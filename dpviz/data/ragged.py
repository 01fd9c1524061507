"""Find the first CSV record of the wrong length, fast: in a file of 100 MB within seconds.

The engine and the reader of Python need a minute for the same. The bytes are looked at all at once,
in blocks that end where a record ends. Only quotation marks around a whole value are understood;
where another one stands, nothing is said and the engine decides.
"""

import csv

import numpy as np
from numpy.typing import NDArray

from dpviz.data.layout import Layout, wrong_length
from dpviz.errors import DataError

Places = NDArray[np.int64]
_BLOCK = 1 << 22  # bytes looked at together
_MANY = 1000  # records with too many values that are read one by one, each to see if they are empty
_QUOTE, _FEED = ord('"'), ord("\n")


def check_lengths(text: bytes, layout: Layout) -> None:
    r"""Refuse a record with fewer values than the header names, or with more that are not empty.

    Args:
        text: the whole file, UTF-8, lines ended by line feeds.
        layout: of this file.

    Raises:
        DataError: names the line of the first such record and no value.

    >>> check_lengths(b"id,age\n1,25\n2,30\n", Layout(",", ("id", "age"), start=7, line=1))
    >>> check_lengths(b"id,age\n1,25\n2\n", Layout(",", ("id", "age"), start=7, line=1))
    Traceback (most recent call last):
    dpviz.errors.DataError: line 3 has 1 value but the header names 2 columns; give each line ...
    """
    width, start, line = len(layout.names), layout.start, layout.line + 1
    left = _MANY
    while start < len(text):
        block = text[start : start + _BLOCK]
        if start + len(block) == len(text):
            block += b"\n"  # the last record may have none
        stops = _stops(block, layout.delimiter)
        if stops is None:
            return
        begins, ends, values, doubtful = _lengths(block, stops, width)
        for i in np.flatnonzero(doubtful).tolist():
            record = block[begins[i] : ends[i]]
            if values[i] < width or _is_longer(record, layout):
                before = block.count(b"\n", 0, begins[i])
                raise DataError(wrong_length(line + before, int(values[i]), width))
            left -= 1
            if left == 0:
                return
        line += block.count(b"\n", 0, ends[-1] + 1)
        start += int(ends[-1]) + 1


def _stops(block: bytes, delimiter: str) -> Places | None:
    """Where values end: delimiters and line feeds outside of quotation marks.

    None if no record ends in the block, or if a mark stands elsewhere than around a whole value.
    """
    byte = np.frombuffer(block, dtype=np.uint8)
    stops, quote = (byte == ord(delimiter)) | (byte == _FEED), byte == _QUOTE
    if quote.any():
        beside = np.append(stops | quote, True)  # before the first byte and after the last one, too
        quotes = np.flatnonzero(quote)
        opening, closing = quotes[::2], quotes[1::2]  # a doubled one closes and opens again
        if not (beside[opening - 1].all() and beside[closing + 1].all()):
            return None
        stops &= np.bitwise_xor.accumulate(quote) == 0
    places = np.flatnonzero(stops)
    return places if (byte[places] == _FEED).any() else None


def _lengths(
    block: bytes, stops: Places, width: int
) -> tuple[Places, Places, Places, NDArray[np.bool_]]:
    """Each record's first byte, end and number of values, and whether this number is in doubt."""
    last = np.flatnonzero(np.frombuffer(block, dtype=np.uint8)[stops] == _FEED)
    values = np.diff(last, prepend=-1)
    ends = stops[last]
    begins = np.append(0, ends[:-1] + 1)
    # what follows the value that the last column has; delimiters alone say that it is empty
    rest = ends - stops[np.minimum(last - values + width, last)]
    doubtful = (ends > begins) & ((values < width) | (rest > np.maximum(values - width, 0)))
    return begins, ends, values, doubtful


def _is_longer(record: bytes, layout: Layout) -> bool:
    """Whether a value stands beyond the last column; what cannot be read is left to the engine."""
    lines = record.decode().splitlines(keepends=True)
    try:
        found = next(
            csv.reader(lines, delimiter=layout.delimiter, skipinitialspace=True, strict=True), []
        )
    except csv.Error:
        return False
    return any(found[len(layout.names) :])
