"""Parquet gives the table that CSV gives, unpacks no bomb; and the limits of both, to the last row.

The largest files take up to half a minute each and are read in the full run only.
"""

import base64
import datetime as dt
import decimal
import gzip
import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.parquet import encryption

from dpviz.data import MAX_BYTES, NestedError, Table, parquet, read_csv, read_parquet, read_table
from dpviz.data.layout import MAX_COLUMNS
from dpviz.errors import DataError, ParameterError
from tests.conftest import few
from tests.unit.data.conftest import CANARY, refusal, rows

pytestmark = pytest.mark.usefixtures("own_engine")

NOON = dt.datetime(2025, 1, 6, 13, 5)


def packed(columns: dict[str, object], **how: object) -> bytes:
    memory = io.BytesIO()
    pq.write_table(pa.table(columns), memory, **how)
    return memory.getvalue()


def twice(value: object, kind: pa.DataType | None = None) -> pa.Array:
    return pa.array([value, value], kind)


class NoKeys(encryption.KmsClient):
    """Wraps keys in nothing: enough to write an encrypted file."""

    def __init__(self, _: object) -> None:
        super().__init__()

    def wrap_key(self, key: bytes, _: str) -> bytes:
        return base64.b64encode(key)


def encrypted(*, open_footer: bool) -> bytes:
    table = pa.table({"a": [CANARY]})
    how = encryption.EncryptionConfiguration(
        footer_key="f", column_keys={"c": ["a"]}, plaintext_footer=open_footer
    )
    keys = encryption.CryptoFactory(NoKeys).file_encryption_properties(
        encryption.KmsConnectionConfig(), how
    )
    memory = io.BytesIO()
    with pq.ParquetWriter(memory, table.schema, encryption_properties=keys) as writer:
        writer.write_table(table)
    return memory.getvalue()


def named(*names: str) -> bytes:
    memory = io.BytesIO()
    pq.write_table(pa.table([pa.array([CANARY])] * len(names), names=list(names)), memory)
    return memory.getvalue()


GOOD = packed({"id": [1, 2], "name": [CANARY, "x"]})
BAD = {  # what is wrong: the bytes, and what the sentence must say
    "empty": (b"", "file is empty"),
    "text": (f"a,b\n1,{CANARY}\n".encode(), "does not begin like a Parquet file"),
    "cut in the footer": (GOOD[:-20], "cut off before its end"),
    "cut in the data": (GOOD[:30], "cut off before its end"),
    "its marks only": (b"PAR1PAR1", "cut off before its end"),
    "footer damaged": (GOOD[:-60] + b"\xff" * 40 + GOOD[-20:], "cannot be read as Parquet"),
    "footer too long": (GOOD[:-8] + b"\xff\xff\xff\x7fPAR1", "cannot be read as Parquet"),
    "data damaged": (GOOD[:4] + b"\xff" * 60 + GOOD[64:], "cannot be read as Parquet"),
    "text is not UTF-8": (
        packed({"a": [f"é{CANARY}"]}, compression="none").replace("é".encode(), b"\xe9\xe9"),
        "cannot be read as Parquet",
    ),
    "encrypted": (encrypted(open_footer=False), "is encrypted; decrypt it"),
    "encrypted below an open footer": (encrypted(open_footer=True), "is encrypted; decrypt it"),
    "no columns": (packed({}), "has no columns"),
    "no rows": (packed({"a": pa.array([], pa.string())}), "columns but no rows"),
    "list": (
        packed({"id": [1], "l": [[CANARY]]}),
        "column “l” holds lists or records; leave it out",
    ),
    "record": (packed({"s": [{"a": CANARY}], "x": [1]}), "column “s” holds lists or records"),
    "map": (
        packed({"m": pa.array([[(CANARY, 1)]], pa.map_(pa.string(), pa.int64()))}),
        "column “m” holds lists or records",
    ),
    "bytes": (
        packed({"x": [1], "b": [CANARY.encode()]}),
        "column “b” holds bytes that are not text",
    ),
    "bytes of one length": (
        packed({"b": pa.array([CANARY.encode()], pa.binary(9))}),
        "column “b” holds bytes",
    ),
    "too many columns": (packed({f"c{i}": [1] for i in range(1001)}), "1,001 columns.*1,000"),
    "same name twice": (named(CANARY, "b", f" {CANARY} "), "columns 1 and 3 have the same"),
}


