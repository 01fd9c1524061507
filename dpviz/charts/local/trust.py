"""The pictures of the lesson on trust that are not threads: two hills, and a crowd."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, rule
from dpviz.charts.local.trust_frame import (
    ANSWER,
    ANSWERS,
    ASKED,
    CROWD,
    DENSITY,
    HALF,
    MEAN,
    PEOPLE,
    PLACE,
    TRUE,
)
from dpviz.charts.threads import BOTTOM, HEIGHT, TOP, number_of
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.words import decimals, fixed, percent, plain, pm

Row = dict[str, Any]

YES_NO = {0.0: "0<br>no", 1.0: "1<br>yes"}
HALF_OF_ALL = 0.3441  # of the half width for 95 %: holds 50 % of Gaussian noise
ABOVE = 1.06  # of a hill: where the number is written that was sent
THICK = 0.24  # half the height of a bar; a row is 1 high
CORNER: Row = {"xanchor": "right", "yanchor": "bottom", "yshift": 6}
SQUARE = np.array([-1, -1, 1, 1])


def two_answers(frame: pd.DataFrame, sent: float, style: TierStyle) -> go.Figure:
    """Draw a hill per answer, and the number that was sent.

    Args:
        frame: as `answers_frame` makes it.
        sent: the number.
        style: look of the tier that holds it.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *ANSWERS)
    top = float(frame[DENSITY].max())
    reach = max(1.2, float(frame[PLACE].max()) - 0.5)
    traces = [_hill(part, yes=bool(answer)) for answer, part in frame.groupby(ANSWER)]
    marker = {"size": [20, 0], "symbol": style.marker, "color": style.colour, "opacity": 1}
    marker |= {"line": {"width": 0}}
    says = f"She sends {number_of(sent)}.<extra></extra>"
    traces.append(
        go.Scatter(
            **{"x": [sent, sent], "y": [0, ABOVE * top], "name": "sent", "cliponaxis": False},
            mode="lines+markers",
            line={"color": style.colour, "width": 1.5, "dash": "2px 3px"},
            marker=marker,
            hovertemplate=says,
        )
    )
    high, size = 0.86 * top, {"size": 16}
    said = {"xanchor": "center", "yanchor": "bottom", "font": {"size": 18}}
    notes = [
        note("if <b>no</b>", 0, high, font=size, xanchor="right", xshift=-0.26 * HEIGHT),
        note("if <b>yes</b>", 1, high, font=size, xshift=0.26 * HEIGHT),
        note(f"she sends <b>{number_of(sent)}</b>", sent, ABOVE * top, **said),
    ]
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": notes,
        "shapes": [rule(0)],
        "xaxis": {"range": (0.5 - reach, 0.5 + reach), "showgrid": False, "fixedrange": True}
        | {"tickvals": list(YES_NO), "ticktext": list(YES_NO.values())},
        "yaxis": {"visible": False, "range": (-0.06 * top, 1.18 * top), "fixedrange": True},
    }
    return go.Figure(data=traces, layout=layout)


def _hill(part: pd.DataFrame, *, yes: bool) -> go.Scatter:
    x, y = part[PLACE].to_numpy(float), part[DENSITY].to_numpy(float)
    if len(x) == 1:  # no noise: a spike
        x, y = np.repeat(x, 2), np.r_[0.0, y]
    line: dict[str, Any] = {"width": 2.5, "simplify": False} | ({} if yes else {"color": GREY})
    fill = {"fill": "tozeroy", "fillcolor": rgba(GREY, 0.16)}
    name = "yes" if yes else "no"
    return go.Scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip", **fill)


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
