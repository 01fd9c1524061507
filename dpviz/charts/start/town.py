"""A town as dots, one per person, and the sum by which one of them is found out."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.labels import note
from dpviz.charts.threads import HEIGHT
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import MINUS, number, plain

ACROSS_ALL = 40  # people in a row
ALONE = 33  # column of the one in question, who stands above her empty place in the first row
ACROSS, DOWN, ILL = "across", "down", "ill"
TOWN = (ACROSS, DOWN, ILL)
APART, CAPTION, SUM, TOP = -2.5, -5.5, -8.3, -10.6  # heights above the first row, in rows
EDGE = 4  # pixels above and below the plot
PEOPLE, PERSON, RING = 7, 15, 28  # pixels of the dots, and of the ring around the one


def town_frame(ill: Sequence[bool]) -> pd.DataFrame:
    """A place for each person. Columns: across, down, ill; the first row is the one in question.

    Args:
        ill: who is counted; the first is the one in question.

    >>> town_frame([True, False, True])[["across", "down"]].values.tolist()
    [[33.0, -2.5], [0.0, 0.0], [1.0, 0.0]]
    """
    places = [k for k in range(len(ill)) if k != ALONE][: len(ill) - 1]
    dots = [(float(ALONE), APART), *((float(k % ACROSS_ALL), k // ACROSS_ALL) for k in places)]
    rows = [(*at, counted) for at, counted in zip(dots, ill, strict=True)]
    return pd.DataFrame(rows, columns=list(TOWN))


def town(frame: pd.DataFrame, *, name: str, known: int, says: tuple[str, str]) -> go.Figure:
    """Draw everybody as a dot, faint if not counted; above them the sum that leaves one.

    Args:
        frame: as `town_frame` makes it.
        name: of the one in question.
        known: how many of those who are counted are known to be.
        says: who gives the first number of the sum, and who knows the second.

    Raises:
        ParameterError: a column is missing, or `known` is not a whole number of at least 0.

    >>> fig = town(town_frame([True, True, False]), name="Maria", known=1, says=("a", "b"))
    >>> [trace.name for trace in fig.data]
    ['others', 'counted', 'ring', 'Maria']
    """
    require_columns(frame, *TOWN)
    checks.integer(0, known=known)
    one, others = frame.iloc[0], frame.iloc[1:]
    counted = others[ILL].to_numpy(bool)
    total, left = int(frame[ILL].sum()), int(frame[ILL].sum()) - known
    traces = [
        _dots(others[~counted], "others", {"size": PEOPLE, "color": rgba(GREY, 0.3)}),
        _dots(others[counted], "counted", {"size": PEOPLE, "color": GREY}),
        _dots(frame.iloc[:1], "ring", _open(RING, 2.5)),
        _dots(frame.iloc[:1], plain(name, 40), {"size": PERSON} if one[ILL] else _open(PERSON, 3)),
    ]
    foot = max(float(frame[DOWN].max()), 1.0) + 0.6
    hidden: dict[str, Any] = {"visible": False, "fixedrange": True}
    layout = {
        "height": HEIGHT,
        "margin": {"t": EDGE, "b": EDGE, "l": EDGE, "r": EDGE},
        "annotations": _sum(total, known, left, (*says, f"<b>{plain(name, 40)}</b>")),
        "xaxis": hidden | {"range": (-0.7, ACROSS_ALL - 0.3)},
        "yaxis": hidden | {"range": (foot, TOP)},
    }
    return go.Figure(data=traces, layout=layout)


def _open(size: float, width: float) -> dict[str, Any]:
    return {"size": size, "symbol": "circle-open", "line": {"width": width}}


def _dots(frame: pd.DataFrame, name: str, marker: dict[str, Any]) -> go.Scatter:
    place = {"x": frame[ACROSS], "y": frame[DOWN], "cliponaxis": False, "hoverinfo": "skip"}
    return go.Scatter(**place, mode="markers", name=name, marker=marker)


def _sum(total: int, known: int, left: int, words: tuple[str, ...]) -> list[dict[str, Any]]:
    """Three large numbers with a word below each, the last above the one in question."""
    columns = np.linspace(5.5, ALONE, 3).tolist()
    signs = [(sum(columns[k : k + 2]) / 2, sign) for k, sign in enumerate((MINUS, "="))]
    look: dict[str, Any] = {"xanchor": "center", "align": "center"}
    large = [(x, f"<b>{number(n)}</b>") for x, n in zip(columns, (total, known, left), strict=True)]
    return [
        *(note(text, x, SUM, font={"size": 34}, **look) for x, text in (*large, *signs)),
        *(
            note(text, x, CAPTION, font={"size": 14}, **look)
            for x, text in zip(columns, words, strict=True)
        ),
    ]
