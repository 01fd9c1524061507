"""A table shows no value unless asked, leaves no file, reaches nothing, and serves many threads."""

import gc
import os
import pickle
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pytest

from dpviz.data import Table, engine, quoted, read_csv
from dpviz.errors import DataError, ParameterError
from dpviz.queries import Bounds, ByColumn, ByTime, Count
from tests.conftest import few, full_run
from tests.project_workers import in_threads
from tests.unit.data.conftest import CANARY, refusal

pytestmark = pytest.mark.usefixtures("own_engine")

MIXED = f"""id,share,ward,born,seen,well,late
1,2.5,{CANARY},1990-01-31,2026-01-31T10:00,true,10:00
12,3,b,,2026-01-31T10:00:00.5,FALSE,09:30
2,.25,a,1980-12-01,,,09:30
2,1e+20,a,1980-12-01,,,09:30
"""


@pytest.fixture(scope="module")
def kept() -> Table:
    """For tests that only ask."""
    return read_csv(MIXED.encode(), name="mixed.csv")


@pytest.fixture
def table() -> Table:
    return read_csv(MIXED.encode(), name="mixed.csv")


def test_printing_shows_name_and_size_only(table: Table) -> None:
    for text in (repr(table), str(table), f"{table}", repr([table]), repr(table.expression)):
        assert CANARY not in text
    assert repr(table) == "Table(“mixed.csv”, 7 columns)"


def test_a_table_is_neither_pickled_nor_changed(table: Table) -> None:
    with pytest.raises(TypeError):
        pickle.dumps(table)
    with pytest.raises(AttributeError):
        table.name = "other"  # type: ignore[misc]


def test_values_as_text(kept: Table) -> None:
    for column, texts in [
        ("id", ["1", "2", "12"]),  # ascending as numbers
        ("share", [".25", "2.5", "3", "1e+20"]),  # … and as written
        ("ward", [CANARY, "a", "b"]),
        ("born", ["1980-12-01", "1990-01-31"]),
        ("seen", ["2026-01-31T10:00", "2026-01-31T10:00:00.5"]),
        ("well", ["FALSE", "true"]),
        ("late", ["09:30", "10:00"]),
    ]:
        assert kept.distinct(column, 10) == texts
        assert kept.distinct(column, 2) == texts[:2]


def test_preview_and_rows(table: Table) -> None:
    assert table.rows() == 4
    first, second = table.preview(2).itertuples(index=False)
    assert first[:3] == (1, 2.5, CANARY)
    assert second[:3] == (12, 3.0, "b")
    assert (first.born, first.seen, first.late) == ("1990-01-31", "2026-01-31T10:00", "10:00")
    assert list(table.preview(2)["well"]) == [True, False]
    assert list(table.preview(0).columns) == [column.name for column in table.columns]


def test_refusals(kept: Table) -> None:
    asks: list[Callable[[Table], object]] = [
        lambda table: table.preview(-1),
        lambda table: table.preview(2.5),
        lambda table: table.distinct("id", 0),
        lambda table: table.distinct("nobody", 5),
        lambda table: table.text("nobody"),
        lambda table: table.number("nobody"),
        lambda table: table.moment("nobody"),
        lambda table: table.column("ID"),
    ]
    for ask in asks:
        with pytest.raises(ParameterError, match=r"whole number|no column “(nobody|ID)”; choose"):
            ask(kept)


def test_dates_that_python_does_not_know_are_shown_as_written() -> None:
    """What counts is one row's text; the engine reads the hour 24:00 as the end of the day."""
    table = read_csv(
        b"day,when,hour\n0000-01-01,2025-01-05 24:00,24:00\n9999-12-31,0000-01-01,10:00\n"
    )
    assert table.types == ("date", "timestamp", "time")
    assert table.preview(2).to_numpy().tolist() == [
        ["0000-01-01", "2025-01-05 24:00", "24:00"],
        ["9999-12-31", "0000-01-01", "10:00"],
    ]
    assert table.distinct("hour", 5) == ["10:00", "24:00"]
    days = Count(ByTime("when", "day", "2025-01-05", "2025-01-07"))
    assert days.values(table).tolist() == [0, 1]


