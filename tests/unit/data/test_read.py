"""Reading a CSV: what is accepted and refused, fast as slow, and that nothing is left behind."""

import csv
import gzip
import hashlib
import io
import itertools
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpviz.data import Table, engine, layout, read, read_csv, read_table, rows_mark
from dpviz.data.engine import Plain, look
from dpviz.errors import DataError, ParameterError
from tests.conftest import FULL, few, for_each
from tests.unit.data.conftest import CANARY, refusal, rows, zipped

pytestmark = pytest.mark.usefixtures("own_engine")


def kinds(table: Table) -> dict[str, str]:
    return {column.name: column.kind for column in table.columns}


def cells(table: Table) -> list[list[object]]:
    frame = table.preview(100)
    return frame.astype(object).where(frame.notna(), None).to_numpy().tolist()


def parquet() -> bytes:
    memory = io.BytesIO()
    pd.DataFrame({"a": [CANARY]}).to_parquet(memory)
    return memory.getvalue()


BAD = {  # what is wrong: the bytes, and what the sentence must say
    "byte-order mark only": (b"\xef\xbb\xbf", "file is empty"),
    "blank lines only": (b"\n \r\n\n", "file is empty"),
    "header only": (b"id,age\n", "no rows below"),
    "header and blank lines": (b"id,age\r\n\r\n  \r\n", "no rows below"),
    "row too long": (f"a,b\n1,2\n3,4,{CANARY}\n".encode(), "line 3 has 3 values.*2 columns"),
    "row too short": (f"a,b\n1,2\n\n{CANARY}\n5,6\n".encode(), "line 4 has 1 value but.*2 columns"),
    "ragged after a quoted line end": (
        f'a,b\r\n"x\r\ny",2\r\n{CANARY},4,5\r\n'.encode(),
        "line 4 has 3 values",
    ),
    "blank line with spaces": (f"a,b\n{CANARY},2\n   \n5,6\n".encode(), "line 3 has 1 value "),
    "one column, two values": (f"a\n1\n2,{CANARY}\n".encode(), "line 3 has 2 values.*1 column;"),
    "quote never closed": (f'a,b\n1,2\n3,"{CANARY}\n5,6\n'.encode(), "line 3.*quotation mark"),
    "text after a quote": (f'a,b\n1,2\n3,"x"{CANARY}\n'.encode(), "line 3.*quotation mark"),
    "quote never closed in the header": (f'a,"b\n1,{CANARY}\n'.encode(), "header.*quotation mark"),
    "half a letter in UTF-16": (
        f"a,b\n1,2\n3,{CANARY}".encode("utf-16")[:-1],
        "line 3 is not UTF-16 text",
    ),
    "program": (f"a\x01b\n{CANARY}é\n".encode("latin-1"), "signs in it that no text has"),
    "zero byte": (f"a,b\n1,{CANARY}\0\n".encode(), "zero bytes.*not CSV"),
    "xlsx": (zipped("[Content_Types].xml", "xl/workbook.xml"), r"Excel workbook \(.xlsx\)"),
    "zip": (zipped(CANARY), "zip archive"),
    "parquet": (parquet(), "is a Parquet file"),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0" + CANARY.encode(), "is a picture"),
    "web page": (f"\n<!DOCTYPE html><p>{CANARY}, {CANARY}".encode(), "is a web page"),
    "json": (f'[{{"name": "{CANARY}"}}]'.encode(), "is a JSON file"),
    "same name twice": (
        f"{CANARY},b, {CANARY} \n1,2,3\n".encode(),
        "columns 1 and 3 have the same",
    ),
    "one empty name": (f'""\n{CANARY}\n'.encode(), "header"),
    "too many columns": (
        (",".join(f"c{i}" for i in range(1001)) + "\n" + ",".join([CANARY] * 1001)).encode(),
        "1,001 columns.*at most 1,000",
    ),
}


def test_bad_file_gets_one_clear_sentence_without_values(temporary: Path) -> None:
    for data, says in BAD.values():
        assert str(temporary) not in refusal(says, read_csv, data, name="people.csv")


