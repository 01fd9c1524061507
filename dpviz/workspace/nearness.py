"""How near a number will come, before it is drawn: of a mean, by what its two numbers allow.

A mean is released as a sum and a number of rows, and how far off it may be depends on that number.
It is said for the smallest group that is expected or was released, and where neither is known for
an example; what is handed out has the interval of each mean by its own released number.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting import half_width
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Budget
from dpviz.planning.tiers import read_sizes
from dpviz.queries import BoundedMean, Count, Query
from dpviz.words import after
from dpviz.words.grammar import with_noun
from dpviz.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Size:
    """How many rows the mean has of which an accuracy is said.

    Attributes:
        rows: at least 1.
        least: whether the means of other groups may have more.
        why: where the number is from.

    >>> Size.about(80.5, least=True, why="typed").of("rows")
    'at least 80 rows'
    """

    rows: float = 100
    least: bool = False
    why: str = "an example, as the number of rows is known from a release only"

    def __post_init__(self) -> None:
        checks.instance(bool, least=self.least)
        checks.positive(rows=self.rows)

    @classmethod
    def about(cls, rows: float, *, least: bool, why: str) -> "Size":
        """A size by a number that has noise, or that is rough: whole, and at least one row."""
        return cls(float(max(1, math.floor(rows))), least, why)

    def of(self, noun: str) -> str:
        """The number of rows, in words."""
        return f"{'at least ' * self.least}{with_noun(f'{self.rows:,.0f}', noun)}"


EXAMPLE = Size()


def released_rows(
    query: Query, released: NDArray[Any], why: str = "the smallest number of rows that was released"
) -> Size | None:
    """The smallest number of rows of a group by a release of numbers or means; None of sums.

    Args:
        query: what was released.
        released: in steps, without the mean of the noise, shape (d,).
        why: where the number is from.
    """
    groups = len(query.by.labels)
    if isinstance(query, BoundedMean):
        rows = released[groups:] * query.step
    elif isinstance(query, Count):
        rows = released[:groups]
    else:
        return None
    return Size.about(float(rows.min()), least=groups > 1, why=why)


def what_is_near(query: Query, size: Size = EXAMPLE) -> str:
    """What an accuracy is of.

    >>> from dpviz.queries import ByColumn, Count, Everybody
    >>> what_is_near(Count(Everybody())), what_is_near(Count(ByColumn("ward", ("A", "B"))))
    ('the number', 'each count')
    >>> what_is_near(BoundedMean("euros", 0, 50))
    'a mean of 100 rows'
    """
    if query.per_value > 1:
        one = "a" if len(query.labels) == 1 else "each"
        return f"{one} mean of {size.of(query.nouns.rows)}"
    if len(query.labels) == 1:
        return "the number"
    return "each count" if query.clip is None else "each number"


def half_of_mean(
    level: float, family: Family, confidence: float, query: BoundedMean, size: Size = EXAMPLE
) -> float:
    """How far off a mean of this many rows, or of more, may be, in its unit.

    Args:
        level: of the noise.
        family: likewise.
        confidence: that its sum and its number of rows are within their ± together.
        query: the mean.
        size: how many rows it has.

    >>> from dpviz.noise import FAMILIES
    >>> euros = BoundedMean("euros", 0, 50, step=1)
    >>> round(half_of_mean(4.0, FAMILIES["gaussian"], 0.95, euros), 2)
    2.14
    """
    half = half_width(family, level, confidence, coordinates=query.per_value)
    return query.within(size.rows, half)


def half_of_number(
    level: float, family: Family, confidence: float, query: Query, size: Size = EXAMPLE
) -> float:
    """How far off a released number may be, or a mean by its rows, in units of the statistic.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Count, Everybody
    >>> round(half_of_number(4.0, FAMILIES["gaussian"], 0.95, Count(Everybody())), 2)
    3.92
    """
    if isinstance(query, BoundedMean):
        return half_of_mean(level, family, confidence, query, size)
    return half_width(family, level, confidence) * query.step


def nearness(
    query: Query, family: Family, budget: Budget, size: Size = EXAMPLE
) -> tuple[float, str]:
    """How near a number will come at a budget, and what follows the ±: its unit, and of what.

    Args:
        query: what is released.
        family: the noise.
        budget: of the tier.
        size: how many rows a mean has.
    """
    if isinstance(query, BoundedMean):
        half = half_of_mean(budget.level, family, ACCURACY_CONFIDENCE, query, size)
        return half, f"{after(query.noun)} for {what_is_near(query, size)}"
    return budget.half_width, query.noun_released


# --- how many rows the visitor's groups have, as far as that was typed or released ---


TYPED = "the smallest size of a group that is typed on the page Tiers"
RELEASED = "the smallest count of a group that was released, with its noise"


def size_of(ws: Workspace) -> Size:
    """The size for which the page says how near means come: typed, else released, else an example.

    A released count is that of the sharpest tier, so this is for those who see all tiers.

    >>> size_of(Workspace.fresh()) == EXAMPLE
    True
    """
    if ws.statistic.query.per_value == 1:
        return EXAMPLE
    typed = typed_size(ws)
    return typed if typed != EXAMPLE else _released(ws)


def typed_size(ws: Workspace) -> Size:
    """The smallest size that is typed, which everybody may know; else the example."""
    query = ws.statistic.query
    each_row = query.bounds.person is None  # then numbers of people are numbers of rows
    for counted in (query.counted, *(["people"] if each_row else [])):
        try:
            sizes = read_sizes(ws.plan.sizes.get(counted, ""), query.labels)
        except ParameterError:  # nothing is typed, or for other groups
            continue
        alike = len(sizes) == len(query.labels) and len(set(sizes.values())) == 1
        return Size.about(min(sizes.values()), least=not alike, why=TYPED)
    return EXAMPLE


def _released(ws: Workspace) -> Size:
    """The smallest released count of the same groups, of the least noise; else the example."""
    found = sorted(_counts(ws), key=lambda pair: pair[0])
    return found[0][1] if found else EXAMPLE


def _counts(ws: Workspace) -> Iterator[tuple[float, Size]]:
    """Smallest counts of the same groups, one for each session, with their ±."""
    mine = ws.statistic
    for one in ws.rounds:
        there, held = one.statistic, one.mechanism.held
        if not held or there.table.digest != mine.table.digest or there.query.by != mine.query.by:
            continue
        level, family = min(held), ADDITIVE[one.asking.family.name]
        size = released_rows(there.query, held[level] - family.mean(level), RELEASED)
        if size is not None:
            half = half_width(family, level, ACCURACY_CONFIDENCE)
            yield half * (there.query.step if there.query.per_value > 1 else 1.0), size
