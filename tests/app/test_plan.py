"""The page Tiers: the grid, kinds of budget, sizes, plan files, undo, plans side by side."""

import io
import json
import re
import zipfile
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest

from dpviz.planning.presets import PRESETS
from dpviz.planning.tiers import DEFAULT_TIERS, FIRST_PLAN, Tier, as_rows
from dpviz.ui.data.query_controls import MEAN
from dpviz.ui.kit.group_controls import COLUMN
from dpviz.workspace import packing
from dpviz.workspace.plan_file import examples, plan_of, saved, written
from tests.app.reading import LISTED, App, plain

NAMES = [t.name for t in FIRST_PLAN]
ROW = {name: row for row, name in enumerate(NAMES)}


@pytest.fixture
def tiers(open_page):
    return open_page("tiers")


def edit(app, rows, *, added=(), deleted=(), of="", run=True):
    """Type into the grid, or into that of notes, as the browser reports it: by row and column."""
    app.session_state[f"tier_editor_{app.workspace().plan.edition}{of}"] = {
        "edited_rows": rows,
        "added_rows": list(added),
        "deleted_rows": list(deleted),
    }
    if run:
        app.run()


def planned(app):
    return {p.name: p for p in app.workspace().planned()[0]}


def test_releases_say_that_the_plan_as_typed_is_not_the_one_in_use(tiers):
    edit(tiers, {ROW["public"]: {"budget": "lots"}})
    tiers.labelled("Sort rows by").click().run()
    assert any("correct it there first" in sentence for sentence in tiers.errors())
    assert tiers.workspace().plan.typed_rows[ROW["public"]]["budget"] == "lots"
    tiers.go("releases")
    assert "The plan on the page Tiers has a problem" in tiers.words()
    tiers.go("tiers")
    edit(tiers, {ROW["public"]: {"budget": "0.001"}})
    tiers.go("releases")
    assert "has a problem" not in tiers.words()


def unit_of_a_new_row(app):
    """The unit that the browser gives to a row typed at the end of the grid."""
    return json.loads(app.dataframe[0].proto.columns)["as"]["default"]


def test_a_new_row_has_the_unit_of_the_row_above(tiers):
    assert unit_of_a_new_row(tiers) == "ρ"
    tiers.press("state_±a 95 %")
    assert unit_of_a_new_row(tiers) == "±a 95 %"
    edit(tiers, {}, added=[{"tier": "press", "budget": "200", "as": unit_of_a_new_row(tiers)}])
    assert tiers.errors() == []
    assert planned(tiers)["press"].budget.half_width == pytest.approx(200)


def test_a_budget_that_promises_next_to_nothing_is_in_use_once_it_is_ticked(tiers):
    edit(tiers, {}, added=[{"tier": "press", "budget": "200", "as": "ρ"}])
    (sentence,) = tiers.errors()
    assert sentence == (
        "Budget of press: 200 as ρ promises next to nothing. Say that it is meant, or type another "
        "budget."
    )
    assert tiers.workspace().plan.tiers == FIRST_PLAN
    assert "The plan in use is the last one without a problem" in tiers.words()
    (tick,) = tiers.checkbox
    tick.check().run()
    assert tiers.errors() == []
    assert planned(tiers)["press"].tier.amount == "200"
    tiers.run()
    assert (len(tiers.checkbox), tiers.errors()) == (0, [])
    assert "press: a privacy loss this large promises little" in tiers.words()
    edit(tiers, {}, added=[{"tier": "press", "budget": "300", "as": "ρ"}])
    assert "300 as ρ" in tiers.errors()[0], "another budget needs a tick of its own"
    assert planned(tiers)["press"].tier.amount == "200"
    tiers.go("releases")
    tiers.press("draw_press")
    assert "Tick “I mean this budget”" in tiers.errors()[0], "a draw asks for itself"


def published(app):
    """All that leaves a workspace: the report, and every file of the pack and of each release."""
    ws, files = app.workspace(), []
    with zipfile.ZipFile(io.BytesIO(packing.hand_out(ws))) as archive:
        files += [archive.read(name).decode("utf-8-sig") for name in archive.namelist()]
    files += [packing.file_of(ws, e, e.drawn).decode("utf-8-sig") for e in ws.ledger]
    return [packing.report_of(ws, ws.ledger[0].drawn), *files]


