"""Releases: every tier's release, drawn once, in any order."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.data import query_controls, reading_check, table_controls
from dpviz.ui.kit import code, formulas, hand_out, ledgers, looking, parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.releases import any_order, controls, pictures
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
with asked:
    view = controls.ask(ws)
parts.problem_of_last_act()
held, query = ws.held, ws.statistic.query
with top:
    spent = account.joint(ws), account.independent(ws)
    sentence = takeaways.releases(
        held, ws.family, view.confidence, query, *spent, ws.values_of_tiers, size_of(ws)
    )
    parts.head("releases", sentence, view_controls.badges(ws, view))
left, right = st.columns([1.25, 1], gap="medium")
with left:
    frame = pictures.chart_of(ws, held, view)
    if held:
        parts.onward("releases")
with right:
    files = st.container()
    pictures.meter_of(ws, *spent)
    with files if ws.ledger else st.container():  # before a draw there is only a check of packs
        hand_out.hand_out(ws, view.processing)
parts.look_closer(any_order.QUESTION, any_order.pictures, key="orders")
if frame is not None:
    last = partial(pictures.last_draw_of, ws, frame)
    parts.look_closer("How was the last number drawn?", last, key="last")
    table = partial(pictures.numbers_of, frame)
    parts.look_closer("The same numbers as a table", table, key="numbers")
if ws.ledger:
    ledger = partial(pictures.ledger_of, ws)
    parts.look_closer(
        "The ledger: what each draw looked at, and what it cost", ledger, key="ledger"
    )
parts.Drawer().fill(
    "releases",
    sentence,
    formula=partial(formulas.releases, ws, revealed=view.revealed),
    code=partial(code.release_code, ws),
    facts=footer_facts(ws),
)
