"""Lesson: what the promise says. Six screens on the definition: two tables, and what one learns."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.lesson_view import show
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.the_promise import LESSON

page_setup()
workspace()  # a visit like any other: watched, and forgotten when it ends
show(LESSON)
