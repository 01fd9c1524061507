"""Lesson: how the trick works. Six screens on noise as a path, and numbers drawn in any order."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.lesson_view import show
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.the_trick import LESSON

page_setup()
workspace()  # a visit like any other: watched, and forgotten when it ends
show(LESSON)
