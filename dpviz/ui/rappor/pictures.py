"""The pictures of the page RAPPOR: one text, what it costs, all texts, and one browser's bits."""

import pandas as pd
import streamlit as st

from dpviz.charts.local.rappor import all_texts, one_text
from dpviz.charts.local.rappor_bits import bit_rows
from dpviz.charts.local.rappor_frame import TEXT, bits_frame, estimates_frame
from dpviz.charts.local.rappor_losses import loss_bars, losses_frame
from dpviz.ui.kit import parts
from dpviz.ui.rappor import scenes, words
from dpviz.ui.rappor.view import Scene
from dpviz.words import percent
from dpviz.words.markdown import unbroken

MOST = 20  # texts that are drawn; the table has all


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


def losses(scene: Scene) -> None:
    """What each kind of report tells alone, and both together."""
    first, second = (
        f"{percent(r.f)} random answers" for r in (scene.asked.first, scene.asked.second)
    )
    epsilons = (*scene.alone, scene.losses["chain"], scene.losses["fresh"])
    parts.chart(
        loss_bars(losses_frame((first, second), epsilons, words.right_of(scene))),
        heading=words.losses_heading(scene),
        reading=words.losses_reading(scene),
        alt=words.losses_alternative(scene),
        key="rappor_losses",
    )


def texts(scene: Scene) -> None:
    """All texts at both f, and as a table."""
    frame = _frame(scene)
    shown = scene.asked.candidates[: len(scene.asked.candidates) - scene.asked.decoys]
    order = sorted(shown, key=lambda text: -scene.decoded[-1].counts[shown.index(text)])[:MOST]
    ranked = frame[frame[TEXT].isin(order)].copy()
    ranked["place"] = ranked[TEXT].map(order.index)
    parts.chart(
        all_texts(
            ranked.sort_values("place", kind="stable"),
            noun=scene.noun,
            first=scene.asked.first.f,
        ),
        heading="",
        reading=words.texts_reading(scene),
        alt=words.texts_alternative(scene),
        key="rappor_all",
    )
    parts.table(words.table(scene), alt="All candidates with estimates at each f.")
    st.caption(words.others(scene))


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
    st.subheader("One report instead of many, and another way to link", anchor=False)
    parts.table(words.losses_table(scene), alt="Privacy losses of reports at one f and at both.")
    st.caption(words.WAYS_TOLD)


def nothing() -> None:
    """What is shown while something cannot be used."""
    parts.empty("Nothing to decode.", "The sentence under the fields says what to choose instead.")


def _frame(scene: Scene) -> pd.DataFrame:
    pairs = [(r.rappor.f, d) for r, d in zip(scene.reports, scene.decoded, strict=True)]
    return estimates_frame(pairs, scene.truth)
