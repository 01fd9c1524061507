"""The fast ways of reading give the rows and types of the slow ones, on every kind of file."""

import itertools

import numpy as np
import pytest

from dpviz.data import Table, engine, read_csv
from dpviz.data.engine import Plain, look
from tests.conftest import FULL, few, for_each, full_run

pytestmark = pytest.mark.usefixtures("own_engine")

WHITE = [chr(i) for i in range(1, 0x11000) if chr(i).isspace() and chr(i) not in "\n\r"]
NEAR = ["\u200b", "\ufeff", "\x08", "\x1b", "\x7f", "é", "à", "ł", "字", "…"]
BODIES = ("x", "1", "x y", "", "é", "7.5", "true", "12345")


def rows(table: Table) -> list[tuple[object, ...]]:
    return list(table.connection.execute(f"SELECT * FROM {engine.TABLE}").fetchall())


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


@full_run  # 64 MB; a value that is cut is seen in test_read
def test_many_blocks_keep_every_row_in_its_place() -> None:
    count, filler = 800_000, "z" * 80  # above two of the engine's default blocks of 32 MB
    text = ("a,b\n" + "".join(f"{i},{filler}\n" for i in range(count))).encode()
    assert len(text) > 64 << 20
    table = read_csv(text, name="t")
    kept = table.expression.filter(table.turns()["place"] == table.expression[0].cast("int64"))
    assert table.collect(kept.aggregate(n=kept.count()))["n"][0].as_py() == count
    assert table.types == ("int64", "string")


ODD = (
    *("true", "TRUE", "tRUE", "falſe", "t", "yes", "0", "1", "-0", "-1", "+1", "007", "00", "1e2"),
    *(
        *("1E5", "1_000", "0x1f", "1.", ".5", "-.5", ".", "-", "1e-7", "nan"),
        *("inf", "1234567890123456"),
    ),
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
