"""The rows of a statistic within their bounds: computed in the engine, one person at a time.

Which rows of a person count is a function of this person's rows alone: the rows that belong to a
group (and hold a number, where numbers are asked for) are ranked by their group's place in the
list, or in the order that the salt gives this person, and, within a group, by their place in the
file, or where a table stays in its engine by `Table.turns`. Rows that are only counted are all
alike, so which of them count needs no order.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.queries.bounds import Bounds
from dpviz.queries.clip import Clip
from dpviz.queries.groupings import Placing, Tallying

LARGEST_SUM = 2**62  # in steps, so that noise in 64 bits can be added
_DIGITS = 53  # of a float, in base 2
_MOST_SHIFT = 62  # a power of two that an int64 holds


@contextmanager
def ranked(table: Table, by: Placing, bounds: Bounds, clip: Clip | None) -> Iterator[Any]:
    """The rows that can count, as Ibis table; it can be computed within the `with` block only.

    Columns: `position` of the group; `nth_group` and `nth_row` of this person, both from 0;
    `number`, the value as it is in the file, where `clip` names a column.

    Raises:
        DataError: if the table lacks a column.
    """
    import ibis  # only where it is needed: it takes half a second

    carried, turns = {}, ["position"]
    if clip is not None:
        carried["number"] = table.number(clip.column)
    if bounds.person is not None:
        carried["person"] = table.text(bounds.person)
        if clip is not None:
            sorted_by = table.turns(bounds.salt)
            carried, turns = {**carried, **sorted_by}, sorted(sorted_by)
    with by.placed(table, carried) as rows:
        if clip is not None:
            rows = rows.filter(rows.number.notnull())
        if bounds.person is None:  # a row is a person with one row in one group
            yield rows.mutate(nth_group=ibis.literal(0), nth_row=ibis.literal(0))
            return
        rows = rows.filter(rows.person.notnull())
        order, rows = _order(table, rows, bounds)
        pair = ["person", "position"]
        yield rows.mutate(
            nth_group=ibis.dense_rank().over(group_by="person", order_by=order),
            nth_row=ibis.row_number().over(group_by=pair, order_by=turns),
        )


def _order(table: Table, rows: Any, bounds: Bounds) -> tuple[list[str], Any]:
    """The columns that sort a person's groups, and the rows with these columns."""
    if not bounds.salt:
        return ["position"], rows
    # two groups of one hash would keep the order of the list
    return ["turn", "position"], rows.mutate(turn=_turn(table, bounds.salt, rows))


def _turn(table: Table, salt: str, rows: Any) -> Any:
    """Ibis expression of what sorts a person's groups: MD5 of salt, group and person, by lines."""
    import ibis  # only where it is needed: it takes half a second

    place = rows.position
    if place.type().is_integer():  # SQLite holds a quotient as 3.0
        place = place.cast("float64").cast("int64").cast("string")
    lines = ibis.literal(f"{salt}\n") + place + "\n" + rows.person
    return table.engine.md5(lines)


def counted(table: Table, by: Tallying, bounds: Bounds, k: int) -> NDArray[np.int64]:
    r"""How many of the `ranked` rows count in each group, shape (k,); the rows themselves stay.

    Of each person and group there is one number, min(rows, ℓ∞), of which the first ℓ₀ count. So an
    engine sorts persons with their groups, and never all their rows. Without persons, rows that are
    alike may be added before their group is found.

    Raises:
        DataError: if the table lacks a column, or the engine cannot compute them.

    >>> from dpviz.data import read_csv
    >>> from dpviz.queries import Everybody
    >>> counted(read_csv(b"id\n1\n1\n2\n"), Everybody(), Bounds(person="id"), 1)
    array([2])
    """
    import ibis  # only where it is needed: it takes half a second

    if bounds.person is None:
        with by.tallied(table) as rows:
            return per_group(table, rows, k, "times")[0]
    with by.placed(table, {"person": table.text(bounds.person)}) as rows:
        rows = rows.filter(rows.person.notnull())
        pairs = rows.group_by(["person", "position"]).aggregate(rows=rows.count())
        pairs = pairs.mutate(counts=ibis.least(pairs["rows"], bounds.rows_per_group))
        if bounds.groups_per_person < k:
            order, pairs = _order(table, pairs, bounds)
            pairs = pairs.mutate(nth=ibis.row_number().over(group_by="person", order_by=order))
            pairs = pairs.filter(pairs.nth < bounds.groups_per_person)
        return per_group(table, pairs, k, "counts")[0]


@contextmanager
def bounded(table: Table, by: Placing, bounds: Bounds, clip: Clip | None) -> Iterator[Any]:
    """Those of the `ranked` rows that count: in the first ℓ₀ groups, the first ℓ∞ rows of each."""
    with ranked(table, by, bounds, clip) as rows:
        yield rows.filter(
            (rows.nth_group < bounds.groups_per_person) & (rows.nth_row < bounds.rows_per_group)
        )


def real(number: float) -> Any:
    """Ibis expression of exactly this number: whole numbers, times or over a power of two.

    A bare one would reach the engine as a decimal, and engines read decimals in their own ways.

    Raises:
        ParameterError: the number is not finite.

    >>> real(0.1).type().is_float64()
    True
    """
    import ibis  # only where it is needed: it takes half a second

    fraction, exponent = math.frexp(checks.reals(number=number))
    whole = int(math.ldexp(fraction, _DIGITS))
    shift = exponent - _DIGITS if whole else 0
    while whole and whole % 2 == 0 and shift < 0:
        whole, shift = whole // 2, shift + 1
    found = ibis.literal(whole, "int64").cast("float64")
    for left in range(abs(shift), 0, -_MOST_SHIFT):
        by = ibis.literal(2 ** min(left, _MOST_SHIFT), "int64").cast("float64")
        found = found * by if shift > 0 else found / by
    return found


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
    scaled = over(number, step, step)
    whole = scaled.floor()
    return whole + (scaled - whole >= 0.5).ifelse(1, 0)


def over(number: Any, by: float, step: float) -> Any:
    """Ibis expression x/y, and 0 where that is far below a step: Postgres refuses what underflows.

    Args:
        number: x.
        by: y, above 0.
        step: what makes a step of x; a quarter of it rounds to 0.

    >>> over(real(3.0), 2.0, 1.0).type().is_float64()
    True
    """
    small = number.abs() < real(step / 4)
    return small.ifelse(real(0.0), number) / real(by)


def check_sums(table: Table, most: float) -> None:
    r"""Refuse sums that may leave 64 bits, by what the table may hold and not by what it does.

    Args:
        table: whose rows are summed.
        most: the most steps of a row.

    Raises:
        ParameterError: with the smallest step that fits.

    >>> from dpviz.data import read_csv
    >>> check_sums(read_csv(b"id\n1\n"), 2.0**36)
    """
    times = most * table.engine.most_rows / LARGEST_SUM
    if times > 1:
        wider = 2 ** math.ceil(math.log2(times))
        raise ParameterError(
            "the step is too fine for exact sums of a table that is as large as this one may be; "
            f"type a step that is at least {wider:,} times as wide"
        )


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
    places = [int(place) for place in answer["position"].to_pylist()]
    found = []
    for name in columns:
        totals = [int(text) for text in answer[name].to_pylist()]
        found.append(np.zeros(k, dtype=np.int64))
        found[-1][places] = totals
    return found
