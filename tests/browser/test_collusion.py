"""The Collusion page in a browser: count, pick, tick; the numbers are the library's."""

import re

from playwright.sync_api import Page, expect

from dpviz.words import budget
from tests.browser.driving import open_page, settled
from tests.conftest import full_run


def unfold(tab: Page, label: str) -> None:
    tab.get_by_text(label, exact=True).click()
    settled(tab)


def tick(tab: Page, name: str) -> None:
    tab.get_by_role("button", name=re.compile(name)).first.click()
    settled(tab)


def test_a_group_is_picked_and_the_page_goes_on_speaking_of_all(tab, app_url):
    open_page(tab, app_url, "collusion")
    head = tab.get_by_role("heading", level=2)
    expect(head).to_contain_text("All four tiers together guess right 673 times in 1,000")
    tab.get_by_role("radio", name="every reader").or_(
        tab.get_by_role("button", name="every reader")
    ).first.click()
    settled(tab)
    expect(head).to_contain_text("All 12 readers together")
    unfold(tab, "Pick the group yourself (many readers, loss distributions)")
    joint = tab.get_by_text("exactly what audit learns alone")
    expect(joint).to_contain_text("with separate noise, 760.")
    expect(joint).to_contain_text(f"Separate noise would give them {budget('ρ', 1.0)}")
    bars = tab.locator(".st-key-collusion_bars .js-plotly-plot")
    expect(bars.locator(".point").nth(10)).to_be_attached()
    tick(tab, "audit")
    expect(tab.get_by_text("exactly what research learns alone")).to_be_visible()
    expect(head).to_contain_text("All 12 readers together")


def test_the_arrays_fit_on_a_phone(context, app_url):
    tab = context.new_page()
    tab.set_viewport_size({"width": 390, "height": 800})
    open_page(tab, app_url, "collusion")
    for key in ("main", "main_2"):
        plot = tab.locator(f".st-key-collusion_{key} .js-plotly-plot").first
        expect(plot.locator(".point").nth(999)).to_be_attached()
        assert plot.bounding_box()["width"] <= 390
    assert tab.evaluate("document.scrollingElement.scrollWidth") <= 390
    tab.close()


@full_run
def test_no_state_scrolls_sideways_on_a_phone(context, app_url):
    tab = context.new_page()
    tab.set_viewport_size({"width": 390, "height": 800})
    open_page(tab, app_url, "collusion")
    unfold(tab, "For specialists")
    own = tab.get_by_role("radio", name="my tiers", exact=True)
    own.or_(tab.get_by_role("button", name="my tiers", exact=True)).first.click()
    settled(tab)
    expect(tab.get_by_role("heading", level=2)).to_contain_text("audit")
    assert tab.evaluate("document.scrollingElement.scrollWidth") <= 390
    tab.close()
