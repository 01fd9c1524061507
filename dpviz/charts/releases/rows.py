"""Releases of at most 30 groups: a row per group, in it a mark and an interval per tier."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import LETTER, PHONE, note, pixels, rule, span, tag, ticks, wrapped
from dpviz.charts.releases.hover import exact_hover, release_hover
from dpviz.charts.releases.row_plan import NAMED_UP_TO, RowPlan, plan_rows
from dpviz.charts.tidy import TOO_FEW, Floats, Intervals, Tier, extent, tiers
from dpviz.palette import GREY
from dpviz.words import between, clean, plain, pm, shorten

Rows = Mapping[Any, int]  # group → its row from the top
EXACT_LINE = {"color": GREY, "width": 2}


def release_rows(
    frame: pd.DataFrame,
    *,
    noun: str,
    axis_title: str,
    confidence: float,
    exact: pd.DataFrame | None,
    truth: str,
    absent: str,
) -> go.Figure:
    """Rows of marks; frame and arguments are those of `release_chart`."""
    everybody = tiers(frame)
    rows = {group: row for row, group in enumerate(frame["group"].unique())}
    names = [wrapped(group) for group in rows]
    width = PHONE - 16 - max(length for _, length in names)
    limits = span(*extent(frame, exact))
    plan = _plan(everybody, rows, limits, width, absent)
    traces = []
    for rank, tier in enumerate(everybody):
        marks = Intervals.of(tier.rows)
        at = plan.heights(rank)[[rows[group] for group in tier.rows["group"]]]
        told = [plain(group, 40) for group in tier.rows["group"]]
        hover = release_hover(
            tier, told, marks, noun=noun, confidence=confidence, axis="x", truth=truth
        )
        traces += [*_lines(tier, marks, at, plan), _marks(tier, marks, at, plan, hover)]
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
        "annotations": [
            *_names(everybody, next(iter(rows)), plan, width, absent),
            *(_too_few(everybody, rows, plan) if absent == TOO_FEW else ()),
        ],
        "shapes": [rule(edge) for edge in plan.edges[:-1]],
        "xaxis": xaxis | ticks(*limits, room=width - 10),
        "yaxis": yaxis,
    }
    return go.Figure(data=traces, layout=layout)


def _in_row(tier: Tier, group: Any) -> tuple[float, float, float]:
    """Value and both ends of a tier in one group, NaN where it has none; no interval: its value."""
    at = np.flatnonzero((tier.rows["group"] == group).to_numpy())[:1]
    if not len(at):
        return float("nan"), float("nan"), float("nan")
    mark = Intervals.of(tier.rows).at(at)
    value = float(mark.value[0])
    if not np.isfinite(mark.low[0]):
        return value, value, value
    return value, float(mark.low[0]), float(mark.high[0])


def _words(tier: Tier, group: Any, absent: str) -> str:
    """What stands beside the name: accuracy and budget."""
    budget, (value, low, high) = clean(tier.rows["budget"].iloc[0]), _in_row(tier, group)
    common = Intervals.of(tier.rows).common_half
    if np.isnan(value):
        return f"{absent}, {budget}"
    if np.isfinite(common):
        return f"{pm(common)}, {budget}"
    return f"{between(low, high)}, {budget}" if low < high else budget


def _plan(
    everybody: list[Tier],
    rows: Rows,
    limits: tuple[float, float],
    width: float,
    absent: str,
) -> RowPlan:
    first = next(iter(rows))
    ends = np.array([_in_row(tier, first)[1:] for tier in everybody]).T
    low, high = limits
    lengths = [
        pixels(shorten(tier.key, 24), bold=True) + pixels(" " + _words(tier, first, absent))
        for tier in everybody
    ]
    starts, stops = (ends - low) / (high - low)
    return plan_rows(len(rows), starts, stops, np.array(lengths), width)


def _lines(tier: Tier, marks: Intervals, at: Floats, plan: RowPlan) -> list[go.Scatter]:
    """The intervals, a line in each row, if there are any."""
    if np.isnan(marks.low).all():
        return []
    gap = np.full(len(at), np.nan)
    return [
        go.Scatter(
            x=np.stack([marks.low, marks.high, gap], axis=1).ravel(),
            y=np.stack([at, at, gap], axis=1).ravel(),
            mode="lines",
            name=tier.name,
            line={"color": tier.style.colour, "width": 2 if plan.mark >= 8 else 1.5},
            hoverinfo="skip",
        )
    ]


def _marks(
    tier: Tier, marks: Intervals, at: Floats, plan: RowPlan, hover: dict[str, object]
) -> go.Scatter:
    style = tier.style
    return go.Scatter(
        x=marks.value,
        y=at,
        mode="markers",
        name=tier.name,
        marker={"color": style.colour, "symbol": style.marker, "size": plan.mark},
        cliponaxis=False,  # near an end of the axis, too, the mark is whole
        **hover,
    )


def _too_few(everybody: list[Tier], rows: Rows, plan: RowPlan) -> list[dict[str, Any]]:
    """A note in every row where a tier sees no number; the names in the first row say it there."""
    missing: dict[int, list[int]] = {}
    for rank, tier in enumerate(everybody):
        unknown = tier.rows["group"][np.isnan(Intervals.of(tier.rows).value)]
        for group in unknown:
            if rows[group] or rank not in plan.named:
                missing.setdefault(rows[group], []).append(rank)
    notes = []
    for row, ranks in missing.items():
        height = float(np.mean([plan.heights(rank)[row] for rank in ranks]))
        styles = [everybody[rank].style for rank in ranks[:NAMED_UP_TO]]
        glyphs = "".join(f'<span style="color:{s.colour}">{s.glyph}</span>' for s in styles)
        whose = "" if len(ranks) == len(everybody) > 1 else f"{glyphs} "
        notes.append(note(f"{whose}{TOO_FEW}", 0, height, xref="x domain", xshift=2))
    return notes


def _exact_ticks(exact: pd.DataFrame, rows: Rows, plan: RowPlan, noun: str) -> go.Scatter:
    """A grey upright tick per row, broken between rows; hover finds its ends and its middle."""
    x: list[float | None] = []
    y: list[float | None] = []
    hover: list[str] = []
    for group, value in zip(exact["group"], exact["value"].to_numpy(float), strict=True):
        if group not in rows or np.isnan(value):
            continue
        top, bottom = plan.edges[rows[group]] + 9, plan.edges[rows[group] + 1] - 9
        x += [value, value, value, None]
        y += [top, (top + bottom) / 2, bottom, None]
        hover += [exact_hover(value, plain(group), noun)] * 3 + [""]
    look = {"line": EXACT_LINE, "hovertext": hover, "hoverinfo": "text"}
    return go.Scatter(x=x, y=y, mode="lines", name="exact", **look)


def _names(
    everybody: list[Tier], first: Any, plan: RowPlan, width: float, absent: str
) -> list[dict[str, Any]]:
    """The names in the first row: beside the intervals, or at the left on lines of their own."""
    notes = []
    for rank, height in plan.named.items():
        tier = everybody[rank]
        words = f" {plain(_words(tier, first, absent))}"
        if plan.side == "line":
            room = (width - 22 - pixels(_words(tier, first, absent))) / (1.15 * LETTER)
            text = tag(tier.style, tier.short(min(24, max(6, int(room))))) + words
            notes.append(note(text, 0, height, xref="x domain", xshift=6))
            continue
        _, low, high = _in_row(tier, first)
        way, anchor, edge = (1, "left", high) if plan.side == "right" else (-1, "right", low)
        look = {"xshift": way * 8, "xanchor": anchor, "align": anchor}
        notes.append(note(f"<b>{tier.short()}</b>{words}", edge, height, **look))
    return notes
