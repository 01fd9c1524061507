"""How the text of a column is read: as what, with which marks, and what stands for nothing.

A `Reading` is typed or confirmed by a person and is part of a statistic. It reads each row's text
alone and never looks at two rows, so adding somebody changes nothing for the others, and every
sensitivity holds under every reading. It is strict: 12.34 is no number where the point marks
thousands, and 31.02.2025 is no day. What cannot be read is missing, never guessed.
Limits: a year has four digits, or two where the hundred years are typed that it is one of; hours go
to 24, or to 12 with AM or PM where that is typed.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.words.names import quoted

Use = Literal["number", "whole number", "text", "date", "yes/no"]
Dates = Literal[
    "yyyy-mm-dd",
    "dd.mm.yyyy",
    "dd/mm/yyyy",
    "mm/dd/yyyy",
    "dd-mm-yyyy",
    "yyyy/mm/dd",
    "yyyymmdd",
    "dd.mm.yy",
    "dd/mm/yy",
    "mm/dd/yy",
    "dd-mm-yy",
]
Clock = Literal["24 hours", "AM/PM"]
USES: tuple[Use, ...] = get_args(Use)
DATES: tuple[Dates, ...] = get_args(Dates)
TWO_DIGITS = tuple(form for form in DATES if not form.count("yyyy"))
CLOCKS: tuple[Clock, ...] = get_args(Clock)
FIRST_YEAR = 1950  # two-digit years are 1950 to 2049, unless told otherwise
LAST_FIRST_YEAR = 9900
DECIMALS = {".": "point", ",": "comma"}
THOUSANDS = {"": "nothing", ".": "point", ",": "comma", " ": "blank", "'": "apostrophe"}
USUAL_MARKS = ("-", "N/A", "NA", "null")
MARKS = (  # in columns of numbers and dates; a column has those of one line, or of several
    USUAL_MARKS,
    ("n/a", "na", "NULL", "Null", "None", "NaN", "nan", "#N/A", "#NV"),
    ("n.d.", "n.d", "N.D.", "nd", "ND", "n.c.", "NC"),
    ("k.A.", "k. A.", "k.A", "keine Angabe"),
    ("--", "–", "—", ".", "..", "...", "?"),
)
MOST_MARKS = 40  # for what is missing: all of them go into one sentence
LONGEST_NUMBER = 1000  # characters; Postgres reads exponents and digits only so far
ALL_WHOLE = 2**53  # from here on floats have no digits after the point
YES = ("1", "j", "ja", "oui", "si", "sí", "t", "true", "y", "yes")
NO = ("0", "f", "false", "n", "nein", "no", "non")
TYPES: dict[Use, str] = {  # Ibis type of each kind
    "number": "float64",
    "whole number": "int64",
    "text": "string",
    "date": "timestamp",
    "yes/no": "boolean",
}
_AS = {"text": "text", "yes/no": "yes or no", "date": "a date or time"} | {
    kind: f"a {kind}" for kind in ("number", "whole number")
}
_BETWEEN = {  # pattern of what may stand between thousands
    ".": r"\.",
    ",": ",",
    " ": "[ \u00a0\u2009\u202f]",  # ordinary, no-break, thin, narrow no-break
    "'": "['\u2019]",
}
_ISO = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z?)?$"
_CLOCK = r"([ T][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?Z?$"
_OF_TWELVE = (  # with hour, minute and seconds, and A or P
    r"([ T]([0-9]{1,2}):([0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)"
    "[ \u00a0\u202f]?"
    r"([AaPp])\.?[Mm]\.?)?$"
)
_SHAPES: dict[str, tuple[str, str]] = {  # what a date looks like, and how it becomes ISO
    "yyyy-mm-dd": (r"^([0-9]{4})-([0-9]{2})-([0-9]{2})", r"\1-\2-\3\4"),
    "dd.mm.yyyy": (r"^([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})", r"\3-\2-\1\4"),
    "dd/mm/yyyy": (r"^([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", r"\3-\2-\1\4"),
    "mm/dd/yyyy": (r"^([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", r"\3-\1-\2\4"),
    "dd-mm-yyyy": (r"^([0-9]{1,2})-([0-9]{1,2})-([0-9]{4})", r"\3-\2-\1\4"),
    "yyyy/mm/dd": (r"^([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})", r"\1-\2-\3\4"),
    "yyyymmdd": (r"^([0-9]{4})([0-9]{2})([0-9]{2})", r"\1-\2-\3\4"),
    "dd.mm.yy": (r"^([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{2})", r"\3-\2-\1\4"),
    "dd/mm/yy": (r"^([0-9]{1,2})/([0-9]{1,2})/([0-9]{2})", r"\3-\2-\1\4"),
    "mm/dd/yy": (r"^([0-9]{1,2})/([0-9]{1,2})/([0-9]{2})", r"\3-\1-\2\4"),
    "dd-mm-yy": (r"^([0-9]{1,2})-([0-9]{1,2})-([0-9]{2})", r"\3-\2-\1\4"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How one column is read; by default as its file says, numbers with a decimal point.

    Attributes:
        kind: what the column is used as; None: what its file was found to hold. Where it is
            "whole number", other numbers are missing; where it is "yes/no", the text is "yes" for
            one of `YES`, "no" for one of `NO`, small and capital letters alike, else missing.
        decimal: the mark before decimals.
        thousands: the mark between groups of three digits, if there is one: either all of a
            number's marks are there, or none. A blank is also a no-break or narrow one.
        dates: the order of day, month and year; a time may follow, as in 31.12.2025 14:05.
        missing: what is written where nothing is known, such as "NA"; compared as written, capital
            letters and small ones apart, without white space at the ends.
        clock: how times are written: of 24 hours, or of 12 with AM or PM, as in 2:05 PM; times in
            the other way are missing.
        left_out: what is written where a row is no record, such as "Total"; "" is an empty cell.
            The whole row is left out, whatever is asked of the table.
        first_year: of the hundred years that two digits stand for: with 1950, 49 is 2049 and 50 is
            1950. Without two-digit years it is as by default.

    Raises:
        ParameterError: if a mark or the year cannot be used, or the two marks of a number are the
            same.

    >>> Reading(kind="number", decimal=",", thousands=".").described
    'as a number, with a decimal comma, thousands marked by a point'
    >>> Reading(kind="date", dates="mm/dd/yy", clock="AM/PM").described
    'as a date or time, dates as mm/dd/yy in the years 1950 to 2049, times with AM or PM'
    >>> Reading(missing=("NA", "null ")).missing
    ('NA', 'null')
    """

    kind: Use | None = None
    decimal: str = "."
    thousands: str = ""
    dates: Dates = "yyyy-mm-dd"
    missing: tuple[str, ...] = ()
    clock: Clock = "24 hours"
    first_year: int = FIRST_YEAR
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind is not None:
            checks.one_of(USES, kind=self.kind)
        for name, marks in (("decimal", DECIMALS), ("thousands", THOUSANDS)):
            if not isinstance(mark := getattr(self, name), str) or mark not in marks:
                raise ParameterError(f"{name} must be one of {', '.join(map(repr, marks))}")
        checks.one_of(DATES, dates=self.dates)
        if self.decimal == self.thousands:
            raise ParameterError(
                f"the decimal mark and the thousands mark are both a {DECIMALS[self.decimal]}; "
                "choose another one for either"
            )
        object.__setattr__(self, "missing", checked_marks(self.missing))
        object.__setattr__(self, "left_out", _checked_left_out(self.left_out))
        checks.one_of(CLOCKS, clock=self.clock)
        year = checks.integer(1000, first_year=self.first_year)
        if year > LAST_FIRST_YEAR:
            raise ParameterError(f"first_year must be at most {LAST_FIRST_YEAR}, such as 1950")
        object.__setattr__(self, "first_year", year if self.dates in TWO_DIGITS else FIRST_YEAR)

    @property
    def described(self) -> str:
        """What differs from the usual reading, in words; empty if nothing does.

        >>> Reading(dates="dd.mm.yyyy", missing=("NA",)).described
        'dates as dd.mm.yyyy, missing where “NA” is written'
        """
        said = [] if self.kind is None else [f"as {_AS[self.kind]}"]
        if self.decimal != ".":
            said.append("with a decimal comma")
        if self.thousands:
            said.append(f"thousands marked by a{_an(THOUSANDS[self.thousands])}")
        if self.dates != DATES[0]:
            years = f" in the years {self.first_year} to {self.first_year + 99}"
            said.append(f"dates as {self.dates}{years if self.dates in TWO_DIGITS else ''}")
        if self.clock != CLOCKS[0]:
            said.append("times with AM or PM")
        if self.missing:
            said.append(f"missing where {either(self.missing)} is written")
        if self.left_out:
            written = [quoted(text) if text else "empty" for text in self.left_out]
            said.append(f"without the rows where it is {' or '.join(written)}")
        return ", ".join(said)

    def counts(self, text: Any) -> Any:
        """Ibis expression of whether a row is a record, by a column's text as written."""
        marks = [mark for mark in self.left_out if mark]
        there = text.notin(marks).fill_null(True) if marks else text.isnull() | text.notnull()
        return there & text.notnull() if "" in self.left_out else there

    def known(self, text: Any) -> Any:
        """Ibis expression of a column's text, null where it is one of the marks."""
        return text.notin(list(self.missing)).ifelse(text, None) if self.missing else text

    def text(self, text: Any) -> Any:
        """Ibis expression of what is compared and listed: as written, or "yes" and "no"."""
        text = self.known(text)
        if self.kind != "yes/no":
            return text
        return text.isin(_YES).ifelse("yes", text.isin(_NO).ifelse("no", None))

    def number(self, text: Any, float_of: Callable[[Any], Any]) -> Any:
        """Ibis expression of a column as float64, each row's text read alone.

        What is not a finite decimal number is null: text, NaN, infinity, hexadecimal, 1_000, and
        what is written with more than 1,000 characters.

        Args:
            text: the column.
            float_of: how its engine reads a decimal number, see `dpviz.data.engines.kind.Engine`.
        """
        text = self.known(text)
        plain = text
        if self.thousands:
            plain = plain.re_replace(_BETWEEN[self.thousands], "")
        if self.decimal == ",":
            plain = plain.replace(",", ".")
        legal = text.re_search(self._number) & (text.length() <= LONGEST_NUMBER)
        return self.whole(float_of(legal.ifelse(plain, None)))

    def whole(self, number: Any) -> Any:
        """The numbers, or those of them that are whole where the kind is "whole number"."""
        if self.kind != "whole number":
            return number
        small = number.abs() < ALL_WHOLE  # others have no digits after the point, nor an int64
        near = small.ifelse(number, 0.0)
        return (near == near.floor()).ifelse(number, None)

    @property
    def plain(self) -> bool:
        """Whether numbers are read as usual, so that one of a typed column may be taken as it is.

        >>> Reading(kind="number").plain, Reading(missing=("-1",)).plain
        (True, False)
        """
        return (self.decimal, self.thousands, self.missing) == (".", "", ())

    @property
    def pattern(self) -> str:
        """What every number or date of this reading looks like, and some other texts, too.

        >>> Reading(kind="date", dates="yyyymmdd").pattern.startswith("^([0-9]{4})([0-9]{2})")
        True
        """
        return self._moment if self.kind == "date" else self._number

    @property
    def _moment(self) -> str:
        if self.iso:
            return _ISO
        return self.date_shape + (_CLOCK if self.clock == CLOCKS[0] else _OF_TWELVE)

    @property
    def _number(self) -> str:
        point, whole = re.escape(self.decimal), "[0-9]+"
        if self.thousands:
            between = _BETWEEN[self.thousands]
            whole = rf"([0-9]+|[0-9]{{1,3}}({between}[0-9]{{3}})+)"
        return rf"^[+-]?({whole}({point}[0-9]*)?|{point}[0-9]+)([eE][+-]?[0-9]+)?$"

    def moment(self, text: Any) -> Any:
        """Ibis expression of a column as timestamp, each row's text read alone.

        "2025-01-06", "2025-01-06 13:05", with T for the blank, with seconds, with a Z at the end:
        always the time as written, in no zone; 24:00 is the end of the day. Anything else, and a
        day that no calendar has, is null.
        """
        text = self.known(text)
        order, shape = _SHAPES[self.dates][1], self._moment
        if self.clock == "AM/PM":
            iso = text.re_replace(shape, order.removesuffix(r"\4")) + _of_24(text, shape)
        elif self.iso:
            iso = text.replace("Z", "")
        else:
            iso = text.re_replace(shape, order)
        if self.dates in TWO_DIGITS:
            iso = _of_four_digits(iso, self.first_year)
        return text.re_search(shape).ifelse(iso.try_cast("timestamp"), None)

    @property
    def iso(self) -> bool:
        """Whether dates and times are read as usual: each part has its place in the text."""
        return (self.dates, self.clock) == (DATES[0], CLOCKS[0])

    @property
    def date_shape(self) -> str:
        """What a date looks like, as pattern for the beginning of a text."""
        return _SHAPES[self.dates][0]

    @property
    def date_groups(self) -> tuple[int, ...]:
        """Groups of that pattern with year, month and day.

        >>> Reading(dates="dd.mm.yyyy").date_groups
        (3, 2, 1)
        """
        return tuple(int(group) for group in re.findall(r"\d", _SHAPES[self.dates][1])[:3])

    def typed(self, text: Any, found: str, float_of: Callable[[Any], Any]) -> Any:
        """Ibis expression of a column in its own type, to sort, and to show numbers.

        Args:
            text: the column.
            found: its Ibis type in the file, for a reading that names no kind.
            float_of: as for `number`.
        """
        if self.kind is None:
            return self.known(text).try_cast(found)
        if self.kind == "date":
            return self.moment(text)
        if self.kind in ("text", "yes/no"):
            return self.text(text)
        return self.number(text, float_of).try_cast(TYPES[self.kind])


