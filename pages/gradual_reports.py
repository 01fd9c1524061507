"""Gradual reports: one person's value at every budget."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.gradual_reports import controls, paper, pictures, sample, words
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("gradual_reports")
folded = st.container()
left, right = picture.columns(2, gap="medium")
path, slide, same = (left.container() for _ in range(3))
readers, asking, settings = (right.container() for _ in range(3))
with settings:
    view = controls.view(ws, slide, asking)
with top:
    said = Said(words.take_away(view), words.claims(view))
    parts.head("gradual_reports", said, [parts.LOSSLESS])
    if ws.mode == "hardened":
        st.caption(words.HARDENED)
with path:
    if view is None:
        pictures.nothing()
    else:
        pictures.thread(view)
        same.markdown(words.stays(view))
if view is not None:
    with asking:
        pictures.ask(view)
    with readers:
        pictures.readers(view)
    with folded:
        parts.look_closer(
            "What the next number may be",
            partial(pictures.next_release, view),
            key="gradual_next",
        )
with folded, st.expander("Look closer: many days, many jumps, the paper", icon=":material/search:"):
    if view is not None:
        pictures.many(view)
        pictures.jumps(view)
    paper.section()
parts.Drawer().fill(
    "gradual_reports",
    said,
    formula=partial(sample.formula, view),
    code=partial(sample.code, view),
    facts=words.facts(view),
)
