"""Data: what will be published, and how much one person can move it."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.data import closer, picture, query_controls, reading_check, table_controls, total_row
from dpviz.ui.kit import code, formulas, ledgers, looking, parts
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
ledgers.show(ws, ws.table)
total_row.ask(ws)
left, right = st.columns([2, 1], gap="medium")
with right:
    use = st.container()
    query, problem = query_controls.draft(ws)
with use:
    query_controls.use_button(ws, query, problem)
    found = reading_check.show(ws, query)
    shown = Statistic(ws.table, query, ws.loading) if query else ws.statistic
    looking.warn(ws, shown)
with top:
    said = takeaways.data(query) if query else Said(takeaways.NO_STATISTIC)
    parts.head("data", said, looking.badges(ws, shown))
with left:
    if query:
        picture.show(ws, query, shown, said)
    else:
        parts.empty("No statistic yet.", "Say what is counted, and for whom.")
    reading_check.rows(ws, found)
    if problem is None and shown.key == ws.statistic.key:  # else the next page shows another one
        parts.onward("data")
closer.look(ws, query)
parts.Drawer().fill(
    "data",
    said,
    formula=partial(formulas.sensitivity, shown.query),
    code=partial(code.sensitivity_code, shown),
    facts=footer_facts(ws, shown),
)
