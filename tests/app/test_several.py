"""Plans of several statistics and topics: shared out on Tiers, drawn together on Releases."""

import pytest
import streamlit as st

from dpviz.ui.kit import hand_out
from dpviz.workspace import Workspace, account, packing, plan_file
from dpviz.workspace.limits import OWNER
from tests.app.test_plan import ROW
from tests.app.test_plan import edit as edit_plan

ALL = "Both statistics together"


@pytest.fixture
def data(open_page):
    """The page Data with a second statistic on the plan."""
    app = open_page("data")
    app.choose("For", "everybody together")
    app.press("add_statistic")
    return app


def test_one_press_draws_every_statistic_of_a_tier(data):
    app = data.go("releases")
    app.toggle(key="draw_together").set_value(True).run()
    assert "of all together: none so far → ρ = 0.8." in app.words()
    app.press("draw_all_research")
    ws = app.workspace()
    assert [(e.session, e.tier) for e in ws.ledger] == [(1, "research"), (2, "research")]
    assert len({s.asking.key for s in ws.sessions}) == 2
    app.press("draw_all_rest")
    assert sorted(e.tier for e in ws.ledger) == sorted(2 * [t.name for t in ws.plan.tiers])
    assert all(ws.waiting(s) == [] for s in ws.statistics)
    assert not [b for b in app.button if b.key.startswith("draw_all_")], "nothing is left to draw"


def test_what_the_owners_plan_does_not_register_is_refused_before_it_is_drawn(
    open_page, tmp_path, monkeypatch
):
    file = tmp_path / "plan.json"
    file.write_bytes(plan_file.saved(Workspace.fresh()))
    monkeypatch.setenv(OWNER, str(file))
    app = open_page("tiers")
    assert "beyond the limit" not in app.words()
    edit_plan(app, {ROW["audit"]: {"budget": "0.40004"}})
    refused = "audit is not drawn, as the limit does not list the number of people per group of"
    for page in ("tiers", "releases"):
        said = app.go(page).words()
        assert f"The whole plan is beyond the limit: {refused}" in said
        assert "at ρ = 0.40004; left on it: the number of people" in said
    app.press("draw_audit")
    assert refused.removeprefix("a") in app.errors()[0]
    assert app.workspace().ledger == []
    for name in ("research", "public"):
        app.press(f"draw_{name}")
    assert [e.tier for e in app.workspace().ledger] == ["research", "public"]
    assert "Released here: 2." in app.words()


def test_a_statistic_is_called_as_it_is_typed(data):
    field = next(f for f in data.text_input if f.label == "Its name")
    field.set_value("everybody").run()
    assert data.workspace().statistic.name == "everybody"
    assert any("2. everybody (" in option for box in data.selectbox for option in box.options)
    data.choose("Statistic", 0)
    next(f for f in data.text_input if f.label == "Its name").set_value("everybody").run()
    assert "Another statistic is called everybody. Type another name." in data.words()
    assert data.workspace().statistic.own_name == ""


def test_a_plan_of_one_statistic_says_nothing_of_others(open_page):
    app = open_page("tiers")
    assert "statistics together" not in app.words()
    assert not {"share_out", "share_all"} & {*app.buttons()}


def test_one_press_hands_a_tier_all_that_it_has(data, monkeypatch):
    made = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, *, data, **look: made.update({label: (data, look)})
    )
    app = data.go("releases")
    app.press("draw_rest")
    app.choose("Statistic", 0)
    app.press("draw_public")
    files = {label.split("\u00a0")[-1]: found for label, found in made.items()}
    content, look = files["public, 2 statistics (zip)"][0](), files["public, 2 statistics (zip)"][1]
    assert (look["file_name"], look["key"]) == ("practice-public.zip", "download_all_public")
    assert "A zip holds all that a tier has, and what it tells together." in app.words()
    assert packing.check(app.workspace(), content) == ()
    made.clear()
    app.press("draw_audit")
    assert {"audit, 2 statistics (zip)", "public, 2 statistics (zip)"} <= {
        label.split("\u00a0")[-1] for label in made
    }
    app.file_uploader[0].upload("public.zip", content, "application/zip").run()
    assert [s.value for s in app.success] == [hand_out.PACK_PASSES]


def relation(app):
    return next(r for r in app.radio if r.label == "Neighbouring tables differ by")


def test_another_unit_is_said_not_to_be_added(open_page):
    app = open_page("data")
    relation(app).set_value("replace").run()
    app.press("add_statistic")
    app.choose("For", "everybody together")
    relation(app).set_value("add/remove").run()
    app.press("add_statistic")
    assert len(app.workspace().statistics) == 3
    app.go("tiers")
    assert ALL in app.words()
    assert "Not added, as another unit is protected: number of people per" in app.words()
    (table,) = [d.value for d in app.dataframe if "weight" in d.value]
    assert len(table) == 3, "the two of this unit, and their total"


