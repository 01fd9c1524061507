"""Each lesson on a phone: title, sentence, all marks and the buttons are in view together."""

import importlib

import pytest
from playwright.sync_api import expect

from dpviz.ui.kit.page_table import PAGES
from tests.browser.driving import button, open_page, settled
from tests.conftest import FULL, few

LESSONS = [page.file for page in PAGES if page.is_lesson]
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


@pytest.mark.parametrize("file", few(LESSONS, len(LESSONS)))
def test_on_a_phone_sentence_marks_and_buttons_are_in_view_together(tab, app_url, file):
    lesson = importlib.import_module(f"dpviz.ui.{file}.screens").LESSON
    tab.set_viewport_size({"width": WIDE, "height": HIGH})
    open_page(tab, app_url, file)
    for step, screen in enumerate(lesson.screens, 1):
        title = tab.get_by_role("heading", level=1)
        expect(title).to_have_text(screen.title)
        if screen.act and FULL:  # the app tests press them all
            button(tab, screen.act.label).click()
            settled(tab)
        tab.locator(".js-plotly-plot .main-svg").first.wait_for()
        seen = tab.evaluate(BOXES, MARKS)
        assert len(seen["marks"]) > 3
        ((_, top_of_bar, _, _),) = seen["bar"]
        for left, top, right, bottom in (*seen["words"], *seen["marks"], *seen["buttons"]):
            assert left >= -1, (step, left)
            assert right <= WIDE + 1, (step, right)
            assert top >= 0, (step, top)
            assert bottom <= HIGH, (step, bottom)
        assert len(seen["buttons"]) == 2 + (screen.act is not None)
        assert len({round(box[1]) for box in seen["buttons"]}) == 1  # the bar does not wrap
        assert max(box[3] for box in seen["marks"]) <= top_of_bar
        if step < len(lesson.screens):
            button(tab, "Next").click()
            settled(tab)
