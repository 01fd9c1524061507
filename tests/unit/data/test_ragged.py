"""Records of the wrong length are refused with their line, as another reader finds them."""

import csv
import re

import numpy as np
import pytest

from dpviz.data import layout, read_csv
from dpviz.data.layout import Lines, find_layout
from dpviz.errors import DataError
from tests.conftest import FULL

pytestmark = pytest.mark.usefixtures("own_engine")

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


def test_what_the_engine_quotes_is_not_taken_for_what_it_says() -> None:
    with pytest.raises(DataError, match=r"^line 3 has 3 values"):
        read_csv(b"a,b\n1,2\nLine: 77,Line: 78,Line: 79\n")
