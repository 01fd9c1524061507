"""How far two kinds of noise that keep the same promise reach: a thick bar for each.

Below the bars, small, stand both densities over the same axis, Laplace pointed and Gaussian round.
"""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.crossover.frame import CROSSOVER_HILLS, CROSSOVER_MARKS
from dpviz.charts.labels import grounded, ticks, upright
from dpviz.charts.tidy import require_columns
from dpviz.checks import probability
from dpviz.palette import COLOURS, GAUSS_SLOT, GREY, LAPLACE_SLOT, rgba
from dpviz.words import percent, plain, pm, significant

HILL, ROW, THICK, LARGE = 72, 76, 28, 20  # pixels: the higher peak, a row, its bar, its name
ABOVE, BOTTOM, DIGITS = 34, 54, 3  # pixels from a bar up to its name, below the plot; of ±
SMALL = 14  # pixels of the shape of its hill
FAINT = 0.2  # how strong the hills are: the bars are what is compared
SHAPES = {"laplace_least": "pointed", "gauss": "bell-shaped"}
LOOK = {"laplace_least": ("Laplace", LAPLACE_SLOT), "gauss": ("Gaussian", GAUSS_SLOT)}


def noise_hills(
    curves: pd.DataFrame, marks: pd.DataFrame, *, noun: str, axis_title: str, confidence: float
) -> go.Figure:
    """Draw the reach of each, and the two densities over one another below.

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
    [1.0, 0.4]
    """
    require_columns(curves, *CROSSOVER_HILLS)
    require_columns(marks, *CROSSOVER_MARKS)
    probability(confidence=confidence)
    highest = float(curves["density"].max())
    reach = float(curves["x"].max())
    rows = list(enumerate(marks.itertuples(index=False)))
    traces = [
        _hill(str(row.noise), curves[curves["noise"] == row.noise], highest) for _, row in rows
    ]
    notes: list[dict[str, Any]] = []
    for rank, row in rows:
        y = 1 + ROW * (len(rows) - rank - 0.5) / HILL
        name, slot = LOOK[str(row.noise)]
        half = float(row.half_width)
        traces.append(_bar(name, slot, half, float(row.deviation), y, plain(noun), confidence))
        shape = f'<span style="font-size:{SMALL}px">({SHAPES[str(row.noise)]} hill)</span>'
        text = f"<b>{name}</b> {pm(half, DIGITS)} {shape}"
        place = {"xref": "paper", "xshift": 2, "font": {"size": LARGE}}
        notes.append(grounded(text, 0, y + ABOVE / HILL, **place))
    top = 1.1 + (ROW * len(rows) + LARGE / 2) / HILL
    layout = {
        "height": 8 + BOTTOM + round(top * HILL),
        "margin": {"t": 8, "b": BOTTOM},
        "annotations": notes,
        "shapes": [upright(0, {"color": GREY, "width": 1})],
        "xaxis": {"title": {"text": plain(axis_title)}, "range": (-reach, reach)}
        | {"showgrid": False}
        | ticks(-0.93 * reach, 0.93 * reach, most=5, room=280),
        "yaxis": {"visible": False, "range": (0, top)},
    }
    return go.Figure(data=traces, layout=layout)


def _hill(key: str, part: pd.DataFrame, highest: float) -> go.Scatter:
    name, slot = LOOK[key]
    return go.Scatter(
        x=part["x"].to_numpy(float),
        y=np.asarray(part["density"], float) / highest,
        mode="lines",
        name=name,
        line={"color": COLOURS[slot - 1], "width": 2, "simplify": False},
        fill="tozeroy",
        fillcolor=rgba(COLOURS[slot - 1], FAINT),
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
        line={"color": COLOURS[slot - 1], "width": THICK},
        hovertext=f"<b>{name}</b>: {percent(confidence)} of the noise is within "
        f"{pm(half, DIGITS)} {noun};"
        f"<br>its standard deviation is {significant(deviation)}.",
        hoverinfo="text",
    )
