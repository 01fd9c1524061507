"""Bridge paths: how a release is drawn between two others."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.bridge_paths import controls, formulas, pictures, steps, words
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("bridge_paths")
closers, drawer = st.container(), parts.Drawer(settings=True)
left, right = picture.columns([3, 1], gap="medium")
with right:
    shown = controls.as_read(controls.scene(ws, drawer.settings))
badges = [parts.LOSSLESS]
if shown.example is None and shown.held.exact is not None:
    badges.append(parts.REVEALED)
if shown.held.pins:
    with right:
        above = st.container()
    with left:
        chart = st.container()
        asked = controls.new_level(shown)
        meant = controls.sure(ws, shown, asked)
        controls.acts(ws, shown, asked, meant)
    with above:
        st.caption(words.guesses_right(asked, shown))
    with drawer.settings:
        path = controls.jagged()
    law = shown.held.law(asked.budget.level)
    with chart:
        pictures.main(shown, asked, law, path)
    said = Said(words.take_away(shown, asked, law), words.claims(shown, asked, law))
    with closers:
        steps.closer(shown)
    formula, code = (
        partial(formulas.formula, shown, asked, law),
        partial(formulas.code, shown, asked, law),
    )
else:
    with left:
        pictures.nothing_held(ws)
    said, formula, code = Said(words.NOTHING_HELD), str, str
with top:
    parts.head("bridge_paths", said, badges)
facts = words.example_facts(shown) if shown.example else footer_facts(ws)
drawer.fill("bridge_paths", said, formula=formula, code=code, facts=facts)
