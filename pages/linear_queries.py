"""Linear queries: running totals, ranges, marginals and any matrix by factorization."""

import streamlit as st

import dpviz.ui.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui import linear_controls, linear_folds, linear_pictures, linear_words, parts
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace

page_setup()
ws = workspace()
top, picture, below = st.container(), st.container(), st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    chosen = linear_controls.source()
    shown = linear_controls.view(ws, chosen)
if shown is None:
    sentence, badges = linear_words.NOTHING, [parts.LOSSLESS]
else:
    with left:
        linear_pictures.errors(shown)
        linear_pictures.totals(shown)
    with below:
        given = linear_pictures.answers(ws, shown)
        linear_pictures.sensitivities(shown)
        parts.folds(linear_folds.formula(shown), linear_folds.code(shown, given))
    sentence, badges = linear_words.take_away(shown), linear_words.badges(shown, given)
with top:
    parts.head("linear_queries", sentence, linear_controls.mode_of(ws, chosen), badges)
own = ws.statistic.table.name if chosen == linear_controls.OWN else None
parts.footer(linear_words.facts(shown, own))
