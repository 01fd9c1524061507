"""JSON Lines, workbooks and files of Stata, SPSS and SAS: the table that CSV would give."""

import datetime
import datetime as dt
import gzip
import hashlib
import io
import itertools
import json
import os
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyreadstat
import pytest

from dpviz.data import (
    FileFormat,
    NestedError,
    apart,
    read_csv,
    read_statistics,
    read_table,
    read_workbook,
    statistics_process,
)
from dpviz.errors import DataError, ParameterError
from tests.conftest import FULL, few, full_run
from tests.unit.data.conftest import CANARY, refusal, rows, zipped
from tests.workbooks import by_hand, saved, written

HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>'
PEOPLE = [["id", "Größe"], [1, 1.75], [2, None], [3, 25.0]]
CSV = "id,Größe\n1,1.75\n2,\n3,25\n".encode()
NESTED = "".join(f'<!ENTITY {b} "{9 * f"&{a};"}">' for a, b in itertools.pairwise("abcdefghi"))


def all_kinds() -> bytes:
    """A cell of each kind in each row, above them an empty row."""
    book = openpyxl.Workbook()
    sheet = book.active
    noon = datetime.datetime(2025, 1, 31, 12, 0, 7)
    values = [25.0, 0.1, 1e20, True, noon.date(), noon, noon.time(), "#N/A", "=1+1", ' "x", y\nz ']
    values += [datetime.timedelta(hours=26, minutes=30), -3, "007", 1_234_567_890_123]
    for value in values:
        sheet.append([value, 1])
    sheet.insert_rows(1, 2)
    sheet["A2"], sheet["B2"] = "what", "one"
    sheet["A3"].number_format = "0.00"  # Excel shows 25.00; the number is 25
    return saved(book)


@pytest.mark.usefixtures("in_this_process")
def test_each_kind_of_cell_is_text_by_itself() -> None:
    texts = ["25", "0.1", "1e+20", "true", "2025-01-31", "2025-01-31 12:00:07", "12:00:07", None]
    texts += [None, '"x", y\nz', "26:30:00", "-3", "007", "1234567890123"]
    table = read_workbook(all_kinds(), name="kinds.xlsx")
    assert [column.name for column in table.columns] == ["what", "one"]
    assert [text for text, _ in rows(table)] == texts
    assert table.columns[1].kind == "whole number"


def test_a_workbook_is_the_table_of_its_csv() -> None:
    table, csv = read_table(written({"People": PEOPLE})), read_csv(CSV)
    assert (table.columns, table.types, rows(table)) == (csv.columns, csv.types, rows(csv))


@pytest.mark.usefixtures("in_this_process")
def test_the_first_sheet_or_the_one_that_is_named() -> None:
    other = [["x", None], [7, 8]]
    data = written({"Lists": PEOPLE, "People": PEOPLE, "Zwei": other}, hidden=["Lists"])
    first, named, second = (read_table(data, sheet=s) for s in (None, "People", "Zwei"))
    assert first.file.sheets == ("People", "Zwei", "Lists")
    assert (first.file.sheet, second.file.sheet) == ("People", "Zwei")
    assert [column.name for column in second.columns] == ["x", "column 2"]
    assert second.file.unnamed == (2,)
    assert first.digest == named.digest != second.digest
    assert second.file.loading("b.xlsx") == "read_table('b.xlsx', sheet='Zwei')"
    assert first.file.loading("b.xlsx") == "read_table('b.xlsx')"
    with pytest.raises(DataError, match="no sheet “x”; its sheets are “People”, “Zwei” and"):
        read_table(data, sheet="x")
    with pytest.raises(DataError, match="only an Excel workbook has sheets"):
        read_table(b"a\n1\n", sheet="People")


