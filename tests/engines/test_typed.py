"""Typed columns of an engine mean what they mean in an upload of the same values."""

import datetime as dt
import decimal
import sqlite3

import duckdb
import pyarrow.parquet as pq
import pytest

from dpviz.data import Address, Table, TableSource, open_source, read_parquet
from dpviz.errors import DataError
from tests.conftest import FULL, few
from tests.engines.places import NUMBERS, QUICK

UTC = dt.UTC
D = decimal.Decimal
COLUMNS = {  # SQL type, and values for it
    "yes": ("BOOLEAN", [True, False, None, True, False, True]),
    "small": ("SMALLINT", [0, -1, 32767, None, 7, -32768]),
    "large": ("BIGINT", [2**63 - 1, -(2**63), 9007199254740993, None, 0, 25]),
    "money": ("DECIMAL(10,2)", [D("2.50"), D("-0.05"), D("0"), None, D("12345678.90"), D("1")]),
    "share": ("DECIMAL(2,2)", [D("0.05"), D("-0.50"), D("0"), None, D("0.99"), D("0.10")]),
    "long": (
        "DECIMAL(38,10)",
        [D("1234567890123456789012345678.0123456789"), D("1e-10"), D("0"), None, D("-7"), D("0.1")],
    ),
    "real": ("REAL", [0.1, 16777217.0, 1e-5, None, 1e10, -0.0]),
    "double": ("DOUBLE PRECISION", [0.1, float("nan"), 1e15, 1e16, 5e-324, -0.0]),
    "more": (
        "DOUBLE PRECISION",
        [1234567890123456.5, 100000.0, float("inf"), None, 123456789012345680.0, 1e-5],
    ),
    "day": (
        "DATE",
        [
            dt.date(2025, 1, 31),
            dt.date(1, 1, 1),
            dt.date(1582, 10, 10),
            None,
            dt.date(9999, 12, 31),
            dt.date(1969, 12, 31),
        ],
    ),
    "moment": (
        "TIMESTAMP",
        [
            dt.datetime(2025, 1, 31, 13, 5, 0, 120000),
            dt.datetime(1900, 3, 1),
            None,
            dt.datetime(1582, 10, 10, 23, 59, 59, 999999),
            dt.datetime(1, 1, 1),
            dt.datetime(2025, 1, 31, 23, 59, 59, 1),
        ],
    ),
    "instant": (
        "TIMESTAMP WITH TIME ZONE",
        [
            dt.datetime(2025, 1, 31, 23, 30, tzinfo=UTC),
            dt.datetime(2025, 7, 1, tzinfo=UTC),
            None,
            dt.datetime(1950, 1, 1, 12, 0, 0, 500000, tzinfo=UTC),
            dt.datetime(2025, 3, 30, 1, 30, tzinfo=UTC),
            dt.datetime(1970, 1, 1, tzinfo=UTC),
        ],
    ),
    "text": ("TEXT", [" a ", "\u00a0b\u2003", "", None, "c\td\n", "\v\f"]),
}
ROWS = [*zip(range(6), *(values for _, values in COLUMNS.values()), strict=True)]
NAMES = ["row", *COLUMNS]
TYPES = ["INTEGER", *(kind for kind, _ in COLUMNS.values())]


def fill(cursor, types: list[str], mark: str, name: str) -> None:
    columns = ", ".join(f'"{c}" {kind}' for c, kind in zip(NAMES, types, strict=True))
    cursor.execute(f"CREATE TABLE {name} ({columns})")
    cursor.executemany(f"INSERT INTO {name} VALUES ({', '.join([mark] * len(NAMES))})", ROWS)


@pytest.fixture(scope="module")
def parquet(tmp_path_factory) -> str:
    path = str(tmp_path_factory.mktemp("typed") / "typed.parquet")
    with duckdb.connect() as connection:
        connection.execute("SET timezone = 'UTC'")
        fill(connection, TYPES, "?", "t")
        connection.execute(f"COPY (FROM t ORDER BY \"row\") TO '{path}' (FORMAT parquet)")
    return path


