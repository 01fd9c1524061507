"""A string pinned at two numbers, and the ways in which it may hang: draws that nobody keeps."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.threads import threads
from dpviz.charts.threads_frame import SD, VALUE, WHO
from dpviz.palette import GREY, TierStyle, rgba

CLEAR = 1.5  # times as far from its mark as elsewhere: the number of a pin
RING, MIGHT = 30, 11  # pixels of the ring of a pin, and of a number that might come


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
        remark: words at the dotted stub.

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
