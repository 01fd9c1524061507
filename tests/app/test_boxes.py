"""Few boxes: on every page at most two closers, which a reader opens, and one drawer."""

import pytest

from dpviz.ui.growing_trust.stories import STORIES
from dpviz.ui.kit.page_table import PAGES
from dpviz.ui.kit.parts import SPECIALISTS
from tests.app.reading import workspace

MOST = 2  # closers
BARE = {"classroom", "quiz", "present", "more_questions"}
WITHOUT_DRAWER = BARE | {page.file for page in PAGES if page.is_lesson}


def boxes(app):
    """Labels of all boxes on the page."""
    return [box.label for box in app.expander]


def too_many(labels):
    closers = [label for label in labels if label != SPECIALISTS]
    return len(closers) > MOST


def has_few(page, seen):
    """Whether a page had at most two closers, and its one drawer, each time that it was seen."""
    drawers = 0 if page in WITHOUT_DRAWER else 1
    counted = [labels.count(SPECIALISTS) == drawers for labels in seen]
    return all(counted) and not any(map(too_many, seen))


@pytest.mark.usefixtures("shut")
def test_a_story_has_few_boxes(open_page):
    """The other pages: where test_quiet.py shows each of them, before a release and after it."""
    app, seen = open_page("growing_trust"), []
    workspace(app).draw("public", "audit")
    for story in STORIES:
        app.segmented_control(key="trust_story").set_value(story).run()
        seen.append(boxes(app))
    assert has_few("growing_trust", seen)


def test_a_third_closer_and_a_missing_drawer_are_too_many_and_too_few():
    assert has_few("variances", [["one", "two", SPECIALISTS]])
    assert not has_few("variances", [["one", "two", "three", SPECIALISTS]])
    assert not has_few("variances", [["one", "two"]])
    assert not has_few("present", [[SPECIALISTS]])
