"""The Bridge paths page in a browser: the slider shows a law, Draw pins a number, nobody moves."""

from playwright.sync_api import Page, expect

from dpviz.scenes.bridge_paths import Example, example_source
from dpviz.words import percent
from tests.browser.driving import choose, open_page, settled, unfold
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


def test_slider_strings_draw(tab, app_url):
    open_page(tab, app_url, "bridge_paths")
    head = tab.get_by_role("heading", level=2)
    expect(head).to_contain_text("The council’s new number is made from")
    drawn(tab, "bridge_paths_main", "traces.filter(t => t.name === 'new').length === 1")
    slider = tab.get_by_role("slider").first
    slider.focus()
    for _ in range(3):
        tab.keyboard.press("ArrowRight")
    settled(tab)
    amount = slider.get_attribute("aria-valuetext")
    tab.get_by_role("button", name="Draw council’s number").click()
    settled(tab)
    expect(head).to_contain_text("The council’s number is")
    drawn(tab, "bridge_paths_main", "traces.filter(t => t.name === 'thread').length === 2")
    assert count(tab, "new") == 0
    assert slider.get_attribute("aria-valuetext") == amount
    expect(tab.get_by_role("button", name="Another tier")).to_be_visible()


@full_run
def test_laplace_names_the_chance_of_an_identical_number(tab, app_url):
    open_page(tab, app_url, "bridge_paths")
    unfold(tab, "For specialists")
    choose(tab, "Noise of the made-up town", "Laplace")
    shown = example_source(Example("laplace"))
    law = shown.held.law(1 / 0.75)
    plot = tab.locator(".st-key-bridge_paths_main .js-plotly-plot").first
    for _, chance in law.atoms:
        expect(tab.get_by_role("heading", level=2)).to_contain_text(percent(chance))
        expect(plot).to_contain_text(percent(chance))


def test_the_steps_and_no_sideways_scroll_on_a_phone(context, app_url):
    tab = context.new_page()
    tab.set_viewport_size({"width": 390, "height": 900})
    open_page(tab, app_url, "bridge_paths")
    tab.locator(".st-key-closer_bridge_steps summary").first.click()
    settled(tab)
    assert tab.evaluate("document.scrollingElement.scrollWidth") <= 390
    marks = "traces.find(t => t.name === 'held').x.length"
    drawn(tab, "bridge_steps_1", f"{marks} === 1")
    tab.get_by_role("button", name="Forward").click()
    settled(tab)
    expect(tab.get_by_text("Answer 2 of 2")).to_be_visible()
    drawn(tab, "bridge_steps_1", f"{marks} === 2")
    tab.close()
