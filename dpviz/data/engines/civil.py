"""Moments from text by patterns and whole numbers alone, so that every engine finds the same day.

Engines disagree on dates before 1582, on the year 0, on the hour 24 and on what they do with the
31st of February: some refuse the whole statement. Here a moment is a text "yyyy-mm-dd hh" that one
pattern has proved to be a day of the calendar; its parts are whole numbers.
"""

from typing import Any

from dpviz.data.engines.kind import Calendar
from dpviz.data.reading import CLOCKS, TWO_DIGITS, Reading

_DAY = (  # of a year that has it: 29 February in every 4th, but of every 100th in every 400th only
    "^([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|"
    "(0[13578]|1[02])-31)|"
    "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)"
)
_AFTER_HOUR = ":[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?"
_LAST = r"24:00(:00(\.0{1,6})?)?"  # the end of a day
_ISO = f"{_DAY}([ T]({_LAST}|([01][0-9]|2[0-3]){_AFTER_HOUR})Z?)?$"
_OF_24 = f"([ T]({_LAST}|([01]?[0-9]|2[0-3]){_AFTER_HOUR}))?Z?$"
_OF_12 = (
    f"([ T](0?[1-9]|1[0-2]){_AFTER_HOUR}[ \u00a0\u202f]?"
    r"[AaPp]\.?[Mm]\.?)?$"
)
_MONTH_ENDS = (  # of any year; 28 February of some
    *("01-31", "02-29", "03-31", "04-30", "05-31", "06-30"),
    *("07-31", "08-31", "09-30", "10-31", "11-30", "12-31"),
)
_BEFORE_1970 = 719_468 + 146_097  # days from 1 March of the year −400 to 1970-01-01


def moment_of(text: Any, reading: Reading) -> Any:
    """Ibis expression "yyyy-mm-dd hh" of the moment that a text is, as `Reading.moment` reads it.

    Null for anything else. 24:00 stays hour 24 of its day.

    Args:
        text: Ibis expression of the column.
        reading: of the column.

    >>> import ibis
    >>> found = moment_of(ibis.literal("1.2.2025 9:05"), Reading(dates="dd.mm.yyyy"))
    >>> ibis.duckdb.connect().execute(found)
    '2025-02-01 09'
    """
    known = reading.known(text)
    if reading.iso:  # each part has its place
        hour = _or_zero(known.substr(11, 2)).lpad(2, "0")
        return known.re_search(_ISO).ifelse(known.substr(0, 10) + " " + hour, None)
    begins, of_24 = reading.date_shape, reading.clock == CLOCKS[0]
    shape = begins + (_OF_24 if of_24 else _OF_12)
    digits = [known.re_extract(shape, group) for group in reading.date_groups]
    if reading.dates in TWO_DIGITS:
        digits[0] = _of_four(digits[0], reading.first_year)
    year, month, day = digits[0], digits[1].lpad(2, "0"), digits[2].lpad(2, "0")
    hour = _or_zero(known.re_extract("[ T]([0-9]{1,2}):", 1))
    if not of_24:
        after_noon = known.re_search(r"[Pp]\.?[Mm]").ifelse(12, 0)
        timed = known.re_search(":").ifelse(hour, "12").cast("int64") % 12  # 12 AM is 0
        hour = (timed + after_noon).cast("string")
    iso = year + "-" + month + "-" + day
    legal = known.re_search(shape) & iso.re_search(f"{_DAY}$")
    return legal.ifelse(iso + " " + hour.lpad(2, "0"), None)


def calendar_of_text(moment: Any) -> Calendar:
    """The parts of a moment that is a text "yyyy-mm-dd hh".

    The year begins in March, so that the leap day is its last; 400 years, 146,097 days, are added
    and taken away, so that nothing is below 0.

    Args:
        moment: Ibis expression of such texts, or null.

    >>> import ibis
    >>> last = calendar_of_text(ibis.literal("1969-12-31 24"))
    >>> int(ibis.duckdb.connect().execute(last.days))
    0

    Source: E. M. Reingold, N. Dershowitz, Calendrical Calculations, 4th ed. (2018), chapter 2.
    """

    def part(start: int, length: int) -> Any:
        return moment.substr(start, length).cast("int64")

    year, month, day, hour = part(0, 4), part(5, 2), part(8, 2), part(11, 2)
    since = year + 400 - (month <= 2).ifelse(1, 0)
    era = since // 400
    of_era = since - era * 400
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    days = era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - _BEFORE_1970
    over = hour == 24  # the end of the day is the beginning of the next
    common = (year % 4 != 0) | ((year % 100 == 0) & (year % 400 != 0))
    ends = moment.substr(5, 5)
    last = ends.isin(_MONTH_ENDS) | ((ends == "02-28") & common)
    return Calendar(
        days=days.cast("int64") + over.ifelse(1, 0),
        months=year * 12 + month - 1 + (over & last).ifelse(1, 0),
        hour=over.ifelse(0, hour),
    )


def _or_zero(digits: Any) -> Any:
    """The digits, or 0 where there are none: engines say that with an empty text, or with null."""
    return digits.nullif("").fill_null("0")


def _of_four(digits: Any, first: int) -> Any:
    """A year of two digits as one of the hundred years from `first`, as text."""
    year = _or_zero(digits).cast("int64")
    return (first + (year - first % 100 + 100) % 100).cast("string")
