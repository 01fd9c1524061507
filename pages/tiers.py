"""Tiers: who may see how much, as a budget or as an accuracy."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import code, formulas, looking, parts, plan_file
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.tiers import closer, controls, picture, plan_controls
from dpviz.workspace import account, takeaways
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
plan_file.take(ws)  # before the fields, which it fills
top = st.container()
left, right = st.columns([3, 2], gap="medium")
below = st.container()
with right:
    problems, files = plan_controls.edit(ws)
    parts.problem_of_last_act()
with below:  # before the files and the picture, which say what all fields of the page say
    closer.noise(ws)
with files:
    plan_file.show(ws)
planned, query = ws.planned()[0], ws.statistic.query
spent = account.plan(ws)
said = takeaways.tiers(ws.values_of_tiers, ws.family, query, *spent)
with top:
    parts.head("tiers", said, ws.mode, [parts.LOSSLESS, *looking.badges(ws)])
with left:
    if planned:
        picture.show(ws, planned, *spent, said)
    controls.remarks(ws, planned, problems)
    parts.onward("tiers")
closer.look(ws, planned)
parts.folds(formulas.plan(planned, ws.setting, query), code.plan_code(ws, planned))
parts.footer(footer_facts(ws))
