"""Continual counting: a noisy running count of data that keeps coming."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.continual_counting import show
from dpviz.ui.data import reading_check
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace

page_setup()
show(workspace(), reading_check.before_draw)
