"""A thousand guesses, large: two arrays are compared side by side, or one above the other."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.guess_scale import with_sign
from dpviz.charts.guesses import ACROSS, guesses
from dpviz.charts.guesses import SQUARE as USUAL
from dpviz.charts.labels import note
from dpviz.workspace.guesses import ALL

SQUARE, STEP, HEAD = 7.4, 12, 58  # pixels: a square, from one to the next; above the array


def large_array(frame: pd.DataFrame, *, name: str, number: str) -> go.Figure:
    """Draw a thousand guesses, with a name and a number above them.

    Args:
        frame: as `guesses_frame` makes it.
        name: of the way in which the numbers are made.
        number: how many guesses are right, as text.

    Raises:
        ParameterError: a column is missing.

    >>> from dpviz.charts.guesses import guesses_frame
    >>> fig = large_array(guesses_frame(("all", 100, None, False)), name="here", number="600")
    >>> len(fig.data), fig.layout.annotations[1].text[:10]
    (3, '<b>600</b>')
    """
    fig = guesses(frame)
    for part in fig.data:
        part.marker.size *= SQUARE / USUAL
    deep = STEP * ALL // ACROSS
    said = f'<b>{with_sign(number)}</b> <span style="font-size:14px">right</span>'
    return fig.update_layout(
        height=HEAD + deep,
        margin={"t": HEAD, "b": 0, "l": 0, "r": 0},
        annotations=[_head(name, 1 + 36 / deep, 14), _head(said, 1 + 3 / deep, 24)],
    )


def _head(text: str, y: float, size: int) -> dict[str, Any]:
    return note(text, -0.5, y, yref="paper", yanchor="bottom", font={"size": size})
