"""RAPPOR: what many noisy reports of texts say, and what relaxing their noise costs."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.rappor import controls, own, pictures, sample, words
from dpviz.words.claims import Said

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("rappor")
below, drawer = st.container(), parts.Drawer(settings=True)
left, right = picture.columns([3, 2], gap="medium")
main, again = left.container(), left.container()
fields = right.container()
with fields:
    scene = controls.scene(ws, drawer.settings)
if scene is None:
    with left:
        pictures.nothing()
    said = Said(words.NOTHING)
    with top:
        parts.head("rappor", said)
else:
    with again if scene.own is None else fields:
        controls.acts(ws, scene)
    with main:
        pictures.main(scene)
    with below:
        parts.look_closer(
            "Inside one report: its bits, and what it costs",
            partial(pictures.inside, scene),
            key="rappor_inside",
        )
        own.files(ws, scene)
    said = Said(words.take_away(scene), words.claims(scene))
    with top:
        parts.head("rappor", said, controls.badges(scene))
drawer.fill(
    "rappor",
    said,
    formula=partial(sample.formula, scene),
    code=partial(sample.code, ws, scene),
    facts=words.facts(scene),
)
