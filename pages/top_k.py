"""Top-k: which items are the most common, when the list itself is private."""

from functools import partial

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.top_k import controls, own, pictures, sample, words
from dpviz.words.claims import Said

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("top_k")
below = st.container()
left, right = picture.columns([3, 2], gap="medium")
with right:
    scene = controls.scene(ws)
if scene is None:
    with left:
        pictures.nothing()
    with top:
        parts.head("top_k", words.NOTHING, ws.mode)
else:
    frame, made = pictures.frame_of(scene), pictures.repetitions_of(scene)
    with left:
        pictures.main(scene, frame)
    with left if scene.own is None else right:
        controls.acts(ws, scene)
    with left:
        pictures.costs(scene, ws)
        pictures.counts(scene, frame)
        pictures.tiers(scene, ws)
    with below:
        own.files(ws, scene)
        near, four = partial(pictures.errors, scene, made), partial(pictures.mechanisms, scene)
        parts.look_closer("How near do the counts come?", near, key="topk_errors")
        parts.look_closer("Which of four ways to draw fits here?", four, key="topk_mechanisms")
    with top:
        parts.head(
            "top_k",
            Said(words.take_away(scene, frame, made), words.claims(scene, frame, made)),
            ws.mode if scene.own else "teaching",  # the examples are seeded, always
            controls.badges(scene),
        )
parts.folds(sample.formula(scene), sample.code(ws, scene))
parts.footer(words.facts(scene))
