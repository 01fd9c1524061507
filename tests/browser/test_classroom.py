"""A lesson in twelve tabs: the board, phones, shuffling, coming back, and the end."""

import re
from contextlib import contextmanager

from playwright.sync_api import expect

from dpviz.planning.cast import RHO
from dpviz.scenes import exercises
from dpviz.scenes.classroom import TRUTH, dealt_to
from dpviz.ui import the_trick
from tests.browser.driving import button, download, open_page, press, settled
from tests.conftest import full_run
from tests.visiting import plain

PHONE = {"width": 390, "height": 844}
POINTS = """round => {
  const plot = document.querySelector(`.st-key-class_round_${round} .js-plotly-plot`);
  return plot._fullData.filter(part => part.mode === "markers")
    .map(part => [part.name, Array.from(part.x)]) }"""


@contextmanager
def a_class(tab, app_url):
    """Open a class in this tab; its code."""
    open_page(tab, app_url, "classroom")
    press(tab, "Open a class")
    try:
        yield tab.locator(".st-key-class_code p").inner_text().strip()
    finally:  # else the next test has this class, by the cookie
        tab.bring_to_front()
        button(tab, "End the class").click()
        button(tab, "End it").click()
        expect(button(tab, "Open a class")).to_be_visible()


def pupils_of(tab, app_url, code, count):
    """Tabs of the same browser, each of another student."""
    found = []
    for n in range(count):
        page = tab.context.new_page()
        page.set_viewport_size(PHONE)
        page.goto(f"{app_url}/{('class', 'classroom')[n % 2]}?code={code}")  # both lead there
        page.get_by_role("heading", level=1, name="You are ").wait_for()
        settled(page)
        found.append(page)
    return found


def draw(page):
    """Press the one button; the number that the page then shows."""
    page.bring_to_front()
    button(page, "Draw my number").click()
    return number(page)


def draw_at_once(pages):
    """Press the one button of all; the numbers that they then show."""
    for page in pages:
        button(page, "Draw my number").wait_for()
    for page in pages:
        page.evaluate("document.querySelector('.st-key-class_draw button').click()")
    return [number(page) for page in pages]


def number(page):
    shown = page.get_by_test_id("stMetricValue")
    shown.wait_for()
    return float(shown.inner_text())


def points(tab, which):
    """The numbers in the picture of a round: of students, and of all together."""
    found = dict(tab.evaluate(POINTS, which))
    single = [x for tier in RHO for x in found.get(tier, [])]
    return sorted(round(x, 1) for x in single), found["together"][0]


def right(tab):
    """The right guesses that the board shows, of each round."""
    shown = tab.get_by_test_id("stMetricValue").all_inner_texts()
    return [text for text in shown if " of " not in text]


def test_a_student_draws_on_a_phone_answers_in_a_lesson_and_comes_back(tab, app_url):
    with a_class(tab, app_url) as code:
        (pupil,) = pupils_of(tab, app_url, code, 1)
        assert pupil.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
        for key in ("Tab", "Tab", "Tab", "Enter"):  # past the link to the page, and the page
            pupil.keyboard.press(key)
        own, name = number(pupil), pupil.get_by_role("heading", level=1).inner_text()
        tab.bring_to_front()
        expect(tab.get_by_test_id("stMetricValue").filter(has_text="1 of 1")).to_be_visible()
        settled(tab)
        assert points(tab, 0)[0] == [own]
        pupil.bring_to_front()
        pupil.reload()
        assert number(pupil) == own
        assert pupil.get_by_role("heading", level=1).inner_text() == name
        answer_in_a_lesson(pupil, app_url)
        tab.bring_to_front()
        expect(tab.get_by_text(the_trick.GUESS)).to_be_visible()
        tab.reload()
        expect(tab.locator(".st-key-class_code")).to_have_text(code)  # known again, by its cookie
        settled(tab)
        pupil.bring_to_front()
        pupil.get_by_role("link", name="Back to your class").click()
        expect(pupil.get_by_role("heading", level=1, name=name)).to_be_visible()
        assert number(pupil) == own
        other = code[::-1] if code != code[::-1] else "BBBBBB"
        pupil.goto(f"{app_url}/classroom?code={other}")
        expect(pupil.get_by_text("No class has this code")).to_be_visible()
        expect(pupil.get_by_test_id("stMetricValue")).to_have_count(0)
        pupil.close()


def answer_in_a_lesson(pupil, app_url):
    """Go to a lesson from the class, and take an answer of its fourth screen."""
    press(pupil, "The lessons")
    pupil.get_by_role("link", name="How the trick works").click()
    pupil.wait_for_url(re.compile("the_trick"))
    settled(pupil)
    for step in (2, 3, 4):
        press(pupil, "Next")
        pupil.wait_for_url(re.compile(f"step={step}"))
    pupil.get_by_role("radio", name=the_trick.SAME).click()
    pupil.wait_for_url(re.compile("choice=3"))
    button(pupil, "Link to this screen").click()
    link = pupil.locator(".st-key-lesson_link a, [data-testid=stPopoverBody] a").last
    assert link.get_attribute("href") == f"{app_url}/the_trick?step=4&choice=3"
    pupil.keyboard.press("Escape")


def on_the_sheet(tab, code, students):
    """Right guesses by the answer key of the class, after its sheet asked for them."""
    button(tab, "Exercise sheet").click()
    asked, answers = (download(tab, f"class_{name}") for name in ("exercises", "answers"))
    assert asked.read_text("utf-8") == exercises.sheet(code, dealt=dealt_to(students))
    button(tab, "Exercise sheet").click()
    line = re.search(r"Separate noise: ρ = .*? One path: .*? of 1,000", answers.read_text("utf-8"))
    return re.findall(r"(\d+) of 1,000", plain(line[0]))


@full_run
def test_a_lesson_in_twelve_tabs(tab, app_url):
    with a_class(tab, app_url) as code:
        pupils = pupils_of(tab, app_url, code, 12)
        own = draw_at_once(pupils)
        tab.bring_to_front()
        expect(tab.get_by_test_id("stMetricValue").filter(has_text="12 of 12")).to_be_visible()
        settled(tab)
        assert right(tab) == ["890"]
        single, pooled = points(tab, 0)
        assert single == sorted(own)
        budgets = 3 * [*RHO.values()]
        assert abs(pooled - TRUTH) < 5 / (2 * sum(budgets)) ** 0.5  # five standard deviations
        press(tab, "Start round two: one path")
        shared = draw_at_once(pupils)
        assert len(set(shared)) <= 4
        assert shared[:4] == shared[4:8] == shared[8:]
        tab.bring_to_front()
        expect(tab.get_by_test_id("stMetricValue").filter(has_text="12 of 12")).to_have_count(2)
        settled(tab)
        assert right(tab) == ["890", "673"]
        assert on_the_sheet(tab, code, 12) == ["890", "673"] == right(tab)
        single, pooled = points(tab, 1)
        assert single == sorted(shared)
        assert round(pooled, 1) == shared[0]  # the sharpest: the first student reads for audit
        press(tab, "Shuffle who asks first")
        tab.wait_for_function(
            f"before => ({POINTS})(1).find(part => part[0] === 'together')[1][0] !== before",
            arg=pooled,
        )
        settled(tab)
        assert right(tab) == ["890", "673"]
        pupils[0].bring_to_front()
        now = f"{points(tab, 1)[1]:.1f}"
        expect(pupils[0].get_by_test_id("stMetricValue")).to_have_text(now)
    for pupil in pupils:
        pupil.bring_to_front()
        expect(pupil.get_by_text("This class is over")).to_be_visible()
        pupil.close()
