"""The file of projects: who may read it, what is in it, and how a project knows its table again."""

import io
import json
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from dataclasses import is_dataclass

import numpy as np
import pandas as pd
import pytest

from dpviz import queries
from dpviz.data import Address, TableSource, open_source, read_csv, read_table
from dpviz.errors import ParameterError
from dpviz.queries import BoundedSum, ByColumn, Count, Everybody
from dpviz.workspace.limits import read_limit
from dpviz.workspace.plan_file.schema import RECORDS
from dpviz.workspace.projects import PLACE, Projects, database, place_from, plans, records
from dpviz.workspace.projects.absent import (
    bring_another,
    drawable,
    needs_table,
    same_rows,
    waits_for,
)
from dpviz.workspace.workspace import Workspace
from tests import structured_sessions
from tests.conftest import few
from tests.kept import __main__ as kept
from tests.project_workers import NAMES, PROJECT, ROWS, WARDS, begun, opened, shown, workspace
from tests.serving import free_port

FIXTURES = [kept.HERE / name for name in kept.KEPT]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a project that has released two tiers."""
    place = tmp_path_factory.mktemp("projects") / "kept"
    begun((place, place))
    opened((place, place)).draw("public", "audit")
    return place


@pytest.fixture
def folder(made, tmp_path):
    return shutil.copytree(made, tmp_path / "kept")


def at(folder):
    return opened((folder, folder), rows=None)


def change(folder, line, *values):
    with closing(sqlite3.connect(folder / database.FILE)) as connection, connection:
        connection.execute(line, values)


@pytest.mark.parametrize("place", few(FIXTURES, 2), ids=lambda place: place.name)
def test_a_project_of_an_earlier_version_opens_and_goes_on(place, tmp_path):
    folder, queries = shutil.copytree(place, tmp_path / "kept"), kept.KEPT[place.name]
    ws = Projects(folder).open(kept.NAME)
    assert json.loads((place / "shown.json").read_text("utf-8")) == json.loads(
        json.dumps(kept.shown(ws))
    )
    assert tuple(s.statistic.query for s in ws.rounds) == queries
    assert [s.statistic.query.labels for s in ws.rounds] == [q.labels for q in queries]
    marks = [dict(s.statistic.table.readings).get("id") for s in ws.rounds]
    assert marks == [kept.PERSONS["id"], *(None for _ in queries[1:])]  # or the bounds of old
    assert (list(ws.plan.tiers), ws.limit) == (kept.TIERS, kept.LIMIT)
    ws.bring(read_csv(kept.ROWS, name=kept.TABLE))
    before = len(ws.ledger)
    assert dict(ws.table.readings) == kept.READINGS
    for one in ws.rounds:
        ws.use(one.statistic)
        ws.use_family(one.asking.family.name)
        ws.draw("a")
    assert len(ws.rounds) == len(queries) + 1, "the closed one was begun again"
    assert len(ws.ledger) == before + 1, "all others hold the release"


def test_structured_sessions_of_an_earlier_version_open_and_go_on(tmp_path):
    place = kept.HERE / kept.STRUCTURED
    assert {p.name for p in kept.HERE.glob("format-*")} == {*kept.KEPT, kept.STRUCTURED}
    folder = shutil.copytree(place, tmp_path / "kept")
    ws = Projects(folder).open(kept.NAME)
    then = json.loads((place / "shown.json").read_text("utf-8"))
    assert structured_sessions.released(ws) == then
    ws.bring(read_csv(structured_sessions.ROWS.encode(), name=structured_sessions.TABLE))
    for kind in structured_sessions.KINDS.values():
        kind.draws[2](ws)
    assert structured_sessions.released(ws)[: len(then)] == then
    assert len(ws.ledger) == len(then) + len(structured_sessions.KINDS)
    assert len(ws.sessions) == max(e["session"] for e in then), "all go on, none is begun again"


def test_every_query_can_be_kept():
    found = {n for n in queries.__all__ if is_dataclass(getattr(queries, n))}
    made = found - {"Grid", "KeptRows", "Sensitivity"}
    kinds = {n for n in found if getattr(queries, n) in RECORDS.values()}
    assert made == kinds, "write new queries, splits and bounds into RECORDS, and into tests/kept"
    for query in (*kept.QUERIES, *kept.LATER):
        asked = plans.Asked(
            query=query, family="skellam", table="t", loading="", mark="0f", readings=()
        )
        assert plans.asked_in(plans.written(asked)) == asked
    for text in ('{"is": "Fraction", "of": "1/0"}', "[", "3e", '{"is": "Limit"}', "{}"):
        with pytest.raises(ParameterError, match="no record of a project"):
            records.read(text)
    with pytest.raises(ParameterError, match="cannot keep a set"):
        records.written({1})


def test_only_its_owner_reads_it(folder):
    def modes():
        return [stat.S_IMODE(p.stat().st_mode) for p in (folder, *sorted(folder.iterdir()))]

    assert modes() == [0o700, 0o600, 0o600]
    (folder / database.FILE).chmod(0o644)
    Projects(folder)
    assert modes() == [0o700, 0o600, 0o600]


def test_no_exact_answer_no_row_and_no_seed_is_in_the_file(tmp_path):
    secrets = 314_159_265_358, 271_828_182_845
    rows = f"id,cost,ward\nZebedee,{secrets[0]},A\nOthello,{secrets[1]},B\n".encode()
    ws = workspace(rows, BoundedSum("cost", 0, 10**12, Everybody(), step=16))
    ws.seed = 161_803_398
    Projects(tmp_path).create(PROJECT, ws)
    exact = int(ws.exact()[0])
    for name in NAMES:
        ws.draw(name)
    ws.state(BoundedSum("cost", 0, 10**12, ByColumn("ward", ("A", "B")), step=16))
    ws.draw("audit")
    ws.seal(ws.cap("audit"))
    found = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    numbers = [*secrets, exact, sum(secrets), *ws.exact().tolist(), ws.seed]
    hidden = [b"Zebedee", b"Othello", ws.table.digest.encode(), bytes.fromhex(ws.table.digest)]
    for number in numbers:
        hidden.append(str(number).encode())
        for kind in ("<i8", ">i8", "<f8", ">f8"):
            hidden.append(np.array(number, kind).tobytes())
    assert [text for text in hidden if text in found] == []
    released = ws.held[0].values[0]
    assert np.array(released, "<i8").tobytes() in found, "the search finds what is there"


def test_a_backup_is_a_copy_of_the_folder(folder, tmp_path):
    ws = opened((folder, folder))
    copy = shutil.copytree(folder, tmp_path / "elsewhere")
    found = opened((copy, copy))
    assert shown(found) == shown(ws)
    found.draw("research")
    assert len(found.sessions) == 1


def overwritten(folder, start, content):
    with open(folder / database.FILE, "r+b") as file:
        file.seek(start)
        file.write(content)


DAMAGES = {
    "no database": lambda f: (f / database.FILE).write_bytes(b"something else" * 500),
    "cut off": lambda f: os.truncate(f / database.FILE, 9000),
    "a page of zeros": lambda f: overwritten(f, 8192, bytes(8192)),
    "a changed release": lambda f: change(
        f, "UPDATE dpviz_releases SET numbers = replace(numbers, x'00000000', x'00000001')"
    ),
    "a changed entry": lambda f: change(
        f, "UPDATE dpviz_ledger SET entry = replace(entry, 'public', 'audit')"
    ),
    "a changed level": lambda f: change(f, "UPDATE dpviz_releases SET level = '0x1.8p+1'"),
    "a lost release": lambda f: change(f, "DELETE FROM dpviz_releases WHERE rowid = 1"),
    "no sessions": lambda f: change(f, "DROP TABLE dpviz_sessions"),
    "a plan of nothing": lambda f: change(f, "UPDATE dpviz_projects SET plan = '[1]'"),
    "a plan that cannot be": lambda f: change(
        f, """UPDATE dpviz_projects SET plan = replace(plan, '"delta":1e-6', '"delta":7')"""
    ),
    "no format": lambda f: change(f, "DELETE FROM dpviz_about"),
    "somebody else's": lambda f: change(f, "ALTER TABLE dpviz_about RENAME TO theirs"),
}


@pytest.mark.parametrize("case", DAMAGES)
def test_a_damaged_file_is_refused_in_one_sentence(case, folder):
    if case == "a changed level":
        change(folder, "DELETE FROM dpviz_releases WHERE rowid = 1")
    DAMAGES[case](folder)
    with pytest.raises(ParameterError) as refused:
        at(folder)
    assert str(refused.value) == database.DAMAGED
    assert refused.value.__cause__ is None


def test_a_newer_file_says_what_to_install(folder):
    for new in ('"kind":"quantile"', '"share":0.5,"kind":"count"'):
        newer = shutil.copytree(folder, folder.parent / new[1:5])
        old = '"kind":"count"'
        change(newer, f"UPDATE dpviz_projects SET plan = replace(plan, '{old}', '{new}')")
        with pytest.raises(ParameterError, match="that this version of dpviz does not know"):
            at(newer)
    change(folder, "UPDATE dpviz_about SET format = 2")
    with pytest.raises(
        ParameterError, match=r"newer version of dpviz \(format 2, this one reads 1"
    ):
        Projects(folder)


def test_a_file_that_is_busy_full_or_read_only_says_so_and_shows_nothing(folder, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    ws, before = opened((folder, folder)), shown(at(folder))
    with closing(sqlite3.connect(folder / database.FILE)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ParameterError) as busy:
            ws.draw("research")
    wide = Count(ByColumn("ward", tuple(f"ward {i}" for i in range(2000))))
    with monkeypatch.context() as patched:
        patched.setattr(database, "LITE", (*database.LITE, "PRAGMA max_page_count=1"))
        ws.state(wide)
        with pytest.raises(ParameterError) as full:
            ws.draw("research")
    with monkeypatch.context() as patched:
        patched.setattr(database, "LITE", (*database.LITE, "PRAGMA query_only=ON"))
        with pytest.raises(ParameterError) as read_only:
            ws.draw("research")
    said = [str(each.value) for each in (busy, full, read_only)]
    assert said == [database.BUSY, database.NO_ROOM, database.NO_WRITING]
    assert shown(at(folder)) == before
    assert len(ws.ledger) == 2
    ws.draw("research")


def test_a_place_that_is_none_is_refused(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    for place, said in (
        (tmp_path / "file" / "below", database.NO_WRITING),
        ("mysql://host/name", database.NO_URL),
        ("://", database.NO_URL),
        ("", database.NO_URL),
        ("postgresql://host:port/name", database.NO_URL),
        (f"postgresql://user:hidden@127.0.0.1:{free_port()}/name", database.UNREACHABLE),
    ):
        with pytest.raises(ParameterError) as refused:
            Projects(place, keys=tmp_path)
        assert str(refused.value) == said, place
    monkeypatch.setattr(database, "find_spec", lambda _: None)
    with pytest.raises(ParameterError, match=r"pip install .dpviz\[postgres\]"):
        Projects("postgresql://host/name", keys=tmp_path)


def test_projects_are_in_the_users_folder_unless_a_place_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    begun((None, None))
    assert (tmp_path / "dpviz" / "projects" / database.FILE).exists()
    assert place_from({}, shared=False) == str(tmp_path / "dpviz" / "projects")
    assert place_from({}, shared=True) is None
    for shared in (False, True):
        assert place_from({PLACE: "off"}, shared=shared) is None
        assert place_from({PLACE: " postgresql://h/n "}, shared=shared) == "postgresql://h/n"


def test_two_that_make_a_place_at_once_share_its_key(tmp_path):
    from dpviz.workspace.projects.key import FILE, key_in

    first = key_in(tmp_path, make=True)
    assert first == key_in(tmp_path, make=True) == key_in(tmp_path, make=False)
    assert [p.name for p in tmp_path.iterdir()] == [FILE]
    assert "secret" not in repr(first)
    (tmp_path / FILE).write_bytes(b"cut off")
    assert key_in(tmp_path, make=True).mark("0f") is None


# How a project knows its table again: by its bytes, its texts in their order, and its rows.


def parquet(rows: bytes) -> bytes:
    file = io.BytesIO()
    pd.read_csv(io.BytesIO(rows)).to_parquet(file)
    return file.getvalue()


ALIKE = {  # the same texts in the same order
    "line ends": ROWS.replace(b"\n", b"\r\n"),
    "semicolons": ROWS.replace(b",", b";"),
    "another encoding": ROWS.decode().encode("utf-16"),
    "Parquet": parquet(ROWS),
}
SAME = {  # the same rows, in another order or written otherwise
    "rows in another order": b"id,ward\n5,B\n1,A\n3,A\n2,B\n4,B\n",
    "columns and rows": b"ward;id\nB;5\nA;1\nA;3\nB;2\nB;4\n",
    "numbers written otherwise": ROWS.replace(b"1,", b"1.0,"),
}
OTHER = {
    "a row more": ROWS + b"6,C\n",
    "a row twice": ROWS + b"5,B\n",
    "a letter": ROWS.replace(b"5,B", b"5,b"),
}


def second(projects, rows: bytes, name: str = "second") -> Workspace:
    ws = Workspace.load(rows, name="again.csv")
    ws.use_mode("hardened")
    ws.state(WARDS)
    projects.create(name, ws)
    return ws


def test_another_file_is_asked_the_same_if_it_has_the_columns(places, ws):
    ws.draw("partners")
    tab = opened(places, rows=None)
    away, levels = tab.statistic, {p.name: p.budget.level for p in tab.planned()[0]}
    needs = {name: needs_table(tab, level) for name, level in levels.items()}
    assert needs == {"public": False, "partners": False, "research": True, "audit": True}
    assert drawable(tab) == ["public"]
    assert not bring_another(tab, read_csv(b"sex\nf\n", name="other.csv"))
    assert tab.statistic == away
    assert bring_another(tab, read_csv(OTHER["a row more"], name="december.csv"))
    asked = tab.statistic.query
    assert (asked.by, asked.bounds.several_rows) == (WARDS.by, None), "of this table nobody said"
    assert tab.exact().tolist() == [2, 3, 1]


@pytest.mark.parametrize("how", few(ALIKE, 4))
def test_a_session_goes_on_with_the_same_texts_in_another_file(how, places, ws):
    ws.draw("public")
    tab = opened(places, rows=None)
    table = read_table(ALIKE[how], name="again")
    assert waits_for(tab, table)
    assert not same_rows(tab, table)
    tab.bring(table)
    tab.draw("audit")
    assert [e.session for e in tab.ledger] == [1, 1]
    ws.draw("audit")
    assert shown(ws) == shown(tab)


@pytest.mark.parametrize("how", few(SAME, 3))
def test_the_same_rows_in_another_order_are_offered_and_their_loss_adds_here(how, places, ws):
    ws.draw("public")
    tab = opened(places, rows=None)
    table = read_table(SAME[how], name="again")
    assert not waits_for(tab, table)
    assert same_rows(tab, table)
    tab.bring(table)
    with pytest.raises(ParameterError, match="Load the same file again"):
        tab.draw("audit")
    tab.state(WARDS)
    tab.draw("audit")
    assert [e.session for e in tab.ledger] == [1, 2]


@pytest.mark.parametrize("how", few({**ALIKE, **SAME}, 4))
def test_the_same_rows_begin_no_ledger_in_another_project(how, projects, ws):
    ws.draw("public")
    other = second(projects, {**ALIKE, **SAME}[how])
    with pytest.raises(ParameterError, match=f"“again.csv” is in the project “{PROJECT}”"):
        other.draw("public")
    assert other.ledger == []


@pytest.mark.parametrize("how", few(OTHER, 3))
def test_other_rows_may_have_a_ledger_of_their_own(how, projects, places, ws):
    """No mark can tell that a table is nearly the same: docs/PROMISES.md says so."""
    ws.draw("public")
    tab, table = opened(places, rows=None), read_csv(OTHER[how])
    assert not waits_for(tab, table)
    assert not same_rows(tab, table)
    other = second(projects, OTHER[how])
    other.draw("public")
    assert len(other.ledger) == 1


def test_what_is_kept_of_a_table_are_marks_under_the_key(places, ws):
    """Who has the database alone can try no guess at the rows."""
    from dpviz.data import rows_mark, texts_mark

    ws.draw("public")
    if not isinstance(places[0], str):
        with closing(sqlite3.connect(places[0] / database.FILE)) as connection:
            (asked,) = connection.execute("SELECT asked FROM dpviz_sessions").fetchone()
        for secret in (ws.table.digest, rows_mark(ws.table), texts_mark(ws.table)):
            assert secret not in asked
        assert '"rows":""' not in asked
    without = Projects(places[0], keys=places[1] / "elsewhere")
    assert without.holding(read_csv(SAME["rows in another order"])) == {}


def test_projects_tell_what_they_have_released_of_some_rows(projects, ws):
    other = read_csv(b"id,ward\n1,A\n")
    assert projects.holding(ws.table) == {}
    ws.draw("public", "research")
    ws.table = other
    ws.state(Count(ByColumn("ward", ("A",))))
    ws.draw("public")
    told = projects.holding(read_csv(SAME["columns and rows"]), read_limit("ε", "9"))
    assert {name: [e.session for e in events] for name, events in told.items()} == {PROJECT: [1, 1]}
    assert [e.session for e in projects.holding(other)[PROJECT]] == [2]
    assert projects.holding(read_csv(OTHER["a letter"])) == {}


def test_a_session_of_an_earlier_version_is_marked_when_its_table_is_there(places, projects, ws):
    ws.draw("public")
    if isinstance(places[0], str):
        pytest.skip("the file of an earlier version is one of SQLite")
    with closing(sqlite3.connect(places[0] / database.FILE)) as connection, connection:
        (asked,) = connection.execute("SELECT asked FROM dpviz_sessions").fetchone()
        before = asked[: asked.index(',"texts"')] + "}"
        connection.execute("UPDATE dpviz_sessions SET asked = ?", (before,))
    moved = read_csv(SAME["rows in another order"])
    assert projects.holding(moved) == {}
    tab = opened(places)
    tab.draw("research")
    assert [*projects.holding(moved)] == [PROJECT]
    assert [e.session for e in opened(places, rows=None).ledger] == [1, 1]


def test_a_table_that_stays_is_known_by_its_place(places, projects, tmp_path):
    path = tmp_path / "stays.csv"
    path.write_bytes(ROWS)

    def read():
        return open_source(TableSource(name="visits", address=Address(str(path))))

    ws = workspace()
    ws.bring(read(), 'open_connection("visits")')
    ws.state(WARDS)
    projects.create(PROJECT, ws)
    ws.draw("public")
    path.write_bytes(OTHER["a row more"])
    tab, later = opened(places, rows=None), read()
    assert not waits_for(tab, later)
    assert not same_rows(tab, later), "it has whatever rows it has by now"
    assert [*projects.holding(later)] == [PROJECT]
