"""Composition: what many private answers cost together."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.composition import controls, pictures, sample, words
from dpviz.ui.kit import parts
from dpviz.ui.kit.controls import drawer
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("composition")
below = st.container()
bars, right = picture.columns([3, 2], gap="medium")
with right:
    st.subheader("What was asked", anchor=False)
    asked = st.container()
    adding = st.container(horizontal=True, gap="small", vertical_alignment="center")
    with drawer(controls.CHANGE, key="composition_change", icon="edit"):
        questions = st.container()
    fits = st.container()
    with fits:
        st.subheader("How many more answers fit?", anchor=False)
        fields = st.container(horizontal=True, gap="small")
    view = controls.view(ws, questions, adding, fields)
with top:
    parts.head(
        "composition",
        Said(words.take_away(view, empty=not controls.any_rows()), words.claims(view)),
        ws.mode,
    )
with bars:
    pictures.two(view)
with asked:
    pictures.asked(view)
with adding:
    pictures.total(view)
with fits:
    pictures.room(view)
with below:
    pictures.folds(view)
parts.folds(sample.formula(view), sample.code(view))
parts.footer(words.facts(footer_facts(ws), view))
