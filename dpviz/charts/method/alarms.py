"""Mistakes that were made on purpose, one square each: every one was seen by a test."""

import textwrap

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.tidy import require_columns
from dpviz.words import plain

TOPIC, RULE, MISTAKE, SOURCE, TEST = ALARMS = ("topic", "rule", "mistake", "source", "test")
ACROSS, STEP, SQUARE = 25, 24.0, 12.0  # squares of a row; pixels: of a row, and of a square
LINE = 56  # letters of a line of a hover


def alarm_squares(frame: pd.DataFrame) -> go.Figure:
    """Draw a square per mistake, row by row.

    Args:
        frame: columns `ALARMS`.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> rows = [("Costs", "A sum.", "It is doubled.", "ours", "test_costs.py")] * 26
    >>> squares = alarm_squares(pd.DataFrame(rows, columns=list(ALARMS))).data[0]
    >>> int(squares.x[25]), int(squares.y[25])
    (0, 1)
    """
    require_columns(frame, *ALARMS)
    places = np.arange(len(frame))
    rows = int(places[-1]) // ACROSS + 1
    squares = go.Scatter(
        x=places % ACROSS,
        y=places // ACROSS,
        mode="markers",
        marker={"symbol": "square", "size": SQUARE, "opacity": 1, "line": {"width": 0}},
        cliponaxis=False,
        name="mistakes",
        hoverinfo="text",
        hovertext=[_said(row) for row in frame.to_dict("records")],
    )
    layout = {
        "height": round(STEP * rows + 12),
        "margin": {"t": 6, "b": 6},
        "xaxis": {"visible": False, "range": (-0.6, ACROSS - 0.4), "fixedrange": True},
        "yaxis": {"visible": False, "range": (rows - 0.5, -0.5), "fixedrange": True},
    }
    return go.Figure(data=[squares], layout=layout)


def _said(row: dict[str, object]) -> str:
    """The rule, how it was broken, whose it is, and what saw it."""
    rule, mistake, source, test = (str(row[name]) for name in (RULE, MISTAKE, SOURCE, TEST))
    told = [_lines(rule), f"<b>Broken</b>: {_lines(mistake)}", f"<b>Caught by</b> {_lines(test)}"]
    return "<br>".join([*told, f"<b>From</b> {_lines(source)}"])


def _lines(text: str) -> str:
    return "<br>".join(map(plain, textwrap.wrap(text, LINE)))
