"""A mechanism of the visitor's own: the blur or the bet as a table, and what both reports cost."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import beyond, note
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import plain, significant

ROW, COLUMN, SHARE = CELLS = ("row", "column", "share")
WHO, LOSS = LOSSES = ("who", "loss")
SHADES = [[0.0, rgba(GREY, 0.06)], [1.0, rgba(GREY, 0.5)]]
CELL, AROUND = 44, 78  # pixels: a row of cells, titles and ticks
BAR, PHONE_PLOT = 46, 330.0  # pixels: a bar with its words above it; the plot on a phone


def cells_frame(rows: Sequence[Sequence[float]]) -> pd.DataFrame:
    """A table, cell by cell; rows and columns count from 1.

    Columns: row, column, share.

    >>> cells_frame([[0.75, 0.25]]).values.tolist()
    [[1.0, 1.0, 0.75], [1.0, 2.0, 0.25]]
    """
    cells = [
        (i, j, share) for i, row in enumerate(rows, start=1) for j, share in enumerate(row, start=1)
    ]
    return pd.DataFrame(cells, columns=list(CELLS))


def share_table(frame: pd.DataFrame, *, down: str, across: str) -> go.Figure:
    """Draw a cell for each share from 0 to 1, darker for a larger one, with its number.

    Args:
        frame: as `cells_frame` makes it.
        down: what the rows are.
        across: what the columns are.

    Raises:
        ParameterError: a column is missing.

    >>> fig = share_table(cells_frame([[0.75, 0.25]]), down="outcome", across="outcome")
    >>> [each.text for each in fig.layout.annotations]
    ['0.75', '0.25']
    """
    require_columns(frame, *CELLS)
    table = frame.pivot_table(index=ROW, columns=COLUMN, values=SHARE)
    shares = table.to_numpy(float)
    notes = [
        note(significant(share, 2), column, row, xanchor="center", yanchor="middle")
        for row, column, share in frame[list(CELLS)].itertuples(index=False)
    ]
    shades = go.Heatmap(
        z=shares,
        x=table.columns.to_numpy(),
        y=table.index.to_numpy(),
        zmin=0.0,
        zmax=1.0,
        colorscale=SHADES,
        showscale=False,
        hoverinfo="skip",
        xgap=2,
        ygap=2,
    )
    whole: dict[str, Any] = {"dtick": 1, "fixedrange": True, "showgrid": False}
    layout = {
        "height": CELL * len(table) + AROUND,
        "margin": {"t": 8, "b": 48},
        "annotations": notes,
        "xaxis": {"title": {"text": plain(across, 40)}, **whole},
        "yaxis": {"title": {"text": plain(down, 40)}, "autorange": "reversed", **whole},
    }
    return go.Figure(data=[shades], layout=layout)


def losses_frame(losses: Sequence[tuple[str, float]]) -> pd.DataFrame:
    """What each way costs, in the order in which it is drawn.

    Columns: who, loss (ε).

    >>> losses_frame([("the sharper alone", 1.1)]).values.tolist()
    [['the sharper alone', 1.1]]
    """
    return pd.DataFrame(losses, columns=list(LOSSES))


def loss_bars(frame: pd.DataFrame, *, digits: int = 3) -> go.Figure:
    """Draw a bar for each ε, with its words above it and its number at its end.

    Args:
        frame: as `losses_frame` makes it.
        digits: of the numbers.

    Raises:
        ParameterError: a column is missing.

    >>> loss_bars(losses_frame([("promised", 0.5), ("proved", 0.8)])).data[0].x.tolist()
    [0.5, 0.8]
    """
    require_columns(frame, *LOSSES)
    losses = frame[LOSS].to_numpy(float)
    texts = [f"ε = {significant(each, digits)}" for each in losses]
    places = np.arange(len(frame))
    notes = [
        note(plain(who, 60), 0, y - 0.32, yanchor="middle") for y, who in enumerate(frame[WHO])
    ]
    for place, text, end in zip(places.tolist(), texts, losses.tolist(), strict=True):
        notes.append(note(f"<b>{text}</b>", end, place + 0.14, xshift=6))
    bars = go.Bar(
        x=losses,
        y=places + 0.14,
        width=0.34,
        orientation="h",
        marker={"line": {"width": 0}},
        hovertext=[f"{plain(who)}: {text}" for who, text in zip(frame[WHO], texts, strict=True)],
        hoverinfo="text",
    )
    room = beyond(0.0, float(losses.max()), texts, PHONE_PLOT)[1]
    layout = {
        "height": BAR * len(frame) + 12,
        "margin": {"t": 4, "b": 4, "l": 0, "r": 0},
        "annotations": notes,
        "xaxis": {"visible": False, "range": (0.0, room), "fixedrange": True},
        "yaxis": {"visible": False, "range": (len(frame) - 0.5, -0.55), "fixedrange": True},
    }
    return go.Figure(data=[bars], layout=layout)
