"""The pictures of the page Top-k: two rankings, many lists, tiers, and the four mechanisms."""

import pandas as pd
import streamlit as st

from dpviz.charts.releases.chart import release_chart
from dpviz.charts.top_k.frame import (
    rankings_frame,
    tiers_frame,
)
from dpviz.charts.top_k.rankings import two_rankings
from dpviz.experiments.top_k import Repetitions
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import parts
from dpviz.ui.top_k import scenes, words
from dpviz.ui.top_k.view import Scene
from dpviz.words import capitalised, percent
from dpviz.words.grammar import numbered
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace


def frame_of(scene: Scene) -> pd.DataFrame | None:
    """Both rankings; None where there is neither."""
    found = scene.found
    frame = rankings_frame(
        found.items if found else None, found.values if found else None, scene.counts, scene.k
    )
    return None if frame.empty else frame


def repetitions_of(scene: Scene) -> Repetitions | None:
    """The list drawn a hundred times, where the counts may be shown."""
    if scene.own is not None:
        return scenes.repeated(scene, scene.own.source.key)
    return scenes.repeated(scene, scene.things)


def main(scene: Scene, frame: pd.DataFrame | None) -> None:
    """The true ranking and the noisy list side by side."""
    if frame is None:
        ended = scene.found is not None
        parts.empty(
            "The list is empty." if ended else "No list yet.",
            "It ended before its first item; the line above says what would change that."
            if ended
            else "Press “Draw the list”. The exact counts stay hidden.",
        )
        return
    parts.chart(
        two_rankings(frame, k=scene.k, noun=scene.noun),
        heading=f"Which {literal(scene.things)} are the most common: truth and noisy list",
        reading=words.reading(scene, frame),
        alt=words.alternative(scene, frame),
        key="topk_rankings",
    )


def costs(scene: Scene, ws: Workspace) -> None:
    """What the list costs, and what the workspace has spent."""
    st.markdown(words.cost(scene))
    if scene.own is not None:
        st.caption(words.ledger(ws))
    else:
        st.caption("This data is made up or public, so draw as often as you like.")


def tiers(scene: Scene, ws: Workspace) -> None:
    """What each tier holds of the items on the visitor's list."""
    if scene.own is None or scene.found is None or not scene.own.tiers:
        return
    frame = tiers_frame(scene.found.items, scene.own.tiers, ws.family, ACCURACY_CONFIDENCE)
    parts.chart(
        release_chart(
            frame,
            noun=scene.noun,
            axis_title=f"{scene.noun} per item",
            confidence=ACCURACY_CONFIDENCE,
            truth="bounded number",
        ),
        heading="The counts of the list, tier by tier",
        reading=f"One list for all; its counts at the exactness of each tier, with intervals that "
        f"hold the bounded number {percent(ACCURACY_CONFIDENCE)} of the time.",
        alt=f"Counts of {numbered(len(scene.found.items), 'items')} for "
        f"{numbered(len(scene.own.tiers), 'tiers')}, with "
        "intervals that are narrower for less private tiers.",
        key="topk_tiers",
    )


def mechanisms(scene: Scene) -> None:
    """The four mechanisms side by side, and why one of them is the best here."""
    parts.table(
        words.table(scene), alt="Four ways to draw, by domain and by limit, at this budget."
    )
    st.caption(
        f"{capitalised(literal(scene.best.mechanism))} is the best here: "
        f"{literal(words.reason(scene))}. Ways without a limit fit limited data, too."
    )


def nothing() -> None:
    """What is shown while something cannot be used."""
    parts.empty("Nothing to draw.", "The sentence under the fields says what to type instead.")
