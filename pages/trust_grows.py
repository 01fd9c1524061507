"""Lesson: trust grows. Six screens on the local model: one patient, four hospitals."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.lesson_view import show
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.trust_grows import LESSON

page_setup()
workspace()  # a visit like any other: watched, and forgotten when it ends
show(LESSON)
