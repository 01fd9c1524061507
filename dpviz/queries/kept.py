"""What the bounds cost: how many rows they keep, and the statistic without them. Not private.

To look at these numbers is to look at the data; they are for teaching, or for people who may
see everything anyway.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.queries.bounded_mean import BoundedMean
from dpviz.queries.query import Query
from dpviz.queries.rows import ranked, real


@dataclass(frozen=True, slots=True)
class KeptRows:
    """Rows of a table that are left after each bound, in this order. Not private.

    Attributes:
        rows: all of them.
        in_groups: that belong to a group and have a person and a number, where these are asked for.
        after_groups: of these, in the first ℓ₀ groups of their person.
        after_rows: of these, among the first ℓ∞ rows of their person there.
        clipped: of these, whose value the range moved.
    """

    rows: int
    in_groups: int
    after_groups: int
    after_rows: int
    clipped: int

    def __post_init__(self) -> None:
        for name in self.__slots__:
            checks.whole(0, **{name: getattr(self, name)})


def kept(query: Query, table: Table) -> KeptRows:
    r"""Count the rows that each bound keeps. Not private.

    Raises:
        DataError: if the table lacks a column, or the engine cannot compute them.

    >>> from dpviz.data import read_csv
    >>> from dpviz.queries import Bounds, ByColumn, Count
    >>> visits = read_csv(b"id,ward\n1,A\n1,B\n1,B\n2,B\n,A\n", name="visits")
    >>> kept(Count(ByColumn("ward", ("A", "B")), Bounds(person="id")), visits)
    KeptRows(rows=5, in_groups=4, after_groups=2, after_rows=2, clipped=0)
    """
    _check(query, table)
    bounds, clip = query.bounds, query.clip
    with ranked(table, query.by, bounds, clip) as rows:
        first = rows.nth_group < bounds.groups_per_person
        counts = first & (rows.nth_row < bounds.rows_per_group)
        sums = {"in_groups": rows.count(), "after_groups": first.sum(), "after_rows": counts.sum()}
        if clip is not None:
            sums["clipped"] = (
                counts & ~rows.number.between(real(clip.lower), real(clip.upper))
            ).sum()
        answer = table.collect(rows.aggregate(**sums))
    found = {name: int(answer[name][0].as_py() or 0) for name in sums}  # no rows: null
    return KeptRows(rows=table.rows(), clipped=found.pop("clipped", 0), **found)


def unbounded(query: Query, table: Table) -> NDArray[np.float64]:
    r"""The same statistic without ℓ₀, ℓ∞ and the range, shape (number of labels,). Not private.

    A count of people stays one of people, once per group. Rows without a person, or without a
    number where one is asked for, are left out as they are within the bounds. The mean of a group
    without rows is NaN.

    Raises:
        DataError: if the table lacks a column, or the engine cannot compute it.

    >>> from dpviz.data import read_csv
    >>> from dpviz.queries import BoundedSum, Bounds, ByColumn, Count
    >>> visits = read_csv(b"id,ward\n1,A\n1,B\n1,B\n2,B\n,A\n", name="visits")
    >>> unbounded(Count(ByColumn("ward", ("A", "B")), Bounds(person="id")), visits)
    array([1., 2.])
    >>> unbounded(BoundedSum("id", 0, 1), visits)
    array([5.])
    """
    _check(query, table)
    k = len(query.by.labels)
    with ranked(table, query.by, query.bounds, query.clip) as rows:
        if query.clip is None and query.bounds.rows_per_group == 1:
            rows = rows.filter(rows.nth_row == 0)
        sums = {"rows": rows.count()}
        if query.clip is not None:
            sums["total"] = rows.number.sum()
        answer = table.collect(rows.group_by("position").aggregate(**sums))
    found = {name: np.zeros(k) for name in sums}
    for name, values in found.items():
        values[answer["position"].to_numpy()] = answer[name].to_numpy()
    if isinstance(query, BoundedMean):
        with np.errstate(invalid="ignore"):  # 0/0: no rows
            return found["total"] / found["rows"]
    statistic = found.get("total", found["rows"])
    return np.append(statistic, statistic.sum()) if len(query.labels) > k else statistic


def _check(query: Query, table: Table) -> None:
    """Refuse what is not a query, or not a table."""
    checks.instance(Table, table=table)
    if isinstance(query, type) or not hasattr(query, "bounds"):
        raise ParameterError("query must be a query, for example Count(EVERYBODY)")
