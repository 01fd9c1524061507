"""Present: what one tier sees, large, or two tiers side by side; no badges, folds or footer."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import parts
from dpviz.ui.kit.page_table import page, path
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.present import controls
from dpviz.workspace import takeaways

page_setup()
ws = workspace()
held, query = ws.held, ws.statistic.query
screen, below = st.container(), st.container()
with below:
    chosen = controls.choose(held)
with screen:
    sentence = takeaways.view(chosen, ws.family, ACCURACY_CONFIDENCE, query)
    parts.bare_head(controls.title(ws, chosen) if chosen else page("present").question, sentence)
    if chosen:
        controls.pictures(ws, chosen)
    else:
        if controls.go_to_releases():
            st.switch_page(path("releases"))
        controls.sample()
if not controls.is_filled():
    controls.lectures()
    if chosen:
        parts.onward("present")
