"""Laplace or Gauss: which noise is smaller, and when that turns round."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.laplace_or_gauss import controls, pictures, sample, verdict, words
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top = st.container()
left, right = st.columns([3, 1], gap="medium")
above = left.container()
with right:
    view = controls.view(ws, above)
with top:
    parts.head("laplace_or_gauss", Said(verdict.sentence(view), verdict.claims(view)), ws.mode)
with left:
    pictures.hills(ws, view)
    parts.onward("laplace_or_gauss")  # on a phone before what is beside the picture
pictures.folds(ws, view)
parts.folds(sample.formula(view), sample.code(view))
parts.footer(words.facts(view, footer_facts(ws)))
