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
top, picture, more = (st.container() for _ in range(3))
parts.onward("rappor")
below = st.container()
left, right = picture.columns([3, 2], gap="medium")
main, again = left.container(), left.container()
fields = right.container()
with fields:
    scene = controls.scene(ws)
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
    with more:
        pictures.losses(scene)
    with below:
        if scene.reports:
            parts.look_closer(
                words.others_fold(scene), partial(pictures.texts, scene), key="rappor_texts"
            )
        parts.look_closer(
            "Inside a report: its bits, and what one report costs",
            partial(pictures.inside, scene),
            key="rappor_inside",
        )
        own.files(ws, scene)
    said = Said(words.take_away(scene), words.claims(scene))
    with top:
        parts.head("rappor", said, controls.badges(scene))
parts.Drawer().fill(
    "rappor",
    said,
    formula=partial(sample.formula, scene),
    code=partial(sample.code, ws, scene),
    facts=words.facts(scene),
)
