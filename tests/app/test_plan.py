"""The page Tiers: ready plans, switching of currencies, kinds of budget, order, warnings, sizes."""

import io
import json
import re
import zipfile

import pytest

from dpviz.planning.tiers import DEFAULT_TIERS, FIRST_PLAN, Tier, as_rows, read_tiers
from dpviz.ui.data.query_controls import MEAN
from dpviz.ui.kit.group_controls import COLUMN
from dpviz.workspace import packing
from dpviz.workspace.plan import Plan
from tests.app.reading import (
    button,
    errors,
    everything,
    fill,
    plain,
    upload,
    words,
    workspace,
)

NAMES = [t.name for t in FIRST_PLAN]
ROW = {name: row for row, name in enumerate(NAMES)}


@pytest.fixture
def tiers(open_page):
    return open_page("tiers")


def edit(app, rows, *, added=(), deleted=()):
    """Type into the grid, as the browser reports it: cells by row and column."""
    key = f"tier_editor_{workspace(app).plan.edition}"
    app.session_state[key] = {
        "edited_rows": rows,
        "added_rows": list(added),
        "deleted_rows": list(deleted),
    }
    app.run()


def in_use(app):
    return {p.name: p for p in workspace(app).planned()[0]}


def test_releases_say_that_the_plan_as_typed_is_not_the_one_in_use(tiers):
    edit(tiers, {ROW["public"]: {"budget": "lots"}})
    button(tiers, "Sort rows by").click().run()
    assert any("correct it there first" in sentence for sentence in errors(tiers))
    assert workspace(tiers).plan.typed_rows[ROW["public"]]["budget"] == "lots"
    tiers.switch_page("pages/releases.py").run()
    assert "The plan on the page Tiers has a problem" in words(tiers)
    tiers.switch_page("pages/tiers.py").run()
    edit(tiers, {ROW["public"]: {"budget": "0.001"}})
    tiers.switch_page("pages/releases.py").run()
    assert "has a problem" not in words(tiers)


def unit_of_a_new_row(app):
    """The unit that the browser gives to a row typed at the end of the grid."""
    return json.loads(app.dataframe[0].proto.columns)["as"]["default"]


def test_a_new_row_has_the_unit_of_the_row_above(tiers):
    assert unit_of_a_new_row(tiers) == "ρ"
    tiers.button(key="state_±a 95 %").click().run()
    assert unit_of_a_new_row(tiers) == "±a 95 %"
    edit(tiers, {}, added=[{"tier": "press", "budget": "200", "as": unit_of_a_new_row(tiers)}])
    assert errors(tiers) == []
    assert in_use(tiers)["press"].budget.half_width == pytest.approx(200)
    edit(tiers, {0: {"budget": "12"}}, added=[{"tier": "press", "budget": "1", "as": "ε"}])
    assert unit_of_a_new_row(tiers) == "ε"
    assert in_use(tiers)["press"].budget.epsilon == 1, "what was typed before is still there"
    assert in_use(tiers)["audit"].tier.amount == "12"


def test_a_budget_that_promises_next_to_nothing_is_in_use_once_it_is_ticked(tiers):
    edit(tiers, {}, added=[{"tier": "press", "budget": "200", "as": "ρ"}])
    (sentence,) = errors(tiers)
    assert sentence == (
        "Budget of press: 200 as ρ promises next to nothing. Say that it is meant, or type another "
        "budget."
    )
    assert "press, 200 as ρ: a privacy loss this large promises little" in words(tiers)
    assert workspace(tiers).plan.tiers == FIRST_PLAN
    assert "The plan in use is the last one without a problem" in words(tiers)
    (tick,) = tiers.checkbox
    tick.check().run()
    assert errors(tiers) == []
    assert in_use(tiers)["press"].tier.amount == "200"
    tiers.run()
    assert (len(tiers.checkbox), errors(tiers)) == (0, [])
    assert "press: a privacy loss this large promises little" in words(tiers)
    edit(tiers, {}, added=[{"tier": "press", "budget": "300", "as": "ρ"}])
    assert "300 as ρ" in errors(tiers)[0], "another budget needs a tick of its own"
    assert in_use(tiers)["press"].tier.amount == "200"
    tiers.switch_page("pages/releases.py").run()
    tiers.button(key="draw_press").click().run()
    assert "Tick “I mean this budget”" in errors(tiers)[0], "a draw asks for itself"


def published(app):
    """All that leaves a workspace: the report, and every file of the pack and of each release."""
    ws, files = workspace(app), []
    with zipfile.ZipFile(io.BytesIO(packing.hand_out(ws))) as archive:
        files += [archive.read(name).decode("utf-8-sig") for name in archive.namelist()]
    files += [packing.file_of(ws, e, e.drawn).decode("utf-8-sig") for e in ws.ledger]
    return [packing.report_of(ws, ws.ledger[0].drawn), *files]


