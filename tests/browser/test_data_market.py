"""Data market in a real browser: a sale and an upgrade by keyboard, then the ledger as a file."""

from playwright.sync_api import expect

from tests.browser.driving import button, open_page, settled, unfold
from tests.conftest import full_run


@full_run
def test_a_sale_by_keyboard_and_the_ledger_as_a_file(tab, app_url):
    open_page(tab, app_url, "data_market")
    said = tab.get_by_role("heading", level=2).first
    expect(said).to_contain_text("Five buyers paid me €12.40")
    epsilon = tab.locator(".st-key-market_epsilon input")
    for typed, price, paid in (
        ("0.3", "€1.20 for a number", "Six buyers paid me €13.60"),
        ("2", "€6.80 more, as", "Six buyers paid me €20.40"),
    ):
        epsilon.focus()
        tab.keyboard.press("Control+a")
        tab.keyboard.type(typed)
        tab.keyboard.press("Enter")
        settled(tab)
        expect(tab.get_by_test_id("stMain")).to_contain_text(price)
        button(tab, "Sell this number").click()
        settled(tab)
        expect(said).to_contain_text(paid)
    expect(tab.get_by_test_id("stAlert")).to_have_count(0)
    with tab.expect_download() as waited:
        unfold(tab, "The ledger: every purchase")
        button(tab, "Download the ledger").click()
    rows = waited.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert rows[0].startswith("# Definition,")
    assert rows[-1].startswith("8,newspaper,0.3,2,0.5,6.8,20.4,2,5.6,")
