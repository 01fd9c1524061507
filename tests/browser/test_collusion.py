"""The Collusion page in a browser: tick, slide, save the card; the numbers are the library's."""

import re
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from dpviz.accounting import (
    coalition_rho,
    gaussian_advantage,
    gaussian_trade_off,
    posterior_of_test,
    rho_to_mu,
)
from dpviz.words import percent
from tests.browser.driving import download, open_page, settled

RHOS = {"public": 0.02, "partners": 0.1, "research": 0.3, "audit": 1.0}


def tick(tab: Page, name: str) -> None:
    tab.get_by_role("button", name=re.compile(name)).first.click()
    settled(tab)


def test_ticking_a_tier_changes_the_sentence(tab, app_url):
    open_page(tab, app_url, "collusion")
    head = tab.get_by_role("heading", level=2)
    expect(head).to_contain_text("exactly what research learns alone")
    tick(tab, "audit")
    together = coalition_rho(RHOS.values(), "independent").value
    expect(head).to_contain_text("exactly what audit learns alone")
    expect(head).to_contain_text(f"would have given them {together:.3g}")
    bars = tab.locator(".st-key-collusion_bars .js-plotly-plot")
    expect(bars.locator(".point").nth(13)).to_be_attached()


def test_members_of_one_tier_are_read_off(tab, app_url):
    open_page(tab, app_url, "collusion")
    slider = tab.get_by_role("slider", name="How many")
    slider.focus()
    for _ in (5, 6, 8, 10, 12, 16):
        tab.keyboard.press("ArrowRight")
    settled(tab)
    value = coalition_rho([0.1] * 16, "global", global_rho=1).value
    expect(tab.get_by_text("16 members of partners")).to_contain_text(f"own noise {value:.4g}")


def test_typed_persons_and_a_belief(tab, app_url):
    open_page(tab, app_url, "collusion")
    tab.get_by_text("a typed number", exact=True).click()
    settled(tab)
    field = tab.get_by_role("spinbutton", name=re.compile("partners"))
    field.fill("3")
    field.press("Enter")
    settled(tab)
    held = [0.02] + [0.1] * 3 + [0.3] * 4
    together = coalition_rho(held, "independent").value
    expect(tab.get_by_role("heading", level=2)).to_contain_text(f"given them {together:.3g}")
    right = round(500 * (1 + gaussian_advantage(rho_to_mu(together)).value))
    expect(tab.get_by_text(f"Independent: {right} of 1,000 right")).to_be_visible()
    missed = float(gaussian_trade_off(rho_to_mu(0.3), 0.05))
    after, _ = posterior_of_test(0.5, 0.05, missed)
    expect(tab.get_by_text("What it makes of a belief")).to_be_visible()
    expect(tab.get_by_text(percent(after), exact=True)).to_be_visible()


def test_the_card_is_saved(tab, app_url):
    open_page(tab, app_url, "collusion")
    saved = download(tab, "collusion_card").read_text(encoding="utf-8")
    text = " ".join(ElementTree.fromstring(saved).itertext())
    assert "public, partners and research" in text
    assert "651 of 1,000" in text


def test_no_state_scrolls_sideways_on_a_phone(context, app_url):
    tab = context.new_page()
    tab.set_viewport_size({"width": 390, "height": 800})
    open_page(tab, app_url, "collusion")
    own = tab.get_by_role("radio", name="my tiers", exact=True)
    own.or_(tab.get_by_role("button", name="my tiers", exact=True)).first.click()
    settled(tab)
    expect(tab.get_by_role("heading", level=2)).to_contain_text("confidential")
    assert tab.evaluate("document.scrollingElement.scrollWidth") <= 390
    tab.close()
