"""Data: what will be published, and how much one person can move it."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.data import closer, picture, query_controls, table_controls
from dpviz.ui.kit import code, formulas, looking, parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said
from dpviz.workspace import takeaways
from dpviz.workspace.footer import footer_facts
from dpviz.workspace.sessions import Statistic

page_setup()
ws = workspace()
top = st.container()
table_controls.choose_table(ws)
left, right = st.columns([2, 1], gap="medium")
with right:
    use = st.container()
    query, problem = query_controls.draft(ws)
with use:
    query_controls.use_button(ws, query, problem)
    shown = Statistic(ws.table, query, ws.loading) if query else ws.statistic
    looking.warn(ws, shown)
with top:
    said = takeaways.data(query) if query else Said(takeaways.NO_STATISTIC)
    parts.head("data", said, ws.mode, looking.badges(ws, shown))
with left:
    if query:
        picture.show(ws, query, shown, said)
    else:
        parts.empty("No statistic yet.", "Say what is counted, and for whom.")
    parts.onward("data")
closer.look(ws, query)
parts.folds(formulas.sensitivity(shown.query), code.sensitivity_code(shown))
parts.footer(footer_facts(ws, shown))
