"""How a project knows its table again: by its bytes, its texts in their order, and its rows."""

import io
import sqlite3
from contextlib import closing

import pandas as pd
import pytest

from dpviz.data import (
    Address,
    TableSource,
    open_source,
    read_csv,
    read_table,
    rows_mark,
    texts_mark,
)
from dpviz.errors import ParameterError
from dpviz.queries import ByColumn, Count
from dpviz.workspace.limits import read_limit
from dpviz.workspace.projects import Projects, database
from dpviz.workspace.projects.absent import (
    bring_another,
    drawable,
    needs_table,
    same_rows,
    waits_for,
)
from dpviz.workspace.workspace import Workspace
from tests.conftest import few
from tests.project_workers import PROJECT, ROWS, WARDS, opened, shown, workspace


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


def second(projects, rows: bytes) -> Workspace:
    ws = Workspace.load(rows, name="again.csv")
    ws.use_mode("hardened")
    ws.state(WARDS)
    projects.create("second", ws)
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
