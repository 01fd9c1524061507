"""Releases: every tier's release, drawn once, in any order."""

import streamlit as st

from dpviz.ui import account, code, formulas, parts, release_controls, release_pictures, takeaways
from dpviz.ui.hand_out import hand_out
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace
from dpviz.ui.summary import footer_facts

page_setup()
ws = workspace()
top = st.container()
left, right = st.columns([3, 1], gap="medium")
with right:
    release_controls.ask(ws)
    parts.problem_of_last_act()
    confidence = release_controls.confidence()
    release_pictures.meter_of(ws)
    revealed = release_controls.reveal(ws)
held = ws.held
with top:
    together, alone = account.joint(ws), account.independent(ws)
    sentence = takeaways.releases(held, ws.family, confidence, together, alone)
    parts.head("releases", sentence, ws.mode, release_controls.badges(ws, revealed))
with left:
    release_pictures.chart_of(ws, held, confidence, revealed)
release_pictures.ledger_of(ws)
hand_out(ws)
release_controls.session_acts(ws)
parts.folds(formulas.releases(ws), code.release_code(ws))
parts.footer(footer_facts(ws))
