"""Two hills of noise that keep the same promise: Laplace pointed, Gauss round, one on the other.

A thick bar under each says how far the noise reaches. Heights say nothing: the narrower hill fills
the picture, the wider one is lower by the square root of how much wider it is, so that it is seen.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.crossover.frame import CROSSOVER_HILLS, CROSSOVER_MARKS
from dpviz.charts.labels import note, ticks
from dpviz.charts.tidy import require_columns
from dpviz.checks import probability
from dpviz.palette import COLOURS, GAUSS_SLOT, LAPLACE_SLOT, rgba
from dpviz.words import percent, plain, pm, significant

HEIGHT, LARGE = 420, 20  # pixels, of the figure and of the words beside the bars
FIRST, ROW = 0.2, 0.22  # of the peak: where the bars lie below the hills
LOOK = {"laplace_least": ("Laplace", LAPLACE_SLOT), "gauss": ("Gauss", GAUSS_SLOT)}


def noise_hills(
    curves: pd.DataFrame, marks: pd.DataFrame, *, noun: str, axis_title: str, confidence: float
) -> go.Figure:
    """Draw the two densities over one another, and the reach of each below.

    Args:
        curves: columns noise ("laplace_least", "gauss"), x (ascending in each), density (from 0).
        marks: columns noise, deviation, half_width: one row for each noise.
        noun: unit of x, for the hover sentences.
        axis_title: what x is, with its unit.
        confidence: of the half widths.

    Raises:
        ParameterError: a column is missing.

    >>> keys = ["laplace_least"] * 3 + ["gauss"] * 3
    >>> curves = pd.DataFrame({"noise": keys, "x": [-1.0, 0, 1] * 2,
    ...     "density": [0.1, 1.0, 0.1, 0.2, 0.4, 0.2]})
    >>> marks = pd.DataFrame({"noise": ["laplace_least", "gauss"], "deviation": [1.0, 2.0],
    ...     "half_width": [2.1, 3.9]})
    >>> words = {"noun": "people", "axis_title": "noise, people", "confidence": 0.95}
    >>> [round(float(t.y[1]), 3) for t in noise_hills(curves, marks, **words).data[:2]]
    [1.0, 0.632]
    """
    require_columns(curves, *CROSSOVER_HILLS)
    require_columns(marks, *CROSSOVER_MARKS)
    probability(confidence=confidence)
    peaks = {key: float(part["density"].max()) for key, part in curves.groupby("noise")}
    highest = max(peaks.values())
    reach = float(curves["x"].max())
    rows = list(enumerate(marks.itertuples(index=False)))
    traces = [
        _hill(str(row.noise), curves[curves["noise"] == row.noise], peaks[row.noise], highest)
        for _, row in rows
    ]
    notes: list[dict[str, Any]] = []
    for rank, row in rows:
        y = -FIRST - ROW * rank
        name, slot = LOOK[str(row.noise)]
        half = float(row.half_width)
        traces.append(_bar(name, slot, half, float(row.deviation), y, plain(noun), confidence))
        text = f"<b>{name}</b> {pm(half)}"
        place = {"xref": "paper", "xshift": 2, "font": {"size": LARGE}}
        notes.append(note(text, 0, y + 0.1, **place))
    layout = {
        "height": HEIGHT,
        "margin": {"t": 8},
        "annotations": notes,
        "xaxis": {"title": {"text": plain(axis_title)}, "range": (-reach, reach)}
        | ticks(-0.93 * reach, 0.93 * reach, most=5, room=280),
        "yaxis": {"visible": False, "range": (-FIRST - ROW * len(rows) + 0.16, 1.04)},
    }
    return go.Figure(data=traces, layout=layout)


def _hill(key: str, part: pd.DataFrame, peak: float, highest: float) -> go.Scatter:
    name, slot = LOOK[key]
    scale = math.sqrt(peak / highest) / peak
    return go.Scatter(
        x=part["x"].to_numpy(float),
        y=scale * np.asarray(part["density"], float),
        mode="lines",
        name=name,
        line={"color": COLOURS[slot - 1], "width": 2, "simplify": False},
        fill="tozeroy",
        fillcolor=rgba(COLOURS[slot - 1], 0.22),
        hoverinfo="skip",
    )


def _bar(
    name: str, slot: int, half: float, deviation: float, y: float, noun: str, confidence: float
) -> go.Scatter:
    return go.Scatter(
        x=[-half, 0.0, half],
        y=[y, y, y],
        mode="lines",
        name=name,
        line={"color": COLOURS[slot - 1], "width": 4},
        hovertext=f"<b>{name}</b>: {percent(confidence)} of the noise is within {pm(half)} {noun};"
        f"<br>its standard deviation is {significant(deviation)}.",
        hoverinfo="text",
    )
