"""What the bridge picture has inside besides marks and hill: wedges, names of bands and path.

Limits: places are worked out for a phone, as in `bridge_labels`; what would touch is left out.
"""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.bridge.bands_frame import WEDGES
from dpviz.charts.bridge.frame import CHANCE, GAP, HIGH50, HIGH95, MIDDLE, NOISE, SLOT, VALUE
from dpviz.charts.bridge.labels import ROOM, NewTier, Plot
from dpviz.charts.labels import note, pixels
from dpviz.charts.tidy import require_columns
from dpviz.palette import TierStyle, rgba

CLOSE = 0.2  # of the axis: between nearer levels nothing is named
LINE = 15.0  # pixels from one name to the next
WEDGE = 0.012  # of the value axis, to either side, where a path surely rests
POSSIBLE = "one possible<br>path"


def wedges(frame: pd.DataFrame, height: float) -> list[go.Scatter]:
    """Traces along the held numbers, as thick as the chance that a path still is there.

    Args:
        frame: columns `WEDGES`; may be empty.
        height: of the value axis, in its units.
    """
    if frame.empty:
        return []
    require_columns(frame, *WEDGES)
    traces = []
    for _, rows in frame.groupby(GAP):
        half = WEDGE * height * rows[CHANCE].to_numpy(float)
        x, y = rows[NOISE].to_numpy(float), rows[VALUE].to_numpy(float)
        traces.append(
            go.Scatter(
                x=[*x, *x[::-1]],
                y=[*(y - half), *(y + half)[::-1]],
                mode="lines",
                line={"width": 0},
                fill="toself",
                fillcolor=rgba(TierStyle(int(rows[SLOT].iloc[0]), 0).colour, 0.75),
                hoverinfo="skip",
                name="wedge",
            )
        )
    return traces


def band_names(bands: pd.DataFrame, new: NewTier, plot: Plot) -> list[dict[str, Any]]:
    """`95 %` and `50 %` inside the bands left of the new level, where there is room.

    Args:
        bands: columns `bridge.BANDS`.
        new: the level of the slider.
        plot: the axes.
    """
    at = math.log10(new.noise)
    for _, rows in bands.groupby(GAP):
        x = np.log10(rows[NOISE].to_numpy(float))
        if not x[0] < at < x[-1] or new.held or at - x[0] < CLOSE * plot.wide:
            continue
        place = x[0] + 0.72 * (at - x[0])
        outer, inner, middle = (
            float(np.interp(place, x, rows[end])) for end in (HIGH95, HIGH50, MIDDLE)
        )
        names = [("95\u202f%", outer)] if (outer - middle) * plot.unit >= LINE else []
        if min(outer - inner, inner - middle) * plot.unit >= LINE:
            names.append(("50\u202f%", inner))
        return [note(text, place, y, xanchor="center", yanchor="top") for text, y in names]
    return []


def path_name(
    path: pd.DataFrame, pins: pd.DataFrame, new: NewTier, plot: Plot
) -> list[dict[str, Any]]:
    """`one possible path` below the path, in the widest stretch that has room for it.

    Args:
        path: columns noise and value.
        pins: columns `bridge.PINS`.
        new: the level of the slider; its stretch has other names.
        plot: the axes.
    """
    half = pixels(max(POSSIBLE.split("<br>"), key=len)) / 2 / ROOM
    ends = [0.0, *map(plot.share, pins[NOISE]), 1.0]
    mine = plot.share(new.noise)
    found = [(b - a, a) for a, b in pairwise(ends) if new.held or not a < mine < b]
    width, start = max(found, default=(0.0, 0.0))
    middle = start + width / 2
    shares = np.array([plot.share(n) for n in path[NOISE]])
    near = path[VALUE].to_numpy(float)[np.abs(shares - middle) <= half]
    if width < 2 * half or not near.size or near.min() < plot.low + 2 * LINE / plot.unit:
        return []
    place = math.log10(plot.left) + middle * plot.wide
    below = {"xanchor": "center", "align": "center", "yanchor": "top", "yshift": -3}
    return [note(POSSIBLE, place, float(near.min()), **below)]
