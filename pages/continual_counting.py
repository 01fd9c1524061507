"""Continual counting: a noisy running count of data that keeps coming."""

import streamlit as st

import dpviz.ui.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui import (
    counting_controls,
    counting_folds,
    counting_hand_out,
    counting_pictures,
    counting_player,
    counting_words,
    parts,
)
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace

page_setup()
ws = workspace()
top, picture, below = st.container(), st.container(), st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    chosen = counting_controls.source()
    pace, who, tree = st.container(), st.container(), st.container()
    with tree:
        branching = counting_controls.branching()
    with who:
        view = counting_controls.view(ws, chosen, branching)
with top:
    badges = [parts.LOSSLESS, *counting_words.revealed(view)]
    mode = counting_words.mode_of(ws.mode, view)
    parts.head("continual_counting", counting_words.take_away(view), mode, badges)
if view is None:
    with left:
        parts.empty("No stream to count yet.", "The right-hand side says what is missing.")
else:
    with pace:
        player = counting_player.player(view.counting)
    with left:
        counting_pictures.replay(view, player)
    with below:
        if view.own is not None:
            counting_hand_out.downloads(ws, view.own)
        paper = counting_player.paper(ws, view.counting)
        counting_pictures.errors(view.counting, paper)
        counting_pictures.crossover(paper)
parts.folds(counting_folds.formula(view), counting_folds.code(ws, view))
parts.footer(counting_words.facts(view))
