"""Method: why this should be believed: mistakes found and made, limits, what nobody knows."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.method import PAGE

page_setup()
PAGE.show(workspace())
