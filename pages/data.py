"""Data: what will be published, and how much one person can move it."""

import streamlit as st

from dpviz import frames
from dpviz.figures.influence import influence
from dpviz.ui import code, data_controls, formulas, parts, takeaways
from dpviz.ui.rounds import Statistic
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace
from dpviz.ui.summary import footer_facts, look_at_table

page_setup()
ws = workspace()
top = st.container()
left, right = st.columns([3, 1], gap="medium")
with right:
    data_controls.choose_table(ws)
    query, problem = data_controls.draft(ws)
    if problem:
        parts.refusal(problem)
    data_controls.use_button(ws, query)
shown = Statistic(ws.table, query, ws.loading) if query else ws.statistic
with top:
    parts.head("data", takeaways.data(query) if query else takeaways.NO_STATISTIC, ws.mode)
with left:
    if query:
        parts.chart(
            influence(frames.influence_frame(query), axis_title="change of a count, people"),
            heading="How far one person can move the published counts",
            reading=formulas.influence_reading(query),
            alt=f"{len(query.groups):,} groups; one person moves at most "
            f"{query.groups_per_person} of the counts, by 1 each.",
            key="influence",
        )
        st.subheader("Sensitivity: add or remove one person", anchor=False)
        parts.table(frames.sensitivity_frame(query), alt="The three norms with their numbers.")
    else:
        parts.empty("No statistic yet.", "Choose a column and list the groups to publish.")
look_at_table(ws)
parts.folds(formulas.sensitivity(shown.query), code.sensitivity_code(shown))
parts.footer(footer_facts(ws, shown))
