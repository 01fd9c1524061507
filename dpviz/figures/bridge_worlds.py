"""200 sessions at once beside the law of a single release, and an order of asking step by step."""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.figures.labels import ticks
from dpviz.figures.palette import GREY, TierStyle, rgba
from dpviz.figures.theme import GRID
from dpviz.figures.tidy import require_columns
from dpviz.figures.words import plain, significant
from dpviz.frames.bridge import (
    BANDS,
    GAP,
    HIGH50,
    HIGH95,
    LOW50,
    LOW95,
    NOISE,
    PINS,
    SLOT,
    SYMBOL,
    TIER,
    VALUE,
)
from dpviz.frames.bridge_worlds import ERROR, MARGINAL, WORLD, WORLDS

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
        xaxis=_levels(marginal[NOISE], noun),
        yaxis={
            "range": (-size, size),
            "showgrid": True,
            "gridcolor": GRID,
            "title": {"text": "release − exact"},
        }
        | ticks(-size, size),
    )


def order_chart(steps: list[tuple[str, pd.DataFrame, pd.DataFrame]], *, noun: str) -> go.Figure:
    """An order of asking as an animation inside the figure: forward, back, replay.

    Args:
        steps: what was asked, pins and bands after each step; columns `PINS` and `BANDS`.
        noun: unit of both axes.
    """
    for _, pins, bands in steps:
        require_columns(pins, *PINS)
        require_columns(bands, *BANDS)
    frames = [
        go.Frame(data=_state(pins, bands), name=str(i)) for i, (_, pins, bands) in enumerate(steps)
    ]
    fig = go.Figure(data=frames[-1].data, frames=frames)
    last, all_bands = steps[-1][1], pd.concat([bands for _, _, bands in steps])
    inner = all_bands[all_bands[NOISE] <= last[NOISE].max()]
    inner = inner if len(inner) else all_bands
    low, high = float(inner[LOW95].min()), float(inner[HIGH95].max())
    room = 0.06 * (high - low) or 1.0
    now = {"frame": {"duration": 0, "redraw": False}, "mode": "immediate"}
    now["transition"] = {"duration": 0}
    play = {"frame": {"duration": 1200, "redraw": False}, "fromcurrent": False}
    play["transition"] = {"duration": 0}
    slider = {
        "active": len(steps) - 1,
        "x": 0.32,
        "len": 0.6,  # names at both ends need room
        "y": -0.18,
        "pad": {"t": 10},
        "currentvalue": {"prefix": "after ", "xanchor": "left"},
        "steps": [
            {"args": [[str(i)], now], "label": plain(name, 14), "method": "animate"}
            for i, (name, _, _) in enumerate(steps)
        ],
    }
    replay = {"args": [None, play], "label": "▶ Replay", "method": "animate"}
    menu = {"type": "buttons", "buttons": [replay], "x": 0, "xanchor": "left", "y": -0.24}
    menu |= {"yanchor": "top", "bgcolor": "rgba(0,0,0,0)", "showactive": False}
    return fig.update_layout(
        height=HEIGHT + 150,
        margin={"b": 150},
        xaxis=_levels(all_bands[NOISE], noun),
        yaxis={"range": (low - room, high + room), "showgrid": True, "gridcolor": GRID}
        | ticks(low - room, high + room),
        sliders=[slider],
        updatemenus=[menu],
    )


def _state(pins: pd.DataFrame, bands: pd.DataFrame) -> list[go.Scatter]:
    """Bands and pins of one step: always three traces."""
    traces = []
    for low, high, alpha in ((LOW95, HIGH95, 0.15), (LOW50, HIGH50, 0.22)):
        x, y = [], []
        for _, rows in bands.groupby(GAP):
            noise = rows[NOISE].tolist()
            x += [*noise, *noise[::-1], None]
            y += [*rows[low], *rows[high][::-1], None]
        fill = {"fill": "toself", "fillcolor": rgba(GREY, alpha), "line": {"width": 0}}
        traces.append(go.Scatter(x=x, y=y, mode="lines", hoverinfo="skip", name="band", **fill))
    looks = [TierStyle(int(s), int(m)) for s, m in zip(pins[SLOT], pins[SYMBOL], strict=True)]
    marker = {
        "size": 13,
        "symbol": [s.marker for s in looks],
        "color": [s.colour for s in looks],
    }
    traces.append(
        go.Scatter(
            x=pins[NOISE],
            y=pins[VALUE],
            mode="markers+text",
            text=[plain(name, 12) for name in pins[TIER]],
            textposition="top center",
            cliponaxis=False,
            marker=marker,
            hoverinfo="skip",
            name="held",
        )
    )
    return traces


def _levels(noise: pd.Series, noun: str) -> dict[str, Any]:
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
