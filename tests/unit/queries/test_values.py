"""What the engine computes is the definition: every query, grouping, bound and reading."""

import csv
import io
import itertools
import math
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from dpviz.data import MAX_BYTES, Reading, Table, read_csv
from dpviz.data.parquet import MAX_ROWS
from dpviz.data.visits import ROWS
from dpviz.errors import DataError, ParameterError
from dpviz.queries import (
    CYCLES,
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByCycle,
    ByThreeColumns,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    Grouping,
    KeptRows,
    Query,
    kept,
    unbounded,
)
from dpviz.queries import count as count_module
from dpviz.queries.bounded_mean import FINEST
from dpviz.queries.clip import MOST_STEPS
from dpviz.queries.rows import per_group, ranked
from tests.conftest import few, for_each
from tests.oracles_queries import Row, Rows, exact, number, position

GROUPS = ("d", "a", "c", "b")  # not the alphabet's order
WARDS = ByColumn("ward", GROUPS)
NUMBERS = "0 1 2.5 -1 .30000000000000004 0.3 1e6 1000000.5 inf nan none 1e400 3"
GROUPINGS: dict[str, Grouping] = {
    "everybody": Everybody(),
    "column": WARDS,
    "columns": ByTwoColumns(ByColumn("ward", ("b", "a")), ByColumn("sex", ("a", "f", "m"))),
    "bins": ByBins("x", (-1, 0, 0.30000000000000004, 2.5, 1e6)),
    "hour": ByTime("when", "hour", "2025-01-31", "2025-02-01"),
    "day": ByTime("when", "day", "2025-01-31", "2025-02-04"),
    "week": ByTime("when", "week", "2025-01-27", "2025-02-10"),
    "month": ByTime("when", "month", "2024-12-01", "2025-03-01"),
    "quarter": ByTime("when", "quarter", "2024-10-01", "2025-04-01"),
    "year": ByTime("when", "year", "2024-01-01", "2026-01-01"),
    "three": ByThreeColumns(
        ByColumn("ward", ("b", "a", "e")),
        ByColumn("sex", ("a", "f", "m")),
        ByColumn("x", tuple(NUMBERS.split())),
    ),
    **{cycle: ByCycle("when", cycle) for cycle in CYCLES},
}
VALUES = {
    "id": ["p", "q", "r", ""],
    "ward": [*"abcde", ""],
    "sex": ["f", "m", "a", "?"],
    "x": [*NUMBERS.split(), ""],
    "when": [
        *("2025-01-31", "2025-01-31 23:59:59.9", "2025-01-31T05:30Z", "2025-02-01 00:00"),
        *("2025-02-03", "2025-02-10", "2024-12-31 23:59", "noon", ""),
    ],
}