def test_what_is_published_of_a_tier_was_typed_or_is_on_screen(open_page):
    app = open_page("tiers")
    ws = app.workspace()
    ws.use_tiers(as_rows(DEFAULT_TIERS[::-1]))  # as in a project of former days, with their notes
    ws.plan.edition += 1
    app.run()
    assert "Notes, for the report: audit: auditors;" in app.words()
    edit(app, {ROW["audit"]: {"tier": "ministry"}, ROW["public"]: {"tier": "web"}})
    renamed = {t.name: (t.people, t.note) for t in ws.plan.tiers}
    assert renamed["ministry"] == renamed["web"] == ("", "")
    assert renamed["research"] == ("3", "research groups")
    grid = app.dataframe[0].value
    assert list(grid["people"]) == ["", "3", "6", ""], "the grid shows it"
    edit(app, {ROW["audit"]: {"people": "40"}})
    app.toggle(key="plan_notes").set_value(True).run()
    edit(app, {ROW["audit"]: {"note": "of health"}}, of="_notes")
    ws.draw("ministry", "web", "research")
    for text in published(app):
        assert not re.search("auditors|anyone|audit|>2<|hospitals.*web", text), text[:100]
    report = published(app)[0]
    assert '<td class="note">of health</td>\n<td>40</td>' in report
    assert "research groups" in report, "it was said under the grid"


def test_what_a_budget_means_is_said_in_its_unit(tiers):
    loss, near = "Larger: less noise", "smaller means sharper"

    def said():
        return ["Budget ρ (rho): " in tiers.words(), loss in tiers.words(), near in tiers.words()]

    assert said() == [True, True, False]
    edit(tiers, {ROW["public"]: {"budget": "100", "as": "±a 95 %"}})
    assert said() == [False, True, True]
    tiers.press("state_±a 95 %")
    assert said() == [False, False, True]


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("readable")
def test_readable_sizes(tiers):
    tiers.fill({"Expected sizes": ""})
    assert "No size is typed" in tiers.errors()[0]
    tiers.fill({"Expected sizes": "high school: 40\ncollege or more: 400"})
    assert tiers.errors() == []
    half = planned(tiers)["public"].budget.half_width
    assert round(100 * half / 40) == 11
    shown = plain(tiers.everything())
    assert "(±11 %)" in shown  # of 40: in brackets, since unreadable
    assert "±1.1 %" in shown  # of 400
    tiers.fill({"Readable means within": 0.5})
    assert "(±11 %)" not in plain(tiers.everything())


# From a count to a mean on the pages: every ± is asked again, and headlines speak of my groups.


ROWS = b"ward,cost\n" + b"".join(b"%s,%d\n" % (b"A" if i % 4 else b"B", i % 50) for i in range(800))


TIERS = (
    Tier(name="audit", amount="0.4", kind="ρ"),
    Tier(name="press", amount="50", kind="±a 95 %"),
)


def test_a_half_width_of_people_is_asked_again_for_a_mean(open_page):
    app = open_page("data").upload(ROWS)
    app.fill({"For": COLUMN, "Column of the groups": "ward"})
    app.fill({LISTED: "A\nB"})
    app.press("use_statistic")
    assert app.workspace().use_tiers(as_rows(TIERS)) == []
    app.fill({"What": MEAN})
    app.fill({"Number": "cost"})
    app.fill({"Lower clip bound": "0", "Upper clip bound": "50"})
    assert "The page Tiers will ask for the ± of press again" in app.words()
    app.press("use_statistic")
    assert "will ask for the ±" not in app.words()
    app.go("tiers")
    assert app.errors() == ["Budget of press is empty. Type a number above 0, for example 50."]
    (told,) = [plain(each.value) for each in app.info]
    assert told.startswith("A ± of one statistic says nothing of another")
    assert told.endswith("now in rows. Before: press ±50 people (95 %).")
    app.go("releases")
    assert "Some tiers cannot be used: the page Tiers says why." in app.words()
    keys = {*app.buttons()}
    assert keys >= {"draw_audit"}
    assert "draw_press" not in keys


