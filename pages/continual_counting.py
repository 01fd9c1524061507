"""Continual counting: a noisy running count of data that keeps coming."""

from dataclasses import replace
from functools import partial

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.continual_counting import PAGE, check_reading
from dpviz.ui.data import reading_check
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace

page_setup()
replace(PAGE, acts=partial(check_reading, reading_check.before_draw)).show(workspace())
