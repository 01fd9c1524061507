"""Falsify: noise on trial, ours and copies of it that are broken on purpose."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.falsify import controls, game, own, pictures, sample, words
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said

page_setup()
workspace()
top = st.container()
left, right = st.columns([3, 1], gap="medium")
with left:
    kind = controls.kind()
with right:
    quick = controls.asked(kind)
with left:
    asked, trial = controls.tried(quick)
    pictures.event(asked, trial)
    controls.play(asked)
    if trial is not None:
        controls.progress(asked)
        st.markdown(words.law_words(trial))
if trial is not None:
    parts.onward("falsify")
said = Said(words.take_away(asked, trial), words.claims(asked, trial))
with top:
    parts.head("falsify", said, pictures.badges(asked, trial))
parts.look_closer(game.TITLE, game.play, key="falsify_game")
parts.look_closer(own.TITLE, own.show, key="falsify_own")
parts.Drawer().fill(
    "falsify",
    said,
    formula=partial(words.formula, asked, trial),
    code=partial(sample.code, asked),
    facts=words.facts(asked),
)
