"""Every page by AppTest: it opens, says something true, and its code sample gives its numbers."""

import itertools
import re

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import half_width
from dpviz.accounting.guarantees import offered
from dpviz.planning.tiers import DEFAULT_TIERS, FIRST_PLAN
from dpviz.ui.kit import parts
from dpviz.ui.kit.page_table import PAGES
from dpviz.words.claims import Said
from tests.app.reading import (
    button,
    errors,
    numbers_in,
    plain,
    run_sample,
    sample_draws_the_same,
    saved,
    specs,
    words,
    workspace,
)
from tests.cast import RHO
from tests.conftest import few

BARE = ("present", "more_questions")  # a screen for a room, and cards: without a drawer
NAMES = [t.name for t in DEFAULT_TIERS]
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


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.file)
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
        assert not app.exception
    return app


def test_releases_in_any_order_and_their_code_sample(open_page):
    app = drawn(open_page, ORDER)
    sample_draws_the_same(app)
    assert [e.tier for e in workspace(app).ledger] == ORDER


def test_a_rerun_and_a_page_switch_draw_nothing_new(open_page):
    app = drawn(open_page, ["public"])
    before = workspace(app).values_of_tiers[0].values.copy()
    app.run()
    app.switch_page("pages/tiers.py").run()
    app.switch_page("pages/releases.py").run()
    assert app.button(key="draw_public").disabled
    np.testing.assert_array_equal(workspace(app).values_of_tiers[0].values, before)
    assert len(workspace(app).ledger) == 1


def test_one_and_then_all_that_remain(open_page):
    app = open_page("releases")
    app.button(key="draw_partners").click().run()
    assert len(workspace(app).ledger) == 1
    app.button(key="draw_rest").click().run()
    assert sorted(e.tier for e in workspace(app).ledger) == sorted(NAMES)
    assert not [b for b in app.button if b.key == "draw_rest"]


def test_the_figure_shows_the_release(open_page):
    app = drawn(open_page, ["partners"])
    held = next(t for t in workspace(app).values_of_tiers if t.name == "partners")
    assert set(held.values.tolist()) <= set(numbers_in(specs(app)[0]))


def test_sealing_says_what_goes_and_changes_the_badge(open_page):
    app = drawn(open_page, ["public"])
    cap = next(s for s in app.selectbox if s.label.startswith("Least private"))
    cap.set_value(next(t for t in workspace(app).caps() if t.name == "partners")).run()
    assert "Impossible from then on: research and audit" in words(app)
    button(app, "Erase and seal").click().run()
    assert workspace(app).round.mechanism.sealed_at is not None
    assert app.button(key="draw_audit").disabled
    assert "draws afresh" in app.code[-1].value


def test_starting_over_keeps_the_loss(open_page):
    app = drawn(open_page, ["research"])
    button(app, "Start over, and add").click().run()
    assert "earlier sessions have cost" in app.header[0].value
    app.button(key="draw_partners").click().run()
    alts = [plain(chart.proto.alt) for chart in app.get("plotly_chart")]
    (meter,) = [alt for alt in alts if alt.startswith("Right guesses")]
    assert f"All releases so far: ρ = {RHO['research'] + RHO['partners']:g}, ≤ " in meter


def test_tiers_code_sample_gives_the_accuracies(open_page):
    app = open_page("tiers")
    ws = workspace(app)
    budgets = run_sample(app)["numbers"]
    for tier in ws.values_of_tiers:
        assert budgets[tier.name].level == tier.level
        assert budgets[tier.name].half_width == half_width(ws.family, tier.level, 0.95)


BAD_BUDGETS = {
    "0": "Budget of public: 0 is not a budget. Type a number above 0, for example 0.1.",
    "-1": "is not a budget",
    "NaN": "is not a budget",
    "inf": "is not a budget",
    "1e-400": "is too small",
    "abc": "is not a number",
    "0,1": "Type 0.1, with a point.",
}