def report() -> bytes:
    """A title over all columns, an empty row, names in two rows, and merged cells below them."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["B1"] = f"Visits of {CANARY}"
    sheet["B3"], sheet["C3"], sheet["E3"] = "ward", "cost", "note"
    sheet["C4"], sheet["D4"] = "2024", "2025"
    for row in (["North", 1, 2, "x"], [CANARY, 3, 4], ["South", 5], [None, 7, 8, "y"]):
        sheet.append([None, *row])
    for cells in ("B1:E1", "B3:B4", "C3:D3", "E3:E4", "B5:B6", "C7:D7", "B7:B8", "E7:E8"):
        sheet.merge_cells(cells)
    return saved(book)


@pytest.mark.usefixtures("in_this_process")
def test_the_row_of_names_is_chosen_and_merged_cells_are_filled() -> None:
    data = report()
    table = read_table(data, header=4)
    assert [column.name for column in table.columns] == ["ward", "2024", "2025", "note"]
    assert rows(table) == [
        ("North", "1", "2", "x"),
        ("North", "3", "4", None),
        ("South", "5", "5", None),
        ("South", "7", "8", None),
    ]
    assert (table.file.header, table.file.merged) == (4, True)
    assert table.file.loading("r.xlsx") == "read_table('r.xlsx', header=4)"
    names = [column.name for column in read_table(data, header=3).columns]
    assert names == ["ward", "cost", "cost (2)", "note"]  # a name over two columns is of both
    first, said = read_table(data), read_table(data, header=1)
    assert first.file == said.file
    assert first.file.header is None
    assert len({first.digest, said.digest, table.digest}) == 2
    for header, says in ((2, "row 2 .*empty; type.* such as 1"), (99, "row 99 "), (8, "no rows")):
        with pytest.raises(DataError, match=says):
            read_table(data, header=header)
    for header in (0, -1, "3", 1.5, True):
        with pytest.raises(ParameterError, match="header must be"):
            read_table(data, header=header)


@pytest.mark.usefixtures("in_this_process")
def test_merged_cells_are_another_table_than_before() -> None:
    """A project that was begun when they were not filled must not take it for the same."""
    merged = openpyxl.load_workbook(io.BytesIO(written({"S": [["a", "b"], ["x", 1], [None, 2]]})))
    plain = saved(merged)
    assert read_table(plain).digest == hashlib.sha256(plain).hexdigest()
    merged.active.merge_cells("A2:A3")
    content = saved(merged)
    assert rows(read_table(content)) == [("x", "1"), ("x", "2")]
    assert read_table(content).digest != hashlib.sha256(content).hexdigest()


@pytest.mark.usefixtures("in_this_process")
def test_a_million_merged_cells_far_away_cost_little() -> None:
    merges = "".join(
        f'<mergeCell ref="A{i}:XFD{i}"/>' for i in range(2, 200_000 if FULL else 50_000)
    )
    rest = f'<row r="2"><c r="A2"><v>1</v></c></row></sheetData><mergeCells>{merges}</mergeCells>'
    data = by_hand(HEAD + rest + "<sheetData>")
    assert read_table(data).rows() == 1


BAD = {  # the bytes, and what the sentence must say
    "a zip of other files": (zipped("a.csv", CANARY), "is a zip archive, not a workbook"),
    "Word": (zipped("word/document.xml"), "is a Word document"),
    "old Word": (b"\xd0\xcf\x11\xe0" + "WordDocument".encode("utf-16-le"), "is a Word document"),
    "another zip": (b"PK\x03\x04" + CANARY.encode(), "is no workbook"),
    "cut off": (written({CANARY: PEOPLE})[:-100], "is no workbook"),
    "broken XML": (by_hand(f"<row><c><v>{CANARY}</v>"), "is no workbook"),
    "no sheet": (by_hand("", book="<workbook><sheets/></workbook>"), "has no sheet with cells"),
    "empty": (by_hand(""), "sheet is empty"),
    "header only": (by_hand(HEAD), "no rows below"),
    "same name twice": (written({"S": [[CANARY, CANARY], [1, 2]]}), "have the same name"),
    "too wide": (written({"S": [[f"c{i}" for i in range(1001)], [1]]}), "1,001 columns.*at most"),
    "old": (b"\xd0\xcf\x11\xe0" + bytes(500), "of before 2007"),
    "password": (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "has a password"),
    "last corner": (
        by_hand(f'{HEAD}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
        "unpacks to more than can be held",
    ),
    "no such corner": (
        by_hand(f'{HEAD}<row r="4000000000"><c r="ZZZZZZ4000000000"><v>1</v></c></row>'),
        "workbook",
    ),
    "entities": (
        by_hand(f'{HEAD}<row><c t="str"><v>&i;</v></c></row>', before=f"<!DOCTYPE x [{NESTED}]>"),
        "is no workbook",
    ),
}


def test_bad_workbooks_get_one_clear_sentence_without_values() -> None:
    for data, says in few(BAD.values(), 6):
        refusal(says, read_table, data, name="people.xlsx")


def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    many = by_hand(HEAD + "<row><c><v>1</v></c></row>" * 50_000)
    assert len(many) < 50_000
    shared = by_hand(HEAD + f'<row><c t="str"><v>{"x" * 30_000}</v></c></row>' * 200)
    assert read_table(many).rows() == 50_000
    monkeypatch.setattr(apart, "MAX_UNPACKED", 80_000)
    for bomb in few((shared, many), 2):
        with pytest.raises(DataError, match="unpacks to more than can be held"):
            read_table(bomb)
    monkeypatch.setattr(apart, "MAX_MEMORY", 3_000_000)  # nor does the process begin
    with pytest.raises(DataError, match="unpacks to more than can be held"):
        read_table(many)


def test_the_process_leaves_nothing_and_tells_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not in its arguments, which others see, nor on the server's log."""
    asked = []
    run = subprocess.run

    def spied(command: list[object], **given: object) -> object:
        asked.append((command, set(given)))
        return run(command, **given)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", spied)
    data = written({CANARY: [[CANARY], [CANARY]]})
    assert read_table(io.BytesIO(data), sheet=CANARY).rows() == 1
    with pytest.raises(DataError):
        read_table(BAD["last corner"][0])
    assert CANARY not in str(asked)
    assert all("shell" not in given and "env" not in given for _, given in asked)
    assert capfd.readouterr() == ("", "")


