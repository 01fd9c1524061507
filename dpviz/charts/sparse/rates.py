"""Precision and recall of one release against its threshold: a picture of exact counts."""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import dotted, note, span, ticks
from dpviz.charts.sparse.frame import PRECISION, RATES, RECALL, THRESHOLD
from dpviz.charts.tidy import Floats, require_columns
from dpviz.palette import GRID, TierStyle
from dpviz.words import significant

HEIGHT = 300
LINES = {RECALL: "solid", PRECISION: "8px 4px"}
SAID = {
    RECALL: "<b>recall</b>: of the items that somebody has, {share} are shown at τ = {at}.",
    PRECISION: "<b>precision</b>: of the items shown, {share} are true at τ = {at}.",
}


def sparse_rates(
    frame: pd.DataFrame, *, threshold: float, style: TierStyle, seen: dict[str, float]
) -> go.Figure:
    """Draw both curves, the threshold in use, and what one release has shown.

    Args:
        frame: columns `RATES`, by rising threshold.
        threshold: the one in use.
        style: of the tier.
        seen: recall and precision of its release, if it was drawn.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *RATES)
    x = frame[THRESHOLD].to_numpy(float)
    traces = []
    notes: list[dict[str, Any]] = []
    for name in LINES:
        y = frame[name].to_numpy(float)
        traces.append(_curve(name, x, y, style))
        place = 0 if name == RECALL else len(x) - 1
        side = {"xanchor": "left" if name == RECALL else "right", "yanchor": "bottom"}
        known = float(y[place]) if math.isfinite(y[place]) else 1.0
        notes.append(note(f"<b>{name}</b>", float(x[place]), known, yshift=3, **side))
        if name in seen:
            traces.append(_mark(name, seen[name], threshold, style))
    notes.append(
        note(f"τ = {significant(threshold)}", threshold, 1.13, xanchor="center", yanchor="bottom")
    )
    limits = (float(x[0]), float(x[-1]))
    layout = {
        "height": HEIGHT,
        "margin": {"t": 24},
        "annotations": notes,
        "shapes": [dotted(threshold)],
        "xaxis": {
            "range": limits,
            "title": {"text": "threshold τ (higher: fewer phantoms, fewer true items)"},
        }
        | ticks(*span(*limits)),
        "yaxis": {
            "range": (-0.03, 1.13),
            "showgrid": True,
            "gridcolor": GRID,
            "tickvals": np.array([0, 0.25, 0.5, 0.75, 1]),
            "ticktext": ["0 %", "25 %", "50 %", "75 %", "100 %"],
        },
    }
    return go.Figure(data=traces, layout=layout)


def _curve(name: str, x: Floats, y: Floats, style: TierStyle) -> go.Scatter:
    said = [
        SAID[name].format(share=f"{100 * share:.3g} %", at=significant(at))
        for at, share in zip(x, y, strict=True)
    ]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        name=name,
        line={"color": style.colour, "width": 2.5, "dash": LINES[name], "simplify": False},
        hovertext=said,
        hoverinfo="text",
    )


def _mark(name: str, share: float, threshold: float, style: TierStyle) -> go.Scatter:
    said = f"The release that was drawn: {name} {100 * share:.3g} %."
    return go.Scatter(
        x=[threshold],
        y=[share],
        mode="markers",
        name=f"{name}, drawn",
        marker={"color": style.colour, "symbol": style.marker, "size": 11},
        hovertext=[said],
        hoverinfo="text",
    )
