"""A plan of several statistics, from the page Data to the page Tiers."""

import io
import zipfile

import pytest
import streamlit as st

from dpviz.handout import verify_folder
from dpviz.ui.kit import hand_out
from dpviz.workspace import Workspace, packing, plan_file
from dpviz.workspace.limits import OWNER, read_limit
from tests.app.reading import button, choose, errors, press, words, workspace
from tests.app.test_plan import ROW, edit

ALL = "Both statistics together"


@pytest.fixture
def data(open_page):
    """The page Data with a second statistic on the plan."""
    app = open_page("data")
    choose(app, "For", "everybody together")
    press(app, "add_statistic")
    return app


def test_each_statistic_has_budgets_of_its_own_and_tiers_says_what_all_tell(data):
    app = data.switch_page("pages/tiers.py").run()
    assert ALL in words(app)
    edit(app, {ROW["audit"]: {"budget": "1.6"}})
    said = words(app)
    assert "guesses right at most" in said
    assert "The number of people costs most: 80 % of audit’s loss." in said  # 1.6 of 1.6 and 0.4
    choose(app, "Statistic", 0)
    assert workspace(app).plan.tiers[0].amount == "0.4"
    assert "80 % of audit’s loss" in words(app)


def test_one_press_draws_every_statistic_of_a_tier(data):
    app = data.switch_page("pages/releases.py").run()
    app.toggle(key="draw_together").set_value(True).run()
    assert "of all together: none so far → ρ = 0.8." in words(app)
    press(app, "draw_all_research")
    ws = workspace(app)
    assert [(e.session, e.tier) for e in ws.ledger] == [(1, "research"), (2, "research")]
    assert len({s.asking.key for s in ws.sessions}) == 2
    press(app, "draw_all_rest")
    assert sorted(e.tier for e in ws.ledger) == sorted(2 * [t.name for t in ws.plan.tiers])
    assert all(ws.waiting(s) == [] for s in ws.statistics)
    assert not [b for b in app.button if b.key.startswith("draw_all_")], "nothing is left to draw"


def test_a_plan_beyond_the_limit_says_so_before_the_first_draw(data):
    workspace(data).use_limit(read_limit("ρ", "0.7"))
    for page in ("tiers", "releases"):
        said = words(data.switch_page(f"pages/{page}.py").run())
        assert (
            "The whole plan is beyond the limit: audit, by 2 statistics, asks for ρ = 0.8" in said
        )
        assert "ask for less of the number of people" in said
    edit(data.switch_page("pages/tiers.py").run(), {ROW["audit"]: {"budget": "0.2"}})
    assert "beyond the limit: research, by 2 statistics, asks for ρ = 0.7," not in words(data)


def test_what_the_owners_plan_does_not_register_is_refused_before_it_is_drawn(
    open_page, tmp_path, monkeypatch
):
    file = tmp_path / "plan.json"
    file.write_bytes(plan_file.saved(Workspace.fresh()))
    monkeypatch.setenv(OWNER, str(file))
    app = open_page("tiers")
    assert "beyond the limit" not in words(app)
    edit(app, {ROW["audit"]: {"budget": "0.40004"}})
    refused = "audit is not drawn, as the limit does not list the number of people per group of"
    for page in ("tiers", "releases"):
        said = words(app.switch_page(f"pages/{page}.py").run())
        assert f"The whole plan is beyond the limit: {refused}" in said
        assert "at ρ = 0.40004; left on it: the number of people" in said
        assert "or ask the person who runs this dashboard for another plan." in said
    assert "Limit for everything together: the" in said
    press(app, "draw_audit")
    assert refused.removeprefix("a") in errors(app)[0]
    assert workspace(app).ledger == []
    for name in ("research", "public"):
        press(app, f"draw_{name}")
    assert [e.tier for e in workspace(app).ledger] == ["research", "public"]
    assert "Released here: 2." in words(app)


def test_a_statistic_is_called_as_it_is_typed(data):
    field = next(f for f in data.text_input if f.label == "Its name")
    field.set_value("everybody").run()
    assert workspace(data).statistic.name == "everybody"
    assert any("2. everybody (" in option for box in data.selectbox for option in box.options)
    choose(data, "Statistic", 0)
    next(f for f in data.text_input if f.label == "Its name").set_value("everybody").run()
    assert "Another statistic is called everybody. Type another name." in words(data)
    assert workspace(data).statistic.own_name == ""


def test_a_plan_of_one_statistic_says_nothing_of_others(open_page):
    app = open_page("tiers")
    assert "statistics together" not in words(app)
    assert not {"share_out", "share_all"} & {b.key for b in app.button}


def test_what_was_released_stays_on_the_plan(data):
    app = data.switch_page("pages/releases.py").run()
    press(app, "draw_public")
    app.switch_page("pages/data.py").run()
    assert button(app, "Take off the plan").disabled
    choose(app, "Statistic", 0)
    assert not button(app, "Take off the plan").disabled


def test_one_press_hands_a_tier_all_that_it_has(data, monkeypatch):
    made = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, *, data, **look: made.update({label: (data, look)})
    )
    app = data.switch_page("pages/releases.py").run()
    press(app, "draw_rest")
    choose(app, "Statistic", 0)
    press(app, "draw_public")
    files = {label.split("\u00a0")[-1]: found for label, found in made.items()}
    content, look = files["public, 2 statistics (zip)"][0](), files["public, 2 statistics (zip)"][1]
    assert (look["file_name"], look["key"]) == ("practice-public.zip", "download_all_public")
    assert "A zip holds all that a tier has, and what it tells together." in words(app)
    assert verify_folder(content).passed
    assert packing.check(workspace(app), content) == ()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {name.split("/")[0] for name in archive.namelist()} == {"practice-public"}
        assert "practice-public/README.txt" in archive.namelist()
    made.clear()
    press(app, "draw_audit")
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
    press(app, "add_statistic")
    choose(app, "For", "everybody together")
    relation(app).set_value("add/remove").run()
    press(app, "add_statistic")
    assert len(workspace(app).statistics) == 3
    app.switch_page("pages/tiers.py").run()
    assert ALL in words(app)
    assert "Not added, as another unit is protected: number of people per" in words(app)
    (table,) = [d.value for d in app.dataframe if "weight" in d.value]
    assert len(table) == 3, "the two of this unit, and their total"
