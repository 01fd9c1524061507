"""Parts of bars of right guesses: their track from a coin's guesses to all, its ends, a bar."""

from typing import Any

import plotly.graph_objects as go

from dpviz.charts.labels import note
from dpviz.palette import GREY, rgba
from dpviz.workspace.guesses import ALL, COIN

WIDE = 18  # pixels: a bar
REACH = 0.17  # of a row: half a track
COIN_SAYS, ALL_SAYS, OF = "500: a coin", "all right", "guesses right of 1,000, at most"


def scale(y: float, top: float = 0.5) -> list[dict[str, Any]]:
    """What the ends of the tracks and the numbers are.

    Args:
        y: of the words below the last track.
        top: of the words above the numbers.
    """
    named = {"yanchor": "top"}
    return [
        note(COIN_SAYS, COIN, y, **named),
        note(ALL_SAYS, ALL, y, xanchor="right", align="right", **named),
        note(OF, 1, top, xref="paper", xanchor="right", align="right", yanchor="bottom"),
    ]


def track(y: float) -> dict[str, Any]:
    """From a coin's guesses to all."""
    ends = {"x0": COIN, "x1": ALL, "y0": y - REACH, "y1": y + REACH}
    look = {"fillcolor": rgba(GREY, 0.16), "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", **ends, **look}


def bar(low: float, high: float, y: float, look: dict[str, Any], told: str) -> go.Scatter:
    """A bar as a wide line: without a colour it has the ink of the page."""
    return go.Scatter(
        x=[low, (low + high) / 2, high],
        y=[y] * 3,
        mode="lines",
        line=look,
        hovertext=[told] * 3,
        hoverinfo="text",
    )
