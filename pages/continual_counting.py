"""Continual counting: a noisy running count of data that keeps coming."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.continual_counting import controls, own, pictures, sample, words
from dpviz.ui.continual_counting import player as counting_player
from dpviz.ui.data import reading_check
from dpviz.ui.kit import parts
from dpviz.ui.kit.page_table import page
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("continual_counting")
below = st.container()
drawer = parts.Drawer(settings=True)
left, right = picture.columns([3, 1], gap="medium")
with right:
    chosen = controls.source()
    pace, branching, live = controls.more(chosen, drawer.settings)
    view = controls.view(ws, chosen, branching, live)
if view is None:
    said = Said(words.NOTHING)
    with top:
        parts.head("continual_counting", said, [parts.LOSSLESS])
    with left:
        parts.empty("No stream to count yet.", "A sentence at the fields says what is missing.")
else:
    with top, st.container(gap="xxsmall"):
        st.title(page("continual_counting").question, anchor=False)
        head = st.empty()
    with pace:
        player = counting_player.player(view.counting)
    with left:
        said = pictures.replay(view, player, head)
    with right:
        controls.harm(view)
        if view.own is not None and view.own.stream.counted is not None:
            reading_check.before_draw(ws, view.own.stream.counted, ws.find(view.own.key))
    with below:
        pictures.closer(view, player)
        if view.own is not None:
            own.downloads(ws, view.own)
        if view.example is not None:
            late = partial(controls.newcomer, ws, view.example)
            parts.look_closer("What if a reader joins late?", late, key="counting_late")
drawer.fill(
    "continual_counting",
    said,
    formula=partial(sample.formula, view),
    code=partial(sample.code, ws, view),
    facts=words.facts(view),
)
