"""Method: why this should be believed: rules, checks, mistakes found, limits."""

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
left, right = st.columns([2, 3], gap="medium")
with left:
    pictures.alarms()
with right:
    pictures.mistakes()
parts.onward("method")
pictures.doubts()
pictures.folds()
parts.Drawer().fill(
    "method",
    said,
    formula=lambda: sample.FORMULA,
    code=sample.code,
    facts=words.facts(footer_facts(ws)),
)
