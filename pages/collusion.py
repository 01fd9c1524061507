"""Collusion: what a coalition learns together."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.collusion import attack, card, pictures, words
from dpviz.ui.collusion import controls as collusion_controls
from dpviz.ui.collusion import sample as collusion_folds
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top, picture, below = st.container(), st.container(), st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    shown = collusion_controls.view(ws)
if shown is None:
    said = Said(words.NO_TIERS)
    with left:
        pictures.no_tiers()
elif not shown.members:
    said = Said(words.NOBODY)
    with left:
        pictures.nobody()
else:
    said = Said(words.take_away(shown), words.claims(shown))
    with right:
        st.caption(words.under_pills(shown))
    with left:
        pictures.bars(shown)
    with below:
        many, controls = st.columns([3, 1], gap="medium")
        with controls:
            tier, count = collusion_controls.of_one_tier(shown)
        with many:
            pictures.one_tier(shown, tier, count)
        pictures.everyone(shown)
        pictures.losses(shown)
        attack_sample = attack.section(shown)
        card.section(ws, shown)
    sample = collusion_folds.code(shown, tier, count) + attack_sample
    parts.folds(collusion_folds.formula(shown), sample)
with top:
    parts.head("collusion", said, ws.mode, [parts.LOSSLESS])
parts.footer("collusion", footer_facts(ws) if shown is None or shown.own else words.EXAMPLE_FACTS)
