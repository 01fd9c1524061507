"""The page Tiers: budgets of all statistics at once, typed or as shares of a total."""

import pytest

from dpviz.workspace import account
from tests.app.reading import choose, errors, press, words, workspace
from tests.app.test_plan import ROW
from tests.app.test_plan import edit as edit_plan

GROUPS, EVERYBODY, TOTAL = 0, 1, 2  # rows of the table
COLUMN = {name: f"tier_{place}" for name, place in ROW.items()}


@pytest.fixture
def tiers(open_page):
    """The page Tiers with two statistics: people by group, and the number of people, in use."""
    return opened(open_page)


def opened(open_page, noise=""):
    app = open_page("data", noise)
    choose(app, "For", "everybody together")
    press(app, "add_statistic")
    return app.switch_page("pages/tiers.py").run()


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
    ws = workspace(app)
    return [
        next((t.kind, t.amount) for t in ws.tiers_of(s) if t.name == "audit") for s in ws.statistics
    ]


def in_all(app):
    return account.in_all(workspace(app)).tiers["audit"].value


def test_what_each_statistic_needs_is_typed_as_a_distance(tiers):
    edit(tiers, {(GROUPS, "audit"): "±20", (EVERYBODY, "audit"): "+-3 (99 %)"})
    press(tiers, "share_out")
    assert typed(tiers) == [("±a 95 %", "20"), ("±a 99 %", "3")]
    assert list(table(tiers)[COLUMN["audit"]]) == ["±20", "±3 (99 %)", ""]
    assert [t.amount for t in workspace(tiers).plan.tiers][1:] == ["0.3", "0.2", "0.1"]
    press(tiers, "plan_turn_undo")
    assert typed(tiers) == [("ρ", "0.4"), ("ρ", "0.4")], "of all statistics at once"
    assert list(table(tiers)[COLUMN["audit"]]) == ["ρ 0.4", "ρ 0.4", ""]


def test_a_total_is_shared_by_weight_and_another_one_takes_one_cell_and_one_press(tiers):
    before = {t.name: t.amount for t in workspace(tiers).plan.tiers}
    press(tiers, "share_all")
    assert list(table(tiers)[COLUMN["audit"]])[TOTAL] == "0.8", "what it loses now"
    edit(tiers, {(EVERYBODY, "weight"): "2", (TOTAL, "audit"): "0.3"})
    press(tiers, "share_out")
    assert typed(tiers) == [("ρ", "0.1"), ("ρ", "0.2")]
    assert in_all(tiers) == 0.3
    cells = list(table(tiers)[COLUMN["audit"]])
    assert cells[EVERYBODY].startswith("share ±")
    edit(tiers, {(TOTAL, "audit"): "0.6"})
    press(tiers, "share_out")
    assert typed(tiers) == [("ρ", "0.2"), ("ρ", "0.4")]
    assert {t.name for t in workspace(tiers).plan.tiers} == set(before)


def test_some_are_typed_and_the_others_share_what_is_left(tiers):
    cells = {(GROUPS, "audit"): "0.1", (EVERYBODY, "audit"): None, (TOTAL, "audit"): "ρ = 0.25"}
    edit(tiers, cells | {(GROUPS, "weight"): None})
    press(tiers, "share_out")
    assert typed(tiers) == [("ρ", "0.1"), ("ρ", "0.15")]


def test_what_is_typed_in_the_run_of_the_press_counts(tiers):
    edit(tiers, {(GROUPS, "audit"): "0.1"})
    edit(tiers, {(GROUPS, "audit"): "0.05"}, run=False)
    press(tiers, "share_out")
    assert typed(tiers)[GROUPS] == ("ρ", "0.05")


