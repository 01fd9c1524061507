"""Bridge paths: how a release is drawn between two others."""

import streamlit as st

import dpviz.ui.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui import (
    bridge_controls,
    bridge_hand_over,
    bridge_pictures,
    bridge_steps,
    bridge_words,
    bridge_worlds,
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
    shown = bridge_controls.as_read(bridge_controls.scene(ws))
mode = ws.mode if shown.example is None else "teaching"  # the example is seeded, always
badges = [parts.LOSSLESS]
if shown.example is None and shown.held.exact is not None:
    badges.append(parts.REVEALED)
if shown.held.pins:
    with right:
        asked = bridge_controls.new_level(shown)
        path = bridge_controls.acts(shown, asked)
        bridge_hand_over.hand_over(ws, shown, asked)
    law = shown.held.law(asked.budget.level)
    with left:
        bridge_pictures.main(shown, asked, law, path)
    with below:
        bridge_steps.step_by_step(shown)
        bridge_worlds.many_worlds(shown)
    with top:
        parts.head("bridge_paths", bridge_words.take_away(shown, asked, law), mode, badges)
    parts.folds(
        bridge_words.formula(shown, asked, law),
        bridge_words.code(shown, asked, law),
    )
else:
    with left:
        bridge_pictures.nothing_held(ws)
    with top:
        parts.head("bridge_paths", bridge_words.NOTHING_HELD, mode, badges)
parts.footer(bridge_words.example_facts(shown) if shown.example else footer_facts(ws))
