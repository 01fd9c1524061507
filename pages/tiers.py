"""Tiers: who may see how much, as a budget or as an accuracy."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import code, formulas, looking, parts, plan_file
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.tiers import closer, controls, picture, plan_controls, readable_controls
from dpviz.workspace import account, takeaways
from dpviz.workspace.footer import footer_facts
from dpviz.workspace.group_sizes import size_of

page_setup()
ws = workspace()
plan_file.take(ws)  # before the fields, which it fills
readable_controls.keep_sizes(ws)  # before the sentence, which speaks of them
top = st.container()
left, right = st.columns([3, 2], gap="medium")
below, drawer = st.container(), parts.Drawer(settings=True)
with right:
    problems, files = plan_controls.edit(ws, drawer.settings)
    parts.problem_of_last_act()
with below:  # before the files and the picture, which say what all fields of the page say
    closer.noise(ws)
with files:
    plan_file.show(ws)
planned, query = ws.planned()[0], ws.statistic.query
spent = account.plan(ws)
said = takeaways.tiers(ws.values_of_tiers, ws.family, query, *spent, size_of(ws))
with top:
    parts.head("tiers", said, [parts.LOSSLESS, *looking.badges(ws)])
with left:
    if planned:
        picture.show(ws, planned, *spent)
    controls.remarks(ws, planned, problems)
    parts.onward("tiers")
with below:
    closer.readable(ws, planned)
drawer.fill(
    "tiers",
    said,
    formula=partial(formulas.plan, planned, ws.setting, query),
    more=partial(controls.currencies, ws, planned),
    code=partial(code.plan_code, ws, planned),
    facts=footer_facts(ws),
)
