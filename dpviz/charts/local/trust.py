"""The picture of the lesson on trust that is neither threads nor hills: a crowd."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, rule
from dpviz.charts.local.trust_frame import (
    ASKED,
    CROWD,
    HALF,
    MEAN,
    PEOPLE,
    TRUE,
)
from dpviz.charts.threads import BOTTOM, HEIGHT, TOP
from dpviz.charts.tidy import require_columns
from dpviz.palette import TierStyle, rgba
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.words import decimals, fixed, percent, plain, pm

Row = dict[str, Any]

YES_NO = {0.0: "0<br>no", 1.0: "1<br>yes"}
HALF_OF_ALL = 0.3441  # of the half width for 95 %: holds 50 % of Gaussian noise
THICK = 0.24  # half the height of a bar; a row is 1 high
CORNER: Row = {"xanchor": "right", "yanchor": "bottom", "yshift": 6}
SQUARE = np.array([-1, -1, 1, 1])


def crowd(frame: pd.DataFrame, style: TierStyle, *, asked: bool) -> go.Figure:
    """Draw the mean report of ever more people, the more the higher, and the truth in each row.

    Args:
        frame: as `crowd_frame` makes it, from one person to all.
        style: look of the tier that hears them.
        asked: whether they have reported; before that only the first has.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *CROWD)
    y = np.log10(frame[PEOPLE].to_numpy(float))
    rows = list(zip(y.tolist(), frame.to_dict("records"), strict=True))
    heard = rows if asked else rows[:1]
    low = float((frame[TRUE] - frame[HALF]).min())
    high = float((frame[TRUE] + frame[HALF]).max())
    room = 0.04 * (high - low)
    traces = [_bar(at, row, style, part) for at, row in rows for part in (1.0, HALF_OF_ALL)]
    traces += [_truth(rows), *(_heard(at, row, style, last=at == y[-1]) for at, row in heard)]
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": [
            note("average report", 1, 1, xref="paper", yref="paper", **CORNER),
            *(words for at, row in heard for words in _numbers(at, row, last=at == y[-1])),
        ],
        "shapes": [rule(at) for at, _ in rows],
        "xaxis": {"range": (low - room, high + room), "showgrid": False}
        | {"fixedrange": True, "tickvals": list(YES_NO), "ticktext": list(YES_NO.values())},
        "yaxis": {"range": (y[0] - 0.5, y[-1] + 0.5), "fixedrange": True, "tickvals": y}
        | {"ticktext": [_asked(row) for _, row in rows], "tickfont": {"size": 14}},
    }
    return go.Figure(data=traces, layout=layout)


def _asked(row: Row) -> str:
    return f"<b>{plain(row[ASKED], 16)}</b> {row[PEOPLE]:,}<br>{pm(row[HALF])}"


def _as_exact(row: Row, name: str) -> str:
    """A mean with as many decimals as its ± has."""
    return fixed(row[name], decimals(row[HALF]))


def _bar(at: float, row: Row, style: TierStyle, part: float) -> go.Scatter:
    """Where this part of the noise of the mean falls, around the true mean."""
    x, y = np.array([-1, 1, 1, -1]) * part * row[HALF] + row[TRUE], at + THICK * SQUARE
    fill = {"fill": "toself", "fillcolor": rgba(style.colour, 0.16)}
    return go.Scatter(x=x, y=y, mode="none", name="noise", hoverinfo="skip", **fill)


def _truth(rows: list[tuple[float, Row]]) -> go.Scatter:
    """A tick per row at the true mean."""
    x = [place for _, row in rows for place in (row[TRUE], row[TRUE], None)]
    y = [place for at, _ in rows for place in (at - THICK, at + THICK, None)]
    return go.Scatter(x=x, y=y, mode="lines", name="truth", line={"width": 2}, hoverinfo="skip")


def _heard(at: float, row: Row, style: TierStyle, *, last: bool) -> go.Scatter:
    marker = {"size": 16 if last else 13, "symbol": style.marker, "color": style.colour}
    sure, name = percent(ACCURACY_CONFIDENCE), plain(row[ASKED], 40)
    says = (
        f"<b>{name}</b>: the reports average {_as_exact(row, MEAN)}, the answers "
        f"{_as_exact(row, TRUE)}.<br>{sure} of such averages are within {pm(row[HALF])}."
        "<extra></extra>"
    )
    place = {"x": [row[MEAN]], "y": [at], "name": name, "cliponaxis": False}
    return go.Scatter(**place, mode="markers", marker=marker, hovertemplate=says)


def _numbers(at: float, row: Row, *, last: bool) -> list[dict[str, Any]]:
    """The mean above its mark; in the last row beside it, below the true one."""
    above = {"yanchor": "bottom", "yshift": 2, "align": "center", "xanchor": "center"}
    said = f"<b>{_as_exact(row, MEAN)}</b>"
    if not last:
        return [note(said, row[MEAN], at + THICK, font={"size": 16}, **above)]
    end = max(row[TRUE] + row[HALF], row[MEAN])
    words = f"the truth: {_as_exact(row, TRUE)}"
    people = f"= {row[PEOPLE] * row[MEAN]:,.0f} of {row[PEOPLE]:,}"
    return [
        note(said, end, at, xshift=10, font={"size": 26}),
        note(people, end, at, xshift=12, yanchor="top", yshift=-16, font={"size": 15}),
        note(words, row[TRUE], at + THICK, font={"size": 15}, **above),
    ]
