"""Sensitivities hold under every reading: by brute force, and by a table written the plain way."""

import itertools

import numpy as np

from dpviz.data import Reading, Table
from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByCycle,
    ByTime,
    Count,
    Everybody,
    Query,
)
from tests.conftest import FULL, few
from tests.oracles_queries import Row, exact
from tests.unit.queries.test_values import table_of

READINGS = {
    "id": Reading(missing=("NA", "-")),
    "ward": Reading(missing=("null",)),
    "x": Reading(kind="number", decimal=",", thousands=".", missing=("-1",)),
    "when": Reading(kind="date", dates="dd.mm.yyyy", missing=("NA",)),
    "sick": Reading(kind="yes/no"),
    "short": Reading(kind="date", dates="mm/dd/yy", clock="AM/PM", first_year=1926),
}
MEANS = {  # how a value is written → what it is, in a table that is read as usual
    "id": {"p": "p", "q": "q", "NA": "", "-": "", "na": "na"},
    "ward": {"a": "a", "b": "b", "null": "", "NA": "NA"},
    "x": {"1.234,5": "1234.5", "12,5": "12.5", "12.34": "", "-1": "", "1.000": "1000", "NaN": ""},
    "when": {
        "31.12.2025": "2025-12-31",
        "1.1.2026 9:05": "2026-01-01 09:05",
        "31.02.2025": "",
        "2025-12-31": "",
        "NA": "",
    },
    "sick": {"Ja": "yes", "0": "no", "?": ""},
    "short": {
        "12/31/25 11:59 PM": "2025-12-31 23:59",
        "1/1/26 12:05 am": "1926-01-01 00:05",
        "31/12/25": "",
        "1/1/2026": "",
        "1/1/26 13:05": "",
    },
}
GROUPINGS = (
    Everybody(),
    ByColumn("ward", ("b", "a", "null")),
    ByColumn("sick", ("yes", "no")),
    ByBins("x", (0, 12.5, 1000, 1234.5)),
    ByTime("when", "month", "2025-12-01", "2026-02-01"),
    ByTime("short", "year", "1926-01-01", "2026-01-01"),
    ByCycle("short", "hour of the day"),
)


def queries() -> list[Query]:
    found: list[Query] = []
    for by, person, relation in itertools.product(
        GROUPINGS, (None, "id"), ("add/remove", "replace")
    ):
        groups = len(by.labels)
        l0 = 1 if person is None else min(2, groups)
        bounds = Bounds(person, l0, 1 if person is None else 2, relation)
        found.append(Count(by, bounds))
        if "x" not in by.columns:
            found.append(BoundedSum("x", -10, 1000, by, bounds, step=0.5))
            found.append(BoundedMean("x", -10, 1000, by, bounds, step=0.5))
    return found


def random_rows(rng: np.random.Generator) -> list[Row]:
    return [{n: str(rng.choice(list(v))) for n, v in MEANS.items()} for _ in range(20)]


def read(rows: list[Row]) -> Table:
    return table_of(rows).read_as(READINGS)


def plain(rows: list[Row]) -> list[Row]:
    return [{name: MEANS[name][text] for name, text in row.items()} for row in rows]


def test_a_table_read_otherwise_is_the_table_that_is_written_so() -> None:
    rows = random_rows(np.random.default_rng(17))
    table = read(rows)
    for query in few(queries(), 9):
        assert query.values(table).tolist() == exact(query, plain(rows)), query


def test_no_person_moves_a_statistic_farther_than_the_formula() -> None:
    """One person is taken out, or another one put in their place, in a table read otherwise."""
    rng, moved = np.random.default_rng(18), 0
    rows = random_rows(rng)
    without = [row for row in rows if row["id"] != "p"]
    other = [row | {"id": "p"} for row in random_rows(rng)[:4]]
    tables = {
        "add/remove": (read(rows), read(without)),
        "replace": (read(rows), read(without + other)),
    }
    for query in few(queries(), 9):
        if query.bounds.person is None:
            continue
        one, two = tables[query.bounds.relation]
        move = np.abs(query.values(one) - query.values(two))
        claimed = query.sensitivity
        assert np.count_nonzero(move) <= claimed.l0, query
        assert move.sum() <= claimed.l1 * (1 + 1e-12), query
        assert np.sqrt((move**2).sum()) <= claimed.l2 * (1 + 1e-12), query
        assert move.max() <= claimed.linf * (1 + 1e-12), query
        moved += bool(move.any())
    assert moved > (10 if FULL else 1)
