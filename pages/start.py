"""Start: the lesson of the front page. Six screens on what a count gives away, and what noise does.

A visitor who has seen it, or skipped it, comes back to its last screen.
"""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import controls, plan_file
from dpviz.ui.kit.lesson_view import is_lecture, show
from dpviz.ui.kit.page_table import path
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.start import LESSON

page_setup()
ws = workspace()  # a visit like any other: watched, and forgotten when it ends
plan_file.take(ws)
if show(LESSON) and not is_lecture():
    controls.page_link(path("classroom"), "Teaching a class? Open a class board")
    plan_file.show(ws, onward="tiers")
