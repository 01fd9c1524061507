"""Hills: what each tier sees of one number, and how sure it can be of it.

One row per tier, the most private on top: a hill on the released number, below it a thick bar where
the true number lies, and at the side the name and the number. More clearance, narrower hill.
Heights say nothing: a hill is lower the wider it is, but by the square root only, so that the
widest is still seen. The vertical axis counts pixels from the lowest row upwards.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.labels import PHONE, Floats, note, pixels, tag, ticks
from dpviz.charts.start.frame import CURVE, MARK
from dpviz.charts.tidy import Tier, half_widths, require_columns, tiers
from dpviz.checks import probability
from dpviz.errors import ParameterError
from dpviz.palette import rgba
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.words import percent, plain, shorten

TALL_UP_TO = 6  # tiers; more of them get lower rows
NAME, NUMBER = 15, 36  # pixels from the top of a row to the middle of each text
PEAK = 0.8  # of a row
NAME_LETTERS, NUMBER_LETTERS = 18, 28  # of a label


@dataclass(frozen=True)
class Hill:
    """One row: the tier, its number, half the width of its interval, and its curve."""

    tier: Tier
    centre: float
    half: float
    x: Floats
    height: Floats  # density at first, pixels above the ground line after `_scaled`

    def __post_init__(self) -> None:
        checks.finite(centre=self.centre)
        checks.stated(half=self.half)
        checks.arrays(1, x=self.x, height=self.height)


def hills(
    curves: pd.DataFrame,
    marks: pd.DataFrame,
    *,
    axis_title: str,
    noun: str,
    confidence: float = ACCURACY_CONFIDENCE,
    discrete: bool = False,
) -> go.Figure:
    """Draw a hill per tier.

    Args:
        curves: columns tier, x (ascending in each tier), density (at least 0, on any scale).
        marks: one row per tier, most private first. Columns: tier, centre, half_width (NaN: no
            guarantee), label (the number as text, such as "1,793 ±294"), slot, symbol.
        axis_title: quantity and unit.
        noun: what is counted, for the hover sentences.
        confidence: of the intervals, between 0 and 1.
        discrete: the densities are probabilities of whole numbers, drawn as steps.

    Raises:
        ParameterError: a column is missing, or a tier has a mark and no curve.

    >>> marks = pd.DataFrame({"tier": ["audit"], "centre": [5.0], "half_width": [2.0],
    ...     "label": ["5 ±2"], "slot": [2], "symbol": [0]})
    >>> curve = pd.DataFrame({"tier": "audit", "x": [1.0, 5.0, 9.0], "density": [0.0, 1.0, 0.0]})
    >>> hill, bar, mark = hills(curve, marks, axis_title="people", noun="people").data
    >>> bar.x, mark.x
    ((3.0, 7.0), (5.0,))
    """
    require_columns(curves, *CURVE)
    require_columns(marks, *MARK)
    probability(confidence=confidence)
    everybody = tiers(marks)
    row = 96.0 if len(everybody) <= TALL_UP_TO else 72.0
    rows = _scaled([_hill(tier, curves, discrete=discrete) for tier in everybody], PEAK * row)
    low, high, side = _range(rows, row)
    traces, notes = [], []
    for rank, hill in enumerate(reversed(rows)):  # from the bottom up, as the axis runs
        traces += [_curve(hill, rank * row, low, high, discrete=discrete)]
        traces += _mark(hill, rank * row, plain(noun), confidence)
        notes += _texts(hill, (rank + 1) * row, side)
    layout = {
        "height": round(54 + row * len(rows)),
        "margin": {"t": 0},
        "annotations": notes,
        "xaxis": {"title": {"text": plain(axis_title)}, "range": (low, high)}
        | ticks(low, high, most=5, room=300),
        "yaxis": {"visible": False, "range": (-10, row * len(rows))},
    }
    return go.Figure(data=traces, layout=layout)


def _hill(tier: Tier, curves: pd.DataFrame, *, discrete: bool) -> Hill:
    own = curves[curves["tier"] == tier.key]
    if own.empty:
        raise ParameterError("a tier has a mark and no curve: pass a curve for every tier")
    x, density = own["x"].to_numpy(float), own["density"].to_numpy(float)
    ends = (x[0] - discrete, x[-1] + discrete)  # a step of its own for the first and the last
    x, density = np.r_[ends[0], x, ends[1]], np.r_[0.0, density, 0.0]
    centre = float(tier.rows["centre"].iloc[0])
    return Hill(tier, centre, float(half_widths(tier.rows)[0]), x, density)


def _scaled(rows: list[Hill], peak: float) -> list[Hill]:
    """Heights in pixels: the narrowest hill is `peak` high, a wider one lower by the root."""
    widths = [float(np.trapezoid(h.height, h.x)) / max(h.height.max(), 1e-300) for h in rows]
    least = min((width for width in widths if width > 0), default=1.0)
    scales = [peak * (least / width) ** 0.5 if width > 0 else peak for width in widths]
    return [
        replace(hill, height=hill.height / max(hill.height.max(), 1e-300) * max(scale, 0.1 * peak))
        for hill, scale in zip(rows, scales, strict=True)
    ]


def _range(rows: list[Hill], row: float) -> tuple[float, float, str]:
    """The x axis, and the side on which no hill is in the way of a name, on a phone."""
    seen = [hill.x[hill.height > 0.004 * hill.height.max()] for hill in rows]
    ends = [hill.centre + sign * np.nan_to_num(hill.half) for hill in rows for sign in (-1, 1)]
    every = np.concatenate([*seen, ends])
    low, high = float(every.min()), float(every.max())
    low, high = (low, high) if low < high else (low - 1, high + 1)
    share = min(max(_length(hill) for hill in rows) / (PHONE - 8), 0.6)
    room = row - NUMBER - 10
    for side, near in (("left", low), ("right", high)):
        within = [np.abs(hill.x - near) <= share * (high - low) for hill in rows]
        if all(h.height[w].max(initial=0) <= room for h, w in zip(rows, within, strict=True)):
            return low, high, side
    return low - (high - low) * share / (1 - share), high, "left"


def _length(hill: Hill) -> float:
    name = pixels(shorten(hill.tier.key, NAME_LETTERS), 15, bold=True) + 18
    return max(name, pixels(shorten(hill.tier.rows["label"].iloc[0], NUMBER_LETTERS)))


def _number(hill: Hill) -> str:
    return plain(hill.tier.rows["label"].iloc[0], NUMBER_LETTERS)


def _curve(hill: Hill, base: float, low: float, high: float, *, discrete: bool) -> go.Scatter:
    """Hill and ground line in one: from edge to edge of the plot."""
    colour = hill.tier.style.colour
    shape = "hvh" if discrete else "linear"
    return go.Scatter(
        x=np.r_[min(low, hill.x[0]), hill.x, max(high, hill.x[-1])],
        y=base + np.r_[0.0, hill.height, 0.0],
        mode="lines",
        name=hill.tier.name,
        line={"color": colour, "width": 1.5, "shape": shape, "simplify": False},
        fill="toself",
        fillcolor=rgba(colour, 0.3),
        hoverinfo="skip",
    )


def _mark(hill: Hill, base: float, noun: str, confidence: float) -> list[go.Scatter]:
    """The thick bar where the true number lies, and the symbol on the released one."""
    style, label = hill.tier.style, _number(hill)
    sentence = "No guarantee stands behind its accuracy."
    if np.isfinite(hill.half):
        sentence = f"With {percent(confidence)} confidence the true number is within that."
    hover = f"<b>{hill.tier.name}</b> sees {label} {noun}.<br>{sentence}<extra></extra>"
    mark = go.Scatter(
        x=[hill.centre],
        y=[base],
        mode="markers",
        name=hill.tier.name,
        marker={"color": style.colour, "symbol": style.marker, "size": 15},
        hovertemplate=hover,
    )
    if not np.isfinite(hill.half):
        return [mark]
    bar = go.Scatter(
        x=[hill.centre - hill.half, hill.centre + hill.half],
        y=[base, base],
        mode="lines",
        name=hill.tier.name,
        line={"color": style.colour, "width": 4},
        hoverinfo="skip",
    )
    return [bar, mark]


def _texts(hill: Hill, top: float, side: str) -> list[dict[str, Any]]:
    name, label = tag(hill.tier.style, hill.tier.short(NAME_LETTERS)), _number(hill)
    look = {"xref": "paper", "xanchor": side, "align": side}
    at = 0 if side == "left" else 1
    return [
        note(name, at, top - NAME, font={"size": 15}, **look),
        note(label, at, top - NUMBER, **look),
    ]
