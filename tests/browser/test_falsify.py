"""The page Falsify in a real browser: one trial ends with "holds", one with "caught"."""

from playwright.sync_api import expect

from tests.browser.driving import open_page, settled
from tests.conftest import full_run


@full_run
def test_a_trial_of_ours_holds_and_one_of_a_broken_copy_is_caught(tab, app_url):
    open_page(tab, app_url, "falsify")
    said = tab.get_by_role("heading", level=2)
    expect(said.filter(has_text="No breach found")).to_be_visible()
    tab.get_by_text("broken on purpose", exact=True).click()
    expect(
        said.filter(has_text="of 100,000 runs").filter(has_text="Broken, and caught")
    ).to_be_visible(timeout=30_000)
    settled(tab)
    tab.get_by_role("button", name="Play 1 million runs").click()
    expect(
        said.filter(has_text="of 1,000,000 runs").filter(has_text="Broken, and caught")
    ).to_be_visible(timeout=90_000)
