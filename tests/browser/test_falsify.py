"""The page Falsify in a real browser: ours holds, and the copy beside it is caught."""

from playwright.sync_api import expect

from tests.browser.driving import open_page, settled
from tests.conftest import full_run


@full_run
def test_ours_holds_and_a_broken_copy_is_caught(tab, app_url):
    open_page(tab, app_url, "falsify")
    said = tab.get_by_role("heading", level=2)
    expect(said.filter(has_text="after 100,000 tries the best bet won")).to_be_visible()
    expect(tab.get_by_text("Caught.")).to_be_visible()
    settled(tab)
    tab.get_by_role("button", name="Play 1 million runs").click()
    expect(said.filter(has_text="after 1,600,000 tries")).to_be_visible(timeout=90_000)
