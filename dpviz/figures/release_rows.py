"""Releases of at most 30 groups: a row per group, in it a mark and an interval per tier."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.figures.labels import LETTER, PHONE, note, pixels, rule, span, tag, ticks, wrapped
from dpviz.figures.palette import GREY
from dpviz.figures.release_hover import exact_hover, release_hover
from dpviz.figures.row_plan import RowPlan, plan_rows
from dpviz.figures.tidy import Tier, extent, half_widths, tiers
from dpviz.figures.words import clean, plain, pm, shorten

Rows = Mapping[Any, int]  # group → its row from the top


def release_rows(
    frame: pd.DataFrame,
    *,
    noun: str,
    axis_title: str,
    confidence: float,
    exact: pd.DataFrame | None,
) -> go.Figure:
    """Rows of marks; frame and arguments are those of `release_chart`."""
    everybody = tiers(frame)
    rows = {group: row for row, group in enumerate(frame["group"].unique())}
    names = [wrapped(group) for group in rows]
    width = PHONE - 16 - max(length for _, length in names)
    limits = span(*extent(frame, exact))
    plan = _plan(everybody, rows, limits, width)
    traces = [
        _marks(tier, rank, rows, plan, noun=noun, confidence=confidence)
        for rank, tier in enumerate(everybody)
    ]
    if exact is not None:
        traces.append(_exact_ticks(exact, rows, plan, noun))
    xaxis = {"title": {"text": plain(axis_title)}, "range": limits}
    yaxis = {
        "range": (plan.edges[-1], 0),
        "tickvals": plan.centres,
        "ticktext": [text for text, _ in names],
        "tickfont": {"size": 13},
    }
    layout = {
        "height": round(48 + plan.edges[-1]),
        "margin": {"t": 4},
        "annotations": _names(everybody, next(iter(rows)), plan, width),
        "shapes": [rule(edge) for edge in plan.edges[:-1]],
        "xaxis": xaxis | ticks(*limits, room=width - 10),
        "yaxis": yaxis,
    }
    return go.Figure(data=traces, layout=layout)


def _in_row(tier: Tier, group: Any) -> tuple[float, float]:
    """Value and half width of a tier in one group, NaN where it has none."""
    at = (tier.rows["group"] == group).to_numpy()
    if not at.any():
        return float("nan"), float("nan")
    return float(tier.rows["value"].to_numpy(float)[at][0]), float(half_widths(tier.rows)[at][0])


def _words(tier: Tier, group: Any) -> str:
    """What stands beside the name: accuracy and budget."""
    half, budget = _in_row(tier, group)[1], clean(tier.rows["budget"].iloc[0])
    return f"{pm(half)}, {budget}" if np.isfinite(half) else budget


def _plan(everybody: list[Tier], rows: Rows, limits: tuple[float, float], width: float) -> RowPlan:
    first = next(iter(rows))
    value, half = np.array([_in_row(tier, first) for tier in everybody]).T
    half = np.nan_to_num(half)
    low, high = limits
    lengths = [
        pixels(shorten(tier.key, 24), bold=True) + pixels(" " + _words(tier, first))
        for tier in everybody
    ]
    starts, ends = ((value + sign * half - low) / (high - low) for sign in (-1, 1))
    return plan_rows(len(rows), starts, ends, np.array(lengths), width)


def _marks(
    tier: Tier, rank: int, rows: Rows, plan: RowPlan, *, noun: str, confidence: float
) -> go.Scatter:
    groups, half = list(tier.rows["group"]), half_widths(tier.rows)
    style, names = tier.style, [plain(group, 40) for group in groups]
    interval = {"type": "data", "array": half, "color": style.colour, "width": 0}
    thickness = 2 if plan.mark >= 8 else 1.5
    return go.Scatter(
        x=tier.rows["value"].to_numpy(float),
        y=plan.heights(rank)[[rows[group] for group in groups]],
        mode="markers",
        name=tier.name,
        marker={"color": style.colour, "symbol": style.marker, "size": plan.mark},
        error_x=interval | {"thickness": thickness, "visible": bool(np.isfinite(half).any())},
        **release_hover(tier, names, half, noun=noun, confidence=confidence, axis="x"),
    )


def _exact_ticks(exact: pd.DataFrame, rows: Rows, plan: RowPlan, noun: str) -> go.Scatter:
    """A grey upright tick per row, broken between rows; hover finds its ends and its middle."""
    x: list[float | None] = []
    y: list[float | None] = []
    hover: list[str] = []
    for group, value in zip(exact["group"], exact["value"].to_numpy(float), strict=True):
        if group not in rows:
            continue
        top, bottom = plan.edges[rows[group]] + 9, plan.edges[rows[group] + 1] - 9
        x += [value, value, value, None]
        y += [top, (top + bottom) / 2, bottom, None]
        hover += [exact_hover(value, plain(group), noun)] * 3 + [""]
    line = {"color": GREY, "width": 2}
    return go.Scatter(
        x=x, y=y, mode="lines", name="exact", line=line, hovertext=hover, hoverinfo="text"
    )


def _names(everybody: list[Tier], first: Any, plan: RowPlan, width: float) -> list[dict[str, Any]]:
    """The names in the first row: beside the intervals, or at the left on lines of their own."""
    notes = []
    for rank, height in plan.named.items():
        tier = everybody[rank]
        words = f" {plain(_words(tier, first))}"
        if plan.side == "line":
            room = (width - 18 - pixels(_words(tier, first))) / (1.15 * LETTER)
            text = tag(tier.style, tier.short(min(24, max(6, int(room))))) + words
            notes.append(note(text, 0, height, xref="x domain", xshift=2))
            continue
        value, half = _in_row(tier, first)
        way, anchor = (1, "left") if plan.side == "right" else (-1, "right")
        edge = value + way * (half if np.isfinite(half) else 0)
        look = {"xshift": way * 8, "xanchor": anchor, "align": anchor}
        notes.append(note(f"<b>{tier.short()}</b>{words}", edge, height, **look))
    return notes
