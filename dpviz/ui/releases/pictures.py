"""Pictures and tables of the Releases page."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.accounting import JointLoss
from dpviz.charts.forms.bar_rows import bar_rows
from dpviz.charts.forms.guess_scale import guess_scale, together_rows
from dpviz.charts.releases.chart import ROWS_UP_TO, is_thinned, release_chart
from dpviz.charts.releases.choice import Order, pick_groups
from dpviz.charts.releases.frame import (
    WIDE_ROWS,
    exact_frame,
    ledger_frame,
    releases_frame,
    sharpest_first,
    statistics_frame,
    wide_frame,
)
from dpviz.charts.releases.hover import TRUTH
from dpviz.charts.releases.rulers import alike, release_rulers, suits
from dpviz.noise import ADDITIVE
from dpviz.palette import GREY
from dpviz.ui.kit import controls, parts
from dpviz.ui.releases import words
from dpviz.ui.releases.view import View
from dpviz.words import capitalised, join, percent, shorten
from dpviz.words.grammar import numbered, times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace import account, takeaways
from dpviz.workspace.group_sizes import size_of
from dpviz.workspace.guesses import ALL, right_by
from dpviz.workspace.held import HeldTier
from dpviz.workspace.limits import limit_words
from dpviz.workspace.takeaways import cost_words, counted
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
LONG = 12  # entries; a longer ledger scrolls


def chart_of(ws: Workspace, held: Sequence[HeldTier], view: View) -> pd.DataFrame | None:
    """Every held release with its interval; None while there is none."""
    if not held:
        return None
    frame = frame_of(ws, held, view)
    query = ws.statistic.query
    exact = exact_frame(query, ws.exact(), view.processing) if view.revealed else None
    told: dict[str, Any] = {"noun": query.noun, "confidence": view.confidence, "exact": exact}
    told |= {"truth": RAW_TRUTH if view.raw else TRUTH}
    shown, size = sharpest_first(frame), size_of(ws)
    ruled = suits(shown)
    if ruled:
        fig = release_rulers(shown, **told)
    else:
        titles: dict[str, Any] = {
            "axis_title": view.axis(query.noun),
            "group_title": query.by.title,
        }
        fig = release_chart(shown, **told, **titles)
    parts.chart(
        fig,
        heading=literal(capitalised(query.statistic)),
        reading=_reading(shown, view, ruled=ruled, equal=ruled and alike(shown, exact)),
        alt=f"{numbered(len(query.labels), 'groups')}; in each, the releases of "
        f"{numbered(len(held), 'tiers')} with "
        f"{percent(view.confidence)} intervals, from {shorten(held[-1].name)}, "
        f"{takeaways.within(held[-1], ws.family, view.confidence, query, size)}, to "
        f"{shorten(held[0].name)}, "
        f"{takeaways.within(held[0], ws.family, view.confidence, query, size)}.",
        key="releases",
    )
    if same := words.same_numbers(held, ws.family, query):
        st.caption(same)
    return frame


def frame_of(ws: Workspace, held: Sequence[HeldTier], view: View) -> pd.DataFrame:
    """What the tiers hold, as it is looked at; of many groups those that are looked for."""
    query = ws.statistic.query
    whole = releases_frame(
        query, held, ws.family, view.confidence, processing=view.processing, raw=view.raw
    )
    return picked(ws, whole) if len(query.labels) > MANY else whole


def numbers_and_ledger(ws: Workspace, frame: pd.DataFrame | None) -> None:
    """The released numbers as a table, and what each draw looked at and cost."""
    if not ws.ledger:
        st.caption("Nothing has been drawn yet.")
    if frame is not None:
        _numbers_of(frame)
    if ws.ledger:
        _ledger_of(ws)


def _numbers_of(frame: pd.DataFrame) -> None:
    parts.table(wide_frame(frame), alt="Released numbers: a row per group, a column per tier.")
    if frame["group"].nunique() > WIDE_ROWS:
        st.caption(f"The first {WIDE_ROWS:,} groups; the files above hold all.")


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


def _reading(frame: pd.DataFrame, view: View, *, ruled: bool, equal: bool) -> str:
    """How to read the picture, whichever of the three it is."""
    sure = times_in_100(view.confidence)
    lies = "where the raw number falls" if view.raw else "where the exact number lies"
    marks = (
        f"Mark: the number released; bar: {lies} {sure}, for each group."
        if frame["group"].nunique() <= ROWS_UP_TO
        else f"Line: the numbers released; band: {lies} {sure}, for each group."
    )
    ruler = (
        " The scales start at different numbers, with equal steps."
        if equal
        else " The scales start at different numbers, with unequal steps."
    )
    return " ".join(
        [
            marks + (ruler if ruled and frame["group"].nunique() > 1 else ""),
            *(["The mark is post-processed, the line is not."] if view.processed else []),
            *(["Grey: the exact number, not private."] if view.revealed else []),
            *(["Thinned to 2,000 groups on screen."] if not ruled and is_thinned(frame) else []),
        ]
    )


def meter_of(ws: Workspace, total: JointLoss, alone: JointLoss) -> None:
    """What all releases together tell: max, not sum; before the first draw, of the whole plan.

    Args:
        ws: the workspace.
        total: loss of all its releases together.
        alone: what they would have cost if each had been drawn on its own.
    """
    mine = account.entries(ws)
    if mine:
        who = {e.tier: ws.plan.style_of(e.tier).colour for e in account.once(ws)}
    else:
        if not ws.planned()[0]:
            return
        total, alone = account.plan(ws)
        least = {t.level: t for t in ws.values_of_tiers}.values()
        who = {t.name: ws.plan.style_of(t.name).colour for t in least}
    here = right_by(total)
    opened = len({e.session for e in mine})
    several = bool(mine) and (opened > 1 or ws.round is None)
    if several:
        here = replace(here, kind="at most")
    one = ws.statistic.query.nouns.one
    st.subheader(_heading(who, one), anchor=False)
    rows = together_rows(
        _who(who),
        (total, here),
        (alone, right_by(alone)),
        colour=[GREY, *who.values()][-1],
        earlier=several,
    )
    made = bar_rows(
        pd.DataFrame(rows),
        what=f"Right guesses about one {one}, of {ALL:,}, by {_who(who)}.",
        scale=guess_scale(),
    )
    parts.picture(
        made,
        reading=f"Bar: of {ALL:,} guesses whether one {one} is in the table, how many are right. "
        "Ticks: what others published with, to protect other things.",
        key="meter",
    )
    _limit_of(ws)
    if said := words.other_tabs(ws):
        st.caption(said)
    if several:
        sessions = "One session" if opened == 1 else f"{opened} sessions"
        st.caption(
            f"{sessions}: within one only the largest loss counts; losses of sessions compose. "
            f"Method: {literal(total.method)}."
        )
    for unit, loss in account.other_units(ws).items():
        st.caption(
            f"Besides, where {literal(unit)}: {cost_words(loss)}. Losses of different units are "
            "never added."
        )


def _who(names: Collection[str]) -> str:
    """Who compares notes: all, or the one there is."""
    if len(names) < 2:
        return next(iter(names), "earlier sessions")
    return "both" if len(names) == 2 else f"all {counted(len(names))}"


def _heading(names: Collection[str], one: str) -> str:
    if len(names) < 2:
        return f"Right guesses about one {one}, of 1,000"
    return f"Right guesses of 1,000 when {_who(names)} compare notes"


def _limit_of(ws: Workspace) -> None:
    if ws.limit is not None:
        others = ws.elsewhere(ws.statistic.table, ws.limit).events if ws.owner else []
        st.caption(limit_words(ws.limit, ws.made(ws.limit), others))


def _ledger_of(ws: Workspace) -> None:
    """What was drawn, in order of asking, what each draw leaned on, and all statistics."""
    with st.container(height=460 if len(ws.ledger) > LONG else "content", border=False):
        parts.table(
            ledger_frame(ws.ledger, percent),
            alt="Ledger: order of asking, tier, budget, neighbours and weights, noise, kind.",
        )
    meanings = " / ".join(dict.fromkeys(ADDITIVE[e.family].weight_meaning for e in ws.ledger))
    st.caption(f"Per cent: {meanings}. These depend on the noise levels alone.")
    _statistics_of(ws)


def _statistics_of(ws: Workspace) -> None:
    """Every statistic that was released, with its loss, and the total over all."""
    found = account.by_statistic(ws)
    if len(found) < 2:
        return
    st.subheader("All statistics of this workspace", anchor=False)
    units = {unit: cost_words(loss) for unit, loss in account.by_unit(ws).items()}
    rows = [(said, table, join(names), cost_words(loss)) for said, table, names, loss in found]
    for unit, total in units.items():
        whose = "" if len(units) == 1 else f", where {unit}"
        rows.append((f"all together{whose}", "", "", total))
    parts.table(
        statistics_frame(rows),
        alt="Each statistic with its table, its tiers and its privacy loss; in total "
        f"{join([*units.values()])}.",
    )