def test_a_machine_that_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", os.devnull)
    says = "process that reads workbooks cannot be started"
    refusal(says, read_table, written({"S": PEOPLE}))


# JSON Lines: each value as written, and what is no record of values is said with its line.


LINES = (
    '\ufeff{"id": 1, "Straße": "Köln, 2", "pay": 25.0, "new": true}\r\n'
    "\n"
    ' {"pay": 1e400, "id": 12345678901234567890, "late": "a\\nb\\u0000"}\n'
    '{"id": null, "pay": -0.50, "new": false, "late": " "}'
).encode()


def test_each_value_is_kept_as_it_is_written() -> None:
    table = read_table(LINES, name="people.jsonl")
    assert [column.name for column in table.columns] == ["id", "Straße", "pay", "new", "late"]
    assert rows(table) == [
        ("1", "Köln, 2", "25.0", "true", None),
        ("12345678901234567890", None, "1e400", None, "a\nb"),
        (None, None, "-0.50", "false", None),
    ]
    assert table.column("new").kind == "yes/no"
    assert table.file == FileFormat(kind="JSON Lines")
    assert table.digest == hashlib.sha256(LINES).hexdigest()
    packed = read_table(gzip.compress(LINES))
    assert rows(packed) == rows(table)
    assert packed.file.packed


def test_rows_of_nothing_are_rows_and_half_a_letter_is_a_letter() -> None:
    found = rows(read_table(b'{"a": null}\n{"a": ""}\n{}\n{"a": "x\\ud800"}'))
    assert [text for (text,) in found] == [None, None, None, "x?"]


