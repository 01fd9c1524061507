"""What one look at the bytes of a CSV proves, so that the engine may take the fast way.

A file without quotation marks and blank lines has one record in each line: it may be read in
blocks, several at once, and the number of records is known beforehand. Where besides no value
begins or ends with white space, nothing needs to be trimmed. What is not proved is read the slow
way, which takes any file and gives the same rows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz import checks

_AT_ONCE = 1 << 18  # bytes: small enough for the processor's cache
_END = 10  # line feed
_LAST_ASCII = 127
_BLANKS = 32  # the ASCII characters up to here: all white space, and some that are not
_LEADS = (0xC2, 0xE1, 0xE2, 0xE3)  # UTF-8 of all other white space begins with one of these
_NEXT_TO_LAST = (0xC2, 0x9A, 0x80, 0x81)  # and has one of these before its last byte

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Plain:
    """What is proved of the records of a CSV file."""

    records: int | None = None  # one in each line; None if a record may have several, or none
    trimmed: bool = False  # no value has white space at its ends, and the empty ones no quotes

    def __post_init__(self) -> None:
        if self.records is not None:
            checks.whole(1, records=self.records)


def look(text: bytes, start: int, delimiter: str) -> Plain:
    r"""See how many records there are, and whether white space touches the ends of values.

    Args:
        text: the whole file, UTF-8, lines ended by line feeds, none at the end.
        start: byte at which the first record begins, at least 2: there is a header.
        delimiter: one ASCII character.

    >>> look(b"a,b\n1,x y\n2,z", 4, ",")
    Plain(records=2, trimmed=True)
    >>> look(b"a,b\n1, x\n2,z", 4, ",")
    Plain(records=2, trimmed=False)
    >>> look(b'a,b\n1,"x"', 4, ",")
    Plain(records=None, trimmed=False)
    """
    if text.find(b'"', start) >= 0:
        return Plain()
    records, trimmed, ascii_only = 0, True, text.isascii()
    for at in range(start, len(text), _AT_ONCE):
        piece = text[at - 2 : at + _AT_ONCE]  # two bytes twice: what is looked for has three
        if at + _AT_ONCE >= len(text):
            piece += b"\n"
        values = np.frombuffer(piece, np.uint8)
        ends = values == _END
        if (ends[2:] & ends[1:-1]).any():
            return Plain()
        records += int(np.count_nonzero(ends[2:]))
        edges = ends | (values == ord(delimiter))
        trimmed = trimmed and not _white_at_edges(values, edges, ascii_only)
    return Plain(records, trimmed)


def _white_at_edges(values: Bytes, edges: NDArray[np.bool_], ascii_only: bool) -> bool:
    """Does what may be white space follow or precede a line's end or a delimiter?"""
    blank = (values <= _BLANKS) & ~edges
    begins, ends = blank[2:], blank[1:-1]
    if not ascii_only:
        begins = begins | np.isin(values[2:], _LEADS)
        ends = ends | (values[1:-1] > _LAST_ASCII) & np.isin(values[:-2], _NEXT_TO_LAST)
    return bool((edges[1:-1] & begins).any() or (edges[2:] & ends).any())
