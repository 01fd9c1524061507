"""Files of Stata, SPSS and SAS: codes with their labels, missing values, dates; and what is bad."""

import base64
import datetime as dt
import json
import os
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from dpviz.data import FileFormat, Table, apart, read_statistics, read_table, statistics_process
from dpviz.errors import DataError, ParameterError
from tests.conftest import FULL, full_run

CANARY = "Zanzibar7"
PEOPLE = pd.DataFrame(
    {
        "sex": [1.0, 2.0, 9.0, np.nan],
        "pay": [10.5, 25.0, 99.0, -1.0],
        "town": ["Köln", "x, y", "", "zz"],
        "day": [dt.date(2020, 1, 2), None, dt.date(1890, 5, 6), dt.date(2000, 1, 1)],
        "at": [dt.datetime(2020, 1, 2, 3, 4, 5), None, dt.datetime(1890, 5, 6), None],
    }
)
ROWS = [
    ("1", "10.5", "Köln", "2020-01-02", "2020-01-02 03:04:05"),
    ("2", "25", "x, y", None, None),
    ("9", "99", None, "1890-05-06", "1890-05-06 00:00:00"),
    (None, "-1", "zz", "2000-01-01", None),
]
# id 1, 2.5, 3; city; day in the format DATE9, the second .A: ReadStat's writer made it.
SAS = zlib.decompress(
    base64.b64decode(
        "eNpjYECAQ68aEzaLCJ7fO4mDgfO4YY+EvICgsRKDsTEjkyEjRIkIAwMzI4q4MaOyMYOICIMCMyPMnGDHYAU3Tx9X"
        "F8cQx2DXEAVcgIEAAOmHqXP89OutSel9RxiNoVgAghnRhC31DEwMDH1NfTLzSiuQxI31DA30DHQNDc0M9AwN9QzR"
        "jauwMIs3M0HwQfby7pnaAcPo6mfsuvMP2Z0Mo2AUjIJRMApGwSgYBaNgFIyCUTAKRsEgAjOh/VZ0IM4OZTDxMXAD"
        "qRs8EK4GM6q6A1BxCTT9GVwQOoIJVVwBKu4BE4B22N9wQmgTNPEFUHEfNPEMqLgFmrgGVNwBzT0vOLCLryAgjmY8"
        "FHywB1PpVx2c8vPyMMczWCDG7ftR7314W04ehjwHWL5h6VEHUsZDRsEoGAWjYBSMgpEG/v3+Dwbo4pw41BswsBCl"
        "n1L7idYP0f5fBcqXgdLMQMjIAGtU/f/PxIDawPoD1WeBZh64ecLCCJ72AAFwM4yFiYEDTR4ZQI36j2hoqDBAmmca"
        "0NDSQbOdgeEvVA/SVIgI+jwOeJ4nxDUgM4WBITmzpDIlsRI0d+OKzSMwf8Bih51G6YWHHTX8YCHBhtaeY0PzJyOa"
        "+9D5/9HUsaKpY0WLb0Y0f6LzocmKYLr6RaS6n/8pS6dDDXwDAkg+QgXfgQDcUofyedHkBQ2UIP0ReD7EDtDFZdDL"
        "HQFUeWu0dPJ/hMUHrfqjpAJYPmNC43Oh8XnQ+HxofA6a+ZQDqYYSQbKHB8yWIdJmFqBLGdHqOgaGOpzpF70rCwC9"
        "UvRs"
    )
)


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


def rows(table: Table) -> list[tuple[Any, ...]]:
    return table.connection.execute("SELECT * FROM data").fetchall()


@pytest.mark.usefixtures("in_this_process")
def test_each_program_gives_the_same_table(made: Any) -> None:
    files = {
        "SPSS": [
            made(pyreadstat.write_sav, PEOPLE),
            made(pyreadstat.write_sav, PEOPLE, compress=True),
        ],
        "Stata": [made(pyreadstat.write_dta, PEOPLE, version=v) for v in (8, 15)],
        "SAS transport": [
            made(pyreadstat.write_xport, PEOPLE, file_format_version=v) for v in (5, 8)
        ],
    }
    for program, contents in files.items():
        for content in contents:
            table = read_table(content, name="people")
            assert rows(table) == ROWS, program
            assert [column.kind for column in table.columns] == [
                *("whole number", "number", "text", "date", "time"),
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
        assert first.pop("f") == "0.1"
        assert first == {
            "m": "2020-01-01",
            "q": "2020-01-01",
            "w": "2020-01-29",
            "h": "2020-01-01",
            "y": "2020",
        }


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
def test_what_is_bad_gets_one_sentence_without_values(made: Any) -> None:
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
        with pytest.raises(DataError, match=says) as caught:
            read_table(content, name="people")
        assert CANARY not in str(caught.value)
        assert caught.value.__context__ is None
    with pytest.raises(DataError, match="does not begin like one of Stata, SPSS or SAS"):
        read_statistics(b"id,age\n1,2\n")
    for option in ({"sheet": "S"}, {"header": 2}, {"leave_out": ["a"]}):
        with pytest.raises(DataError, match="leave out"):
            read_table(SAS, **option)


@full_run  # so does a workbook
def test_a_file_that_unpacks_to_too_much_ends_another_process(made: Any, monkeypatch: Any) -> None:
    zeros = made(pyreadstat.write_sav, pd.DataFrame({"a": ["x" * 200] * 20_000}), compress=True)
    assert len(zeros) < 50_000
    assert read_table(zeros).rows() == 20_000
    monkeypatch.setattr(apart, "MAX_UNPACKED", 300_000)
    with pytest.raises(DataError, match="unpacks to more than can be held"):
        read_table(zeros)
    monkeypatch.setattr(apart, "MAX_UNPACKED", 1 << 30)
    monkeypatch.setattr(apart, "MAX_MEMORY", 3_000_000)  # nor does the process begin
    with pytest.raises(DataError, match=r"cannot be read|unpacks to more"):
        read_table(zeros)


@full_run
def test_damage_anywhere_is_a_sentence_or_a_table(made: Any) -> None:
    rng = np.random.default_rng(3)
    contents = [made(pyreadstat.write_sav, PEOPLE), made(pyreadstat.write_dta, PEOPLE), SAS]
    said = []
    for content in contents * 20 if FULL else contents[:1]:
        broken = bytearray(content)
        for place in rng.integers(4, min(600, len(content)), 5):
            broken[place] = rng.integers(256)
        try:
            read_table(bytes(broken)).close()
        except DataError as error:
            said.append((str(error), error.__context__))
    assert not any("\n" in sentence or context for sentence, context in said)
