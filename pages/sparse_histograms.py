"""Sparse histograms: can you publish a list nobody wrote down first?"""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.sparse_histograms import controls, own, pictures, words
from dpviz.words.claims import Said

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("sparse_histograms")
below = st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    shown = controls.scene(ws)
if shown is None:
    with left:
        pictures.nothing()
    said = Said(words.NOTHING)
    with top:
        parts.head("sparse_histograms", said, [parts.WEAKLY_LOSSLESS])
else:
    with right:
        controls.refusals(shown)
    with left:
        pictures.main(ws, shown)
        own.files(ws, shown)
    with below:
        pictures.rates(shown)
    said = Said(words.take_away(shown), words.claims(shown))
    with top:
        parts.head("sparse_histograms", said, controls.badges(shown))
parts.Drawer().fill(
    "sparse_histograms",
    said,
    formula=lambda: words.formula(shown) if shown else "",
    code=lambda: words.code(shown, ws) if shown else "",
    facts=words.facts(shown.query, ws.table) if shown else (("Data", ws.table.name),),
)