def test_a_closed_table_is_refused_with_one_sentence(table: Table) -> None:
    before = table.expression
    assert table.rows() == 4
    table.close()
    table.close()
    asks: list[Callable[[], object]] = [
        table.rows,
        lambda: table.preview(1),
        lambda: table.distinct("ward", 5),
        lambda: table.collect(before),
        lambda: table.text("ward"),
        lambda: Count(ByColumn("ward", ("a",)), Bounds("id")).values(table),
    ]
    for ask in asks:
        with pytest.raises(DataError, match=r"^the table was closed; load it again$"):
            ask()
    with pytest.raises(duckdb.Error):
        table.connection.execute("SELECT 1")
    assert table.column("ward").name == "ward"
    never_asked = read_csv(b"a\n1\n")
    never_asked.close()
    for ask in (never_asked.rows, never_asked.pack):
        with pytest.raises(DataError, match="was closed"):
            ask()


def test_a_table_is_closed_between_two_questions_of_other_threads() -> None:
    table = read_csv(b"a\n" + b"1\n" * 1000)
    said: list[str] = []

    def ask() -> None:
        try:
            while True:
                assert table.rows() == 1000
        except DataError as error:
            said.append(str(error))

    in_threads(ask, ask, ask, table.close)
    assert said == ["the table was closed; load it again"] * 3


def test_long_and_odd_names_are_shortened_in_sentences(table: Table) -> None:
    with pytest.raises(DataError) as caught:
        table.column("x" * 500 + "\n")
    assert len(str(caught.value)) < 150
    assert quoted("a\nb\x00") == "“a b⟨U+0000⟩”"
    assert quoted("x" * 40) == f"“{'x' * 40}”"
    assert quoted("x" * 41) == f"“{'x' * 39}…”"


def test_a_failing_engine_tells_no_value(table: Table) -> None:
    failing = table.expression.mutate(n=table.expression[2].cast("int64"))
    with pytest.raises(duckdb.Error, match=CANARY):  # the engine itself quotes the value
        failing.to_pyarrow()
    refusal("", table.collect, failing)
    assert table.rows() == 4


def test_the_engine_is_locked_in(
    kept: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "socket", None)
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n")
    for statement in [
        "SELECT * FROM read_csv('{path}')",
        "SELECT * FROM '{path}'",
        "SELECT * FROM glob('*')",
        "COPY data TO '{path}.out'",
        "ATTACH '{path}.db' AS other",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')",
        "SET enable_external_access = true",
        "SET temp_directory = '{path}.d'",
        "SET autoload_known_extensions = true",
        "SET python_enable_replacements = true",
        "SELECT * FROM statement",  # a Python variable in sight
    ]:
        with pytest.raises(duckdb.Error, match=r"(?i)disabled|Cannot change|does not exist"):
            kept.backend.con.execute(statement.format(path=path))
    assert [p.name for p in tmp_path.iterdir()] == ["secret.csv"]


def test_the_engine_never_spills_to_disk(kept: Table) -> None:
    settings = kept.backend.con.execute(
        "SELECT name, value FROM duckdb_settings() WHERE name IN "
        "('temp_directory', 'autoinstall_known_extensions', 'autoload_known_extensions')"
    ).fetchall()
    assert dict(settings) == {
        "temp_directory": "",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }


def test_a_lent_list_is_taken_back(table: Table) -> None:
    texts = ["b", "it's", '"; DROP TABLE data; --', "Ł", "100%", "\\"]
    with table.listed(texts) as listed:
        back = table.collect(listed.order_by("position"))
        assert back["value"].to_pylist() == texts
        assert back["position"].to_pylist() == list(range(6))
    with pytest.raises(RuntimeError), table.listed(texts):
        raise RuntimeError
    tables = "SELECT table_name FROM information_schema.tables"
    assert table.backend.con.execute(tables).fetchall() == [("data",)]


def test_threads_take_turns() -> None:
    table = read_csv(("a,b\n" + "".join(f"{i},{i % 7}\n" for i in range(5000))).encode(), name="t")

    def work(number: int) -> list[object]:
        answers: list[object] = []
        for _ in range(2):
            answers += [table.rows(), table.distinct("b", 9)]
            with table.listed([str(number)]) as listed:
                answers.append(table.collect(listed)["value"].to_pylist())
        return answers

    for number, answers in enumerate(in_threads(*(partial(work, n) for n in range(4)))):
        assert answers == [5000, list("0123456"), [str(number)]] * 2


def test_memory_goes_with_the_table() -> None:
    table = read_csv(b"a\n1\n", name="t")
    assert table.distinct("a", 2) == ["1"]
    gone = weakref.ref(table.backend)
    del table
    gc.collect()
    assert gone() is None


# --- A packed table is the same table in less memory ---


ROWS = 100_000
WARDS = ("A", "B", "C")


