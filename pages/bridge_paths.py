"""Bridge paths: how a release is drawn between two others."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.charts.bridge.worlds import SESSIONS
from dpviz.ui.bridge_paths import controls, formulas, hand_over, pictures, steps, words, worlds
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("bridge_paths")
left, right = picture.columns([3, 1], gap="medium")
with right:
    main = st.container()
    further = st.expander("Settings for specialists", icon=":material/tune:")
with main:
    shown = controls.as_read(controls.scene(ws, further))
badges = [parts.LOSSLESS]
if shown.example is None and shown.held.exact is not None:
    badges.append(parts.REVEALED)
if shown.held.pins:
    with left:
        chart = st.container()
        asked = controls.new_level(shown)
        meant = controls.sure(ws, shown, asked)
        controls.acts(shown, asked, meant)
    with main:
        st.caption(words.guesses_right(asked, shown))
    with further:
        path = controls.jagged()
    law = shown.held.law(asked.budget.level)
    with chart:
        pictures.main(shown, asked, law, path)
    said = Said(words.take_away(shown, asked, law), words.claims(shown, asked, law))
    parts.look_closer(
        "How likely is each number, and how much does each ringed one count?",
        partial(pictures.whole_law, shown, asked, law),
        key="bridge_law",
    )
    if steps.asked_in(shown):
        parts.look_closer(
            "Does it matter who asks first? One session, step by step, in two orders",
            partial(steps.step_by_step, shown),
            key="bridge_steps",
        )
    parts.look_closer(
        f"Is it always so? {SESSIONS} made-up sessions, in two orders",
        partial(worlds.many_worlds, shown),
        key="bridge_worlds",
    )
    parts.look_closer(
        "Take this tier into your own plan",
        partial(hand_over.hand_over, ws, shown, asked),
        key="bridge_add",
    )
    formula, code = (
        partial(formulas.formula, shown, asked, law),
        partial(formulas.code, shown, asked, law),
    )
else:
    with left:
        pictures.nothing_held(ws)
    said, formula, code = Said(words.NOTHING_HELD), str, str
with top:
    parts.head("bridge_paths", said, badges)
facts = words.example_facts(shown) if shown.example else footer_facts(ws)
parts.Drawer().fill("bridge_paths", said, formula=formula, code=code, facts=facts)
