"""Composition: what many private answers cost together."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.composition import controls, pictures, sample, words
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("composition")
below, drawer = st.container(), parts.Drawer(settings=True)
bars, right = picture.columns([3, 2], gap="medium")
with right:
    st.subheader("What was asked", anchor=False)
    asked = st.container()
    adding = st.container(horizontal=True, gap="small", vertical_alignment="center")
    questions = st.popover(controls.CHANGE, icon=":material/edit:", width="stretch")
    fits = st.container()
    with fits:
        st.subheader("How many more answers fit?", anchor=False)
        fields = st.container(horizontal=True, gap="small")
    view = controls.view(ws, questions, adding, fields, drawer.settings)
said = Said(words.take_away(view, empty=not controls.any_rows()), words.claims(view))
with top:
    parts.head("composition", said)
with bars:
    pictures.two(view)
with asked:
    pictures.asked(view)
with adding:
    pictures.total(view)
with fits:
    pictures.room(view)
if view is not None:
    with below:
        pictures.closers(view)
drawer.fill(
    "composition",
    said,
    formula=partial(sample.formula, view),
    code=partial(sample.code, view),
    facts=words.facts(footer_facts(ws), view),
)
