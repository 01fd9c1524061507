"""Present: what one tier sees, large; by its address (?tier=…) alone, and nothing beside it."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.present import show

page_setup()
show()
