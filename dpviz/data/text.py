"""From the bytes of a text file to UTF-8: which encoding they are in, and what is no table at all.

UTF-16 is known by its first bytes. All else is UTF-8, and only a byte that is not UTF-8 is read as
Windows-1252, or as Latin-1 where Windows-1252 leaves it undefined. So what a value reads as depends
on its own bytes alone, and one odd value changes no other.

What a file is that no reader takes, by how it begins: said in the refusal.

The marks are those that the makers of the formats publish. A compressed file is asked for what is
in it, so that a workspace of R is called that and not an archive.
"""

import codecs

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import DataError

_MARKS = (  # where in the file, what is there, and what it is
    (0, b"PK", "an Excel workbook (.xlsx) or zip archive"),
    (0, b"\xd0\xcf\x11\xe0", "an Excel workbook (.xls)"),
    (0, b"PAR1", "a Parquet file"),
    (0, b"PARE", "an encrypted Parquet file"),
    (0, b"ARROW1", "an Arrow or Feather file"),
    (0, b"\xff\xff\xff\xff\x10\0\0\0", "an Arrow stream"),
    (0, b"FEA1", "a Feather file"),
    (0, b"ORC", "an ORC file"),
    (0, b"Obj\x01", "an Avro file"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"\xfd7zXZ", "an xz archive"),
    (0, b"7z\xbc\xaf", "a 7-Zip archive"),
    (0, b"Rar!", "a RAR archive"),
    (0, b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"%PDF", "a PDF document"),
    (0, b"SQLite format 3", "an SQLite database"),
    (8, b"DUCK", "a DuckDB database"),
    (4, b"Standard Jet DB", "an Access database (.mdb)"),
    (4, b"Standard ACE DB", "an Access database (.accdb)"),
    (0, b"RDX2\n", "a workspace of R (.RData)"),
    (0, b"RDX3\n", "a workspace of R (.RData)"),
    (0, b"X\n\0\0\0", "an object of R (.rds)"),
    (12, b"\xc2\xea\x81\x63\xb3\x14\x11\xcf", "a catalog of SAS (.sas7bcat)"),
    (8, b"ENCRYPTEDSAV", "an SPSS file with a password"),
    (0, b"MATLAB 5.0", "a MATLAB file (.mat)"),
    (0, b"\x89HDF\r\n", "an HDF5 file"),
    (0, b"\x93NUMPY", "an array of NumPy (.npy)"),
    (0, b"\x80\x03", "an object of Python (.pickle)"),
    (0, b"\x80\x04", "an object of Python (.pickle)"),
    (0, b"\x80\x05", "an object of Python (.pickle)"),
    (0, b"\x89PNG", "a picture"),
    (0, b"\xff\xd8\xff", "a picture"),
    (0, b"GIF8", "a picture"),
)
_TEXTS = (  # how texts begin that are no tables
    (b"<!doctype", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "an XML file"),
    (b'{"', "a JSON file"),
    (b"[{", "a JSON file of one list"),
    (b"%pdf-", "a PDF document"),
    (b"{\\rtf", "a document in rich text (.rtf)"),
    (b"@relation", "a Weka file (.arff)"),
    (b"rda2\na\n", "a workspace of R (.RData)"),  # written as ASCII
    (b"rda3\na\n", "a workspace of R (.RData)"),
)


def foreign_binary(data: bytes) -> str | None:
    r"""What a file is that is no text, or None if nobody knows.

    >>> found = map(foreign_binary, (b"ORC\x0a", b"id,age", bytes(257) + b"ustar"))
    >>> tuple(found)
    ('an ORC file', None, 'a tar archive')
    """
    return next((what for at, mark, what in _MARKS if data.startswith(mark, at)), None)


def foreign_text(data: bytes) -> str | None:
    """What a text is that is no table, or None if it may be one.

    >>> foreign_text(b" <HTML>"), foreign_text(b"id,age")
    ('a web page', None)
    """
    first = data.lstrip()[:20].lower()
    if b"SPSS PORT FILE" in data[:200]:
        return "a portable SPSS file (.por)"
    if data.startswith(b"**COMPRESSED** " * 2):
        return "an archive of SAS made by CPORT"
    return next((what for mark, what in _TEXTS if first.startswith(mark)), None)


UTF_8, UTF_16, WINDOWS, LATIN = ENCODINGS = ("UTF-8", "UTF-16", "Windows-1252", "Latin-1")
MIXED = f"{UTF_8} and {WINDOWS}"
GZIP = b"\x1f\x8b"
_MARK = b"\xef\xbb\xbf"
_MARKS_OF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TABLE = "".join(  # of Windows-1252, by byte
    bytes([i]).decode("latin-1" if i in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else "cp1252")
    for i in range(256)
)
_INSTEAD = "export the table as CSV and use that file"
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r"))  # no header has them; programs do
_HEAD = 1000  # bytes in which a text that is no table says what it is
_AT_ONCE = 1 << 18  # bytes that are looked at together
_LONGEST = 4  # bytes of a character in UTF-8

Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def text_of(data: bytes, encoding: str | None = None) -> tuple[bytes, str]:
    r"""The text of a file and the encoding that it was in.

    Args:
        data: the whole file.
        encoding: one of `ENCODINGS`, for every byte; None to find it.

    Returns:
        UTF-8 without byte-order mark, lines ended by line feeds, no blank lines at the end; and one
        of `ENCODINGS`, or `MIXED`.

    Raises:
        DataError: if it is empty, not text, or not in the encoding that was asked for.

    >>> text_of("a;b\r\n1;\u00fc\r\n".encode("cp1252"))
    (b'a;b\n1;\xc3\xbc', 'Windows-1252')
    >>> text_of("a;b\n1;\u00fc\n".encode("utf-16"))
    (b'a;b\n1;\xc3\xbc', 'UTF-16')
    """
    unmarked, found = _find(data) if encoding is None else (_decode(data, encoding), encoding)
    one_end = b"\r" not in unmarked  # asked first: to replace what is not there takes long
    lines = unmarked if one_end else unmarked.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    text = lines.rstrip(b"\n ")
    if not text.strip():
        raise DataError("the file is empty; use a CSV file with a header and one line per row")
    if b"\0" in text:
        raise DataError(_not_text(data))
    what = foreign_text(text[:_HEAD])
    if what is not None:
        raise DataError(f"the file is {what}, not CSV; {_INSTEAD}")
    return text, found


