"""Records of the wrong length are found before the engine is asked, and as the slow reader does."""

import csv
import re

import numpy as np
import pytest

from dpviz.data import engine, layout, ragged, read, read_csv
from dpviz.data.layout import Lines, find_layout
from dpviz.errors import DataError

PIECES = ("1", "", "x y", '"a,b"', '"two\nlines"', '""', '"say ""hi"""', '""""', "é", " ")
ODD = ('5" pipe', '"a" b', ' "c,d"')


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


def fast_answer(text: bytes) -> tuple[int, int] | None:
    try:
        ragged.check_lengths(text, find_layout(text))
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


@pytest.mark.parametrize("block", [150, 400, 1 << 22])
def test_the_fast_answer_is_the_slow_one(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ragged, "_BLOCK", block)
    rng = np.random.default_rng(block)
    refused = 0
    for _ in range(400):
        text = random_text(rng, PIECES)
        if find_layout(text).delimiter == ",":
            expected = slow_answer(text)
            assert fast_answer(text) == expected, text
            refused += expected is not None
    assert refused > 100


def test_odd_quotation_marks_are_left_to_the_engine() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        text = random_text(rng, (*PIECES, *ODD)) + b',5" pipe'
        assert fast_answer(text) is None


def test_a_ragged_last_line_is_refused_before_the_engine_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the engine was asked")

    monkeypatch.setattr(engine, "load_csv", never)
    assert read.engine is engine
    for row, line in ((b"1,2\n", 500_002), (b'"x","y"\n', 500_002), (b'"x\n",y\n', 1_000_002)):
        with pytest.raises(DataError, match=f"^line {line} has 3 values but the header names 2"):
            read_csv(b"a,b\n" + 500_000 * row + b"1,2,3\n")


def test_the_slow_reader_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that only it understands is not read to its end; the engine's own line is named."""
    monkeypatch.setattr(layout, "_READ_AGAIN", 10)
    odd = b'a,b\n5" pipe,1\n'
    with pytest.raises(DataError, match=r"line 3 has 3 values"):
        read_csv(odd + b"1,2,3\n")
    with pytest.raises(DataError, match=r"record that begins at line 32 cannot be read"):
        read_csv(odd + 29 * b"1,2\n" + b"1,2,3\n")
