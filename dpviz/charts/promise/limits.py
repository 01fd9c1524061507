"""A sum of values cut off at a limit: what the limit cuts away, and what noise it needs."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.labels import dotted, note
from dpviz.charts.promise.hills import HEIGHT
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle, rgba

LIMIT, CUT, NOISE, ERROR = "limit", "cut", "noise", "error"
LIMITS = (LIMIT, CUT, NOISE, ERROR)
TOP, BOTTOM = 6, 44
PANEL = 0.34  # share of the plot that the people take
LOWEST, HIGHEST = -12, 190  # errors at the ends of the axis


def limits_frame(values: Mapping[int, int], rho: float) -> pd.DataFrame:
    """The error of a noisy sum, for every limit up to the largest value.

    Values above the limit count as the limit, so the sum is too small by a fixed amount; one person
    moves it by at most the limit, which the noise must hide. Both together: the root of the sum
    of their squares.

    Columns: limit, cut (by how much the sum is too small), noise (its standard deviation), error
    (root mean square).

    Args:
        values: how many people have each value, a whole number of at least 1.
        rho: budget of the sum.

    Raises:
        ParameterError: a value is not a whole number of at least 1.

    >>> limits_frame({1: 10, 3: 1}, 0.5).values.tolist()[0]
    [1.0, 2.0, 1.0, 2.23606797749979]
    """
    checks.whole(1, **{f"value_{k}": value for k, value in enumerate(values)})
    each, people = np.array([*values]), np.array([*values.values()])
    limits = np.arange(1, each.max() + 1)
    cut = np.array([float(people @ np.maximum(each - limit, 0)) for limit in limits])
    noise = np.sqrt([gaussian_level(rho, float(limit)) for limit in limits])
    columns = {LIMIT: limits, CUT: cut, NOISE: noise, ERROR: np.hypot(cut, noise)}
    return pd.DataFrame(columns)


def best_limit(frame: pd.DataFrame) -> dict[str, float]:
    """The row with the least error.

    >>> best_limit(limits_frame({1: 10, 3: 1}, 0.5))["limit"]
    1.0
    """
    row = frame.loc[frame[ERROR].idxmin()]
    return {str(name): float(value) for name, value in row.items()}


def cut_or_blur(
    values: Mapping[int, int], frame: pd.DataFrame, at: int, style: TierStyle, *, asked: bool
) -> go.Figure:
    """Draw the people by their values, and below the error of their sum at each limit.

    Args:
        values: how many people have each value.
        frame: as `limits_frame` makes it.
        at: the limit of the visitor.
        style: look of the tier that is told.
        asked: whether all limits are shown, and not the visitor's alone.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *LIMITS)
    here = frame[frame[LIMIT] == at].iloc[0]
    best = best_limit(frame)
    traces = [_people(values, at, style)]
    corner = {"xref": "paper", "yref": "y2", "yanchor": "top", "xanchor": "right"}
    notes = [_outlier(values), note("error of the sum, in visits", 1, HIGHEST, **corner)]
    if asked:
        traces += [_curve(frame, CUT, GREY), _curve(frame, NOISE, style.colour)]
        traces += [_curve(frame, ERROR, None), _spot(best[LIMIT], best[ERROR], "best", "circle")]
        notes += [*_names(frame, best, style), *_yours(at, here[ERROR], best)]
    traces += [_spot(at, here[CUT], CUT, "square", GREY)]
    traces += [_spot(at, here[NOISE], NOISE, style.marker, style.colour)]
    if asked:
        traces.append(_spot(at, here[ERROR], "yours", "circle-open"))
    else:
        notes += _here(at, here)
    most = max(values)
    layout = {
        "height": HEIGHT - 14,  # the sentence has three lines on a phone
        "margin": {"t": TOP, "b": BOTTOM, "l": 0, "r": 4},
        "annotations": notes,
        "shapes": [dotted(at)],
        "barmode": "overlay",
        "xaxis": {"range": (-1, most + 3), "showgrid": False, "fixedrange": True}
        | {"tickvals": [0, 15, 30, 45, 60], "anchor": "y2"}
        | {"title": {"text": "visits of one person, and where they are cut off"}},
        "yaxis": {"visible": False, "fixedrange": True, "domain": (1 - PANEL, 1)},
        "yaxis2": {"fixedrange": True, "domain": (0, 1 - PANEL - 0.05), "range": (LOWEST, HIGHEST)}
        | {"tickvals": [0, 50, 100, 150], "showgrid": True, "anchor": "x"},
    }
    return go.Figure(data=traces, layout=layout)