@full_run
def test_lists_and_records_are_named_and_can_be_left_out() -> None:
    data = b'{"id": 1, "tags": []}\n{"id": 2, "of": {"a": 1}, "tags": null}\n{"id": 3, "of": 4}\n'
    with pytest.raises(
        NestedError, match="columns “tags” and “of” hold lists or records"
    ) as caught:
        read_table(data)
    assert caught.value.columns == ("tags", "of")
    table = read_table(data, leave_out=caught.value.columns)
    assert rows(table) == [("1",), ("2",), ("3",)]
    assert table.file.left_out == ("tags", "of")
    with pytest.raises(NestedError, match="column “of” holds"):
        read_table(data, leave_out=["tags"])
    with pytest.raises(DataError, match="no column “x” to leave out"):
        read_table(data, leave_out=["tags", "of", "x"])


BAD_LINES = {  # the bytes, and what the sentence must say
    "a list": (f'[{{"name": "{CANARY}"}}]'.encode(), "is a JSON file of one list"),
    "over lines": (f'{{\n  "a": "{CANARY}"\n}}'.encode(), "line 1 is not one record"),
    "no record": (f'{{"a": "{CANARY}"}}\n\n7\n'.encode(), "line 3 is not one record"),
    "cut off": (f'{{"a": "{CANARY}"}}\n{{"a": "{CANARY}'.encode(), "line 2 is not one record"),
    "a name twice": (f'{{"a": "{CANARY}", "a": 1}}'.encode(), "line 1 is not .* each name once"),
    "not UTF-8": (b'{"a": 1}\n{"a": "\xff' + CANARY.encode() + b'"}', "line 2 is not UTF-8 text"),
    "deep": (b'{"a": ' + b"[" * 100_000, "line 1 is not one record"),
    "nothing": (b'{"a": null}\n{}\n'.replace(b'"a": null', b""), "no column with a value"),
    "too wide": (
        ("{" + ", ".join(f'"c{i}": 1' for i in range(1001)) + "}").encode(),
        "1,001 columns.*at most 1,000",
    ),
    "alike": (f'{{"a": 1, " a": "{CANARY}"}}'.encode(), "columns 1 and 2 have the same name"),
}


def test_what_is_bad_gets_one_sentence_without_values() -> None:
    for data, says in few(BAD_LINES.values(), 2):
        refusal(says, read_table, data, name="people.jsonl")


# Files of Stata, SPSS and SAS: codes with their labels, missing values, dates; and what is bad.


CODED = pd.DataFrame(
    {
        "sex": [1.0, 2.0, 9.0, np.nan],
        "pay": [10.5, 25.0, 99.0, -1.0],
        "town": ["Köln", "x, y", "", "zz"],
        "day": [dt.date(2020, 1, 2), None, dt.date(1890, 5, 6), dt.date(2000, 1, 1)],
        "at": [dt.datetime(2020, 1, 2, 3, 4, 5), None, dt.datetime(1890, 5, 6), None],
    }
)
CODED_ROWS = [
    ("1", "10.5", "Köln", "2020-01-02", "2020-01-02 03:04:05"),
    ("2", "25", "x, y", None, None),
    ("9", "99", None, "1890-05-06", "1890-05-06 00:00:00"),
    (None, "-1", "zz", "2000-01-01", None),
]
# id 1, 2.5, 3; city; day in the format DATE9, the second .A: ReadStat's writer made it.
SAS = gzip.decompress(Path(__file__).with_name("people.sas7bdat.gz").read_bytes())


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., bytes]:
    """The bytes of a file that a writer of pyreadstat, or of pandas, writes."""

    def write(writer: Callable[..., Any], *args: Any, **more: Any) -> bytes:
        path = tmp_path / f"people{len(os.listdir(tmp_path))}"
        if getattr(writer, "__name__", "") == "to_stata":
            writer(path, write_index=False, **more)
        else:
            writer(*args, path, **more)
        return path.read_bytes()

    return write


