"""What k rounds of a histogram cost: equally large noise, Laplace against Gauss, exact and loose.

Rounds run to the right and the total ε upwards, both by equal ratios and drawn on log₁₀ values. The
dashed line is Gaussian noise composed as if each round were any private mechanism. Laplace noise is
composed as any noise that keeps ε alone: an upper bound, which is quick enough for a slider.
"""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import end_names, ratio_axis
from dpviz.charts.labels import pixels
from dpviz.charts.tidy import require_columns
from dpviz.palette import COLOURS, GAUSS_SLOT, LAPLACE_SLOT
from dpviz.words import significant

HEIGHT = 320
PLOT = HEIGHT - 52
LOOK = {
    "laplace_bound": ("Laplace, bound", LAPLACE_SLOT, "solid"),
    "gauss": ("Gauss, exact", GAUSS_SLOT, "solid"),
    "gauss_loose": ("Gauss, loose", GAUSS_SLOT, "8px 4px"),
}


def rounds_chart(frame: pd.DataFrame) -> go.Figure:
    """Draw the total ε over the number of rounds, a line for each way to count.

    Args:
        frame: columns method (a key of `LOOK`), rounds (at least 1), epsilon (above 0).

    Raises:
        ParameterError: a column is missing.

    >>> frame = pd.DataFrame({"method": ["laplace_bound", "laplace_bound", "gauss", "gauss"],
    ...     "rounds": [1, 10, 1, 10], "epsilon": [1.0, 9.0, 3.0, 8.0]})
    >>> [line.name for line in rounds_chart(frame).data]
    ['Laplace, bound', 'Gauss, exact']
    """
    require_columns(frame, "method", "rounds", "epsilon")
    shown = frame[frame["epsilon"] > 0]
    least, most = float(shown["epsilon"].min()), float(shown["epsilon"].max())
    bottom, top = least / 1.3, most * 1.3
    last = max(2, int(shown["rounds"].max()))
    parts = dict(iter(shown.groupby("method", sort=False)))
    drawn = [(LOOK[key], parts[key]) for key in LOOK if key in parts]
    ends = [(look[0], float(part["epsilon"].iloc[-1])) for look, part in drawn]
    layout = {
        "height": HEIGHT,
        "margin": {"t": 8, "r": round(max(pixels(name) for name, _ in ends)) + 10},
        "annotations": end_names(ends, (bottom, top), PLOT),
        "xaxis": {"title": {"text": "rounds, each with fresh noise"}, "showgrid": False}
        | ratio_axis(1.0, float(last), whole=True),
        "yaxis": {"showgrid": True} | ratio_axis(bottom, top, whole=False),
    }
    return go.Figure(data=[_line(*look, part) for look, part in drawn], layout=layout)


def _line(name: str, slot: int, dash: str, part: pd.DataFrame) -> go.Scatter:
    k, epsilon = part["rounds"].to_numpy(float), part["epsilon"].to_numpy(float)
    solid = dash == "solid"
    return go.Scatter(
        x=np.log10(k),
        y=np.log10(epsilon),
        mode="lines",
        name=name,
        line={"color": COLOURS[slot - 1], "width": 2.5 if solid else 2, "dash": dash},
        hovertext=[
            f"<b>{name}</b>: {round(n)} round{'s' if n > 1 else ''} cost ε = {significant(e)}."
            for n, e in zip(k, epsilon, strict=True)
        ],
        hoverinfo="text",
    )
