"""200 sessions at once beside the law of a single release."""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.bridge.frame import HIGH95, LOW95, NOISE
from dpviz.charts.bridge.worlds_frame import ERROR, MARGINAL, WORLD, WORLDS
from dpviz.charts.labels import ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, GRID, TierStyle, rgba
from dpviz.words import plain, significant

HEIGHT = 320


def worlds_chart(
    worlds: pd.DataFrame, marginal: pd.DataFrame, *, noun: str, steps: bool
) -> go.Figure:
    """Draw every session as a thin line, and the 95 % range of a single release.

    Args:
        worlds: columns `WORLDS`.
        marginal: columns `MARGINAL`.
        noun: unit of both axes.
        steps: whether paths jump.
    """
    require_columns(worlds, *WORLDS)
    require_columns(marginal, *MARGINAL)
    fig, x, y = go.Figure(), [], []
    for _, rows in worlds.groupby(WORLD):
        x += [*rows[NOISE], None]
        y += [*rows[ERROR], None]
    shape = "hv" if steps else "linear"
    fig.add_scatter(
        x=x,
        y=y,
        mode="lines",
        line={"color": rgba(GREY, 0.3), "width": 0.8, "shape": shape},
        hoverinfo="skip",
        name="worlds",
    )
    for end in (LOW95, HIGH95):
        fig.add_scatter(
            x=marginal[NOISE],
            y=marginal[end],
            mode="lines",
            line={"color": TierStyle(2, 0).colour, "width": 2.5},
            hoverinfo="skip",
            name=end,
        )
    size = 1.35 * float(np.abs(marginal[[LOW95, HIGH95]].to_numpy(float)).max())
    return fig.update_layout(
        height=HEIGHT,
        margin={"b": 48},
        xaxis=levels_axis(marginal[NOISE], noun),
        yaxis={
            "range": (-size, size),
            "showgrid": True,
            "gridcolor": GRID,
            "title": {"text": "release − exact"},
        }
        | ticks(-size, size),
    )


def levels_axis(noise: pd.Series, noun: str) -> dict[str, Any]:
    """A logarithmic axis of noise with few round ticks."""
    low, high = math.log10(float(noise.min())), math.log10(float(noise.max()))
    whole = [10.0**k for k in range(math.ceil(low), math.floor(high) + 1)]
    values = whole if len(whole) > 1 else [10**low, 10 ** ((low + high) / 2), 10**high]
    return {
        "type": "log",
        "range": (low, high),
        "tickmode": "array",
        "tickvals": values,
        "ticktext": [significant(v, 2) for v in values],
        "tickangle": 0,
        "title": {"text": f"noise (standard deviation, {plain(noun)}) → more private"},
    }
