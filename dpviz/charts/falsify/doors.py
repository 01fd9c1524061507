"""Four samplers side by side: two numbers of each run, one dot a run."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note
from dpviz.charts.tidy import Floats, require_columns
from dpviz.errors import ParameterError
from dpviz.words import plain

DOOR, ACROSS, UP = DOORS = ("door", "across", "up")
HEIGHT, DOT, BESIDE, GAP = 460, 4, 2, 0.09
LOOKED_AT = 0.98  # of all dots, that are surely within the picture
ROOM = 0.06  # of the picture, around them


def doors_frame(drawn: Sequence[tuple[str, Floats]]) -> pd.DataFrame:
    """What each sampler drew.

    Columns: door, across, up (two numbers of one run).

    Args:
        drawn: the name of each door, and its draws, shape (runs, 2).

    Raises:
        ParameterError: the draws are not two for each run.

    >>> doors_frame([("A", np.zeros((2, 2)))]).values.tolist()
    [['A', 0.0, 0.0], ['A', 0.0, 0.0]]
    """
    if any(draws.ndim != 2 or draws.shape[1] != 2 for _, draws in drawn):
        raise ParameterError("pass draws of shape (runs, 2) for each door")
    return pd.concat(
        [pd.DataFrame({DOOR: name, ACROSS: draws[:, 0], UP: draws[:, 1]}) for name, draws in drawn],
        ignore_index=True,
    )


def four_doors(frame: pd.DataFrame, *, across: str, up: str) -> go.Figure:
    """Draw the dots of each door on the same axes, with its name.

    Args:
        frame: as `doors_frame` makes it, with at most four doors.
        across: what the first number is.
        up: what the second number is.

    Raises:
        ParameterError: a column is missing.

    >>> names = [(name, np.zeros((3, 2))) for name in "ABCD"]
    >>> [trace.name for trace in four_doors(doors_frame(names), across="x", up="y").data]
    ['A', 'B', 'C', 'D']
    """
    require_columns(frame, *DOORS)
    ends = [_ends(frame[name].to_numpy(float)) for name in (ACROSS, UP)]
    dots, notes = [], []
    layout: dict[str, Any] = {"height": HEIGHT, "margin": {"t": 22, "b": 44, "l": 0, "r": 8}}
    for place, (name, part) in enumerate(frame.groupby(DOOR, sort=True)):
        row, column = divmod(place, BESIDE)
        number = "" if place == 0 else str(place + 1)
        dots.append(
            go.Scatter(
                x=part[ACROSS],
                y=part[UP],
                mode="markers",
                name=str(name),
                marker={"size": DOT, "opacity": 0.55, "line": {"width": 0}},
                xaxis=f"x{number}",
                yaxis=f"y{number}",
                hoverinfo="skip",
            )
        )
        wide, high = _domain(column), _domain(1 - row)
        layout[f"xaxis{number}"] = _axis(wide, ends[0], f"y{number}", across if row else "")
        layout[f"yaxis{number}"] = _axis(high, ends[1], f"x{number}", "" if column else up)
        look = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "font": {"size": 16}}
        notes.append(note(f"<b>{name}</b>", wide[0], high[1], **look))
    return go.Figure(data=dots, layout=layout | {"annotations": notes})


def _domain(place: int) -> tuple[float, float]:
    width = (1 - GAP) / BESIDE
    return place * (width + GAP), place * (width + GAP) + width


def _axis(
    domain: tuple[float, float], ends: tuple[float, float], anchor: str, title: str
) -> dict[str, Any]:
    return {
        "title": {"text": title and plain(title, 40)},
        "domain": domain,
        "anchor": anchor,
        "range": ends,
        "nticks": 5,
        "fixedrange": True,
        "showgrid": True,
        "zeroline": True,
    }


def _ends(numbers: Floats) -> tuple[float, float]:
    """Where nearly all dots lie, and some room around them."""
    beyond = (1 - LOOKED_AT) / 2
    low, high = (float(each) for each in np.quantile(numbers, (beyond, 1 - beyond)))
    room = ROOM * (high - low) or 1.0
    return low - room, high + room
