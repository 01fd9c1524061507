"""A tab says before its first draw that its rows have a ledger elsewhere; hardened mode asks."""

import pytest

from dpviz.workspace.limits import OWNER
from dpviz.workspace.projects import PLACE, Projects
from tests.app.reading import button, errors, go, press, words, workspace
from tests.app.test_projects import bring
from tests.conftest import few
from tests.project_workers import PROJECT, ROWS, WARDS
from tests.project_workers import workspace as made
from tests.unit.workspace.test_project_tables import OTHER, SAME

TOLD = "These rows have a ledger already"
MOVED = SAME["rows in another order"]


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    folder = str(tmp_path / "kept")
    monkeypatch.setenv(PLACE, folder)
    return folder


def tab(open_page, rows=ROWS, mode="teaching"):
    """A tab that was opened just now, with an uploaded table."""
    app = open_page("data")
    bring(app, rows, "again.csv")
    workspace(app).use_mode(mode)
    workspace(app).use_family("discrete_laplace")
    workspace(app).state(WARDS)
    return go(app, "data")


def test_a_fresh_tab_says_what_other_tabs_released_of_its_rows(open_page):
    first = go(tab(open_page), "releases")
    assert TOLD not in words(first)
    press(first, "draw_public")
    assert TOLD not in words(go(first, "data")), "its own ledger is on its screen"
    second = tab(open_page, MOVED)
    for page in ("data", "releases"):
        said = words(go(second, page))
        assert f"{TOLD}: “again.csv”" in said
        assert "Other tabs of this server have released of them: " in said
        assert "limit of this dashboard" not in said
        assert "second_ledger" not in [b.key for b in second.button], "practice mode only says so"
    press(second, "draw_public")
    assert TOLD not in words(second)
    assert TOLD not in words(tab(open_page, OTHER["a letter"]))


def test_hardened_mode_draws_once_a_second_ledger_is_meant(open_page):
    press(go(tab(open_page, mode="hardened"), "releases"), "draw_public")
    second = go(tab(open_page, MOVED, "hardened"), "releases")
    press(second, "draw_public")
    assert "These rows have a ledger elsewhere, so nothing was drawn." in errors(second)[0]
    assert workspace(second).ledger == []
    press(second, "second_ledger")
    assert "second_ledger" not in [b.key for b in second.button]
    press(second, "draw_public")
    assert [e.tier for e in workspace(second).ledger] == ["public"]


def test_the_project_that_has_the_ledger_is_offered(open_page, place):
    ws = made()
    Projects(place).create(PROJECT, ws)
    ws.draw("public")
    app = tab(open_page, MOVED, "hardened")
    assert f"The project “{PROJECT}” has released of them: " in words(app)
    assert button(app, f"Open the project “{PROJECT}”")
    press(app, f"open_{PROJECT}")
    assert workspace(app).keeper.name == PROJECT
    assert TOLD not in words(app)


def test_who_may_not_open_projects_hears_no_name(open_page, place, monkeypatch):
    ws = made()
    Projects(place).create(PROJECT, ws)
    ws.draw("public")
    monkeypatch.setattr("dpviz.ui.kit.project_box.offered", lambda: None)
    said = words(tab(open_page, mode="hardened"))
    assert "A project of this server has released of them: " in said
    assert PROJECT not in said.replace("visits.csv", "")


def test_under_an_owners_limit_no_page_deletes_what_it_counts(open_page, place, monkeypatch):
    from tests.app.reading import field, saving

    monkeypatch.setenv(OWNER, "epsilon=9,delta=1e-6")
    ws = made()
    Projects(place).create(PROJECT, ws)
    ws.draw("public")
    app = open_page("releases")
    saving(app)
    press(app, "project_open")
    saving(app)
    field(app, "Name of the project to delete").set_value(PROJECT)
    press(app, "project_delete")
    assert "so it is not deleted here" in errors(app)[0]
    assert Projects(place).names() == [PROJECT]


@pytest.mark.parametrize("how", few(SAME, 4))
def test_the_same_rows_in_another_order_are_offered_as_the_same_table(open_page, how):
    app = go(tab(open_page), "releases")
    press(app, "draw_public")
    bring(go(app, "data"), SAME[how], "other.csv")
    said = words(app)
    assert "other.csv has the same rows as again.csv. Use it as the same table?" in said
    assert "whose privacy loss adds to what was lost so far" in said
    button(app, "Use it as the same table").click().run()
    assert workspace(app).table.name == "other.csv"
