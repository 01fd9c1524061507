"""Linear queries: running totals, ranges, marginals and any matrix by factorization."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.linear_queries import controls, pictures, sample, words
from dpviz.words.claims import Said

page_setup()
ws = workspace()
top, picture, asked = st.container(), st.container(), st.container()
parts.onward("linear_queries")
below, drawer = st.container(), parts.Drawer(settings=True)
left, right = picture.columns([3, 1], gap="medium")
with right:
    chosen = controls.source()
    own = chosen == controls.OWN
    shown = controls.view(ws, chosen, drawer.settings)
if shown is None:
    sentence, badges = Said(words.NOTHING), [parts.LOSSLESS]
else:
    with left:
        pictures.totals(shown)
    with asked if own else below:
        given = pictures.answers(ws, shown)
    sentence = Said(words.take_away(shown), words.claims(shown))
    badges = words.badges(shown, given)
with top:
    parts.head("linear_queries", sentence, badges)
drawer.fill(
    "linear_queries",
    sentence,
    formula=lambda: sample.formula(shown) if shown else "",
    code=lambda: sample.code(shown, given) if shown else "",
    facts=words.facts(shown, ws.statistic.data if own else None),
    more=partial(pictures.ways, shown) if shown else None,
)
