"""The pictures of the page Top-k: two rankings, many lists, tiers, and the four mechanisms."""

import pandas as pd
import streamlit as st

from dpviz.charts.releases.chart import release_chart
from dpviz.charts.top_k.errors import count_errors
from dpviz.charts.top_k.frame import (
    COUNT,
    FITTED,
    ITEM,
    PLACE,
    TRUE_PLACE,
    VALUE,
    errors_frame,
    rankings_frame,
    tiers_frame,
)
from dpviz.charts.top_k.rankings import two_rankings
from dpviz.experiments.top_k import Repetitions
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import controls, parts
from dpviz.ui.top_k import scenes, words
from dpviz.ui.top_k.view import Scene
from dpviz.words import capitalised, number, percent
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
        st.caption("Nothing here is private, so drawing costs no privacy.")


def counts(scene: Scene, frame: pd.DataFrame | None) -> None:
    """The counts of the list as numbers, with and without the fit."""
    if frame is None or scene.found is None or not scene.found.items:
        return
    shown = frame[[PLACE, ITEM, TRUE_PLACE, COUNT, VALUE, FITTED]].sort_values(PLACE)
    if scene.counts is None:
        shown = shown.drop(columns=[TRUE_PLACE, COUNT])
    if scene.found.values is None:
        shown = shown.drop(columns=[VALUE, FITTED])
    written = shown.astype(object)
    for name in written.columns.difference([ITEM]):
        step = 0.1 if name in (VALUE, FITTED) else 1.0
        written[name] = [number(x, step=step) for x in shown[name]]
    with st.expander("The same as a table", icon=":material/table:"):
        parts.table(written, alt="Items of both rankings with their places and counts.")
        if scene.example is not None:
            controls.download_button(
                "Download the table",
                lambda: frame.to_csv(index=False).encode("utf-8"),
                key="topk_download",
                file_name=f"dpviz-top-k-{scene.things}.csv",
            )


def errors(scene: Scene, made: Repetitions | None) -> None:
    """How near the counts of a hundred such lists come."""
    if made is None:
        return
    frame = errors_frame(made)
    if frame.empty:
        parts.empty("No counts to compare.", "Lists at these settings end before their first item.")
        return
    parts.chart(
        count_errors(frame, noun=scene.noun),
        heading="",
        reading=words.errors_reading(scene, frame),
        alt=words.errors_alternative(frame),
        key="topk_errors",
    )


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
