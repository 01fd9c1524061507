"""Encodings: what a spreadsheet exports is read, each value by its own bytes, and it is said."""

import codecs
import csv
import gzip
import hashlib
import itertools
import re

import numpy as np
import pytest

from dpviz.data import ENCODINGS, Table, layout, read, read_csv, read_table, text
from dpviz.data.layout import Lines, find_layout
from dpviz.errors import DataError, ParameterError
from tests.conftest import FULL, few, full_run
from tests.unit.data.conftest import CANARY, refusal, rows

GERMAN = "Straße;Größe (m²);Preis in €;Ort\r\nHauptstraße 7;85,5;1.234,50;Köln\r\n–;;7,25;Łódź\r\n"
WESTERN = GERMAN.replace("Łódź", "Málaga")  # what Windows-1252 can write


def found(table: Table) -> tuple[list[str], list[tuple[object, ...]]]:
    return [column.name for column in table.columns], rows(table)


def slowly(data: bytes) -> str:
    """As `text_of` reads what is not UTF-16, by Python's decoder, one fault at a time."""

    def one_byte(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        byte = data[error.start : error.start + 1]
        try:
            return byte.decode("cp1252"), error.start + 1
        except UnicodeDecodeError:
            return byte.decode("latin-1"), error.start + 1

    codecs.register_error("one byte", one_byte)
    return data.decode("utf-8", "one byte")


def test_a_german_spreadsheet_is_read_in_each_encoding() -> None:
    marks = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8", "utf-16": "UTF-16", "utf-16-le": "UTF-16"}
    whole = found(read_csv(GERMAN.encode()))
    assert whole[0] == ["Straße", "Größe (m²)", "Preis in €", "Ort"]
    assert whole[1][0] == ("Hauptstraße 7", "85,5", "1.234,50", "Köln")
    for codec, said in (marks | {"utf-16-be": "UTF-16"}).items():
        first = codecs.BOM_UTF16_BE if codec == "utf-16-be" else b""
        table = read_csv(first + GERMAN.encode(codec))
        assert (found(table), table.file.encoding) == (whole, said), codec
    for source in (WESTERN.encode("cp1252"), gzip.compress(WESTERN.encode("cp1252"))):
        table = read_table(source, name="preise.csv.gz")
        assert found(table) == found(read_csv(WESTERN.encode()))
        assert table.file.encoding == "Windows-1252"
        assert table.digest == hashlib.sha256(source).hexdigest()
        assert table.file.packed == (source[:2] == b"\x1f\x8b")


def test_a_choice_is_used_for_every_byte_and_gives_another_table() -> None:
    euro = "a;b\n€;ü\n"
    data = euro.encode("cp1252")
    tables = {None: read_csv(data)} | {e: read_csv(data, encoding=e) for e in ENCODINGS[2:]}
    assert found(tables[None]) == found(tables["Windows-1252"]) == (["a", "b"], [("€", "ü")])
    assert found(tables["Latin-1"])[1] == [("\x80", "ü")]
    assert len({table.digest for table in tables.values()}) == 3
    assert tables["Latin-1"].file.loading("x") == "read_table('x', encoding='Latin-1')"
    for sense in (True, False):  # without a mark, little-endian unless the first byte is zero
        plain = euro.encode("utf-16-le" if sense else "utf-16-be")
        assert found(read_csv(plain, encoding="UTF-16")) == (["a", "b"], [("€", "ü")])
    with pytest.raises(DataError, match=r"^line 2 is not UTF-8 text; choose another encoding"):
        read_csv(data, encoding="UTF-8")
    with pytest.raises(ParameterError, match="encoding must be one of UTF-8"):
        read_csv(data, encoding="cp1250")


def test_one_odd_value_changes_no_other() -> None:
    """So a person's own bytes move that person's rows only."""
    table = read_csv("a,b\nKöln,1\n".encode() + b"K\xf6ln\x9d,2\n")
    assert found(table)[1] == [("Köln", "1"), ("Köln\x9d", "2")]
    assert table.file.encoding == "UTF-8 and Windows-1252"


@full_run
def test_what_is_not_utf_8_is_found_as_a_slow_reader_finds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(5)
    pieces = [b"a", b"\n", b"\xc3", b"\xa4", "€😀".encode(), b"\xed", b"\xa0", b"\xf0\x9f", b"\xf4"]
    pieces += [b"\x90", b"\xff", b"\xe0", b"\x80", b"\xc0", b"\xf5", b"\x81"]
    for size in (3, 7, 1 << 18):  # pieces end everywhere
        monkeypatch.setattr(text, "_AT_ONCE", size)
        for _ in range(400 if FULL else 120):
            data = b"".join(rng.choice(np.array(pieces, object), rng.integers(1, 60)))
            assert text._corrected(data)[0].decode() == slowly(data), data


def test_any_bytes_are_a_table_or_one_sentence() -> None:
    rng = np.random.default_rng(6)
    starts = [b"", b"PK\x03\x04", b"\x1f\x8b", b"\xd0\xcf\x11\xe0", b"PAR1", b"\xff\xfe", b"a\0,\0"]
    starts += [b"a,b\n", b"a|b\n1|2\n", gzip.compress(b"a,b\n1,2\n")]
    said = []
    for start, length, most in itertools.product(starts, few((0, 1, 2, 40, 400), 3), (128, 256)):
        try:
            read_table(start + rng.integers(1, most, length, np.uint8).tobytes()).close()
        except DataError as error:
            said.append((str(error), error.__context__))
    assert 10 < len(said) < 100
    assert not any("\n" in sentence or context for sentence, context in said)


def test_gzip_is_bounded_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = f"a,b\n1,{CANARY}\n".encode()
    in_two = gzip.compress(rows) + gzip.compress(b"2,x\n")
    assert found(read_table(in_two))[1] == [("1", CANARY), ("2", "x")]
    for bad, says in (
        (gzip.compress(rows)[:-9], "the gzip file is damaged or cut off"),
        (b"\x1f\x8b" + b"\xff" * 40, "the gzip file is damaged or cut off"),
        (gzip.compress(gzip.compress(rows)), "is a gzip archive, not CSV"),
        (gzip.compress(b"PAR1\0\xff" + rows), "is a Parquet file, not CSV"),
    ):
        refusal(says, read_table, bad)
    assert read.MAX_UNPACKED == 400 << 20
    monkeypatch.setattr(read, "MAX_UNPACKED", 1 << 20)
    bomb = gzip.compress(b"a\n" + b"1\n" * (1 << 20))
    assert len(bomb) < 10_000
    with pytest.raises(DataError, match="unpacks to more than 1 MB; keep only"):
        read_table(bomb)


def test_what_unpacks_has_no_more_rows_than_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "MAX_BYTES", 100)
    monkeypatch.setattr(read, "MAX_ROWS", 1000)
    assert read_table(gzip.compress(b"a\n" + b"1\n" * 1000)).rows() == 1000
    with pytest.raises(DataError, match="more than 1,000 rows; split it"):
        read_table(gzip.compress(b"a\n" + b"1\n" * 1001))


