"""Each lesson on a phone and on a projector: words, all marks and the buttons are in view together.

And what the browser does by itself: it knows who was here before, and shuts the menu of a phone.
"""

import importlib
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from dpviz.ui.kit.lesson_view import GAME
from dpviz.ui.kit.page_table import PAGES, page
from tests.browser.driving import button, open_page, settled
from tests.browser.test_hand_out import prints_on_one_sheet
from tests.conftest import FULL, few, full_run

LESSONS = [each.file for each in PAGES if each.is_lesson]
WIDE, HIGH = 390, 844
MARKS = ".points path, .annotation-text, .xtick text, .ytick text"
BOXES = """marks => {
    const box = e => { const b = e.getBoundingClientRect();
        return [b.left, b.top, b.right, b.bottom] };
    const all = (s, within = document) => [...within.querySelectorAll(s)].map(box);
    const main = document.querySelector('.js-plotly-plot');
    return { words: all('h1, h2'), marks: all(marks, main), bar: all('[data-testid=stBottom]'),
        buttons: all('[data-testid=stBottom] button') }
}"""

KEPT = "Object.entries(localStorage).filter(([name]) => name.startsWith('dpviz'))"
FORGET = f"{KEPT}.forEach(([name]) => localStorage.removeItem(name))"
MOVERS = """(() => { const mover = document.querySelector('.js-plotly-plot')._fullData[0];
    return [mover.x[0], mover.y[0], mover.marker.opacity].join(' ') })()"""


def in_view_of_a_phone(tab, step, *, act=True, large=0):
    """Words, marks, large buttons below the picture and those of the bar are in view together."""
    tab.locator(".js-plotly-plot .main-svg").first.wait_for()
    seen = tab.evaluate(BOXES, MARKS)
    assert len(seen["marks"]) > 3
    ((_, top_of_bar, _, _),) = seen["bar"]
    for left, top, right, bottom in (*seen["words"], *seen["marks"], *seen["buttons"]):
        assert left >= -1, (step, left)
        assert right <= WIDE + 1, (step, right)
        assert top >= 0, (step, top)
        assert bottom <= HIGH, (step, bottom)
    assert len(seen["buttons"]) == 2 + act
    assert len({round(box[1]) for box in seen["buttons"]}) == 1  # the bar does not wrap
    assert max(box[3] for box in seen["marks"]) <= top_of_bar + 1
    below = tab.locator(".st-key-lesson_guess button")
    expect(below).to_have_count(large)
    for each in below.all():
        box = each.bounding_box()
        assert box["height"] >= 44, "for a thumb"
        assert box["y"] + box["height"] <= top_of_bar


@pytest.mark.parametrize("file", few(LESSONS, len(LESSONS)))
def test_on_a_phone_sentence_marks_and_buttons_are_in_view_together(tab, app_url, file):
    lesson = importlib.import_module(f"dpviz.ui.{file}").LESSON
    tab.set_viewport_size({"width": WIDE, "height": HIGH})
    tab.goto(f"{app_url}/_stcore/health")
    tab.evaluate(f"localStorage.setItem('dpviz lesson {file}', 6)")  # one who was here before
    open_page(tab, app_url, file)
    screens = lesson.screens if FULL else lesson.screens[:2]
    for step, screen in enumerate(screens, 1):
        title = tab.get_by_role("heading", level=1)
        for opening in (screen.opening,) if screen.opening else ():
            expect(title).to_have_text(opening.title)
            in_view_of_a_phone(tab, step, act=False, large=2)
            button(tab, "Next").click()
            settled(tab)
        expect(title).to_have_text(screen.title)
        if screen.act and FULL:  # the app tests press them all
            button(tab, screen.act.label).click()
            settled(tab)
        in_view_of_a_phone(tab, step, act=screen.act is not None)
        if step < len(screens):
            button(tab, "Next").click()
            settled(tab)


