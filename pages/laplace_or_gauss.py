"""Laplace or Gauss: which noise is smaller."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.laplace_or_gauss import PAGE

page_setup()
PAGE.show(workspace())
