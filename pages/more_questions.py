"""The overview: seven cards, each with a small picture and the question of its page."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.more_questions import show

page_setup()
show()
