"""Linear queries: running totals, ranges, marginals and any matrix by factorization."""

import streamlit as st

from dpviz.ui import linear_controls, linear_pictures, linear_words, parts
from dpviz.ui.shell import page_setup

page_setup()
top, picture, below = st.container(), st.container(), st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    shown = linear_controls.view()
if shown is None:
    sentence, badges = linear_words.NOTHING, [parts.LOSSLESS]
else:
    sentence, badges = linear_words.take_away(shown), linear_words.badges(shown)
    with left:
        linear_pictures.errors(shown)
        linear_pictures.totals(shown)
    with below:
        held = linear_pictures.answers(shown)
        linear_pictures.sensitivities(shown)
        parts.folds(linear_words.formula(shown), linear_words.code(shown, held))
with top:
    parts.head("linear_queries", sentence, "teaching", badges)
parts.footer(linear_words.facts(shown))
