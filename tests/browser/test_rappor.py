"""RAPPOR in a real browser: a million reports by keyboard, and nonsense that loses nothing."""

import re

from playwright.sync_api import expect

from tests.browser.driving import button, open_page, settled
from tests.conftest import full_run


def slide(tab, name, key):
    tab.get_by_role("slider", name=name).focus()
    tab.keyboard.press(key)
    settled(tab)


@full_run
def test_a_million_reports_by_keyboard(tab, app_url):
    open_page(tab, app_url, "rappor")
    said = tab.get_by_role("heading", level=2).first
    expect(said).to_contain_text("of 100,000 browsers")
    slide(tab, "Browsers that report", "End")
    expect(said).to_contain_text("Nobody has reported yet")
    button(tab, "Collect 1,000,000 reports").click()
    expect(tab.get_by_text(re.compile("of all reports")).first).to_be_visible()
    expect(said).to_contain_text("of 1,000,000 browsers have it", timeout=120_000)
    settled(tab)
    slide(tab, "Random answers, later", "End")
    expect(tab.get_by_test_id("stAlert")).to_contain_text("No permanent response is drawn at f = 1")
    slide(tab, "Random answers, later", "Home")
    expect(tab.get_by_test_id("stAlert")).to_contain_text("0 keeps every bit as it is")
    tab.keyboard.press("ArrowRight")
    settled(tab)
    expect(tab.get_by_test_id("stAlert")).to_have_count(0)
    expect(button(tab, "Collect 1,000,000 reports")).to_be_visible()
