"""How much noise each mechanism needs, for every δ: four lines, and where they cross.

δ runs to the right as in the map, standard deviations upwards, both by powers of ten and drawn on
log₁₀ values. Solid lines are Laplace and Gaussian; dashed ones are the looser relatives: the ℓ2
Laplace mechanism, and the classical Gaussian formula.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.axes import LN_10, power_axis, probability, ratio_axis
from dpviz.charts.crossover.frame import CROSSOVER_NOISE
from dpviz.charts.crossover.labels import line_names
from dpviz.charts.labels import PHONE
from dpviz.charts.tidy import require_columns
from dpviz.palette import COLOURS, GAUSS_SLOT, GREY, LAPLACE_SLOT
from dpviz.parameters import DELTA_AXIS
from dpviz.words import plain, significant

HEIGHT = 320
LOOK = {
    "laplace_least": ("Laplace", LAPLACE_SLOT, "solid"),
    "laplace_pure": ("Laplace, pure ε", LAPLACE_SLOT, "2px 3px"),
    "laplace_l2": ("ℓ2 Laplace", LAPLACE_SLOT, "8px 4px"),
    "gauss": ("Gaussian, exact", GAUSS_SLOT, "solid"),
    "gauss_classical": ("Gaussian, classical", GAUSS_SLOT, "8px 4px"),
}
PLOT = HEIGHT - 52  # pixels between the edges of the plot


def noise_lines(frame: pd.DataFrame, *, here: float, noun: str) -> go.Figure:
    """Draw what each noise needs over δ.

    Args:
        frame: columns noise (a key of `LOOK`), log10_delta, deviation (above 0).
        here: log₁₀ δ of the query.
        noun: unit of the deviations.

    Raises:
        ParameterError: a column is missing.

    >>> frame = pd.DataFrame({"noise": ["laplace_least", "laplace_least", "gauss", "gauss"],
    ...     "log10_delta": [-9.0, -1, -9, -1], "deviation": [1.4, 1.4, 5.0, 1.0]})
    >>> [line.name for line in noise_lines(frame, here=-6.0, noun="people").data]
    ['Laplace', 'Gaussian, exact']
    """
    require_columns(frame, *CROSSOVER_NOISE)
    low, high = float(frame["log10_delta"].min()), float(frame["log10_delta"].max())
    least, most = float(frame["deviation"].min()), float(frame["deviation"].max())
    bottom, top = least / 1.2, most * 1.6  # names may stand above the lines
    parts = [(LOOK[str(key)], part) for key, part in frame.groupby("noise", sort=False)]
    parts.sort(key=lambda p: p[0][2] == "solid")  # the two compared lie on top
    traces = [_line(*look, part, plain(noun)) for look, part in parts]
    layout = {
        "height": HEIGHT,
        "margin": {"t": 8},
        "annotations": line_names(
            {look[0]: _pixels(part, bottom, top) for look, part in reversed(parts)},
            width=PHONE - 20,
            height=PLOT,
        ),
        "shapes": [
            {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": here, "x1": here}
            | {"line": {"color": GREY, "width": 1, "dash": "dot"}}
        ],
        "xaxis": {"title": {"text": DELTA_AXIS}, "showgrid": False} | power_axis(low, high, most=4),
        "yaxis": {"showgrid": True} | ratio_axis(bottom, top, whole=False),
    }
    return go.Figure(data=traces, layout=layout)


def _pixels(part: pd.DataFrame, bottom: float, top: float) -> NDArray[Any]:
    """How far above the lower edge a line runs."""
    height: NDArray[Any] = np.log(part["deviation"].to_numpy(float) / bottom)
    return height / math.log(top / bottom) * PLOT


def _line(name: str, slot: int, dash: str, part: pd.DataFrame, noun: str) -> go.Scatter:
    x, deviation = part["log10_delta"].to_numpy(float), part["deviation"].to_numpy(float)
    return go.Scatter(
        x=x,
        y=np.log10(deviation),
        mode="lines",
        name=name,
        line={
            "color": COLOURS[slot - 1],
            "width": 2.5 if dash == "solid" else 2,
            "dash": dash,
            "simplify": False,
        },
        hovertext=[
            f"<b>{name}</b> needs a standard deviation of {significant(d)} {noun}<br>"
            f"at δ = {probability(at * LN_10)}."
            for at, d in zip(x, deviation, strict=True)
        ],
        hoverinfo="text",
    )
