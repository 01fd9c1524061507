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
drawer = parts.Drawer(settings=True)
left, right = picture.columns([3, 2], gap="medium")
with right:
    scene = controls.scene(ws, drawer.settings)
if scene is None:
    with left:
        pictures.nothing()
    said = Said(words.NOTHING)
    with top:
        parts.head("top_k", said)
else:
    frame, made = pictures.frame_of(scene), pictures.repetitions_of(scene)
    with left:
        pictures.main(scene, frame)
    with left if scene.own is None else right:
        controls.acts(ws, scene)
    with left:
        pictures.costs(scene, ws)
        pictures.tiers(scene, ws)
    with below:
        own.files(ws, scene)
        four = partial(pictures.mechanisms, scene)
        parts.look_closer("Which of four ways fits here?", four, key="topk_mechanisms")
    said = Said(words.take_away(scene, frame, made), words.claims(scene, frame, made))
    with top:
        parts.head("top_k", said, controls.badges(scene))
drawer.fill(
    "top_k",
    said,
    formula=partial(sample.formula, scene),
    code=partial(sample.code, ws, scene),
    facts=words.facts(scene),
)
