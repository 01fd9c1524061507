"""The pictures of the page Sparse histograms: ten named items, all of them, which line to draw."""

from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpviz.charts.releases.chart import release_chart
from dpviz.charts.sparse.frame import (
    PRECISION,
    RECALL,
    SparseTier,
    rates_frame,
    released_items_frame,
    shown_frame,
    strips_frame,
    truth_frame,
)
from dpviz.charts.sparse.rates import sparse_rates
from dpviz.charts.sparse.rows import named_rows, rows_frame
from dpviz.charts.sparse.strips import sparse_strips
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import controls, parts
from dpviz.ui.sparse_histograms import controls as controls_here
from dpviz.ui.sparse_histograms import words
from dpviz.ui.sparse_histograms.view import Scene
from dpviz.words import percent, significant
from dpviz.words.markdown import literal
from dpviz.workspace.sparse import ItemTier
from dpviz.workspace.workspace import Workspace

ITEMS_SHOWN = 12  # rows of the picture of the user's own column
POINTS = 161  # of the curves


def as_frames_take_it(tier: ItemTier) -> SparseTier:
    """A tier for the frames."""
    indices, values = tier.released or (None, None)
    return SparseTier(
        name=tier.name,
        budget=tier.words,
        level=tier.level,
        threshold=tier.threshold,
        style=tier.style,
        indices=indices,
        values=values,
    )


def main(ws: Workspace, shown: Scene) -> None:
    """Survivors and phantoms where the truth may be known; else what the tiers were given."""
    tiers = [as_frames_take_it(t) for t in shown.tiers]
    downwards = tiers[::-1]
    if not tiers:
        parts.empty(
            "No tier can be used here.", "Say who may see how much.", lambda: parts.link("tiers")
        )
        return
    if shown.truth is not None and shown.truth[0].size:
        indices, counts = shown.truth
        if shown.drawn:
            _rows(shown, indices, counts)
        st.subheader(words.heading(shown, ITEMS_SHOWN), anchor=False)
        controls_here.rest(ws, shown)
        parts.chart(
            sparse_strips(
                strips_frame(downwards, indices),
                truth_frame(counts),
                shown_frame(downwards, indices, counts, shown.coding.names),
                noun=shown.noun,
                items=shown.items,
            ),
            heading="",
            reading=words.reading(shown),
            alt=words.alternative(shown),
            key="sparse_strips",
        )
    else:
        st.subheader(words.heading(shown, ITEMS_SHOWN), anchor=False)
        controls_here.rest(ws, shown)
        _released(shown, tiers)
    about = words.WHO if shown.query is None else ""
    st.markdown(about + words.why_phantoms(shown))
    st.markdown(words.guesses(shown))


def _rows(shown: Scene, indices: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """Ten items by name: some that are seen, some that are hidden, some that noise made up."""
    tier = as_frames_take_it(shown.drawn[-1])
    frame = rows_frame(tier, indices, counts, shown.coding.names)
    parts.chart(
        named_rows(frame, threshold=tier.threshold, style=shown.drawn[-1].style, noun=shown.noun),
        heading=words.rows_heading(shown),
        reading=words.rows_reading(shown),
        alt=words.rows_alternative(frame),
        key="sparse_rows",
    )


def _released(shown: Scene, tiers: list[SparseTier]) -> None:
    """What was given, and nothing of the truth."""
    frame = released_items_frame(tiers, shown.coding.names, ITEMS_SHOWN, ACCURACY_CONFIDENCE)
    if frame.empty:
        drawn = bool(shown.drawn)
        parts.empty(
            "No item is above its threshold." if drawn else "No release has been drawn yet.",
            "That, too, is what the tiers see: all items look alike to them."
            if drawn
            else "Draw any tier first: you see which items it gets.",
        )
        return
    parts.chart(
        release_chart(
            frame,
            noun=shown.noun,
            axis_title=f"{shown.noun} per item",
            confidence=ACCURACY_CONFIDENCE,
            truth="bounded number",
            absent="hidden",
        ),
        heading="",
        reading=words.reading(shown),
        alt=words.alternative(shown),
        key="sparse_released",
    )


def rates(shown: Scene) -> None:
    """The fold of precision and recall, where exact counts may be shown."""
    if shown.truth is not None and shown.truth[0].size and shown.tiers:
        parts.look_closer(
            "Which line should I draw?", partial(_rates, shown, *shown.truth), key="sparse_rates"
        )


def _rates(shown: Scene, indices: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """Precision and recall against the threshold, for one tier."""
    names = [t.name for t in reversed(shown.tiers)]
    styles = {t.name: t.style for t in shown.tiers}
    name = controls.pill(
        "Tier",
        names,
        default=names[0],
        format_func=lambda n: parts.chip(n, styles[n]),
        key="sparse_rates_tier",
        lasting=False,
    )
    tier = next((t for t in shown.tiers if t.name == name), shown.tiers[0])
    sigma = tier.level**0.5
    thresholds = np.linspace(0, max(8 * sigma, 1.3 * tier.threshold), POINTS)
    frame = rates_frame(counts, shown.size, tier.level, thresholds)
    at = rates_frame(counts, shown.size, tier.level, np.array([tier.threshold]))
    recall, precision = float(at[RECALL][0]), float(at[PRECISION][0])
    seen = {}
    if tier.released is not None:
        true, ghosts = words.survivors(shown, tier)
        seen[RECALL] = true / indices.size
        if true + ghosts:
            seen[PRECISION] = true / (true + ghosts)
    st.markdown(
        f"Where more than {significant(tier.threshold)} {literal(shown.noun)} are needed, "
        f"{literal(tier.name)} can expect to see {percent(recall)} of the {indices.size:,} "
        f"{shown.items} that are there (recall), and {percent(precision)} of what it sees is "
        "true (precision)."
    )
    parts.chart(
        sparse_rates(frame, threshold=tier.threshold, style=tier.style, seen=seen),
        heading="",
        reading="Lines: expected, by formula from the counts."
        + (" Marks: the release that was drawn." if seen else ""),
        alt=f"Precision rises and recall falls with the threshold; at {tier.threshold:.3g} "
        f"they are {100 * precision:.3g} % and {100 * recall:.3g} %.",
        key="sparse_rates",
    )


def nothing() -> None:
    """What is shown while the user's column cannot be used."""
    parts.empty(
        "No histogram yet.",
        "Say which items there could be. On the made-up example everything is ready.",
    )
