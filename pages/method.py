"""Method: why this should be believed: mistakes found and made, limits, what nobody knows."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.method import pictures, sample, words
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
said = Said(words.take_away(), words.claims())
parts.head("method", said)
left, right = st.columns([3, 2], gap="medium")
with left:
    pictures.mistakes()
with right:
    pictures.alarms()
parts.onward("method")
parts.look_closer("What is protected, against whom?", pictures.limits, key="method_who")
parts.look_closer("What nobody knows yet", pictures.unknown, key="method_unknown")
parts.Drawer().fill(
    "method",
    said,
    formula=words.formula,
    code=sample.code,
    facts=words.facts(footer_facts(ws)),
)
