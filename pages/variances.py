"""Variances: what independent releases would have cost."""

import streamlit as st

import dpviz.ui.whole  # noqa: F401 - loads everything, by one thread
from dpviz.frames.variances import variances_frame
from dpviz.ui import (
    parts,
    variance_controls,
    variance_measure,
    variance_pictures,
    variance_together,
    variance_words,
)
from dpviz.ui.shell import page_setup
from dpviz.ui.state import workspace
from dpviz.ui.summary import footer_facts

page_setup()
ws = workspace()
top, picture, below = st.container(), st.container(), st.container()
left, right = picture.columns([3, 1], gap="medium")
with right:
    shown = variance_controls.ladder(ws)
if shown.tiers:
    frame = variances_frame(shown.tiers, shown.l2_sensitivity)
    with right:
        reading = variance_controls.reading(shown)
        measured = variance_measure.measure(frame, reading.compared)
    with left:
        variance_pictures.lines(frame, shown, reading, measured)
    with below:
        together = variance_together.section(ws)
    with top:
        sentence = variance_words.take_away(frame, shown, reading)
        parts.head("variances", sentence, ws.mode, [parts.LOSSLESS])
    parts.folds(
        variance_words.formula(frame, shown, reading),
        variance_words.code(shown, reading, measured, together),
    )
else:
    with left:
        variance_pictures.no_tiers()
    with top:
        parts.head("variances", variance_words.NO_TIERS, ws.mode, [parts.LOSSLESS])
parts.footer(footer_facts(ws))
