"""Releases: every tier's release, drawn once, in any order."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.data import query_controls, reading_check, table_controls
from dpviz.ui.kit import code, formulas, hand_out, ledgers, looking, parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.releases import controls, pictures
from dpviz.ui.releases import view as view_controls
from dpviz.workspace import account, takeaways
from dpviz.workspace.footer import footer_facts
from dpviz.workspace.group_sizes import size_of

page_setup()
ws = workspace()
top = st.container()
query_controls.choose_statistic(ws)
asked = st.container()
table_controls.bring_again(ws, controls.waits_for_table)
ledgers.show(ws, ws.statistic.table)
looking.warn(ws, ws.statistic)
reading_check.before_draw(ws, ws.statistic, ws.round)
body, drawer = st.container(), parts.Drawer(settings=True, last="Numbers and ledger")
with drawer.settings:
    view = controls.settings(ws)
with body:
    left, right = st.columns([1.25, 1], gap="medium")
with asked if ws.held else left:  # before the first draw the buttons are large
    controls.ask(ws)
parts.problem_of_last_act()
held, query = ws.held, ws.statistic.query
with top:
    spent = account.joint(ws), account.independent(ws)
    sentence = takeaways.releases(
        held, ws.family, view.confidence, query, *spent, ws.values_of_tiers, size_of(ws)
    )
    parts.head("releases", sentence, view_controls.badges(ws, view))
with left:
    frame = pictures.chart_of(ws, held, view)
    if held:
        parts.onward("releases")
with right:
    files = st.container()
    pictures.meter_of(ws, *spent)
    with files if ws.ledger else st.container():  # before a draw there is only a check of packs
        hand_out.hand_out(ws, view.processing)
with body:
    parts.look_closer(controls.LATER, partial(controls.later, ws), key=controls.BOX)
drawer.fill(
    "releases",
    sentence,
    formula=partial(formulas.releases, ws, revealed=view.revealed),
    code=partial(code.release_code, ws),
    facts=footer_facts(ws),
    last=partial(pictures.numbers_and_ledger, ws, frame),
)
