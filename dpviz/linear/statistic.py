"""A statistic of a table as the numbers x of linear queries, and what one person adds to them.

Numbers of people, or rows, and bounded sums per group are such numbers, in whole steps. A total
that is published beside its groups is left out: it is a question about them. A person is in at most
ℓ₀ groups and adds to each between ℓ∞ min(0, l) and ℓ∞ max(0, u) steps, where l and u are the clip
bounds in steps; 0 and 1 where people are counted.
Limits: `MOST_NUMBERS` numbers. A mean is not one: it is a sum divided by a number of rows.
"""

from dataclasses import replace

import numpy as np

from dpviz.errors import ParameterError
from dpviz.linear.contribution import Contribution
from dpviz.queries import BoundedSum, Count, Grid, Query

MOST_NUMBERS = 400
Summed = Count | BoundedSum


def numbers_of(query: Query) -> Summed:
    """The query whose values are x: the same without a published total.

    Args:
        query: a number of people or rows, or a bounded sum, per group.

    Raises:
        ParameterError: if it is a mean, or has more than `MOST_NUMBERS` numbers.

    >>> from dpviz.queries import ByColumn
    >>> numbers_of(Count(ByColumn("ward", ("A", "B")), total=True)).dimension
    2
    """
    if not isinstance(query, Count | BoundedSum):
        raise ParameterError(
            "linear queries add numbers up, and means do not add up; choose a number of people or "
            "a sum instead"
        )
    found = replace(query, total=False) if isinstance(query, Count) else query
    if found.dimension > MOST_NUMBERS:
        raise ParameterError(
            f"linear queries take up to {MOST_NUMBERS:,} numbers here, and this statistic has "
            f"{found.dimension:,}; choose fewer groups"
        )
    return found


def contribution_of(query: Summed) -> Contribution:
    """What one person adds to the values of a query, in steps.

    >>> from dpviz.queries import Bounds, ByColumn
    >>> wards = ByColumn("ward", ("A", "B", "C"))
    >>> visits = Bounds(person="id", groups_per_person=2, rows_per_group=5, relation="replace")
    >>> contribution_of(Count(wards, visits))
    Contribution(groups=2, low=0.0, high=5.0, relation='replace')
    >>> contribution_of(BoundedSum("euros", -10, 50, wards, visits, step=2))
    Contribution(groups=2, low=-25.0, high=125.0, relation='replace')
    """
    bounds, low, high = query.bounds, 0, 1
    if isinstance(query, BoundedSum):
        low, high = Grid(query.step).steps(np.array([query.lower, query.upper])).tolist()
    return Contribution(
        groups=bounds.groups_per_person,
        low=float(bounds.rows_per_group * min(0, low)),
        high=float(bounds.rows_per_group * max(0, high)),
        relation=bounds.relation,
    )
