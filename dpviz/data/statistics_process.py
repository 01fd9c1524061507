"""Read a file of Stata, SPSS or SAS, in a process of its own: see `dpviz.data.limited_process`.

The library is pyreadstat, which reads with ReadStat, in C. Values keep their codes, and what the
file's codebook calls these is told beside them. A value that the file declares as missing is empty.
Dates and times are told as such, by the format that the file gives their column.
"""

import contextlib
import csv
import datetime
import io
import json
import math
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pyreadstat

_CLOSED = 15  # digits: whole numbers up to here are exact
_CELLS = 1_000_000  # that are read together
_LABELS = 10_000  # of a column: more are no list that anybody publishes
_LONGEST = 200  # characters of a label
_UNICODE = 118  # the first version of Stata's files whose text is UTF-8
_BYTES = "ISO-8859-1"  # in which each byte is a character
_READERS: dict[str, Callable[..., Any]] = {
    "Stata": pyreadstat.read_dta,
    "SPSS": pyreadstat.read_sav,
    "SAS": pyreadstat.read_sas7bdat,
    "SAS transport": pyreadstat.read_xport,
}
_EPOCH = datetime.datetime(1960, 1, 1)
_SPSS_EPOCH = datetime.datetime(1582, 10, 14)
_SPSS = (
    ("day", r"[AES]?DATE|JDATE|QYR|MOYR|WKYR"),
    ("moment", "DATETIME|YMDHMS"),
    ("time", r"D?TIME|MTIME"),
)
_SAS = (  # names of formats, not of those that people made themselves
    ("moment", r"DATETIME|DATEAMPM|MDYAMPM|DT(DATE|MONYY|WKDATX|YEAR|YYQC)|NLDATM\w*"),
    ("moment", r"(IS|[EB])8601D[NTZ]"),
    ("time", r"TIME(AMPM)?|TOD|HHMM|HOUR|MMSS|(IS|[EB])8601T[MZ]|NLTIM\w*"),
    ("day", r"DATE|WEEKDAT[EX]|WEEK[UVW]|WORDDAT[EX]|NLDATE\w*|(IS|[EB])8601DA"),
    ("day", r"(DDMMYY|MMDDYY|YYMMDD|MMYY|YYMM)[BCDNPS]?|YYQR?[CDNPS]?|MONYY|YYMON|JULIAN"),
    ("day", r"DAY|WEEKDAY|DOWNAME|JULDAY|MONTH|MONNAME|QTRR?|YEAR"),
)
_STATA = {"c": "moment", "d": "day", "w": "week", "m": "month", "q": "quarter", "h": "half"}
_MONTHS = {"month": 1, "quarter": 3, "half": 6}
_MEMBER = re.compile(rb"HEADER RECORD\*{7}MEMB(?:ER  |V8  )HEADER RECORD!{7}")

Text = Callable[[Any], str]


def answer(asked: dict[str, Any], content: bytes) -> Iterator[bytes]:
    """The pieces of the answer; a fault is the whole answer, by a word that has no value in it.

    Args:
        asked: `program`, a key of `_READERS`; `encoding`, as Python and iconv know it, or None;
            and `most`, the bytes of an answer.
        content: the bytes of the file.
    """
    members = len(_MEMBER.findall(content)) if asked["program"] == "SAS transport" else 1
    found: dict[str, Any] = {"fault": "several", "members": members}
    pieces: list[bytes] = []
    if members < 2:
        found = {"fault": None}
        try:
            pieces = _read(asked, content, found)
        except MemoryError:
            raise
        except UnicodeError:
            found = {"fault": "encoding"}
        except Exception as error:  # of the library: it has no class of its own for all
            lost = re.search("encoding|character set", str(error))
            found = {"fault": "encoding" if lost else "damaged"}
    yield json.dumps(found).encode()
    yield from pieces