def test_columns_of_lists_are_named_and_can_be_left_out() -> None:
    data = packed({" ": [3], "l": [[CANARY]], "id": [1], "b": [CANARY.encode()], "x y": ["a"]})
    with pytest.raises(NestedError) as caught:
        read_table(data)
    assert caught.value.columns == ("l", "b")
    assert "the columns “l” and “b” hold lists, records or bytes; leave them out" in str(
        caught.value
    )
    table = read_table(data, name="t.parquet", leave_out=["b", "l"])
    assert [column.name for column in table.columns] == ["column 1", "id", "x y"]
    assert rows(table) == [("3", "1", "a")]
    assert (table.types, table.file.unnamed) == (("int64", "int64", "string"), (1,))
    assert table.file.loading("t.parquet") == "read_table('t.parquet', leave_out=('b', 'l'))"
    assert table.digest == read_table(data, leave_out=("l", "b")).digest
    plain = packed({"id": [1], "x": [2]})
    assert len({read_table(plain, leave_out=out).digest for out in ((), ("id",), ("x",))}) == 3
    for out, says in (
        (["y"], "no column “y” to leave out"),
        (["id", "x"], "no column would be left"),
    ):
        with pytest.raises(DataError, match=says):
            read_table(plain, leave_out=out)
    with pytest.raises(ParameterError, match="leave_out must be a list"):
        read_table(plain, leave_out="id")


def test_bad_file_gets_one_clear_sentence_without_values(temporary: Path) -> None:
    for data, says in few(BAD.values(), 3):
        assert str(temporary) not in refusal(says, read_parquet, data, name="people.parquet")


def test_kinds_are_declared_and_values_are_text() -> None:
    cases = [
        (twice(7, pa.int8()), "whole number", "7"),
        (twice(-(2**63), pa.int64()), "whole number", "-9223372036854775808"),
        (twice(2**64 - 1, pa.uint64()), "whole number", "18446744073709551615"),
        (twice(0.1, pa.float32()), "number", "0.1"),
        (twice(1 / 3), "number", "0.3333333333333333"),
        (twice(25.0), "number", "25.0"),
        (twice(1e300), "number", "1e+300"),
        (twice(float("nan")), "number", "nan"),
        (twice(decimal.Decimal("2.50")), "number", "2.50"),
        (twice(decimal.Decimal(12), pa.decimal128(18, 0)), "whole number", "12"),
        (twice(decimal.Decimal(12), pa.decimal128(19, 0)), "number", "12"),
        (twice(True), "yes/no", "true"),
        (twice(NOON.date()), "date", "2025-01-06"),
        (twice(NOON), "time", "2025-01-06 13:05:00"),
        (twice(NOON, pa.timestamp("ms")), "time", "2025-01-06 13:05:00"),
        (twice(1_000_000_001, pa.timestamp("ns")), "time", "1970-01-01 00:00:01"),
        (twice(NOON, pa.timestamp("us", "UTC")), "time", "2025-01-06 13:05:00Z"),
        (twice(NOON, pa.timestamp("us", "Asia/Tokyo")), "time", "2025-01-06 13:05:00Z"),
        (twice(dt.time(13, 5)), "time", "13:05:00"),
        (twice("007"), "text", "007"),
        (twice("\u00a0 Łódź\n"), "text", "Łódź"),
        (twice("a").dictionary_encode(), "text", "a"),
        (twice("a", pa.large_string()), "text", "a"),
        (twice(" "), "text", None),
        (pa.nulls(2), "text", None),
    ]
    table = read_parquet(packed({f"c{i}": values for i, (values, _, _) in enumerate(cases)}))
    shown = table.preview(5)
    assert len(shown) == 2
    for column, (_, kind, text) in zip(table.columns, cases, strict=True):
        assert column.kind == kind
        assert table.distinct(column.name, 5) == ([text] if text else []), kind
        assert shown[column.name].notna().all() == (text not in (None, "nan"))


def cells(table: Table) -> list[dict[str, str | None]]:
    rows: list[dict[str, str | None]] = table.collect(table.expression).to_pylist()
    return rows


def test_the_same_table_as_from_csv() -> None:
    rng = np.random.default_rng(1)
    pieces = ["x", " x ", "", "é", "1", "true", "two\nlines", "a,b", '"']
    frame = pd.DataFrame(
        {
            "id": np.arange(500),
            "text": rng.choice(pieces, 500),
            "share": rng.normal(size=500).round(3),
            "day": pd.Timestamp("2025-01-01") + pd.to_timedelta(rng.integers(0, 99, 500), unit="D"),
        }
    )
    frame["day"] = frame["day"].dt.strftime("%Y-%m-%d %H:%M:%S")
    memory = io.BytesIO()
    frame.to_parquet(memory)
    table = read_parquet(memory.getvalue())
    assert cells(table) == cells(read_csv(frame.to_csv(index=False).encode()))


