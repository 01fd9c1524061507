"""Few boxes: on every page at most two closers, which a reader opens, and one drawer."""

import pytest

from dpviz.ui.growing_trust.stories import STORIES
from dpviz.ui.kit import controls
from dpviz.ui.kit.page_table import PAGES
from dpviz.ui.kit.parts import SPECIALISTS
from tests.app.reading import workspace

MOST = 2  # closers
WITHOUT_DRAWER = {"present", "more_questions", *(page.file for page in PAGES if page.is_lesson)}


@pytest.fixture(autouse=True)
def _folds_are_shut(monkeypatch):
    monkeypatch.setattr(controls, "OPEN_AT_FIRST", False)


def boxes(app):
    """Labels of all boxes on the page."""
    return [box.label for box in app.expander]


def too_many(labels):
    closers = [label for label in labels if label != SPECIALISTS]
    return len(closers) > MOST


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file)
def test_a_page_has_at_most_two_closers_and_one_drawer(open_page, page):
    app = open_page(page.file)
    seen = [boxes(app)]
    workspace(app).draw("public", "audit")  # what is released brings no further box
    assert not app.run().exception
    seen.append(boxes(app))
    if page.file == "growing_trust":
        for story in STORIES:
            app.segmented_control(key="trust_story").set_value(story).run()
            seen.append(boxes(app))
    drawers = 0 if page.file in WITHOUT_DRAWER else 1
    assert [labels.count(SPECIALISTS) for labels in seen] == [drawers] * len(seen)
    assert not [labels for labels in seen if too_many(labels)]