def _read(asked: dict[str, Any], content: bytes, found: dict[str, Any]) -> list[bytes]:
    """Write what the file says of its columns into `found`, and give its rows as CSV."""
    more = {} if asked["program"] == "SAS transport" else {"user_missing": True}
    _, meta = _ask(asked, content, metadataonly=True, **more)
    kinds = [_kind(asked["program"], meta, name) for name in meta.column_names]
    texts = [_text_of(asked["program"], kind) for kind in kinds]
    told: Text = str
    if _says_no_encoding(asked["program"], content):
        told = partial(decoded, encoding=asked["encoding"])
        pairs_of = zip(kinds, texts, strict=True)
        texts = [_after(told, text) if kind == "text" else text for kind, text in pairs_of]
    found |= {"names": [told(name) for name in meta.column_names], "labels": [], "missing": []}
    for position, name in enumerate(meta.column_names):
        pairs, declared = _codebook(meta, name, kinds[position], texts[position], told)
        if pairs:
            found["labels"].append((position, pairs))
        if declared:
            found["missing"].append(position)
    pieces, left = [], asked["most"]
    for piece in _rows(asked, content, texts):
        left -= len(piece)
        if left < 0:
            raise MemoryError
        pieces.append(piece)
    return pieces


def _ask(asked: dict[str, Any], content: bytes, **more: Any) -> Any:
    encoding = _BYTES if _says_no_encoding(asked["program"], content) else asked["encoding"]
    given = {"encoding": encoding, "output_format": "dict"}
    reader = _READERS[asked["program"]]
    return reader(io.BytesIO(content), disable_datetime_conversion=True, **given, **more)


def _says_no_encoding(program: str, content: bytes) -> bool:
    """Whether a file is of a kind that says in no place which encoding its text has."""
    if program == "Stata":
        unicode = re.match(rb"<stata_dta><header><release>(\d+)<", content)
        return unicode is None or int(unicode[1]) < _UNICODE
    return program == "SAS transport"


def decoded(text: str, encoding: str | None) -> str:
    r"""A text whose bytes were taken for characters: as UTF-8 if they are, else as Windows-1252.

    So it depends on its own bytes alone, as in a CSV file.

    Args:
        text: a character for each byte.
        encoding: the one that was chosen for all texts, or None.

    Raises:
        UnicodeError: if it is not in the encoding that was chosen.

    >>> decoded("K\xf6ln", None), decoded("K\xc3\xb6ln", None), decoded("K\xc3\xb6", "ISO-8859-1")
    ('Köln', 'Köln', 'KÃ¶')
    """
    if text.isascii():
        return text
    raw = text.encode(_BYTES)
    if encoding is not None:
        return raw.decode(encoding)
    with contextlib.suppress(UnicodeError):
        return raw.decode()
    with contextlib.suppress(UnicodeError):
        return raw.decode("WINDOWS-1252")
    return text