def test_what_is_published_of_a_tier_was_typed_or_is_on_screen(open_page):
    app = open_page("tiers")
    ws = workspace(app)
    ws.use_tiers(as_rows(DEFAULT_TIERS[::-1]))  # as in a project of former days, with their notes
    ws.plan.edition += 1
    app.run()
    assert "Notes, for the report: audit: auditors;" in words(app)
    edit(app, {ROW["audit"]: {"tier": "ministry"}, ROW["public"]: {"tier": "web"}})
    renamed = {t.name: (t.people, t.note) for t in ws.plan.tiers}
    assert renamed["ministry"] == renamed["web"] == ("", "")
    assert renamed["research"] == ("3", "research groups")
    grid = app.dataframe[0].value
    assert list(grid["people"]) == ["", "3", "6", ""], "the grid shows it"
    edit(app, {ROW["audit"]: {"people": "40"}})
    app.toggle(key="plan_notes").set_value(True).run()
    app.session_state[f"tier_editor_{ws.plan.edition}_notes"] = {
        "edited_rows": {ROW["audit"]: {"note": "of health"}},
        "added_rows": [],
        "deleted_rows": [],
    }
    app.run()
    ws.draw("ministry", "web", "research")
    for text in published(app):
        assert not re.search("auditors|anyone|audit|>2<|hospitals.*web", text), text[:100]
    report = published(app)[0]
    assert '<td class="note">of health</td>\n<td>40</td>' in report
    assert "research groups" in report, "it was said under the grid"


def test_what_a_budget_means_is_said_in_its_unit(tiers):
    means = "how much these may give away about one person; larger means sharper, less private"
    near = "Budget ±: how far off these may be; smaller means sharper."
    assert f"Budget ρ (rho): {means}." in words(tiers)
    assert near not in words(tiers)
    edit(tiers, {ROW["public"]: {"budget": "100", "as": "±a 95 %"}})
    assert f"Budget: {means}." in words(tiers)
    assert near in words(tiers)
    tiers.button(key="state_±a 95 %").click().run()
    assert "larger means sharper" not in words(tiers)
    assert near in words(tiers)


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("readable")
def test_readable_sizes(tiers):
    for sizes, part in (
        ("", "No size is typed"),
        ("NaN", "Size of a group"),
        ("high school: 5\nnobody: 3", "Line 2 of the sizes names no group"),
    ):
        fill(tiers, {"Expected sizes": sizes})
        (sentence,) = errors(tiers)
        assert part in sentence
    fill(tiers, {"Expected sizes": "high school: 40\ncollege or more: 400"})
    assert errors(tiers) == []
    half = in_use(tiers)["public"].budget.half_width
    assert round(100 * half / 40) == 11
    shown = plain(everything(tiers))
    assert "(±11 %)" in shown  # of 40: in brackets, since unreadable
    assert "±1.1 %" in shown  # of 400
    fill(tiers, {"Readable means within": 0.5})
    assert "(±11 %)" not in plain(everything(tiers))


PAGES = ("tiers", "releases", "variances", "continual_counting")


@pytest.mark.usefixtures("unfolded")
def test_a_page_reads_the_typed_tiers_once_in_each_setting(open_page, monkeypatch):
    app, asked = open_page("data"), []

    def counted(rows, setting):
        asked.append((repr(rows), setting))
        return read_tiers(rows, setting)

    monkeypatch.setattr("dpviz.workspace.plan.read_tiers", counted)
    for page in PAGES:
        workspace(app).plan = Plan()  # nothing is known
        app.switch_page(f"pages/{page}.py").run()
        assert asked, page
        assert len(asked) == len({setting for _, setting in asked}), page
        asked.clear()
        app.run()
        assert asked == [], page


# From a count to a mean on the pages: every ± is asked again, and headlines speak of my groups.


ROWS = b"ward,cost\n" + b"".join(b"%s,%d\n" % (b"A" if i % 4 else b"B", i % 50) for i in range(800))


TIERS = (
    Tier(name="audit", amount="0.4", kind="ρ"),
    Tier(name="press", amount="50", kind="±a 95 %"),
)


def test_a_half_width_of_people_is_asked_again_for_a_mean(open_page):
    app = upload(open_page("data"), ROWS)
    fill(app, {"For": COLUMN, "Column of the groups": "ward"})
    fill(app, {"Groups to publish, one per line": "A\nB"})
    button(app, "Use this statistic").click().run()
    assert workspace(app).use_tiers(as_rows(TIERS)) == []
    fill(app, {"What": MEAN})
    fill(app, {"Number": "cost"})
    fill(app, {"Lower clip bound": "0", "Upper clip bound": "50"})
    assert "The page Tiers will ask for the ± of press again" in words(app)
    button(app, "Use this statistic").click().run()
    assert "will ask for the ±" not in words(app)
    app.switch_page("pages/tiers.py").run()
    assert errors(app) == ["Budget of press is empty. Type a number above 0, for example 50."]
    (told,) = [plain(each.value) for each in app.info]
    assert told.startswith("A ± of one statistic says nothing of another")
    assert told.endswith("now in rows. Before: press ±50 people (95 %).")
    app.switch_page("pages/releases.py").run()
    assert "Some tiers cannot be used: the page Tiers says why." in words(app)
    keys = {button.key for button in app.button}
    assert keys >= {"draw_audit"}
    assert "draw_press" not in keys
