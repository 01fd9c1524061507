"""The Bridge paths page in a browser: the slider shows a law, Draw pins a number, nobody moves."""

from playwright.sync_api import Page, expect

from tests.browser.driving import open_page, settled
from tests.conftest import full_run


def drawn(tab: Page, key: str, says: str) -> None:
    """Wait until a picture is drawn so: it follows the script by a moment."""
    tab.wait_for_function(
        "([key, says]) => { const plot = document.querySelector(`.st-key-${key} .js-plotly-plot`);"
        " return plot && plot._fullData && new Function('traces', `return ${says}`)"
        "(plot._fullData) }",
        arg=[key, says],
    )


def count(tab: Page, name: str) -> int:
    """Traces of this name in the bridge picture."""
    plot = tab.locator(".st-key-bridge_paths_main .js-plotly-plot").first
    return plot.evaluate("(p, name) => p._fullData.filter(t => t.name === name).length", name)


@full_run
def test_slider_strings_draw(tab, app_url):
    open_page(tab, app_url, "bridge_paths")
    head = tab.get_by_role("heading", level=2)
    expect(head).to_contain_text("The council asks later and gets a number between")
    drawn(tab, "bridge_paths_main", "traces.filter(t => t.name === 'new').length === 1")
    slider = tab.get_by_role("slider").first
    slider.focus()
    for _ in range(3):
        tab.keyboard.press("ArrowRight")
    settled(tab)
    amount = slider.get_attribute("aria-valuetext")
    tab.get_by_role("button", name="Draw the council’s number").click()
    settled(tab)
    expect(head).to_contain_text("The council’s number is")
    drawn(tab, "bridge_paths_main", "traces.filter(t => t.name === 'thread').length === 2")
    assert count(tab, "new") == 0
    assert slider.get_attribute("aria-valuetext") == amount
    expect(tab.get_by_role("button", name="Another tier")).to_be_visible()