def put(engine: str, parquet: str, place) -> tuple[str, str]:
    if engine == "parquet":
        return parquet, ""
    if engine == "spark":
        return "spark://local", f"parquet.`{parquet}`"
    if engine == "sqlite":
        path = place.path(".db")
        rows = pq.read_table(parquet).to_pylist()
        connection = sqlite3.connect(path)
        columns = ", ".join(f'"{c}" {kind}' for c, kind in zip(NAMES, TYPES, strict=True))
        connection.execute(f"CREATE TABLE t ({columns})")
        held = [tuple(map(as_sqlite, row.values())) for row in rows]  # it has no dates
        connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(NAMES))})", held)
        connection.commit()
        connection.close()
        return f"sqlite://{path}", "t"
    name = f"typed{next(NUMBERS)}"
    if engine == "duckdb":
        path = place.path(".duckdb")
        with duckdb.connect(path) as connection:
            connection.execute("SET timezone = 'UTC'")
            fill(connection, TYPES, "?", name)
        return f"duckdb://{path}", name
    import psycopg

    with psycopg.connect(place.url, autocommit=True) as connection, connection.cursor() as cursor:
        fill(cursor, TYPES, "%s", name)
        cursor.execute("ALTER ROLE CURRENT_USER SET datestyle = 'SQL, DMY'")
        cursor.execute("ALTER ROLE CURRENT_USER SET timezone = 'Asia/Tokyo'")
    return place.url, name


def as_sqlite(value):
    if isinstance(value, dt.datetime):
        zone = "Z" if value.tzinfo else ""
        text = str(value.replace(tzinfo=None))
        return (text.rstrip("0") if "." in text else text) + zone
    return str(value) if isinstance(value, dt.date | D) else value


UNLIKE = {  # engine: columns that it cannot hold as the others do
    "sqlite": {"money", "share", "long", "real", "double"},  # a REAL of eight bytes, no NaN
    "spark": {"real", "share"},
}
NO_TEXT = {"spark": {"double", "more"}}


@pytest.mark.parametrize("engine", ["parquet", "duckdb", "sqlite", "postgres", "spark"])
def test_typed_columns_mean_the_same_as_in_an_upload(engine, place_of, parquet):
    if not FULL and engine not in QUICK:
        pytest.skip("in make test-engines")
    place = place_of(engine)
    columns = tuple(name for name in NAMES if name not in UNLIKE.get(engine, ()))
    address, name = put(engine, parquet, place)
    source = TableSource(name="t", address=Address(address), table=name, columns=columns)
    upload, table = read_parquet(parquet), open_source(source)
    for column in few(columns[1:], 7):
        for how in ("text", "number", "moment"):
            if column in NO_TEXT.get(engine, ()) and how != "number":
                with pytest.raises(DataError, match="floating-point numbers"):
                    getattr(table, how)(column)
            else:
                got = found(table, column, how)
                assert got == found(upload, column, how), (engine, column, how)
    kinds = {c.name: c.kind for c in upload.columns}
    if engine != "sqlite":
        assert {c.name: c.kind for c in table.columns} == {c: kinds[c] for c in columns}
    table.close()


def found(table: Table, column: str, how: str) -> list[object]:
    value = getattr(table, how)(column)
    parts = {"v": value}
    if how == "moment":
        at = table.engine.calendar(value)
        parts = {"days": at.days, "months": at.months, "hour": at.hour}
    rows = table.collect(table.expression.select(row=table.number("row"), **parts), keep=False)
    return sorted((row["row"], *map(repr_of, list(row.values())[1:])) for row in rows.to_pylist())


def repr_of(value: object) -> str:
    return (
        repr(int(value))
        if isinstance(value, float) and value.is_integer() and value
        else repr(value)
    )


def test_the_file_has_what_the_test_says(parquet):
    assert pq.read_table(parquet).num_rows == len(ROWS)
