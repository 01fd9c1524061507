"""Two pictures of the lesson on the trick: runs that land in one hill, and right guesses."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.squares import guesses_head
from dpviz.charts.labels import note, rule
from dpviz.charts.threads import BOTTOM, HEIGHT, TOP
from dpviz.charts.threads_frame import RIGHT
from dpviz.charts.tidy import require_columns
from dpviz.charts.trick.frame import HEAPS, LIMITS, ORDER, PLACE, RUNS, THEORY, WHAT
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import plain
from dpviz.workspace.guesses import COIN

LINE = 22  # pixels between two names of the legend
AHEAD = 40  # pixels that the choice above takes from a phone
BAR, FONT = 0.62, 22  # height of a bar, of a row; size of its number


def heaps(
    frame: pd.DataFrame, style: TierStyle, *, what: str, ticks: dict[float, str], both: bool
) -> go.Figure:
    """Draw how many runs land where: one order filled, the other as an outline, theory dotted.

    Args:
        frame: as `heaps_frame` makes it, of two orders.
        style: look of whose number it is.
        what: words for what lands there, above the picture.
        ticks: words at places of the horizontal axis.
        both: whether the second order is shown, and the theory.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *HEAPS)
    one, other, theory = (part for _, part in frame.groupby(ORDER, sort=False))
    filled = {"fill": "tozeroy", "fillcolor": rgba(style.colour, 0.35)}
    traces = [_steps(one, {"width": 0}) | filled]
    names = [(f'<span style="color:{style.colour}">■</span>', one)]
    if both:
        traces.append(_steps(other, {"width": 2}))
        traces.append(
            {"x": theory[PLACE], "y": theory[RUNS], "mode": "lines", "name": THEORY}
            | {"line": {"color": GREY, "width": 3, "dash": "3px 4px", "shape": "spline"}}
        )
        names += [("□", other), (f'<span style="color:{GREY}">◌</span>', theory)]
    low, high = float(frame[PLACE].min()), float(frame[PLACE].max())
    top = 1.08 * float(frame[RUNS].max())
    place = {"xref": "paper", "yref": "paper", "yanchor": "top", "font": {"size": 15}}
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": [
            note(what, 1, 1, **place) | {"xanchor": "right", "yanchor": "bottom", "yshift": 6},
        ]
        + [
            note(f"{key} {plain(part[ORDER].iloc[0], 30)}", 0, 1, yshift=-LINE * k, **place)
            for k, (key, part) in enumerate(names)
        ],
        "shapes": [rule(0)],
        "xaxis": {"range": (low, high), "showgrid": False, "fixedrange": True, "tickangle": 0}
        | {"tickvals": list(ticks), "ticktext": list(ticks.values())},
        "yaxis": {"visible": False, "range": (-0.02 * top, top), "fixedrange": True},
    }
    return go.Figure(
        data=[go.Scatter(hoverinfo="skip", **trace) for trace in traces], layout=layout
    )


def _steps(part: pd.DataFrame, line: dict[str, Any]) -> dict[str, Any]:
    """The outline of the bars, from the axis to the axis."""
    x, y = part[PLACE].to_numpy(float), part[RUNS].to_numpy(float)
    half = (x[1] - x[0]) / 2
    edges = np.repeat(np.r_[x - half, x[-1] + half], 2)
    heights = np.r_[0.0, np.repeat(y, 2), 0.0]
    name = str(part[ORDER].iloc[0])
    return {"x": edges, "y": heights, "mode": "lines", "name": name, "line": line}


def limits(frame: pd.DataFrame) -> go.Figure:
    """Draw how many guesses are right beyond a coin's, row by row from the top.

    Args:
        frame: as `limits_frame` makes it.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *LIMITS)
    rows = list(enumerate(frame.to_dict("records")))
    far = float(frame[RIGHT].max()) - COIN
    traces = [
        go.Bar(
            **{"x": [row[RIGHT] - COIN], "y": [k], "base": [COIN], "orientation": "h"},
            width=BAR,
            name=row[WHAT],
            marker={"color": TierStyle(row["slot"], row["symbol"]).colour},
            hoverinfo="skip",
        )
        for k, row in rows
    ]
    notes = [
        note(f"<b>{row[RIGHT]:.0f}</b>", row[RIGHT], k, xshift=8, font={"size": FONT})
        for k, row in rows
    ]
    coin = {"color": GREY, "width": 2, "dash": "2px 3px"}
    line = {"type": "line", "x0": COIN, "x1": COIN, "yref": "paper", "y0": 0, "y1": 1, "line": coin}
    layout = {
        "height": HEIGHT - AHEAD,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": [*notes, guesses_head()],
        "shapes": [line],
        "xaxis": {"range": (COIN, COIN + 1.45 * far), "showgrid": False, "fixedrange": True}
        | {"tickvals": [COIN], "ticktext": [f"{COIN}: a coin"]},
        "yaxis": {"range": (len(rows) - 0.5, -0.5), "fixedrange": True, "tickfont": {"size": 15}}
        | {"ticklabelstandoff": 6}
        | {"tickvals": list(range(len(rows)))}
        | {"ticktext": [f"<b>{plain(row[WHAT], 16)}</b>" for _, row in rows]},
    }
    return go.Figure(data=traces, layout=layout)
