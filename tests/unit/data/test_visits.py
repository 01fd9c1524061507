"""The synthetic sample is what its record says, the same everywhere, and labelled as made up."""

import hashlib

import pytest

from dpviz.data import DECLARATION, SAMPLE, SAMPLES, VISITS, Table, load, load_visits, visits
from dpviz.errors import DataError
from dpviz.queries import Bounds, ByColumn, ByTime, Count

# SHA-256 of all cells. If a cell changes, so must `visits.VERSION`, and then this.
CELLS = {1: "d7dc1d7beafeaff0db643737255494163b7173113d0e7d2514c3e76d273629ef"}


@pytest.fixture(scope="module")
def table() -> Table:
    return load_visits()


def ask(table: Table, statement: str) -> tuple[float, ...]:
    (row,) = table.connection.execute(statement).fetchall()
    return tuple(row)


def test_every_cell_is_the_same_each_time(table: Table) -> None:
    cells = hashlib.sha256()
    rows = table.expression.order_by(table.turns()["place"]).drop("place")
    for column in table.collect(rows).columns:
        cells.update("\n".join(value or "" for value in column.to_pylist()).encode())
    assert cells.hexdigest() == CELLS[visits.VERSION]
    assert table.digest == hashlib.sha256(b"dpviz visits 1").hexdigest()


def test_a_million_visits_of_two_hundred_thousand_people(table: Table) -> None:
    assert table.rows() == 1_000_000
    people, least, most = ask(
        table,
        "SELECT count(*), min(n), max(n) FROM (SELECT count(*) AS n FROM data GROUP BY c0)",
    )
    assert people == 200_000
    assert least == 1
    assert 100 < most < 365  # somebody whom a bound on rows cuts


def test_columns_are_those_of_the_record(table: Table) -> None:
    kinds = {column.name: column.kind for column in table.columns}
    assert kinds[VISITS.person] == "whole number"
    assert set(VISITS.groups) == {name for name, kind in kinds.items() if kind == "text"}
    assert set(VISITS.times) == {name for name, kind in kinds.items() if kind == "time"}
    assert set(VISITS.bounds) == {
        name for name, kind in kinds.items() if kind in ("number", "whole number")
    } - {VISITS.person}
    assert VISITS.column in VISITS.groups


@pytest.mark.parametrize("column", VISITS.groups)
def test_the_lists_are_complete(table: Table, column: str) -> None:
    assert sorted(table.distinct(column, 50)) == sorted(VISITS.groups[column])


def test_types_are_those_that_the_text_has(table: Table) -> None:
    """They are stated, not found: whatever is not of its type would show as missing."""
    for column in table.columns:
        kept = table.expression.aggregate(
            text=table.text(column.name).count(), typed=table.typed(column.name).count()
        )
        answer = table.collect(kept).to_pydict()
        assert answer["text"] == answer["typed"], column.name


def test_some_values_are_missing_and_costs_have_a_heavy_tail(table: Table) -> None:
    age, minutes, cost, kept, mean, most = ask(
        table,
        """SELECT count(c4), count(c5), count(c6), avg(CAST(CAST(c6 AS DOUBLE) <= 500 AS INTEGER)),
        avg(CAST(c6 AS DOUBLE)), max(CAST(c6 AS DOUBLE)) FROM data""",
    )
    assert age == pytest.approx(990_000, abs=1500)
    assert minutes == pytest.approx(990_000, abs=1500)
    assert cost == pytest.approx(980_000, abs=1500)
    assert 0.99 < kept < 1  # the public bound cuts a few
    assert most > 500 * mean


def test_times_are_minutes_of_2025_in_order_by_day_and_night(table: Table) -> None:
    start, stop = VISITS.times["time"]
    by_hour = Count(ByTime("time", "hour", start, stop), Bounds()).values(table)
    assert by_hour.sum() == 1_000_000
    night, noon = by_hour.reshape(365, 24)[:, [3, 9]].sum(axis=0)
    assert noon > 50 * night
    backwards = "SELECT count(*) FROM (SELECT c1 < lag(c1) OVER (ORDER BY rowid) AS b FROM data)"
    assert ask(table, backwards + " WHERE b") == (0,)
    assert ask(table, "SELECT count(*) FROM data WHERE length(c1) <> 16") == (0,)


def test_people_have_visits_in_several_districts(table: Table) -> None:
    by = ByColumn("district", VISITS.groups["district"])
    first = Count(by, Bounds(person="person")).values(table).sum()
    all_of_them = Count(by, Bounds(person="person", groups_per_person=12)).values(table).sum()
    assert first == 200_000
    assert all_of_them > 1.5 * first


def test_it_says_that_nobody_in_it_exists() -> None:
    assert VISITS.synthetic
    assert "synthetic" in VISITS.title
    assert "made by a program" in VISITS.source
    assert "nobody in it exists" in VISITS.source


def test_the_table_of_samples(table: Table) -> None:
    assert list(SAMPLES.values()) == [SAMPLE, VISITS, DECLARATION]
    assert all(loading == one.loading for loading, one in SAMPLES.items())
    assert load(SAMPLE).rows() == 1629
    assert load(VISITS).digest == table.digest
    with pytest.raises(DataError, match="no such sample"):
        load(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=lambda s: s.loading)
def test_what_is_public_makes_sense(sample: object) -> None:
    for low, high in sample.bounds.values():  # type: ignore[attr-defined]
        assert low < high
    for start, stop in sample.times.values():  # type: ignore[attr-defined]
        assert start < stop
    for public in (sample.groups, sample.bounds, sample.times):  # type: ignore[attr-defined]
        with pytest.raises(TypeError):
            public["x"] = ()
