"""Groupings that cut numbers into bins, and times into spans or by what returns, as weekdays do.

The cuts are typed, not read off the data. A row's number or moment is read from its own text alone
(`Table.number`, `Table.moment`). Times are those on the clock as written: a Z at the end is not
turned into another zone, and a day has 24 hours.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Literal, get_args

from dpviz import checks
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.queries.groupings import MAX_GROUPS, OneColumn
from dpviz.queries.rows import real
from dpviz.queries.words import plain

Span = Literal["hour", "day", "week", "month", "quarter", "year"]
SPANS: tuple[Span, ...] = get_args(Span)
MONTHS: dict[Span, int] = {"month": 1, "quarter": 3, "year": 12}  # of spans that are made of them
Cycle = Literal["weekday", "hour of the day", "month of the year", "quarter of the year"]
CYCLES: tuple[Cycle, ...] = get_args(Cycle)
_NAMES: dict[Cycle, tuple[str, ...]] = {
    "weekday": (
        *("Monday", "Tuesday", "Wednesday", "Thursday"),
        *("Friday", "Saturday", "Sunday"),
    ),
    "hour of the day": tuple(f"{hour:02}:00" for hour in range(24)),
    "month of the year": (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
    "quarter of the year": ("1st quarter", "2nd quarter", "3rd quarter", "4th quarter"),
}
LAST_YEAR = 9000  # so that a day after a typed one is a date, too


@dataclass(frozen=True, slots=True)
class ByBins(OneColumn):
    """A numeric column cut into bins [e₀, e₁), [e₁, e₂), …; the last one holds its upper edge, too.

    Attributes:
        column: the column that is cut.
        edges: e₀ < e₁ < …, one more than there are bins.
        labels: "e₀ to e₁" and so on.

    Raises:
        ParameterError: if the edges cannot be used.

    >>> ByBins("age", (0, 10, 20.5)).labels
    ('0 to 10', '10 to 20.5')
    """

    edges: tuple[float, ...]
    labels: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check()
        edges = _checked_edges(self.edges)
        labels = tuple(f"{plain(a)} to {plain(b)}" for a, b in itertools.pairwise(edges))
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "labels", labels)

    @property
    def per(self) -> str:
        """The cut, in words."""
        return f" per bin of {self.title}"

    @property
    def described(self) -> str:
        """Which edge belongs to which bin, and what is left out."""
        return (
            "Each bin holds its lower edge and not its upper one, the last bin both; rows whose "
            f"{self.title} is not a number or not between {plain(self.edges[0])} and "
            f"{plain(self.edges[-1])} are not counted."
        )

    @contextmanager
    def placed(self, table: Table, carried: Mapping[str, Any]) -> Iterator[Any]:
        """The rows whose number is in a bin; see `Placing.placed`."""
        rows = table.expression.select(key=table.number(self.column), **carried)
        rows = rows.filter(rows.key.between(real(self.edges[0]), real(self.edges[-1])))
        with table.listed([repr(edge) for edge in self.edges[:-1]]) as listed:
            low = listed.select(low=listed.value.cast("float64"), position=listed.position)
            yield rows.asof_join(low, rows.key >= low.low)


@dataclass(frozen=True, slots=True)
class ByTime(OneColumn):
    """A column of dates or times cut into equal spans of the calendar.

    Weeks begin on the weekday of `start`.

    Attributes:
        column: the column that is cut.
        every: length of a span.
        start: first day, ISO, such as "2025-01-06".
        stop: the day after the last one, ISO.
        labels: when each span begins: "2025-01-06 13:00", "2025-01-06", "2025-01"; "2025 Q1", or
            the year.

    Raises:
        ParameterError: if the days cannot be used, or do not hold a whole number of spans.

    >>> ByTime("when", "week", "2025-01-06", "2025-01-20").labels
    ('2025-01-06', '2025-01-13')
    >>> ByTime("when", "month", "2025-01-01", "2025-03-01").labels
    ('2025-01', '2025-02')
    >>> ByTime("when", "quarter", "2024-10-01", "2025-04-01").labels
    ('2024 Q4', '2025 Q1')
    """

    every: Span
    start: str
    stop: str
    labels: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check()
        checks.one_of(SPANS, every=self.every)
        start, stop = _day("start", self.start), _day("stop", self.stop)
        object.__setattr__(self, "start", start.isoformat())
        object.__setattr__(self, "stop", stop.isoformat())
        object.__setattr__(self, "labels", _spans(self.every, start, stop))

    @property
    def per(self) -> str:
        """The cut, in words."""
        return f" per {self.every} of {self.title}"

    @property
    def described(self) -> str:
        """What is left out."""
        return (
            f"Each {self.every} from {self.start} until before {self.stop}, as written; rows whose "
            f"{self.title} is not read as a date or time, or is outside, are not counted."
        )

    @contextmanager
    def placed(self, table: Table, carried: Mapping[str, Any]) -> Iterator[Any]:
        """The rows whose time is in a span; see `Placing.placed`."""
        import ibis  # only where it is needed: it takes half a second

        start, stop = (ibis.literal(datetime.fromisoformat(d)) for d in (self.start, self.stop))
        rows = table.expression.select(key=table.moment(self.column), **carried)
        rows = rows.filter((rows.key >= start) & (rows.key < stop))
        # the number of boundaries between the two; `start` lies on one
        unit = "day" if self.every == "week" else self.every
        passed = rows.key.delta(start, unit=unit)
        yield rows.mutate(position=passed // 7 if self.every == "week" else passed)


@dataclass(frozen=True, slots=True)
class ByCycle(OneColumn):
    """A column of dates or times by what returns: the weekday, the hour, the month, the quarter.

    The groups are those of every calendar, so nobody types a list.

    Attributes:
        column: the column that is read as a date or time.
        of: what of it.

    Raises:
        ParameterError: if there is no such cycle.

    >>> ByCycle("when", "weekday").labels[0], ByCycle("when", "hour of the day").labels[-1]
    ('Monday', '23:00')
    """

    of: Cycle

    def __post_init__(self) -> None:
        self._check()
        checks.one_of(CYCLES, of=self.of)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the weekdays, hours, months or quarters."""
        return _NAMES[self.of]

    @property
    def per(self) -> str:
        """The cut, in words."""
        return f" per {self.of} of {self.title}"

    @property
    def described(self) -> str:
        """What is left out."""
        return (
            f"Each row counts for its {self.of}, as written; rows whose {self.title} is not read "
            "as a date or time are not counted."
        )

    @contextmanager
    def placed(self, table: Table, carried: Mapping[str, Any]) -> Iterator[Any]:
        """The rows that have a time; see `Placing.placed`."""
        rows = table.expression.select(key=table.moment(self.column), **carried)
        rows = rows.filter(rows.key.notnull())
        found = {
            "weekday": rows.key.day_of_week.index,
            "hour of the day": rows.key.hour,
            "month of the year": rows.key.month,
            "quarter of the year": rows.key.quarter,
        }[self.of]()
        first = 1 if self.of in ("month of the year", "quarter of the year") else 0
        yield rows.mutate(position=found.cast("int64") - first)


