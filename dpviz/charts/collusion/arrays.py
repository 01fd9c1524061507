"""Two times a thousand guesses, side by side: by lossless releases, and with fresh noise."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.compared import with_sign
from dpviz.charts.guesses import SQUARE as ALONE
from dpviz.charts.guesses import guesses
from dpviz.charts.labels import note
from dpviz.workspace.guesses import ALL

ACROSS, GAP = 20, 4  # squares in a row of one array; between the two
SQUARE, STEP, HEAD = 6.4, 8, 58  # pixels: a square, from one to the next; above the arrays
WIDE = 2 * ACROSS + GAP


def two_arrays(
    here: pd.DataFrame, apart: pd.DataFrame, *, heads: tuple[tuple[str, str], tuple[str, str]]
) -> go.Figure:
    """Draw both arrays, so that their levels are compared from left to right.

    Args:
        here: as `guesses_frame` makes it.
        apart: likewise.
        heads: for each, its name and its number.

    Raises:
        ParameterError: a column is missing.

    >>> from dpviz.charts.guesses import guesses_frame
    >>> frame = guesses_frame(("both", 100, None, False))
    >>> fig = two_arrays(frame, frame, heads=(("here", "600"), ("usual", "600")))
    >>> len(fig.data), int(max(fig.data[-1].x))
    (6, 43)
    """
    traces, notes = [], []
    for place, (frame, (name, number)) in enumerate(zip((here, apart), heads, strict=True)):
        left = place * (ACROSS + GAP)
        for part in guesses(frame, across=ACROSS).data:
            part.x, part.marker.size = part.x + left, part.marker.size * SQUARE / ALONE
            traces.append(part)
        notes.append(_head(name, left - 0.5, 1 + 36 / _depth(), 14))
        said = f'<b>{with_sign(number)}</b> <span style="font-size:14px">right</span>'
        notes.append(_head(said, left - 0.5, 1 + 3 / _depth(), 24))
    hidden = {"visible": False, "constrain": "domain"}
    square = {"scaleanchor": "x", "scaleratio": 1, "constraintoward": "top"}
    layout = {
        "height": HEAD + _depth(),
        "margin": {"t": HEAD, "b": 0, "l": 0, "r": 0},
        "annotations": notes,
        "xaxis": hidden | {"constraintoward": "left", "range": (-0.6, WIDE - 0.4)},
        "yaxis": hidden | square | {"range": (ALL / ACROSS - 0.4, -0.6)},
    }
    return go.Figure(data=traces, layout=layout)


def _depth() -> int:
    return STEP * ALL // ACROSS


def _head(text: str, x: float, y: float, size: int) -> dict[str, Any]:
    return note(text, x, y, yref="paper", yanchor="bottom", font={"size": size})
