"""Tiers: who may see how much, as a budget or as an accuracy."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.tiers import PAGE

page_setup()
PAGE.show(workspace())
