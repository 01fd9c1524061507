"""Small still pictures without words: in ink what a page is about, in grey the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import plotly.graph_objects as go

from dpviz import checks
from dpviz.palette import GREY, rgba

HEIGHT, BAND = 118, 0.3  # pixels; of the grey
Kind = Literal["line", "band", "marks", "boxes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One part of a picture.

    Attributes:
        kind: a line through the points, an area around it, marks, or boxes.
        x: of each point; of a box where it begins and ends, one after the other.
        y: of each point; of a box its lower and upper edge, one after the other.
        grey: whether it is what the rest is compared with; else it has the ink of the page.

    None ends a line, and another begins.
    """

    kind: Kind
    x: Sequence[float | None]
    y: Sequence[float | None]
    grey: bool = False

    def __post_init__(self) -> None:
        for value in (*self.x, *self.y):
            if value is not None:
                checks.finite(value=value)


def still(layers: Sequence[Layer], *, symbol: str = "circle", size: int = 7) -> go.Figure:
    """Draw the parts, one above the other.

    Args:
        layers: the lowest first.
        symbol: of marks.
        size: of marks, in pixels.

    >>> [each.mode for each in still([Layer(kind="marks", x=[1.0], y=[2.0])]).data]
    ['markers']
    """
    hidden = {"visible": False, "fixedrange": True}
    layout = {
        "height": HEIGHT,
        "margin": {"l": 6, "r": 6, "t": 6, "b": 6},
        "xaxis": hidden,
        "yaxis": hidden,
        "hovermode": False,
        "dragmode": False,
    }
    drawn = [_drawn(layer, symbol, size) for layer in layers]
    return go.Figure(data=drawn, layout=layout)


def _drawn(layer: Layer, symbol: str, size: int) -> go.Scatter:
    ink = {"color": GREY} if layer.grey else {}
    look: dict[str, Any] = {"mode": "lines", "line": {"width": 2.5, **ink}}
    x, y = list(layer.x), list(layer.y)
    if layer.kind == "marks":
        look = {"mode": "markers", "marker": {"symbol": symbol, "size": size, **ink}}
    elif layer.kind == "band":
        fill = rgba(GREY, BAND) if layer.grey else rgba(GREY, 2 * BAND)
        look = {"mode": "lines", "line": {"width": 0}, "fill": "toself", "fillcolor": fill}
    elif layer.kind == "boxes":
        x, y = _corners(x, y)
        look = {"mode": "lines", "line": {"width": 1.5, **ink}, "fill": "toself"}
        look |= {"fillcolor": rgba(GREY, BAND / 2)} if layer.grey else {}
    return go.Scatter(x=x, y=y, hoverinfo="skip", **look)


def _corners(
    x: Sequence[float | None], y: Sequence[float | None]
) -> tuple[list[float | None], list[float | None]]:
    """Each box as a closed line, with a gap after it."""
    across: list[float | None] = []
    up: list[float | None] = []
    for left, right, low, high in zip(x[::2], x[1::2], y[::2], y[1::2], strict=True):
        across += [left, right, right, left, left, None]
        up += [low, low, high, high, low, None]
    return across, up
