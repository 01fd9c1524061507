"""What comes next: the law of a release."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.gradual.frame import CHANCE, LAW, VALUE
from dpviz.charts.labels import note, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import number, percent, plain

HEIGHT = 300
LIKELY, FLANK = "likely numbers", 0.35  # what the hill shows, and how high up that stands


def law_chart(
    curve: pd.DataFrame,
    atoms: pd.DataFrame,
    *,
    exact: float,
    drawn: float | None,
    whole: bool,
    unit: str,
    step: float,
) -> go.Figure:
    """Draw the law of a release before it is drawn: a hill, and a spike where it may stay.

    Args:
        curve: columns `LAW`: densities, or masses of whole numbers.
        atoms: columns `ATOMS`; of whole numbers their masses are in the curve, too.
        exact: the value itself, made up and public.
        drawn: the release, once it is drawn.
        whole: whether the values are whole numbers, each with a bar.
        unit: of the value.
        step: one unit of the last digit that is shown.

    Raises:
        ParameterError: a column is missing, or there is no point.
    """
    require_columns(curve, *LAW)
    at, chance = curve[VALUE].to_numpy(float), curve[CHANCE].to_numpy(float)
    left, right = _sides(
        at, chance, [exact, *atoms[VALUE], *([drawn] if drawn is not None else [])]
    )
    top = float(chance.max()) or 1.0
    if not whole:
        chance, top = chance / top, 1.0
    parts = [_bars(at, chance) if whole else _hill(at, chance)]
    tallest = float(atoms[CHANCE].max()) if len(atoms) else 0.0
    heights = atoms[CHANCE] if whole else 1.15 * atoms[CHANCE] / (tallest or 1.0)
    spikes = [_spike(x, y, whole=whole) for x, y in zip(atoms[VALUE], heights, strict=True)]
    notes = _again(atoms, list(heights), exact, (left, right), step)
    if drawn is not None:
        spikes.append(_drawn(drawn))
        said = f"drawn: <b>{number(drawn, step=step)}</b>"
        notes.append(note(said, drawn, 0, xanchor="center", yanchor="bottom", yshift=10))
    notes.append(note("value", exact, 1, yref="y domain", xanchor="center", yanchor="bottom"))
    notes += _likely(at, chance, (left, right))
    fig = go.Figure(data=[*parts, *spikes])
    fig.update_layout(
        height=HEIGHT,
        margin={"t": 26},
        annotations=notes,
        shapes=[_truth(exact)],
        bargap=0.15,
        xaxis={"range": (left, right), "showgrid": False, "title": {"text": plain(unit)}}
        | ticks(left, right),
        yaxis={"visible": False, "range": (0, 1.2 * max(top, tallest if whole else 1.15))},
    )
    return fig


def _likely(at: Any, height: Any, sides: tuple[float, float]) -> list[dict[str, Any]]:
    """What the hill shows, beside it where there is more room; nothing where there is no hill."""
    top = float(height.max())
    if not top:
        return []
    hill = at[height >= FLANK * top]
    foot, right = float(hill.min()), float(hill.max())
    if sides[1] - right >= foot - sides[0]:
        return [note(LIKELY, right, FLANK * top, xshift=10)]
    return [note(LIKELY, foot, FLANK * top, xshift=-10, xanchor="right", align="right")]


def _again(
    atoms: pd.DataFrame,
    heights: list[float],
    exact: float,
    sides: tuple[float, float],
    step: float,
) -> list[dict[str, Any]]:
    """How likely each number comes again: beside its spike, away from another and the value."""
    left, right_end = sides
    values = atoms[VALUE].to_numpy(float)
    found = []
    for value, share, height in zip(values, atoms[CHANCE], heights, strict=True):
        place = (value - left) / (right_end - left)
        right = place < 0.35 or (value >= exact and place < 0.6)
        if len(values) > 1:
            right = value > values.min()
        side: dict[str, Any] = {"xshift": 8}
        if not right:
            side = {"xanchor": "right", "xshift": -8, "align": "right"}
        said = f"<b>{percent(share)}</b>: {number(value, step=step)} again"
        found.append(note(said, value, height, yanchor="top", **side))
    return found


def _sides(at: Any, chance: Any, also: list[float]) -> tuple[float, float]:
    """The part of the axis where there is something to see."""
    seen = [*at[chance > 0.01 * chance.max()], *also]  # no hill if the number surely stays
    low, high = float(min(seen)), float(max(seen))
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


def _hill(at: Any, height: Any) -> go.Scatter:
    return go.Scatter(
        x=at,
        y=height,
        mode="lines",
        fill="tozeroy",
        fillcolor=rgba(GREY, 0.3),
        line={"color": GREY, "width": 2},
        hoverinfo="skip",
        name="hill",
    )


def _bars(at: Any, chance: Any) -> go.Bar:
    return go.Bar(x=at, y=chance, marker={"color": rgba(GREY, 0.55)}, hoverinfo="skip", name="bars")


def _spike(value: float, height: float, *, whole: bool) -> go.Scatter:
    return go.Scatter(
        x=[value, value],
        y=[0, height],
        mode="lines+markers",
        line={"width": 3 if whole else 5},
        marker={"size": [0, 10], "opacity": 1},
        hoverinfo="skip",
        name="stays",
    )


def _drawn(value: float) -> go.Scatter:
    return go.Scatter(
        x=[value],
        y=[0],
        mode="markers",
        marker={"size": 16, "symbol": "diamond"},
        cliponaxis=False,
        hoverinfo="skip",
        name="drawn",
    )


def _truth(exact: float) -> dict[str, Any]:
    ends = {"x0": exact, "x1": exact, "yref": "y domain", "y0": 0, "y1": 1}
    return {"type": "line", **ends, "line": {"color": GREY, "width": 1.2, "dash": "dot"}}
