"""Structured releases on the screen of one tier: a reader's, who logged in, and the custodian's."""

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.planning.tiers import Tier, as_rows
from dpviz.ui.kit import admitted
from dpviz.ui.kit.page_table import path
from dpviz.ui.present import NOT_HELD_TITLE
from dpviz.workspace.accounts import ACCOUNTS
from dpviz.workspace.one_tier import given_to
from dpviz.workspace.projects import PLACE, Projects
from tests import people, structured_sessions
from tests.app.reading import errors, numbers_in, plain, specs
from tests.app.test_present import sent
from tests.people import READER, claims
from tests.project_workers import PROJECT
from tests.serving import PATIENCE, ROOT
from tests.structured_sessions import KINDS, SURVEY

TIERS = {"public": "1e-11", "research": "1e-7", "audit": "1e-5"}  # numbers far apart
SHOWN = ("continual counting", "linear queries", "list", "counts of a list")


def drawn():
    """A workspace with every structured kind, drawn by research first and then by public."""
    ws = structured_sessions.workspace()
    tiers = [Tier(name=name, amount=amount, kind="ε") for name, amount in TIERS.items()]
    assert ws.use_tiers(as_rows(tiers)) == []
    for kind in (*(KINDS[name] for name in SHOWN), SURVEY):
        for draw in kind.draws[:2]:
            draw(ws)
    return ws


def shown(app, ws, entry, tier):
    """What stands on screen for an entry: its names and numbers, and no other tier's."""
    assert not app.exception
    assert errors(app) == []
    release = structured_sessions.structured.release_of(ws, entry)
    text, numbers = sent(app), set(numbers_in(specs(app)))
    count = len(release.entries)
    assert f"{tier} sees " in plain(app.title[0].value)
    assert all(name in text for name in release.entries[:5])
    if app.get("plotly_chart"):
        assert numbers >= set(release.in_units[:5].tolist())
        assert count == 2 or f"{count} " in plain(app.title[0].value)
    else:
        assert entry.selection is not None
        (table,) = app.get("table")
        assert len(table.value) == count
    for other in ws.ledger:
        if other.tier != tier and other.selection is None:
            values = structured_sessions.structured.release_of(ws, other).values
            assert not numbers & set(values.tolist()), other.tier
            assert f"{other.tier} " not in text.replace('"', " ")
    return text


def chosen(app, place):
    """The release at a place of the choice is on screen."""
    (choice,) = [s for s in app.selectbox if s.label == "Release"]
    choice.set_value(place).run()
    return app


def test_a_reader_sees_each_structured_release_of_the_own_tier(tmp_path, monkeypatch):
    ws = drawn()
    projects = Projects(tmp_path / "kept")
    projects.create(PROJECT, ws)
    monkeypatch.setenv(PLACE, str(tmp_path / "kept"))
    monkeypatch.setenv(ACCOUNTS, str(people.write(tmp_path / "accounts.toml")))
    monkeypatch.setattr(admitted, "get_secrets_auth_section", lambda: people.AUTH)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    app.user = claims(READER)
    app.run()
    given = given_to(ws.ledger, "public")
    assert len(given) == len(SHOWN) + 2, "and the list of the counts"
    for place, entry in enumerate(given):
        shown(chosen(app, place), ws, entry, "public")
        assert len(app.get("download_button")) == 1
        assert "workspace" not in app.session_state
    seen = [(a.who, a.tier, a.session) for a in projects.acts() if a.what == "view"]
    assert seen == [(READER, "public", entry.session) for entry in given]


@pytest.fixture
def custodian(open_page):
    app = open_page("present")
    ws = app.session_state["workspace"] = drawn()
    app.run()
    return app, ws


def test_the_custodian_shows_each_of_them_alone_too(custodian):
    app, ws = custodian
    tiers = next(s for s in app.selectbox if s.label == "Show what this tier sees")
    assert set(tiers.options) == set(TIERS)
    tiers.set_value("research").run()
    shown_around = plain(app.title[0].value)
    assert "research sees" in shown_around
    app.query_params["tier"] = "research"
    app.run()
    for place, entry in enumerate(given_to(ws.ledger, "research")):
        shown(chosen(app, place), ws, entry, "research")
    app.query_params["tier"] = "nobody"  # what is for all tiers is for no stranger's name
    app.run()
    assert [t.value for t in app.title] == [NOT_HELD_TITLE]
    assert path("present") == "pages/present.py"
