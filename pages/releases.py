"""Releases: every tier's release, drawn once, in any order."""

import streamlit as st

import dpviz.ui.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui import (
    account,
    code,
    formulas,
    hand_out,
    looking,
    parts,
    query_controls,
    release_controls,
    release_pictures,
    takeaways,
    view_controls,
)
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace
from dpviz.ui.summary import footer_facts

page_setup()
ws = workspace()
top = st.container()
left, right = st.columns([3, 1], gap="medium")
with right:
    query_controls.choose_statistic(ws)
    looking.warn(ws, ws.statistic)
    release_controls.ask(ws)
    release_controls.change_plan(ws)
    parts.problem_of_last_act()
    release_pictures.meter_of(ws)
    view = view_controls.view(ws)
held, query = ws.held, ws.statistic.query
with top:
    together, alone = account.joint(ws), account.independent(ws)
    sentence = takeaways.releases(held, ws.family, view.confidence, query, together, alone)
    parts.head("releases", sentence, ws.mode, view_controls.badges(ws, view))
with left:
    release_pictures.chart_of(ws, held, view)
release_pictures.ledger_of(ws)
release_pictures.statistics_of(ws)
hand_out.hand_out(ws, view.processing)
release_controls.session_acts(ws)
parts.folds(formulas.releases(ws, revealed=view.revealed), code.release_code(ws))
parts.footer(footer_facts(ws))
