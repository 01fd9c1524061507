"""Pictures and tables of the Releases page."""

from collections.abc import Sequence

import streamlit as st

from dpviz import frames
from dpviz.figures.meter import meter
from dpviz.figures.releases import is_thinned, release_chart
from dpviz.figures.words import join, percent
from dpviz.frames import HeldTier
from dpviz.ui import account, parts
from dpviz.ui.takeaways import letter_of, loss_words
from dpviz.ui.text import literal
from dpviz.ui.workspace import Workspace


def chart_of(ws: Workspace, held: Sequence[HeldTier], confidence: float, revealed: bool) -> None:
    """Every held release with its interval, or what to do to see one."""
    query = ws.statistic.query
    if not held:
        _before_the_first(ws)
        return
    frame = frames.releases_frame(query.groups, held, ws.family, confidence)
    exact = frames.exact_frame(query.groups, ws.exact()) if revealed else None
    order = [e.tier for e in ws.entries_of(ws.round)] if ws.round else []
    reading = (
        f"Mark: the number released. Line: where the exact number lies, with "
        f"{percent(confidence)} confidence for each group. "
        + ("Grey: the exact number, not private. " if revealed else "")
        + ("Thinned to 2,000 groups on screen. " if is_thinned(frame) else "")
        + f"Drawn in the order {literal(join(order))}; any other order follows the same law."
    )
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
        reading=reading,
        alt=f"{len(query.groups)} groups; in each, the releases of {join([t.name for t in held])} "
        f"with {percent(confidence)} intervals, widest for the most private.",
        key="releases",
    )
    with st.expander("The same numbers as a table", icon=":material/table:"):
        parts.table(
            frames.wide_frame(frame), alt="Released numbers: a row per group, a column per tier."
        )
        if len(query.groups) > frames.WIDE_ROWS:
            st.caption(f"The first {frames.WIDE_ROWS:,} groups; the files below hold all.")


def _before_the_first(ws: Workspace) -> None:
    """What to do, and what each tier will be worth: true before anything is drawn."""
    parts.empty(
        "No release yet.",
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
    parts.table(
        frames.ledger_frame(ws.ledger),
        alt="Ledger: order of asking, tier, budget, noise level, kind, neighbours and weights.",
    )
    st.caption(f"Drawn from: {ws.family.weight_meaning}. Only the levels decide it.")