@pytest.mark.parametrize("delimiter", few([",", ";", "\t", "|"], 2))
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_delimiters_line_ends_and_byte_order_mark(delimiter: str, end: str, mark: bytes) -> None:
    lines = ["id{0}name", '1{0}"x, y; z\tw|v"', "2{0}Łódź", "", ""]
    table = read_csv(mark + end.join(lines).format(delimiter).encode(), name="t")
    assert [column.name for column in table.columns] == ["id", "name"]
    assert cells(table) == [[1, "x, y; z\tw|v"], [2, "Łódź"]]


def test_names_lose_the_quotes_around_them() -> None:
    def names(*header: str) -> list[str]:
        table = read_csv(f"{';'.join(header)}\n{';'.join('1' * len(header))}\n".encode())
        return [column.name for column in table.columns]

    assert names("'popul'", "'TV news'", "age") == ["popul", "TV news", "age"]
    assert names("“popul”", "«âge»", "`x`", "'' ") == ["popul", "âge", "x", "''"]
    assert names("'s", "o'", "'a' or 'b'", "'") == ["'s", "o'", "'a' or 'b'", "'"]
    assert names("'a'", "a", "'b'") == ["'a'", "a", "'b'"]  # they would be equal
    table = read_csv(b"'popul';x\nA;1\nB;2\n")
    assert table.text("'popul'").equals(table.text("popul"))  # as a plan of before calls it


def test_the_line_of_names_is_chosen() -> None:
    data = f'"Export\n{CANARY}";;\n\nward,x;cost\nA;1\n"B";2,5\n'.encode()
    table = read_csv(data, name="r.csv", header=4)
    assert [column.name for column in table.columns] == ["ward,x", "cost"]
    assert cells(table) == [["A", "1"], ["B", "2,5"]]
    assert table.file.header == 4
    assert table.file.loading("r.csv") == "read_table('r.csv', header=4)"
    assert cells(read_csv(b"sep=;\nx\n\n" + b"a;b\n1;2\n", header=4)) == [[1, 2]]
    plain = b"\n\na,b\n1,2\n3,4,5\n".replace(b"3,4,5\n", b"")
    usual = read_csv(plain)
    for header in (1, 2, 3):  # nothing is above it
        assert read_csv(plain, header=header).digest == usual.digest
        assert read_csv(plain, header=header).file == usual.file
    with pytest.raises(DataError, match="line 6 has 3 values but the header names 2 columns"):
        read_csv(b"t\n\n\na,b\n1,2\n3,4,5\n", header=4)
    for header in (5, 10**9):
        with pytest.raises(DataError, match=r"the file has no line [0-9,]+ with names"):
            read_csv(b"t\n\n\na,b\n", header=header)
    for wrong in (0, 1.5, "2", True):
        with pytest.raises(ParameterError, match="header must be"):
            read_csv(plain, header=wrong)  # type: ignore[arg-type]


def test_quotes_in_header_and_values() -> None:
    data = b'"first, last","say ""hi""","two\nlines"\r\n"a\r\nb","c""d",\r\n"",x y,"1"'
    table = read_csv(data, name="t")
    assert [column.name for column in table.columns] == ["first, last", 'say "hi"', "two lines"]
    assert cells(table) == [["a\nb", 'c"d', None], [None, "x y", 1]]


def test_delimiter_is_the_one_that_cuts_every_line_alike() -> None:
    assert layout.find_layout(b"place;a,b,c\nx;1\ny;2\n").delimiter == ";"
    assert layout.find_layout(b"a;b\n1,5;2,5\n").delimiter == ";"
    assert layout.find_layout(b"a,b\n1,2\n1;2;3,4;5\n").delimiter == ","
    long = b"a;b,c,d\n" + b"x;y,1,2\n" * 49 + b'x;y,"cut\nhere",2\n'
    assert layout.find_layout(long).delimiter == ","


