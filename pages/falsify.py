"""Falsify: noise on trial, ours beside a copy of it that is broken on purpose."""

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
top, main = st.container(), st.container()
left, right = main.columns([3, 1], gap="medium")
parts.onward("falsify")
parts.look_closer(game.TITLE, game.play, key="falsify_game")
parts.look_closer(own.TITLE, own.show, key="falsify_own")
drawer = parts.Drawer(settings=True)
with right:
    broken = controls.mistake()
    quick = controls.ours(drawer.settings)
with left:
    asked, trial = controls.tried(quick)
    beside = controls.tried(broken)
    pictures.bets((asked, trial), beside)
    if beside[1] is not None:
        st.markdown(words.verdict(beside[0], beside[1]))
with right:
    controls.play(asked)
    if trial is not None:
        controls.progress(asked)
said = Said(words.take_away(asked, trial), words.claims(asked, trial))
with top:
    parts.head("falsify", said, pictures.badges(asked, trial))
drawer.fill(
    "falsify",
    said,
    formula=partial(words.formula, asked, trial),
    code=partial(sample.code, asked),
    facts=words.facts(asked),
)
