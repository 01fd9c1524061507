"""A picture that shows on a press how its marks came to where they are: decoration, never news.

The still picture tells everything, before and after. While it plays, copies of the marks climb
along their threads, and are gone at the end. Limits: the button is within the figure, where no
keyboard reaches it; the page hides it from those who prefer that nothing moves.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.errors import ParameterError
from dpviz.palette import GREY

FRAMES, EACH = 24, 45  # pictures, and milliseconds for each
WATCH = "▶ replay"
SIZE = 15  # pixels of a mark
Corners = Sequence[tuple[float, float]]
Watch = tuple[list[go.Scatter], list[dict[str, Any]], list[dict[str, Any]]]


def watch(climbs: Mapping[str, tuple[Corners, Mapping[str, Any]]]) -> Watch:
    """Marks that climb on a press: first of all traces, frames of them, and the button.

    Without climbs there is none of these.

    Args:
        climbs: by name the corners of the way of each mark, from where it is, and its look.

    Raises:
        ParameterError: a way has fewer than two corners.

    >>> way = [(312.0, 2.0), (310.0, 1.0)]
    >>> movers, frames, menus = watch({"public": (way, {"symbol": "circle"})})
    >>> len(frames), frames[0]["data"][0].x, movers[0].marker.opacity, len(menus)
    (24, (312.0,), 0, 1)
    """
    if not climbs:
        return [], [], []
    if any(len(way) < 2 for way, _ in climbs.values()):
        raise ParameterError("a way has one corner: pass where it begins and where it ends")
    shares = np.linspace(0.0, 1.0, FRAMES)
    ways = {name: _along(way, shares) for name, (way, _) in climbs.items()}

    def movers(n: int, *, seen: bool) -> list[go.Scatter]:
        return [
            _mover(name, ways[name][n], {**look, "opacity": int(seen)})
            for name, (_, look) in climbs.items()
        ]

    traces = list(range(len(climbs)))
    frames = [
        {"name": f"{n}", "traces": traces, "data": movers(n, seen=n < FRAMES - 1)}
        for n in range(FRAMES)
    ]
    button = play_button(WATCH, EACH, y=1, yanchor="top", pad={"t": 0, "l": 6})
    return movers(0, seen=False), frames, [button]


def _along(way: Corners, shares: "np.typing.NDArray[np.float64]") -> list[tuple[float, float]]:
    """Places on a way, evenly from corner to corner."""
    at = np.linspace(0.0, 1.0, len(way))
    x, y = (np.interp(shares, at, [corner[k] for corner in way]) for k in (0, 1))
    return list(zip(x.tolist(), y.tolist(), strict=True))


def _mover(name: str, place: tuple[float, float], look: Mapping[str, Any]) -> go.Scatter:
    return go.Scatter(
        x=[place[0]],
        y=[place[1]],
        mode="markers",
        name=f"{name} climbs",
        marker={"size": SIZE, **look},
        cliponaxis=False,
        hoverinfo="skip",
    )


def play_button(label: str, each: int, **place: Any) -> dict[str, Any]:
    """A button within a figure that plays its frames from the first one, ready for `updatemenus`.

    Args:
        label: what it says.
        each: milliseconds for each frame.
        place: where it is, beside the left edge.
    """
    steps = {"frame": {"duration": each, "redraw": False}, "transition": {"duration": 0}}
    play = {"label": label, "method": "animate", "args": [None, {**steps, "mode": "immediate"}]}
    look = {"bgcolor": "rgba(0,0,0,0)", "bordercolor": GREY, "showactive": False}
    return {"type": "buttons", "buttons": [play], "x": 0, "xanchor": "left", **look, **place}
