"""Laplace or Gauss: at which δ the better noise changes."""

import streamlit as st

import dpviz.ui.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui import (
    crossover_controls,
    crossover_folds,
    crossover_pictures,
    crossover_words,
    parts,
)
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace
from dpviz.ui.summary import footer_facts

page_setup()
ws = workspace()
top = st.container()
left, right = st.columns([3, 1], gap="medium")
with right:
    view = crossover_controls.view(ws)
with top:
    parts.head("laplace_or_gauss", crossover_words.takeaway(view), ws.mode)
with left:
    crossover_pictures.regions(ws, view)
crossover_pictures.details(view)
crossover_pictures.several_rounds(view)
crossover_pictures.tiers(ws, view)
parts.folds(crossover_folds.formula(view), crossover_folds.code(view))
parts.footer(crossover_words.facts(view, footer_facts(ws)))