def edited(app, change):
    """Type into the grid, as the browser reports it."""
    unchanged = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    app.session_state[f"tier_editor_{workspace(app).plan.edition}"] = unchanged | change
    app.run()
    assert not app.exception


def test_a_budget_that_cannot_be_used_gets_one_sentence_and_stays_typed(open_page):
    app = open_page("tiers")
    for typed, sentence in BAD_BUDGETS.items():
        edited(app, {"edited_rows": {3: {"budget": typed}}})
        (found,) = errors(app)
        assert sentence in found
        assert workspace(app).plan.typed_rows[3]["budget"] == typed
        assert workspace(app).plan.tiers == FIRST_PLAN


def test_a_plan_that_cannot_be_used_gets_one_sentence(open_page):
    app = open_page("tiers")
    for change, sentence in [
        ({"edited_rows": {2: {"tier": "Public"}}}, "Two tiers are called public"),
        ({"deleted_rows": [0, 1, 2, 3]}, "There is no tier yet"),
        ({"edited_rows": {1: {"tier": None}}}, "Row 2 has no name"),
    ]:
        edited(app, change)
        assert any(sentence in e for e in errors(app)), (sentence, errors(app))


def test_every_noise_family_fills_every_page(open_page):
    app = open_page("tiers")
    for family in few(reversed(offered()), 2):
        app.session_state["tier_editor_0"] = {
            "edited_rows": {i: {"as": "ε"} for i in range(4)},
            "added_rows": [],
            "deleted_rows": [],
        }
        app.radio(key="family_teaching").set_value(family).run()
        assert not app.exception
        assert errors(app) == []
        app.switch_page("pages/releases.py").run()
        assert not app.exception
        app.button(key="draw_rest").click().run()
        assert not app.exception
        assert len(run_sample(app)["numbers"]) == len(workspace(app).round.mechanism.levels)
        app.switch_page("pages/start.py").run()
        assert not app.exception
        app.switch_page("pages/tiers.py").run()
    assert len(workspace(app).rounds) == len(few(offered(), 2))


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
        assert "another seed, has noise of its own: together they tell more" in words(app)


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


def test_hardened_mode_is_badged_has_no_seed_and_offers_whole_number_noise_only(open_page):
    app = open_page("tiers")
    app.segmented_control(key="mode").set_value("hardened").run()
    assert not app.exception
    assert [app.radio(key="family_hardened").value, workspace(app).mode] == [
        "discrete_laplace",
        "hardened",
    ]
    assert not {"Gaussian", "Laplace"} & set(app.radio(key="family_hardened").options)
    app.switch_page("pages/releases.py").run()
    app.button(key="draw_rest").click().run()
    assert not app.exception
    assert "Hardened" in words(app)
    assert "Practice mode" not in words(app)
    assert [t.label for t in app.toggle] == []
    assert "streams.hardened()" in app.code[-1].value
    session = workspace(app).round.mechanism
    assert session.mode == "hardened"
    assert all(t.values.dtype == np.int64 for t in workspace(app).held)
    assert sorted(run_sample(app)["numbers"]) == sorted(session.levels)
    ws = workspace(app)
    facts = dict(ws.facts_of(ws.ledger[0]))
    assert facts["mode"].startswith("hardened")
    assert "largest budget" in facts["guarantee, coalitions"]


def test_a_teaching_session_stays_one(open_page):
    app = open_page("tiers")
    app.radio(key="family_teaching").set_value("skellam").run()
    app.switch_page("pages/releases.py").run()
    app.button(key="draw_public").click().run()
    app.switch_page("pages/tiers.py").run()
    app.segmented_control(key="mode").set_value("hardened").run()
    app.switch_page("pages/releases.py").run()
    assert workspace(app).round is None
    assert "earlier sessions have cost" in app.header[0].value
    assert [r.mode for r in workspace(app).rounds] == ["teaching"]
