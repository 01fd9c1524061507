"""Numbers that were handed out, the sharpest on top, and what all their readers know together.

Given the sharpest number the noisier ones tell nothing more about the value: what all readers
guess best is what the sharpest reader guesses.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.gradual.frame import TRUTH, VALUE
from dpviz.charts.labels import note, ticks, upright
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY
from dpviz.words import number, plain, pm, significant

EPSILON, HALF, TOGETHER = "ε", "half", "together"
READERS = (EPSILON, VALUE, HALF, TOGETHER)
ROW, AROUND = 48, 92  # pixels: of a row, and above and below all
ROOM = 0.08  # of the axis on either side
DOT = 11  # pixels, of a mark
ASIDE = 8  # pixels from the line of the truth to the words beside it
NUMBERS = ("one", "two", "three", "four", "five")


def readers_frame(released: Mapping[float, float], halves: Mapping[float, float]) -> pd.DataFrame:
    """A row for all together, if there are two, and for each reader; columns `READERS`.

    Args:
        released: the number of each ε.
        halves: by ε how far off 95 % of such numbers are at most.

    >>> readers_frame({0.5: 65.0, 1.0: 61.0}, {0.5: 12.0, 1.0: 6.0})[VALUE].tolist()
    [61.0, 61.0, 65.0]
    """
    falling = sorted(released, reverse=True)
    rows = [(e, released[e], halves[e], False) for e in falling]
    if len(rows) > 1:
        rows = [(*rows[0][:3], True), *rows]
    return pd.DataFrame(rows, columns=list(READERS))


def readers_chart(
    frame: pd.DataFrame,
    *,
    exact: float,
    unit: str,
    step: float,
    what: str = "value",
) -> go.Figure:
    """Draw the numbers with their 95 % intervals around the value.

    Args:
        frame: columns `READERS`.
        exact: the value itself, made up and public.
        unit: of the value.
        step: one unit of the last digit that is shown.
        what: what the value is.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *READERS)
    low, high = (frame[VALUE] - frame[HALF]).min(), (frame[VALUE] + frame[HALF]).max()
    left, right = min(exact, float(low)), max(exact, float(high))
    room = ROOM * max(right - left, step)
    left, right = left - room, right + room
    side = 1 if right - exact >= exact - left else -1  # where words have more room
    said = f"true {plain(what)}: {number(exact, step=step)}"
    truth = note(said, exact, 1, yref="y domain")
    notes = [truth | {"xanchor": "center", "yanchor": "bottom"}]
    marks: list[go.Scatter] = []
    most = float(frame[EPSILON].max())
    for place, row in enumerate(frame.to_dict("records")):
        said = f"{_who(row, len(frame) - 1)}: <b>{number(row[VALUE], step=step)}</b>"
        if row[HALF]:
            said += f" {pm(row[HALF])}"
        look = {"xanchor": "left" if side > 0 else "right", "xshift": ASIDE * side}
        notes.append(note(said, exact, 0.18 - place, yanchor="bottom", **look))
        marks.append(_reader(row, -place, f"{said} {plain(unit)}", ink=row[EPSILON] == most))
    layout = {
        "height": ROW * len(frame) + AROUND,
        "margin": {"t": 26},
        "annotations": notes,
        "shapes": [upright(exact, TRUTH)],
        "xaxis": {"range": (left, right), "showgrid": False, "title": {"text": plain(unit)}}
        | ticks(left, right),
        "yaxis": {"visible": False, "range": (-len(frame) + 0.6, 0.75)},
    }
    return go.Figure(data=marks, layout=layout)


def _who(row: Mapping[Any, Any], readers: int) -> str:
    """Whose number it is."""
    if not row[TOGETHER]:
        return f"trust {significant(row[EPSILON], 6)}"
    named = NUMBERS[readers - 1] if readers <= len(NUMBERS) else f"{readers:,}"
    return f"<b>{'Both' if readers == 2 else f'All {named}'} together</b>"


def _reader(row: Mapping[Any, Any], y: float, said: str, *, ink: bool) -> go.Scatter:
    """A number with its interval: in ink what the sharpest tells, else grey."""
    colour = {} if ink else {"color": GREY}
    return go.Scatter(
        x=[row[VALUE] - row[HALF], row[VALUE], row[VALUE] + row[HALF]],
        y=[y] * 3,
        mode="lines+markers",
        line={"width": 4 if row[TOGETHER] else 2.5, **colour},
        marker={"size": [0, DOT, 0], "opacity": 1, **colour},
        hovertext=[said] * 3,
        hoverinfo="text",
        name="together" if row[TOGETHER] else "reader",
    )
