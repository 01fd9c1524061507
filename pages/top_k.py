"""Top-k: can you publish a top ten and limit what it gives away?"""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.top_k import PAGE

page_setup()
PAGE.show(workspace())
