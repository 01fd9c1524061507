"""The numbers that linear queries ask about: a made-up year, or the statistic in use.

Only their names and units are here. The made-up year is public; the values of a statistic are
computed when a tier draws, and nowhere here.
"""

from collections.abc import Hashable
from dataclasses import dataclass

from dpviz import checks
from dpviz.linear.statistic import Summed
from dpviz.queries import ByBins, ByCycle, ByTime, ByTwoColumns, Everybody

WEEKS = (  # visits to a made-up clinic, week by week
    *(99, 84, 99, 81, 94, 125, 111, 120, 120, 106, 132, 122, 135),
    *(145, 129, 146, 130, 138, 161, 146, 157, 161, 139, 158, 139, 147),
    *(160, 136, 145, 130, 132, 143, 120, 133, 126, 103, 121, 95, 105),
    *(110, 84, 98, 84, 83, 100, 76, 94, 92, 76, 103, 82, 98),
)
QUARTERS, OF_QUARTER = 4, 13


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossed:
    """Numbers in rows and columns: the words of the question, and the names."""

    words: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """What the numbers are called.

    Attributes:
        key: what they are the numbers of.
        labels: of each, such as "3".
        one: what one of them is, such as "week"; "weeks" are several.
        noun: their unit.
        step: one whole step of them, in that unit.
        ordered: whether the list has an order of its own, as times and bins have.
        crossed: set if they are in rows and columns, row by row.
        made_up: whether they are public, and any first few of them may be asked about.
    """

    key: Hashable
    labels: tuple[str, ...]
    one: str
    noun: str
    step: float = 1.0
    ordered: bool = True
    crossed: Crossed | None = None
    made_up: bool = False

    def __post_init__(self) -> None:
        checks.positive(step=self.step)

    @property
    def many(self) -> str:
        """Several of them."""
        return f"{self.one}s"

    def name(self, place: int) -> str:
        """The name of one of them, to go on a sentence.

        >>> YEAR.name(2)
        'week 3'
        """
        return self.labels[place] if self.one == "number" else f"{self.one} {self.labels[place]}"

    def span(self, first: int, last: int) -> str:
        """The name of a range of them, both ends in it.

        >>> YEAR.span(2, 2), YEAR.span(2, 6)
        ('week 3', 'weeks 3 … 7')
        """
        if first == last:
            return self.name(first)
        return f"{self.many} {self.labels[first]} … {self.labels[last]}"


YEAR = Numbers(
    key="a made-up year",
    labels=tuple(str(week) for week in range(1, len(WEEKS) + 1)),
    one="week",
    noun="visits",
    crossed=Crossed(
        words="quarters and weeks within them",
        rows=tuple(f"quarter {q}" for q in range(1, QUARTERS + 1)),
        columns=tuple(f"week {w} of all quarters" for w in range(1, OF_QUARTER + 1)),
    ),
    made_up=True,
)


def of_query(query: Summed) -> Numbers:
    """The values of a query.

    >>> from dpviz.queries import Count
    >>> ages = of_query(Count(ByBins("age", (0, 10, 20, 30))))
    >>> ages.name(0), ages.span(0, 1), ages.noun
    ('bin 0 to 10', 'bins 0 to 10 … 10 to 20', 'people')
    """
    by = query.by
    words = {ByBins: "bin", ByTwoColumns: "pair", Everybody: "number"}
    return Numbers(
        key=query,
        labels=query.labels,
        one=by.every if isinstance(by, ByTime) else words.get(type(by), "group"),
        noun=query.noun,
        step=query.step,
        ordered=isinstance(by, ByBins | ByTime | ByCycle),
        crossed=_crossed(by) if isinstance(by, ByTwoColumns) else None,
    )


def _crossed(by: ByTwoColumns) -> Crossed:
    first, second = by.first, by.second
    return Crossed(
        words="row and column sums",
        rows=tuple(f"{first.title} {group}" for group in first.labels),
        columns=tuple(f"{second.title} {group}" for group in second.labels),
    )
