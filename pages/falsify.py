"""Falsify: noise on trial, ours beside a copy of it that is broken on purpose."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.falsify import PAGE
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace

page_setup()
PAGE.show(workspace())