def _people(values: Mapping[int, int], at: int, style: TierStyle) -> go.Bar:
    """A bar for each value; grey beyond the limit. The root of the number is its height."""
    colours = [style.colour if value <= at else rgba(GREY, 0.5) for value in values]
    return go.Bar(
        **{"x": [*values], "y": np.sqrt([*values.values()]), "name": "people", "width": 0.8},
        marker={"color": colours},
        hovertext=[f"{people} with {value} visits" for value, people in values.items()],
        hoverinfo="text",
    )


def _outlier(values: Mapping[int, int]) -> dict[str, Any]:
    most = max(values)
    words = f"one person: <b>{most}</b>"
    return note(words, most, 1, xanchor="right", xshift=-6, yanchor="bottom", yshift=4)


def _curve(frame: pd.DataFrame, name: str, colour: str | None) -> go.Scatter:
    part = frame[frame[name] <= HIGHEST]
    line: dict[str, Any] = {"width": 2.5 if colour else 3.5} | ({"color": colour} if colour else {})
    place = {"x": part[LIMIT], "y": part[name], "mode": "lines", "yaxis": "y2"}
    return go.Scatter(**place, name=f"curve of {name}", line=line, hoverinfo="skip")


def _spot(x: float, y: float, name: str, symbol: str, colour: str | None = None) -> go.Scatter:
    marker: dict[str, Any] = {"size": 15, "symbol": symbol} | ({"color": colour} if colour else {})
    if symbol.endswith("open"):
        marker["line"] = {"width": 2.5}
    says = f"{name}: {y:.0f} visits, at a limit of {x:.0f}<extra></extra>"
    place = {"x": [x], "y": [min(y, HIGHEST)], "mode": "markers", "yaxis": "y2"}
    return go.Scatter(**place, name=name, marker=marker, hovertemplate=says, cliponaxis=False)


def _here(at: int, row: pd.Series) -> list[dict[str, Any]]:
    """The two errors at the limit of the visitor."""
    side = 1 if at <= 30 else -1
    look = {"yref": "y2", "xshift": 13 * side, "xanchor": "left" if side > 0 else "right"}
    apart = 24 if abs(row[CUT] - row[NOISE]) < 24 else 0  # else the words would meet
    shift = apart / 2 * (1 if row[CUT] >= row[NOISE] else -1)
    return [
        note(f"cut away: <b>{row[CUT]:.0f}</b>", at, row[CUT], yshift=shift, **look),
        note(f"noise: <b>{row[NOISE]:.0f}</b>", at, row[NOISE], yshift=-shift, **look),
    ]


def _yours(at: int, error: float, best: dict[str, float]) -> list[dict[str, Any]]:
    """The error at the limit of the visitor, unless the best one is too near to it."""
    if abs(at - best[LIMIT]) < 7:
        return []
    side = "left" if at < 10 else "right" if at > 50 else "center"
    shift = {"left": 13, "right": 0, "center": 0}[side]
    words = f"yours: <b>{error:.0f}</b>"
    look = {"yref": "y2", "xanchor": side, "xshift": shift, "yanchor": "bottom", "yshift": 11}
    return [note(words, at, error, font={"size": 15}, **look)]


def _names(frame: pd.DataFrame, best: dict[str, float], style: TierStyle) -> list[dict[str, Any]]:
    """The names of the curves, where they are apart."""
    last = frame.iloc[-1]
    return [
        note(f'<span style="color:{style.colour}">noise</span>', last[LIMIT], 0.8 * last[NOISE])
        | {"yref": "y2", "xanchor": "right", "yanchor": "top", "font": {"size": 15}},
        note("cut away", 34, 26, yref="y2", yanchor="bottom", font={"size": 15}),
        note("<b>both</b>", 45, 108, yref="y2", yanchor="bottom", xanchor="right")
        | {"font": {"size": 15}},
        note(f"best: <b>{best[LIMIT]:.0f}</b>", best[LIMIT], best[ERROR], yref="y2")
        | {"yanchor": "bottom", "yshift": 12, "font": {"size": 18}, "xanchor": "center"},
    ]
