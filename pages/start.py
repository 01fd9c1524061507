"""Start: the lesson of the front page. Six screens on what a count gives away, and what noise does.

A visitor who has seen it, or skipped it, comes back to its last screen.
"""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.lesson_view import show
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.start import LESSON

page_setup()
workspace()  # a visit like any other: watched, and forgotten when it ends
show(LESSON)
