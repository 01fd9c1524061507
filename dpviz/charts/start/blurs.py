"""Threads whose rows have a blurred bar each: the darker, the more often a number falls there."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.threads import threads
from dpviz.charts.threads_frame import GAUSSIAN, SD, STATE, TRUTH, VALUE
from dpviz.palette import TierStyle, rgba

REACH, POINTS = 3.2, 161  # standard deviations to either side of the truth; cells of a bar
THICK = 0.034  # half the height of a bar, in standard deviations
DARKEST = 0.75  # of the middle of the sharpest bar; the others have as much ink in all


def blurs(frame: pd.DataFrame, *, ticks: Mapping[float, str]) -> go.Figure:
    """Draw numbers below their truth, each on the bar where such numbers fall.

    Args:
        frame: as `threads_frame` makes it, with a truth.
        ticks: words at places of the horizontal axis.

    Raises:
        ParameterError: a column is missing.

    >>> from dpviz.charts.threads_frame import Mark, threads_frame
    >>> mark = Mark(who="audit", rho=0.4, style=TierStyle(11, 3), value=310.6)
    >>> fig = blurs(threads_frame([mark], ("the truth", 312.0)), ticks={312.0: "312"})
    >>> [trace.name for trace in fig.data]
    ['cone', 'blur of audit', 'audit', 'the truth']
    """
    fig = threads(frame, ticks=ticks)
    middle = float(frame.loc[frame[STATE] == TRUTH, VALUE].iloc[0])
    rows = frame[frame[STATE] != TRUTH].to_dict("records")
    sharpest = min(row[SD] for row in rows)
    cone, *marks = fig.data
    bars = [_bar(row, middle, DARKEST * sharpest / row[SD]) for row in rows]
    return go.Figure(data=[cone, *bars, *marks], layout=fig.layout)


def _bar(row: dict[str, Any], middle: float, darkest: float) -> go.Heatmap:
    sd, colour = row[SD], TierStyle(row["slot"], row["symbol"]).colour
    steps = np.linspace(-REACH, REACH, POINTS) * sd
    density = GAUSSIAN.density(steps, sd**2) * sd * math.sqrt(2 * math.pi)  # 1 in the middle
    return go.Heatmap(
        x=middle + steps,
        y=[sd - THICK, sd + THICK],
        z=[density, density],
        zmin=0,
        zmax=1,
        zsmooth="fast",
        colorscale=[[0, rgba(colour, 0)], [1, rgba(colour, darkest)]],
        showscale=False,
        name=f"blur of {row['who']}",
        hoverinfo="skip",
    )
