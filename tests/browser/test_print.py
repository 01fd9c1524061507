"""What is on screen prints on one sheet: every screen of every lesson, and one tier's numbers."""

import importlib
import re

import pytest

from dpviz.scenes import exercises
from dpviz.scenes.classroom import dealt_to
from dpviz.ui.kit.page_table import PAGES
from tests.browser.driving import button, download, draw, go, open_page, settled, unfold, write
from tests.conftest import FULL, few

LESSONS = [each.file for each in PAGES if each.is_lesson]
SHEETS = ({"format": "A4"}, {"format": "Letter"}, {"format": "A4", "prefer_css_page_size": True})
PRINTED = """() => [...document.querySelectorAll('button, a, h1, h2, .js-plotly-plot')]
    .filter(e => e.checkVisibility()).map(e => e.tagName)"""


def sheets(tab, **paper):
    """How many pages the browser's print of this tab has."""
    return len(re.findall(rb"/Type\s*/Page\b", tab.pdf(print_background=True, **paper)))


def prints_on_one_sheet(tab):
    for paper in SHEETS if FULL else SHEETS[:1]:
        assert sheets(tab, **paper) == 1, paper
    tab.emulate_media(media="print")
    printed = tab.evaluate(PRINTED)
    tab.emulate_media(media="screen")
    assert {"H1", "H2", "DIV"} <= {*printed}, "words and picture are there"
    assert "A" not in printed, "no link"


def test_two_sheets_are_counted_as_two(tab, app_url):
    tab.goto(f"{app_url}/_stcore/health")
    tab.set_content("<p>one</p><p style='break-before: page'>two</p>")
    assert sheets(tab, format="A4") == 2


@pytest.mark.parametrize("file", few(LESSONS, len(LESSONS)))
def test_every_screen_of_a_lesson_prints_on_one_sheet(tab, app_url, file):
    lesson = importlib.import_module(f"dpviz.ui.{file}").LESSON
    path = "" if file == "start" else file
    for step, screen in enumerate(lesson.screens, 1):
        if not FULL and step not in (2, 6):
            continue
        tab.goto(f"{app_url}/{path}?step={step}")
        tab.locator(".js-plotly-plot .main-svg").first.wait_for()
        settled(tab)
        if screen.opening:
            prints_on_one_sheet(tab)
            button(tab, "Next").click()
            settled(tab)
        prints_on_one_sheet(tab)
        if screen.act and not screen.act.repeats:
            button(tab, screen.act.label).click()
            settled(tab)
            prints_on_one_sheet(tab)


def test_what_a_tier_sees_prints_on_one_sheet_around_and_alone(tab, app_url):
    open_page(tab, app_url, "releases")
    draw(tab, "public")
    go(tab, "Present")
    prints_on_one_sheet(tab)
    tab.locator(".st-key-present_alone button").click()
    tab.wait_for_url(re.compile("tier="))
    settled(tab)
    prints_on_one_sheet(tab)


def test_the_exercise_sheet_and_its_key_print_on_one_sheet(tab, app_url):
    tab.goto(f"{app_url}/_stcore/health")
    for code in ("KXRTMP", "QQQQQQ"):
        for answers in (False, True):
            for students in (0, 30):
                made = exercises.sheet(code, answers=answers, dealt=dealt_to(students))
                tab.set_content(made)
                for paper in SHEETS:
                    assert sheets(tab, **paper) == 1


def test_a_teacher_downloads_the_sheet_of_a_code_and_its_key(tab, app_url):
    open_page(tab, app_url, "present")
    unfold(tab, "An exercise sheet")
    write(tab, exercises.LABEL, "bcdfgh")
    for name, answers in (("exercises", False), ("answers", True)):
        file = download(tab, f"present_{name}")
        assert file.read_text("utf-8") == exercises.sheet("BCDFGH", answers=answers)
