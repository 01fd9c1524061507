"""Growing trust in a real browser: three stories, and the addresses of the pages before it."""

import re

from playwright.sync_api import expect

from dpviz.ui.kit.page_table import MOVED, page
from tests.browser.driving import press, settled, unfold, write
from tests.conftest import few, full_run
from tests.serving import running_app

PLACE = """(picture, [ring, place]) => {
    const box = picture.getBoundingClientRect();
    const {xaxis: x, yaxis: y} = picture._fullLayout;
    const marks = picture._fullData.find((trace) => trace.name === ring);
    return [
        box.left + x._offset + x.d2p(marks.x[place]), box.top + y._offset + y.d2p(marks.y[place])
    ];
}"""
SAYS = {
    "pulse": "A stranger sees Maria’s resting pulse",
    "circle": "19 people compare notes on Maria’s blood pressure",
    "market": "Five buyers paid the owner €12.40",
}


def headline(tab):
    return tab.get_by_role("heading", level=2).first


def arrive(tab, url):
    """Open an address that may lead on to another."""
    tab.goto(url)
    tab.get_by_role("heading", level=1).wait_for()
    settled(tab)


def test_an_address_that_is_gone_leads_to_its_story_and_keeps_what_else_it_asks_for(tab, app_url):
    stories = [(file, *there) for file, there in MOVED.items() if there[1]]
    for file, there, story in few(stories, len(stories)):
        arrive(tab, f"{app_url}/{file}?seed=77")
        expect(tab.get_by_role("heading", level=1)).to_have_text(page(there).heading)
        expect(headline(tab)).to_contain_text(SAYS[story])
        expect(tab).to_have_url(re.compile(rf"/{there}\?"))
        assert f"story={story}" in tab.url
        assert "seed=77" in tab.url
        expect(tab.get_by_test_id("stAlert")).to_have_count(0)
        expect(tab.get_by_role("dialog")).to_have_count(0)


@full_run
def test_a_cold_server_leads_on_too(tab, tmp_path):
    with running_app(tmp_path / "log") as server:
        arrive(tab, f"{server.url}/social_network")
        expect(headline(tab)).to_contain_text(SAYS["circle"])


def test_a_click_shows_another_circle_and_a_newcomer_is_bridged(tab, app_url):
    arrive(tab, f"{app_url}/growing_trust?story=circle")
    expect(headline(tab)).to_contain_text(SAYS["circle"])
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
