"""Collusion: what people learn by comparing notes."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.collusion import attack, card, harm, pictures, words
from dpviz.ui.collusion import controls as collusion_controls
from dpviz.ui.collusion import sample as collusion_folds
from dpviz.ui.kit import parts
from dpviz.ui.kit.controls import page_link
from dpviz.ui.kit.page_table import path
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("collusion")
below = st.container()
left, right = picture.columns(2, gap="medium")
with left:
    asking, side, squares = st.container(), st.container(), st.container()
with right:
    price = st.container()
    with st.expander(words.MORE, icon=":material/tune:"):
        asked = collusion_controls.whose(ws)
        counting = st.container()
if not asked.tiers:
    said = Said(words.NO_TIERS)
    with asking:
        pictures.no_tiers()
else:
    with side:
        ticked = collusion_controls.ticked(asked)
    with counting:
        shown = collusion_controls.view(ws, asked, ticked)
    with asking:
        st.subheader(words.asked_of(shown), anchor=False)
    with price:
        st.subheader(words.PRICES, anchor=False)
        tier = collusion_controls.whose_number(asked)
        pictures.prices(shown, asked.everybody, tier)
    if not shown.members:
        said = Said(words.NOBODY)
        with squares:
            pictures.nobody()
    else:
        said = Said(harm.take_away(shown), harm.claims(shown))
        with squares:
            pictures.parts_of_arrays(shown)
            pictures.arrays(shown)
            st.caption(harm.readers_words(shown))
            if pieces := harm.pieces_words(shown):
                st.caption(pieces)
        with counting:
            page_link(path("tiers"), harm.acceptable(shown))
        with below:
            parts.look_closer(
                "Five ways to make the numbers: what do they learn in each?",
                lambda: pictures.joint(shown, asked.everybody, tier),
                key="collusion_joint",
            )
            parts.look_closer(
                "Watch an attacker try", lambda: attack.section(shown), key="collusion_attack"
            )
            parts.look_closer(
                "Many readers of one tier, and every group that could compare notes",
                lambda: pictures.many(shown),
                key="collusion_many",
            )
            parts.look_closer(
                "A risk card for a slide or a report",
                lambda: card.section(ws, shown),
                key="collusion_card",
            )
with top:
    parts.head("collusion", said, [parts.LOSSLESS])
some = bool(asked.tiers) and bool(shown.members)
parts.Drawer().fill(
    "collusion",
    said,
    formula=lambda: collusion_folds.formula(shown) if some else "",
    code=lambda: attack.whole_sample(shown) if some else "",
    facts=footer_facts(ws) if asked.own else words.EXAMPLE_FACTS,
)
