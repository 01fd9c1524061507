"""Collusion: what readers gain by comparing notes."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.collusion import PAGE
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace

page_setup()
PAGE.show(workspace())