def test_the_first_line_in_which_excel_says_the_delimiter_is_no_record() -> None:
    for said in ("sep=;", '"sep=;"', "SEP=;", "sep=;;;"):
        table = read_csv(f"{said}\r\nid;a, b, c\r\n1;2,5\r\n".encode("utf-16"), name="t")
        assert [column.name for column in table.columns] == ["id", "a, b, c"]
        assert cells(table) == [[1, "2,5"]]
    with pytest.raises(DataError, match="line 4 has 3 values but the header names 2 columns"):
        read_csv(b"sep=;\nid;a\n1;2\n1;2;3\n", name="t")
    assert read_csv(b"sep=a;b\n1;2\n", name="t").columns[0].name == "sep=a"  # a header, then


def test_columns_without_a_name_are_given_one() -> None:
    table = read_csv(b"a,, column 2 ,,\n1,2,3,,\n", name="t")
    names = ["a", "column 2 (2)", "column 2", "column 4", "column 5"]
    assert [column.name for column in table.columns] == names
    assert table.file.unnamed == (2, 4, 5)
    assert cells(table) == [[1, 2, 3, None, None]]
    assert read_csv(b",\n1,2\n").columns[1].name == "column 2"


def test_one_column_blank_lines_white_space_and_a_value_of_megabytes() -> None:
    table = read_csv(b"\n\nage\n25\n30\n\n\n", name="t")
    assert kinds(table) == {"age": "whole number"}
    assert cells(table) == [[25], [30]]
    assert cells(read_csv(b"a,b\n\n1,2\n\n3,4\n", name="t")) == [[1, 2], [3, 4]]
    table = read_csv(" a , b \n x y ,\t7 \n\u00a0,\u2003\n ,8\n".encode(), name="t")
    assert kinds(table) == {"a": "text", "b": "whole number"}
    assert cells(table) == [["x y", 7], [None, 8]]
    long = "x" * 3_000_000
    assert cells(read_csv(f"a,b\n1,{long}\n".encode(), name="t")) == [[1, long]]


def test_rows_without_any_value_are_left_out_and_the_table_is_another_one() -> None:
    bare, emptied = b"a;b\n1;x\n2;\n", b'a;b\n;;\n1;x\n ;""\n2;\n;\n'
    one, other = (read_csv(data, name="t") for data in (bare, emptied.replace(b";;", b";")))
    assert cells(other) == cells(one)
    assert kinds(other) == kinds(one)
    assert (other.rows(), other.file.emptied, one.file.emptied) == (2, True, False)
    assert rows_mark(other) == rows_mark(one)
    assert other.digest != read.digest_of(emptied.replace(b";;", b";"))  # as it was with these rows
    assert read_csv(b"a\n1\n\n2\n", name="t").rows() == 3  # a question that nobody answered
    with pytest.raises(DataError, match="no rows below it"):
        read_csv(b"a;b\n;\n;\n", name="t")


def test_white_space_is_what_python_calls_so() -> None:
    """Groups are trimmed by Python and values by the engine: they must agree."""
    rows = "".join(f"{s}x{s},{i}\n" for i, s in enumerate(WHITE + NEAR))
    values = [row[0] for row in cells(read_csv(f"a,b\n{rows}".encode(), name="t"))]
    assert len(WHITE) == 27
    assert values == [f"{s}x{s}".strip() for s in WHITE + NEAR]


def test_types_are_found_over_all_rows() -> None:
    cases = [
        ("1 -2 0 9223372036854775807", "whole number"),
        ("1 2.5 -.5 1e-07 3.", "number"),
        ("true FALSE True", "yes/no"),
        ("2026-01-31 1999-12-01", "date"),
        ("2026-01-31T10:00 1999-12-01", "time"),
        ("10:00 23:59:59.25", "time"),
        ("1 2 x", "text"),
        ("007 12", "text"),  # codes would lose their zeros
        ("1E5 2E3", "text"),
        ("+49 +43", "text"),
        ("12345678901234567890 1", "text"),  # as floats, two of them would become one
        ("1234567890123456.5 1", "text"),
        ("nan 1", "text"),
        ("1e+400 1", "text"),
        ("2026-02-30", "text"),
        ("yes no", "text"),
    ]
    columns = [[values, *values.split()] for values, _ in cases]
    rows = itertools.zip_longest(*columns, fillvalue="")
    table = read_csv("\n".join(map(";".join, rows)).encode(), name="t")
    assert kinds(table) == dict(cases)


