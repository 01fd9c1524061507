"""The menu in a real browser: its entries, counted, and the cards of the further questions."""

from playwright.sync_api import expect

from dpviz.ui.kit.page_table import PAGES, page
from dpviz.ui.more_questions import STILLS
from tests.browser.driving import open_page, settled


def entries(tab):
    """Titles by group, as the menu shows them."""
    found = {"": tab.get_by_test_id("stTopNavLink").all_inner_texts()}
    for section in tab.get_by_test_id("stTopNavSection").all():
        name = section.inner_text().split("\n")[0]
        section.click()
        listed = tab.get_by_test_id("stTopNavDropdownLink")
        listed.first.wait_for()
        found[name] = [text.split("\n")[-1] for text in listed.all_inner_texts()]
        tab.keyboard.press("Escape")
        expect(listed).to_have_count(0)
    return found


def test_the_menu_lists_its_pages_and_each_card_leads_to_its_page_by_keyboard(tab, app_url):
    open_page(tab, app_url, "more_questions")
    groups = dict.fromkeys(p.group for p in PAGES)
    listed = {g: [p.title for p in PAGES if p.group == g and p.listed] for g in groups}
    assert entries(tab) == listed
    cards = tab.locator("[class*='st-key-card_']")
    expect(cards).to_have_count(len(STILLS))
    for file in STILLS:
        card = tab.locator(f".st-key-card_{file}")
        expect(card.locator(".js-plotly-plot")).to_have_count(1)
        expect(card.get_by_role("link", name=page(file).question)).to_be_visible()
    tab.locator(".st-key-card_growing_trust").get_by_role("link").focus()
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("heading", level=1)).to_have_text(page("growing_trust").question)
    settled(tab)
    expect(tab.get_by_test_id("stException")).to_have_count(0)
