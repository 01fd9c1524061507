"""The Collusion page in a browser: tick, save the card; the numbers are the library's."""

import re
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from dpviz.accounting import coalition_rho
from dpviz.words import budget
from tests.browser.driving import download, open_page, settled

RHOS = {"public": 0.02, "partners": 0.1, "research": 0.3, "audit": 1.0}


def tick(tab: Page, name: str) -> None:
    tab.get_by_role("button", name=re.compile(name)).first.click()
    settled(tab)


def test_the_card_is_saved_and_ticking_a_tier_changes_the_sentence(tab, app_url):
    open_page(tab, app_url, "collusion")
    saved = download(tab, "collusion_card").read_text(encoding="utf-8")
    text = " ".join(ElementTree.fromstring(saved).itertext())
    assert "public, partners and research" in text
    assert "651 of 1,000" in text
    head = tab.get_by_role("heading", level=2)
    expect(head).to_contain_text("exactly what research learns alone")
    tick(tab, "audit")
    together = coalition_rho(RHOS.values(), "independent").value
    expect(head).to_contain_text("exactly what audit learns alone")
    expect(head).to_contain_text(f"would have given them {budget('ρ', together)}")
    bars = tab.locator(".st-key-collusion_bars .js-plotly-plot")
    expect(bars.locator(".point").nth(13)).to_be_attached()


def test_no_state_scrolls_sideways_on_a_phone(context, app_url):
    tab = context.new_page()
    tab.set_viewport_size({"width": 390, "height": 800})
    open_page(tab, app_url, "collusion")
    own = tab.get_by_role("radio", name="my tiers", exact=True)
    own.or_(tab.get_by_role("button", name="my tiers", exact=True)).first.click()
    settled(tab)
    expect(tab.get_by_role("heading", level=2)).to_contain_text("research")
    assert tab.evaluate("document.scrollingElement.scrollWidth") <= 390
    tab.close()
