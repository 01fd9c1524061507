"""Data: what will be published, and how much one person can move it."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.charts.data.influence import influence, influence_frame, sensitivity_frame
from dpviz.ui.data import bounding, query_controls, table_controls
from dpviz.ui.kit import code, formulas, looking, parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.kit.summary import look_at_table
from dpviz.words.claims import Said
from dpviz.workspace import takeaways
from dpviz.workspace.footer import footer_facts
from dpviz.workspace.sessions import Statistic

page_setup()
ws = workspace()
top = st.container()
left, right = st.columns([3, 1], gap="medium")
with right:
    query_controls.choose_statistic(ws)
    table_controls.choose_table(ws)
    query, problem = query_controls.draft(ws)
    if problem:
        parts.problem(problem)
    query_controls.use_button(ws, query)
    shown = Statistic(ws.table, query, ws.loading) if query else ws.statistic
    looking.warn(ws, shown)
with top:
    said = takeaways.data(query) if query else Said(takeaways.NO_STATISTIC)
    parts.head("data", said, ws.mode, looking.badges(ws, shown))
with left:
    if query:
        parts.chart(
            influence(
                influence_frame(query),
                axis_title=f"change of a number, {query.noun_released}",
            ),
            heading="How far one person can move the published numbers",
            reading=formulas.influence_reading(query),
            alt=takeaways.plain_text(said.text),
            key="influence",
        )
        st.subheader(f"Sensitivity: {query.neighbours}", anchor=False)
        parts.table(sensitivity_frame(query), alt="The three norms with their numbers.")
        bounding.cost(ws, query)
    else:
        parts.empty("No statistic yet.", "Say what is counted, and for whom.")
look_at_table(ws)
st.caption(takeaways.RELOAD)
parts.folds(formulas.sensitivity(shown.query), code.sensitivity_code(shown))
parts.footer("data", footer_facts(ws, shown))
