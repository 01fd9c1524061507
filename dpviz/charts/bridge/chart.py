"""Bridge path: pinned releases, where every possible path runs, and sideways what a draw gives.

Right is more private. Bands are zero wide at the pins; the hill (or bars, or spikes for the chance
to be identical to a neighbour) stands on the dotted line of the new level, before anything is
drawn. Limits: names over the plot are left out where they would touch on a phone; the hover of
the marks has them all.
"""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.bridge.frame import (
    BANDS,
    BUDGET,
    GAP,
    HIGH50,
    HIGH95,
    LOW50,
    LOW95,
    MIDDLE,
    NOISE,
    PINS,
    SIDE,
    SLOT,
    SYMBOL,
    TIER,
    VALUE,
)
from dpviz.charts.bridge.labels import (
    BOTTOM,
    CLOSE,
    HEIGHT,
    TOP,
    NewTier,
    Plot,
    band_names,
    headings,
    heights,
    level_ticks,
    title,
    wedges,
)
from dpviz.charts.bridge.sideways import Sideways, sideways_law
from dpviz.charts.labels import ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, GRID, TierStyle, rgba
from dpviz.words import plain

ROOM_LEFT = 0.1  # of the axis, where nothing is drawn left of the first mark


def bridge_chart(
    pins: pd.DataFrame,
    bands: pd.DataFrame,
    new: NewTier,
    sideways: Sideways | None,
    *,
    noun: str,
    average: bool,
    rests: pd.DataFrame | None = None,
) -> go.Figure:
    """Draw one coordinate's releases over the noise level.

    Args:
        pins: columns `PINS`, by rising level.
        bands: columns `BANDS`.
        new: the level of the slider.
        sideways: law of a draw there; None where it is held or would use a hidden number.
        noun: unit of both axes.
        average: whether the middle of the new tier's bands is drawn dashed.
        rests: columns `frame.WEDGES`, for paths that rest; or None.

    Raises:
        ParameterError: a column is missing, or nothing is held.
    """
    require_columns(pins, *PINS)
    require_columns(bands, *BANDS)
    left, right = min(float(bands[NOISE].min()), new.noise), float(bands[NOISE].max())
    if left >= min(float(pins[NOISE].min()), new.noise):  # nothing left of it: room for its mark
        left /= (right / left) ** ROOM_LEFT
    low, high = heights(pins, bands, sideways.hill if sideways else None)
    plot = Plot(left=left, right=right, low=low, high=high)
    fig = go.Figure()
    fig.add_traces(_bands(bands, new, average))
    if rests is not None:
        fig.add_traces(wedges(rests, high - low))
    notes = band_names(bands, new, plot)
    if sideways is not None:
        traces, labels = sideways_law(pins, new, sideways, plot, noun)
        fig.add_traces(traces)
        notes += labels
    fig.add_traces(_marks(pins, new, noun))
    placed = headings(pins, new, plot)
    fig.update_layout(
        height=HEIGHT,
        margin={"t": TOP, "b": BOTTOM},
        annotations=[*notes, *placed, title(new, plot)],
        shapes=[_new_line(pins, new, plot)],
        xaxis={
            "type": "log",
            "range": (math.log10(left), math.log10(right)),
            "title": {"text": f"noise (standard deviation, {plain(noun)}) → more private"},
            **level_ticks(pins, new, plot),
        },
        yaxis={"range": (low, high), "showgrid": True, "gridcolor": GRID} | ticks(low, high),
    )
    return fig


def _new_line(pins: pd.DataFrame, new: NewTier, plot: Plot) -> dict[str, Any]:
    """The dotted line of the new level; up to its heading, where no other heading is near."""
    apart = min((abs(plot.share(n) - plot.share(new.noise)) for n in pins[NOISE]), default=1.0)
    return {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": new.noise,
        "x1": new.noise,
        "y0": 0,
        "y1": 1 + (apart > CLOSE) * 78 / (HEIGHT - TOP - BOTTOM),
        "line": {"color": new.style.colour, "width": 1.5, "dash": "dot"},
    }


def _bands(bands: pd.DataFrame, new: NewTier, average: bool) -> list[go.Scatter]:
    """Two bands for each gap; that of the new level in its colour."""
    traces = []
    for _, rows in bands.groupby(GAP):
        x = rows[NOISE].to_numpy(float)
        mine = x[0] < new.noise < x[-1] and not new.held
        colour = new.style.colour if mine else GREY
        for low, high, alpha in ((LOW95, HIGH95, 0.15), (LOW50, HIGH50, 0.22)):
            traces.append(
                go.Scatter(
                    x=[*x, *x[::-1]],
                    y=[*rows[low], *rows[high][::-1]],
                    fill="toself",
                    fillcolor=rgba(colour, alpha),
                    line={"width": 0},
                    mode="lines",
                    hoverinfo="skip",
                    name="band",
                )
            )
        if mine and average:
            traces.append(
                go.Scatter(
                    x=x,
                    y=rows[MIDDLE],
                    mode="lines",
                    line={"color": colour, "width": 2, "dash": "dash"},
                    hoverinfo="skip",
                    name="average",
                )
            )
    return traces


def _marks(pins: pd.DataFrame, new: NewTier, noun: str) -> list[go.Scatter]:
    """Pins in their tiers' looks; the neighbours of the new level are ringed."""
    lit = pins[(pins[SIDE] != "") & (not new.held)]
    neighbours = go.Scatter(
        x=lit[NOISE],
        y=lit[VALUE],
        mode="markers",
        marker={
            "size": 27,
            "symbol": "circle-open",
            "color": new.style.colour,
            "line": {"width": 2},
        },
        hoverinfo="skip",
        name="neighbours",
    )
    looks = [TierStyle(int(s), int(m)) for s, m in zip(pins[SLOT], pins[SYMBOL], strict=True)]
    held = go.Scatter(
        x=pins[NOISE],
        y=pins[VALUE],
        mode="markers",
        marker={
            "size": 13,
            "symbol": [s.marker for s in looks],
            "color": [s.colour for s in looks],
        },
        customdata=[[plain(t), plain(b)] for t, b in zip(pins[TIER], pins[BUDGET], strict=True)],
        hovertemplate="%{customdata[0]} has %{y:,.5~g} "
        + plain(noun)
        + ", %{customdata[1]}<extra></extra>",
        name="held",
    )
    return [neighbours, held]
