"""Laplace or Gauss: at which δ the better noise changes."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.laplace_or_gauss import controls, pictures, sample, words
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top = st.container()
left, right = st.columns([3, 1], gap="medium")
with right:
    view = controls.view(ws)
with top:
    parts.head("laplace_or_gauss", Said(words.takeaway(view), words.claims(view)), ws.mode)
with left:
    pictures.regions(ws, view)
pictures.held_fixed(view)
pictures.details(view)
pictures.several_rounds(view)
pictures.groups_and_rounds(view)
pictures.tiers(ws, view)
parts.folds(sample.formula(view), sample.code(view))
parts.footer("laplace_or_gauss", words.facts(view, footer_facts(ws)))
