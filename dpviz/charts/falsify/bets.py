"""Bets won, of 1,000, by who is tried: a bar from a coin on, and the line of its promise."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.palette import BEYOND, GREY, rgba
from dpviz.words import plain
from dpviz.workspace.guesses import ALL, COIN

WHO, WON, PROMISED = "who", "won", "promised"
BETS = (WHO, WON, PROMISED)
ROW, BAR, TOP, BOTTOM = 84, 0.34, 6, 48  # pixels of a row; share of it that a bar takes
LIGHT = 0.55  # how strong the grey of a bar is, below the ink of the line


def bets_frame(rows: Sequence[tuple[str, float, float]]) -> pd.DataFrame:
    """A row for each that is tried: who, bets won of 1,000, and how many are promised at most.

    Raises:
        ParameterError: a number is not between 0 and 1,000.

    >>> bets_frame([("our noise", 672.4, 672.6)])["won"].tolist()
    [672.4]
    """
    for _, won, most in rows:
        checks.between(0, ALL, won=won, promised=most)
    return pd.DataFrame(rows, columns=list(BETS))


def bets_chart(frame: pd.DataFrame) -> go.Figure:
    """Draw the bars, the first on top; what lies beyond its promise has the colour of a breach.

    Args:
        frame: as `bets_frame` makes it.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *BETS)
    traces, notes = [], []
    for place, row in zip(range(len(frame))[::-1], frame.to_dict("records"), strict=True):
        won, most = float(row[WON]), float(row[PROMISED])
        kept = max(min(won, most), COIN)
        traces.append(_bar(row, place, COIN, kept, rgba(GREY, LIGHT)))
        if round(won) > math.ceil(most):
            traces.append(_bar(row, place, most, won, BEYOND))
        traces.append(_promise(most, place))
        notes += _words(row, place, max(won, most))
    layout = {
        "height": TOP + BOTTOM + ROW * len(frame),
        "margin": {"t": TOP, "b": BOTTOM, "l": 0},
        "barmode": "overlay",
        "annotations": [*notes, *_ends()],
        "xaxis": {
            "range": (COIN, ALL),
            "tickvals": [700, 800],
            "showgrid": False,
        },
        "yaxis": {"range": (-0.45, len(frame) - 0.5), "visible": False},
    }
    return go.Figure(data=traces, layout=layout)


def _bar(row: dict[Any, Any], place: int, start: float, end: float, colour: str) -> go.Bar:
    said = f"<b>{plain(row[WHO])}</b>: {row[WON]:.0f} of {ALL:,} bets won,<br>"
    return go.Bar(
        x=[end - start],
        y=[place],
        base=[start],
        width=BAR,
        orientation="h",
        name=plain(row[WHO]),
        marker={"color": colour},
        hovertext=[f"{said}promised: at most {math.ceil(row[PROMISED])}."],
        hoverinfo="text",
    )


def _promise(most: float, place: int) -> go.Scatter:
    """The line of a promise, in the ink of the page."""
    return go.Scatter(
        x=[most, most],
        y=[place - 0.36, place + 0.2],
        mode="lines",
        name="promised",
        line={"width": 3},
        hoverinfo="skip",
    )


def _ends() -> list[dict[str, Any]]:
    """What both ends of the scale are."""
    below: dict[str, Any] = {"xref": "paper", "yref": "paper", "yanchor": "top", "yshift": -3}
    return [
        note(f"{COIN}: a coin", 0, 0, xanchor="left", **below),
        note(f"{ALL:,}: always", 1, 0, xanchor="right", **below),
    ]


def _words(row: dict[Any, Any], place: int, end: float) -> list[dict[str, Any]]:
    """Who it is above the bar, how many bets are won beside it, and below what is promised."""
    most = f"promised: at most {math.ceil(row[PROMISED])}"
    return [
        note(
            f"<b>{plain(row[WHO])}</b>",
            0,
            place + 0.32,
            xref="paper",
            xanchor="left",
            yanchor="middle",
        ),
        note(f"<b>{row[WON]:.0f}</b>", end, place, xanchor="left", yanchor="middle", xshift=6),
        note(most, row[PROMISED], place - 0.3, xanchor="left", yanchor="middle", xshift=5),
    ]
