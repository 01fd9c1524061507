"""How far off a coalition is, by how many pool what they were told.

Lossless answers: a level line, as nobody adds to what the nearest member knows. Fresh noise for
each: the averaging attack falls and falls; the best estimate, simulated, falls below it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import log_range, log_ticks
from dpviz.charts.labels import note
from dpviz.charts.tidy import Floats, require_columns
from dpviz.experiments.averaging import Attack, Measured
from dpviz.local.averaging import attack_errors
from dpviz.noise import Family
from dpviz.palette import GREY, TierStyle
from dpviz.words import plain, significant

MEMBERS, OURS, AVERAGED, BEST, BEST_ERROR = "members", "ours", "averaged", "best", "best error"
ATTACK = (MEMBERS, OURS, AVERAGED, BEST, BEST_ERROR)
POINTS = 24  # sizes that are drawn
HEIGHT = 330
LOSSLESS = TierStyle(2, 0)
ABOVE: dict[str, Any] = {"yanchor": "bottom", "yshift": 5}
ALONE: Attack = "independent, best"


def sizes_of(members: int) -> list[int]:
    """Sizes of the coalitions that are drawn, from one member to all.

    >>> sizes_of(3), len(sizes_of(1000)) <= POINTS
    ([1, 2, 3], True)
    """
    if members <= POINTS:
        return list(range(1, members + 1))
    return sorted({*np.geomspace(1, members, POINTS).round().astype(int).tolist()})


def attack_frame(
    family: Family,
    levels: Sequence[float],
    measured: dict[int, dict[Attack, Measured]],
) -> pd.DataFrame:
    """Root mean squared errors by size, in the unit of the value; columns `ATTACK`.

    Args:
        family: the noise.
        levels: of the members in the order in which they join.
        measured: simulated errors by size; a size may be missing.
    """
    rows = []
    for k in sizes_of(len(levels)):
        exact = attack_errors(family, levels[:k])
        found = measured.get(k, {}).get(ALONE)
        root = np.sqrt(found.value) if found else np.nan
        error = found.error / (2 * root) if found and root else np.nan
        rows.append((k, np.sqrt(exact.lossless), np.sqrt(exact.weighted), root, error))
    return pd.DataFrame(rows, columns=list(ATTACK))


def attack_chart(frame: pd.DataFrame, *, unit: str) -> go.Figure:
    """Draw both worlds.

    Args:
        frame: columns `ATTACK`.
        unit: of the value.

    Raises:
        ParameterError: a column is missing, or there is no row.

    >>> rows = [(1, 10.0, 10.0, np.nan, np.nan), (4, 10.0, 5.0, 4.5, 0.1)]
    >>> fig = attack_chart(pd.DataFrame(rows, columns=list(ATTACK)), unit="mmHg")
    >>> [trace.name for trace in fig.data]
    ['one path', 'fresh noise, best weighted average', 'fresh noise, best estimate, simulated']
    """
    require_columns(frame, *ATTACK)
    x = frame[MEMBERS].to_numpy(float)
    ours, averaged, best = (frame[c].to_numpy(float) for c in (OURS, AVERAGED, BEST))
    low, high = log_range(np.concatenate([ours, averaged, best[np.isfinite(best)]]), 0.12)
    left, right = log_range(x, 0.05)
    layout = {
        "height": HEIGHT,
        "margin": {"t": 8, "b": 48, "r": 8},
        "annotations": [
            _named("<b>one path</b>", x, ours, -1, ABOVE | {"xanchor": "right"}),
            _named("fresh noise for each", x, averaged, *_place(len(x))),
        ],
        "xaxis": {"type": "log", "range": (left, right)}
        | {"title": {"text": "members who pool what they were told"}}
        | _whole_ticks(left, right),
        "yaxis": {"type": "log", "range": (low, high), "showgrid": True} | log_ticks(low, high, 6),
    }
    lines = [
        _line(frame, OURS, "one path", LOSSLESS.colour, "solid", unit),
        _line(frame, AVERAGED, "fresh noise, best weighted average", GREY, "8px 4px", unit),
    ]
    return go.Figure(data=[*lines, _marks(frame, unit)], layout=layout)


def _line(
    frame: pd.DataFrame, column: str, name: str, colour: str, dash: str, unit: str
) -> go.Scatter:
    return go.Scatter(
        x=frame[MEMBERS].to_numpy(float),
        y=frame[column].to_numpy(float),
        mode="lines",
        name=name,
        line={"color": colour, "width": 2.5, "dash": dash, "simplify": False},
        hovertext=[
            f"<b>{name}</b>: {int(m):,} members are typically {significant(e)} {plain(unit)} off."
            for m, e in zip(frame[MEMBERS], frame[column], strict=True)
        ],
        hoverinfo="text",
    )


def _marks(frame: pd.DataFrame, unit: str) -> go.Scatter:
    name = "fresh noise, best estimate, simulated"
    rows = frame[np.isfinite(frame[BEST].to_numpy(float))]
    return go.Scatter(
        x=rows[MEMBERS].to_numpy(float),
        y=rows[BEST].to_numpy(float),
        mode="markers",
        name=name,
        marker={"color": GREY, "symbol": "diamond-open", "size": 8},
        hovertext=[
            f"<b>{name}</b>: {int(m):,} members, {significant(e)} ± {significant(s, 1)} "
            f"{plain(unit)} off."
            for m, e, s in zip(rows[MEMBERS], rows[BEST], 2 * rows[BEST_ERROR], strict=True)
        ],
        hoverinfo="text",
    )


def _named(text: str, x: Floats, y: Floats, at: int, look: dict[str, Any]) -> dict[str, Any]:
    """A name beside one point of a line."""
    return note(text, float(np.log10(x[at])), float(np.log10(y[at])), **look)


def _place(points: int) -> tuple[int, dict[str, Any]]:
    """Where the name of a falling line stands clear of it: above its middle, or below its end."""
    if points > 2:
        return points // 3, ABOVE
    return -1, {"xanchor": "right", "yanchor": "top", "yshift": -8, "xshift": -8}


def _whole_ticks(left: float, right: float) -> dict[str, Any]:
    """Ticks at whole numbers of members."""
    found = log_ticks(max(left, 0.0), right, 6)
    whole = [v for v in found["tickvals"] if v == round(v)]
    return found | {"tickvals": whole, "ticktext": [f"{int(v):,}" for v in whole]}
