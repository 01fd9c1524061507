"""Collusion: what a coalition learns together."""

import streamlit as st

import dpviz.ui.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui import (
    collusion_attack,
    collusion_card,
    collusion_controls,
    collusion_folds,
    collusion_pictures,
    collusion_words,
    parts,
)
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace
from dpviz.ui.summary import footer_facts

page_setup()
ws = workspace()
top, picture, below = st.container(), st.container(), st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    shown = collusion_controls.view(ws)
if shown is None:
    sentence = collusion_words.NO_TIERS
    with left:
        collusion_pictures.no_tiers()
elif not shown.members:
    sentence = collusion_words.NOBODY
    with left:
        collusion_pictures.nobody()
else:
    sentence = collusion_words.take_away(shown)
    with right:
        st.caption(collusion_words.under_pills(shown))
    with left:
        collusion_pictures.bars(shown)
    with below:
        many, controls = st.columns([3, 1], gap="medium")
        with controls:
            tier, count = collusion_controls.of_one_tier(shown)
        with many:
            collusion_pictures.one_tier(shown, tier, count)
        collusion_pictures.everyone(shown)
        attack_sample = collusion_attack.section(shown)
        collusion_card.section(ws, shown)
    sample = collusion_folds.code(shown, tier, count) + attack_sample
    parts.folds(collusion_folds.formula(shown), sample)
with top:
    parts.head("collusion", sentence, ws.mode, [parts.LOSSLESS])
if shown is None or shown.own:
    parts.footer(footer_facts(ws))
else:
    parts.footer(collusion_words.EXAMPLE_FACTS)