def table_of(rows: Rows) -> Table:
    memory = io.StringIO()
    writer = csv.DictWriter(memory, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return loaded(memory.getvalue())


@lru_cache(maxsize=64)
def loaded(text: str) -> Table:
    """An engine takes longer to fill than to ask; tests ask many queries of the same rows."""
    return read_csv(text.encode(), name="random")


def random_rows(seed: int, number: int = 40) -> Rows:
    """Few people in few groups, values missing, outside, odd; rows repeated."""
    rng = np.random.default_rng(seed)
    return [{n: str(rng.choice(values)) for n, values in VALUES.items()} for _ in range(number)]


def queries_over(by: Grouping, bounds: Bounds) -> list[Query]:
    queries: list[Query] = [
        Count(by, bounds),
        BoundedSum("x", -0.3, 2.6, by, bounds, step=0.25),
        BoundedMean("x", -0.3, 2.6, by, bounds, step=2.0**-3),
    ]
    return queries if isinstance(by, Everybody) else [*queries, Count(by, bounds, total=True)]


BOUNDS = (Bounds(), Bounds(person="id"), Bounds(person="id", rows_per_group=2))
MORE = (
    Bounds(person="id", groups_per_person=2),
    Bounds(person="id", groups_per_person=3, rows_per_group=3),
    Bounds(person="id", groups_per_person=2, salt="2026"),
)


@for_each("name", few(GROUPINGS, 2))
def test_values_are_those_of_the_definition(name: str) -> None:
    by = GROUPINGS[name]
    rows = random_rows(len(name))
    table = table_of(rows)
    ways = [
        (query, bounds)
        for bounds in BOUNDS + (MORE if len(by.labels) > 2 else ())
        for query in queries_over(by, bounds)
    ]
    for query, bounds in few(ways, 17):
        got = query.values(table)
        assert got.dtype == np.int64
        assert got.shape == (query.dimension,) == (len(query.entries),)
        assert got.tolist() == exact(query, rows), (query.statistic, bounds)


def test_the_tables_above_reach_every_group_and_every_reason_to_leave_out() -> None:
    for name, by in GROUPINGS.items():
        counts = exact(Count(by), random_rows(len(name)))
        assert sum(counts) < 40 or name == "everybody"
        assert sum(count > 0 for count in counts) >= min(len(counts), 2)


def test_order_of_rows_matters_only_where_it_is_the_rule() -> None:
    rows = random_rows(5)
    for bounds in few((*BOUNDS, *MORE), 3):
        there, back = (Count(WARDS, bounds).values(table_of(r)) for r in (rows, rows[::-1]))
        assert (there == back).all()
    first = BoundedSum("x", 0, 10, bounds=Bounds(person="id"), step=1)
    rows = [{"id": "p", "x": "none"}, {"id": "p", "x": "3"}, {"id": "p", "x": "7"}]
    assert first.values(table_of(rows)).tolist() == [3]  # the first that is a number
    assert first.values(table_of(rows[::-1])).tolist() == [7]


def test_rows_without_a_number_use_up_no_group() -> None:
    rows = [{"id": "p", "ward": "d", "x": "?"}, {"id": "p", "ward": "a", "x": "4"}]
    query = BoundedSum("x", 0, 10, WARDS, Bounds(person="id"), step=1)
    assert query.values(table_of(rows)).tolist() == [0, 4, 0, 0]


def test_values_are_compared_as_written() -> None:
    for values, groups, counts in [
        ("1 25 25 -3", ["25", "-3", "025", "25.0", "3"], [2, 1, 0, 0, 0]),
        ("2.50 3 3.0 .5", ["2.5", "2.50", "3", "3.0", "0.5"], [0, 1, 1, 1, 0]),
        ("TRUE false True", ["true", "false", "TRUE"], [0, 1, 1]),
        ("2026-01-31 2026-02-01", ["2026-01-31", "31.01.2026"], [1, 0]),
        ("007 7 07", ["007", "7"], [1, 1]),
        ("a A á", ["a", "A"], [1, 1]),
        ("a_b axb a%", ["a_b", "a%", "%"], [1, 1, 0]),  # no wildcards
        ("NULL null None", ["NULL", "None"], [1, 1]),
    ]:
        table = table_of([{"x": value} for value in values.split()])
        assert Count(ByColumn("x", tuple(groups))).values(table).tolist() == counts


def test_white_space_around_groups_values_and_people() -> None:
    rows = [{"id": " p", "ward": "a "}, {"id": "p ", "ward": "\u00a0a"}, {"id": " ", "ward": "a"}]
    by = ByColumn("ward", (" a\t", "\u00a0b "))
    assert by.labels == ("a", "b")
    assert Count(by, Bounds(person="id")).values(table_of(rows)).tolist() == [1, 0]


def test_people_with_numbers_for_names_do_not_merge() -> None:
    names = ["9007199254740993.0", "9007199254740992.0", "12345678901234567890", "1.5", "1.50"]
    rows = [{"id": name, "ward": "a"} for name in names]
    query = Count(ByColumn("ward", ("a",)), Bounds(person="id"))
    assert query.values(table_of(rows)).tolist() == [5]


HOSTILE = [
    *('"; DROP TABLE data; --', "a' OR '1'='1", "ward name", "position", "value", "Łódź ☃", "%")
]


def test_hostile_names_and_groups() -> None:
    rows = [dict(zip(HOSTILE, HOSTILE[i:] + HOSTILE[:i], strict=True)) for i in range(7)]
    table = table_of(rows)
    for column, person in itertools.pairwise([*HOSTILE, HOSTILE[0]]):
        bounds = Bounds(person=person, groups_per_person=7)
        assert Count(ByColumn(column, tuple(HOSTILE)), bounds).values(table).tolist() == [1] * 7
    pairs = ByTwoColumns(*(ByColumn(column, tuple(HOSTILE)) for column in HOSTILE[3:5]))
    assert Count(pairs).values(table).sum() == 7
    assert table.rows() == 7


@pytest.mark.parametrize("column", ["nobody", "X"])
def test_a_column_that_is_not_there(column: str) -> None:
    table = table_of([{"id": "p", "ward": "a", "x": "1"}])
    says = rf"no column “{column}”; choose one of its 3 columns"
    queries: list[Query] = [
        Count(ByColumn(column, GROUPS)),
        Count(WARDS, Bounds(person=column)),
        Count(ByTwoColumns(WARDS, ByColumn(column, GROUPS))),
        Count(ByBins(column, (0, 1))),
        Count(ByTime(column, "day", "2025-01-01", "2025-01-02")),
        BoundedSum(column, 0, 1),
        BoundedMean(column, 0, 1),
    ]
    for query in queries:
        with pytest.raises(DataError, match=says):
            query.values(table)


def test_large_sums_are_exact() -> None:
    query = BoundedSum("x", 0, 2.0**36, step=1)
    table = table_of([{"x": "1e15"}] * 200_000 + [{"x": "1"}])
    assert query.values(table).tolist() == [200_000 * 2**36 + 1]  # odd and above 2⁵³


def test_whether_a_sum_fits_is_known_before_the_rows_are_read() -> None:
    """The farthest bound, in steps, times the most rows that a file can have is below 2⁶²."""
    rows = max(MAX_BYTES // 2, MAX_ROWS, ROWS)  # a row of CSV has a character and a line end
    assert rows * MOST_STEPS < 2**62
    with pytest.raises(ParameterError, match="too many steps from 0 to be summed exactly; widen"):
        BoundedSum("x", 0, 2.0**37, step=1)
    assert rows * int(1 / FINEST) < 2**62


# Queries that are broken on purpose, and the tables that find them out.


def no_group_bound(rows: Any, bounds: Bounds) -> Any:
    return rows.nth_row < bounds.rows_per_group


def no_row_bound(rows: Any, bounds: Bounds) -> Any:
    return rows.nth_group < bounds.groups_per_person


def counted_by(broken: Any) -> Any:
    """What counts rows, with the bounds kept by something broken."""

    def counted(table: Table, by: Any, bounds: Bounds, k: int) -> Any:
        with ranked(table, by, bounds, None) as rows:
            kept_rows = rows.filter(lambda each: broken(each, bounds))
            return per_group(table, kept_rows.mutate(one=1), k, "one")[0]

    return counted


def largest_change(query: Query, rows: Rows) -> dict[str, float]:
    """Over all people: remove them (or, read backwards, add them)."""
    full = query.values(table_of(rows))
    changes = []
    for person in sorted({row["id"] for row in rows}):
        others = [row for row in rows if row["id"] != person]
        changes.append(np.abs(full - query.values(table_of(others))))
    return {
        "l0": max(float(np.count_nonzero(c)) for c in changes),
        "l1": max(float(c.sum()) for c in changes),
        "l2": max(math.sqrt((c**2).sum()) for c in changes),
        "linf": max(float(c.max()) for c in changes),
    }


CROWDED = [
    {"id": p, "ward": w}
    for p, wards in (("p", "abcdabcd"), ("q", "dde"), ("r", "b"))
    for w in wards
]


@pytest.mark.parametrize(
    ("broken", "norm"),
    [(no_group_bound, "l0"), (no_row_bound, "linf")],
)
def test_a_query_that_does_not_keep_a_bound_is_found_out(
    broken: Any, norm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = Count(WARDS, Bounds(person="id", groups_per_person=2))
    claimed = getattr(query.sensitivity, norm)
    assert largest_change(query, CROWDED)[norm] == pytest.approx(claimed)
    monkeypatch.setattr(count_module, "counted", counted_by(broken))
    assert largest_change(query, CROWDED)[norm] > claimed


def by_type(table: Table, names: list[str]) -> Any:
    """The mistake: texts of the type that the whole column has."""
    (name,) = names
    return table.expression.select(key0=table.typed(name).cast("string"), times=1)


@pytest.mark.parametrize(
    ("values", "odd", "groups"),
    [
        ("25.50 25.50 25.50", "x", ("25.50", "25.5")),
        ("2026-01-31 2026-01-31", "2026-01-31T10:00", ("2026-01-31", "2026-01-31 00:00:00")),
    ],
)
def test_one_odd_value_does_not_change_how_others_are_counted(
    values: str, odd: str, groups: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"id": str(i), "ward": value} for i, value in enumerate([odd, *values.split()])]
    query = Count(ByColumn("ward", groups))
    assert largest_change(query, rows)["l1"] == 1
    monkeypatch.setattr(Table, "tallied", by_type)
    assert largest_change(query, rows)["l1"] > 1


# --- What each bound keeps, and the statistic without bounds, against plain Python ---


NINE: Rows = [
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
    assert kept(query, table_of(NINE)) == expected


def test_unbounded_counts_people_or_rows() -> None:
    table = table_of(NINE)
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
    assert np.isnan(unbounded(query, table_of(NINE))).tolist() == [False, True]


# A table that is read otherwise is the table that is written the plain way, so all above holds.


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
OF_READ = (
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
    for by, person, relation in itertools.product(OF_READ, (None, "id"), ("add/remove", "replace")):
        groups = len(by.labels)
        l0 = 1 if person is None else min(2, groups)
        bounds = Bounds(person, l0, 1 if person is None else 2, relation)
        found.append(Count(by, bounds))
        if "x" not in by.columns:
            found.append(BoundedSum("x", -10, 1000, by, bounds, step=0.5))
            found.append(BoundedMean("x", -10, 1000, by, bounds, step=0.5))
    return found


def random_written(rng: np.random.Generator) -> list[Row]:
    return [{n: str(rng.choice(list(v))) for n, v in MEANS.items()} for _ in range(20)]


def read(rows: list[Row]) -> Table:
    return table_of(rows).read_as(READINGS)


def plain(rows: list[Row]) -> list[Row]:
    return [{name: MEANS[name][text] for name, text in row.items()} for row in rows]


def test_a_table_read_otherwise_is_the_table_that_is_written_so() -> None:
    rows = random_written(np.random.default_rng(17))
    table = read(rows)
    for query in few(queries(), 9):
        assert query.values(table).tolist() == exact(query, plain(rows)), query
