"""Noise of the visitor's own: typed, decided, and shown with its proof."""

import streamlit as st

from dpviz.charts.falsify.own_noise import (
    added_bars,
    added_frame,
    bet_bars,
    bet_frame,
    would_be_frame,
)
from dpviz.lossless import LatticeLaw, read_noise
from dpviz.ui.falsify import jobs, own_words
from dpviz.ui.falsify.jobs import NoiseAnswer
from dpviz.ui.kit import controls, parts, work

TITLE = "Can your own noise be lossless?"
WHAT = (
    "Two levels of noise work together if the noisier number can be made from the sharper one "
    "alone, by adding independent noise. Who holds both then learns what the sharper one tells."
)
GEOMETRIC = "value, sharper, noisier\n..., 1/3, 1/2\n0, 1/2, 1/3\n..., 1/3, 1/2"
TABLE_HELP = (
    "A row for each number that the noise can be: the number, its chance in the sharper noise, its "
    "chance in the noisier one. A first or last row of dots gives tails: each further step "
    "multiplies the chances by these. Paste or type; 1/3, 0.25 and 1e-3 are read as they stand."
)
HIGH = 210  # pixels of a table that is typed


def show() -> None:
    """The field, the answer and its picture."""
    st.markdown(WHAT)
    left, right = st.columns([3, 1], gap="medium")
    with right:
        text = controls.text_area(
            "Chances of both", GEOMETRIC, height=HIGH, key="falsify_own_table", help=TABLE_HELP
        )
        typed = parts.usable(lambda: read_noise(text))
    with left:
        if typed is None:
            parts.empty("No answer yet.", "What is typed cannot be read: the field says why.")
            return
        sharper, noisier, sums = typed
        _answer(sharper, noisier)
        off = own_words.sums(("sharper", "noisier"), sums)
        for sentence in filter(None, (off, own_words.CODE)):
            st.caption(sentence)


def _answer(sharper: LatticeLaw, noisier: LatticeLaw) -> None:
    found: NoiseAnswer | None = work.found(
        ("noise", sharper, noisier), jobs.noise_answer, sharper, noisier, what="The proof"
    )
    if found is None:
        return
    verdict = own_words.of_noise(found)
    if found.decision.added is not None:
        figure = added_bars(added_frame(found.decision.added))
    elif found.candidate:
        figure = added_bars(would_be_frame({x: float(chance) for x, chance in found.candidate}))
    else:
        figure = bet_bars(bet_frame(sharper, noisier, found.decision.bet))
    parts.chart(
        figure,
        heading=verdict.heading,
        reading=verdict.reading,
        alt=verdict.alt,
        key="falsify_own",
    )
    for sentence in verdict.then:
        st.markdown(sentence)
