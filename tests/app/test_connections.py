"""Tables that stay on the server, by the names that whoever runs it gives them."""

import sqlite3

import pytest

from dpviz.data import read_csv
from dpviz.ui.kit import counting
from tests.app.reading import (
    choose,
    errors,
    everything,
    fill,
    run_sample,
    words,
    workspace,
)
from tests.app.test_presses import press, walks
from tests.app.test_readings import BY_COLUMN, PERSON, correct

SECRET = "only-the-server-knows-this"
VISITS = "id,ward,euros\n1,A,\"1,5\"\n1,B,\"2,5\"\n2,B,\"7,25\"\n3,A,\"3,75\"\n3,C,1\n3,C,9\n"
CHOICE = "A table on this server"


@pytest.fixture(autouse=True)
def _counted_at_once(monkeypatch):
    """AppTest has no clock that would look again."""
    monkeypatch.setattr(counting, "SOON", 60.0)


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A folder of the server with a table as file and in SQLite, and what is offered of it."""
    home = tmp_path / SECRET
    (home / ".streamlit").mkdir(parents=True)
    (home / "visits.csv").write_text(VISITS)
    with sqlite3.connect(home / "clinic.db") as database:
        rows = [line.split(",", 2) for line in VISITS.splitlines()[1:]]
        database.execute("CREATE TABLE visits (id INTEGER, ward TEXT, euros TEXT)")
        database.executemany(
            "INSERT INTO visits VALUES (?, ?, ?)", [(*r[:2], r[2].strip('"')) for r in rows]
        )
    database.close()
    monkeypatch.chdir(home)
    return home


def offer(home, **entries):
    lines = []
    for name, fields in entries.items():
        lines += [f"[connections.dpviz.{name}]", *(f"{k} = {v!r}" for k, v in fields.items())]
    (home / ".streamlit" / "secrets.toml").write_text("\n".join(lines))


def both(home):
    offer(
        home,
        files={"address": str(home / "visits.csv")},
        clinic={"address": f"sqlite://{home}/clinic.db", "table": "visits", "order": "id"},
    )


def read(app, name):
    choose(app, CHOICE, name)
    press(app, "use_connection")
    return app


@pytest.mark.parametrize("name", ["files", "clinic"])
@walks("use_connection")
def test_a_table_that_stays_gives_the_answer_of_an_upload(open_page, server, name):
    both(server)
    app = read(open_page("data"), name)
    assert workspace(app).table.name == name
    assert f"Loaded: {name}, 3 columns: “id”, “ward” and “euros”." in words(app).replace("**", "")
    assert "the rows of one person are sorted by" in words(app)
    correct(app, "euros")
    fill(app, {"What": "Sum of a number", "For": "everybody together"})
    choose(app, "Number", "euros")
    fill(app, {"Who is protected": BY_COLUMN})
    choose(app, PERSON, "id")
    fill(app, {"Lower clip bound": "0", "Upper clip bound": "8", "Grid step": "0.25"})
    fill(app, {"Rows per group (ℓ∞)": "3"})
    press(app, "use_statistic")
    ws = workspace(app)
    assert errors(app) == []
    same = read_csv(VISITS.encode(), name="visits.csv").read_as(dict(ws.table.readings))
    expected = ws.statistic.query.values(same).tolist()
    assert expected == [4 * (1.5 + 2.5 + 7.25 + 3.75 + 1 + 8)]
    app.switch_page("pages/releases.py").run()
    press(app, "draw_public")
    assert ws.exact().tolist() == expected
    assert [e.tier for e in ws.ledger] == ["public"]
    assert SECRET not in everything(app) + repr(app.session_state)
    ran = run_sample(app)
    assert ran["query"].values(ran["table"]).tolist() == expected
    ran["table"].close()
