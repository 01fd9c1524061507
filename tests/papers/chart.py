"""A figure of [BCT20] drawn: solid lines are exact, dashed ones bounds, crosses a loose one.

Names stand beside the right ends of lines, apart from one another.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import spread
from dpviz.charts.labels import note, pixels, span, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import COLOURS, GAUSS_COLOUR, GREY, LAPLACE_COLOUR
from dpviz.words import capitalised, significant
from tests.papers.frames import AT, BOUND, EXACT, KIND, LINE, LOOSE, PAPER_FIGURE, SIMULATED, VALUE

HEIGHT = 340
PLOT = HEIGHT - 60
APART = 17.0  # pixels between two names
SHADES = (1, 2, 4, 6, 8)  # slots of lines that differ by a share or an ε
DASHES = {EXACT: "solid", BOUND: "8px 4px", LOOSE: "2px 3px", SIMULATED: "solid"}


def paper_chart(frame: pd.DataFrame, *, across: str, up: str) -> go.Figure:
    """Draw one figure of the paper, each line named at its right end.

    Args:
        frame: columns `PAPER_FIGURE`, as `paper_frame` gives it.
        across: what runs to the right.
        up: what runs upwards.

    Raises:
        ParameterError: a column is missing, or there is no point.

    >>> rows = [("Laplace", "exact", 1, 0.1), ("Laplace", "exact", 5, 0.3)]
    >>> fig = paper_chart(pd.DataFrame(rows, columns=list(PAPER_FIGURE)), across="k", up="ε")
    >>> fig.data[0].name, fig.data[0].y.tolist()
    ('Laplace', [0.1, 0.3])
    """
    require_columns(frame, *PAPER_FIGURE)
    parts = dict(iter(frame.groupby(LINE, sort=False)))
    ends = [
        (_coloured(str(name), place), float(part[VALUE].iloc[-1]))
        for place, (name, part) in enumerate(parts.items())
    ]
    left, right = float(frame[AT].min()), float(frame[AT].max())
    low, high = span(float(frame[VALUE].min()), float(frame[VALUE].max()))
    layout = {
        "height": HEIGHT,
        "margin": {"t": 8, "r": 12 + round(max(pixels(name) for name in parts))},
        "annotations": _names(ends, (low, high)),
        "xaxis": {"title": {"text": across}, "showgrid": False, "range": (left, right)}
        | ticks(left, right),
        "yaxis": {"title": {"text": up}, "showgrid": True, "range": (low, high)} | ticks(low, high),
    }
    lines = [_line(str(name), part, place) for place, (name, part) in enumerate(parts.items())]
    return go.Figure(data=lines, layout=layout)


def _line(name: str, part: pd.DataFrame, place: int) -> go.Scatter:
    kind = str(part[KIND].iloc[0])
    at, value = part[AT].to_numpy(float), part[VALUE].to_numpy(float)
    second = name == "Gauss, as drawn"
    return go.Scatter(
        x=at,
        y=value,
        mode="lines+markers" if kind == LOOSE else "lines",
        name=name,
        line={
            "color": _colour(name, place),
            "width": 2.5 if kind == EXACT else 2,
            "dash": "8px 4px" if second else DASHES[kind],
        },
        marker={"symbol": "x", "size": 9},
        cliponaxis=False,
        hovertext=[
            f"<b>{capitalised(name)}</b> ({kind}), at {x:g}: {significant(y, 5)}."
            for x, y in zip(at, value, strict=True)
        ],
        hoverinfo="text",
    )


def _coloured(name: str, place: int) -> str:
    """A name in the colour of its line."""
    return f'<span style="color:{_colour(name, place)}">{name}</span>'


def _colour(name: str, place: int) -> str:
    """That of the noise where two are compared; the grey of what others are held against."""
    for noise, colour in (("Laplace", LAPLACE_COLOUR), ("Gauss", GAUSS_COLOUR)):
        if name.startswith(noise):
            return colour
    return GREY if place >= len(SHADES) else COLOURS[SHADES[place] - 1]


def _names(ends: list[tuple[str, float]], edges: tuple[float, float]) -> list[dict[str, Any]]:
    """Names beside the right ends, moved apart where they touch."""
    low, high = edges
    wanted = [round(PLOT * (value - low) / (high - low), 3) for _, value in ends]
    places = np.array(spread(wanted, APART, 0.0, PLOT)) / PLOT
    look = {"xref": "x domain", "yref": "y domain", "xshift": 6, "yanchor": "middle"}
    return [note(name, 1, float(y), **look) for (name, _), y in zip(ends, places, strict=True)]


def end_names(
    ends: list[tuple[str, float]], span: tuple[float, float], plot: float
) -> list[dict[str, Any]]:
    """Names beside the right ends of lines on a logarithmic axis, moved apart where they touch.

    Args:
        ends: name and value of each line at the right edge.
        span: values at the lower and the upper edge of the plot.
        plot: height of the plot in pixels.

    >>> [round(n["y"], 3) for n in end_names([("a", 1.0), ("b", 1.1)], (0.1, 10.0), 100.0)]
    [0.5, 0.67]
    """
    bottom, top = span
    scale = plot / math.log(top / bottom)
    wanted = sorted((math.log(end / bottom) * scale, name) for name, end in ends)
    places: list[float] = []
    for at, _ in wanted:
        places.append(max(at, places[-1] + APART) if places else at)
    places = [p - max(0.0, places[-1] - plot) for p in places]
    look = {"xref": "paper", "yref": "paper", "xshift": 6, "yanchor": "middle"}
    return [note(name, 1, at / plot, **look) for at, (_, name) in zip(places, wanted, strict=True)]
