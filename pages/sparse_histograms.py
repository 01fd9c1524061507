"""Sparse histograms: what if the domain is huge?"""

import streamlit as st

import dpviz.ui.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui import (
    parts,
    sparse_controls,
    sparse_erratum,
    sparse_facts,
    sparse_growth,
    sparse_own,
    sparse_pictures,
    sparse_words,
)
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace

page_setup()
ws = workspace()
top, picture, below = st.container(), st.container(), st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    shown = sparse_controls.scene(ws)
if shown is None:
    with left:
        sparse_pictures.nothing()
    with top:
        parts.head("sparse_histograms", sparse_words.NOTHING, ws.mode, [parts.WEAKLY_LOSSLESS])
else:
    with right:
        sparse_controls.acts(shown)
    with left:
        sparse_pictures.main(shown)
        sparse_own.files(ws, shown)
    with below:
        sparse_pictures.rates(shown)
        sparse_growth.section(shown)
        told = sparse_erratum.section()
    with top:
        parts.head(
            "sparse_histograms",
            sparse_words.take_away(shown),
            sparse_controls.mode_of(ws, shown),
            sparse_controls.badges(shown),
        )
    parts.folds(
        sparse_words.formula(shown),
        sparse_words.code(shown, ws.loading) + sparse_erratum.code(told),
    )
query = shown.query if shown else None
parts.footer(sparse_facts.page_facts(query, ws.table.name))
