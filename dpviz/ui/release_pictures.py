"""Pictures and tables of the Releases page."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dpviz import frames
from dpviz.figures.meter import meter
from dpviz.figures.releases import ROWS_UP_TO, is_thinned, release_chart
from dpviz.figures.words import join, percent
from dpviz.frames import HeldTier
from dpviz.ui import account, parts, takeaways
from dpviz.ui.takeaways import letter_of, loss_words
from dpviz.ui.text import literal
from dpviz.ui.workspace import Workspace

NAMED = 6  # tiers in a caption; more are counted
LONG = 12  # entries; a longer ledger scrolls


def chart_of(ws: Workspace, held: Sequence[HeldTier], confidence: float, revealed: bool) -> None:
    """Every held release with its interval, or what to do to see one."""
    query = ws.statistic.query
    if not held:
        _before_the_first(ws)
        return
    frame = frames.releases_frame(query.groups, held, ws.family, confidence)
    exact = frames.exact_frame(query.groups, ws.exact()) if revealed else None
    parts.chart(
        release_chart(
            frame,
            noun="people",
            axis_title="people",
            confidence=confidence,
            exact=exact,
            group_title=str(query.column),
        ),
        heading=f"People by {literal(query.column)}, as each tier sees them",
        reading=_reading(ws, frame, confidence, revealed),
        alt=f"{len(query.groups):,} groups; in each, the releases of {len(held)} tiers with "
        f"{percent(confidence)} intervals, from {held[0].name[:20]}, "
        f"{takeaways.within(held[0], ws.family, confidence)}, to {held[-1].name[:20]}, "
        f"{takeaways.within(held[-1], ws.family, confidence)}.",
        key="releases",
    )
    with st.expander("The same numbers as a table", icon=":material/table:"):
        parts.table(
            frames.wide_frame(frame), alt="Released numbers: a row per group, a column per tier."
        )
        if len(query.groups) > frames.WIDE_ROWS:
            st.caption(f"The first {frames.WIDE_ROWS:,} groups; the files below hold all.")


def _reading(ws: Workspace, frame: pd.DataFrame, confidence: float, revealed: bool) -> str:
    """How to read the picture, whichever of the two it is."""
    sure = f"with {percent(confidence)} confidence for each group"
    marks = (
        f"Mark: the number released. Line: where the exact number lies, {sure}."
        if len(ws.statistic.query.groups) <= ROWS_UP_TO
        else f"Line: the numbers released. Band: where the exact ones lie, {sure}."
    )
    order = list(dict.fromkeys(e.tier for e in ws.entries_of(ws.round))) if ws.round else []
    named = order if len(order) <= NAMED else [*order[:NAMED], f"{len(order) - NAMED} more"]
    return " ".join(
        [
            marks,
            *(["Grey: the exact number, not private."] if revealed else []),
            *(["Thinned to 2,000 groups on screen."] if is_thinned(frame) else []),
            *(
                [f"Asked in the order {literal(join(named))}; any other follows the same law."]
                if len(order) > 1
                else []
            ),
        ]
    )


def _before_the_first(ws: Workspace) -> None:
    """What to do, and what each tier will be worth: true before anything is drawn."""
    parts.empty(
        "No release in this session yet.",
        "Ask for any tier: its numbers appear here, with the range where the exact ones lie.",
    )
    tiers = ws.values_of_tiers
    if tiers:
        parts.ladder(tiers, ws.family, key="expected")


def meter_of(ws: Workspace) -> None:
    """What all releases together have learned: max, not sum."""
    if not ws.ledger:
        return
    total, alone = account.joint(ws), account.independent(ws)
    st.subheader("All together: max, not sum", anchor=False)
    spent, stops = account.spent(ws, total.definition)
    frame = frames.meter_frame(
        spent, letter=letter_of(total), total=total.value, independent=stops or [alone.value]
    )
    parts.chart(
        meter(frame),
        heading="",
        reading="",
        alt=f"Privacy loss of all releases together: {loss_words(total)}, the largest; drawn "
        f"independently they would have cost {loss_words(alone)}.",
        key="meter",
    )
    if len(ws.rounds) > 1 or ws.round is None:
        sessions = "One session" if len(ws.rounds) == 1 else f"{len(ws.rounds)} sessions"
        st.caption(
            f"{sessions}: within one the largest counts, between them losses add. "
            f"Method: {literal(total.method)}."
        )


def ledger_of(ws: Workspace) -> None:
    """What was drawn, in order of asking, and what each draw leaned on."""
    if not ws.ledger:
        return
    st.subheader("Ledger, in order of asking", anchor=False)
    with st.container(height=460 if len(ws.ledger) > LONG else "content", border=False):
        parts.table(
            frames.ledger_frame(ws.ledger),
            alt="Ledger: order of asking, tier, budget, neighbours and weights, noise, kind.",
        )
    meanings = " / ".join(dict.fromkeys(e.meaning for e in ws.ledger))
    st.caption(f"Per cent: {meanings}. Only the noise levels decide it.")
