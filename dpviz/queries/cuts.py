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
from datetime import date, timedelta
from typing import Any, Literal, get_args

from dpviz import checks
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.queries.groupings import MAX_GROUPS, OneColumn
from dpviz.queries.rows import real
from dpviz.queries.sensitivity import plain

Span = Literal["hour", "day", "week", "month", "quarter", "year"]
SPANS: tuple[Span, ...] = get_args(Span)
MONTHS: dict[Span, int] = {"month": 1, "quarter": 3, "year": 12}  # of spans that are made of them
Cycle = Literal["weekday", "hour of the day", "month of the year", "quarter of the year"]
CYCLES: tuple[Cycle, ...] = get_args(Cycle)
_NAMES: dict[Cycle, tuple[str, ...]] = {
    "weekday": (*("Monday", "Tuesday", "Wednesday", "Thursday"), *("Friday", "Saturday", "Sunday")),
    "hour of the day": tuple(f"{hour:02}:00" for hour in range(24)),
    "month of the year": (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
    "quarter of the year": ("1st quarter", "2nd quarter", "3rd quarter", "4th quarter"),
}
_EPOCH = date(1970, 1, 1)
_MOST_IN_SQL = 256  # edges that are compared one by one, where no engine finds the nearest
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
        if not table.engine.finds_nearest and len(self.edges) <= _MOST_IN_SQL:
            inner = list(self.edges[1:-1])
            yield rows.mutate(position=_steps_up(rows.key, inner, 0))
            return
        with table.listed([repr(edge) for edge in self.edges]) as listed:
            edges = listed.select(low=table.engine.float_of(listed.value), position=listed.position)
            low = edges.filter(edges.position < len(self.edges) - 1)
            if table.engine.finds_nearest:
                yield rows.asof_join(low, rows.key >= low.low)
                return
            high = edges.select(high=edges.low, after=edges.position - 1)
            bins = low.join(high, low.position == high.after)
            last = bins.position == len(self.edges) - 2  # which holds its upper edge, too
            inside = (rows.key >= bins.low) & ((rows.key < bins.high) | last)
            yield rows.join(bins.drop("after"), inside)


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
        start, stop = date.fromisoformat(self.start), date.fromisoformat(self.stop)
        first, after = ((day - _EPOCH).days for day in (start, stop))
        rows = table.expression.select(key=table.moment(self.column), **carried)
        found = table.engine.calendar(rows.key)
        if self.every in MONTHS:
            months = rows.mutate(month=found.months - (start.year * 12 + start.month - 1))
            inside = months.filter((months.month >= 0) & (months.month < _months(start, stop)))
            position = inside.month // MONTHS[self.every]
        else:
            days = rows.mutate(day=found.days - first, hour=found.hour)
            inside = days.filter((days.day >= 0) & (days.day < after - first))
            position = inside.day // 7 if self.every == "week" else inside.day
            position = position * 24 + inside.hour if self.every == "hour" else position
        yield inside.mutate(position=position.cast("int64"))


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
        found = table.engine.calendar(rows.key)
        part = {
            "weekday": found.weekday,
            "hour of the day": found.hour,
            "month of the year": found.months % 12,
            "quarter of the year": found.months % 12 // 3,
        }[self.of]
        yield rows.mutate(position=part.cast("int64"))


def _steps_up(key: Any, edges: list[float], below: int) -> Any:
    """Ibis expression of how many edges are at or below a number, by halving the list.

    Args:
        key: the number.
        edges: ascending.
        below: edges that are surely below.
    """
    import ibis  # only where it is needed: it takes half a second

    if not edges:
        return ibis.literal(below, "int64")
    middle = len(edges) // 2
    lower = _steps_up(key, edges[:middle], below)
    upper = _steps_up(key, edges[middle + 1 :], below + middle + 1)
    return (key < real(edges[middle])).ifelse(lower, upper)


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
