"""How near a number will come, before it is drawn: of a mean, by what its two numbers allow.

A mean is released as a sum and a number of rows, and how far off it may be depends on that number,
which nobody knows beforehand. So it is said of a mean of `ROWS` rows; what is handed out has the
interval of each mean by its own released number.
"""

from dpviz.accounting import half_width
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Budget
from dpviz.queries import BoundedMean, Query
from dpviz.words import after

ROWS = 100  # of a mean, where nobody knows how many there are


def what_is_near(query: Query) -> str:
    """What an accuracy is of.

    >>> from dpviz.queries import ByColumn, Count, Everybody
    >>> what_is_near(Count(Everybody())), what_is_near(Count(ByColumn("ward", ("A", "B"))))
    ('the number', 'each count')
    >>> what_is_near(BoundedMean("euros", 0, 50))
    'a mean of 100 rows'
    """
    if query.per_value > 1:
        return f"{'a' if len(query.labels) == 1 else 'each'} mean of {ROWS} {query.nouns.rows}"
    if len(query.labels) == 1:
        return "the number"
    return "each count" if query.clip is None else "each number"


def half_of_mean(level: float, family: Family, confidence: float, query: BoundedMean) -> float:
    """How far off a mean of `ROWS` rows may be, in its unit.

    Args:
        level: of the noise.
        family: likewise.
        confidence: that its sum and its number of rows are within their ± together.
        query: the mean.

    >>> from dpviz.noise import FAMILIES
    >>> euros = BoundedMean("euros", 0, 50, step=1)
    >>> round(half_of_mean(4.0, FAMILIES["gaussian"], 0.95, euros), 2)
    2.14
    """
    return query.within(ROWS, half_width(family, level, confidence, coordinates=query.per_value))


def nearness(query: Query, family: Family, budget: Budget) -> tuple[float, str]:
    """How near a number will come at a budget, and what follows the ±: its unit, and of what.

    Args:
        query: what is released.
        family: the noise.
        budget: of the tier.
    """
    if isinstance(query, BoundedMean):
        half = half_of_mean(budget.level, family, ACCURACY_CONFIDENCE, query)
        return half, f"{after(query.noun)} for {what_is_near(query)}"
    return budget.half_width, query.noun_released
