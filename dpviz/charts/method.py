"""Mistakes that were made on purpose, one square each: every one was seen by a test."""

import textwrap

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY
from dpviz.words import join, plain

ALARMS = ("topic", "rule", "mistake", "source", "test")
ACROSS, STEP = 15, 26  # squares of a row; pixels of a row
TITLE = 1.0  # rows, above the squares
SIDE = 0.94  # of a square, of the room for it
LINE = 56  # letters of a line of a hover


def alarm_squares(frame: pd.DataFrame) -> Picture:
    """Draw a square per mistake, row by row.

    Args:
        frame: columns `ALARMS`.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> rows = [("Costs", "A sum.", "It is doubled.", "ours", "test_choice.py")] * 16
    >>> squares = alarm_squares(pd.DataFrame(rows, columns=list(ALARMS))).figure.data[0]
    >>> int(squares.x[15]), int(squares.base[15])
    (0, 1)
    """
    require_columns(frame, *ALARMS)
    places = np.arange(len(frame))
    rows = int(places[-1]) // ACROSS + 1
    squares = go.Bar(
        x=places % ACROSS,
        y=np.full(len(frame), SIDE),
        base=places // ACROSS,
        width=SIDE,
        text=["✓"] * len(frame),
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        marker={"color": GREY},
        name="mistakes",
        hoverinfo="text",
        hovertext=[_said(row) for row in frame.to_dict("records")],
    )
    hidden = {"visible": False, "fixedrange": True}
    many = len(frame)
    title = f"<b>{many} mistakes planted in our own code, {many} caught</b>"
    layout = {
        "height": round(STEP * (rows + TITLE)) + 12,
        "annotations": [note(title, 0, -TITLE, xref="paper", yanchor="top")],
        "margin": {"t": 6, "b": 6},
        "barmode": "overlay",
        "xaxis": hidden | {"range": (-0.5, ACROSS - 0.5)},
        "yaxis": hidden | {"range": (rows, -TITLE)},
    }
    topics = join([str(topic) for topic in frame["topic"].unique()])
    alt = f"{many} squares, one per mistake, all of which a test caught, by topic: {topics}."
    return Picture(go.Figure(data=[squares], layout=layout), alt)


def _said(row: dict[str, str]) -> str:
    """The rule, how it was broken, what saw it, and whose it is."""
    told = (
        _lines(row["rule"]),
        f"<b>Broken</b>: {_lines(row['mistake'])}",
        f"<b>Caught by</b> {_lines(row['test'])}",
        f"<b>From</b> {_lines(row['source'])}",
    )
    return "<br>".join(told)


def _lines(text: str) -> str:
    return "<br>".join(map(plain, textwrap.wrap(text, LINE)))