# The page Tiers: budgets of all statistics at once, typed or as shares of a total.


GROUPS, EVERYBODY, TOTAL = 0, 1, 2  # rows of the table
COLUMN = {name: f"tier_{place}" for name, place in ROW.items()}


@pytest.fixture
def tiers(data):
    """The page Tiers with two statistics: people by group, and the number of people, in use."""
    return data.go("tiers")


def grid(app):
    (found,) = [d for d in app.dataframe if "weight" in d.value]
    return found


def table(app):
    """What stands in the table, by row and column."""
    return grid(app).value


def edit(app, cells, *, run=True):
    """Type into the table, as the browser reports it: by row, and by tier or "weight"."""
    key = grid(app).proto.id.split("-", 2)[2]
    edits = {row: dict(cells) for row, cells in app.session_state[key]["edited_rows"].items()}
    for (row, column), text in cells.items():
        edits.setdefault(row, {})[COLUMN.get(column, column)] = text
    app.session_state[key] = {"edited_rows": edits, "added_rows": [], "deleted_rows": []}
    if run:
        app.run()


def typed(app):
    """Kind and amount of audit for each statistic, in the order of the plan."""
    ws = app.workspace()
    return [
        next((t.kind, t.amount) for t in ws.tiers_of(s) if t.name == "audit") for s in ws.statistics
    ]


def in_all(app):
    return account.in_all(app.workspace()).tiers["audit"].value


def test_what_each_statistic_needs_is_typed_as_a_distance(tiers):
    edit(tiers, {(GROUPS, "audit"): "±20", (EVERYBODY, "audit"): "+-3 (99 %)"})
    tiers.press("share_out")
    assert typed(tiers) == [("±a 95 %", "20"), ("±a 99 %", "3")]
    assert list(table(tiers)[COLUMN["audit"]]) == ["±20", "±3 (99 %)", ""]
    assert [t.amount for t in tiers.workspace().plan.tiers][1:] == ["0.3", "0.2", "0.1"]
    tiers.press("plan_turn_undo")
    assert typed(tiers) == [("ρ", "0.4"), ("ρ", "0.4")], "of all statistics at once"
    assert list(table(tiers)[COLUMN["audit"]]) == ["ρ 0.4", "ρ 0.4", ""]


def test_what_is_typed_in_the_run_of_the_press_counts(tiers):
    edit(tiers, {(GROUPS, "audit"): "0.1"})
    edit(tiers, {(GROUPS, "audit"): "0.05"}, run=False)
    tiers.press("share_out")
    assert typed(tiers)[GROUPS] == ("ρ", "0.05")


def test_a_total_that_typed_budgets_exceed_says_the_nearest_and_a_press_takes_it(tiers):
    edit(tiers, {(GROUPS, "audit"): "±2", (EVERYBODY, "audit"): "±4", (TOTAL, "audit"): "0.5"})
    said = tiers.words()
    assert "audit: ±2 and ±4 need ρ = 0.6003" in said
    assert "At ρ = 0.5 the nearest is ±2.2 and ±4.39." in said
    tiers.press("share_out")
    assert typed(tiers) == [("ρ", "0.4")] * 2, "it changes nothing until something is taken"
    tiers.press("share_nearest_audit")
    assert typed(tiers) == [("±a 95 %", "2.2"), ("±a 95 %", "4.39")]
    assert 0.49 < in_all(tiers) <= 0.5
    assert "the nearest is" not in tiers.words()


def test_a_budget_that_promises_next_to_nothing_is_used_once_it_is_meant(tiers):
    edit(tiers, {(GROUPS, "audit"): "", (TOTAL, "audit"): "40"})
    assert "promises little" in tiers.words()
    tiers.press("share_out")
    assert typed(tiers) == [("ρ", "0.4")] * 2
    next(c for c in tiers.checkbox if c.label == "I mean this budget").check().run()
    tiers.press("share_out")
    assert typed(tiers)[GROUPS] == ("ρ", "39.6")


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({(GROUPS, "audit"): "lots"}, "Budget of audit: “lots” is not a number"),
        ({(GROUPS, "audit"): "±"}, "Budget of audit is empty"),
        ({(EVERYBODY, "weight"): "-1", (GROUPS, "audit"): "1"}, "Weight of the number of people"),
        ({(TOTAL, "weight"): "2", (GROUPS, "audit"): "1"}, "The last row has no weight"),
        ({(TOTAL, "audit"): "±3"}, "Total of audit: type the total as ρ"),
        ({(TOTAL, "audit"): "much"}, "Total of audit: “much” is not a number"),
    ],
)
def test_nonsense_gets_one_sentence_and_changes_nothing(tiers, cells, sentence):
    edit(tiers, cells)
    (said,) = tiers.errors()
    assert sentence in said
    tiers.press("share_out")
    assert typed(tiers) == [("ρ", "0.4")] * 2
    row, column = next(iter(cells))
    tiers.go("data")
    tiers.go("tiers")
    assert table(tiers)[COLUMN.get(column, column)][row] == cells[row, column], "nothing is lost"


