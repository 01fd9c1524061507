"""Bridge paths: how a release is drawn between two others."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.bridge_paths import controls, hand_over, pictures, steps, words, worlds
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
    shown = controls.as_read(controls.scene(ws))
mode = ws.mode if shown.example is None else "teaching"  # the example is seeded, always
badges = [parts.LOSSLESS]
if shown.example is None and shown.held.exact is not None:
    badges.append(parts.REVEALED)
if shown.held.pins:
    with right:
        asked = controls.new_level(shown)
        path = controls.acts(shown, asked)
        hand_over.hand_over(ws, shown, asked)
    law = shown.held.law(asked.budget.level)
    with left:
        pictures.main(shown, asked, law, path)
    with below:
        steps.step_by_step(shown)
        worlds.many_worlds(shown)
    with top:
        sentence = Said(words.take_away(shown, asked, law), words.claims(shown, asked, law))
        parts.head("bridge_paths", sentence, mode, badges)
    parts.folds(
        words.formula(shown, asked, law),
        words.code(shown, asked, law),
    )
else:
    with left:
        pictures.nothing_held(ws)
    with top:
        parts.head("bridge_paths", words.NOTHING_HELD, mode, badges)
parts.footer("bridge_paths", words.example_facts(shown) if shown.example else footer_facts(ws))
