"""Statistics computed slowly and literally, in plain Python over a list of rows.

A table is a list of rows, a row maps column names to text, an empty text is a missing value. Every
statistic here is a sum of `one_person` over the persons, so it is additive by construction.
"""

import hashlib
import itertools
import math
import re
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import cache
from typing import Any

from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    ByBins,
    ByColumn,
    ByCycle,
    ByThreeColumns,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
)

Row = dict[str, str]
Rows = list[Row]


@cache
def number(text: str) -> float | None:
    """The finite decimal number that the whole text is."""
    if re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", text) is None:
        return None
    value = float(text)
    return value if math.isfinite(value) else None


@cache
def moment(text: str) -> datetime | None:
    """The date or time that the whole text is, zone ignored; 24:00 is the end of the day."""
    shape = r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?Z?)?"
    found = re.fullmatch(shape, text, flags=re.ASCII)
    if found is None:
        return None
    day, clock, seconds, fraction = found.groups()
    if clock == "24:00" and int(f"{seconds or 0}{fraction or 0}") == 0:
        return moment(day) and moment(day) + timedelta(1)
    try:
        return datetime.fromisoformat(
            f"{day} {clock or '00:00'}:{seconds or '00'}.{(fraction or '').ljust(6, '0')}"
        )
    except ValueError:
        return None


def position(by: Any, row: Row) -> int | None:
    """The group of a row, by going through the list."""
    if isinstance(by, Everybody):
        return 0
    if isinstance(by, ByColumn):
        return by.groups.index(row[by.column]) if row[by.column] in by.groups else None
    if isinstance(by, ByTwoColumns | ByThreeColumns):
        every = list(itertools.product(*(part.groups for part in by.parts)))
        mine = tuple(row[part.column] for part in by.parts)
        return every.index(mine) if mine in every else None
    if isinstance(by, ByCycle):
        return cycle_of(by, moment(row[by.column]))
    if isinstance(by, ByBins):
        return bin_of(by.edges, number(row[by.column]))
    assert isinstance(by, ByTime)
    return span_of(by, moment(row[by.column]))


def bin_of(edges: tuple[float, ...], value: float | None) -> int | None:
    """The bin of a number: with its lower edge, without its upper one but for the last."""
    for i, (low, high) in enumerate(itertools.pairwise(edges)):
        if value is not None and (low <= value < high or value == high == edges[-1]):
            return i
    return None


def span_of(by: ByTime, when: datetime | None) -> int | None:
    """The span of a time, by its label."""
    if when is None or not by.start <= when.date().isoformat() < by.stop:
        return None
    if by.every == "week":
        begins = [date.fromisoformat(label) for label in by.labels]
        week = timedelta(days=7)
        return next(i for i, day in enumerate(begins) if day <= when.date() < day + week)
    if by.every == "quarter":
        return by.labels.index(f"{when.year} Q{(when.month + 2) // 3}")
    form = {"hour": "%Y-%m-%d %H:00", "day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}[by.every]
    return by.labels.index(when.strftime(form))


def cycle_of(by: ByCycle, when: datetime | None) -> int | None:
    """The place of a time in its week, day or year."""
    if when is None:
        return None
    if by.of == "weekday":
        return when.weekday()
    if by.of == "hour of the day":
        return when.hour
    return when.month - 1 if by.of == "month of the year" else (when.month - 1) // 3


def turns(query: Any, rows: Rows, places: Any) -> list[int]:
    """A person's groups in the order in which they count: that of the list, or of the salt."""
    salt, person = query.bounds.salt, query.bounds.person
    if not salt:
        return sorted(places)

    def turn(place: int) -> tuple[str, int]:
        text = f"{salt}\n{place}\n{rows[0][person]}"
        return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(), place

    return sorted(places, key=turn)


@cache
def steps(value: float, step: float) -> int:
    """The nearest number of steps; from the middle of two, the upper one."""
    return math.floor(Fraction(value) / Fraction(step) + Fraction(1, 2))


def contribution(query: Any, row: Row) -> list[int] | None:
    """What one row adds to its group, in steps; None: it is left out before the bounds."""
    if isinstance(query, Count):
        return [1]
    value = number(row[query.column])
    if value is None:
        return None
    value = min(max(value, query.lower), query.upper)
    if isinstance(query, BoundedSum):
        return [steps(value, query.step)]
    assert isinstance(query, BoundedMean)
    middle, half = query.lower / 2 + query.upper / 2, query.upper / 2 - query.lower / 2
    scaled = min(max((value - middle) / half, -1.0), 1.0)
    return [steps(scaled, query.step), int(1 / query.step)]


def one_person(query: Any, rows: Rows) -> list[int]:
    """The released coordinates of a table of this one person, whose rows these are, in order."""
    k = len(query.by.labels)
    parts: dict[int, list[list[int]]] = {}
    for row in rows:
        place, part = position(query.by, row), contribution(query, row)
        if place is not None and part is not None:
            parts.setdefault(place, []).append(part)
    width = 2 if isinstance(query, BoundedMean) else 1
    vector = [0] * (k * width)
    for place in turns(query, rows, parts)[: query.bounds.groups_per_person]:
        for part in parts[place][: query.bounds.rows_per_group]:
            for i, amount in enumerate(part):
                vector[i * k + place] += amount
    return [*vector, sum(vector)] if getattr(query, "total", False) else vector


def persons(query: Any, rows: Rows) -> list[Rows]:
    """The rows of each person, in order."""
    if query.bounds.person is None:
        return [[row] for row in rows]
    names = dict.fromkeys(row[query.bounds.person] for row in rows)
    return [[row for row in rows if row[query.bounds.person] == name] for name in names if name]


def exact(query: Any, rows: Rows) -> list[int]:
    """The released coordinates of a table."""
    vectors = [one_person(query, of_one) for of_one in persons(query, rows)]
    return [sum(column) for column in zip(*vectors, strict=True)] or [0] * query.dimension