def _find(data: bytes) -> tuple[bytes, str]:
    """UTF-8 text, and the encoding it was in, by what the bytes look like."""
    if _is_utf_16(data[:4]):
        return _decode(data, UTF_16), UTF_16
    unmarked = data.removeprefix(_MARK)
    if _fault(unmarked, "utf-8") is None:
        return unmarked, UTF_8
    header = unmarked.lstrip()[:1000].splitlines()[0]
    if foreign_binary(unmarked) or b"\0" in unmarked or set(header) & set(_CONTROLS):
        raise DataError(_not_text(data))
    return _corrected(unmarked)


def _is_utf_16(first: bytes) -> bool:
    """A byte-order mark, or two letters of plain English, as a header begins with."""
    zeros = [byte == 0 for byte in first]
    return first[:2] in _MARKS_OF_16 or zeros in ([True, False] * 2, [False, True] * 2)


def _decode(data: bytes, encoding: str) -> bytes:
    """UTF-8 of a file that is in this encoding from the first byte to the last."""
    checks.one_of(ENCODINGS, encoding=encoding)
    if encoding == LATIN:
        return data.decode("latin-1").encode()
    if encoding == WINDOWS:
        return codecs.charmap_decode(data, "strict", _TABLE)[0].encode()
    big = encoding == UTF_16 and (data[:2] == codecs.BOM_UTF16_BE or data[:1] == b"\0")
    codec = "utf-8" if encoding == UTF_8 else "utf-16-be" if big else "utf-16-le"
    fault = _fault(data, codec)
    if fault is not None:
        line = data[:fault].decode(codec, "ignore").count("\n") + 1
        others = [other for other in ENCODINGS if other != encoding]
        raise DataError(
            f"line {line} is not {encoding} text; choose another encoding "
            f"({', '.join(others)}), or export the file again"
        )
    return data.decode(codec).encode().removeprefix(_MARK)


def _fault(data: bytes, codec: str) -> int | None:
    """Where the first byte is that a codec cannot read; its error, which holds it, is dropped."""
    if codec == "utf-8" and data.isascii():  # without a copy
        return None
    try:
        data.decode(codec)
    except UnicodeDecodeError as error:
        return error.start
    return None


def _corrected(data: bytes) -> tuple[bytes, str]:
    """UTF-8 of a file where some bytes are not, and whether others beyond ASCII are."""
    pieces, mixed, start = [], False, 0
    while start < len(data):
        end = start + _AT_ONCE
        while end < min(start + _AT_ONCE + _LONGEST, len(data)) and data[end] & 0xC0 == 0x80:
            end += 1  # a byte that may continue a character; after four of them none is cut
        values = np.frombuffer(data[start:end], np.uint8)
        foreign = _not_utf_8(values)
        mixed = mixed or bool((~foreign & (values > 127)).any())
        pieces.append(_replaced(values, foreign))
        start = end
    return b"".join(pieces), MIXED if mixed else WINDOWS


def _not_utf_8(values: Bytes) -> Mask:
    """Which bytes belong to no character of UTF-8 (Unicode 16, table 3-7)."""
    longer = np.append(values, np.zeros(_LONGEST, np.uint8))
    first, second, third, fourth = (longer[i : i + len(values)] for i in range(_LONGEST))
    follows = [(byte >= 0x80) & (byte <= 0xBF) for byte in (second, third, fourth)]
    two = (first >= 0xC2) & (first <= 0xDF) & follows[0]
    three = (first >= 0xE0) & (first <= 0xEF) & follows[0] & follows[1]
    three &= ((first != 0xE0) | (second >= 0xA0)) & ((first != 0xED) | (second <= 0x9F))
    four = (first >= 0xF0) & (first <= 0xF4) & follows[0] & follows[1] & follows[2]
    four &= ((first != 0xF0) | (second >= 0x90)) & ((first != 0xF4) | (second <= 0x8F))
    good = values <= 127
    for length, starts in ((2, two), (3, three), (4, four)):
        for i in range(length):
            good[i:] |= starts[: len(starts) - i]
    foreign: Mask = ~good
    return foreign


def _replaced(values: Bytes, foreign: Mask) -> bytes:
    """The bytes, with UTF-8 of their Windows-1252 in the place of foreign ones."""
    wide = np.zeros((len(values), 3), np.uint8)
    wide[:, 0] = values
    wide[foreign] = _WIDE[values[foreign]]
    kept = np.ones(wide.shape, np.bool_)
    kept[:, 1:] = wide[:, 1:] > 0
    return wide[kept].tobytes()


_WIDE = np.array([[*c.encode().ljust(3, b"\0")] for c in _TABLE], np.uint8)  # UTF-8, by byte


def _not_text(data: bytes) -> str:
    """The sentence on a file that is no text."""
    what = foreign_binary(data.removeprefix(_MARK))
    if what is not None:
        return f"the file is {what}, not CSV; {_INSTEAD}"
    if b"\0" in data:
        return f"the file has zero bytes in it, so it is not CSV; {_INSTEAD}"
    return f"the first line has signs in it that no text has, so it is not CSV; {_INSTEAD}"
