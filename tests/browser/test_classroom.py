"""A class in a browser: the board, a phone, an answer in a lesson, and coming back."""

import re
from contextlib import contextmanager

from playwright.sync_api import expect

from dpviz.planning.cast import RHO
from dpviz.ui import the_trick
from tests.browser.driving import button, open_page, press, settled

PHONE = {"width": 390, "height": 844}
POINTS = """() => {
  const plot = document.querySelector(".st-key-class_round_0 .js-plotly-plot");
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


def number(page):
    shown = page.get_by_test_id("stMetricValue")
    shown.wait_for()
    return float(shown.inner_text())


def points(tab):
    """The numbers of students in the picture of the first round."""
    found = dict(tab.evaluate(POINTS))
    return sorted(round(x, 1) for tier in RHO for x in found.get(tier, []))


def test_a_student_draws_on_a_phone_answers_in_a_lesson_and_comes_back(tab, app_url):
    with a_class(tab, app_url) as code:
        pupil = tab.context.new_page()
        pupil.set_viewport_size(PHONE)
        pupil.goto(f"{app_url}/class?code={code}")  # which leads to the page
        pupil.get_by_role("heading", level=1, name="You are ").wait_for()
        settled(pupil)
        assert pupil.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
        for key in ("Tab", "Tab", "Tab", "Enter"):  # past the link to the page, and the page
            pupil.keyboard.press(key)
        own, name = number(pupil), pupil.get_by_role("heading", level=1).inner_text()
        tab.bring_to_front()
        expect(tab.get_by_test_id("stMetricValue").filter(has_text="1 of 1")).to_be_visible()
        settled(tab)
        assert points(tab) == [own]
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
