"""The limits are accepted and one beyond them is refused, in a sentence with the way on.

The largest files take up to half a minute each and are read in the full run only.
"""

import gzip
import io
import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.data import MAX_BYTES, parquet, read_csv, read_parquet, read_table
from dpviz.data.layout import MAX_COLUMNS
from dpviz.errors import DataError
from tests.conftest import full_run

pytestmark = pytest.mark.usefixtures("own_engine")

TOO_LARGE = r"^the file is larger than 100 MB; keep only the columns that you need, or save it as"


def sized(header: bytes, row: bytes, size: int) -> tuple[bytes, int]:
    """A CSV of exactly this many bytes, and its number of rows; the last lines are blank."""
    rows = (size - len(header)) // len(row)
    return (header + rows * row).ljust(size, b"\n"), rows


def wide(columns: int) -> bytes:
    header = ",".join(f"c{i}" for i in range(columns))
    return f"{header}\n{','.join('1' * columns)}\n".encode()


SHAPES = {
    "text": (b"a,b\n", b'"' + 1000 * b"x" + b'",y\n'),
    "ten columns": (b"a,b,c,d,e,f,g,h,i,j\n", b"123456,male,45,north,71.2,1.5,1980-02-03,x,y,77\n"),
    "fifty million rows": (b"a\n", b"1\n"),
    "a thousand columns": tuple(wide(MAX_COLUMNS).splitlines(keepends=True)),
}


def test_the_limits_are_those_that_the_sentences_name() -> None:
    assert (MAX_BYTES, MAX_COLUMNS, parquet.MAX_ROWS) == (100 * 2**20, 1_000, 50_000_000)


@full_run  # files of 100 MB
@pytest.mark.parametrize("shape", SHAPES)
def test_a_hundred_megabytes_are_read(shape: str) -> None:
    header, row = SHAPES[shape]
    data, rows = sized(header, row, MAX_BYTES)
    table = read_csv(data)
    assert len(data) == MAX_BYTES
    assert table.rows() == rows
    assert len(table.columns) == header.count(b",") + 1


@full_run  # test_read refuses it of a small file
def test_one_byte_more_is_refused(tmp_path: Path) -> None:
    data, _ = sized(b"a,b\n", b"1,2\n", MAX_BYTES + 1)
    path = tmp_path / "large.csv"
    path.write_bytes(data)
    for source in (data, io.BytesIO(data), path):
        with pytest.raises(DataError, match=TOO_LARGE):
            read_table(source)
    with pytest.raises(DataError, match=TOO_LARGE):
        read_parquet(b"PAR1".ljust(MAX_BYTES + 1))


@full_run  # a thousand and one are refused in test_read and test_parquet
def test_columns_of_csv() -> None:
    table = read_csv(wide(MAX_COLUMNS))
    assert len(table.columns) == MAX_COLUMNS
    assert {column.kind for column in table.columns} == {"whole number"}
    with pytest.raises(DataError, match=r"1,001 columns; keep the ones you need, at most 1,000"):
        read_csv(wide(MAX_COLUMNS + 1))


def packed(columns: int) -> bytes:
    memory = io.BytesIO()
    pq.write_table(pa.table({f"c{i}": [i, i] for i in range(columns)}), memory)
    return memory.getvalue()


@full_run
def test_columns_of_parquet() -> None:
    table = read_parquet(packed(MAX_COLUMNS))
    assert [column.name for column in table.columns] == [f"c{i}" for i in range(MAX_COLUMNS)]
    assert table.distinct("c999", 5) == ["999"]
    with pytest.raises(DataError, match=r"1,001 columns; keep the ones you need, at most 1,000"):
        read_parquet(packed(MAX_COLUMNS + 1))


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


@full_run  # files of 100 MB
def test_fifty_million_rows_of_parquet() -> None:
    assert read_parquet(many(parquet.MAX_ROWS)).rows() == parquet.MAX_ROWS
    with pytest.raises(DataError, match=r"more than 50,000,000 rows"):
        read_parquet(many(parquet.MAX_ROWS + 1))


@full_run  # files of 100 MB
def test_a_hundred_megabytes_of_parquet() -> None:
    """Numbers that no compression makes smaller, then zeros before the footer up to the limit."""
    numbers = {f"c{i}": np.random.default_rng(i).random(3_000_000) for i in range(4)}
    memory = io.BytesIO()
    pq.write_table(pa.table(numbers), memory, use_dictionary=False)
    content = memory.getvalue()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    data = content[:footer] + bytes(MAX_BYTES - len(content)) + content[footer:]
    assert len(data) == MAX_BYTES
    assert read_parquet(data).rows() == 3_000_000
    with pytest.raises(DataError, match=TOO_LARGE):
        read_parquet(data + b"x")


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
