"""Social network: who in a person's circle is told what, and what a coalition gains."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.social_network import controls, pictures, sample, words

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("social_network")
below = st.container()
left, right = picture.columns([3, 2], gap="medium")
shown, pooling = left.container(), left.container()
chart, act, fields = (right.container() for _ in range(3))
with fields:
    asked = controls.asked(ws, st.container())
    view = None if asked is None else controls.view(asked, pooling, act)
with top:
    said = words.take_away(view)
    parts.head("social_network", said, [parts.LOSSLESS])
if view is None or asked is None:
    with shown:
        pictures.nothing()
else:
    with shown:
        pictures.circle(view)
    with chart:
        pictures.attack(view)
    with below:
        parts.look_closer(words.TOLD, partial(pictures.told, view), key="circle_told")
        parts.look_closer(words.BEST_WAY, partial(pictures.best_way, view), key="circle_best")
        joining = partial(pictures.joining, asked, view)
        parts.look_closer(words.JOINS, joining, key="circle_joins")
        if asked.network.places:
            st.subheader(words.MANY, anchor=False)
            pictures.population(view)
        else:
            many = partial(pictures.population, view)
            parts.look_closer(words.MANY, many, key="circle_many")
parts.Drawer().fill(
    "social_network",
    said,
    formula=partial(sample.formula, view),
    code=partial(sample.code, view),
    facts=words.facts(view),
)
