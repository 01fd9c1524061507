"""The file of projects: who may read it, what is in it, and the names and keys they go by."""

import json
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from dataclasses import is_dataclass
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from dpviz import queries
from dpviz.data import read_csv
from dpviz.errors import ParameterError
from dpviz.handout import verify_folder
from dpviz.queries import BoundedSum, ByColumn, Count, Everybody
from dpviz.release import today
from dpviz.workspace import packing
from dpviz.workspace.plan_file.schema import RECORDS
from dpviz.workspace.projects import PLACE, Projects, database, place_from, plans, records
from dpviz.workspace.projects.contents import overview, sentences
from dpviz.workspace.projects.database import PROJECTS
from dpviz.workspace.projects.key import FILE, key_in
from tests import structured_sessions
from tests.conftest import few
from tests.kept import __main__ as kept
from tests.project_workers import NAMES, PROJECT, begun, opened, shown, workspace
from tests.serving import free_port
from tests.visiting import plain

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
    "a release in the place of another": lambda f: change(
        f, "UPDATE dpviz_releases SET numbers = (SELECT max(numbers) FROM dpviz_releases)"
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
    first = key_in(tmp_path, make=True)
    assert first == key_in(tmp_path, make=True) == key_in(tmp_path, make=False)
    assert [p.name for p in tmp_path.iterdir()] == [FILE]
    assert "secret" not in repr(first)
    (tmp_path / FILE).write_bytes(b"cut off")
    assert key_in(tmp_path, make=True).mark("0f") is None


# Projects are listed, renamed and deleted; tabs that were open go on, or say what happened.


OTHER = b"id,ward\n8,A\n"


def test_a_project_under_another_name_goes_on_and_signs_as_before(projects, places, ws):
    ws.draw("public")
    tab = opened(places)
    key = packing.fingerprint_of(tab)
    projects.rename(PROJECT, " visits 2026 ")
    projects.rename("visits 2026", "visits 2026")
    assert projects.names() == ["visits 2026"]
    tab.draw("audit")
    assert tab.keeper.name == "visits 2026"
    again = projects.open("visits 2026")
    assert shown(again) == shown(tab)
    assert packing.fingerprint_of(ws) == packing.fingerprint_of(again) == key
    projects.rename("visits 2026", "third")
    assert packing.fingerprint_of(projects.open("third")) == key
    with pytest.raises(ParameterError, match="There is no project"):
        projects.rename(PROJECT, "fourth")
    projects.create("second", workspace(OTHER))
    with pytest.raises(ParameterError, match="There is a project “third” already"):
        projects.rename("second", "third")
    assert packing.fingerprint_of(projects.open("second")) != key


def test_a_deleted_project_is_gone_and_its_tabs_say_so_and_draw_nothing(projects, ws):
    ws.draw("public", "audit")
    before = shown(ws)
    projects.delete(PROJECT)
    assert projects.names() == []
    projects.create(PROJECT, workspace(OTHER))  # under the same name, by somebody else
    for act in (ws.catch_up, ws.start_over, lambda: ws.draw("research"), ws.signing_key):
        with pytest.raises(ParameterError, match="This project was deleted"):
            act()
    ws.plan.sizes = {"people": "A: 3"}
    with pytest.raises(ParameterError, match="This project was deleted"):
        ws.save_plan()
    assert shown(ws) == before, "what was on screen stays until the tab is closed"
    assert projects.open(PROJECT).ledger == []
    for name in ("\x7f1", "another"):
        with pytest.raises(ParameterError):
            projects.delete(name)


def test_nothing_of_a_deleted_project_is_left_in_its_file(tmp_path):
    projects = Projects(tmp_path)
    ws = workspace(
        b"id,cost\n1,271828182\n", BoundedSum("cost", 0, 314_159_265, Everybody(), step=1)
    )
    projects.create(PROJECT, ws)
    ws.draw("public")
    content = [b"314159265", ws.held[0].values.tobytes(), b"LedgerEntry"]
    file = tmp_path / database.FILE
    assert all(part in file.read_bytes() for part in content)
    projects.delete(PROJECT)
    assert not [part for part in content if part in file.read_bytes()]


def test_an_overview_says_what_a_project_holds_and_no_number(projects, ws):
    assert list(sentences(overview(projects.open(PROJECT))))[-1].startswith("Nothing has been")
    ws.draw("public", "audit")
    said = plain("\n".join(sentences(overview(projects.open(PROJECT)))))
    assert f"Released to public and audit; last on {ws.ledger[0].drawn}." in said
    assert "Its session is open." in said
    assert "Lost in all, where one person = one row: ε = " in said
    assert not [n for n in ws.held[0].values.tolist() if abs(n) > 99 and str(n) in said]
    ws.seal(ws.cap("audit"))
    ws.start_over()
    ws.draw("public")
    found = overview(projects.open(PROJECT))
    assert (found.sessions, found.sealed) == (2, 1)


def test_a_plan_is_written_by_who_changed_it_and_once(places, ws, monkeypatch):
    written, writing = [], database.Database.writing

    def counted(self):
        written.append(1)
        return writing(self)

    monkeypatch.setattr(database.Database, "writing", counted)
    tab = opened(places)
    for _ in range(2):
        ws.plan.sizes = {"people": "A: 3"}
        ws.save_plan()
        tab.save_plan()
    assert len(written) == 1
    assert opened(places).plan.sizes == {"people": "A: 3"}, "the other tab has changed nothing"


# One key signs for a project: from its first pack on, in every tab, and after a restart.


@pytest.fixture
def before():
    """A workspace that has handed out a pack and is no project yet, with that pack."""
    ws = workspace()
    ws.draw("public")
    return ws, packing.hand_out(ws)


def signed_with(ws):
    """The key of a pack, of a single file, and of the report: all the same."""
    (of_pack,) = verify_folder(packing.hand_out(ws)).keys
    (of_file,) = verify_folder(packing.file_of(ws, ws.ledger[0], today())).keys
    assert of_pack == of_file == packing.fingerprint_of(ws)
    assert of_pack in packing.report_of(ws, today())
    return of_pack


def in_the_database(projects):
    with projects._database.reading() as connection:
        return dict(connection.execute(sa.select(PROJECTS.c.name, PROJECTS.c.plan)).all())


def test_a_workspace_that_becomes_a_project_takes_its_key_along(projects, places, before):
    ws, pack = before
    (first,) = verify_folder(pack).keys
    projects.create(PROJECT, ws)
    assert signed_with(ws) == first
    again = opened(places)  # as after a restart
    assert signed_with(again) == first
    again.draw("audit")  # which writes the plan
    again.plan.sizes = {"people": "A: 3"}
    again.save_plan()
    projects.rename(PROJECT, "visits 2026")
    projects.rename("visits 2026", PROJECT)
    assert signed_with(opened(places)) == signed_with(ws) == first
    ws.catch_up()
    (missing,) = packing.check(opened(places, rows=None), pack)
    assert "is missing from the pack" in missing.what, "that of audit, drawn later, and no other"
    (own,) = Projects(places[0], keys=places[1]).of_tier(PROJECT, "public").releases()
    reader = Projects(places[0], keys=places[1]).of_tier(PROJECT, "public")
    assert verify_folder(reader.file(own, today())).keys == (first,)


def test_without_table_key_nobody_has_the_key_nor_signs(projects, places, before):
    ws, _ = before
    secret = ws.signing_key().private_bytes()
    projects.create(PROJECT, ws)
    stored = json.dumps(in_the_database(projects))
    assert secret.hex() not in stored
    if "://" not in str(places[0]):
        assert secret not in b"".join(p.read_bytes() for p in Path(places[0]).iterdir())
    key = Path(places[1]) / FILE
    kept = key.read_bytes()
    for content in (None, bytes(32)):
        key.unlink() if content is None else key.write_bytes(content)
        tab = opened(places, rows=None)
        with pytest.raises(ParameterError, match=r"table\.key, which is missing or another one"):
            packing.hand_out(tab)
        reader = Projects(places[0], keys=places[1]).of_tier(PROJECT, "public")
        with pytest.raises(ParameterError, match="cannot be signed"):
            reader.file(reader.releases()[0], today())
    key.write_bytes(kept)
    assert opened(places, rows=None).signing_key().private_bytes() == secret


def test_the_key_of_another_project_does_not_open(projects, places, before):
    ws, _ = before
    projects.create(PROJECT, ws)
    other = workspace(OTHER)
    other.draw("public")
    assert packing.fingerprint_of(other)
    projects.create("other", other)
    plans = {name: json.loads(text) for name, text in in_the_database(projects).items()}
    mine = plans[PROJECT]["own_key"]
    assert mine != plans["other"]["own_key"]
    changed = mine[:-2] + ("01" if mine.endswith("00") else "00")
    for wrong in (plans["other"]["own_key"], mine[:-2], changed, "x"):
        text = json.dumps(plans[PROJECT] | {"own_key": wrong})
        with projects._database.writing() as connection:
            connection.execute(
                sa.update(PROJECTS).where(PROJECTS.c.name == PROJECT).values(plan=text)
            )
        with pytest.raises(ParameterError, match="damaged"):
            opened(places, rows=None).signing_key()


def test_a_workspace_that_cannot_become_a_project_keeps_its_key(projects, before):
    ws, pack = before
    projects.create("taken", workspace(OTHER))
    with pytest.raises(ParameterError, match="There is a project “taken” already"):
        projects.create("taken", ws)
    assert verify_folder(pack).keys == (packing.fingerprint_of(ws),)
