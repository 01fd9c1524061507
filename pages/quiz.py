"""Quiz: six questions after the lessons, with explanations; no account, nothing is kept."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui import start, the_promise, the_trick, trust_grows
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.quiz import show

page_setup()
workspace()  # a visit like any other: watched, and forgotten when it ends
show([lesson.LESSON for lesson in (start, the_promise, the_trick, trust_grows)])
