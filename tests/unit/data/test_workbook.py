"""Workbooks: the table that CSV would give, and what is hostile ends another process only."""

import datetime
import hashlib
import io
import itertools
import os
import re
import subprocess
import zipfile

import openpyxl
import pytest

from dpviz.data import Table, apart, read_csv, read_table, read_workbook
from dpviz.errors import DataError, ParameterError
from tests.conftest import FULL, few
from tests.workbooks import by_hand, saved, written

CANARY = "Zanzibar7"
HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>'
PEOPLE = [["id", "Größe"], [1, 1.75], [2, None], [3, 25.0]]
CSV = "id,Größe\n1,1.75\n2,\n3,25\n".encode()
NESTED = "".join(f'<!ENTITY {b} "{9 * f"&{a};"}">' for a, b in itertools.pairwise("abcdefghi"))


def rows(table: Table) -> list[tuple[object, ...]]:
    return table.connection.execute("SELECT * FROM data").fetchall()


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


def zipped(*names: str) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name in names:
            archive.writestr(name, CANARY)
    return memory.getvalue()


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
    for header, says in (
        (2, "row 2 of the sheet is empty; type.* such as 1"),
        (99, "row 99 .*such as 1"),
    ):
        with pytest.raises(DataError, match=says):
            read_table(data, header=header)
    with pytest.raises(DataError, match="no rows below"):
        read_table(data, header=8)
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
    for what, (data, says) in few(BAD.items(), 6):
        with pytest.raises(DataError) as caught:
            read_table(data, name="people.xlsx")
        message = str(caught.value)
        assert re.search(says, message), (what, message)
        assert "\n" not in message
        assert len(message) < 220
        assert CANARY not in message
        assert caught.value.__context__ is None


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
    with pytest.raises(DataError, match="process that reads workbooks cannot be started") as caught:
        read_table(written({"S": PEOPLE}))
    assert caught.value.__context__ is None