def _of_24(text: Any, shape: str) -> Any:
    """Ibis expression of a time with AM or PM as one of 24 hours; nothing where no time stands.

    Hours other than 1 to 12 make a text that is no time.
    """
    hour = text.re_extract(shape, 5).try_cast("int64")
    after_noon = text.re_extract(shape, 7).lower() == "p"
    of_24 = hour % 12 + after_noon.ifelse(12, 0)
    legal = hour.between(1, 12)
    clock = " " + legal.ifelse(of_24.cast("string"), "no hour") + ":" + text.re_extract(shape, 6)
    return (text.re_extract(shape, 4) == "").ifelse("", clock)


def _of_four_digits(iso: Any, first: int) -> Any:
    """Ibis expression of a date that begins with two digits, with the whole year."""
    year = iso.substr(0, 2).try_cast("int64")
    return (first + (year - first % 100 + 100) % 100).cast("string") + iso.substr(2)


def _an(noun: str) -> str:
    return f"n {noun}" if noun[0] in "aeiou" else f" {noun}"


def either(marks: Sequence[str]) -> str:
    """Marks in a sentence.

    >>> either(["-", "NA", "null"])
    '“-”, “NA” or “null”'
    """
    *first, last = [quoted(mark) for mark in marks]
    return f"{', '.join(first)} or {last}" if first else last


