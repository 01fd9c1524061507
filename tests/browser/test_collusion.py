"""The Collusion page in a browser: tick, save the card; the numbers are the library's."""

import re
from itertools import chain
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from dpviz.accounting import coalition_rho
from dpviz.words import budget
from tests.browser.driving import download, open_page, settled
from tests.conftest import full_run

HELD = {"public": [0.1], "partners": [0.2] * 6, "research": [0.3] * 3, "audit": [0.4] * 2}


def unfold(tab: Page, label: str) -> None:
    tab.get_by_text(label, exact=True).click()
    settled(tab)


def tick(tab: Page, name: str) -> None:
    tab.get_by_role("button", name=re.compile(name)).first.click()
    settled(tab)


def test_the_card_is_saved_and_ticking_a_tier_changes_the_sentence(tab, app_url):
    open_page(tab, app_url, "collusion")
    head = tab.get_by_role("heading", level=2)
    expect(head).to_contain_text("no more than audit, the sharpest, alone")
    tick(tab, "audit")
    expect(head).to_contain_text("no more than research, the sharpest, alone")
    unfold(tab, "A risk card for a slide or a report")
    saved = download(tab, "collusion_card").read_text(encoding="utf-8")
    text = " ".join(ElementTree.fromstring(saved).itertext())
    assert "3 of research" in text
    assert "651 of 1,000" in text
    tick(tab, "audit")
    unfold(tab, "Five ways to make the numbers: what do they learn in each?")
    together = coalition_rho(chain(*HELD.values()), "independent").value
    joint = tab.get_by_text("exactly what audit learns alone")
    expect(joint).to_contain_text(f"would have given them {budget('ρ', together)}")
    bars = tab.locator(".st-key-collusion_bars .js-plotly-plot")
    expect(bars.locator(".point").nth(13)).to_be_attached()


def test_the_card_is_read_on_a_phone_in_the_font_of_the_page(context, app_url):
    tab = context.new_page()
    tab.set_viewport_size({"width": 390, "height": 800})
    open_page(tab, app_url, "collusion")
    unfold(tab, "A risk card for a slide or a report")
    row = tab.get_by_text("A coin guesses right").first
    look = row.evaluate("e => [getComputedStyle(e).fontFamily, getComputedStyle(e).fontSize]")
    assert "Source Sans" in look[0]
    assert float(look[1].removesuffix("px")) >= 14
    assert tab.evaluate("document.scrollingElement.scrollWidth") <= 390
    tab.close()


@full_run
def test_no_state_scrolls_sideways_on_a_phone(context, app_url):
    tab = context.new_page()
    tab.set_viewport_size({"width": 390, "height": 800})
    open_page(tab, app_url, "collusion")
    unfold(tab, "Other tiers, or other numbers of readers")
    own = tab.get_by_role("radio", name="my tiers", exact=True)
    own.or_(tab.get_by_role("button", name="my tiers", exact=True)).first.click()
    settled(tab)
    expect(tab.get_by_role("heading", level=2)).to_contain_text("audit")
    assert tab.evaluate("document.scrollingElement.scrollWidth") <= 390
    tab.close()
