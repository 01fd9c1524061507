"""Every page says why its numbers are true; the numbers themselves are computed again elsewhere.

A lesson's sentences have no numbers, and its numbers say why beside themselves: test_lesson.py.
Those of the planner's pages in tests/unit/workspace/test_claims.py, those of the pages that explain
in the test_claims.py of each room.
"""

import re

import pytest

from dpviz.ui.kit import parts
from dpviz.ui.kit.page_table import PAGES
from dpviz.words.claims import Said

FILL = parts.Drawer.fill


@pytest.fixture
def said(open_page, monkeypatch):
    """The headline of a page, which the drawer is handed with its reasons and shows."""
    heads = []

    def spy(drawer, file, headline, **rest):
        heads.append(headline if isinstance(headline, Said) else Said(headline))
        FILL(drawer, file, headline, **rest)

    monkeypatch.setattr(parts.Drawer, "fill", spy)

    def of(file):
        app = open_page(file)
        (head,) = heads
        assert app.header[0].value == head.text
        assert not head.why or any(m.value == head.why for m in app.markdown)
        return head

    return of


@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if not p.is_lesson and p.file not in ("present", "more_questions")],
    ids=lambda page: page.file,
)
def test_a_sentence_with_a_number_says_why(said, page):
    head = said(page.file)
    assert bool(head.claims) == bool(re.search(r"\d", head.text)), head.text
