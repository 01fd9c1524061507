"""Plan files on the pages: save, change, open, take back; another table; files that are no plan."""

from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.planning.tiers import FIRST_PLAN
from dpviz.workspace.plan_file import examples, plan_of, saved, written
from tests.app.reading import choose, errors, field, fill, in_use, words, workspace
from tests.app.test_plan import edit
from tests.serving import PATIENCE, ROOT

EXAMPLE = examples()["nhefs.csv"]


def open_plan(app, content):
    (uploader,) = [u for u in app.file_uploader if u.label == "Open a plan"]
    uploader.upload("plan.json", content, "application/json").run()


@pytest.mark.opens("noise", "readable")
def test_a_plan_that_was_saved_comes_back_with_its_fields(open_page):
    app = open_page("tiers")
    fill(app, {"δ of the plan": "1e-7", "Expected sizes": "high school: 400"})
    edit(app, {0: {"budget": "0.35"}})
    kept, content = plan_of(workspace(app)), saved(workspace(app))
    assert (kept.delta, kept.sizes) == ("1e-7", "high school: 400")
    edit(app, {0: {"budget": "0.9"}, 1: {"tier": "court"}})
    fill(app, {"δ of the plan": "1e-5", "Expected sizes": "50"})
    app.segmented_control(key="mode").set_value("hardened").run()
    app.switch_page("pages/data.py").run()
    choose(app, "What", "Sum of a number")  # a draft, which the plan replaces
    app.switch_page("pages/tiers.py").run()
    app.button(key="plan_example").click().run()
    changed = plan_of(workspace(app))
    assert (changed.query, changed.tiers, changed.mode) == (EXAMPLE.query, FIRST_PLAN, "teaching")
    open_plan(app, content)
    assert plan_of(workspace(app)) == kept
    assert errors(app) == []
    assert field(app, "δ of the plan").value == "1e-7"
    assert "Nothing was drawn" in words(app)
    for page in ("data", "tiers"):  # the fields hold what was opened, not what was typed before
        app.switch_page(f"pages/{page}.py").run()
        assert plan_of(workspace(app)) == kept
        assert page != "data" or in_use(app)
    for turn, there in (("undo", changed), ("redo", kept)):
        app.button(key=f"plan_turn_{turn}").click().run()
        assert plan_of(workspace(app)) == there
    assert workspace(app).ledger == workspace(app).sessions == []


def test_a_file_that_is_no_plan_says_one_sentence_and_changes_nothing(open_page):
    app = open_page("tiers")
    before = plan_of(workspace(app)), workspace(app).plan.edition
    for content, part in [
        (b"no plan", "cannot be read as JSON"),
        (written(EXAMPLE).replace(b'"amount"', b'"amout"', 1), "“amount” of entry 1 of “tiers”"),
        (written(EXAMPLE).replace(b'"0.4"', b'"lots"'), "Budget of audit"),
    ]:
        open_plan(app, content)
        (sentence,) = errors(app)
        assert part in sentence
        assert (plan_of(workspace(app)), workspace(app).plan.edition) == before
    open_plan(app, written(EXAMPLE))
    assert errors(app) == []
    assert plan_of(workspace(app)) == replace(EXAMPLE, seed=7)


def test_a_plan_of_another_table_offers_its_tiers(open_page):
    app = open_page("tiers")
    before, other = plan_of(workspace(app)), examples()["declaration.csv"]
    for key in ("plan_keep", "plan_tiers"):
        open_plan(app, written(other) + b" " * len(key))  # another file
        assert plan_of(workspace(app)) == before
        assert "made for declaration.csv" in words(app)
        assert "“nhefs.csv” has no column of this name" in words(app)
        app.button(key=key).click().run()
    assert workspace(app).plan.tiers == other.tiers
    assert plan_of(workspace(app)).query == before.query
    app.button(key="plan_turn_undo").click().run()
    assert plan_of(workspace(app)) == before


@pytest.mark.opens("noise", "specialists")
def test_an_address_opens_the_plan_on_any_page_and_can_be_taken_back(open_page):
    app = open_page("tiers")
    edit(app, {0: {"budget": "0.35"}})
    fill(app, {"δ of the plan": "1e-7"})
    asked = dict(parse_qsl(urlsplit(app.code[0].value).query))
    assert "/tiers?tiers=audit,%CF%81,0.35" in app.code[0].value
    for page in ("releases", "tiers"):
        other = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
        for name, value in (asked | {"step": "3"}).items():
            other.query_params[name] = value
        other.switch_page(f"pages/{page}.py").run()
        assert errors(other) == []
        ws = workspace(other)
        assert [t.amount for t in ws.plan.tiers] == ["0.35", "0.3", "0.2", "0.1"]
        assert (ws.delta, ws.ledger, ws.sessions) == (1e-7, [], [])
    assert field(other, "δ of the plan").value == "1e-7"
    edit(other, {0: {"budget": "0.9"}})
    assert workspace(other).plan.tiers[0].amount == "0.9", "the address is read once"
    for _ in range(2):
        other.button(key="plan_turn_undo").click().run()
    assert workspace(other).plan.tiers == FIRST_PLAN


def test_an_address_that_is_no_plan_says_one_sentence_and_changes_nothing(open_page):
    app = open_page("tiers")
    before = plan_of(workspace(app))
    for tiers, more, part in [
        ("", {}, "tier 1 is not a name"),
        ("![](http://host.invalid/x),ρ,-1", {}, "is not a budget"),
        ("a,ρ,1;" * 2000, {}, "longer than 4,000 letters"),
        ("a,ρ,1", {"noise": "none"}, "noise must be one of"),
    ]:
        for name, value in {"noise": "gaussian", **more, "tiers": tiers}.items():
            app.query_params[name] = value
        app.run()
        (sentence,) = errors(app)
        assert "The plan in this address cannot be used" in sentence
        assert part in sentence.replace("\\", ""), tiers
        assert plan_of(workspace(app)) == before
        for name in ("noise", "mode", "delta"):
            app.query_params.pop(name, None)
