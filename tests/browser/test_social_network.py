"""Social network in a real browser: a click on somebody shows their circle; somebody joins it."""

from playwright.sync_api import expect

from tests.browser.driving import open_page, press, settled, write

PLACE = """(picture, [ring, place]) => {
    const box = picture.getBoundingClientRect();
    const {xaxis: x, yaxis: y} = picture._fullLayout;
    const marks = picture._fullData.find((trace) => trace.name === ring);
    return [
        box.left + x._offset + x.d2p(marks.x[place]), box.top + y._offset + y.d2p(marks.y[place])
    ];
}"""


def test_a_click_shows_another_circle_and_a_newcomer_is_bridged(tab, app_url):
    open_page(tab, app_url, "social_network")
    said = tab.get_by_role("heading", level=2).first
    expect(said).to_contain_text("19 people compare notes on Maria’s blood pressure")
    picture = tab.locator(".js-plotly-plot").first
    x, y = picture.evaluate(PLACE, ["1 away", 0])
    tab.mouse.move(x - 20, y)
    tab.mouse.move(x, y)
    expect(picture.locator(".hoverlayer .hovertext")).to_have_count(1)
    tab.mouse.click(x, y)
    settled(tab)
    expect(said).not_to_contain_text("19 people")
    expect(tab.get_by_role("heading", name="What Ana’s circle")).to_be_visible()
    tab.get_by_text("Somebody new joins").click()
    settled(tab)
    write(tab, "ε granted", "3")
    press(tab, "Let them join")
    expect(tab.get_by_text("drawn between two that others were told (bridge)")).to_be_visible()