# Plan files on the pages: save, change, open, take back; another table; files that are no plan.


EXAMPLE = examples()["nhefs.csv"]


def open_plan(app, content):
    (uploader,) = [u for u in app.file_uploader if u.label == "Open a plan"]
    uploader.upload("plan.json", content, "application/json").run()


@pytest.mark.opens("noise", "readable")
def test_a_plan_that_was_saved_comes_back_with_its_fields(open_page):
    app = open_page("tiers")
    app.fill({"δ of the plan": "1e-7", "Expected sizes": "high school: 400"})
    edit(app, {0: {"budget": "0.35"}})
    kept, content = plan_of(app.workspace()), saved(app.workspace())
    assert (kept.delta, kept.sizes) == ("1e-7", "high school: 400")
    edit(app, {0: {"budget": "0.9"}, 1: {"tier": "court"}})
    app.fill({"δ of the plan": "1e-5", "Expected sizes": "50"})
    app.segment("mode", "hardened")
    app.go("data")
    app.choose("What", "Sum of a number")  # a draft, which the plan replaces
    app.go("tiers")
    app.press("plan_example")
    changed = plan_of(app.workspace())
    assert (changed.query, changed.tiers, changed.mode) == (EXAMPLE.query, FIRST_PLAN, "teaching")
    open_plan(app, content)
    assert plan_of(app.workspace()) == kept
    assert app.errors() == []
    assert app.field("δ of the plan").value == "1e-7"
    assert "Nothing was drawn" in app.words()
    for page in ("data", "tiers"):  # the fields hold what was opened, not what was typed before
        app.go(page)
        assert plan_of(app.workspace()) == kept
        assert page != "data" or app.in_use()
    for turn, there in (("undo", changed), ("redo", kept)):
        app.press(f"plan_turn_{turn}")
        assert plan_of(app.workspace()) == there
    assert app.workspace().ledger == app.workspace().sessions == []


def test_a_file_that_is_no_plan_says_one_sentence_and_changes_nothing(open_page):
    app = open_page("tiers")
    before = plan_of(app.workspace()), app.workspace().plan.edition
    open_plan(app, written(EXAMPLE).replace(b'"0.4"', b'"lots"'))
    (sentence,) = app.errors()
    assert "Budget of audit" in sentence
    assert (plan_of(app.workspace()), app.workspace().plan.edition) == before
    open_plan(app, written(EXAMPLE))
    assert app.errors() == []
    assert plan_of(app.workspace()) == replace(EXAMPLE, seed=7)


def test_a_plan_of_another_table_offers_its_tiers(open_page):
    app = open_page("tiers")
    before, other = plan_of(app.workspace()), examples()["declaration.csv"]
    for key in ("plan_keep", "plan_tiers"):
        open_plan(app, written(other) + b" " * len(key))  # another file
        assert plan_of(app.workspace()) == before
        assert "made for declaration.csv" in app.words()
        app.button(key=key).click().run()
    assert app.workspace().plan.tiers == other.tiers
    assert plan_of(app.workspace()).query == before.query
    app.press("plan_turn_undo")
    assert plan_of(app.workspace()) == before


@pytest.mark.opens("noise", "specialists")
def test_an_address_opens_the_plan_on_any_page_and_can_be_taken_back(open_page):
    app = open_page("tiers")
    edit(app, {0: {"budget": "0.35"}})
    app.fill({"δ of the plan": "1e-7"})
    asked = dict(parse_qsl(urlsplit(app.code[0].value).query))
    assert "/tiers?tiers=audit,%CF%81,0.35" in app.code[0].value
    for page in ("releases", "tiers"):
        other = App.opened(**asked, step="3").go(page)
        assert other.errors() == []
        ws = other.workspace()
        assert [t.amount for t in ws.plan.tiers] == ["0.35", "0.3", "0.2", "0.1"]
        assert (ws.delta, ws.ledger, ws.sessions) == (1e-7, [], [])
    assert other.field("δ of the plan").value == "1e-7"
    edit(other, {0: {"budget": "0.9"}})
    assert other.workspace().plan.tiers[0].amount == "0.9", "the address is read once"
    for _ in range(2):
        other.press("plan_turn_undo")
    assert other.workspace().plan.tiers == FIRST_PLAN


