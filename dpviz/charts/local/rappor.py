"""What noisy reports say about texts: estimates with 95 % intervals, at two f, beside the truth."""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import grounded, note, ticks, upright
from dpviz.charts.local.rappor_frame import ESTIMATE, ESTIMATES, FOUND, HIGH, LOW, TEXT, TRUE, F
from dpviz.charts.local.rappor_inks import LOOKS, TRUTH, ink, named
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, GRID
from dpviz.words import number, percent, plain, pm

TRUE_MARK = f'<span style="color:{TRUTH}"><b>|</b></span>'
TOP: dict[str, Any] = {"yref": "paper", "yanchor": "bottom", "xanchor": "center"}
APART, UP_THERE = 0.25, 16  # of the axis: room for the words above two lines; else pixels up
CLOSE, EDGE = 74, 84  # pixels of a row, and around the rows


def one_text(frame: pd.DataFrame, *, noun: str, first: float) -> go.Figure:
    """Draw the intervals of one text, a row for each f, between zero and its true number.

    Args:
        frame: columns `ESTIMATES`, rows of one text in the order of asking.
        noun: who is counted, such as "people".
        first: the f of the first kind of report, which has its look also alone.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *ESTIMATES)
    rows = frame.to_dict("records")
    low, high = _ends(frame)
    notes, data = [], []
    for place, row in enumerate(rows):
        verdict = "<b>found</b>" if row[FOUND] else "not found"
        kind = int(row[F] != first)
        said = f"{named(kind, _at(row[F]))}: {_about(row)}, {verdict}"
        notes.append(grounded(said, 0, -place + 0.17, xref="paper", yanchor="bottom"))
        data.append(_interval(row, -place - 0.08, kind, noun))
    true = rows[0][TRUE]
    axis = ticks(low, high, most=5)
    shapes = _grid(axis)
    notes.append(note("nobody", 0, 1, **TOP))
    up = 0
    if not math.isnan(true):
        shapes.append(upright(true, {"color": TRUTH, "width": 2}))
        up = 0 if abs(true) > APART * (high - low) else UP_THERE
        notes.append(_truth(true, up))
    layout = {
        "height": CLOSE * len(rows) + EDGE + up,
        "margin": {"t": 26 + up},
        "annotations": notes,
        "shapes": shapes,
        "xaxis": {"range": (low, high), "title": {"text": plain(noun)}, "showgrid": False} | axis,
        "yaxis": {"visible": False, "range": (-len(rows) + 0.55, 0.6)},
    }
    return go.Figure(data=data, layout=layout)


def _ends(frame: pd.DataFrame) -> tuple[float, float]:
    """The axis: zero, all intervals and the truth, with some room."""
    columns = frame[[LOW, HIGH, TRUE]].max()
    least = min(0.0, float(frame[LOW].min()))
    most = max(float(columns.max()), 1.0)
    room = 0.04 * (most - least)
    return least - room, most + room


def _interval(row: dict[Any, Any], y: float, place: int, noun: str) -> go.Scatter:
    what = f"<b>{plain(row[TEXT], 36)}</b>, {_at(row[F])}"
    told = f"{what}: {_about(row)} {plain(noun)} (95 % confidence)"
    return go.Scatter(
        x=[row[LOW], row[ESTIMATE], row[HIGH]],
        y=[y] * 3,
        mode="lines+markers",
        name=f"{plain(row[TEXT], 36)}, {_at(row[F])}",
        line={"width": 4, **ink(place)},
        marker={
            "symbol": LOOKS[place].marker + ("" if row[FOUND] else "-open"),
            "size": [0, 13, 0],
            "opacity": 1,
            "line": {"width": 0 if row[FOUND] else 2},
            **ink(place),
        },
        hovertext=[told] * 3,
        hoverinfo="text",
    )


def _about(row: dict[Any, Any]) -> str:
    reach = row[HIGH] - row[ESTIMATE]
    return f"{number(row[ESTIMATE], step=reach)} {pm(reach)}"


def _at(f: float) -> str:
    """How many bits are coin tosses, which is what f says."""
    return f"{percent(f)} random answers"


def _grid(axis: dict[str, Any]) -> list[dict[str, Any]]:
    """Lines at the ticks of an axis; that at zero is dotted and darker."""
    grid, zero = {"color": GRID, "width": 1}, {"color": GREY, "width": 1.5, "dash": "dot"}
    return [upright(float(x), grid if x else zero) for x in axis["tickvals"]]


def _truth(true: float, up: int) -> dict[str, Any]:
    """The true number above its line, and above the other word if that is near."""
    if not up:
        return note(f"truth: {number(true)}", true, 1, **TOP)
    higher = {**TOP, "xanchor": "left", "yshift": up}
    return note(f"{TRUE_MARK} truth: {number(true)}", true, 1, **higher)
