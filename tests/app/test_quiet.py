"""Showing a page draws nothing of a visitor's: a press does that; and it has few boxes."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz import streams
from dpviz.noise import ADDITIVE
from dpviz.queries import Count
from dpviz.ui.growing_trust.stories import STORIES
from dpviz.ui.kit.controls import keyed
from dpviz.ui.kit.page_table import PAGES
from dpviz.ui.kit.parts import SPECIALISTS
from dpviz.workspace.book import Book
from dpviz.workspace.gradual import LEAST, MOST
from tests.conftest import few

OF_ALL_KINDS = frozenset(name for name in dir(np.random.Generator) if not name.startswith("_")) - {
    "bit_generator",
    "spawn",
}
HELD = ("public", "audit")
VIEWS = [  # another view of the same: page, kind of control, key, what it is set to
    ("releases", "segmented_control", "confidence", 0.9),
    ("bridge_paths", "segmented_control", "bridge_source", "my statistic"),
    ("collusion", "toggle", "collusion_losses", True),
    ("growing_trust", "select_slider", keyed("gradual_epsilon", (LEAST, MOST)), 0.7),
    ("continual_counting", "slider", "counting_step_1008_example", 300),
]


class Watched(np.random.Generator):
    """A generator that tells when it is asked for numbers."""

    heard = None

    def __getattribute__(self, name):
        if name in OF_ALL_KINDS:
            Watched.heard(name)
        return super().__getattribute__(name)


@pytest.fixture
def draws(monkeypatch):
    """What was drawn, and which exact answers were asked for: by `Book.record_all`, and by others.

    Who has no exact answer of the visitor's draws what is made up.
    """
    seen, inside = SimpleNamespace(own=[], made_up=[], exact=[]), threading.local()

    def heard(what):
        within = getattr(inside, "record", False)
        others = seen.exact if what == "Count.values" else seen.made_up
        (seen.own if within else others).append(what)

    def watch(owner, name):
        real = getattr(owner, name)

        def told(*args, **kwargs):
            heard(f"{owner.__name__}.{name}")
            return real(*args, **kwargs)

        monkeypatch.setattr(owner, name, told)

    for family in ADDITIVE.values():
        watch(type(family), "extend")
        watch(type(family), "bridge")
    watch(Count, "values")
    teaching, record = streams.teaching, Book.record_all
    monkeypatch.setattr(Watched, "heard", heard)
    monkeypatch.setattr(streams, "teaching", lambda *path: Watched(teaching(*path).bit_generator))

    def recorded(*args, **more):
        inside.record = True
        try:
            record(*args, **more)
        finally:
            inside.record = False

    monkeypatch.setattr(Book, "record_all", recorded)
    return seen


def nothing_more(draws):
    """Whether nothing was drawn since the last look."""
    kinds = (draws.own, draws.made_up, draws.exact)
    found = any(kinds)
    for kind in kinds:
        kind.clear()
    return not found


@pytest.mark.usefixtures("pictured")
@pytest.mark.parametrize("page", few([page.file for page in PAGES], 4))
def test_a_page_has_few_boxes_and_draws_nothing_when_shown_again_with_and_without_releases(
    page, open_page, draws
):
    app = open_page(page, "laplace")  # examples are drawn once; other tests have Gaussian noise
    seen, plan = [boxes(app)], app.workspace().plan.tiers
    assert not draws.own + draws.exact
    away = "present" if page != "present" else "start"
    app.go(away)
    nothing_more(draws)
    app.go(page)
    assert nothing_more(draws)
    app.workspace().draw(*HELD)
    assert draws.own  # a press draws, and is heard
    assert not draws.made_up + draws.exact
    nothing_more(draws)
    app.run()
    assert not draws.own + draws.exact
    nothing_more(draws)
    app.run()
    assert nothing_more(draws)
    assert app.workspace().plan.tiers == plan
    assert has_few(page, [*seen, boxes(app)])  # what is released brings no further box


@pytest.mark.usefixtures("pictured", "unfolded")
@pytest.mark.parametrize(("page", "kind", "key", "value"), few(VIEWS, 3))
def test_another_view_draws_nothing(page, kind, key, value, open_page, draws):
    app = open_page(page)
    nothing_more(draws)
    (control,) = (c for c in getattr(app, kind) if c.key == key)
    assert control.value != value
    control.set_value(value).run()
    assert nothing_more(draws)


@pytest.mark.usefixtures("pictured", "unfolded")
def test_examples_are_heard(open_page, draws):
    open_page("bridge_paths")  # its example is a visitor's own
    assert draws.made_up


# Few boxes: on every page at most two closers, which a reader opens, and one drawer.


MOST_CLOSERS = 2  # closers
BARE = {"classroom", "quiz", "present", "more_questions"}
WITHOUT_DRAWER = BARE | {page.file for page in PAGES if page.is_lesson}


def boxes(app):
    """Labels of all boxes on the page."""
    return [box.label for box in app.expander]


def too_many(labels):
    closers = [label for label in labels if label != SPECIALISTS]
    return len(closers) > MOST_CLOSERS


def has_few(page, seen):
    """Whether a page had at most two closers, and its one drawer, each time that it was seen."""
    drawers = 0 if page in WITHOUT_DRAWER else 1
    counted = [labels.count(SPECIALISTS) == drawers for labels in seen]
    return all(counted) and not any(map(too_many, seen))


@pytest.mark.usefixtures("shut")
def test_a_story_has_few_boxes(open_page):
    """The other pages: where test_quiet.py shows each of them, before a release and after it."""
    app, seen = open_page("growing_trust"), []
    app.workspace().draw("public", "audit")
    for story in STORIES:
        app.segment("trust_story", story)
        seen.append(boxes(app))
    assert has_few("growing_trust", seen)


def test_a_third_closer_and_a_missing_drawer_are_too_many_and_too_few():
    assert has_few("variances", [["one", "two", SPECIALISTS]])
    assert not has_few("variances", [["one", "two", "three", SPECIALISTS]])
    assert not has_few("variances", [["one", "two"]])
    assert not has_few("present", [[SPECIALISTS]])