def _rows(asked: dict[str, Any], content: bytes, texts: list[Text]) -> Iterator[bytes]:
    """All rows, some at a time, so that a large file needs little memory."""
    step = max(1, _CELLS // max(1, len(texts)))
    start = rows = 0
    while start == 0 or rows == step:
        some, _ = _ask(asked, content, row_offset=start, row_limit=step)
        columns = [*some.values()]
        rows = len(columns[0]) if columns else 0
        if len(columns) != len(texts) or any(len(column) != rows for column in columns):
            raise ValueError("columns differ")
        if not rows:
            return
        written = [
            ["" if value is None else text(value) for value in column]
            for text, column in zip(texts, columns, strict=True)
        ]
        piece = io.StringIO()
        csv.writer(piece, lineterminator="\n").writerows(zip(*written, strict=True))
        yield b"\n" + piece.getvalue()[:-1].encode()
        start += rows


def _after(first: Text, then: Text) -> Text:
    return lambda value: then(first(value))


def _codebook(
    meta: Any, name: str, kind: str, text: Text, told: Text
) -> tuple[list[tuple[str, str]], bool]:
    """Codes with their labels, and whether the file declares codes of this column as missing."""
    ranges = meta.missing_ranges.get(name, [])
    labels = meta.variable_value_labels.get(name, {})
    tagged = kind != "text" and any(isinstance(code, str) for code in labels)  # Stata's .a
    known = [
        (text(code).strip(), " ".join(told(label).split())[:_LONGEST])
        for code, label in labels.items()
        if isinstance(code, str) == (kind == "text") and not any(_in(code, r) for r in ranges)
    ]
    listed = kind in ("text", "number", "float") and len(known) <= _LABELS
    return [pair for pair in known if all(pair)] if listed else [], bool(ranges) or tagged


def _in(code: Any, limits: dict[str, Any]) -> bool:
    try:
        return bool(limits["lo"] <= code <= limits["hi"])
    except TypeError:  # a number and a text
        return False


def _kind(program: str, meta: Any, name: str) -> str:
    """What a column holds: text, numbers, or what its format makes of numbers."""
    stored = meta.readstat_variable_types[name]
    if stored == "string":
        return "text"
    form = meta.original_variable_types[name] or ""
    return _of_time(program, form) or ("float" if stored == "float" else "number")


def _of_time(program: str, form: str) -> str | None:
    """What a format shows, if that is a day or a time.

    >>> _of_time("SPSS", "DATETIME20"), _of_time("SPSS", "F8.2"), _of_time("SAS", "DATE9")
    ('moment', None, 'day')
    >>> _of_time("Stata", "%tcHH:MM:SS"), _of_time("Stata", "%tq"), _of_time("Stata", "%9.0g")
    ('time', 'quarter', None)
    """
    if program == "Stata":
        found = re.match(r"%-?(?:t([cdwmqh])|(d))(.*)", form)
        if found is None:
            return None
        kind = _STATA[found[1] or found[2]]
        clock = kind == "moment" and re.fullmatch(r"[HhMSs:.ap]+", found[3])
        return "time" if clock else kind
    name = re.sub(r"[\d.]*$", "", form.upper())
    forms = _SPSS if program == "SPSS" else _SAS
    return next((kind for kind, names in forms if re.fullmatch(names, name)), None)


def _text_of(program: str, kind: str) -> Text:
    """How a value of a column of this kind becomes text, by itself."""
    if kind == "text":
        return plain
    if kind == "float":
        return short
    if kind == "number":
        return number
    if program == "SPSS":
        return partial(dated, kind=kind, unit="seconds", epoch=_SPSS_EPOCH)
    unit = "days" if kind == "day" else "milliseconds" if program == "Stata" else "seconds"
    return partial(dated, kind=kind, unit=unit)


def plain(value: str) -> str:
    r"""Text as a CSV file would have it.

    >>> plain("a\r\nb\0")
    'a\nb'
    """
    return value.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def number(value: float) -> str:
    """A number as somebody would write it; nothing for what is not one.

    >>> [number(v) for v in (25.0, 2.5, 7, 1e20, float("nan"))]
    ['25', '2.5', '7', '1e+20', '']
    """
    if isinstance(value, int) or (value.is_integer() and abs(value) < 10**_CLOSED):
        return str(int(value))
    return repr(value) if value == value else ""


def short(value: float) -> str:
    """A number of half the usual length, with the digits that it has.

    >>> short(0.10000000149011612), short(25.0)
    ('0.1', '25')
    """
    return number(float(str(np.float32(value))))


def dated(value: float, *, kind: str, unit: str, epoch: datetime.datetime = _EPOCH) -> str:
    """A day, a moment or a time from a number; a number where no calendar has it.

    Args:
        value: as stored.
        kind: what the format shows; weeks, months, quarters and halves of years are their first
            day.
        unit: of days and times.
        epoch: where days and moments begin.

    >>> dated(21916.5, kind="day", unit="days"), dated(3723.0, kind="time", unit="seconds")
    ('2020-01-02', '01:02:03')
    >>> dated(720.0, kind="month", unit=""), dated(1e18, kind="day", unit="days")
    ('2020-01-01', '1e+18')
    """
    try:
        if kind == "time":
            return _clock(datetime.timedelta(**{unit: value}))
        if kind in _MONTHS or kind == "week":
            return _first_day(math.floor(value), kind)
        moment = epoch + datetime.timedelta(**{unit: value})
    except (OverflowError, ValueError):
        return number(value)
    return moment.date().isoformat() if kind == "day" else moment.isoformat(" ")


def _clock(time: datetime.timedelta) -> str:
    seconds, fraction = divmod(time, datetime.timedelta(seconds=1))
    if seconds < 0:
        raise ValueError
    minutes, second = divmod(seconds, 60)
    after = f".{fraction.microseconds:06}" if fraction else ""
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02}{after}"


def _first_day(since: int, kind: str) -> str:
    """The first day of a week of Stata, of which a year has 52, or of a month or several."""
    if kind == "week":
        begins = datetime.date(_EPOCH.year + since // 52, 1, 1)
        return (begins + datetime.timedelta(weeks=since % 52)).isoformat()
    months = since * _MONTHS[kind]
    return datetime.date(_EPOCH.year + months // 12, months % 12 + 1, 1).isoformat()