def test_the_first_bytes_say_which(tmp_path: Path) -> None:
    path = tmp_path / "people.txt"
    path.write_bytes(GOOD)
    for source in (GOOD, path, io.BytesIO(GOOD)):
        assert [c.name for c in read_table(source).columns] == ["id", "name"]
    assert read_table(path).name == "people.txt"
    assert read_table(b"a\n1\n", name="t").digest == read_csv(b"a\n1\n").digest
    for data, says in (
        (encrypted(open_footer=False), "is encrypted"),
        (GOOD[:-9], "cut off"),
        (b"\x89PNG", "is a picture, not CSV"),
        (b"", "file is empty"),
    ):
        with pytest.raises(DataError, match=says):
            read_table(data)
    with pytest.raises(DataError, match="cannot be opened"):
        read_table("no/such/file")


def bomb() -> bytes:
    """One value of 90 kB in 5,000 rows: 450 MB of text, which only the limit set here refuses."""
    values = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(5_000, np.int32)), pa.array([CANARY * 10_000])
    )
    return packed({"a": values}, compression="zstd", store_schema=False)


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch, temporary: Path) -> None:  # noqa: ARG001
    monkeypatch.setattr(parquet, "MAX_MEMORY", 40 << 20)
    data = bomb()
    assert len(data) < 100_000
    refusal("unpacks to more than 2 GB", read_parquet, data)
    monkeypatch.setattr(parquet, "_measure", lambda *_: None)
    refusal("needs more memory than there is", read_parquet, data)


def plain_texts() -> bytes:
    """Half a million texts of 4 kB, each written in full: 2.2 GB, packed to 5 MB."""
    memory = io.BytesIO()
    one = pa.table({"a": pa.array([CANARY * 444] * 50_000)})
    with pq.ParquetWriter(memory, one.schema, compression="zstd", use_dictionary=False) as writer:
        for _ in range(11):
            writer.write_table(one)
    return memory.getvalue()


def shared_text() -> bytes:
    """Five million rows of one text of 4 kB that stands in the file once: 20 GB."""
    rows = np.zeros(5_000_000, np.int32)
    values = pa.DictionaryArray.from_arrays(pa.array(rows), pa.array([CANARY * 444]))
    return packed({"a": values}, compression="zstd", store_schema=False)


def nothing_at_all() -> bytes:
    """A million rows of 200 columns in which nothing stands."""
    nothing = pa.nulls(1_000_000, pa.string())
    return packed({f"c{i}": nothing for i in range(200)}, compression="zstd")


@pytest.mark.parametrize("made", few([shared_text, plain_texts, nothing_at_all], 3))
def test_what_unpacks_to_gigabytes_is_refused_before_a_row_is_kept(
    made: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> str:
        raise AssertionError("a row would have been kept")

    monkeypatch.setattr(parquet, "_value", never)
    data = made()
    assert len(data) < 12_000_000
    refusal("^the file unpacks to more than 2 GB; keep only", read_parquet, data)


def test_the_memory_limit_is_for_reading_only() -> None:
    limit = "SELECT current_setting('memory_limit')"
    by_parquet = read_parquet(GOOD).connection.execute(limit).fetchall()
    assert by_parquet == read_csv(b"a\n1\n").connection.execute(limit).fetchall()


def test_a_small_machine_keeps_its_own_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "MAX_MEMORY", 1 << 60)
    assert read_parquet(GOOD).rows() == 2


# The limits are accepted and one beyond them is refused, in a sentence with the way on.


def test_the_limits_are_those_that_the_sentences_name() -> None:
    assert (MAX_BYTES, MAX_COLUMNS, parquet.MAX_ROWS) == (100 * 2**20, 1_000, 50_000_000)


def many(rows: int) -> bytes:
    memory = io.BytesIO()
    ones = pa.array(np.ones(rows, np.int8))
    pq.write_table(pa.table({"a": ones}), memory, compression="zstd")
    return memory.getvalue()


def test_one_row_too_many_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "MAX_ROWS", 1000)
    assert read_parquet(many(1000)).rows() == 1000
    with pytest.raises(DataError, match=r"more than 1,000 rows; split it, or keep only the rows"):
        read_parquet(many(1001))


def test_a_small_file_is_read_in_little_memory(tmp_path: Path) -> None:
    """`read(n)` would make room for 100 MB, or for 400 unpacked, however small the file is."""
    file, content = tmp_path / "small.csv", b"a,b\n1,2\n"
    for kept in (content, gzip.compress(content)):
        file.write_bytes(kept)
        read_table(file)  # what is loaded first is no part of it
        tracemalloc.start()
        assert read_table(file).rows() == 1
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 20 << 20
