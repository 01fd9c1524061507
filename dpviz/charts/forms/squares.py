"""A thousand guesses, one square each: what a coin gets right, what else is right, and the rest.

An array stands beside other words; one with a name has its number above it, and can be compared
with others of the same parts.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.checks import integer
from dpviz.errors import ParameterError
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import clean, plain
from dpviz.workspace.guesses import ALL, COIN

PART, COUNT, STYLE, OPEN = "part", "count", "style", "open"
GUESSES = (PART, COUNT, STYLE, OPEN)
ACROSS = 40
LUCK, WRONG = 0.8, 0.85  # how strong the grey of these parts is
WIDE, SMALL = 0.82, 0.4  # of the place of a guess: a square, and what is wrong
LINE, KEY = 19, 11  # pixels: a part in the key above the squares, and its square
HIGH = 200  # pixels: an array; two of them with their keys are in view together on a phone
OUTLINE = 6.2  # pixels: a square that is outlined only
NAME, NUMBER = 14, 24  # pixels: letters above a named array
MOST_NAME, MOST_PART = 40, 36  # letters that a phone has room for
ROOM = 1.5  # of a line of letters, by their size


def guesses_frame(*parts: tuple[str, int, TierStyle | None, bool]) -> pd.DataFrame:
    """The parts of a thousand guesses, in the order in which they fill the rows.

    Args:
        parts: what is right beyond a coin's 500: words, how many, the style of the tier whose
            number does it (None: several together), and whether the squares are outlined only.

    Returns:
        One row per part, the coin first and what is wrong last. Columns: part, count, style
        (None: in the ink of the page), open.

    Raises:
        ParameterError: a count is not a whole number of at least 0, or there are more than 500.

    >>> guesses_frame(("audit", 173, TierStyle(11, 3), False))["count"].tolist()
    [500, 173, 327]
    """
    for _, count, _, _ in parts:
        integer(0, guesses=count)
    wrong = ALL - COIN - sum(count for _, count, _, _ in parts)
    if wrong < 0:
        raise ParameterError("more than 1,000 guesses are right: pass at most 500 beyond a coin")
    rows = [
        ("coin", COIN, None, False),
        *parts,
        ("wrong", wrong, None, False),
    ]
    return pd.DataFrame(rows, columns=list(GUESSES))


def right_in(frame: pd.DataFrame) -> int:
    """How many of the guesses are right: a coin's and the filled parts, not what is outlined.

    >>> right_in(guesses_frame(("audit", 173, TierStyle(11, 3), False), ("more", 87, None, True)))
    673
    """
    return int(frame[COUNT].iloc[:-1][~frame[OPEN].iloc[:-1]].sum())


def guesses_head() -> dict[str, Any]:
    """Words above the right edge of a picture: what the numbers below count.

    >>> guesses_head()["text"]
    'right guesses out of 1,000'
    """
    words = "right guesses out of 1,000"
    edge = {"xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "bottom", "yshift": 6}
    return note(words, 1, 1, **edge)


def squares(
    frame: pd.DataFrame,
    *,
    across: int = ACROSS,
    key: bool = False,
    name: str = "",
    number: str = "",
) -> Picture:
    """Draw a thousand guesses, row by row.

    Args:
        frame: as `guesses_frame` makes it.
        across: squares in a row.
        key: whether a line above the squares says of each part how many they are, and what.
        name: of an array; its key names parts without a square, too, as others have them.
        number: how many are right, as text; by default the number of filled squares.

    Raises:
        ParameterError: a column is missing.

    >>> made = squares(guesses_frame(("audit", 173, TierStyle(11, 3), False)))
    >>> [len(part.x) for part in made.figure.data]
    [500, 173, 327]
    >>> made.alt
    'A thousand squares, one per guess: 673 are right; a coin gets 500.'
    """
    require_columns(frame, *GUESSES)
    said, ends = number or f"{right_in(frame):,}", np.cumsum(frame[COUNT].to_numpy(int))
    traces = [
        _part(np.arange(end - row[COUNT], end), row, across)
        for end, row in zip(ends, frame.to_dict("records"), strict=True)
    ]
    lines = _key(frame, all_parts=bool(name)) if key else []
    under = LINE * len(lines) + 10 * bool(lines)
    heads, top = _head(name, said, under) if name else ([], under)
    hidden = {"visible": False, "fixedrange": True}
    layout = {
        "height": round(HIGH * ACROSS / across) + top,
        "margin": {"t": top, "b": 0, "l": 0, "r": 0},
        "annotations": heads,
        "barmode": "overlay",
        "showlegend": key,
        "legend": {
            **{"x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom"},
            **{"itemclick": False, "itemdoubleclick": False, "indentation": -6},
        },
        "xaxis": hidden | {"range": (-0.5, across - 0.5)},
        "yaxis": hidden | {"range": (math.ceil(ALL / across) - 0.5, -0.5)},
    }
    what = f"{clean(name)}: a thousand" if name else "A thousand"
    return Picture(
        go.Figure(data=[*traces, *lines], layout=layout),
        f"{what} squares, one per guess: {said} are right; a coin gets {COIN}.",
    )


def _head(name: str, said: str, under: int) -> tuple[list[dict[str, Any]], int]:
    """The name and the number above the key of a named array, and their room with that of it."""
    place = {"xref": "paper", "yref": "paper", "yanchor": "bottom"}
    right = f'<b>{plain(said)}</b> <span style="font-size:{NAME}px">right</span>'
    above = under + round(ROOM * NUMBER)
    return [
        note(right, 0, 1, yshift=under, font={"size": NUMBER}, **place),
        note(plain(name, MOST_NAME), 0, 1, yshift=above, font={"size": NAME}, **place),
    ], above + round(ROOM * NAME)


def _key(frame: pd.DataFrame, *, all_parts: bool) -> list[go.Scatter]:
    """A line for each part: a square of its look, how many, and what they are.

    What is outlined is wrong as well, and comes last, as a part of that.
    """
    lines, rows = [], frame.to_dict("records")
    outlined = sum(row[COUNT] for row in rows if row[OPEN])  # wrong, too
    for row in sorted(rows, key=lambda row: bool(row[OPEN])):
        name, count = row[PART], row[COUNT]
        if count or all_parts:
            what = f"{count:,} {'more' if row[OPEN] else 'more,'} {plain(name, MOST_PART)}"
            if name == "coin":
                what = f"{count:,} you would get by tossing a coin"
            elif name == "wrong":
                what = f"{count + outlined:,} wrong"
            look = _look(row, KEY)
            lines.append(go.Scatter(x=[None], y=[None], mode="markers", name=what, marker=look))
    return lines


def _part(places: NDArray[np.int_], row: dict[Any, Any], across: int) -> go.Bar | go.Scatter:
    """The squares of a part, which grow with the picture and leave no room beside it."""
    said = f"{len(places):,} of {ALL:,}: {plain(row[PART])}<extra></extra>"
    shared = {"name": row[PART], "showlegend": False, "hovertemplate": said}
    x, y = places % across, places // across
    if row[OPEN]:
        return go.Scatter(x=x, y=y, mode="markers", marker=_look(row, OUTLINE), **shared)
    side = SMALL if row[PART] == "wrong" else WIDE
    return go.Bar(
        x=x,
        y=np.full(len(places), side),
        base=y - side / 2,
        width=side,
        marker=_colour(row) | {"line": {"width": 0}},
        **shared,
    )


def _look(row: dict[Any, Any], size: float) -> dict[str, Any]:
    """How a square of a part looks in the key."""
    marker = _colour(row) | {
        "size": 0.5 * size if row[PART] == "wrong" else size,
        "symbol": "square-open" if row[OPEN] else "square",
    }
    return marker | ({"line": {"width": 1.4}} if row[OPEN] else {})


def _colour(row: dict[Any, Any]) -> dict[str, Any]:
    """The colour of a part; without one it has the ink of the page."""
    if row[PART] in ("coin", "wrong"):
        return {"color": rgba(GREY, LUCK if row[PART] == "coin" else WRONG)}
    return {} if row[STYLE] is None else {"color": row[STYLE].colour}