@pytest.mark.parametrize("file", few(LESSONS, len(LESSONS)))
def test_in_a_lecture_the_picture_is_in_view_with_its_axis_on_a_projector(tab, app_url, file):
    lesson = importlib.import_module(f"dpviz.ui.{file}").LESSON
    tab.set_viewport_size({"width": 1280, "height": 800})
    path = "" if file == "start" else file
    for screen in lesson.screens if FULL else lesson.screens[1:2]:
        step = lesson.screens.index(screen) + 1
        tab.goto(f"{app_url}/{path}?lecture=on&step={step}")
        for told in (screen.opening, screen) if screen.opening else (screen,):
            expect(tab.get_by_role("heading", level=1)).to_have_text(told.title)
            tab.locator(".js-plotly-plot .main-svg").first.wait_for()
            settled(tab)
            seen = tab.evaluate(BOXES, MARKS)
            ((_, top_of_bar, _, _),) = seen["bar"]
            assert len(seen["marks"]) > 3
            for left, top, right, bottom in (*seen["words"], *seen["marks"]):
                assert 0 <= left <= right <= 1280, step
                assert 0 <= top <= bottom <= top_of_bar, step
            tab.keyboard.press("ArrowRight")  # from what opens a screen to that screen


@full_run
def test_a_visitor_of_another_day_goes_on_where_the_browser_knows(tab, app_url):
    """A page that is opened again is another visitor to the server: only the browser remembers."""
    offer = tab.get_by_role("link", name="Welcome back").locator("visible=true")
    health = f"{app_url}/_stcore/health"  # a page of the same server, at once
    tab.goto(health)
    tab.evaluate(FORGET)  # tests share the browser
    open_page(tab, app_url, "start")
    expect(offer).to_have_count(0)
    for where in (GAME, "2 of 6", "3 of 6"):
        button(tab, "Next").click()
        expect(tab.get_by_text(where)).to_be_visible()
        settled(tab)
    tab.goto(health)
    assert tab.evaluate(KEPT) == [["dpviz lesson start", "3"]]  # nothing else of ours
    open_page(tab, app_url, "start")
    offer.click()
    expect(tab.get_by_text("3 of 6")).to_be_visible()
    tab.goto(health)
    tab.evaluate(FORGET)


def test_the_address_keeps_the_screen_over_a_reload_and_its_link_and_print_have_it(tab, app_url):
    tab.goto(f"{app_url}/the_trick?step=5")
    settled(tab)
    tab.get_by_role("radio", name="Both").click()
    settled(tab)
    button(tab, "Erase it").click()
    settled(tab)
    answer = tab.get_by_role("heading", level=2)
    expect(answer).to_contain_text("Not quite")
    kept = {"step": ["5"], "choice": ["3"], "done": ["yes"]}
    assert parse_qs(urlsplit(tab.url).query) == kept
    tab.reload()
    settled(tab)
    expect(answer).to_contain_text("Not quite")
    prints_on_one_sheet(tab)
    button(tab, "Link to this screen").click()
    picture = tab.get_by_role("img", name="QR picture of")
    picture.wait_for()
    assert picture.get_attribute("alt").endswith("/the_trick?step=5&choice=3&done=yes")
    tab.keyboard.press("Escape")
    picture.wait_for(state="hidden")  # a press beside an open box only shuts it
    button(tab, "Next").click()
    tab.wait_for_url("**/the_trick?step=6")
    settled(tab)
    assert parse_qs(urlsplit(tab.url).query) == {"step": ["6"]}


@full_run
def test_the_menu_of_a_phone_shuts_when_a_page_is_chosen(tab, app_url):
    tab.set_viewport_size({"width": WIDE, "height": HIGH})
    open_page(tab, app_url, "tiers")
    tab.get_by_test_id("stExpandSidebarButton").click()
    link = tab.get_by_test_id("stSidebarNavLink").filter(has_text="Collusion")
    link.click()
    tab.get_by_role("heading", level=1, name=page("collusion").heading).wait_for()
    expect(link).not_to_be_in_viewport()


@full_run
def test_marks_climb_when_watched_and_not_for_who_prefers_no_motion(tab, app_url):
    tab.goto(f"{app_url}/?step=5")
    button(tab, "Compare notes").click()
    settled(tab)
    watch = tab.locator(".updatemenu-container")
    expect(watch).to_be_hidden()
    tab.emulate_media(reduced_motion="no-preference")
    before = tab.evaluate(MOVERS)
    watch.click()
    tab.wait_for_function(f"before => ({MOVERS}) !== before", arg=before)  # under way
    tab.wait_for_function(f"() => ({MOVERS}).endsWith('0')")  # gone at the end
