"""Growing trust: one person's number, a circle of friends, a data market."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.growing_trust import stories
from dpviz.ui.growing_trust.circle import story as circle
from dpviz.ui.growing_trust.market import story as market
from dpviz.ui.growing_trust.pulse import story as pulse
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace

page_setup()
ws = workspace()
top, switch, picture = (st.container() for _ in range(3))
parts.onward("growing_trust")
closers, drawer = st.container(), parts.Drawer()
with switch:
    story = stories.chosen()
left, right = picture.columns([2, 1], gap="medium")
show = {stories.PULSE: pulse.show, stories.CIRCLE: circle.show, stories.MARKET: market.show}
told = show[story](ws, left, right)
with top:
    parts.head("growing_trust", told.said, [parts.LOSSLESS])
with closers:
    for label, inside, key in told.closers:
        parts.look_closer(label, inside, key=key)
drawer.fill("growing_trust", told.said, formula=told.formula, code=told.code, facts=told.facts)
