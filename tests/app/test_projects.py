"""Projects on the pages: keep, open, go on without the table; other ledgers of its rows."""

from pathlib import Path

import pytest

from dpviz.ui.kit import project_box
from dpviz.ui.kit.page_table import PAGES
from dpviz.workspace import account
from dpviz.workspace.limits import OWNER
from dpviz.workspace.packing import fingerprint_of
from dpviz.workspace.projects import PLACE, Projects
from tests import structured_sessions as trips
from tests.app.test_plan import edit
from tests.conftest import few, full_run
from tests.project_workers import PROJECT, ROWS, WARDS
from tests.project_workers import shown as numbers
from tests.project_workers import workspace as made
from tests.unit.workspace.test_project_tables import OTHER, SAME

NEXT_MONTH = ROWS + b"6,C\n"


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """Where the projects of a test are."""
    folder = str(tmp_path / "kept")
    monkeypatch.setenv(PLACE, folder)
    return folder


def released(place, *tiers):
    """A project that has released these tiers, or one."""
    ws = made()
    Projects(place).create(PROJECT, ws)
    ws.draw(*(tiers or ("public",)))
    return ws


@pytest.fixture
def begun(place):
    """A project that has released two tiers, one of them in each of two sessions."""
    return released(place, "public", "audit")


def open_project(app):
    """Open the one project there is; the page Releases shows it then."""
    if app.title[0].value != "What does each reader get?":
        app.go("releases")
    app.saving().choose("Project", PROJECT)
    app.press("project_open")
    return app


def bring(app, content, name="visits.csv"):
    (uploader,) = [u for u in app.file_uploader if u.label.startswith(("Bring", "Upload a CSV"))]
    uploader.upload(name, content, "text/csv").run()


def kept_words(app):
    return app.saved() == "Saved in “visits”"


@pytest.mark.opens("noise", "ledger", "later")
def test_work_is_kept_and_is_there_in_another_tab(open_page, place):
    app = open_page("data")
    bring(app, ROWS)
    assert app.saved() == "Not saved"
    app.workspace().use_mode("hardened")
    app.workspace().state(WARDS)
    app.go("releases")
    app.press("draw_public")
    key = fingerprint_of(app.workspace())
    assert f"Signed with the key **{key}**" in app.words()
    assert "The key ends with this tab, unless you keep this work as a project" in app.words()
    app.saving().field("Name of the project").set_value(PROJECT)
    app.press("project_keep")
    assert kept_words(app)
    assert "It is the key of this project for good." in app.words()
    app.press("draw_audit")
    app.go("tiers")
    app.field("δ of the plan").set_value("1e-7").run()
    tab = open_project(open_page("releases"))
    assert kept_words(tab)
    for each in (app, tab):
        each.go("releases")
        assert f"Signed with the key **{key}**" in each.words()
    assert numbers(tab.workspace()) == numbers(app.workspace())
    assert tab.workspace().delta == 1e-7, "the plan is kept as it was changed last"
    assert [e.tier for e in tab.workspace().ledger] == ["public", "audit"]
    assert Projects(place).names() == [PROJECT]


@pytest.mark.usefixtures("begun", "pictured")
def test_without_its_table_what_is_held_is_shown_and_only_a_noisier_number_drawn(open_page):
    app = open_project(open_page("releases"))
    held = [str(n) for t in app.workspace().held for n in t.values.tolist()]
    assert all(n in app.everything().replace("−", "-") for n in held)
    assert [app.button(key=f"draw_{n}").disabled for n in ("public", "audit")] == [True, True]
    assert any(d.proto.label == "All as one pack" for d in app.get("download_button"))
    assert "visits.csv** is not loaded" in app.go("data").words()
    app.go("releases")
    assert "To draw a sharper number, bring visits.csv again" in app.words().replace("**", "")
    app.press("draw_partners")
    assert app.errors() == []
    ws = app.workspace()
    assert [e.tier for e in ws.ledger] == ["public", "audit", "partners"]
    rows = [{**r, "budget": "0.5"} if r["tier"] == "audit" else r for r in ws.plan.typed_rows]
    ws.use_tiers(rows)
    app.run()
    assert "Audit is sharper than anything drawn so far, so it needs visits.csv" in app.words()
    assert app.button(key="draw_audit").disabled


ASKS_THE_TABLE = ("sparse_histograms", "continual_counting", "top_k", "rappor")
PAGES_ON_OWN = [p.file for p in PAGES if not p.is_lesson and p.file not in ASKS_THE_TABLE]


