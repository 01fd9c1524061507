"""Variances: what independent releases would have cost."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.variances import controls, measure, pictures, words
from dpviz.ui.variances import together as variance_together
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top, picture, below = st.container(), st.container(), st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    shown = controls.ladder(ws)
    frame = controls.frame_of(shown) if shown.tiers else None
if frame is not None:
    with right:
        reading = controls.reading(shown)
        measured = measure.measure(frame, reading.compared, shown.setting.family)
    with left:
        pictures.lines(frame, shown, reading, measured)
    with below:
        together = variance_together.section(ws)
    with top:
        sentence = Said(words.take_away(frame, shown, reading), words.claims(frame, shown, reading))
        parts.head("variances", sentence, ws.mode, [parts.LOSSLESS])
    parts.folds(
        words.formula(frame, shown, reading),
        words.code(shown, reading, measured, together),
    )
else:
    with left:
        pictures.nothing(shown)
    with top:
        said = words.NO_NOISE if shown.tiers else words.NO_TIERS
        parts.head("variances", said, ws.mode, [parts.LOSSLESS])
parts.footer("variances", footer_facts(ws))
