"""Class board: a class draws numbers of one town, with separate noise and then on one path."""

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.classroom import show
from dpviz.ui.kit.shell import page_setup

page_setup()
show()
