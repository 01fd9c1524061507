"""A thousand guesses, one square each: what a coin gets right, what else is right, and the rest."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.checks import integer
from dpviz.errors import ParameterError
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import plain
from dpviz.workspace.guesses import ALL, COIN

PART, COUNT, SLOT, OPEN = "part", "count", "slot", "open"
GUESSES = (PART, COUNT, SLOT, OPEN)
INK = -1  # in place of a slot: the ink of the page
ACROSS = 40
LUCK, WRONG = 0.8, 0.85  # how strong the grey of these parts is
SQUARE, HIGH = 6.2, 200  # pixels: a square, and the figure
SMALL = 0.5  # how wide what is wrong is, of a square
LINE, LARGE = 19, 11  # pixels: a part in the key above the squares, and its square


def guesses_frame(*parts: tuple[str, int, TierStyle | None, bool]) -> pd.DataFrame:
    """The parts of a thousand guesses, in the order in which they fill the rows.

    Args:
        parts: what is right beyond a coin's 500: words, how many, the style of the tier whose
            number does it (None: several together), and whether the squares are outlined only.

    Returns:
        One row per part, the coin first and what is wrong last. Columns: part, count, slot
        (0: grey; -1: ink), open.

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
        ("coin", COIN, 0, False),
        *((words, n, style.slot if style else INK, hollow) for words, n, style, hollow in parts),
        ("wrong", wrong, 0, False),
    ]
    return pd.DataFrame(rows, columns=list(GUESSES))


def right_in(frame: pd.DataFrame) -> int:
    """How many of the guesses are right: a coin's and the filled parts, not what is outlined.

    >>> right_in(guesses_frame(("audit", 173, TierStyle(11, 3), False), ("more", 87, None, True)))
    673
    """
    return int(frame[COUNT].iloc[:-1][~frame[OPEN].iloc[:-1]].sum())


def guesses_head(said: str = "") -> dict[str, Any]:
    """Words above the right edge of a picture: what the numbers below count, or the one number.

    >>> guesses_head("651")["text"]
    'guesses right, of 1,000: 651'
    """
    words = "guesses right, of 1,000" + (f": {said}" if said else "")
    edge = {"xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "bottom", "yshift": 6}
    return note(words, 1, 1, **edge)


def guesses(frame: pd.DataFrame, *, across: int = ACROSS, key: bool = False) -> go.Figure:
    """Draw a thousand guesses, row by row.

    Args:
        frame: as `guesses_frame` makes it.
        across: squares in a row.
        key: whether a line above the squares says of each part how many they are, and what.

    Raises:
        ParameterError: a column is missing.

    >>> fig = guesses(guesses_frame(("audit", 173, TierStyle(11, 3), False)))
    >>> [len(part.x) for part in fig.data]
    [500, 173, 327]
    """
    require_columns(frame, *GUESSES)
    ends = np.cumsum(frame[COUNT].to_numpy(int))
    traces = [
        _part(
            np.arange(end - row[COUNT], end),
            row[PART],
            row[SLOT],
            hollow=row[OPEN],
            across=across,
        )
        for end, row in zip(ends, frame.to_dict("records"), strict=True)
    ]
    lines = _key(frame) if key else []
    top = LINE * len(lines) + 10 * bool(lines)
    hidden = {"visible": False, "constrain": "domain"}
    down = {"scaleanchor": "x", "scaleratio": 1, "constraintoward": "top"}
    layout = {
        "height": HIGH + top,
        "margin": {"t": top, "b": 0, "l": 0, "r": 0},
        "showlegend": key,
        "legend": {
            **{"x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom"},
            **{"itemclick": False, "itemdoubleclick": False, "indentation": -6},
        },
        "xaxis": hidden | {"constraintoward": "left", "range": (-0.6, across - 0.4)},
        "yaxis": hidden | down | {"range": (ALL / across - 0.4, -0.6)},
    }
    return go.Figure(data=[*traces, *lines], layout=layout)


def _key(frame: pd.DataFrame) -> list[go.Scatter]:
    """A line for each part that has squares: a square of its look, how many, and what they are."""
    lines = []
    for row in frame.to_dict("records"):
        if count := row[COUNT]:
            name = row[PART]
            what = f"{count:,} more, {plain(name)}"
            if name in ("coin", "wrong"):
                what = f"{count:,} {'you would get by tossing a coin' if name == 'coin' else name}"
            look = _look(name, row[SLOT], hollow=row[OPEN], size=LARGE)
            lines.append(go.Scatter(x=[None], y=[None], mode="markers", name=what, marker=look))
    return lines


def _part(
    places: NDArray[np.int_], name: str, slot: int, *, hollow: bool, across: int
) -> go.Scatter:
    return go.Scatter(
        x=places % across,
        y=places // across,
        mode="markers",
        name=name,
        marker=_look(name, slot, hollow=hollow, size=SQUARE),
        showlegend=False,
        hovertemplate=f"{len(places):,} of 1,000: {name}<extra></extra>",
    )


def _look(name: str, slot: int, *, hollow: bool, size: float) -> dict[str, Any]:
    """How the squares of a part look; without a colour they have the ink of the page."""
    marker: dict[str, Any] = {
        "size": SMALL * size if name == "wrong" else size,
        "symbol": "square-open" if hollow else "square",
    }
    if name == "coin":
        marker["color"] = rgba(GREY, LUCK)
    elif name == "wrong":
        marker["color"] = rgba(GREY, WRONG)
    elif slot != INK:
        marker["color"] = TierStyle(slot, 0).colour
    if hollow:
        marker["line"] = {"width": 1.4}
    return marker