@pytest.mark.usefixtures("in_this_process")
def test_each_program_gives_the_same_table(made: Any) -> None:
    files = {
        "SPSS": [
            made(pyreadstat.write_sav, CODED),
            made(pyreadstat.write_sav, CODED, compress=True),
        ],
        "Stata": [made(pyreadstat.write_dta, CODED, version=v) for v in (8, 15)],
        "SAS transport": [
            made(pyreadstat.write_xport, CODED, file_format_version=v) for v in (5, 8)
        ],
    }
    for program, contents in files.items():
        for content in contents:
            table = read_table(content, name="people")
            assert rows(table) == CODED_ROWS, program
            assert [column.kind for column in table.columns] == [
                *("whole number", "number", "text", "date", "time")
            ]
            assert table.file == FileFormat(kind=program)
            assert table.file.loading("p.x") == "read_table('p.x')"


def test_a_file_of_sas_is_what_another_reader_finds(tmp_path: Path) -> None:
    table = read_table(SAS)
    assert table.file.kind == "SAS"
    found = [("1", "Bonn", "2020-01-02"), ("2.5", "Köln", None), ("3", None, "1990-05-06")]
    assert rows(table) == found
    path = tmp_path / "p.sas7bdat"
    path.write_bytes(SAS)
    other = pd.read_sas(path, encoding="utf-8")
    assert [f"{x:g}" for x in other["id"]] == [row[0] for row in found]
    days = [None if pd.isna(day) else f"{day:%Y-%m-%d}" for day in other["day"]]
    assert days == [row[2] for row in found]


@pytest.mark.usefixtures("in_this_process")
def test_labels_come_from_the_codebook_and_declared_values_are_missing(made: Any) -> None:
    coded = pd.DataFrame({"sex": [1.0, 2.0, 9.0, 9.0], "pay": [5.0, 90.0, 95.0, -1.0]})
    coded["s"] = ["m", "f", "zz", "m"]
    spss = read_table(
        made(
            pyreadstat.write_sav,
            coded,
            variable_value_labels={
                "sex": {1: "men,\n all", 2: "women", 3: "others", 9: f"no answer {CANARY}"},
                "s": {"m": "male", "f": "female", "zz": "unknown"},
            },
            missing_ranges={"sex": [9], "pay": [{"lo": 90, "hi": 99}, -1], "s": ["zz"]},
        )
    )
    assert rows(spss) == [("1", "5", "m"), ("2", None, "f"), (None, None, None), (None, None, "m")]
    assert spss.file.labels_of("sex") == (("1", "men, all"), ("2", "women"), ("3", "others"))
    assert spss.file.labels_of("s") == (("m", "male"), ("f", "female"))
    assert spss.file.labels_of("pay") == ()
    assert spss.file.missing == ("sex", "pay", "s")
    assert CANARY not in repr(spss.file)
    coded = pd.DataFrame({"sex": [1, 2, "a", 2]})
    labels = {"sex": {1: "men", 2: "women", "a": "refused"}}
    stata = read_table(
        made(
            pyreadstat.write_dta,
            coded,
            variable_value_labels=labels,
            missing_user_values={"sex": ["a"]},
        )
    )
    assert rows(stata) == [("1",), ("2",), (None,), ("2",)]
    assert stata.file.labels_of("sex") == (("1", "men"), ("2", "women"))
    assert stata.file.missing == ("sex",)


@pytest.mark.usefixtures("in_this_process")
def test_numbers_of_half_length_and_periods_of_stata(made: Any) -> None:
    frame = pd.DataFrame({"f": np.array([0.1, 2.5], "f4"), "m": pd.to_datetime(["2020-01-31"] * 2)})
    frame["q"] = frame["w"] = frame["h"] = frame["y"] = frame["m"]
    how = {"m": "tm", "q": "tq", "w": "tw", "h": "th", "y": "ty"}
    for version in (114, 118):
        table = read_table(made(frame.to_stata, convert_dates=how, version=version))
        first = dict(zip([c.name for c in table.columns], rows(table)[0], strict=True))
        days = dict.fromkeys("mqh", "2020-01-01")
        assert first == {"f": "0.1", **days, "w": "2020-01-29", "y": "2020"}