@pytest.mark.usefixtures("shut")  # an open box would take its own noise again
def test_the_table_follows_the_grid_of_the_statistic_in_use_and_keeps_what_is_typed(tiers):
    edit(tiers, {(GROUPS, "public"): "0.02"})
    edit_plan(tiers, {ROW["audit"]: {"budget": "1.6"}})
    assert table(tiers)[COLUMN["audit"]][EVERYBODY] == "ρ 1.6"
    assert table(tiers)[COLUMN["public"]][GROUPS] == "0.02"
    assert table(tiers)["name"][TOTAL] == "Total (ρ)"
    tiers.workspace().use_family("laplace")
    tiers.run()
    assert table(tiers)["name"][TOTAL] == "Total (ε)"
    assert table(tiers)[COLUMN["public"]][GROUPS] == "0.02"
    tiers.press("share_all")
    before = table(tiers)[COLUMN["public"]][EVERYBODY]
    tiers.workspace().use_family("discrete_laplace")
    tiers.run()
    assert (before, table(tiers)[COLUMN["public"]][EVERYBODY]) == (
        "share ±\u202f6.7",
        "share ±\u202f7",
    )


# Structured topics on the plan: added on their pages, counted on Tiers, drawn on Releases.


ADD, OFF = "Add it to the plan", "Take it off the plan"


def names(app):
    return [(topic.page, topic.name.split(" of")[0]) for topic in app.workspace().topics]


@pytest.mark.opens("specialists", "linear_answers")
def test_running_totals_join_the_plan_with_the_noise_on_screen(open_page):
    app = open_page("linear_queries")
    app.segment("linear_source", "my statistic")
    next(s for s in app.selectbox if "noise" in s.label.casefold()).set_value("laplace")
    app.press("linear_plan")
    (topic,) = app.workspace().topics
    assert topic.draw(app.workspace()).asking.family.name == "laplace"
    assert app.button(key="linear_plan").label.endswith(OFF)
    assert ALL in app.go("tiers").words()
    app.go("linear_queries")
    app.press("linear_plan")
    assert app.workspace().topics == []


def test_a_list_joins_the_plan_with_the_length_on_screen_and_data_takes_it_off(open_page):
    app = open_page("top_k")
    app.segment("topk_source", "my column")
    app.choose("Column of items", "education")
    app.choose("Way to draw", "Gumbel list that can end")
    app.text_input(key="topk_k_10").set_value("3")
    app.press("topk_plan")
    ws = app.workspace()
    assert [p.name for p in ws.draws()[1].tiers] == ["list of 3"]
    app.press("topk_list")
    app.press("topk_counts_plan")
    assert [page for page, _ in names(app)] == ["top_k", "top_k"]
    app.go("data")
    assert "Also on the plan: most common items by" in app.words()
    app.press("topic_off_0")
    assert names(app) == [("top_k", "counts")]


def test_a_sparse_histogram_joins_with_the_thresholds_on_screen(open_page):
    app = open_page("sparse_histograms")
    app.segment("sparse_source", "my column")
    app.press("sparse_plan")
    draw = app.workspace().draws()[1]
    assert [p.name for p in draw.tiers] == ["public", "partners", "research", "audit"]
    app.workspace().draw_all("audit")
    assert [e.tier for e in app.workspace().ledger] == ["audit", "audit"]


@pytest.mark.opens("specialists")
def test_typed_counts_and_a_survey_say_why_they_cannot_join(open_page):
    app = open_page("continual_counting")
    app.segment("counting_source", "my counts")
    app.text_area(key="counting_typed").set_value("1\n2\n3").run()
    assert "Typed numbers are no statistic of your table" in app.words()
    assert "counting_plan" not in app.buttons()
    app = open_page("rappor")
    app.segment("rappor_source", "my column")
    app.text_area(key="rappor_candidates").set_value("ash\nbirch").run()
    assert "cannot be added to your plan" in app.words()
    assert not [label for label in app.labels() if ADD in label]