@pytest.mark.parametrize("mode", few(["teaching", "hardened"], 2))
@pytest.mark.usefixtures("begun")
def test_every_page_knows_a_table_that_is_not_loaded(open_page, mode):
    app = open_project(open_page("releases"))
    before = numbers(app.workspace())
    app.workspace().use_mode(mode)
    for page in [*few(ASKS_THE_TABLE, 2), *few(PAGES_ON_OWN, 12)]:
        app.go(page)
        for chosen in app.segmented_control:
            own = [o for o in chosen.options if str(o).startswith(("my ", "My "))]
            if own:
                chosen.set_value(own[0]).run()
        said = app.errors()
        if mode == "teaching" and page in ASKS_THE_TABLE:
            assert ["“visits.csv” is not loaded" in e for e in said] == [True], page
        else:
            assert all("Sparse" in e or "not loaded" in e for e in said), (page, said)
    app.workspace().use_mode("hardened")
    assert numbers(app.workspace()) == before


@pytest.mark.usefixtures("begun")
def test_another_file_is_said_to_be_another_session_whose_loss_adds(open_page):
    app = open_project(open_page("releases"))
    before = numbers(app.workspace())
    for key in ("keep_table", "replace_table"):
        bring(app, NEXT_MONTH + b"\n" * len(key), "december.csv")
        said = app.words().replace("*", "")
        assert "december.csv is another table than visits.csv" in said
        assert "its privacy loss adds to what was lost so far: ε = " in said
        app.press(key)
        if key == "keep_table":
            assert numbers(app.workspace()) == before
    ws = app.workspace()
    assert ws.statistic.query == WARDS
    app.press("draw_audit")
    assert "whether a person can have several rows" in app.errors()[0], "asked of every table"
    app.go("data")
    app.say_rows()
    app.press("use_statistic")
    app.go("releases")
    app.press("draw_audit")
    assert [e.session for e in ws.ledger] == [1, 1, 2]
    ((_, loss),) = account.by_unit(ws).items()
    assert loss.value == pytest.approx(2 * ws.ledger[-1].budget.loss)


@full_run
@pytest.mark.usefixtures("begun")
def test_releases_that_are_not_kept_go_only_with_a_tick(open_page):
    app = open_page("releases").saving()
    app.press("draw_public")
    app.press("project_open")
    assert "Tick “Let them go”" in app.errors()[0]
    assert app.workspace().mode == "teaching"
    app.checkbox(key="project_let_go").check().run()
    app.press("project_open")
    assert kept_words(app)
    assert len(app.workspace().ledger) == 2


@pytest.mark.usefixtures("begun")
def test_a_damaged_place_is_one_sentence(open_page, place):
    Path(place, "projects.sqlite").write_bytes(b"something else" * 500)
    app = open_page("releases").saving()
    assert ["damaged" in e for e in app.errors()] == [True]


@pytest.mark.parametrize(
    ("environment", "part"), few([("off", "says so. Unset it"), ("", "others may reach it")], 2)
)
def test_where_projects_are_off_it_is_said(open_page, monkeypatch, environment, part):
    monkeypatch.setenv(PLACE, environment)
    monkeypatch.setattr(project_box, "is_own", lambda _: False)
    app = open_page("releases").saving()
    assert part in app.words()
    assert not [b for b in app.button if str(b.key).startswith("project_")]


def test_running_counts_that_are_sealed_go_on_where_the_table_is_not_loaded(open_page, place):
    ws = trips.workspace()
    Projects(place).create(PROJECT, ws)
    trips.of_tiers(trips.counted).draws[0](ws)
    (one,) = ws.sessions
    ws.seal_session(one, min(ws.levels_of(one)))
    app = open_project(open_page("releases"))
    app.go("continual_counting")
    app.segment("counting_source", "my table")
    assert app.errors() == []
    assert "A sealed session draws on without it" in app.words()
    assert app.button(key="counting_draw_audit").disabled
    assert app.button(key="counting_draw_audit").label.endswith("impossible")
    app.press("counting_draw_public")
    assert [e.tier for e in app.workspace().ledger] == ["research", "public"]


