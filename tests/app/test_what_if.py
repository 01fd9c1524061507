"""What if: undo and redo by buttons on the page Tiers, and two plans side by side."""

import pytest

from dpviz.planning.presets import PRESETS
from dpviz.planning.tiers import FIRST_PLAN
from dpviz.scenes import tiers as scenes
from dpviz.workspace.undo import plan_a
from tests.app.reading import choose, errors, field, fill, go, press, words, workspace
from tests.app.test_plan import ROW, edit
from tests.visiting import plain


def amount(app, name="audit"):
    return next(t.amount for t in workspace(app).plan.tiers if t.name == name)


def undo(app):
    press(app, "plan_turn_undo")
    assert errors(app) == []


def redo(app):
    press(app, "plan_turn_redo")
    assert errors(app) == []


def disabled(app):
    return [app.button(key=f"plan_turn_{turn}").disabled for turn in ("undo", "redo")]


@pytest.mark.opens("noise", "readable", "specialists")
def test_every_change_on_the_page_is_undone_and_made_again_with_its_fields(open_page):
    app = open_page("tiers")
    assert disabled(app) == [True, True]
    edit(app, {ROW["audit"]: {"budget": "0.5"}})
    fill(app, {"δ of the plan": "1e-7"})
    app.radio(key="family_teaching").set_value("laplace").run()
    fill(app, {"Expected sizes": "400"})
    app.segmented_control(key="mode").set_value("hardened").run()
    press(app, f"preset_{PRESETS[-1].name}")
    assert disabled(app) == [False, True]
    ws = workspace(app)

    def shown():
        fields = field(app, "δ of the plan").value, app.radio[0].value, app.text_area[0].value
        assert fields[:2] == (f"{ws.delta:.0e}".replace("e-0", "e-"), ws.family_name)
        assert app.segmented_control(key="mode").value == ws.mode
        grid = app.dataframe[0].value
        assert list(grid["budget"]) == [t.amount for t in ws.plan.tiers]
        return ws.plan.tiers[0].amount, ws.delta, ws.family_name, fields[2], ws.mode

    first, states = (FIRST_PLAN[0].amount, 1e-6, "gaussian", "100", "teaching"), [shown()]
    for _ in range(6):
        undo(app)
        states.append(shown())
    assert states[-1] == first
    assert len(set(states)) == 7
    assert disabled(app) == [True, False]
    for state in states[-2::-1]:
        redo(app)
        assert shown() == state
    undo(app)
    edit(app, {0: {"budget": "0.7"}})
    assert disabled(app) == [False, True], "a new change drops what was undone"


def test_a_cell_that_is_typed_just_before_the_press_is_what_it_undoes(open_page):
    app = open_page("tiers")
    edit(app, {ROW["audit"]: {"budget": "0.5"}})
    key = f"tier_editor_{workspace(app).plan.edition}"
    rows = {"edited_rows": {0: {"budget": "0.6"}}, "added_rows": [], "deleted_rows": []}
    app.session_state[key] = rows
    undo(app)
    assert amount(app) == "0.5"
    undo(app)
    assert amount(app) == FIRST_PLAN[0].amount


def test_what_is_typed_and_refused_is_undone_alone(open_page):
    app = open_page("tiers")
    edit(app, {ROW["audit"]: {"budget": "0.5"}})
    edit(app, {ROW["audit"]: {"budget": "lots"}})
    assert len(errors(app)) == 1
    undo(app)
    assert amount(app) == "0.5"
    assert app.dataframe[0].value["budget"][0] == "0.5"
    assert disabled(app) == [False, True]


def test_changes_on_the_page_data_are_undone_on_the_page_tiers(open_page):
    app = open_page("data")
    choose(app, "For", "everybody together")
    press(app, "add_statistic")
    press(app, "statistic_up")
    fill(app, {"Its name": "sites"})
    go(app, "tiers")
    many = [s.query for s in workspace(app).statistics]
    undo(app)
    assert [s.own_name for s in workspace(go(app, "data")).statistics] == ["", ""]
    undo(go(app, "tiers"))
    assert [s.query for s in workspace(app).statistics] == many[::-1]
    undo(app)
    assert [s.query for s in workspace(app).statistics] == many[1:]
    go(app, "data")
    assert "add_statistic" not in [b.key for b in app.button], "the fields show what is in use"


def test_releases_stay_when_their_budget_is_undone(open_page):
    app = open_page("tiers")
    edit(app, {ROW["public"]: {"budget": "0.2"}})
    press(go(app, "releases"), "draw_public")
    undo(go(app, "tiers"))
    assert amount(app, "public") == FIRST_PLAN[-1].amount
    assert [float(e.budget.loss) for e in workspace(app).ledger] == [0.2]


# --- A and B ---


def compared(app):
    """The table of both plans: a list for each row."""
    return [[plain(str(cell)) for cell in row] for row in app.table[0].value.to_numpy()]


def test_a_plan_is_compared_with_one_that_was_kept(open_page):
    app = open_page("tiers")
    assert "side by side" not in words(app)
    press(app, "plan_a_keep")
    edit(
        app,
        {ROW["audit"]: {"budget": "0.5"}},
        added=[{"tier": "press", "budget": "0.1", "as": "ρ"}],
        deleted=[ROW["research"]],
    )
    said = words(app)
    assert "guess right 673 times in 1,000 with A, and 691 times in 1,000 with B." in said
    rows = {row[0]: row[1:] for row in compared(app)}
    assert rows["audit"][-1] == "sharper, less private"
    assert rows["audit"][1:3] == ["ρ = 0.4 → 0.5", "673 → 691"]
    assert rows["partners"][-1] == "the same"
    assert (rows["research"][-1], rows["press"][-1]) == ("only in A", "new in B")
    assert rows["press"][1] == "– → ρ = 0.1"
    assert rows["all together"][-1] == "less private"
    press(app, "plan_a_back")
    assert workspace(app).plan.tiers == FIRST_PLAN
    assert {row[-1] for row in compared(app)} == {"the same"}
    undo(app)
    assert amount(app) == "0.5", "to go back to A is a change as any other"
    press(app, "plan_a_forget")
    assert "side by side" not in words(app)


def test_nothing_is_kept_as_a_while_what_is_typed_is_refused(open_page):
    app = open_page("tiers")
    edit(app, {ROW["audit"]: {"budget": "lots"}})
    press(app, "plan_a_keep")
    assert any("correct it there first" in sentence for sentence in errors(app))
    assert plan_a(workspace(app)) is None


def test_several_statistics_are_compared_one_by_one_and_in_all(open_page):
    app = open_page("data")
    choose(app, "For", "everybody together")
    press(app, "add_statistic")
    go(app, "tiers")
    press(app, "plan_a_keep")
    edit(app, {ROW["audit"]: {"budget": "1.6"}})
    ws = workspace(app)
    rows = compared(app)
    assert [row[0] for row in rows if row[0]] == [
        *(s.name for s in ws.statistics),
        "all statistics",
    ]
    assert len(rows) == 2 * 4 + 4 + 1
    before, now = (scenes.scene(each).in_all for each in (plan_a(ws), ws))
    assert rows[-1][3] == f"ρ = {before.together.value:g} → {now.together.value:g}"
    choose(app, "Statistic", 0)
    assert compared(app) == rows, "whichever of them is looked at"
    undo(app)
    assert app.selectbox[0].value == 1, "the statistic is shown that was changed"
    assert {row[-1] for row in compared(app)} == {"the same"}
