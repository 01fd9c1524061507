"""What each bound keeps, and the statistic without bounds, against plain Python."""

import math

import numpy as np
import pytest

from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    Bounds,
    ByColumn,
    Count,
    Everybody,
    KeptRows,
    Query,
    kept,
    unbounded,
)
from tests.conftest import few, for_each, full_run
from tests.oracles_queries import Rows, number, position
from tests.unit.queries.test_values import random_rows, table_of

WARDS = ByColumn("ward", ("d", "a", "c", "b"))
ROWS: Rows = [
    {"id": who, "ward": ward, "x": x}
    for who, ward, x in (
        ("p", "a", "1"),
        ("p", "a", "20"),
        ("p", "a", "-3"),
        ("p", "b", "4"),
        ("p", "d", "none"),
        ("q", "b", "50"),
        ("q", "e", "6"),
        ("", "a", "7"),
        ("r", "", "8"),
    )
]


@for_each(
    ("query", "expected"),
    [
        (Count(WARDS), KeptRows(9, 7, 7, 7, 0)),
        (Count(WARDS, Bounds("id")), KeptRows(9, 6, 2, 2, 0)),  # p in d, q in b
        (Count(WARDS, Bounds("id", 2)), KeptRows(9, 6, 5, 3, 0)),
        (Count(WARDS, Bounds("id", 2, 2)), KeptRows(9, 6, 5, 4, 0)),
        (Count(Everybody(), Bounds("id", 1, 2)), KeptRows(9, 8, 8, 5, 0)),
        (BoundedSum("x", 0, 10, WARDS), KeptRows(9, 6, 6, 6, 3)),
        (BoundedSum("x", 0, 10, WARDS, Bounds("id", 1, 2)), KeptRows(9, 5, 4, 3, 2)),
        (BoundedSum("x", -3, 50, WARDS), KeptRows(9, 6, 6, 6, 0)),  # the ends are not moved
        (BoundedMean("x", 0, 10, WARDS, Bounds("id", 3, 9)), KeptRows(9, 5, 5, 5, 3)),
        (Count(ByColumn("ward", ("z",)), Bounds("id")), KeptRows(9, 0, 0, 0, 0)),
        (BoundedSum("x", 0, 10, ByColumn("ward", ("z",))), KeptRows(9, 0, 0, 0, 0)),
    ],
)
def test_kept(query: Query, expected: KeptRows) -> None:
    assert kept(query, table_of(ROWS)) == expected


def test_unbounded_counts_people_or_rows() -> None:
    table = table_of(ROWS)
    one, two = Bounds("id"), Bounds("id", 1, 2)
    assert unbounded(Count(WARDS), table).tolist() == [1, 4, 0, 2]
    assert unbounded(Count(WARDS, one), table).tolist() == [1, 1, 0, 2]  # people
    assert unbounded(Count(WARDS, two), table).tolist() == [1, 3, 0, 2]  # rows
    assert unbounded(Count(WARDS, one, total=True), table).tolist() == [1, 1, 0, 2, 4]
    assert unbounded(Count(Everybody(), one), table).tolist() == [3]


@pytest.mark.parametrize("seed", few(range(3), 3))
def test_unbounded_sums_and_means(seed: int) -> None:
    rows = random_rows(seed)
    for bounds in (Bounds(), Bounds("id")):
        values: list[list[float]] = [[] for _ in WARDS.labels]
        for row in rows:
            place, value = position(WARDS, row), number(row["x"])
            if place is not None and value is not None and (bounds.person is None or row["id"]):
                values[place].append(value)
        sums = unbounded(BoundedSum("x", 0, 1, WARDS, bounds), table_of(rows))
        means = unbounded(BoundedMean("x", 0, 1, WARDS, bounds), table_of(rows))
        assert sums == pytest.approx([math.fsum(v) for v in values])
        assert means == pytest.approx([np.mean(v) if v else math.nan for v in values], nan_ok=True)


def test_a_mean_without_rows_is_no_number() -> None:
    query = BoundedMean("x", 0, 1, ByColumn("ward", ("a", "z")))
    assert np.isnan(unbounded(query, table_of(ROWS))).tolist() == [False, True]


@full_run
def test_bounds_wide_enough_cost_nothing() -> None:
    rows = random_rows(9)
    table = table_of(rows)
    wide = Bounds("id", 4, 40)
    for query in (Count(WARDS, wide), BoundedSum("x", -1e7, 1e7, WARDS, wide, step=2.0**-10)):
        found = query.estimate(query.values(table))
        assert found == pytest.approx(unbounded(query, table), abs=40 * 2**-11)
        numbers = kept(query, table)
        assert numbers.in_groups == numbers.after_rows
        assert numbers.clipped == 0
