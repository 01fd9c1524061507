"""Typical error of linear queries, a bar per way to get the same answers at the same budget.

The way that is used has the ink of the page, the others are grey: no mark looks like a tier's. Each
name stands above its bar, so that a phone has room for both.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, pixels
from dpviz.charts.tidy import require_columns
from dpviz.linear.comparison import Comparison
from dpviz.palette import GREY, rgba
from dpviz.words import plain, rounded_down, shorten, significant

WAY, NAME, TYPICAL, TIMES = "way", "name", "typical error", "times the least"
TOTALS = (WAY, NAME, TYPICAL, TIMES)
DIGITS = 2  # of an error that is typical
ROW, BAR, HEAD, FOOT = 58, 26, 8, 8  # pixels
NEARLY = 1.1  # times the least: an error that is said to be nearly that
LINE = 20  # pixels of the words above the line of what no way is below


def totals_frame(comparison: Comparison, names: Mapping[str, str]) -> pd.DataFrame:
    """The root mean squared error over all answers, least first; columns `TOTALS`.

    Args:
        comparison: the ways at one budget.
        names: of the ways that are shown, what each is called.
    """
    least = comparison.best.typical
    found = {name: way.typical for name, way in comparison.ways.items() if name in names}
    rows = [(way, names[way], error, error / least) for way, error in found.items()]
    frame = pd.DataFrame(rows, columns=list(TOTALS))
    return frame.sort_values(TYPICAL, kind="stable", ignore_index=True)


def error_bars(frame: pd.DataFrame, *, chosen: str, bound: float | None, unit: str) -> go.Figure:
    """Draw the root mean squared error of every way as a bar from 0, the least one on top.

    Args:
        frame: columns `TOTALS`, as `totals_frame` gives it.
        chosen: the way that is used.
        bound: what no bar is below, or None.
        unit: of the answers.

    Raises:
        ParameterError: a column is missing, or there is no row.

    >>> one = pd.DataFrame(
    ...     {"way": ["data"], "name": ["each"], "typical error": [2.0], "times the least": [1.0]}
    ... )
    >>> error_bars(one, chosen="data", bound=1.0, unit="visits").data[0].x.tolist()
    [2.0]
    """
    require_columns(frame, *TOTALS)
    values = frame[TYPICAL].to_numpy(float)
    unit = shorten(unit, 16)
    room = max(
        row[TYPICAL] / values.max() + pixels(_text(place, row, unit), 14, bold=True) / 230
        for place, row in enumerate(frame.to_dict("records"))
    )
    limits = (0.0, float(values.max()) * room)
    top = HEAD + (0 if bound is None else LINE)
    names = [_name(place, row, chosen) for place, row in enumerate(frame.to_dict("records"))]
    layout = {
        "height": top + ROW * len(frame) + FOOT,
        "margin": {"t": top, "b": FOOT},
        "annotations": names + ([] if bound is None else [_below(bound, limits[1])]),
        "shapes": [] if bound is None else [_floor(bound)],
        "barmode": "overlay",
        "xaxis": {"range": limits, "visible": False},
        "yaxis": {"range": (len(frame) - 1 + BAR / ROW, BAR / ROW - 1), "visible": False},
    }
    ours = frame[WAY] == chosen
    parts = [frame[part] for part in (ours, ~ours) if part.any()]
    return go.Figure(data=[_bars(part, chosen, unit) for part in parts], layout=layout)


def _bars(part: pd.DataFrame, chosen: str, unit: str) -> go.Bar:
    """The way that is used, or all others."""
    ours = part[WAY].iloc[0] == chosen
    rows = part.to_dict("records")
    texts = [_text(place, row, unit) for place, row in zip(part.index, rows, strict=True)]
    return go.Bar(
        x=part[TYPICAL].to_numpy(float),
        y=part.index.to_numpy(),
        orientation="h",
        width=BAR / ROW,
        marker={} if ours else {"color": GREY},
        text=[f"<b>{text}</b>" for text in texts] if ours else texts,
        textposition="outside",
        textfont={"size": 14},
        cliponaxis=False,
        hovertext=[_total(row, unit) for row in rows],
        hoverinfo="text",
        name="way in use" if ours else "other ways",
    )


def _text(place: int, row: Mapping[Any, Any], unit: str) -> str:
    """The error of a bar; below the first, whether it is nearly the least."""
    nearly = ", nearly the least" if place and row[TIMES] < NEARLY else ""
    return f"{significant(row[TYPICAL], DIGITS)} {plain(unit)}{nearly}"


def _name(place: int, row: Mapping[Any, Any], chosen: str) -> dict[str, Any]:
    name = plain(row[NAME], 48)
    shown = f"<b>{name}</b>" if row[WAY] == chosen else name
    return note(shown, 0, place - BAR / ROW / 2, yanchor="bottom", yshift=2, font={"size": 14})


def _floor(bound: float) -> dict[str, Any]:
    return {
        "type": "line",
        **{"x0": bound, "x1": bound, "yref": "y domain", "y0": 0, "y1": 1},
        "line": {"color": rgba(GREY, 0.4), "width": 5},
        "layer": "below",
    }


def _below(bound: float, most: float) -> dict[str, Any]:
    """What the pale line is, on the side of it where there is room."""
    side = "left" if bound < most / 2 else "right"
    text = f"no way does better than {significant(rounded_down(bound, 3))}"
    return note(text, bound, 1, yref="y domain", yanchor="bottom", xanchor=side, yshift=3)


def _total(row: Mapping[Any, Any], unit: str) -> str:
    return (
        f"<b>{plain(row[NAME])}</b> ({plain(row[WAY])}): {significant(row[TYPICAL])} {plain(unit)} "
        f"on average (root mean square),<br>{significant(row[TIMES])} times the least of all ways."
    )
