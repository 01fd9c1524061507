"""The rows of a statistic within their bounds: computed in the engine, one person at a time.

Which rows of a person count is a function of this person's rows alone: the rows that belong to a
group (and hold a number, where numbers are asked for) are ranked by their group's place in the
list, or in the order that the salt gives this person, and, within a group, by their place in the
file.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.data import Table
from dpviz.queries.bounds import Bounds
from dpviz.queries.clip import Clip
from dpviz.queries.groupings import Placing


@contextmanager
def ranked(table: Table, by: Placing, bounds: Bounds, clip: Clip | None) -> Iterator[Any]:
    """The rows that can count, as Ibis table; it can be computed within the `with` block only.

    Columns: `position` of the group; `nth_group` and `nth_row` of this person, both from 0;
    `number`, the value as it is in the file, where `clip` names a column.

    Raises:
        DataError: if the table lacks a column.
    """
    import ibis  # only where it is needed: it takes half a second

    carried = {}
    if clip is not None:
        carried["number"] = table.number(clip.column)
    if bounds.person is not None:
        carried |= {"person": table.text(bounds.person), "place": table.place}
    with by.placed(table, carried) as rows:
        if clip is not None:
            rows = rows.filter(rows.number.notnull())
        if bounds.person is None:  # a row is a person with one row in one group
            yield rows.mutate(nth_group=ibis.literal(0), nth_row=ibis.literal(0))
            return
        rows = rows.filter(rows.person.notnull())
        order, pair = ["position"], ["person", "position"]
        if bounds.salt:
            rows = rows.mutate(turn=_turn(bounds.salt, rows))
            order = ["turn", "position"]  # two groups of one hash would keep the order of the list
        yield rows.mutate(
            nth_group=ibis.dense_rank().over(group_by="person", order_by=order),
            nth_row=ibis.row_number().over(group_by=pair, order_by="place"),
        )


def _turn(salt: str, rows: Any) -> Any:
    """Ibis expression of what sorts a person's groups: MD5 of salt, group and person, by lines."""
    import ibis  # only where it is needed: it takes half a second

    lines = ibis.literal(f"{salt}\n") + rows.position.cast("string") + "\n" + rows.person
    return lines.hexdigest("md5")


@contextmanager
def bounded(table: Table, by: Placing, bounds: Bounds, clip: Clip | None) -> Iterator[Any]:
    """Those of the `ranked` rows that count: in the first ℓ₀ groups, the first ℓ∞ rows of each."""
    with ranked(table, by, bounds, clip) as rows:
        yield rows.filter(
            (rows.nth_group < bounds.groups_per_person) & (rows.nth_row < bounds.rows_per_group)
        )


def real(number: float) -> Any:
    """Ibis literal of exactly this number; a bare one would reach the engine as a decimal.

    >>> real(0.1).type().is_float64()
    True
    """
    import ibis  # only where it is needed: it takes half a second

    return ibis.literal(repr(number)).cast("float64")


def clipped(rows: Any, clip: Clip) -> Any:
    """Ibis expression of the rows' numbers within the range."""
    return within(rows.number, clip.lower, clip.upper)


def within(number: Any, low: float, high: float) -> Any:
    """Ibis expression of numbers, none missing, moved to the nearer end of [low, high]."""
    import ibis  # only where it is needed: it takes half a second

    return ibis.greatest(ibis.least(number, real(high)), real(low))


def whole_steps(number: Any, step: float) -> Any:
    """Ibis expression ⌊x/s + ½⌋, exactly as `Grid.steps` rounds.

    Adding ½ first would round the sum: 0.49999999999999994 + 0.5 is 1.
    """
    scaled = number / real(step)
    whole = scaled.floor()
    return whole + (scaled - whole >= 0.5).cast("int64")


def per_group(table: Table, rows: Any, k: int, *columns: str) -> list[NDArray[np.int64]]:
    """Exact sums of columns of whole numbers per group, each of shape (k,).

    Args:
        table: whose rows.
        rows: Ibis table with the column `position`.
        k: number of groups.
        columns: what to sum.

    Raises:
        DataError: if the engine cannot compute them.
    """
    # as text, because Ibis would bring the engine's 128-bit sums here by way of floats
    sums = {name: rows[name].sum().cast("string") for name in columns}
    answer = table.collect(rows.group_by("position").aggregate(**sums))
    found = []
    for name in columns:
        totals = [int(text) for text in answer[name].to_pylist()]
        found.append(np.zeros(k, dtype=np.int64))
        found[-1][answer["position"].to_numpy()] = totals
    return found
