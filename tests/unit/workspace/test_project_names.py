"""Projects are listed, renamed and deleted; tabs that were open go on, or say what happened."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from dpviz.errors import ParameterError
from dpviz.handout import verify_folder
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.queries import BoundedSum, Everybody
from dpviz.release import today
from dpviz.workspace import packing
from dpviz.workspace.projects import Projects, database
from dpviz.workspace.projects.contents import overview, sentences
from dpviz.workspace.projects.database import PROJECTS
from dpviz.workspace.projects.key import FILE
from tests.conftest import full_run
from tests.project_workers import PROJECT, opened, shown, workspace
from tests.visiting import plain

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
    with pytest.raises(ParameterError, match="There is no project “visits”"):
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
    with closing(sqlite3.connect(file)) as connection:
        for table in ("sessions", "releases", "ledger"):
            assert connection.execute(f"SELECT count(*) FROM dpviz_{table}").fetchone() == (0,)


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
    said = "\n".join(sentences(overview(projects.open(PROJECT))))
    assert "Of its 2 sessions 1 are sealed." in said


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


@full_run
def test_a_project_that_was_one_before_its_first_pack_has_a_key_for_good(projects, places):
    ws = workspace()
    projects.create(PROJECT, ws)
    ws.draw("public")
    first = signed_with(ws)
    assert signed_with(opened(places)) == first
    pack = packing.hand_out(ws, PROCESSINGS["released"])
    assert packing.check(opened(places, rows=None), pack) == ()
    other = workspace(OTHER)
    projects.create("other", other)
    other.draw("public")
    assert signed_with(other) != first


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
    for wrong in (plans["other"]["own_key"], mine[:-2], mine[:-2] + "00", "x"):
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
