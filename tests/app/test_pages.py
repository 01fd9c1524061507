"""Every page by AppTest: it opens, takes every noise, and its code sample gives its numbers."""

import itertools
import re

import pytest

from dpviz import streams
from dpviz.accounting.guarantees import offered
from dpviz.ui.kit import parts
from dpviz.ui.kit.page_table import PAGES
from dpviz.ui.kit.parts import SETTINGS
from dpviz.words.claims import Said
from dpviz.workspace import packing
from tests.app.test_plan import edit
from tests.conftest import FULL, few
from tests.handouts import KEY
from tests.tulip import registered

BARE = (
    "classroom",
    "quiz",
    "present",
    "more_questions",
)  # screens for a room, and cards: no drawer


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
def test_a_fresh_visitor_finds_every_page_filled_and_a_headline_says_why(
    open_page, headlines, page
):
    app = open_page(page.file)
    assert app.title[0].value == page.heading
    assert len(app.header[0].value) > 40
    shown = app.words()
    bare = page.is_lesson or page.file in BARE
    for field in ("Definition", "Unit", "Neighbours", "Sensitivity", "Data"):
        assert (f"**{field}**" in shown) != bare
    assert bare != ("For specialists" in [e.label for e in app.expander])
    assert not (page.is_lesson and (app.expander or app.code))
    where = f"{page.group} · " * bool(page.group) + page.entry
    assert [app.caption[0].value.replace("**", ""), app.saved()] == [where, "Not saved"]
    assert not app.code or "Run this in the folder of dpviz" in shown
    assert page.file != "data" or "reloading the page begins a fresh workspace" in shown
    for chart in app.get("plotly_chart"):
        assert len(chart.proto.alt) > 20
        assert chart.proto.alt.rstrip()[-1] in ".?", "a sentence, not cut at a number of letters"
    assert len(headlines) == (not bare)
    for head in headlines:  # the claims themselves are computed again in tests of each scene
        assert app.header[0].value == head.text
        assert not head.why or any(m.value == head.why for m in app.markdown)


@pytest.mark.opens("noise", "specialists")
def test_every_noise_family_fills_every_page(open_page):
    app = open_page("tiers")
    for family in few(reversed(offered()), 8):
        edit(app, {i: {"as": "ε"} for i in range(4)})
        app.radio(key="family_teaching").set_value(family).run()
        assert app.errors() == []
        app.go("releases")
        app.press("draw_rest")
        assert len(app.run_sample()["numbers"]) == len(app.workspace().round.mechanism.levels)
        app.go("start")
        app.go("tiers")
    assert len(app.workspace().rounds) == len(few(offered(), 8))


def test_a_tab_begins_with_a_seed_of_its_own_and_says_that_another_one_tells_more(
    open_page, monkeypatch
):
    monkeypatch.setattr(streams, "any_seed", itertools.count(41).__next__)
    first, second = open_page("releases"), open_page("releases")
    seeds = [app.workspace().seed for app in (first, second)]
    assert len({*seeds, *(app.workspace().tab for app in (first, second))}) == 4
    for app, seed in zip((first, second), seeds, strict=True):
        assert app.text_input(key="seed").value == str(seed)
        assert "another seed, draws independent noise: together they tell more" in app.words()


def test_the_seed_of_an_address_is_used_once_and_a_typed_one_replaces_it(open_page):
    app = open_page("releases")
    app.query_params["seed"] = "42"
    app.run()
    assert (app.workspace().seed, app.text_input(key="seed").value) == (42, "42")
    app.type("seed", "43")
    assert app.workspace().seed == 43, "the address is read once"
    app.query_params["seed"] = "many"
    app.run()
    assert len(app.errors()) == 1
    assert app.workspace().seed == 43
    app.run()
    assert app.errors() == []


def test_the_seed_is_in_no_release(open_page):
    app = open_page("releases")
    app.type("seed", "987654321")
    app.press("draw_public")
    entry = app.workspace().ledger[0]
    assert "987654321" not in repr(entry)
    assert "987654321" not in repr(app.workspace().round.mechanism)
    assert "987654321" not in packing.report_of(app.workspace(), entry.drawn)
    app.type("seed", "abc")
    assert "whole number" in app.errors()[0]


# What specialists want is not made until its fold is opened.


FOLDED = [page for page in PAGES if not page.is_lesson and page.file not in BARE]
QUICK = [page for page in FOLDED if page.file in ("collusion", "releases", "continual_counting")]


@pytest.mark.usefixtures("pictured", "shut")
@pytest.mark.parametrize("page", FOLDED if FULL else QUICK, ids=lambda page: page.file)
def test_a_closed_fold_is_empty_and_an_open_one_is_not(open_page, page):
    app = open_page(page.file)
    folds = [fold for fold in app.expander if fold.proto.id]  # those that know they are closed
    inside = [part for fold in folds for part in fold.tabs or [fold]]
    assert not any(part.children for part in inside if part.label not in SETTINGS)
    shown = len(app.specs())
    for key in {f"closer_{fold.proto.id.split('-closer_')[-1]}" for fold in folds}:
        app.session_state[key] = True
    app.run()
    assert all(fold.children for fold in app.expander if fold.proto.id)
    assert len(app.specs()) >= shown


# Every page takes a family that somebody adds: a copy of Gaussian noise, chosen in the app.


HELD = ("public", "audit")
OWN_NOISE = ("bridge_family", "linear_noise")  # boxes of single pages
OWN_DATA = {
    "bridge_source": "my statistic",
    "linear_source": "my statistic",
    "collusion_whose": "own",
}


@pytest.fixture
def with_noise(open_page):
    """Open a page with two releases of a noise held; the noise is chosen wherever it can be."""

    def opened(file, noise, *, own=False):
        app = open_page("tiers")
        app.radio(key="family_teaching").set_value(noise).run()
        assert app.workspace().family_name == noise
        app.workspace().key = KEY  # its fingerprint is on a page
        app.workspace().draw(*HELD)
        app.go(file)
        for box in [s for s in app.selectbox if s.key in OWN_NOISE]:
            box.set_value(noise).run()
        for source in [s for s in app.segmented_control if own and s.key in OWN_DATA]:
            source.set_value(OWN_DATA[source.key]).run()
        return app

    return opened


def said(app):
    """The words of the page but for figures: made-up draws and times are others in every run."""
    return re.sub(r"[−\d.,]*\d( [mµ]?s\b)?", "#", app.words().replace("Tulip", "Gaussian"))


FILES = [page.file for page in PAGES if page.file != "laplace_or_gauss"]  # it names both


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("noise", "specialists")
@pytest.mark.parametrize(
    ("page", "own"),
    [*((file, False) for file in (FILES if FULL else FILES[14:15]))]
    + [(page, True) for page in ("bridge_paths", "linear_queries", "collusion") if FULL],
)
def test_every_page_takes_the_copy_and_says_of_it_what_it_says_of_gaussian_noise(
    with_noise, page, own
):
    with registered():
        mine = with_noise(page, "tulip", own=own)
        if mine.code:
            mine.run_sample()
        assert said(mine) == said(with_noise(page, "gaussian", own=own))
        assert not mine.error