@full_run
def test_all_rows_come_whatever_is_read_together(made: Any, monkeypatch: Any) -> None:
    many = pd.DataFrame({"a": np.arange(250.0), "b": [""] * 249 + ["x"]})
    for program, writer in (
        ("SPSS", pyreadstat.write_sav),
        ("Stata", pyreadstat.write_dta),
        ("SAS transport", pyreadstat.write_xport),
    ):
        asked = {"program": program, "encoding": None, "most": 1 << 20}
        for cells in (2, 200, 500, 501):  # a row, some of them, all, and more
            monkeypatch.setattr(statistics_process, "_CELLS", cells)
            found, *pieces = statistics_process.answer(asked, made(writer, many))
            assert json.loads(found)["fault"] is None
            assert b"".join(pieces).decode() == "".join(f"\n{i}," for i in range(250)) + "x"
        with pytest.raises(MemoryError):
            list(statistics_process.answer({**asked, "most": 700}, made(writer, many)))


@pytest.mark.usefixtures("in_this_process")
def test_encodings(made: Any) -> None:
    """What a file says, what somebody says, and what would be lost without a word."""
    west = pd.DataFrame({"town": ["Köln", "", "x"]})
    old = made(west.to_stata, version=114)  # Windows-1252, which the file does not say
    table, chosen = read_table(old), read_table(old, encoding="Latin-1")
    assert rows(table) == rows(chosen) == [("Köln",), (None,), ("x",)]
    assert chosen.digest != table.digest
    assert chosen.file.loading("t.dta") == "read_table('t.dta', encoding='Latin-1')"
    with pytest.raises(DataError, match="in another encoding than it says; choose an encoding"):
        read_table(old, encoding="UTF-8")  # of which ReadStat makes an empty text
    for writer in (pyreadstat.write_xport, partial(pyreadstat.write_dta, version=13)):
        mixed = made(writer, west).replace(b"x", b"\xf6")  # it says no encoding
        assert rows(read_table(mixed)) == [("Köln",), (None,), ("ö",)]
    for writer in (pyreadstat.write_sav, pyreadstat.write_dta):
        bad = made(writer, west).replace("Köln".encode(), b"K\xf6ln ")
        with pytest.raises(DataError, match="choose an encoding, such as Windows-1252"):
            read_table(bad)
        assert rows(read_table(bad, encoding="Windows-1252"))[0] == ("Köln",)
    with pytest.raises(ParameterError, match="encoding must be one of UTF-8, Windows-1252"):
        read_table(old, encoding="UTF-16")


@pytest.mark.usefixtures("in_this_process")
def test_a_bad_file_of_a_program_gets_one_sentence_without_values(made: Any) -> None:
    spss = made(pyreadstat.write_sav, pd.DataFrame({"a": [CANARY] * 5}))
    stata = made(pyreadstat.write_dta, pd.DataFrame({"a": [CANARY] * 5}))
    one = made(pyreadstat.write_xport, pd.DataFrame({"a": [CANARY]}), file_format_version=5)
    both = one + one[one.index(b"HEADER RECORD*******MEMBER") :]
    empty = made(pyreadstat.write_sav, pd.DataFrame({"a": pd.Series([], dtype=float)}))
    for content, says in (
        (spss[:-9], "begins like a file of SPSS but cannot be read"),
        (spss[:60], "begins like a file of SPSS but cannot be read"),
        (stata[:-300], "begins like a file of Stata but cannot be read"),
        (SAS[:5000], "begins like a file of SAS but cannot be read"),
        (both, "SAS transport file holds 2 tables; export the one"),
        (empty, "columns but no rows"),
        (spss.replace(b"$FL2", b"$FLX"), "not CSV"),
    ):
        refusal(says, read_table, content, name="people")
    refusal("does not begin like one of Stata, SPSS", read_statistics, b"id,age\n1,2\n")
    for option in ({"sheet": "S"}, {"header": 2}, {"leave_out": ["a"]}):
        refusal("leave out", read_table, SAS, **option)
