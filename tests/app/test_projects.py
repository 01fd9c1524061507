"""Projects on the pages: keep, open, go on without the table, bring it again or another one."""

from pathlib import Path

import pytest

from dpviz.ui.kit import project_box
from dpviz.ui.kit.page_table import PAGES
from dpviz.workspace import account
from dpviz.workspace.packing import fingerprint_of
from dpviz.workspace.projects import PLACE, Projects
from tests import structured_sessions as trips
from tests.app.reading import (
    choose,
    errors,
    everything,
    field,
    go,
    press,
    saved,
    saving,
    say_rows,
    words,
    workspace,
)
from tests.app.test_plan import edit
from tests.conftest import few, full_run
from tests.project_workers import PROJECT, ROWS, WARDS
from tests.project_workers import shown as numbers
from tests.project_workers import workspace as made

NEXT_MONTH = ROWS + b"6,C\n"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where the projects of a test are."""
    folder = str(tmp_path / "kept")
    monkeypatch.setenv(PLACE, folder)
    return folder


@pytest.fixture
def begun(place):
    """A project that has released two tiers, one of them in each of two sessions."""
    ws = made()
    Projects(place).create(PROJECT, ws)
    ws.draw("public", "audit")
    return ws


def open_project(app):
    """Open the one project there is; the page Releases shows it then."""
    if app.title[0].value != "What does each reader get?":
        go(app, "releases")
    choose(saving(app), "Project", PROJECT)
    press(app, "project_open")
    return app


def bring(app, content, name="visits.csv"):
    (uploader,) = [u for u in app.file_uploader if u.label.startswith(("Bring", "Upload a CSV"))]
    uploader.upload(name, content, "text/csv").run()


def kept_words(app):
    return saved(app) == "Saved in “visits”"


@pytest.mark.opens("noise", "ledger", "later")
def test_work_is_kept_and_is_there_in_another_tab(open_page, place):
    app = open_page("data")
    bring(app, ROWS)
    assert saved(app) == "Not saved"
    workspace(app).use_mode("hardened")
    workspace(app).state(WARDS)
    go(app, "releases")
    press(app, "draw_public")
    key = fingerprint_of(workspace(app))
    assert f"Signed with the key **{key}**" in words(app)
    assert "The key ends with this tab, unless you keep this work as a project" in words(app)
    field(saving(app), "Name of the project").set_value(PROJECT)
    press(app, "project_keep")
    assert kept_words(app)
    assert "It is the key of this project for good." in words(app)
    press(app, "draw_audit")
    go(app, "tiers")
    field(app, "δ of the plan").set_value("1e-7").run()
    tab = open_project(open_page("releases"))
    assert kept_words(tab)
    for each in (app, tab):
        go(each, "releases")
        assert f"Signed with the key **{key}**" in words(each)
    assert numbers(workspace(tab)) == numbers(workspace(app))
    assert workspace(tab).delta == 1e-7, "the plan is kept as it was changed last"
    assert [e.tier for e in workspace(tab).ledger] == ["public", "audit"]
    assert Projects(place).names() == [PROJECT]


@pytest.mark.usefixtures("begun", "pictured")
def test_without_its_table_every_page_shows_what_is_held(open_page):
    app = open_project(open_page("releases"))
    held = [str(n) for t in workspace(app).held for n in t.values.tolist()]
    assert all(n in everything(app).replace("−", "-") for n in held)
    assert [app.button(key=f"draw_{n}").disabled for n in ("public", "audit")] == [True, True]
    said = words(app).replace("**", "").replace("\\", "")
    assert "To draw a sharper number, bring visits.csv again" in said
    assert "Partners and research get a number already drawn with more noise added" in said
    assert any(d.proto.label == "All as one pack" for d in app.get("download_button"))
    go(app, "data")
    assert "visits.csv** is not loaded" in words(app).replace("\\", "")
    assert "number of people" in words(app)
    assert "To change it, or to use another one, load the table" in words(app)


@pytest.mark.usefixtures("begun")
def test_without_its_table_a_noisier_number_is_drawn_and_a_sharper_one_says_what_it_needs(
    open_page,
):
    app = open_project(open_page("releases"))
    press(app, "draw_partners")
    assert errors(app) == []
    assert [e.tier for e in workspace(app).ledger] == ["public", "audit", "partners"]
    assert "Research gets a number already drawn with more noise added" in words(app)
    press(app, "draw_rest")
    assert "Lower a budget or add a tier" in words(app)
    ws = workspace(app)
    rows = [{**r, "budget": "0.5"} if r["tier"] == "audit" else r for r in ws.plan.typed_rows]
    ws.use_tiers(rows)
    app.run()
    said = words(app).replace("**", "").replace("\\", "")
    assert "Audit is sharper than anything drawn so far, so it needs visits.csv" in said
    assert app.button(key="draw_audit").disabled
    assert app.button(key="draw_rest").disabled


ASKS_THE_TABLE = ("sparse_histograms", "continual_counting", "top_k", "rappor")
PAGES_ON_OWN = [p.file for p in PAGES if not p.is_lesson and p.file not in ASKS_THE_TABLE]


@pytest.mark.parametrize("mode", few(["teaching", "hardened"], 2))
@pytest.mark.usefixtures("begun")
def test_every_page_knows_a_table_that_is_not_loaded(open_page, mode):
    app = open_project(open_page("releases"))
    before = numbers(workspace(app))
    workspace(app).use_mode(mode)
    for page in [*few(ASKS_THE_TABLE, 2), *few(PAGES_ON_OWN, 12)]:
        go(app, page)
        for chosen in app.segmented_control:
            own = [o for o in chosen.options if str(o).startswith(("my ", "My "))]
            if own:
                chosen.set_value(own[0]).run()
        said = errors(app)
        if mode == "teaching" and page in ASKS_THE_TABLE:
            assert ["“visits.csv” is not loaded" in e for e in said] == [True], page
        else:
            assert all("Sparse" in e or "not loaded" in e for e in said), (page, said)
    workspace(app).use_mode("hardened")
    assert numbers(workspace(app)) == before


@pytest.mark.parametrize("page", few(["releases", "data"], 2))
@pytest.mark.usefixtures("begun")
def test_the_same_file_goes_on(open_page, page):
    app = go(open_project(open_page("releases")), page)
    bring(app, ROWS, "under another name.csv")
    go(app, "releases")
    assert not [u for u in app.file_uploader if u.label.startswith("Bring")]
    press(app, "draw_rest")
    ws = workspace(app)
    assert len(ws.sessions) == 1
    assert [e.session for e in ws.ledger] == [1] * 4


@pytest.mark.usefixtures("begun")
def test_another_file_is_said_to_be_another_session_whose_loss_adds(open_page):
    app = open_project(open_page("releases"))
    before = numbers(workspace(app))
    for key in ("keep_table", "replace_table"):
        bring(app, NEXT_MONTH + b"\n" * len(key), "december.csv")
        said = words(app).replace("*", "")
        assert "december.csv is another table than visits.csv" in said
        assert "its privacy loss adds to what was lost so far: ε = " in said
        assert "where one person = one row" in said
        press(app, key)
        if key == "keep_table":
            assert numbers(workspace(app)) == before
    ws = workspace(app)
    assert ws.statistic.query == WARDS
    press(app, "draw_audit")
    assert "whether a person can have several rows" in errors(app)[0], "asked of every table"
    go(app, "data")
    say_rows(app)
    press(app, "use_statistic")
    go(app, "releases")
    press(app, "draw_audit")
    assert [e.session for e in ws.ledger] == [1, 1, 2]
    ((_, loss),) = account.by_unit(ws).items()
    assert loss.value == pytest.approx(2 * ws.ledger[-1].budget.loss)


@full_run
@pytest.mark.usefixtures("begun")
def test_releases_that_are_not_kept_go_only_with_a_tick(open_page):
    app = saving(open_page("releases"))
    press(app, "draw_public")
    press(app, "project_open")
    assert "Tick “Let them go”" in errors(app)[0]
    assert workspace(app).mode == "teaching"
    app.checkbox(key="project_let_go").check().run()
    press(app, "project_open")
    assert kept_words(app)
    assert len(workspace(app).ledger) == 2


@full_run
def test_what_was_typed_before_is_gone_once_a_project_is_open(open_page, begun):
    app = open_page("tiers")
    edit(app, {0: {"budget": "0.9"}})
    open_project(app)
    go(app, "tiers")
    assert workspace(app).plan.tiers == begun.plan.tiers
    assert errors(app) == []


@pytest.mark.usefixtures("begun")
def test_a_damaged_place_is_one_sentence(open_page, place):
    Path(place, "projects.sqlite").write_bytes(b"something else" * 500)
    app = saving(open_page("releases"))
    assert ["damaged" in e for e in errors(app)] == [True]


@pytest.mark.parametrize(
    ("environment", "part"), few([("off", "says so. Unset it"), ("", "others may reach it")], 2)
)
def test_where_projects_are_off_it_is_said(open_page, monkeypatch, environment, part):
    monkeypatch.setenv(PLACE, environment)
    monkeypatch.setattr(project_box, "is_own", lambda _: False)
    app = saving(open_page("releases"))
    assert part in words(app)
    assert not [b for b in app.button if str(b.key).startswith("project_")]


def test_running_counts_that_are_sealed_go_on_where_the_table_is_not_loaded(open_page, place):
    ws = trips.workspace()
    Projects(place).create(PROJECT, ws)
    trips.of_tiers(trips.counted).draws[0](ws)
    (one,) = ws.sessions
    ws.seal_session(one, min(ws.levels_of(one)))
    app = open_project(open_page("releases"))
    go(app, "continual_counting")
    app.segmented_control(key="counting_source").set_value("my table").run()
    assert errors(app) == []
    assert "A sealed session draws on without it" in words(app)
    assert app.button(key="counting_draw_audit").disabled
    assert app.button(key="counting_draw_audit").label.endswith("impossible")
    press(app, "counting_draw_public")
    assert [e.tier for e in workspace(app).ledger] == ["research", "public"]


def tiers_tabs(open_page):
    """Two tabs on the page Tiers of one project."""
    return [go(open_project(open_page("releases")), "tiers") for _ in range(2)]


def in_the_grid(app):
    return list(app.dataframe[0].value["tier"]), list(app.dataframe[0].value["budget"])


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize(
    ("choice", "names", "last"),
    few([("plan_take", "ministry", "0.1"), ("plan_keep_mine", "audit", "0.05")], 2),
)
def test_the_tab_that_would_overwrite_a_rename_is_told_and_chooses(
    open_page, place, choice, names, last
):
    one, two = tiers_tabs(open_page)
    edit(one, {0: {"tier": "ministry"}})
    assert "“audit” is called “ministry”" not in words(one)
    edit(two, {3: {"budget": "0.05"}})
    said = words(two)
    assert "Another tab changed the plan on 20" in said
    assert "“audit” is called “ministry”" in said
    assert "not kept yet: the budget of “public” is 0.05 as ρ" in said
    assert not kept_words(two)
    assert in_the_grid(two)[0][0] == "audit", "what was typed here is still there"
    go(two, "data")
    assert "Another tab changed the plan on 20" in words(two), "on every page, until it is settled"
    press(two, choice)
    assert "Another tab changed the plan" not in words(two)
    assert kept_words(two)
    for app in (go(two, "tiers"), one.run()):
        found, amounts = in_the_grid(app)
        assert (found[0], amounts[-1]) == (names, last)
    kept = Projects(place).open(PROJECT).plan.tiers
    assert (kept[0].name, kept[-1].amount) == (names, last)
    if choice == "plan_take":
        press(two, "plan_turn_undo")
        assert in_the_grid(two)[1][-1] == "0.05", "one can go back"
    else:
        assert "the budget of “public” is 0.05 as ρ. You see the plan as it is now" in words(one)
        assert one.button(key="plan_turn_undo").disabled, "what another tab did is not undone here"


@full_run
@pytest.mark.usefixtures("place")
@pytest.mark.usefixtures("unfolded")
def test_practice_releases_are_not_kept(open_page):
    app = saving(open_page("releases"))
    press(app, "draw_public")
    assert "no project keeps those" in words(app)
    assert not [b for b in app.button if b.key == "project_keep"]
