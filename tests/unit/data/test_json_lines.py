"""JSON Lines: each value as written, and what is no record of values is said with its line."""

import gzip
import hashlib
from typing import Any

import pytest

from dpviz.data import FileFormat, NestedError, Table, read_json_lines, read_table
from dpviz.errors import DataError
from tests.conftest import few, full_run

CANARY = "Zanzibar7"
PEOPLE = (
    '\ufeff{"id": 1, "Straße": "Köln, 2", "pay": 25.0, "new": true}\r\n'
    "\n"
    ' {"pay": 1e400, "id": 12345678901234567890, "late": "a\\nb\\u0000"}\n'
    '{"id": null, "pay": -0.50, "new": false, "late": " "}'
).encode()


def rows(table: Table) -> list[tuple[Any, ...]]:
    return table.connection.execute("SELECT * FROM data").fetchall()


def test_each_value_is_kept_as_it_is_written() -> None:
    table = read_table(PEOPLE, name="people.jsonl")
    assert [column.name for column in table.columns] == ["id", "Straße", "pay", "new", "late"]
    assert rows(table) == [
        ("1", "Köln, 2", "25.0", "true", None),
        ("12345678901234567890", None, "1e400", None, "a\nb"),
        (None, None, "-0.50", "false", None),
    ]
    assert table.column("new").kind == "yes/no"
    assert table.file == FileFormat(kind="JSON Lines")
    assert table.digest == hashlib.sha256(PEOPLE).hexdigest()
    packed = read_table(gzip.compress(PEOPLE))
    assert rows(packed) == rows(table)
    assert packed.file.packed


def test_rows_of_nothing_are_rows() -> None:
    assert rows(read_table(b'{"a": null}\n{"a": ""}\n{}\n{"a": 1}')) == [
        (None,),
        (None,),
        (None,),
        ("1",),
    ]


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


BAD = {  # the bytes, and what the sentence must say
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
    for data, says in few(BAD.values(), 2):
        with pytest.raises(DataError, match=says) as caught:
            read_table(data, name="people.jsonl")
        assert len(str(caught.value)) < 220
        assert CANARY not in str(caught.value)
        assert caught.value.__context__ is None


def test_half_a_letter_is_a_letter() -> None:
    assert rows(read_json_lines(b'{"a": "x\\ud800"}')) == [("x?",)]
