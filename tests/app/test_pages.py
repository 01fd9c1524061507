"""Every page by AppTest: it opens, says something true, and its code sample gives its numbers."""

import itertools
import re

import pytest

from dpviz import streams
from dpviz.accounting.guarantees import offered
from dpviz.planning.tiers import FIRST_PLAN
from dpviz.ui.kit import parts
from dpviz.ui.kit.page_table import PAGES
from dpviz.words.claims import Said
from tests.app.reading import (
    errors,
    run_sample,
    sample_draws_the_same,
    saved,
    words,
    workspace,
)
from tests.app.test_plan import edit
from tests.conftest import few

BARE = (
    "classroom",
    "quiz",
    "present",
    "more_questions",
)  # screens for a room, and cards: no drawer
ORDER = ["research", "public", "audit", "partners"]


@pytest.fixture
def headlines(monkeypatch):
    """The headlines that drawers are handed with their reasons."""
    heads, fill = [], parts.Drawer.fill

    def spy(drawer, file, headline, **rest):
        heads.append(headline if isinstance(headline, Said) else Said(headline))
        fill(drawer, file, headline, **rest)

    monkeypatch.setattr(parts.Drawer, "fill", spy)
    return heads


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
@pytest.mark.parametrize("page", few(PAGES, 3), ids=lambda p: p.file)
def test_a_fresh_visitor_finds_every_page_filled_and_a_headline_with_numbers_says_why(
    open_page, headlines, page
):
    app = open_page(page.file)
    assert app.title[0].value == page.heading
    assert len(app.header[0].value) > 40
    shown = words(app)
    bare = page.is_lesson or page.file in BARE
    for field in ("Definition", "Unit", "Neighbours", "Sensitivity", "Data"):
        assert (f"**{field}**" in shown) != bare
    assert bare != ("For specialists" in [e.label for e in app.expander])
    assert not (page.is_lesson and (app.expander or app.code))
    where = f"{page.group} · **{page.title}**" if page.group else f"**{page.title}**"
    assert [app.caption[0].value, saved(app)] == [where, "Not saved"]
    assert not app.code or "Run this in the folder of dpviz" in shown
    assert page.file != "data" or "reloading the page begins a fresh workspace" in shown
    for chart in app.get("plotly_chart"):
        assert len(chart.proto.alt) > 20
        assert chart.proto.alt.rstrip()[-1] in ".?", "a sentence, not cut at a number of letters"
    assert len(headlines) == (not bare)
    for head in headlines:  # the claims themselves are computed again in tests of each scene
        assert app.header[0].value == head.text
        assert not head.why or any(m.value == head.why for m in app.markdown)
        assert bool(head.claims) == bool(re.search(r"\d", head.text)), head.text


def drawn(open_page, order):
    app = open_page("releases")
    for name in order:
        app.button(key=f"draw_{name}").click().run()
    return app


@pytest.mark.opens("specialists")
def test_releases_in_any_order_and_their_code_sample(open_page):
    app = drawn(open_page, ORDER)
    sample_draws_the_same(app)
    assert [e.tier for e in workspace(app).ledger] == ORDER


BAD_BUDGETS = {
    "0": "Budget of public: 0 is not a budget. Type a number above 0, for example 0.1.",
    "-1": "is not a budget",
    "NaN": "is not a budget",
    "inf": "is not a budget",
    "1e-400": "is too small",
    "abc": "is not a number",
    "0,1": "Type 0.1, with a point.",
}


def test_a_budget_that_cannot_be_used_gets_one_sentence_and_stays_typed(open_page):
    app = open_page("tiers")
    for typed, sentence in few(BAD_BUDGETS.items(), 3):
        edit(app, {3: {"budget": typed}})
        (found,) = errors(app)
        assert sentence in found
        assert workspace(app).plan.typed_rows[3]["budget"] == typed
        assert workspace(app).plan.tiers == FIRST_PLAN


@pytest.mark.opens("noise", "specialists")
def test_every_noise_family_fills_every_page(open_page):
    app = open_page("tiers")
    for family in few(reversed(offered()), 8):
        edit(app, {i: {"as": "ε"} for i in range(4)})
        app.radio(key="family_teaching").set_value(family).run()
        assert errors(app) == []
        app.switch_page("pages/releases.py").run()
        app.button(key="draw_rest").click().run()
        assert len(run_sample(app)["numbers"]) == len(workspace(app).round.mechanism.levels)
        app.switch_page("pages/start.py").run()
        app.switch_page("pages/tiers.py").run()
    assert len(workspace(app).rounds) == len(few(offered(), 8))


@pytest.mark.opens("noise")
def test_a_delta_that_cannot_be_used_keeps_the_old_one(open_page):
    app = open_page("tiers")
    app.text_input(key="delta").set_value("2").run()
    assert "δ: 2 is too large. Type a number between" in errors(app)[0]
    assert workspace(app).delta == 1e-6


def test_a_tab_begins_with_a_seed_of_its_own_and_says_that_another_one_tells_more(
    open_page, monkeypatch
):
    monkeypatch.setattr(streams, "any_seed", itertools.count(41).__next__)
    first, second = open_page("releases"), open_page("releases")
    seeds = [workspace(app).seed for app in (first, second)]
    assert len({*seeds, *(workspace(app).tab for app in (first, second))}) == 4
    for app, seed in zip((first, second), seeds, strict=True):
        assert app.text_input(key="seed").value == str(seed)
        assert "another seed, draws independent noise: together they tell more" in words(app)


def test_the_seed_of_an_address_is_used_once_and_a_typed_one_replaces_it(open_page):
    app = open_page("releases")
    app.query_params["seed"] = "42"
    app.run()
    assert (workspace(app).seed, app.text_input(key="seed").value) == (42, "42")
    app.text_input(key="seed").set_value("43").run()
    assert workspace(app).seed == 43, "the address is read once"
    app.query_params["seed"] = "many"
    app.run()
    assert errors(app) == [
        "The seed in this address cannot be used. The seed must be a whole number of at least 0, "
        "of at most 15 digits. Type one, for example 7."
    ]
    assert workspace(app).seed == 43
    app.run()
    assert errors(app) == []


def test_the_seed_is_in_no_release(open_page):
    app = open_page("releases")
    app.text_input(key="seed").set_value("987654321").run()
    app.button(key="draw_public").click().run()
    entry = workspace(app).ledger[0]
    assert "987654321" not in repr(entry)
    assert "987654321" not in repr(workspace(app).round.mechanism)
    app.text_input(key="seed").set_value("abc").run()
    assert "whole number" in errors(app)[0]