def tiers_tabs(open_page):
    """Two tabs on the page Tiers of one project."""
    return [open_project(open_page("releases")).go("tiers") for _ in range(2)]


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
    assert "“audit” is called “ministry”" not in one.words()
    edit(two, {3: {"budget": "0.05"}})
    said = two.words()
    assert "Another tab changed the plan on 20" in said
    assert "“audit” is called “ministry”" in said
    assert not kept_words(two)
    assert in_the_grid(two)[0][0] == "audit", "what was typed here is still there"
    two.go("data")
    assert "Another tab changed the plan on 20" in two.words(), "on every page, until it is settled"
    two.press(choice)
    assert "Another tab changed the plan" not in two.words()
    assert kept_words(two)
    for app in (two.go("tiers"), one.run()):
        found, amounts = in_the_grid(app)
        assert (found[0], amounts[-1]) == (names, last)
    kept = Projects(place).open(PROJECT).plan.tiers
    assert (kept[0].name, kept[-1].amount) == (names, last)
    if choice == "plan_take":
        two.press("plan_turn_undo")
        assert in_the_grid(two)[1][-1] == "0.05", "one can go back"
    else:
        assert "the budget of “public” is 0.05 as ρ. You see the plan as it is now" in one.words()
        assert one.button(key="plan_turn_undo").disabled, "what another tab did is not undone here"


@full_run
@pytest.mark.usefixtures("unfolded")
def test_practice_releases_are_not_kept(open_page):
    app = open_page("releases").saving()
    app.press("draw_public")
    assert "no project keeps those" in app.words()
    assert not [b for b in app.button if b.key == "project_keep"]


# A tab says before its first draw that its rows have a ledger elsewhere; hardened mode asks.


TOLD = "These rows have a ledger already"
MOVED = SAME["rows in another order"]


def tab(open_page, rows=ROWS, mode="teaching"):
    """A tab that was opened just now, with an uploaded table."""
    app = open_page("data")
    bring(app, rows, "again.csv")
    app.workspace().use_mode(mode)
    app.workspace().use_family("discrete_laplace")
    app.workspace().state(WARDS)
    return app.go("data")


def test_a_fresh_tab_says_what_other_tabs_released_of_its_rows(open_page):
    first = tab(open_page).go("releases")
    assert TOLD not in first.words()
    first.press("draw_public")
    assert TOLD not in first.go("data").words(), "its own ledger is on its screen"
    second = tab(open_page, MOVED)
    for page in ("data", "releases"):
        said = second.go(page).words()
        assert f"{TOLD}: “again.csv”" in said
        assert "Other tabs of this server have released of them: " in said
        assert "limit of this dashboard" not in said
        assert "second_ledger" not in second.buttons(), "practice mode only says so"
    second.press("draw_public")
    assert TOLD not in second.words()
    assert TOLD not in tab(open_page, OTHER["a letter"]).words()


def test_hardened_mode_draws_once_a_second_ledger_is_meant(open_page):
    tab(open_page, mode="hardened").go("releases").press("draw_public")
    second = tab(open_page, MOVED, "hardened").go("releases")
    second.press("draw_public")
    assert "These rows have a ledger elsewhere, so nothing was drawn." in second.errors()[0]
    assert second.workspace().ledger == []
    second.press("second_ledger")
    assert "second_ledger" not in second.buttons()
    second.press("draw_public")
    assert [e.tier for e in second.workspace().ledger] == ["public"]


def test_the_project_that_has_the_ledger_is_offered(open_page, place):
    released(place)
    app = tab(open_page, MOVED, "hardened")
    assert f"The project “{PROJECT}” has released of them: " in app.words()
    assert app.labelled(f"Open the project “{PROJECT}”")
    app.press(f"open_{PROJECT}")
    assert app.workspace().keeper.name == PROJECT
    assert TOLD not in app.words()


def test_who_may_not_open_projects_hears_no_name(open_page, place, monkeypatch):
    released(place)
    monkeypatch.setattr("dpviz.ui.kit.project_box.offered", lambda: None)
    said = tab(open_page, mode="hardened").words()
    assert "A project of this server has released of them: " in said
    assert PROJECT not in said.replace("visits.csv", "")


def test_under_an_owners_limit_no_page_deletes_what_it_counts(open_page, place, monkeypatch):
    monkeypatch.setenv(OWNER, "epsilon=9,delta=1e-6")
    released(place)
    app = open_page("releases")
    app.saving()
    app.press("project_open")
    app.saving()
    app.field("Name of the project to delete").set_value(PROJECT)
    app.press("project_delete")
    assert "so it is not deleted here" in app.errors()[0]
    assert Projects(place).names() == [PROJECT]


@pytest.mark.parametrize("how", few(SAME, 4))
def test_the_same_rows_in_another_order_are_offered_as_the_same_table(open_page, how):
    app = tab(open_page).go("releases")
    app.press("draw_public")
    bring(app.go("data"), SAME[how], "other.csv")
    said = app.words()
    assert "other.csv has the same rows as again.csv. Use it as the same table?" in said
    app.labelled("Use it as the same table").click().run()
    assert app.workspace().table.name == "other.csv"
