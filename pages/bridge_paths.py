"""Bridge paths: how a release is drawn between two others."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.bridge_paths import PAGE
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace

page_setup()
PAGE.show(workspace())
