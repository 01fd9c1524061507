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

HEAD = parts.take_away


@pytest.fixture
def said(open_page, monkeypatch):
    """What the head of a page says, and why."""
    heads = []

    def spy(title, takeaway):
        heads.append(takeaway if isinstance(takeaway, Said) else Said(takeaway))
        HEAD(title, takeaway)

    monkeypatch.setattr(parts, "take_away", spy)

    def of(file):
        app = open_page(file)
        assert (heads[-1].why or "") in app.header[0].help  # after what its terms mean
        return heads[-1]

    return of


@pytest.mark.parametrize(
    "page", [page for page in PAGES if not page.is_lesson], ids=lambda page: page.file
)
def test_a_sentence_with_a_number_says_why(said, page):
    head = said(page.file)
    assert bool(head.claims) == bool(re.search(r"\d", head.text)), head.text