def test_a_total_that_typed_budgets_exceed_says_the_nearest_and_a_press_takes_it(tiers):
    edit(tiers, {(GROUPS, "audit"): "±2", (EVERYBODY, "audit"): "±4", (TOTAL, "audit"): "0.5"})
    said = words(tiers)
    assert "audit: ±2 and ±4 need ρ = 0.6003" in said
    assert "At ρ = 0.5 the nearest is ±2.2 and ±4.39." in said
    press(tiers, "share_out")
    assert typed(tiers) == [("ρ", "0.4")] * 2, "it changes nothing until something is taken"
    press(tiers, "share_nearest_audit")
    assert typed(tiers) == [("±a 95 %", "2.2"), ("±a 95 %", "4.39")]
    assert 0.49 < in_all(tiers) <= 0.5
    assert "the nearest is" not in words(tiers)


def test_a_budget_that_promises_next_to_nothing_is_used_once_it_is_meant(tiers):
    edit(tiers, {(GROUPS, "audit"): "", (TOTAL, "audit"): "40"})
    assert "promises little" in words(tiers)
    press(tiers, "share_out")
    assert typed(tiers) == [("ρ", "0.4")] * 2
    next(c for c in tiers.checkbox if c.label == "I mean this budget").check().run()
    press(tiers, "share_out")
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
    (said,) = errors(tiers)
    assert sentence in said
    press(tiers, "share_out")
    assert typed(tiers) == [("ρ", "0.4")] * 2
    row, column = next(iter(cells))
    tiers.switch_page("pages/data.py").run()
    tiers.switch_page("pages/tiers.py").run()
    assert table(tiers)[COLUMN.get(column, column)][row] == cells[row, column], "nothing is lost"


def test_a_cell_that_shares_asks_for_the_total(tiers):
    edit(tiers, {(GROUPS, "audit"): ""})
    assert "audit: type a total for the empty cells to share" in words(tiers)
    assert errors(tiers) == []


def test_the_table_follows_the_grid_of_the_statistic_in_use_and_keeps_what_is_typed(tiers):
    edit(tiers, {(GROUPS, "public"): "0.02"})
    edit_plan(tiers, {ROW["audit"]: {"budget": "1.6"}})
    assert table(tiers)[COLUMN["audit"]][EVERYBODY] == "ρ 1.6"
    assert table(tiers)[COLUMN["public"]][GROUPS] == "0.02"
    assert table(tiers)["name"][TOTAL] == "Total (ρ)"
    workspace(tiers).use_family("laplace")
    tiers.run()
    assert table(tiers)["name"][TOTAL] == "Total (ε)"
    assert table(tiers)[COLUMN["public"]][GROUPS] == "0.02"
    press(tiers, "share_all")
    before = table(tiers)[COLUMN["public"]][EVERYBODY]
    workspace(tiers).use_family("discrete_laplace")
    tiers.run()
    assert (before, table(tiers)[COLUMN["public"]][EVERYBODY]) == (
        "share ±\u202f6.7",
        "share ±\u202f7",
    )


def test_more_noise_in_the_statistic_that_costs_most_is_said_to_free_so_much(tiers):
    edit_plan(tiers, {ROW["audit"]: {"budget": "1.6"}})
    assert (
        "10 % more noise there (± 1.3 instead of ± 1.1 people) would bring audit’s ρ in all from "
        "2 to 1.723." in words(tiers)  # 1.6 / 1.21 + 0.4
    )


def test_with_noise_that_has_no_rho_the_total_is_an_epsilon(open_page):
    tiers = opened(open_page, "laplace")
    edit(tiers, {(row, "audit"): "" for row in (GROUPS, EVERYBODY)} | {(TOTAL, "audit"): "1"})
    press(tiers, "share_out")
    assert typed(tiers) == [("ε", "0.5"), ("ε", "0.5")]
    assert in_all(tiers) == 1.0


def test_losses_that_are_convolved_meet_the_total_that_is_typed(open_page):
    tiers = opened(open_page, "skellam")
    edit(tiers, {(row, "audit"): "" for row in (GROUPS, EVERYBODY)} | {(TOTAL, "audit"): "1.5"})
    press(tiers, "share_out")
    assert 0 <= 1.5 - in_all(tiers) <= 1.5e-9
    (kind, groups), (_, everybody) = typed(tiers)
    assert kind == "ε"
    assert float(groups) == pytest.approx(float(everybody), rel=1e-9)
    assert 0.75 < float(groups) < 1.5, "less than if ε were added"
