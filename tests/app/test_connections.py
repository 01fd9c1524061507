"""Tables that stay on the server, by the names that it gives them."""

import sqlite3
import time

import duckdb
import pytest

from dpviz.data import read_csv, source
from dpviz.ui.data import table_controls
from dpviz.ui.kit import counting
from tests.app.reading import BY_COLUMN, SEVERAL
from tests.app.test_readings import PERSON, correct
from tests.conftest import few

SECRET = "only-the-server-knows-this"
VISITS = 'id,ward,euros\n1,A,"1,5"\n1,B,"2,5"\n2,B,"7,25"\n3,A,"3,75"\n3,C,1\n3,C,9\n'
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
    files = [str(home / ".streamlit" / "secrets.toml")]
    monkeypatch.setattr(table_controls, "places", lambda: files)
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
    """Choose a table, and press in the same run."""
    app.widget(CHOICE).set_value(name)
    app.press("use_connection")
    return app


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists", "reading")
@pytest.mark.parametrize("name", few(["files", "clinic"], 2))
def test_a_table_that_stays_gives_the_answer_of_an_upload(open_page, server, name):
    both(server)
    app = read(open_page("data"), name)
    assert app.workspace().table.name == name
    assert f"Loaded: {name}, 3 columns: “id”, “ward” and “euros”." in app.words().replace("**", "")
    assert "the rows of one person are sorted by" in app.words()
    correct(app, "euros")
    app.fill({"What": "Sum of a number", "For": "everybody together"})
    app.choose("Number", "euros")
    app.fill({SEVERAL: BY_COLUMN})
    app.choose(PERSON, "id")
    app.fill({"Lower clip bound": "0", "Upper clip bound": "8", "Grid step": "0.25"})
    app.fill({"Rows per group (ℓ∞)": "3"})
    app.press("use_statistic")
    ws = app.workspace()
    assert app.errors() == []
    same = read_csv(VISITS.encode(), name="visits.csv").read_as(dict(ws.table.readings))
    expected = ws.statistic.query.values(same).tolist()
    assert expected == [4 * (1.5 + 2.5 + 7.25 + 3.75 + 1 + 8)]
    app.go("releases")
    app.press("draw_public")
    assert ws.exact().tolist() == expected
    assert [e.tier for e in ws.ledger] == ["public"]
    assert SECRET not in app.everything() + repr(app.session_state)
    ran = app.run_sample()
    assert ran["query"].values(ran["table"]).tolist() == expected
    ran["table"].close()


@pytest.mark.usefixtures("pictured")
def test_what_is_wrong_with_a_table_is_one_sentence_without_its_address(
    open_page, server, monkeypatch
):
    at = f"postgresql://reader:{SECRET}@127.0.0.1:1/clinic"
    offer(
        server,
        dead={"address": at, "table": "visits"},
        lost={"address": f"sqlite://{server}/clinic.db", "table": "nothing"},
        gone={"address": str(server / "gone.parquet")},
        more={"address": at, "table": "visits", "password": SECRET},
        far={"address": f"spark://{SECRET}:7077", "table": "visits"},
    )
    monkeypatch.setattr(source, "_is_there", lambda module: module != "pyspark")
    app = open_page("data")
    before = app.workspace().table
    for name, part in {
        "dead": "the Postgres server cannot be reached",
        "lost": "no SQLite file with such a table",
        "gone": "the source has no file",
        "more": "[connections.dpviz.more] in secrets.toml has “password”; it may have",
        "far": 'run pip install "dpviz[spark]"',
    }.items():
        read(app, name)
        (said,) = app.errors()
        assert part.lower() in said.lower()
        assert SECRET not in app.everything() + repr(app.session_state)
        assert app.workspace().table is before
    (server / ".streamlit" / "secrets.toml").write_text(f"[connections.dpviz.a]\nurl = {SECRET}")
    app.run()
    assert app.errors() == [
        "The file secrets.toml cannot be read; check that it is TOML, and who may read it."
    ]
    (server / ".streamlit" / "secrets.toml").unlink()
    app.run()
    assert CHOICE not in [s.label for s in app.selectbox]


@pytest.fixture
def endless(server):
    """A view whose groups take hours to count."""
    with duckdb.connect(str(server / "endless.duckdb")) as database:
        database.execute(
            "CREATE VIEW visits AS SELECT range AS id, range % 3 AS ward FROM range(1e12::BIGINT)"
        )

    def offered(seconds):
        at = {"address": f"duckdb://{server}/endless.duckdb", "table": "visits"}
        offer(server, endless=at | {"seconds": seconds})

    return offered


def used(app):
    """The table of the server with a person's column, as statistic of every page."""
    read(app, "endless")
    app.fill({"For": "everybody together", SEVERAL: BY_COLUMN})
    app.choose(PERSON, "id")
    app.press("use_statistic")
    app.go("releases")
    return app


def test_what_is_counted_is_watched_and_stopped_and_nothing_is_drawn(
    open_page, endless, monkeypatch
):
    monkeypatch.setattr(counting, "SOON", 0.1)
    endless(300)
    app = used(open_page("data"))
    app.press("draw_public")
    assert "Counting in “endless”, which stays on the server" in app.get("progress")[0].proto.text
    app.go("tiers")
    assert app.labelled("Stop")  # it goes on, and the other pages stay usable
    app.go("releases")
    app.press("draw_audit")  # a second press waits for the same numbers
    app.press("counting_stop")
    for _ in range(100):
        if not app.get("progress"):
            break
        time.sleep(0.05)
        app.run()
    assert app.errors() == ["The computation was stopped; ask again."]
    assert app.workspace().ledger == []
    app.run()
    assert app.errors() == []


def test_a_changed_table_read_again_is_another_session_and_that_is_said_before(open_page, server):
    both(server)
    app = read(open_page("data"), "files")
    app.fill({"For": "everybody together"})
    app.say_rows()
    app.press("use_statistic")
    ws = app.workspace()
    ws.draw("public")
    read(app, "files")  # as it was: the same table, whose session goes on
    assert "replace_table" not in app.buttons()
    ws.draw("audit")
    assert len(ws.sessions) == 1
    with (server / "visits.csv").open("a") as file:
        file.write("4,A,1\n")
    assert "its releases are another session, whose privacy loss adds" in app.words()
    read(app, "files")
    assert "its privacy loss adds to theirs" in app.words()
    before = ws.table
    app.press("keep_table")
    assert ws.table is before
    read(app, "files")
    app.press("replace_table")
    app.fill({"For": "everybody together"})
    app.say_rows()
    app.press("use_statistic")
    ws.draw("public")
    assert len(ws.sessions) == 2
    assert ws.exact().tolist() == [7]