@pytest.fixture
def long_table() -> Table:
    rng = np.random.default_rng(5)
    values = zip(rng.integers(0, 99_999, ROWS), rng.choice([*WARDS, ""], ROWS), strict=True)
    lines = "".join(f"{person},{ward}\n" for person, ward in values)
    return read_csv(f"id,ward\n{lines}".encode(), name="t")


def rows(table: Table) -> list[tuple[object, ...]]:
    asked = f"SELECT rowid, * FROM {engine.TABLE} ORDER BY rowid"
    return list(table.connection.execute(asked).fetchall())


def megabytes(table: Table) -> float:
    asked = "SELECT sum(memory_usage_bytes) / 1e6 FROM duckdb_memory()"
    return float(table.connection.execute(asked).fetchone()[0])


@pytest.mark.parametrize("asked_before", few([True, False], 2))
def test_rows_and_answers_stay_and_memory_goes(long_table: Table, asked_before: bool) -> None:
    query = Count(ByColumn("ward", WARDS), Bounds(person="id", groups_per_person=2))
    before = rows(long_table), query.values(long_table).tolist() if asked_before else None
    large = megabytes(long_table)
    long_table.pack()
    assert megabytes(long_table) < 0.6 * large
    assert rows(long_table) == before[0]
    if asked_before:  # the engine's settings are locked from the first question on
        assert query.values(long_table).tolist() == before[1]
    long_table.pack()
    assert long_table.types == ("int64", "string")
    assert long_table.distinct("ward", 5) == list(WARDS)


def test_a_table_that_cannot_be_packed_stays_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    table = read_csv(b"id\n1\n")
    monkeypatch.setattr(engine, "_KEPT", "nowhere")
    table.pack()
    assert table.rows() == 1


# The rows of an upload are in no file that outlives the process, however it ends.


ROOT = Path(__file__).resolve().parents[3]
NO_NAME = os.path.isdir(engine.OPEN_FILES)
KILLED = """
import os, signal
from dpviz.data import engine, read_csv
{setting}
def halfway(*_):
    os.kill(os.getpid(), signal.SIGKILL)
engine._read_csv = halfway
read_csv(b"a,b\\n" + b"canary,1\\n" * 100_000)
"""
NAMED = 'engine.OPEN_FILES = "/nowhere"'


def kill_while_reading(folder: Path, setting: str) -> list[Path]:
    """What a process that is killed in the middle of an upload leaves in the temporary folder."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED.format(setting=setting)],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(folder)},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    return list(folder.iterdir())


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system where open files are not shown, and a temporary folder of its own."""
    monkeypatch.setattr(engine, "OPEN_FILES", "/nowhere")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.skipif(not NO_NAME, reason="open files are shown by Linux only")
def test_a_killed_process_leaves_nothing(tmp_path: Path) -> None:
    assert kill_while_reading(tmp_path, "") == []


@full_run
@pytest.mark.skipif(sys.platform == "win32", reason="nothing is swept there")
def test_where_files_need_a_name_the_next_process_removes_what_is_left(named: Path) -> None:
    (left,) = kill_while_reading(named, NAMED)
    assert b"canary" in left.read_bytes()
    engine.sweep()
    assert list(named.iterdir()) == []


def test_a_named_file_is_private_and_short_lived(named: Path) -> None:
    with engine.private_file(b"a\n1\n", ".csv") as path:
        assert Path(path).parent == named
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert Path(path).read_bytes() == b"a\n1\n"
        engine.sweep()  # this process lives
        assert os.path.exists(path)
    assert list(named.iterdir()) == []
    assert read_csv(b"a\n1\n").rows() == 1
    assert list(named.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is swept there")
def test_only_own_leftovers_are_swept(named: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    kept = [
        *(named / f"dpviz-rows-{os.getpid()}-x.csv", named / "dpviz-rows-x.csv"),
        named / f"dpviz-rows-{10**30}-x.csv",
        *(named / f"other-{dead.pid}-x.csv", named / "precious"),
    ]
    for path in kept:
        path.write_bytes(b"")
    (named / f"dpviz-rows-{dead.pid}-folder").mkdir()
    (named / f"dpviz-rows-{dead.pid}-link").symlink_to(named / "precious")
    (named / f"dpviz-rows-{dead.pid}-left.csv").write_bytes(b"rows")
    engine.sweep()
    assert not (named / f"dpviz-rows-{dead.pid}-left.csv").exists()
    assert len(list(named.iterdir())) == len(kept) + 2
