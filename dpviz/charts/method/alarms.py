"""Mistakes that were made on purpose, one square each: every one was seen by a test.

A row is a topic, and squares close together break the same rule.
"""

import textwrap
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.words import plain

TOPIC, RULE, MISTAKE = ALARMS = ("topic", "rule", "mistake")
ROW, SQUARE = 48.0, 11.0  # pixels: of a row, and of a square
APART = 0.6  # of a square, between two rules
ABOVE = 0.3  # of a row: from the squares up to what they are about
LINE = 56  # letters of a line of a hover


def alarm_squares(frame: pd.DataFrame) -> go.Figure:
    """Draw a square per mistake.

    Args:
        frame: columns `ALARMS`; rows in the order in which they are drawn, topic by topic.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> rows = [("Costs", "A sum.", "It is a maximum."), ("Costs", "A sum.", "It is doubled.")]
    >>> alarm_squares(pd.DataFrame(rows, columns=list(ALARMS))).data[0].x
    (0.0, 1.0)
    """
    require_columns(frame, *ALARMS)
    rows: list[go.Scatter] = []
    notes, longest = [], 0.0
    for topic, inside in frame.groupby(TOPIC, sort=False):
        places = _places(inside)
        longest = max(longest, places[-1])
        y, caught = float(len(rows)), f"{len(places)} of {len(places)}"
        over = {"xref": "paper", "yanchor": "bottom"}
        notes.append(note(f"<b>{plain(topic)}</b>: {caught}", 0, y - ABOVE / 2, **over))
        rows.append(_squares(str(topic), inside, places, y))
    return go.Figure(data=rows, layout=_layout(len(rows), longest, notes))


def _places(inside: pd.DataFrame) -> list[float]:
    """Where the squares of one topic stand: side by side, with a gap before another rule."""
    new = inside[RULE].ne(inside[RULE].shift()).cumsum() - 1
    return [place + APART * gap for place, gap in enumerate(new.tolist())]


def _squares(topic: str, inside: pd.DataFrame, places: list[float], y: float) -> go.Scatter:
    return go.Scatter(
        x=places,
        y=[y] * len(places),
        mode="markers",
        marker={"symbol": "square", "size": SQUARE, "opacity": 1, "line": {"width": 0}},
        cliponaxis=False,
        name=plain(topic),
        hoverinfo="text",
        hovertext=[
            f"{_lines(rule)}<br><b>Broken</b>: {_lines(mistake)}<br>A test raised the alarm."
            for rule, mistake in zip(inside[RULE], inside[MISTAKE], strict=True)
        ],
    )


def _lines(text: str) -> str:
    return "<br>".join(map(plain, textwrap.wrap(text, LINE)))


def _layout(rows: int, longest: float, notes: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "height": round(ROW * rows + 12),
        "margin": {"t": 6, "b": 6},
        "annotations": notes,
        "xaxis": {"visible": False, "range": (-0.5, longest + 0.6), "fixedrange": True},
        "yaxis": {"visible": False, "range": (rows - 0.6, -0.7), "fixedrange": True},
    }
