"""Tiers: who may see how much, as a budget or as an accuracy."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import code, formulas, looking, parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.tiers import controls, plan_controls, readable_controls
from dpviz.workspace import account, takeaways
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top, picture, plan = st.container(), st.container(), st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    controls.choose_mode(ws)
    controls.choose_family(ws)
    controls.choose_delta(ws)
with plan:
    problems = plan_controls.edit(ws)
    parts.problem_of_last_act()
tiers, planned, query = ws.values_of_tiers, ws.planned()[0], ws.statistic.query
with top:
    sentence = takeaways.tiers(tiers, ws.family, query, *account.plan(ws))
    parts.head("tiers", sentence, ws.mode, [parts.LOSSLESS, *looking.badges(ws)])
with left:
    if tiers:
        parts.ladder(tiers, ws.family, query, key="ladder")
with right:
    controls.remarks(ws, planned, problems)
with plan:
    controls.currencies(ws, planned)
    readable_controls.readable_groups(ws, planned)
    controls.practice()
parts.folds(formulas.plan(planned, ws.setting, query), code.plan_code(ws, planned))
parts.footer("tiers", footer_facts(ws))
