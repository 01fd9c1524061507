"""What is handed out, shown and printed: packs, their check, the report, presenting, one sheet."""

import base64
import datetime
import importlib
import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from dpviz.planning.tiers import FIRST_PLAN, as_rows
from dpviz.queries import Bounds, ByColumn, Count
from dpviz.scenes import exercises
from dpviz.scenes.classroom import dealt_to
from dpviz.ui.kit.page_table import PAGES
from dpviz.workspace import Workspace, packing
from tests.browser.driving import (
    GROUPS,
    PEOPLE,
    SIZES,
    button,
    choose,
    download,
    draw,
    go,
    listen,
    on_screen,
    open_page,
    press,
    settled,
    unfold,
    upload,
    write,
)
from tests.conftest import FULL, full_run

LAST = "audit office"  # its name has a blank
TIERS = ("public", "partners", "research", LAST)
NUMBERS = """plot => JSON.stringify(plot._fullData.map(t => ['x', 'y', 'text', 'hovertext',
    'customdata'].map(k => Array.isArray(t[k]) || ArrayBuffer.isView(t[k]) ? Array.from(t[k])
    : t[k])))"""


def reported() -> bytes:
    """The report on the table of the example, released to all tiers."""
    ws = Workspace.load(PEOPLE.encode(), name="people.csv")
    ws.state(Count(ByColumn("region", GROUPS), Bounds(several_rows=False)))
    ws.use_tiers(
        [row | {"tier": LAST} if row["tier"] == "audit" else row for row in as_rows(FIRST_PLAN)]
    )
    ws.draw(*TIERS)
    return packing.report_of(ws, datetime.date(2026, 1, 1)).encode()


def test_report_opens_offline_and_prints(browser: Browser, tmp_path: Path):
    report = tmp_path / "report.html"
    report.write_bytes(reported())
    context = browser.new_context(offline=True, viewport={"width": 794, "height": 1123})
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda r: asked.append(r.url))
    page.on("pageerror", lambda e: wrong.append(str(e)))
    page.on("console", lambda m: wrong.append(m.text))
    page.goto(report.as_uri())
    for tier in TIERS:
        expect(page.get_by_text(tier, exact=True).first).to_be_visible()
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        width = page.evaluate("document.scrollingElement.scrollWidth")
        assert width <= 794, media
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
    assert 1 <= len(pages) <= 2
    page.emulate_media(media="print")
    expect(page.get_by_text("To have this page as a PDF")).to_be_hidden()
    page.evaluate(  # a thousand groups print on pages of their own, and nothing is cut off
        "() => { const list = document.querySelector('.groups');"
        " list.innerHTML = '<li>a group with a name of three lines on paper</li>'.repeat(1000) }"
    )
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 794
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
    assert 5 <= len(pages) <= 12
    words = page.inner_text("body")
    assert not [size for size in SIZES if re.search(rf"\b{size}\b", words)]  # not in a key's digits
    assert asked == [report.as_uri()]
    assert not wrong
    context.close()


def test_presenter_page_shows_and_prints_one_tier_and_alone_nothing_else_reaches_the_browser(
    tab, app_url
):
    frames = listen(tab)
    open_page(tab, app_url, "data", seed=9)  # no number on screen rounds to an exact one
    upload(tab, PEOPLE)
    press(tab, "Use the groups found in the data")
    press(tab, "Use this statistic")
    go(tab, "Releases")
    draw(tab, "public")
    draw(tab, "partners")
    seen = on_screen(tab)
    go(tab, "Present")
    plots = tab.locator("[class*='st-key-single_'] .js-plotly-plot")
    expect(plots).to_have_count(1)
    assert_sees(plots.first, seen["public"].tolist())
    choose(tab, "Show what this tier sees", "partners")
    assert_sees(plots.first, seen["partners"].tolist())
    prints_on_one_sheet(tab)
    button(tab, "Show it alone, large").focus()  # by keyboard
    del frames[:]
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/present?tier=partners")
    expect(button(tab, "End Shortcut Esc")).to_be_visible()
    settled(tab)
    assert_sees(plots.first, seen["partners"].tolist())
    got, page = numbers_and_words(frames), tab.content()
    assert got[0] >= set(seen["partners"].tolist())
    assert not got[0] & {*seen["public"].tolist(), *map(float, SIZES)}
    assert "partners" in got[1]
    for text in (got[1], page):
        assert not re.search(r"\bpublic\b(?!-)", text)
    assert not tab.locator("a[href]:not([href^='#'])").count()
    expect(tab.get_by_test_id("stTopNavSection")).to_have_count(0)
    words = tab.locator("body").inner_text()
    assert not [size for size in SIZES if re.search(rf"\b{size}\b", words)]
    prints_on_one_sheet(tab)
    tab.keyboard.press("Escape")
    tab.wait_for_url("**/present")
    expect(tab.get_by_role("combobox", name="Show what this tier sees")).to_have_value("partners")
    expect(tab.get_by_test_id("stHeader")).to_be_visible()
    settled(tab)
    unfold(tab, "An exercise sheet")  # of any class: for a teacher without a board
    write(tab, exercises.LABEL, "bcdfgh")
    for name, answers in (("exercises", False), ("answers", True)):
        file = download(tab, f"present_{name}")
        assert file.read_text("utf-8") == exercises.sheet("BCDFGH", answers=answers)


def numbers_and_words(frames: list[bytes]) -> tuple[set[float], str]:
    """The numbers of all figures in what the server sent, and all of it as text."""
    whole = b"".join(frames)
    arrays = re.findall(rb'"dtype":\s*"(f8|i[1248])",\s*"bdata":\s*"([^"]*)"', whole)
    arrays += [
        (kind, data)
        for data, kind in re.findall(rb'"bdata":\s*"([^"]*)",\s*"dtype":\s*"(\w\d)"', whole)
    ]
    text = whole.decode("utf-8", "replace")
    numbers = {float(x) for x in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", text)}
    for kind, data in arrays:
        content = base64.b64decode(data.replace(b"\\u002b", b"+").replace(b"\\u002f", b"/"))
        numbers |= set(np.frombuffer(content, kind.decode()).astype(float).tolist())
    return numbers, text


def assert_sees(plot, numbers: list[float]) -> None:
    """The picture holds these numbers and none of the exact ones, in marks, lines and hovers."""
    held = json.loads(plot.evaluate(NUMBERS))
    found = {float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", json.dumps(held))}
    assert found >= set(numbers)
    assert not found & set(map(float, SIZES))


# What is on screen prints on one sheet: every screen of every lesson, and one tier's numbers.


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


@full_run  # one of them in test_lessons.py
@pytest.mark.parametrize("file", LESSONS)
def test_every_screen_of_a_lesson_prints_on_one_sheet(tab, app_url, file):
    lesson = importlib.import_module(f"dpviz.ui.{file}").LESSON
    path = "" if file == "start" else file
    for step, screen in enumerate(lesson.screens, 1):
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


def test_the_exercise_sheet_and_its_key_print_on_one_sheet(tab, app_url):
    tab.goto(f"{app_url}/_stcore/health")
    for code in ("KXRTMP", "QQQQQQ"):
        for answers in (False, True):
            for students in (0, 30):
                made = exercises.sheet(code, answers=answers, dealt=dealt_to(students))
                tab.set_content(made)
                for paper in SHEETS if FULL else SHEETS[:1]:
                    assert sheets(tab, **paper) == 1
