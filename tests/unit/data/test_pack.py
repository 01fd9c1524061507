"""A packed table is the same table in less memory."""

import numpy as np
import pytest

from dpviz.data import Table, engine, read_csv
from dpviz.errors import DataError
from dpviz.queries import Bounds, ByColumn, Count
from tests.conftest import few

pytestmark = pytest.mark.usefixtures("own_engine")

ROWS = 100_000
WARDS = ("A", "B", "C")


@pytest.fixture
def table() -> Table:
    rng = np.random.default_rng(5)
    values = zip(rng.integers(0, 99_999, ROWS), rng.choice([*WARDS, ""], ROWS), strict=True)
    lines = "".join(f"{person},{ward}\n" for person, ward in values)
    return read_csv(f"id,ward\n{lines}".encode(), name="t")


def rows(table: Table) -> list[tuple[object, ...]]:
    asked = f"SELECT rowid, * FROM {engine.TABLE} ORDER BY rowid"
    return list(table.connection.execute(asked).fetchall())


def megabytes(table: Table) -> float:
    asked = "SELECT sum(memory_usage_bytes) / 1e6 FROM duckdb_memory()"
    return float(table.connection.execute(asked).fetchone()[0])


@pytest.mark.parametrize("asked_before", few([True, False], 2))
def test_rows_and_answers_stay_and_memory_goes(table: Table, asked_before: bool) -> None:
    query = Count(ByColumn("ward", WARDS), Bounds(person="id", groups_per_person=2))
    before = rows(table), query.values(table).tolist() if asked_before else None
    large = megabytes(table)
    table.pack()
    assert megabytes(table) < 0.6 * large
    assert rows(table) == before[0]
    if asked_before:  # the engine's settings are locked from the first question on
        assert query.values(table).tolist() == before[1]
    table.pack()
    assert table.types == ("int64", "string")
    assert table.distinct("ward", 5) == list(WARDS)


def test_a_closed_table_is_not_packed() -> None:
    table = read_csv(b"id\n1\n")
    table.close()
    with pytest.raises(DataError, match="the table was closed"):
        table.pack()


def test_a_table_that_cannot_be_packed_stays_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    table = read_csv(b"id\n1\n")
    monkeypatch.setattr(engine, "_KEPT", "nowhere")
    table.pack()
    assert table.rows() == 1
