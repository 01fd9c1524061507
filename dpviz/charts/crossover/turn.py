"""Where the verdict turns: a strip over the numbers that one person can change, one colour a noise.

The numbers run to the right by equal ratios and are drawn on log₁₀ values.
"""

import math
from typing import Any

import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.axes import log_ticks
from dpviz.charts.labels import PHONE, note, pixels
from dpviz.palette import COLOURS, GAUSS_SLOT, LAPLACE_SLOT, ink_on
from dpviz.words import plain

HEIGHT, THICK, LEAST_END, MOST_TICKS = (
    116,
    30,
    100,
    7,
)  # pixels; the strip ends no earlier than this
EDGE = math.log10(0.8)  # a little room before 1


def turn_strip(*, turn: int, here: int, noun: str) -> go.Figure:
    """Draw the strip.

    Args:
        turn: numbers per person from which on Gaussian noise is smaller; 1: always.
        here: numbers per person of the query.
        noun: what runs to the right, such as "counts per person".

    Raises:
        ParameterError: a number is not whole, or below 1.

    >>> fig = turn_strip(turn=9, here=5, noun="counts per person")
    >>> [trace.name for trace in fig.data]
    ['Laplace', 'Gaussian', 'here']
    """
    checks.whole(1, turn=turn, here=here)
    end = math.log10(1.2 * max(LEAST_END, 3 * turn, here))
    border = math.log10(math.sqrt(turn * (turn - 1))) if turn > 1 else EDGE
    up_to, beyond = (f" up to {turn - 1:,}", f" from {turn:,} on") if turn > 1 else ("", "")
    parts = [
        ("Laplace", up_to, LAPLACE_SLOT, EDGE, border),
        ("Gaussian", beyond, GAUSS_SLOT, border, end),
    ]
    shown = [part for part in parts if part[4] > part[3]]
    at = math.log10(here)
    where = go.Scatter(
        x=[at],
        y=[0.85],
        mode="markers",
        name="here",
        marker={"symbol": "triangle-down", "size": 15},
        cliponaxis=False,
        hoverinfo="skip",
    )
    side = "left" if at < end / 2 else "right"
    shift = 12 if side == "left" else -12
    marked = note(f"<b>{here:,}</b> here", at, 0.85, xanchor=side, xshift=shift)
    ticks = log_ticks(0.0, end, MOST_TICKS)
    layout = {
        "height": HEIGHT,
        "margin": {"t": 2, "b": 44},
        "annotations": [marked, *(one for p in shown for one in _named(*p, end - EDGE))],
        "xaxis": {
            "range": (EDGE, end),
            "showgrid": False,
            "title": {"text": plain(noun)},
        }
        | ticks
        | {"tickvals": [math.log10(value) for value in ticks["tickvals"]]},
        "yaxis": {"visible": False, "range": (-0.65, 1.3)},
    }
    return go.Figure(data=[*(_part(*part) for part in shown), where], layout=layout)


def _part(name: str, _: str, slot: int, low: float, high: float) -> go.Scatter:
    return go.Scatter(
        x=[low, high],
        y=[0, 0],
        mode="lines",
        name=name,
        line={"color": COLOURS[slot - 1], "width": THICK},
        hoverinfo="skip",
    )


def _named(
    name: str, where: str, slot: int, low: float, high: float, span: float
) -> list[dict[str, Any]]:
    """Whose part it is and where it ends, inside it, as long as there is room."""
    colour, room = COLOURS[slot - 1], (high - low) / span * (PHONE - 20)
    tries = (f"{name} is smaller{where}", f"{name}{where}", name)
    text = next((t for t in tries if pixels(t, bold=True) + 8 < room), "")
    look = {"color": ink_on(colour), "shadow": "none"}
    centre = {"xanchor": "center", "align": "center", "font": look}
    return [note(f"<b>{text}</b>", (low + high) / 2, 0, **centre)] if text else []
