"""Laplace or Gauss: which noise is smaller, and when that turns round."""

from functools import partial

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
closers, drawer = st.container(), parts.Drawer(settings=True)
with right:
    view = controls.view(ws, above, drawer.settings)
said = Said(verdict.sentence(view), verdict.claims(view))
with top:
    parts.head("laplace_or_gauss", said)
with left:
    pictures.hills(view)
    parts.onward("laplace_or_gauss")  # on a phone before what is beside the picture
if view is not None:
    with closers:
        pictures.closers(ws, view)
drawer.fill(
    "laplace_or_gauss",
    said,
    formula=partial(sample.formula, view),
    code=partial(sample.code, view),
    facts=words.facts(view, footer_facts(ws)),
)