def _checked_left_out(texts: Iterable[Any]) -> tuple[str, ...]:
    """Texts of rows that are no records, as marks are checked; an empty one stands first."""
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise ParameterError('left_out must be a list of texts, such as ("Total",)')
    found = [*texts]
    empty = [text for text in found if text == ""]
    return (*empty[:1], *checked_marks(text for text in found if text != ""))


def checked_marks(marks: Iterable[Any]) -> tuple[str, ...]:
    """Marks for what is missing, without white space around them, each once, by the alphabet.

    Raises:
        ParameterError: they are no list of texts, one is empty, or there are more than 40.

    >>> checked_marks(["null", "NA ", "NA"])
    ('NA', 'null')
    """
    try:
        listed = None if isinstance(marks, str) else iter(marks)
    except TypeError:  # an array without a dimension is an Iterable all the same
        listed = None
    if listed is None:
        raise ParameterError('missing must be a list of texts, such as ("NA", "null")')
    found = set()
    for position, mark in enumerate(listed, start=1):
        text = mark.strip() if isinstance(mark, str) else ""
        if not text or not text.isprintable():
            raise ParameterError(
                f"mark {position} of missing is empty or cannot be printed; type one such as NA"
            )
        found.add(text)
        if len(found) > MOST_MARKS:
            raise ParameterError(f"missing may have at most {MOST_MARKS} marks; type fewer")
    return tuple(sorted(found))


def _in_any_case(words: Iterable[str]) -> tuple[str, ...]:
    """Every way to write the words with small and capital letters: engines differ on `lower`."""
    ways = (itertools.product(*((c, c.upper()) for c in word)) for word in words)
    return tuple(dict.fromkeys("".join(way) for each in ways for way in each))


_YES, _NO = _in_any_case(YES), _in_any_case(NO)
AS_WRITTEN = Reading()