def test_an_address_that_is_no_plan_says_one_sentence_and_changes_nothing(open_page):
    app = open_page("tiers")
    before = plan_of(app.workspace())
    for tiers, more, part in [
        ("", {}, "tier 1 is not a name"),
        ("![](http://host.invalid/x),ρ,-1", {}, "is not a budget"),
        ("a,ρ,1;" * 2000, {}, "longer than 4,000 letters"),
        ("a,ρ,1", {"noise": "none"}, "noise must be one of"),
    ]:
        for name, value in {"noise": "gaussian", **more, "tiers": tiers}.items():
            app.query_params[name] = value
        app.run()
        (sentence,) = app.errors()
        assert part in sentence.replace("\\", ""), tiers
        assert plan_of(app.workspace()) == before
        for name in ("noise", "mode", "delta"):
            app.query_params.pop(name, None)


# What if: undo and redo by buttons on the page Tiers, and two plans side by side.


def amount(app, name="audit"):
    return next(t.amount for t in app.workspace().plan.tiers if t.name == name)


def undo(app):
    app.press("plan_turn_undo")
    assert app.errors() == []


def redo(app):
    app.press("plan_turn_redo")
    assert app.errors() == []


def disabled(app):
    return [app.button(key=f"plan_turn_{turn}").disabled for turn in ("undo", "redo")]


@pytest.mark.opens("noise", "readable", "specialists")
def test_every_change_on_the_page_is_undone_and_made_again_with_its_fields(open_page):
    app = open_page("tiers")
    assert disabled(app) == [True, True]
    edit(app, {ROW["audit"]: {"budget": "0.5"}})
    app.fill({"δ of the plan": "1e-7"})
    app.radio(key="family_teaching").set_value("laplace").run()
    app.fill({"Expected sizes": "400"})
    app.segment("mode", "hardened")
    app.press(f"preset_{PRESETS[-1].name}")
    assert disabled(app) == [False, True]
    ws = app.workspace()

    def shown():
        fields = app.field("δ of the plan").value, app.radio[0].value, app.text_area[0].value
        assert fields[:2] == (f"{ws.delta:.0e}".replace("e-0", "e-"), ws.family_name)
        assert app.segmented_control(key="mode").value == ws.mode
        assert ("practice" in app.button(key="decide").label) == (ws.mode == "teaching")
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
    edit(app, {ROW["audit"]: {"budget": "0.6"}}, run=False)
    undo(app)
    assert amount(app) == "0.5"
    undo(app)
    assert amount(app) == FIRST_PLAN[0].amount


# --- A and B ---


def compared(app):
    """The table of both plans: a list for each row."""
    return [[plain(str(cell)) for cell in row] for row in app.table[0].value.to_numpy()]


def test_a_plan_is_compared_with_one_that_was_kept(open_page):
    app = open_page("tiers")
    assert "side by side" not in app.words()
    app.press("plan_a_keep")
    edit(
        app,
        {ROW["audit"]: {"budget": "0.5"}},
        added=[{"tier": "press", "budget": "0.1", "as": "ρ"}],
        deleted=[ROW["research"]],
    )
    said = app.words()
    assert "guess right 673 times in 1,000 with A, and 691 times in 1,000 with B." in said
    rows = {row[0]: row[1:] for row in compared(app)}
    assert rows["audit"][-1] == "sharper, less private"
    assert rows["audit"][1:3] == ["ρ = 0.4 → 0.5", "673 → 691"]
    assert rows["partners"][-1] == "the same"
    assert (rows["research"][-1], rows["press"][-1]) == ("only in A", "new in B")
    assert rows["press"][1] == "– → ρ = 0.1"
    assert rows["all together"][-1] == "less private"
    app.press("plan_a_back")
    assert app.workspace().plan.tiers == FIRST_PLAN
    assert {row[-1] for row in compared(app)} == {"the same"}
    undo(app)
    assert amount(app) == "0.5", "to go back to A is a change as any other"
    app.press("plan_a_forget")
    assert "side by side" not in app.words()
