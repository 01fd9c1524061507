"""Axe, which checks accessibility, finds nothing serious on any page, in either theme."""

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from dpviz.ui.kit.page_table import PAGES
from tests.browser.driving import button, open_page, settled
from tests.conftest import FULL, few

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
SERIOUS = """async () => (await axe.run()).violations
    .filter(found => ['serious', 'critical'].includes(found.impact))
    .map(found => [found.id, found.nodes.map(node => [node.target, node.failureSummary])])"""
SHOWN = """() => document.getAnimations().every(one =>  // a help that fades in is pale for a moment
    one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity)"""
QUICK = {"start": "dark", "releases": "light"}  # a lesson, and a page

MORE = {  # what is on screen only after a press
    "/?step=2": [lambda tab: tab.locator(".st-key-lesson_guess_I button").click()],
    "/the_trick?step=5": [lambda tab: button(tab, "Link to this screen").click()],
    "/quiz": [lambda tab: tab.locator("[data-testid=stRadio] label").nth(2).click()],
}
HIGHEST = 1800  # two windows


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file)
def test_axe_finds_nothing_serious_and_a_page_is_no_taller_than_two_windows(
    tab, app_url, page, scheme
):
    if not FULL and QUICK.get(page.file) != scheme:
        pytest.skip("in the full run: every page in both themes")
    tab.emulate_media(color_scheme=scheme)
    open_page(tab, app_url, page.file)
    high = tab.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    assert page.is_lesson or high <= HIGHEST, high
    tab.evaluate(AXE)
    assert tab.evaluate(SERIOUS) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", few(MORE, 1))
def test_axe_finds_nothing_serious_where_one_plays_shares_or_answers(tab, app_url, address, scheme):
    if not FULL and scheme == "light":
        pytest.skip("in the full run: both themes")
    tab.emulate_media(color_scheme=scheme)
    tab.goto(f"{app_url}{address}")
    tab.get_by_role("heading", level=1).wait_for()
    settled(tab)
    for press in MORE[address]:
        press(tab)
        settled(tab)
    tab.mouse.move(0, 0)  # away from the button, whose help is pale while it fades in
    expect(tab.locator(".stTooltipContent")).to_have_count(0)
    tab.wait_for_function(SHOWN)
    tab.evaluate(AXE)
    assert tab.evaluate(SERIOUS) == []
