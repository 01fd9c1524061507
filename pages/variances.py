"""Variances: what separate noise would cost."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.variances import PAGE

page_setup()
PAGE.show(workspace())
