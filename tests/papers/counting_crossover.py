"""δ* of continual counting over the number of steps, and the line δ = 1/T.

Below a line of δ* the Laplace tree has the smaller error, above it the Gaussian square root; below
the lowest, the tree is below every factorization. Both axes by powers of ten, drawn on log₁₀
values; each Gaussian calibration has a line of its own.
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.counting_crossover import (
    COUNTING_GAUSSIANS,
    counting_crossover_log_delta,
    gaussian_crossovers,
)
from dpviz.accounting.trees import best_arity
from dpviz.charts.axes import LN_10, power_axis, probability
from dpviz.charts.tidy import require_columns
from dpviz.palette import GAUSS_COLOUR, GREY, LAPLACE_COLOUR
from dpviz.words import scientific, significant
from tests.papers.chart import end_names

CROSSOVER = ("calibration", "log10_steps", "log10_delta")
MOST_STEPS = 10**12
HEIGHT, TOP, BOTTOM, RIGHT = 360, 8, 48, 104
PLOT = HEIGHT - TOP - BOTTOM
ANY = "any"  # factorization: the bound that none is below
LOOK = {
    ANY: ("every Gauss", GAUSS_COLOUR, "2px 3px", 2.5),
    "analytic": ("Gauss, √", GAUSS_COLOUR, "solid", 2.5),
    "root_two": ("less a √2", GAUSS_COLOUR, "8px 4px", 2),
    "stated_exact": ("paper’s bound", LAPLACE_COLOUR, "8px 4px", 2),
    "stated": ("paper, closed form", LAPLACE_COLOUR, "2px 3px", 2),
}
RULE = "δ = 1/T"


def crossover_frame(epsilon: float, *, points: int = 40) -> pd.DataFrame:
    """δ* over the number of steps, 10 to 10¹²; columns `CROSSOVER`; `ANY` is a bound.

    Gaussian calibrations that hold for ε ≤ 1 only are left out above it.
    """
    names = list(COUNTING_GAUSSIANS) if epsilon <= 1 else ["analytic"]
    rows = []
    for exponent in np.linspace(1, math.log10(MOST_STEPS), points).tolist():
        steps = round(10**exponent)
        arity = best_arity_of(steps)
        lowest = gaussian_crossovers(steps, epsilon, arity=arity).bound
        rows.append((ANY, exponent, lowest.value / LN_10))
        for name in names:
            found = counting_crossover_log_delta(steps, epsilon, arity=arity, gaussian=name)
            rows.append((name, exponent, found / LN_10))
    return pd.DataFrame(rows, columns=list(CROSSOVER))


@lru_cache(maxsize=4096)  # pure mathematics of public numbers
def best_arity_of(steps: int) -> int:
    """`best_arity` with subtraction, remembered."""
    return best_arity(steps)


def counting_crossover_chart(frame: pd.DataFrame, *, here: tuple[float, float]) -> go.Figure:
    """Draw δ* over the number of steps.

    Args:
        frame: columns `CROSSOVER`; a calibration is a key of `LOOK`.
        here: log₁₀ of the steps and of the δ that are looked at.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *CROSSOVER)
    parts = {str(name): part for name, part in frame.groupby("calibration", sort=False)}
    x = frame["log10_steps"]
    low, high = float(x.min()), float(x.max())
    bottom = min(float(frame["log10_delta"].min()), here[1], -high) - 1.5
    traces = [_line(name, part) for name, part in parts.items()]
    ends = np.array([low, high])
    rule = {"color": GREY, "width": 1.8, "dash": "14px 4px"}
    traces.append(go.Scatter(x=ends, y=-ends, mode="lines", name=RULE, line=rule, hoverinfo="skip"))
    traces.append(
        go.Scatter(
            x=[here[0]],
            y=[here[1]],
            mode="markers",
            name="here",
            marker={"symbol": "x", "size": 11, "color": GREY},
            hovertemplate="What you look at: T and δ<extra></extra>",
        )
    )
    named = [(LOOK[n][0], float(part["log10_delta"].iloc[-1])) for n, part in parts.items()]
    named = [(RULE, -high), *(pair for pair in named if pair[0] != LOOK["stated"][0])]
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": RIGHT},
        "annotations": _names(named, bottom),
        "xaxis": {"title": {"text": "number of steps, T"}, "showgrid": False}
        | _steps_axis(low, high),
        "yaxis": {"showgrid": True} | power_axis(bottom, 0.0, most=6),
    }
    return go.Figure(data=traces, layout=layout)


def _line(name: str, part: pd.DataFrame) -> go.Scatter:
    said, colour, dash, width = LOOK[name]
    told = zip(part["log10_steps"].tolist(), part["log10_delta"].tolist(), strict=True)
    return go.Scatter(
        x=part["log10_steps"].to_numpy(),
        y=part["log10_delta"].to_numpy(),
        mode="lines",
        name=said,
        line={"color": colour, "dash": dash, "width": width, "simplify": False},
        hovertext=[
            f"<b>Against {said}</b>, T = {_steps(at)}:<br>below δ* = "
            f"{probability(d * LN_10)} Laplace noise on the tree is more exact."
            for at, d in told
        ],
        hoverinfo="text",
    )


def _names(ends: list[tuple[str, float]], bottom: float) -> list[dict[str, Any]]:
    """Names beside the right ends; the axis of δ is that of log₁₀ δ, from `bottom` to 0."""
    shares = [(name, 10 ** (end / -bottom)) for name, end in ends]  # 0.1 at the bottom, 1 on top
    return end_names(shares, (0.1, 1.0), PLOT)


def _steps(exponent: float) -> str:
    steps = 10**exponent
    return significant(steps) if steps < 1e6 else scientific(steps)


def _steps_axis(low: float, high: float) -> dict[str, Any]:
    values = list(range(math.ceil(low), math.floor(high) + 1))[::3]
    words = ["10" if v == 1 else scientific(10.0**v, 1).removeprefix("1×") for v in values]
    return {
        "range": (low, high),
        "tickmode": "array",
        "tickvals": values,
        "ticktext": words,
        "tickangle": 0,
    }