def test_a_late_value_changes_the_type() -> None:
    rows = engine._FIRST_LOOK + 500
    late = "a,b,c\n" + "1,,1\n" * rows + "x,7,1.5\n"
    found = kinds(read_csv(late.encode(), name="t"))
    assert found == {"a": "text", "b": "whole number", "c": "number"}
    assert kinds(read_csv(b"a,b\n1,\n2,\n", name="t"))["b"] == "text"


def test_hostile_names_stay_names() -> None:
    names = [
        *('"; DROP TABLE data; --', "a'b", "c0", "select *", "=1+1", "![](x)", "Ünï", "Age", "age")
    ]
    header = ";".join('"' + name.replace('"', '""') + '"' for name in names)
    table = read_csv((header + "\n" + ";".join(map(str, range(len(names))))).encode(), name="t")
    assert [column.name for column in table.columns] == names
    assert list(table.preview(1).columns) == names
    for i, name in enumerate(names):
        assert table.distinct(name, 5) == [str(i)]
    assert table.rows() == 1


def test_same_table_from_bytes_path_and_file(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbfid\r\n1\r\n"
    path = tmp_path / "people.csv"
    path.write_bytes(data)
    opened = io.BytesIO(data)
    opened.read()  # somebody looked at it before
    sources = [data, bytearray(data), memoryview(data), path, str(path), opened]
    tables = [read_csv(source) for source in sources]
    assert {table.digest for table in tables} == {hashlib.sha256(data).hexdigest()}
    assert [table.rows() for table in tables] == [1] * 6
    names = ["table", "table", "table", "people.csv", "people.csv", "table"]
    assert [table.name for table in tables] == names
    with path.open("rb") as file:
        assert read_csv(file).name == "people.csv"
    assert read_csv(path, name="x").name == "x"


@for_each("source", ["no/such/file.csv", "\0", io.StringIO("a\n1\n"), None, 7])
def test_a_source_that_cannot_be_read(source: object) -> None:
    with pytest.raises(DataError, match=r"cannot be opened|must be bytes, a path"):
        read_csv(source)  # type: ignore[arg-type]


def test_at_most_so_many_bytes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = b"a\n" + b"1\n" * 10
    (tmp_path / "t.csv").write_bytes(data)
    monkeypatch.setattr(read, "MAX_BYTES", len(data))
    assert read_csv(data, name="t").rows() == 10
    monkeypatch.setattr(read, "MAX_BYTES", len(data) - 1)
    for source in (data, io.BytesIO(data), tmp_path / "t.csv"):
        refusal("larger than 100 MB", read_csv, source)


def test_a_full_disk_is_a_sentence(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, f"No space left on device: {temporary}")

    for made in ("mkstemp", "TemporaryFile"):
        monkeypatch.setattr(tempfile, made, full)
    refusal("^the temporary folder cannot hold the file", read_csv, b"a\n1\n")


def test_quoted_line_ends_in_a_file_of_many_blocks() -> None:
    """The engine may read a large file in parallel; a cut inside quotes must not show."""
    rows, filler = 400_000, "z" * 80  # above the 32 MB of one default block
    data = "a,b\n" + "".join(f'{i},"{filler}\n{i}, x"\n' for i in range(rows))
    assert len(data) > 33_000_000
    table = read_csv(data.encode(), name="t")
    assert table.rows() == rows
    whole = table.expression[1] == filler + "\n" + table.expression[0].cast("string") + ", x"
    good = table.expression.filter(whole)
    assert table.collect(good.aggregate(n=good.count()))["n"][0].as_py() == rows


@pytest.mark.parametrize("delimiter", few([",", ";", "\t", "|"], 4))
def test_reads_what_another_reader_reads(delimiter: str) -> None:
    """Random quoting, line ends and delimiters inside values, against Python's csv module."""
    rng = np.random.default_rng(ord(delimiter))
    pieces = np.array(["x", '"', "\n", ",", ";", "\t", "|", "é", " ", "'", "\\"])
    rows = [
        ["".join(rng.choice(pieces, rng.integers(0, 7))).strip() for _ in range(3)]
        for _ in range(2000)
    ]
    memory = io.StringIO()
    csv.writer(memory, delimiter=delimiter, lineterminator="\n").writerows([["a", "b", "c"], *rows])
    table = read_csv(memory.getvalue().encode(), name="t")
    read_back = table.collect(table.expression[["c0", "c1", "c2"]]).to_pydict()
    assert list(zip(*read_back.values(), strict=True)) == [
        tuple(value or None for value in row) for row in rows if any(row)
    ]


# What is no table is called by its name, whatever the file is called.


NAMED = {
    b"ARROW1\0\0\xff": "an Arrow or Feather file",
    b"ORC\x0a\x03\xff": "an ORC file",
    b"Obj\x01\x04\xff": "an Avro file",
    b"%PDF-1.7\n%plain\n": "a PDF document",
    b"{\\rtf1\\ansi a,b}\n": "a document in rich text",
    b"SQLite format 3\0": "an SQLite database",
    b"\0\0\0\0\0\0\0\0DUCK\0\xff": "a DuckDB database",
    b"\0\x01\0\0Standard Jet DB\0": "an Access database",
    b"RDX3\nX\n\0\0\0\x03\xff": "a workspace of R",
    b"RDA3\nA\n3\n262657\n197888\n5\nUTF-8\n1026\n": "a workspace of R",
    gzip.compress(b"RDA2\nA\n2\n262657\n131840\n1026\n"): "a workspace of R",
    gzip.compress(b"RDX3\nX\n\0\0\0\x03\xff"): "a workspace of R",
    gzip.compress(b"X\n\0\0\0\x03\0\x04\xff"): "an object of R",
    b"MATLAB 5.0 MAT-file\0": "a MATLAB file",
    b"\x89HDF\r\n\x1a\n": "an HDF5 file",
    b"\x93NUMPY\x01\0": "an array of NumPy",
    b"\x80\x04\x95\0\xff": "an object of Python",
    b"a" * 257 + b"ustar\0\xff": "a tar archive",
    b"Rar!\x1a\x07\0": "a RAR archive",
    bytes(12) + b"\xc2\xea\x81\x63\xb3\x14\x11\xcf\xbd\x92\x08\0": "a catalog of SAS",
    b"**COMPRESSED** **COMPRESSED** **COMPRESSED**": "an archive of SAS made by CPORT",
    b" " * 40 + b"ASCII SPSS PORT FILE" + b" " * 140 + b"x": "a portable SPSS file",
    b"\x1c\0\0\0\0\0\0\0ENCRYPTEDSAV\x15\xff": "an SPSS file with a password",
    b"@RELATION people\n@attribute a numeric": "a Weka file",
    '<?xml version="1.0"?>'.encode("utf-16"): "an XML file",
}


def test_each_refusal_names_the_format_that_it_sees() -> None:
    for data, named in NAMED.items():
        with pytest.raises(DataError, match=f"the file is {named}.*, not CSV"):
            read_table(data, name="people.csv")


@pytest.mark.parametrize(
    "name", few(["PK", "ORC", "DUCK", "RDX3", "RDA3", "Obj", "Rar", "weight,DUCK"], 4)
)
def test_a_table_whose_first_name_looks_like_a_mark_is_a_table(name: str) -> None:
    values = ",".join("1" * (name.count(",") + 2))
    table = read_table(f"{name},é\n{values}\n".encode())
    assert table.columns[0].name == name.split(",")[0]


# The fast ways of reading give the rows and types of the slow ones, on every kind of file.


WHITE = [chr(i) for i in range(1, 0x11000) if chr(i).isspace() and chr(i) not in "\n\r"]
NEAR = ["\u200b", "\ufeff", "\u2060", "\x08", "\x1b", "\x7f", "é", "à", "ł", "字", "…"]
BODIES = ("x", "1", "x y", "", "é", "7.5", "true", "12345")


def slowly(text: bytes, monkeypatch: pytest.MonkeyPatch) -> Table:
    with monkeypatch.context() as patch:
        patch.setattr(engine, "look", lambda *_: Plain())
        patch.setattr(engine, "_SURE", {})
        return read_csv(text, name="t")


def found(table: Table) -> object:
    return rows(table), table.types


def test_the_fast_way_gives_the_rows_of_the_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(36)
    untrimmed = 0
    for delimiter in ",;\t" * (15 if FULL else 2):
        around = ["", "", "", "", str(rng.choice([s for s in WHITE + NEAR if s != delimiter]))]
        body = [
            delimiter.join(
                "".join((rng.choice(around), rng.choice(BODIES), rng.choice(around)))
                for _ in range(3)
            )
            for _ in range(rng.integers(1, 8))
        ]
        text = "\n".join([delimiter.join("abc"), *body, delimiter.join("xyz")]).encode()
        untrimmed += not look(text, 6, delimiter).trimmed
        assert found(read_csv(text, name="t")) == found(slowly(text, monkeypatch)), text
    assert (10 if FULL else 0) < untrimmed < 40


def test_no_white_space_is_overlooked() -> None:
    """At the beginning and the end of a value, of a line, of the file and of a piece of it."""
    fillers = few((engine._PIECE - 7, 1, engine._PIECE - 8, engine._PIECE - 6), 4)
    for white, filler in itertools.product(WHITE, fillers):
        for value in (f"{white}x", f"x{white}"):
            for row in (f"{value},y", f"y,{value}"):
                text = f"a,b\n{'z' * filler},1\n{row}\n2,3".encode()
                assert not look(text, 4, ",").trimmed, (value, filler)
                assert not look(text[:-4], 4, ",").trimmed, (value, filler)


@for_each(
    ("text", "proved"),
    [
        (b"a,b\n1,x y\n,", Plain(2, trimmed=True)),
        ("a,b\né,x é y\n字,ł".encode(), Plain(2, trimmed=True)),
        (b'"a",b\n1,2', Plain(1, trimmed=True)),  # in the header they do not matter
        (b'a,b\n1,""', Plain()),
        (b"a,b\n\n1,2", Plain()),
        (b"a,b\n1,2\n\n1,2", Plain()),
        (b"a,b\n" + b"z," * (engine._PIECE // 2) + b"\n\n1,2", Plain()),
    ],
)
def test_what_is_proved(text: bytes, proved: Plain) -> None:
    assert look(text, text.index(b"\n") + 1, ",") == proved


def test_blocks_that_lose_a_record_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"a,b\n1,2\n3,4\n"
    assert engine.look(text[:-1], 4, ",").records == 2
    monkeypatch.setattr(engine, "look", lambda *_: Plain(records=3, trimmed=True))
    read_in: list[dict[str, int]] = []
    create = engine._create

    def spied(*given: object, options: dict[str, int], **named: object) -> None:
        read_in.append(options)
        create(*given, options=options, **named)

    monkeypatch.setattr(engine, "_create", spied)
    assert rows(read_csv(text, name="t")) == [("1", "2"), ("3", "4")]
    assert read_in == [{}, {"buffer_size": len(text) - 1}]


ODD = (
    *("true", "TRUE", "tRUE", "falſe", "t", "yes", "0", "1", "-0", "-1", "+1", "007", "00", "1e2"),
    *("1E5", "1_000", "0x1f", "1.", ".5", "-.5", ".", "-", "1e-7", "nan", "inf"),
    "1234567890123456",
    *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "２０２６", "١", "é"),
    *("2026-01-31", "2026-02-30", "2026-1-31", "12026-01-31", "0000-01-01", "0044-03-15 (BC)"),
    *("infinity", "-infinity", "epoch", "26-01-31", "2026-01-31T10:00", "2026-01-31 10:00:00"),
    *("10:00", "24:00", "10:00:00.5"),
)


@pytest.mark.parametrize("above", few(["", "1", "1.5", "true", "2026-01-31"], 3))
def test_what_is_sooner_said_is_what_the_pattern_says(
    above: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = ",".join(f"c{i}" for i in range(len(ODD)))
    text = "\n".join((header, ",".join([above] * len(ODD)), ",".join(ODD))).encode()
    assert read_csv(text, name="t").types == slowly(text, monkeypatch).types
