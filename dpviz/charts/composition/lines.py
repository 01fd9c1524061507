"""The total ε of a sequence by every bound, as lines: over questions asked, choices, or δ.

A line for each bound; the tightest one at the right end has the ink of the page. Values are
computed where the marks are, and joined by straight lines.
"""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import APART, LN_10, power_axis, probability, spread
from dpviz.charts.composition.bounds import titled
from dpviz.charts.composition.frame import AT, BOUND, EPSILON, TOTAL_LINES
from dpviz.charts.labels import note, pixels, span, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY
from dpviz.words import significant

HEIGHT = 340
PLOT = HEIGHT - 60
DASHES = ("solid", "8px 4px", "2px 3px", "8px 3px 2px 3px", "14px 4px", "14px 4px 2px 4px")


def total_lines(frame: pd.DataFrame, *, axis: str, over_delta: bool = False) -> go.Figure:
    """Draw a line for each bound.

    Args:
        frame: columns `TOTAL_LINES`; `at` is a number, or log₁₀ δ.
        axis: title of the horizontal axis.
        over_delta: whether `at` is log₁₀ δ.

    Raises:
        ParameterError: a column is missing, or there is no point.

    >>> rows = [("sum", 1, 0.1), ("sum", 2, 0.2)]
    >>> fig = total_lines(pd.DataFrame(rows, columns=list(TOTAL_LINES)), axis="answers")
    >>> fig.data[0].y.tolist()
    [0.1, 0.2]
    """
    require_columns(frame, *TOTAL_LINES)
    parts = dict(iter(frame.groupby(BOUND, sort=False)))
    ends = {str(name): float(part[EPSILON].iloc[-1]) for name, part in parts.items()}
    best = min(ends, key=ends.__getitem__)
    low, high = float(frame[AT].min()), float(frame[AT].max())
    top = float(frame[EPSILON].max()) or 1.0  # where δ alone covers everything, every ε is 0
    lines = [
        _line(str(name), part, name == best, DASHES[place % len(DASHES)], over_delta)
        for place, (name, part) in enumerate(parts.items())
    ]
    names = [(f"<b>{n}</b>" if n == best else n, value) for n, value in ends.items()]
    layout = {
        "height": HEIGHT,
        "margin": {"t": 8, "r": 10 + round(max(pixels(name) for name in ends))},
        "annotations": _ends(names, (0.0, top * 1.04)),
        "xaxis": {"title": {"text": axis}, "showgrid": False}
        | (power_axis(low, high) if over_delta else {"range": span(low, high)} | ticks(low, high)),
        "yaxis": {"showgrid": True, "range": (0, top * 1.04)} | ticks(0, top * 1.04),
    }
    return go.Figure(data=lines, layout=layout)


def _line(name: str, part: pd.DataFrame, best: bool, dash: str, over_delta: bool) -> go.Scatter:
    at, epsilon = part[AT].to_numpy(float), part[EPSILON].to_numpy(float)
    where = [_where(x, over_delta) for x in at]
    colour = {} if best else {"color": GREY}
    return go.Scatter(
        x=at,
        y=epsilon,
        mode="lines+markers",
        name=name,
        line={"width": 3 if best else 1.5, "dash": "solid" if best else dash} | colour,
        marker={"size": 5 if best else 3} | colour,
        hovertext=[
            f"<b>{titled(name)}</b>, {place}: ε = {significant(value)}."
            for place, value in zip(where, epsilon, strict=True)
        ],
        hoverinfo="text",
    )


def _where(at: float, over_delta: bool) -> str:
    return f"δ = {probability(at * LN_10)}" if over_delta else f"{at:g}"


def _ends(names: list[tuple[str, float]], edges: tuple[float, float]) -> list[dict[str, Any]]:
    """Names beside the right ends of the lines, moved apart where they touch."""
    low, high = edges
    wanted = [PLOT * (value - low) / (high - low) for _, value in names]
    look = {"xref": "x domain", "yref": "y domain", "xshift": 6, "yanchor": "middle"}
    return [
        note(name, 1, place / PLOT, **look)
        for (name, _), place in zip(names, spread(wanted, APART, 0.0, PLOT), strict=True)
    ]
