"""Two pictures that only Start has: blurred bars, and ways in which a number may still go."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.threads import blur, threads
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.scenes.threads import SD, STATE, STYLE, TRUTH, VALUE, WHO

CLEAR = 1.5  # times as far from its mark as elsewhere: the number of a pin
RING, MIGHT = 30, 11  # pixels of the ring of a pin, and of a number that might come


def blurs(frame: pd.DataFrame, *, ticks: Mapping[float, str]) -> go.Figure:
    """Draw numbers below their truth, each on the bar where such numbers fall.

    Args:
        frame: as `threads_frame` makes it, with a truth.
        ticks: words at places of the horizontal axis.

    Raises:
        ParameterError: a column is missing.

    >>> from dpviz.scenes.threads import Mark, threads_frame
    >>> mark = Mark(who="audit", rho=0.4, style=TierStyle(11, 3), value=310.6)
    >>> fig = blurs(threads_frame([mark], ("the truth", 312.0)), ticks={312.0: "312"})
    >>> [trace.name for trace in fig.data]
    ['cone', 'blur of audit', 'audit', 'the truth']
    """
    fig = threads(frame, ticks=ticks)
    middle = float(frame.loc[frame[STATE] == TRUTH, VALUE].iloc[0])
    rows = frame[frame[STATE] != TRUTH].to_dict("records")
    sharpest = min(row[SD] for row in rows)
    cone, *marks = fig.data
    bars = [
        blur(row[WHO], row[STYLE].colour, sd=row[SD], middle=middle, ink=sharpest) for row in rows
    ]
    return go.Figure(data=[cone, *bars, *marks], layout=fig.layout)


def plucked(
    frame: pd.DataFrame,
    string: pd.DataFrame,
    ways: Sequence[float],
    style: TierStyle,
    *,
    pins: tuple[str, str],
    new: str,
    ticks: Mapping[float, str],
    below: Mapping[str, str],
    remark: str,
) -> go.Figure:
    """Draw numbers on their threads, two of them ringed, with faint strings between these two.

    Args:
        frame: as `threads_frame` makes it, without a truth.
        string: bands between the two, as `string_frame` makes them.
        ways: numbers that might be drawn there; none once the number is drawn.
        style: look of the tier whose number it is.
        pins: who holds the numbers around it, the sharper first.
        new: whose number is drawn.
        ticks: words at places of the horizontal axis.
        below: words below the names of the rows.
        remark: words above the numbers.

    Raises:
        ParameterError: a column is missing, or a way is not a finite number.
    """
    at = {row[WHO]: (row[VALUE], row[SD]) for row in frame.to_dict("records")}
    fig = threads(
        frame,
        ticks=ticks,
        string=string,
        pinned=style,
        remark=remark,
        guesses=False,
        below=below,
    )
    ends, here = [at[name] for name in pins], at[new][1]
    for way in ways:
        checks.finite(way=way)
    heights = {y for _, y in ends}
    fig.for_each_annotation(
        lambda number: number.update(xshift=CLEAR * number.xshift),
        lambda each: each.y in heights,
    )
    rings = _marks([x for x, _ in ends], [y for _, y in ends], style, RING, "circle")
    hanging = [_string([ends[0], (way, here), ends[1]]) for way in ways]
    might = _marks(list(ways), [here] * len(ways), style, MIGHT, style.marker)
    return go.Figure(data=[rings, *hanging, might, *fig.data], layout=fig.layout)


def _string(points: list[tuple[float, float]]) -> go.Scatter:
    x, y = zip(*points, strict=True)
    line = {"width": 1, "color": rgba(GREY, 0.7)}
    return go.Scatter(x=x, y=y, mode="lines", name="way", line=line, hoverinfo="skip")


def _marks(x: list[float], y: list[float], style: TierStyle, size: int, symbol: str) -> go.Scatter:
    marker: dict[str, Any] = {"size": size, "symbol": f"{symbol}-open", "color": style.colour}
    name = "pins" if size == RING else "numbers that might come"
    place = {"x": x, "y": y, "cliponaxis": False, "hoverinfo": "skip"}
    return go.Scatter(**place, mode="markers", name=name, marker=marker | {"line": {"width": 2}})
