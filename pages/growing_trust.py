"""Growing trust: one person's number, a circle of friends, a data market."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.growing_trust import stories
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace

page_setup()
stories.show(workspace())
