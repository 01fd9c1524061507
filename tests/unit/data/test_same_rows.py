"""The marks of a table: of its rows in any order and file, and of its texts in their order."""

import functools
import gzip
import io
from collections.abc import Iterable

import numpy as np
import pandas as pd
import pytest

from dpviz.data import (
    Address,
    Table,
    TableSource,
    open_source,
    read_table,
    rows_mark,
    same_rows,
    texts_mark,
)
from dpviz.data.engine import connect
from dpviz.data.reading import Reading
from dpviz.errors import DataError
from tests.conftest import few, for_each
from tests.unit.data.conftest import refusal

DIGITS = ["small", "large"]  # of which a spreadsheet drops the last
WARDS = ["A", "Düsseldorf", None, "007", "B"]


@functools.cache
def visits() -> pd.DataFrame:
    """Every kind of value: whole numbers, floats with gaps, days, moments, yes or no, texts."""
    rng = np.random.default_rng(32)
    n = 400
    cost = np.round(rng.gamma(2, 300, n), 2)
    cost[::7] = np.nan
    cost[3], cost[4] = -0.0, 12.0
    return pd.DataFrame(
        {
            "id": np.arange(n),
            "stays": pd.array(rng.integers(0, 9, n), dtype="Int64"),
            "cost": cost,
            "small": rng.normal(size=n) * 1e-6,
            "large": rng.normal(size=n) * 1e17,
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
            "when": pd.Timestamp("2020-01-01")
            + pd.to_timedelta(rng.integers(0, 9**9, n), unit="s"),
            "insured": rng.random(n) < 0.5,
            "ward": rng.choice(np.array(WARDS, dtype=object), n),
        }
    )


def csv(frame: pd.DataFrame, **how: object) -> bytes:
    return frame.to_csv(index=False, **how).encode()


def packed(frame: pd.DataFrame, form: str = "parquet", **how: object) -> bytes:
    file = io.BytesIO()
    getattr(frame, f"to_{form}")(file, **how)
    return file.getvalue()


SAME = {
    "line ends": lambda f: csv(f, lineterminator="\r\n"),
    "rows in another order": lambda f: csv(f.sample(frac=1, random_state=1)),
    "columns in another order": lambda f: csv(f[sorted(f.columns, reverse=True)]),
    "another encoding": lambda f: csv(f).decode().encode("utf-16"),
    "packed": lambda f: gzip.compress(csv(f)),
    "decimal comma": lambda f: csv(f, sep=";", decimal=","),
    "quoted": lambda f: csv(f, quoting=1),
    "missing values as in R": lambda f: csv(f, na_rep="NA"),
    "yes and no as in R": lambda f: csv(f.replace({True: "TRUE", False: "FALSE"})),
    "days as moments": lambda f: csv(f, date_format="%Y-%m-%dT%H:%M:%S"),
    "whole numbers with gaps": lambda f: csv(f.astype({"stays": float})),
    "Parquet": lambda f: packed(f, index=False),
    "Parquet in another order": lambda f: packed(f.sample(frac=1, random_state=2), index=False),
    "Parquet, with where each row was": lambda f: packed(f.sample(frac=1, random_state=3)),
    "Excel": lambda f: packed(f.drop(columns=DIGITS), "excel", index=False),
}


@functools.cache
def usual(digits: bool) -> tuple[str, str]:
    """Digest and mark of the rows in a usual file, with all digits or without some."""
    table = read_table(csv(visits() if digits else visits().drop(columns=DIGITS)))
    return table.digest, rows_mark(table)


@pytest.mark.parametrize("how", few(SAME, 8))
def test_the_same_rows_in_another_file_have_the_same_mark(how: str) -> None:
    other = read_table(SAME[how](visits()))
    digest, mark = usual(digits=how != "Excel")
    assert digest != other.digest
    assert mark == rows_mark(other)


OTHERS = {
    "a row more": lambda f: pd.concat([f, f.tail(1).assign(id=400)]),
    "a row twice": lambda f: pd.concat([f, f.tail(1)]),
    "a row less": lambda f: f.head(399),
    "a letter": lambda f: f.replace({"ward": {"Düsseldorf": "Düsseldorg"}}),
    "a number": lambda f: f.assign(cost=f.cost.where(f.id != 5, 1.25)),
    "a column less": lambda f: f.drop(columns="insured"),
    "another name": lambda f: f.rename(columns={"stays": "nights"}),
    "values of two rows exchanged": lambda f: f.assign(
        stays=f.stays.where(f.id > 1, f.stays.head(2).iloc[::-1].reset_index(drop=True) + 10)
    ),
    "two columns exchanged": lambda f: f.rename(columns={"cost": "small", "small": "cost"}),
    "codes without their zeros": lambda f: f.replace({"ward": {"007": "7"}}),
}


@for_each("how", few(OTHERS, 6))
def test_other_rows_have_another_mark(how: str) -> None:
    _, mark = usual(digits=True)
    assert mark != rows_mark(read_table(csv(OTHERS[how](visits()))))


