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
closers, drawer = st.container(), parts.Drawer()
with picture:
    shown = controls.own(ws)
    frame = controls.frame_of(shown) if shown.tiers else None
if frame is not None:
    with picture:
        place = controls.whose(shown)
        bars = bars_frame(frame, place, shown.setting)
        pictures.bars(bars, shown, place)
        pictures.harm(shown, place)
    claims = price.claims(frame, bars, shown, place) + price.pieces(shown, place).claims
    said = Said(price.take_away(frame, bars, shown, place), claims)
else:
    with picture:
        pictures.nothing(shown)
    said = Said(words.NO_NOISE if shown.tiers else words.NO_TIERS)
with top:
    parts.head("variances", said, [parts.LOSSLESS])
with closers:
    detail = pictures.closer(ws)
shown_there = detail or (frame is not None and (frame, shown, price.dearest(frame, place), None))
drawer.fill(
    "variances",
    said,
    formula=lambda: words.formula(*shown_there[:3]) if shown_there else words.NO_TIERS,
    code=lambda: words.code(*shown_there[1:]) if shown_there else "",
    facts=footer_facts(ws),
)
