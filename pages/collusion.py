"""Collusion: what people learn by comparing notes."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.collusion import attack, controls, harm, pictures, sample, words
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said
from dpviz.words.markdown import literal
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("collusion")
closers, drawer = st.container(), parts.Drawer(settings=True)
with drawer.settings:
    asked = controls.whose(ws)
with picture:
    for problem in asked.problems:
        st.caption(literal(problem))
if asked.tiers:
    with drawer.settings:
        whole = controls.whole(asked)
    with picture:
        shown = controls.view(ws, asked, controls.counted(asked), whole)
        pictures.arrays(shown)
    said = Said(harm.take_away(shown), harm.claims(shown))
    with closers:
        parts.look_closer(
            "Watch an attacker try", partial(attack.section, shown), key="collusion_attack"
        )
        parts.look_closer(
            "Pick the group yourself (many readers, loss distributions)",
            partial(pictures.group, ws, asked, whole),
            key="collusion_group",
        )
    formula, code = partial(sample.formula, shown), partial(attack.whole_sample, shown)
else:
    with picture:
        pictures.no_tiers()
    said, formula, code = Said(words.NO_TIERS), str, str
with top:
    parts.head("collusion", said, [parts.LOSSLESS])
facts = footer_facts(ws) if asked.own else words.EXAMPLE_FACTS
drawer.fill("collusion", said, formula=formula, code=code, facts=facts)
