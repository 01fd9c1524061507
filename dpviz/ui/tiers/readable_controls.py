"""Which groups are still readable at which tier, for sizes that are typed, never read off."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.charts.tiers.least_sizes import LEAST, least_sizes
from dpviz.charts.tiers.readable import (
    has_names,
    readable_chart,
    readable_frame,
    shown_groups,
    shown_places,
)
from dpviz.planning.readable import read_sizes, smallest_readable
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Query
from dpviz.ui.kit import controls, parts, plan_file
from dpviz.ui.kit.state import field
from dpviz.words import join, percent, rounded_up, significant
from dpviz.words.grammar import numbered
from dpviz.words.markdown import literal
from dpviz.workspace import takeaways
from dpviz.workspace.workspace import Workspace

LIMITS = (0.05, 0.1, 0.2, 0.5)
USUAL_ROWS = 100
NAMED = 30  # tiers without a column; more are counted


def readable_groups(ws: Workspace, planned: Sequence[PlannedTier]) -> None:
    """Typed sizes, a limit of relative error, and the picture; nothing is drawn for it."""
    query = ws.statistic.query
    if query.per_value > 1:
        st.caption("A mean is as readable as its number of rows; sizes are numbers of rows.")
    left, right = st.columns([3, 1], gap="medium")
    with right:
        text, limit = _asked(ws, query)
    typed = parts.usable(lambda: read_sizes(text, query.labels))
    if typed is None:
        return
    tiers = [
        (p.name, p.budget.half_width, style) for p in planned if (style := ws.plan.style_of(p.name))
    ]
    if not tiers:
        return
    frame = readable_frame(list(typed), np.fromiter(typed.values(), float), tiers, limit)
    with left:
        _least(ws, planned, list(typed.values()), limit)
        parts.chart(
            readable_chart(frame),
            heading="",
            reading="Each cell: the error with 95 % confidence as a share of the typed size. "
            "Open and in brackets: too small to be read at that tier."
            + (
                ""
                if has_names(shown_groups(frame), len(tiers))
                else columns_reading([t[0] for t in tiers])
            ),
            alt=f"{numbered(len(typed), 'groups')} by {numbered(len(tiers), 'tiers')}: relative "
            f"error, and which exceed {percent(limit)}.",
            key="readable",
        )
    _lost(frame)


def _asked(ws: Workspace, query: Query) -> tuple[str, float]:
    """The sizes as typed, which the plan keeps, and the limit of relative error."""
    text = controls.text_area(
        f"Expected sizes ({literal(query.noun_released)})",
        ws.plan.sizes.get(query.counted, _usual(query)),
        key=plan_file.sizes_key(query),
        help="One number for all groups, or a line for each: “north: 120”. What everybody may "
        "expect, not what the table says.",
    )
    keep_sizes(ws)
    limit = controls.selectbox(
        "Readable means within",
        LIMITS,
        index=1,
        format_func=lambda share: f"± {percent(share)}",
        key="readable_limit",
    )
    return text, float(limit)


def keep_sizes(ws: Workspace) -> None:
    """Keep the sizes as they are typed now, also before their field is shown in this run."""
    query, sizes = ws.statistic.query, ws.plan.sizes
    text = field(plan_file.sizes_key(query))
    if text is not None and (text != _usual(query) or query.counted in sizes):
        sizes[query.counted] = text


def _usual(query: Query) -> str:
    """What the field says before anybody types: a hundred rows for every group."""
    one_row = query.clip.farthest if query.clip is not None and query.per_value == 1 else 1
    return f"{USUAL_ROWS * one_row:.6g}"


def _least(
    ws: Workspace, planned: Sequence[PlannedTier], sizes: Sequence[float], limit: float
) -> None:
    """The least readable size of each tier, sharpest first: a line with one mark for each."""
    styles = [ws.plan.style_of(p.name) for p in planned]
    rows = [
        (p.name, smallest_readable(p.budget, relative=limit), style)
        for p, style in zip(planned, styles, strict=True)
    ]
    noun = ws.statistic.query.noun_released
    parts.chart(
        least_sizes(
            pd.DataFrame(rows[::-1], columns=list(LEAST)),
            sizes,
            axis_title=f"expected size of a group, {noun} (dotted: as typed)",
        ),
        heading="",
        reading=f"Each tier can read groups from its mark on: to within ± {percent(limit)}, 95 "
        "times in 100.",
        alt=f"Least size readable within ± {percent(limit)}, in {noun}: "
        + ", ".join(f"{name} {significant(rounded_up(size), 2)}" for name, size, _ in rows)
        + ".",
        key="least_sizes",
    )


def _lost(frame: pd.DataFrame) -> None:
    """How many groups each tier cannot read."""
    lost = [
        f"{takeaways.counted(int(count))} at {literal(name)}"
        for name, count in frame[~frame["readable"]].groupby("tier", sort=False).size().items()
    ]
    if lost:
        st.caption(f"Unreadable groups: {', '.join(lost)}.")


def columns_reading(names: Sequence[str]) -> str:
    """Which tiers the numbered columns are, and which have none.

    >>> columns_reading(["public", "audit"])
    ' Columns: 1 public, 2 audit.'
    """
    numbered = [f"{place} {literal(name)}" for place, name in enumerate(names, start=1)]
    shown = shown_places(len(names))
    text = f" Columns: {', '.join(numbered[place] for place in shown)}."
    left_out = [numbered[p] for p in range(len(names)) if p not in set(shown)]
    if not left_out:
        return text
    named = left_out[:NAMED] + [f"{len(left_out) - NAMED} more"] * (len(left_out) > NAMED)
    return f"{text} Without a column, for lack of room: {join(named)}."
