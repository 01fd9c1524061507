"""Data market: an owner sells a value by its ε, and only the best sale costs privacy."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.data_market import controls, pictures, sample, words
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said

page_setup()
ws = workspace()
stall = controls.STALL.get()
top, picture = st.container(), st.container()
parts.onward("data_market")
below = st.container()
left, right = picture.columns([3, 2], gap="medium")
with right:
    pictures.together(stall)
with left:
    place = pictures.holdings(stall)
with picture:
    controls.acts(stall)
with below:
    pictures.running(stall, place)
    pictures.prices(ws, stall)
said = Said(words.take_away(stall), words.claims(stall))
with top:
    parts.head("data_market", said, [parts.LOSSLESS])
parts.Drawer().fill(
    "data_market",
    said,
    formula=partial(sample.formula, stall),
    code=partial(sample.code, stall),
    facts=words.facts(stall),
)
