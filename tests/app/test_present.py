"""Present: all groups of one tier; alone by its address, and then nothing of any other tier."""

import numpy as np
import pytest

from dpviz.charts.present import AT_ONCE
from dpviz.planning.tiers import DEFAULT_TIERS, Tier, as_rows
from dpviz.ui.kit import admitted
from dpviz.ui.present import NOT_HELD_TITLE
from dpviz.workspace.accounts import ACCOUNTS
from dpviz.workspace.one_tier import given_to
from dpviz.workspace.projects import PLACE, Projects
from tests import people, structured_sessions
from tests.app.reading import App, numbers_in, plain
from tests.conftest import few
from tests.people import READER, claims
from tests.project_workers import PROJECT
from tests.structured_sessions import KINDS, SURVEY

pytestmark = pytest.mark.usefixtures("pictured")

TIERS = [t.name for t in DEFAULT_TIERS]
GROUPS = [f"g{i:02d}" for i in range(12)]
TABLE = ("g\n" + "".join(f"{g}\n" * (7 * i + 23) for i, g in enumerate(GROUPS))).encode()


@pytest.fixture
def drawn(open_page):
    """The table above, released to all tiers, on the page Present."""
    app = open_page("data").upload(TABLE, name="t.csv")
    next(b for b in app.button if "groups found in the data" in b.label).click().run()
    next(b for b in app.button if b.label == "Use this statistic").click().run()
    app.workspace().draw(*TIERS)
    app.go("present")
    return app


def sent(app):
    """All that the server sends of a run, as text."""
    return plain(
        "\n".join(str(element.proto) for element in app._tree if hasattr(element, "proto"))
    )


def alone(app, tier):
    app.query_params["tier"] = tier
    app.run()
    return app


def test_all_groups_are_shown_page_by_page_on_one_scale(drawn):
    held = {t.name: t.values for t in drawn.workspace().held}
    seen, spans = [], set()
    for page in range(3):
        (spec,) = drawn.specs()
        spans.add(tuple(spec["layout"]["xaxis"]["range"]))
        marks = next(t for t in spec["data"] if "markers" in t["mode"])
        shown = list(numbers_in(marks["x"]))
        seen += shown
        assert len(shown) <= AT_ONCE
        (chart,) = drawn.get("plotly_chart")
        first = page * AT_ONCE
        for group in GROUPS[first : first + AT_ONCE]:  # every number can be heard
            assert f"{group} " in chart.proto.alt
        here = ("these are 1 to 5", "these are 6 to 10", "these are 11 to 12")[page]
        assert drawn.title[0].value.endswith(f"public sees 12 numbers: {here}")
        assert drawn.button(key="present_back").disabled == (page == 0)
        if page < 2:
            drawn.press("present_next")
    assert drawn.button(key="present_next").disabled
    np.testing.assert_array_equal(seen, held["public"])
    assert len(spans) == 1
    drawn.press("present_back")
    (choice,) = [s for s in drawn.selectbox if s.label == "Groups on screen"]
    assert choice.options[choice.index] == "6 to 10 of 12: g05 to g09"
    choice.set_value(0)  # in the same run as the press, as quick presses are
    drawn.press("present_next")
    assert "g05 " in drawn.get("plotly_chart")[0].proto.alt
    choice.set_value(2)
    drawn.press("present_next")
    assert "g11 " in drawn.get("plotly_chart")[0].proto.alt
    assert drawn.button(key="present_next").disabled
    assert "number of people per group of “g”" in drawn.everything().lower()


def test_a_tier_is_shown_alone_and_nothing_of_another_one_is_sent(drawn):
    held = {t.name: t for t in drawn.workspace().held}
    assert all(name in sent(drawn) for name in TIERS), "the page around it names all"
    for name in TIERS:
        chosen = next(s for s in drawn.selectbox if s.label == "Show what this tier sees")
        chosen.set_value(name)  # in the same run as the press
        drawn.press("present_alone")
        assert drawn.query_params["tier"] == name
        text, numbers = sent(drawn), set(numbers_in(drawn.specs()))
        assert numbers >= set(held[name].values[:AT_ONCE].tolist())
        assert "What these numbers are" in text
        assert "Do not publish these numbers" in text
        for other in set(TIERS) - {name}:
            assert other not in text, (name, other)
            assert held[other].budget not in text, (name, other)
            assert not numbers & set(held[other].values.tolist())
        assert drawn.linked() == set()
        assert {*drawn.buttons()} == {"present_back", "present_next", "present_end"}
        assert [s.label for s in drawn.selectbox] == ["Groups on screen"]
        drawn.press("present_end")
        assert "tier" not in drawn.query_params
        chosen = next(s for s in drawn.selectbox if s.label == "Show what this tier sees")
        assert chosen.value == name


@pytest.mark.parametrize("name", few(["research", "nobody", "", "../audit", "<b>x"], 5))
def test_an_address_of_a_tier_that_is_not_held_shows_one_sentence(open_page, name):
    app = open_page("releases")
    app.press("draw_public")
    app.go("present")
    alone(app, name)
    assert [t.value for t in app.title] == [NOT_HELD_TITLE]
    assert not app.get("plotly_chart")
    assert not {"public", "research", "nobody"} & set(sent(app).replace('"', " ").split())
    app.press("present_end")
    assert app.get("plotly_chart")


# Structured releases on the screen of one tier: a reader's, who logged in, and the custodian's.


FAR_APART = {"public": "1e-11", "research": "1e-7", "audit": "1e-5"}  # numbers far apart


SHOWN = ("continual counting", "linear queries", "list", "counts of a list")


def drawn_structured():
    """A workspace with every structured kind, drawn by research first and then by public."""
    ws = structured_sessions.workspace()
    tiers = [Tier(name=name, amount=amount, kind="ε") for name, amount in FAR_APART.items()]
    assert ws.use_tiers(as_rows(tiers)) == []
    for kind in (*(KINDS[name] for name in SHOWN), SURVEY):
        for draw in kind.draws[:2]:
            draw(ws)
    return ws


def shows(app, ws, entry, tier):
    """What stands on screen for an entry: its names and numbers, and no other tier's."""
    assert app.errors() == []
    release = structured_sessions.structured.release_of(ws, entry)
    text, numbers = sent(app), set(numbers_in(app.specs()))
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


@pytest.mark.opens("specialists")
def test_a_reader_sees_each_structured_release_of_the_own_tier(tmp_path, monkeypatch):
    ws = drawn_structured()
    projects = Projects(tmp_path / "kept")
    projects.create(PROJECT, ws)
    monkeypatch.setenv(PLACE, str(tmp_path / "kept"))
    monkeypatch.setenv(ACCOUNTS, str(people.write(tmp_path / "accounts.toml")))
    monkeypatch.setattr(admitted, "get_secrets_auth_section", lambda: people.AUTH)
    app = App.opened()
    app.user = claims(READER)
    app.run()
    given = given_to(ws.ledger, "public")
    assert len(given) == len(SHOWN) + 2, "and the list of the counts"
    for place, entry in enumerate(given):
        shows(chosen(app, place), ws, entry, "public")
        assert len(app.get("download_button")) == 1
        assert "workspace" not in app.session_state
    seen = [(a.who, a.tier, a.session) for a in projects.acts() if a.what == "view"]
    assert seen == [(READER, "public", entry.session) for entry in given]
