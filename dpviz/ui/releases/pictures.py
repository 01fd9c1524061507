"""Pictures and tables of the Releases page."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dpviz.charts.releases.chart import ROWS_UP_TO, is_thinned, release_chart
from dpviz.charts.releases.choice import Order, pick_groups
from dpviz.charts.releases.frame import (
    WIDE_ROWS,
    exact_frame,
    ledger_frame,
    releases_frame,
    statistics_frame,
    wide_frame,
)
from dpviz.charts.releases.hover import TRUTH
from dpviz.charts.releases.meter import meter, meter_frame
from dpviz.noise import ADDITIVE
from dpviz.ui.kit import controls, parts
from dpviz.ui.releases.view import View
from dpviz.words import capitalised, join, percent
from dpviz.words.markdown import literal
from dpviz.workspace import account, takeaways
from dpviz.workspace.held import HeldTier
from dpviz.workspace.limits import limit_words
from dpviz.workspace.takeaways import cost_words, letter_of, loss_words
from dpviz.workspace.workspace import Workspace

RAW_TRUTH = "true bounded number plus the mean of the noise"
MANY = 60  # groups; more are searched, sorted and cut
SHOWN = (20, 50, 1000, 100_000)
ORDERS: dict[Order, str] = {
    "list": "as listed",
    "largest": "largest first",
    "smallest": "smallest first",
    "least certain": "least certain first",
    "name": "by name",
}
NAMED = 6  # tiers in a caption; more are counted
LONG = 12  # entries; a longer ledger scrolls


def chart_of(ws: Workspace, held: Sequence[HeldTier], view: View) -> None:
    """Every held release with its interval, or what to do to see one."""
    query = ws.statistic.query
    if not held:
        _before_the_first(ws)
        return
    whole = releases_frame(
        query, held, ws.family, view.confidence, processing=view.processing, raw=view.raw
    )
    frame = picked(ws, whole) if len(query.labels) > MANY else whole
    exact = exact_frame(query, ws.exact(), view.processing) if view.revealed else None
    parts.chart(
        release_chart(
            frame,
            noun=query.noun,
            axis_title=view.axis(query.noun),
            confidence=view.confidence,
            exact=exact,
            group_title=query.by.title,
            truth=RAW_TRUTH if view.raw else TRUTH,
        ),
        heading=f"{literal(capitalised(query.statistic))}, as each tier sees it",
        reading=_reading(ws, frame, view),
        alt=f"{len(query.labels):,} groups; in each, the releases of {len(held)} tiers with "
        f"{percent(view.confidence)} intervals, from {held[0].name[:20]}, "
        f"{takeaways.within(held[0], ws.family, view.confidence, query)}, to "
        f"{held[-1].name[:20]}, "
        f"{takeaways.within(held[-1], ws.family, view.confidence, query)}.",
        key="releases",
    )
    with st.expander("The same numbers as a table", icon=":material/table:"):
        parts.table(wide_frame(frame), alt="Released numbers: a row per group, a column per tier.")
        if frame["group"].nunique() > WIDE_ROWS:
            st.caption(f"The first {WIDE_ROWS:,} groups; the files below hold all.")


def picked(ws: Workspace, frame: pd.DataFrame) -> pd.DataFrame:
    """Of many groups those that are looked for, or the first in some order."""
    search_side, order_side, show_side = st.columns([2, 1, 1])
    key = f"{ws.statistic.table.digest[:8]}_{len(ws.statistic.query.labels)}"
    with search_side:
        search = controls.text_input("Search a group", key=f"search_{key}")
    with order_side:
        order: Order = controls.selectbox(
            "Order", list(ORDERS), format_func=ORDERS.__getitem__, key="order"
        )
    with show_side:
        show = controls.selectbox("Show", SHOWN, format_func="{:,} groups".format, key="show")
    found = pick_groups(frame, search=search, order=order, show=show)
    if found.empty:
        st.caption("No group has this in its name: all are shown.")
        return frame
    return found


def _reading(ws: Workspace, frame: pd.DataFrame, view: View) -> str:
    """How to read the picture, whichever of the two it is."""
    sure = f"with {percent(view.confidence)} confidence for each group"
    lies = "where the raw numbers fall" if view.raw else "where the exact number lies"
    marks = (
        f"Mark: the number released. Line: {lies}, {sure}."
        if frame["group"].nunique() <= ROWS_UP_TO
        else f"Line: the numbers released. Band: {lies}, {sure}."
    )
    order = list(dict.fromkeys(e.tier for e in ws.entries_of(ws.round)))
    named = order if len(order) <= NAMED else [*order[:NAMED], f"{len(order) - NAMED} more"]
    return " ".join(
        [
            marks,
            *(["The mark is post-processed, the line is not."] if view.processed else []),
            *(["Grey: the exact number, not private."] if view.revealed else []),
            *(["Thinned to 2,000 groups on screen."] if is_thinned(frame) else []),
            *(
                [
                    f"Asked in the order {literal(join(named))}; any other order gives numbers "
                    "of the same distribution."
                ]
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
        parts.ladder(tiers, ws.family, ws.statistic.query, key="expected")


def meter_of(ws: Workspace) -> None:
    """What all releases together have learned: max, not sum; and how far the limit is used."""
    if not ws.ledger:
        _limit_of(ws)
        return
    total, alone = account.joint(ws), account.independent(ws)
    st.subheader("All together: max, not sum", anchor=False)
    spent, stops = account.spent(ws, total.definition)
    frame = meter_frame(
        spent, letter=letter_of(total), total=total.value, independent=stops or [alone.value]
    )
    limit, alike = ws.limit, (total.definition, total.delta)
    drawn = limit is not None and (limit.definition, limit.delta) == alike
    parts.chart(
        meter(frame, limit=float(limit.budget) if limit and drawn else None),
        heading="",
        reading="",
        alt=f"Bound on the privacy loss of all releases together: {loss_words(total)}, the "
        f"largest; drawn independently they would have cost {loss_words(alone)}.",
        key="meter",
    )
    _limit_of(ws)
    opened = ws.next_number - 1
    if opened > 1 or ws.round is None:
        sessions = "One session" if opened == 1 else f"{opened} sessions"
        st.caption(
            f"{sessions}: within one the largest counts, between them losses compose. "
            f"Method: {literal(total.method)}."
        )


def _limit_of(ws: Workspace) -> None:
    if ws.limit is not None:
        st.caption(limit_words(ws.limit, ws.made(ws.limit)))


def ledger_of(ws: Workspace) -> None:
    """What was drawn, in order of asking, and what each draw leaned on."""
    if not ws.ledger:
        return
    st.subheader("Ledger, in order of asking", anchor=False)
    with st.container(height=460 if len(ws.ledger) > LONG else "content", border=False):
        parts.table(
            ledger_frame(ws.ledger, percent),
            alt="Ledger: order of asking, tier, budget, neighbours and weights, noise, kind.",
        )
    meanings = " / ".join(dict.fromkeys(ADDITIVE[e.family].weight_meaning for e in ws.ledger))
    st.caption(f"Per cent: {meanings}. Only the noise levels decide it.")


def statistics_of(ws: Workspace) -> None:
    """Every statistic that was released, with its loss, and the total over all."""
    found = account.by_statistic(ws)
    if len(found) < 2:
        return
    st.subheader("All statistics of this workspace", anchor=False)
    total = cost_words(account.joint(ws))
    rows = [(words, table, join(names), cost_words(loss)) for words, table, names, loss in found]
    parts.table(
        statistics_frame([*rows, ("all together", "", "", total)]),
        alt=f"Each statistic with its table, its tiers and its privacy loss; in total {total}.",
    )
