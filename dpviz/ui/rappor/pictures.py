"""The pictures of the page RAPPOR: one text, and inside one report its bits and its costs."""

import pandas as pd
import streamlit as st

from dpviz.charts.local.rappor import one_text
from dpviz.charts.local.rappor_bits import bit_rows
from dpviz.charts.local.rappor_frame import TEXT, bits_frame, estimates_frame
from dpviz.ui.kit import parts
from dpviz.ui.rappor import scenes, words
from dpviz.ui.rappor.view import Scene
from dpviz.words.markdown import unbroken


def main(scene: Scene) -> None:
    """The story, and the suspicious text at both f."""
    name = unbroken(scene.asked.suspicious)
    if scene.own is None:
        st.markdown(words.told(scene))
    if not scene.reports:
        own = scene.own is not None
        parts.empty(
            "No reports yet.",
            "Press the button to ask everybody. What they have stays hidden."
            if own
            else "Simulating all these browsers takes a few seconds: press the button.",
        )
        return
    frame = _frame(scene)
    parts.chart(
        one_text(
            frame[frame[TEXT] == scene.asked.suspicious], noun=scene.noun, first=scene.asked.first.f
        ),
        heading=f"How many {scene.noun} have “{name}”?",
        reading=words.text_reading(scene),
        alt=words.text_alternative(scene),
        key="rappor_one",
    )
    if said := words.others(scene):
        st.caption(said)


def inside(scene: Scene) -> None:
    """One made-up browser's bits; what one report costs, and another way to link."""
    stages, own = scenes.one_client(scene.asked, scene.again)
    parts.chart(
        bit_rows(bits_frame(stages, own)),
        heading="What one made-up browser sends, bit by bit",
        reading=words.BITS_READING,
        alt=f"Five rows of {own.size} bits: the filter with {int(own.sum())} ones, and what is "
        "kept and reported at each f.",
        key="rappor_bits_shown",
    )
    st.subheader(words.costs_heading(scene), anchor=False)
    st.caption(words.costs_reading(scene))
    parts.table(words.losses_table(scene), alt="Privacy losses of reports at one f and at both.")
    st.caption(words.WAYS_TOLD)


def nothing() -> None:
    """What is shown while something cannot be used."""
    parts.empty("Nothing to decode.", "The sentence under the fields says what to choose instead.")


def _frame(scene: Scene) -> pd.DataFrame:
    pairs = [(r.rappor.f, d) for r, d in zip(scene.reports, scene.decoded, strict=True)]
    return estimates_frame(pairs, scene.truth)
