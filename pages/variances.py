"""Variances: how much more noise separate releases would need."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.charts.variances.bars import bars_frame
from dpviz.ui.kit import parts
from dpviz.ui.kit.shell import page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.variances import controls, pictures, price, words
from dpviz.words.claims import Said
from dpviz.workspace.footer import footer_facts

page_setup()
ws = workspace()
top, picture = st.container(), st.container()
parts.onward("variances")
with picture:
    shown = controls.own(ws)
    frame = controls.frame_of(shown) if shown.tiers else None
if frame is not None:
    with picture:
        place = controls.whose(shown)
        bars = bars_frame(frame, place, shown.setting)
        pictures.bars(bars, shown, place)
        pictures.harm(shown)
    said = Said(price.take_away(frame, bars, shown, place), price.claims(frame, bars, shown, place))
else:
    with picture:
        pictures.nothing(shown)
    said = Said(words.NO_NOISE if shown.tiers else words.NO_TIERS)
with top:
    parts.head("variances", said, ws.mode, [parts.LOSSLESS])
detail, together = pictures.folds(ws)
if detail is not None:
    parts.folds(words.formula(*detail[:3]), words.code(*detail[1:], together))
elif frame is not None:
    reading = price.dearest(frame, place)
    parts.folds(words.formula(frame, shown, reading), words.code(shown, reading, None, together))
parts.footer(footer_facts(ws))