def test_a_table_of_nothing_but_places_is_known_by_them() -> None:
    one, other = (read_table(f"__index_level_0__\n{n}\n".encode()) for n in (1, 2))
    assert rows_mark(one) != rows_mark(other)


def said(values: Iterable[str], kind: str) -> list[object]:
    asked = f"SELECT {same_rows._said('c', kind)} FROM (SELECT unnest($values) AS c)"
    return [one for (one,) in connect().execute(asked, {"values": [*values]}).fetchall()]


def test_a_value_says_the_same_in_a_column_of_its_type_and_among_texts() -> None:
    cases = {
        "int64": ("0", "-12", "9007199254740993"),
        "date": ("2025-01-31",),
        "boolean": ("true", "False", "TRUE"),
        "float64": (
            *("0", "25", "25.0", "-25.50", ".5", "-.5", "0.5", "0.0", "-0.0", "-0.5", "5."),
            *("1e5", "1E+05", "1.5e-07", "0.00001", "-0.0000100", "25.00001", "1e400", "nan"),
            *("0.30000000000000004", "1.2345678901234567e+17", "inf", "-inf"),
        ),
        "timestamp": (
            *("2025-01-31", "2025-01-31 00:00:00", "2025-01-31T13:05", "2025-01-31 13:05:00"),
            *("2025-01-31 13:05:00.500", "2025-01-31 13:05:00Z", "2025-01-31 13:05:07.000000"),
        ),
        "time": ("13:05", "13:05:00", "13:05:07.250", "13:05:00.0"),
    }
    for kind, values in cases.items():
        assert said(values, kind) == said(values, "string")


def test_what_counts_as_the_same() -> None:
    itself = ("Nancy", "nothing", "007", "1,234.5", "31.01.2025", "1.2.3", "+49", "-")
    cases = {
        **{"1.0": "1", "1,50": "1.5", "-0.0": "0", "1e+05": "100000", "0.000010": "1e-05"},
        "2025-01-31 00:00:00": "2025-01-31",
        "2025-01-31T13:05:00.5Z": "2025-01-31 13:05:00.5",
        **{"13:05": "13:05:00", "TRUE": "true", "NA": None},
        **dict(zip(itself, itself, strict=True)),
    }
    assert said(cases, "string") == list(cases.values())


def test_marks_are_the_same_however_many_columns_or_texts_come_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = csv(visits())
    one = read_table(content)
    at_once = rows_mark(one), texts_mark(one)
    monkeypatch.setattr(same_rows, "_AT_ONCE", 0)
    monkeypatch.setattr(same_rows, "_BATCH", 7)
    other = read_table(content)
    assert (rows_mark(other), texts_mark(other)) == at_once


def test_the_texts_of_a_table_are_known_in_their_order() -> None:
    frame = visits()
    one = read_table(csv(frame))
    alike = ("line ends", "columns in another order", "another encoding", "packed", "quoted")
    for how in few(alike, 4):
        assert texts_mark(read_table(SAME[how](frame))) == texts_mark(one), how
    others = ("rows in another order", "decimal comma", "missing values as in R", "Parquet")
    for how in few(others, 3):
        assert texts_mark(read_table(SAME[how](frame))) != texts_mark(one), how


def test_texts_that_are_cut_otherwise_are_others() -> None:
    cases = [
        (b"a,b\nxy,z\n", b"a,b\nx,yz\n"),
        (b"a,b\n1,\n,1\n", b"a,b\n,1\n1,\n"),
        (b"a\nxy\nz\n", b"a\nx\nyz\n"),
        (b"a,b\nx,y\n", b"a,b\ny,x\n"),
        (b"a\nx\n", b"a\nx\nx\n"),
    ]
    for one, other in few(cases, 2):
        assert texts_mark(read_table(one)) != texts_mark(read_table(other))


def test_a_mark_is_computed_once_for_all_readings_and_outlasts_the_rows() -> None:
    table = read_table(b"id,pay\n1,2.5\n", name="pay")
    read = table.read_as({"pay": Reading(kind="text")})
    before = rows_mark(read), texts_mark(read)
    table.close()
    assert (rows_mark(table), texts_mark(table)) == before
    never_asked = read_table(b"id\n1\n")
    never_asked.close()
    with pytest.raises(DataError, match="was closed"):
        rows_mark(never_asked)


def test_a_table_that_stays_is_known_by_its_place(tmp_path: object) -> None:
    def opened(name: str, content: str) -> Table:
        path = tmp_path / name
        path.write_text(content)
        return open_source(TableSource(name="visits", address=Address(str(path))))

    one = opened("a.csv", "id,ward\n1,A\n")
    later = opened("a.csv", "id,ward\n1,A\n2,B\n")
    other = opened("b.csv", "id,ward\n1,A\n")
    assert rows_mark(one) == rows_mark(later) != rows_mark(other)
    assert texts_mark(one) != texts_mark(later)
    for table in (one, later, other):
        table.close()


def test_a_failure_of_the_engine_says_nothing_of_the_rows() -> None:
    table = read_table(b"id\nZanzibar7\n")
    table.connection.execute("DROP TABLE data").fetchall()
    refusal("could not compute this", rows_mark, table)