def _checked_edges(edges: Iterable[float]) -> tuple[float, ...]:
    """The edges as floats; sentences name positions."""
    found: list[float] = []
    for position, edge in enumerate(checks.listed(edges=edges), start=1):
        if position > MAX_GROUPS + 1:
            raise ParameterError(f"there may be at most {MAX_GROUPS:,} bins; shorten the list")
        try:
            number = checks.number(edge=edge) + 0.0  # no −0
        except ParameterError:
            number = math.nan
        if not math.isfinite(number):
            raise ParameterError(f"edge {position} is not a finite number; type one, such as 10")
        if found and number <= found[-1]:
            raise ParameterError(
                f"edge {position} is not above edge {position - 1}; "
                "type the edges from small to large, each once"
            )
        found.append(number)
    if len(found) < 2:
        raise ParameterError("bins need at least two edges; type for example 0 and 10")
    return tuple(found)


def _day(name: str, text: str) -> date:
    """A day typed as YYYY-MM-DD and in no other of the ISO forms."""
    shown = text.strip() if isinstance(text, str) else ""
    try:
        day = date.fromisoformat(shown)
    except ValueError:
        day = None
    if day is None or day.isoformat() != shown or day.year > LAST_YEAR:
        raise ParameterError(f"{name} is not a day; type year, month and day, such as 2025-01-06")
    return day


def _spans(every: Span, start: date, stop: date) -> tuple[str, ...]:
    """When each span begins, in words."""
    if stop <= start:
        raise ParameterError("stop is not after start; type a later day, it is not counted itself")
    days = (stop - start).days
    numbers: dict[Span, int] = {"hour": days * 24, "day": days, "week": days // 7}
    numbers |= {span: _months(start, stop) // months for span, months in MONTHS.items()}
    if numbers[every] > MAX_GROUPS:
        raise ParameterError(
            f"there may be at most {MAX_GROUPS:,} groups, and {every}s make {numbers[every]:,}; "
            "take longer ones or fewer days"
        )
    if every == "hour":
        return tuple(f"{start + timedelta(n // 24)} {n % 24:02}:00" for n in range(days * 24))
    if every in MONTHS:
        return _spans_of_months(every, start, stop)
    if every == "week" and days % 7:
        raise ParameterError(
            f"weeks are counted whole, and {days:,} days are not whole weeks; "
            f"type for example {start + timedelta(days - days % 7 or 7)} as stop"
        )
    return tuple(str(start + timedelta(n)) for n in range(0, days, 7 if every == "week" else 1))


def _spans_of_months(every: Span, start: date, stop: date) -> tuple[str, ...]:
    """Months, quarters or years, which are counted whole."""
    size = MONTHS[every]
    for name, day in (("start", start), ("stop", stop)):
        if day.day != 1 or (day.month - 1) % size:
            first = day.replace(month=day.month - (day.month - 1) % size, day=1)
            if name == "stop":  # the next one, after the span that it would cut
                first = (first + timedelta(31 * size)).replace(day=1)
            raise ParameterError(
                f"{every}s are counted whole, so {name} must be the first day of a {every}; "
                f"type for example {first}"
            )
    before = start.year * 12 + start.month - 1
    firsts = range(before, before + _months(start, stop), size)
    if every == "year":
        return tuple(f"{month // 12:04}" for month in firsts)
    if every == "quarter":
        return tuple(f"{month // 12:04} Q{month % 12 // 3 + 1}" for month in firsts)
    return tuple(f"{month // 12:04}-{month % 12 + 1:02}" for month in firsts)


def _months(start: date, stop: date) -> int:
    return (stop.year - start.year) * 12 + stop.month - start.month