# Records of the wrong length are refused with their line, as another reader finds them.


SHORTER = 50


LONG = 1_500_000 if FULL else 1_500_000 // SHORTER


PIECES = ("1", "", "x y", '"a,b"', '"two\nlines"', '""', '"say ""hi"""', '""""', "é", " ")


def slow_answer(text: bytes) -> tuple[int, int] | None:
    """Line and length of the first record of the wrong length, by Python's reader."""
    outline = find_layout(text)
    width, lines = len(outline.names), iter(Lines(text))
    for _ in range(outline.line):
        next(lines)
    reader = csv.reader(lines, delimiter=outline.delimiter, skipinitialspace=True, strict=True)
    while True:
        line = outline.line + reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return None
        if record and (len(record) < width or any(record[width:])):
            return line, len(record)


def our_answer(text: bytes) -> tuple[int, int] | None:
    try:
        read_csv(text, name="t")
    except DataError as error:
        line, values = map(int, re.findall(r"line (\d+) has (\d+) value", str(error))[0])
        return line, values
    return None


def random_text(rng: np.random.Generator, pieces: tuple[str, ...]) -> bytes:
    width = int(rng.integers(1, 5))
    rows = []
    for _ in range(rng.integers(1, 30)):
        values = list(rng.choice(pieces, width))
        if rng.random() < 0.04:
            values = values[:-1] if rng.random() < 0.5 else [*values, "more"]
        rows.append(",".join(values) + "," * int(rng.choice([0, 0, 0, 1, 3])))
    header = ",".join(f"c{i}" for i in range(width))
    return f"{header}\n{chr(10).join(rows)}\nlast{',x' * (width - 1)}".encode()


def test_the_line_is_that_of_another_reader() -> None:
    rng = np.random.default_rng(150)
    refused = 0
    for _ in range(500 if FULL else 40):
        text = random_text(rng, PIECES)
        if find_layout(text).delimiter == ",":
            expected = slow_answer(text)
            assert our_answer(text) == expected, text
            refused += expected is not None
    assert refused > 8


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (b"1,2\n", f"line {LONG + 2} has 3 values but the header names 2"),
        (b'"x","y"\n', f"record {LONG + 1:,} below the header cannot be read; check its number of"),
    ],
)
def test_a_ragged_last_line_of_a_long_file_is_named(
    row: bytes, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where quotation marks may hide line ends, no more than a million records are read again."""
    if not FULL:
        monkeypatch.setattr(layout, "_READ_AGAIN", layout._READ_AGAIN // SHORTER)
    with pytest.raises(DataError, match=f"^{says}"):
        read_csv(b"a,b\n" + LONG * row + b"1,2,3\n")


def test_the_line_is_right_beside_odd_quotation_marks() -> None:
    odd = b'a,b\n5" pipe,1\n"x\ny",1\n\n' + 27 * b"1,2\n"
    with pytest.raises(DataError, match=r"^line 33 has 3 values"):
        read_csv(odd + b"1,2,3\n")
    with pytest.raises(DataError, match=r"record that begins at line 33 cannot be read"):
        read_csv(odd + b'1,"x"y\n')
    with pytest.raises(DataError, match=r"^line 3 has 3 values"):  # the engine quotes a value
        read_csv(b"a,b\n1,2\nLine: 77,Line: 78,Line: 79\n")
