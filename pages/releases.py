"""Releases: every tier's release, drawn once, in any order."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.data import query_controls
from dpviz.ui.kit import code, formulas, hand_out, looking, parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.releases import controls, pictures
from dpviz.ui.releases import view as view_controls
from dpviz.workspace import account, takeaways
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top = st.container()
left, right = st.columns([3, 1], gap="medium")
with right:
    query_controls.choose_statistic(ws)
    looking.warn(ws, ws.statistic)
    controls.ask(ws)
    controls.change_plan(ws)
    parts.problem_of_last_act()
    pictures.meter_of(ws)
    controls.limit(ws)
    view = view_controls.view(ws)
held, query = ws.held, ws.statistic.query
with top:
    together, alone = account.joint(ws), account.independent(ws)
    sentence = takeaways.releases(held, ws.family, view.confidence, query, together, alone)
    parts.head("releases", sentence, ws.mode, view_controls.badges(ws, view))
with left:
    pictures.chart_of(ws, held, view)
pictures.ledger_of(ws)
pictures.statistics_of(ws)
hand_out.hand_out(ws, view.processing)
controls.session_acts(ws)
parts.folds(formulas.releases(ws, revealed=view.revealed), code.release_code(ws))
parts.footer("releases", footer_facts(ws))
