"""One value as a thread over ε: left and right is the number, and the higher, the sharper.

The thread has the ink of the page; it is upright where the number stays and goes sideways where it
jumps. The cone holds 95 % of all numbers at each ε, and ends inside of the axis.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import log_ticks
from dpviz.charts.gradual.frame import COORDINATE, HIGH, LOW, STEPS, TRUTH, VALUE
from dpviz.charts.labels import Floats, note, pixels, ticks, upright
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, GRID, rgba
from dpviz.words import number, plain, significant

HEIGHT, MANY_HEIGHT = 430, 330
CONE = 0.2
NARROW = 0.25  # of the axis: less than the number at the mark needs on a phone
TRUST = "more trust, ε (sharper, less private) →"  # upright, so that its arrow points up
ROOM = 0.05  # of the axis on either side
LEVELS = 60  # of a cone
TITLE, STANDOFF = 24, 4  # pixels of the upright title, and between it and the ticks


def thread_chart(
    frame: pd.DataFrame,
    cone: pd.DataFrame,
    *,
    exact: float,
    epsilon: float,
    unit: str,
    step: float,
    what: str = "value",
) -> go.Figure:
    """Draw the path of one value, with the number at one ε.

    Args:
        frame: columns `STEPS`, one coordinate.
        cone: columns high and value: at each ε half the width of 95 % of all numbers.
        exact: the value itself, made up and public.
        epsilon: where the number is read.
        unit: of the value.
        step: one unit of the last digit that is shown.
        what: what the value is.

    Raises:
        ParameterError: a column is missing, or there is no step.
    """
    require_columns(frame, *STEPS)
    require_columns(cone, HIGH, VALUE)
    low, high = float(frame[LOW].min()), float(frame[HIGH].max())
    here = frame[(frame[LOW] < epsilon) & (frame[HIGH] >= epsilon)]
    value = float((here if len(here) else frame.iloc[:1])[VALUE].iloc[0])
    left, right = sides(frame, cone, exact=exact, step=step)
    fig = go.Figure(data=[_cone(cone, exact), *_thread(frame, unit, step), _mark(value, epsilon)])
    text = f"<b>{number(value, step=step)}</b>"
    share = (value - left) / (right - left)
    on_left = NARROW < share < 0.5 or share > 1 - NARROW  # outside of the thread, if there is room
    side = {"xanchor": "right", "xshift": -12} if on_left else {"xshift": 12}
    said = f"true {plain(what)}: {number(exact, step=step)}"
    truth = note(said, exact, math.log10(high), yanchor="bottom")
    look = {"font": {"size": 20}, "yanchor": "bottom", "yshift": 1}
    reading = note(text, value, math.log10(epsilon), **look, **side)
    fig.update_layout(
        height=HEIGHT,
        margin={"t": 26, "l": edge(low, high)},
        annotations=[reading, truth | {"xanchor": "center"}],
        shapes=[upright(exact, TRUTH), _level(epsilon)],
        xaxis={"range": (left, right), "showgrid": False, "title": {"text": plain(unit)}}
        | ticks(left, right),
        yaxis={
            "type": "log",
            "range": (math.log10(low), math.log10(high)),
            "title": {"text": TRUST, "standoff": STANDOFF},
            "automargin": False,
            "showgrid": True,
            "gridcolor": GRID,
        }
        | _log_ticks(low, high),
    )
    return fig


def threads_chart(frame: pd.DataFrame, *, epsilon: float, width: float) -> go.Figure:
    """Draw the errors of many values side by side, each a thread of its own.

    Args:
        frame: columns `STEPS`; values are how far each number is off.
        epsilon: where all numbers are read.
        width: how far off a number may be that fills half of its column; larger ones are cut.

    Raises:
        ParameterError: a column is missing, or there is no step.
    """
    require_columns(frame, *STEPS)
    low, high = float(frame[LOW].min()), float(frame[HIGH].max())
    count = int(frame[COORDINATE].max()) + 1
    fig = go.Figure(data=_threads(frame, epsilon, width))
    days = list(range(0, count, 5)) if count > 10 else list(range(count))
    fig.update_layout(
        height=MANY_HEIGHT,
        shapes=[*(_column(n) for n in range(count)), _level(epsilon)],
        xaxis={
            "range": (-0.6, count - 0.4),
            "showgrid": False,
            "title": {"text": "day; within a column: too low ← → too high"},
            "tickmode": "array",
            "tickvals": days,
            "ticktext": [str(n + 1) for n in days],
        },
        yaxis={
            "type": "log",
            "range": (math.log10(low), math.log10(high)),
            "title": {"text": "more trust, ε →"},
            "showgrid": False,
        }
        | _log_ticks(low, high),
    )
    return fig


def _threads(frame: pd.DataFrame, epsilon: float, width: float) -> list[go.Scatter]:
    """All threads as one line with gaps, and where each is at one ε."""
    x: list[float | None] = []
    y: list[float | None] = []
    marks: list[float] = []
    for place, rows in frame.groupby(COORDINATE):
        at = place + 0.45 * np.clip(rows[VALUE].to_numpy(float) / width, -1, 1)
        for value, bottom, top in zip(at, rows[LOW], rows[HIGH], strict=True):
            x += [value, value]
            y += [bottom, top]
        x.append(None)
        y.append(None)
        marks.append(float(at[np.searchsorted(rows[HIGH].to_numpy(float), epsilon)]))
    said = [f"day {n + 1}, at ε = {significant(epsilon)}" for n in range(len(marks))]
    line = {"width": 1.6}
    return [
        go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", name="threads"),
        go.Scatter(
            x=marks,
            y=[epsilon] * len(marks),
            mode="markers",
            marker={"size": 7, "symbol": "diamond"},
            hovertext=said,
            hoverinfo="text",
            name="numbers",
        ),
    ]


def cone_frame(epsilons: Floats, halves: Floats) -> pd.DataFrame:
    """Half widths by ε; columns high and value.

    >>> cone_frame(np.array([0.5, 1.0]), np.array([6.0, 3.0])).values.tolist()
    [[0.5, 6.0], [1.0, 3.0]]
    """
    return pd.DataFrame({HIGH: epsilons, VALUE: halves})


def sides(
    frame: pd.DataFrame, cone: pd.DataFrame, *, exact: float, step: float
) -> tuple[float, float]:
    """Ends of the axis: all that the thread visits, and the whole cone, evenly."""
    off = float(np.abs(frame[VALUE].to_numpy(float) - exact).max())
    reach = max(off, float(cone[VALUE].max()), step) * (1 + ROOM)
    return exact - reach, exact + reach


def edge(low: float, high: float) -> int:
    """Pixels left of the plot, so that a picture below can have its numbers in line.

    >>> edge(0.1, 2.0) < edge(0.00001, 2.0)
    True
    """
    return TITLE + STANDOFF + round(max(map(pixels, _log_ticks(low, high)["ticktext"])))


def _cone(cone: pd.DataFrame, exact: float) -> go.Scatter:
    epsilons, half = cone[HIGH].to_numpy(float), cone[VALUE].to_numpy(float)
    return go.Scatter(
        x=[*(exact - half), *(exact + half)[::-1]],
        y=[*epsilons, *epsilons[::-1]],
        mode="lines",
        fill="toself",
        fillcolor=rgba(GREY, CONE),
        line={"width": 0},
        hoverinfo="skip",
        name="cone",
    )


def _thread(frame: pd.DataFrame, unit: str, step: float) -> list[go.Scatter]:
    """Upright where it rests; thin and dotted where it jumps."""
    values, lows, highs = (frame[name].to_numpy(float) for name in (VALUE, LOW, HIGH))
    upright = {"x": [], "y": [], "hovertext": []}  # type: dict[str, list[Any]]
    for value, low, high in zip(values, lows, highs, strict=True):
        said = f"{number(value, step=step)} {plain(unit)} from ε = {significant(low)} to "
        said += significant(high)
        upright["x"] += [value, value, None]
        upright["y"] += [low, high, None]
        upright["hovertext"] += [said, said, ""]
    across: list[float | None] = []
    along: list[float | None] = []
    for first, second, end in zip(values[:-1], values[1:], highs[:-1], strict=True):
        across += [first, second, None]
        along += [end, end, None]
    jump = {"width": 1.2, "dash": "2px 3px"}
    return [
        go.Scatter(x=across, y=along, mode="lines", line=jump, hoverinfo="skip", name="jumps"),
        go.Scatter(
            **upright,
            mode="lines",
            line={"width": 3.5},
            hoverinfo="text",
            name="rests",
        ),
    ]


def _mark(value: float, epsilon: float) -> go.Scatter:
    return go.Scatter(
        x=[value],
        y=[epsilon],
        mode="markers",
        marker={"size": 16, "symbol": "diamond"},
        hoverinfo="skip",
        name="number",
    )


def _level(epsilon: float) -> dict[str, Any]:
    ends = {"y0": epsilon, "y1": epsilon, "xref": "x domain", "x0": 0, "x1": 1}
    return {"type": "line", **ends, "line": {"color": GREY, "width": 1}, "layer": "below"}


def _column(place: int) -> dict[str, Any]:
    ends = {"x0": place, "x1": place, "yref": "y domain", "y0": 0, "y1": 1}
    return {"type": "line", **ends, "line": {"color": GRID, "width": 1}, "layer": "below"}


def _log_ticks(low: float, high: float) -> dict[str, Any]:
    return log_ticks(math.log10(low), math.log10(high), 6)
