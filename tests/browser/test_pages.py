"""Single pages in a real browser, the menu, and the rules of accessibility."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import axe_playwright_python
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from dpviz.ui.kit.page_table import PAGES, page
from dpviz.ui.more_questions import STILLS
from tests.browser.driving import (
    button,
    cell,
    draw,
    edit_cell,
    go,
    on_screen,
    open_page,
    press,
    settled,
    unfold,
    write,
)
from tests.conftest import FULL, few, full_run


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
    listed = {g: [p.entry for p in PAGES if p.group == g and p.listed] for g in groups}
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


# Axe, which checks accessibility, finds nothing serious on any page, in either theme.


AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
SERIOUS = """async () => (await axe.run()).violations
    .filter(found => ['serious', 'critical'].includes(found.impact))
    .map(found => [found.id, found.nodes.map(node => [node.target, node.failureSummary])])"""
SHOWN = """() => document.getAnimations().every(one =>  // a help that fades in is pale for a moment
    one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity)"""
QUICK = {"releases": "light"}  # a lesson in the dark: below

MORE = {  # what is on screen only after a press
    "/?step=2": [lambda tab: tab.locator(".st-key-lesson_guess_I button").click()],
    "/the_trick?step=5": [lambda tab: button(tab, "Link to this screen").click()],
    "/quiz": [lambda tab: tab.locator("[data-testid=stRadio] label").nth(2).click()],
}
HIGHEST = 1800  # two windows


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file)
def test_axe_finds_nothing_serious_and_a_page_is_no_taller_than_two_windows(
    tab, app_url, page, scheme
):
    if not FULL and QUICK.get(page.file) != scheme:
        pytest.skip("in the full run: every page in both themes")
    tab.emulate_media(color_scheme=scheme)
    open_page(tab, app_url, page.file)
    high = tab.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    assert page.is_lesson or high <= HIGHEST, high
    tab.evaluate(AXE)
    assert tab.evaluate(SERIOUS) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", few(MORE, 2))
def test_axe_finds_nothing_serious_where_one_plays_shares_or_answers(tab, app_url, address, scheme):
    if not FULL and scheme == "light":
        pytest.skip("in the full run: both themes")
    tab.emulate_media(color_scheme=scheme)
    tab.goto(f"{app_url}{address}")
    tab.get_by_role("heading", level=1).wait_for()
    settled(tab)
    for act in MORE[address]:
        act(tab)
        settled(tab)
    tab.mouse.move(0, 0)  # away from the button, whose help is pale while it fades in
    expect(tab.locator(".stTooltipContent")).to_have_count(0)
    tab.wait_for_function(SHOWN)
    tab.evaluate(AXE)
    assert tab.evaluate(SERIOUS) == []


# The seed of a tab is in its address: it outlasts a change of page and a reload, and no screen.


def asked(tab):
    return parse_qs(urlsplit(tab.url).query)


@full_run
def test_a_seed_stays_in_the_address_and_its_numbers_come_again_in_another_order(tab, app_url):
    tab.goto(f"{app_url}/tiers")
    tab.get_by_role("heading", level=1).wait_for()
    settled(tab)
    (seed,) = asked(tab)["seed"]
    go(tab, "Releases")
    assert asked(tab) == {"seed": [seed]}
    tab.go_back()
    settled(tab)
    assert urlsplit(tab.url).path == "/tiers", "one press leads back one page"
    assert asked(tab) == {"seed": [seed]}
    go(tab, "Releases")
    draw(tab, "public")
    first = on_screen(tab)["public"]
    tab.reload()
    settled(tab)
    assert asked(tab) == {"seed": [seed]}
    draw(tab, "audit")
    draw(tab, "public")
    np.testing.assert_array_equal(on_screen(tab)["public"], first)
    go(tab, "Present")
    tab.locator(".st-key-present_alone button").click()
    tab.wait_for_url(re.compile("tier="))
    settled(tab)
    assert asked(tab).keys() == {"tier"}, "the screen of one tier has no seed"
    tab.keyboard.press("Escape")
    tab.wait_for_url(re.compile(f"seed={seed}"))
    open_page(tab, app_url, "start")
    assert asked(tab) == {}, "a lesson shows public answers"


# Ctrl+Z and Ctrl+Shift+Z on the page Tiers: the plan, unless a text field has its own to undo.


def keys(tab, pressed, budget):
    tab.keyboard.press(pressed)
    settled(tab)
    expect(cell(tab, 0, 1)).to_have_text(budget)


def test_the_usual_keys_undo_and_redo_the_plan_and_leave_typing_alone(tab, app_url):
    open_page(tab, app_url, "tiers")
    edit_cell(tab, 0, 1, "0.5")
    keys(tab, "Control+z", "0.4")
    keys(tab, "Control+z", "0.4")  # there is nothing more
    keys(tab, "Control+Shift+z", "0.5")
    unfold(tab, "Which noise?")
    field = tab.get_by_role("textbox", name="δ of the plan", exact=True)
    before = field.input_value()
    field.press_sequentially("7")
    keys(tab, "Control+z", "0.5")
    expect(field).to_have_value(before)  # the browser has taken the letter back
    tab.get_by_role("heading", level=1).click()
    field.focus()
    keys(tab, "Meta+z", "0.4")


# The Variances page in a browser: a simulation shows how far it is, and is stopped.


def pick_segment(tab: Page, label: str) -> None:
    """Choose in a segmented control."""
    choice = tab.get_by_role("radio", name=label, exact=True)
    choice.or_(tab.get_by_role("button", name=label, exact=True)).first.click()
    settled(tab)


def open_lines(tab: Page, app_url: str) -> None:
    """Come to the page and open the closer with the lines."""
    open_page(tab, app_url, "variances")
    tab.locator(".st-key-closer_variance_lines summary").click()
    expect(tab.locator(".st-key-variances .js-plotly-plot")).to_be_visible()
    settled(tab)


@full_run
def test_a_simulation_of_30_tiers_is_started_and_stopped(tab, app_url):
    open_lines(tab, app_url)
    pick_segment(tab, "30")
    pick_segment(tab, "simulation")
    pick_segment(tab, "10 million")
    tab.locator(".st-key-variance_draw button").click()
    expect(tab.get_by_text(re.compile(r"Drawn [1-9][\d,]* of 10,000,000 times"))).to_be_visible()
    tab.locator(".st-key-work_stop button").click()  # Streamlit shows a Stop of its own, too
    stopped = tab.get_by_text(re.compile(r"Stopped after [\d,]+ of 10,000,000"))
    expect(stopped).to_be_visible()
    settled(tab)
    done = int(re.search(r"after ([\d,]+) of", stopped.inner_text())[1].replace(",", ""))
    assert 0 < done < 10_000_000
    expect(tab.get_by_text(f"{done:,} repetitions through the sampler")).to_be_visible()
    expect(tab.locator(".st-key-work_stop")).to_have_count(0)
    assert tab.locator(".st-key-variances .js-plotly-plot .point").count() >= 60


# Growing trust in a real browser: three stories, and the addresses of the pages before it.


PLACE = """(picture, [ring, place]) => {
    const box = picture.getBoundingClientRect();
    const {xaxis: x, yaxis: y} = picture._fullLayout;
    const marks = picture._fullData.find((trace) => trace.name === ring);
    return [
        box.left + x._offset + x.d2p(marks.x[place]), box.top + y._offset + y.d2p(marks.y[place])
    ];
}"""
CIRCLE = "19 people compare notes on Maria’s blood pressure"


def headline(tab):
    return tab.get_by_role("heading", level=2).first


def arrive(tab, url):
    """Open an address that may lead on to another."""
    tab.goto(url)
    tab.get_by_role("heading", level=1).wait_for()
    settled(tab)


def test_a_click_shows_another_circle_and_a_newcomer_is_bridged(tab, app_url):
    arrive(tab, f"{app_url}/social_network?seed=77")  # where it was
    expect(tab).to_have_url(re.compile(r"/growing_trust\?"))
    assert asked(tab) == {"story": ["circle"], "seed": ["77"]}
    expect(headline(tab)).to_contain_text(CIRCLE)
    picture = tab.locator(".js-plotly-plot").first
    x, y = picture.evaluate(PLACE, ["1 away", 0])
    tab.mouse.move(x - 20, y)
    tab.mouse.move(x, y)
    expect(picture.locator(".hoverlayer .hovertext")).to_have_count(1)
    tab.mouse.click(x, y)
    settled(tab)
    expect(headline(tab)).not_to_contain_text("19 people")
    expect(headline(tab)).to_contain_text("Ana’s blood pressure")
    unfold(tab, "Add a reader")
    write(tab, "ε granted", "3")
    press(tab, "Let them join")
    expect(tab.get_by_text("drawn between two that others were told (bridge)")).to_be_visible()
