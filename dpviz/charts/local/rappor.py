"""What noisy reports say about texts: estimates with 95 % intervals, at two f, beside the truth."""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, ticks
from dpviz.charts.local.rappor_frame import ESTIMATE, ESTIMATES, FOUND, HIGH, LOW, TEXT, TRUE, F
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, GRID, TierStyle
from dpviz.words import number, percent, plain, pm, significant

LOOKS = (TierStyle(2, 0), TierStyle(11, 2))  # at f₁, at f₂
CLOSE, ROW, EDGE = 74, 46, 84  # pixels of a row of one text, of a row of many, around them
UP = 0.21  # from the middle of a row to its two marks, up and down


def one_text(frame: pd.DataFrame, *, noun: str) -> go.Figure:
    """Draw the intervals of one text, a row for each f, between nobody and its true number.

    Args:
        frame: columns `ESTIMATES`, rows of one text in the order of asking.
        noun: who is counted, such as "people".

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *ESTIMATES)
    rows = frame.to_dict("records")
    low, high = _ends(frame)
    notes, data = [], []
    for place, row in enumerate(rows):
        verdict = "<b>found</b>" if row[FOUND] else "cannot be told from nobody"
        name = _named(LOOKS[min(place, 1)], _at(row[F]))
        said = f"{name}: {_about(row, noun)}, {verdict}"
        notes.append(note(said, 0, -place + 0.17, xref="paper", yanchor="bottom"))
        data.append(_interval(row, -place - 0.08, LOOKS[min(place, 1)], noun, wide=True))
    true = rows[0][TRUE]
    top: dict[str, Any] = {"yref": "paper", "yanchor": "bottom", "xanchor": "center"}
    shapes = [_line(0.0, "dot")]
    notes.append(note("nobody", 0, 1, **top | {"xanchor": "left"}))
    if not math.isnan(true):
        shapes.append(_line(true, "solid"))
        apart = abs(true) > 0.3 * (high - low)
        where: dict[str, Any] = {**top} if apart else {**top, "xanchor": "left", "xshift": 30}
        notes.append(note(f"truth: {number(true)}", true, 1, **where))
    layout = {
        "height": CLOSE * len(rows) + EDGE,
        "margin": {"t": 26},
        "annotations": notes,
        "shapes": shapes,
        "xaxis": {"range": (low, high), "title": {"text": plain(noun)}} | ticks(low, high, most=5),
        "yaxis": {"visible": False, "range": (-len(rows) + 0.55, 0.6)},
    }
    return go.Figure(data=data, layout=layout)


def all_texts(frame: pd.DataFrame, *, noun: str) -> go.Figure:
    """Draw a row for each text: its interval at each f, and a grey bar at its true number.

    Args:
        frame: columns `ESTIMATES`; texts in the order of their rows.
        noun: who is counted, such as "people".

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *ESTIMATES)
    low, high = _ends(frame)
    texts, levels = list(dict.fromkeys(frame[TEXT])), list(dict.fromkeys(frame[F]))
    notes, shapes, data = [], [_line(0.0, "dot")], []
    for place, text in enumerate(texts):
        mine = frame[frame[TEXT] == text].to_dict("records")
        found = any(row[FOUND] for row in mine)
        name = plain(text, 36)
        shown = f"<b>{name}</b>" if found else f"{name}: not told from nobody"
        notes.append(note(shown, 0, -place + 0.16, xref="paper", yanchor="bottom"))
        for row in mine:
            second = levels.index(row[F])
            y = -place - 0.04 - (UP if second else 0)
            data.append(_interval(row, y, LOOKS[second], noun))
        if not math.isnan(mine[0][TRUE]):
            shapes.append(_tick(mine[0][TRUE], -place - 0.04 - UP * (len(levels) - 1) / 2))
    names = "   ".join(_named(look, _at(f)) for look, f in zip(LOOKS, levels, strict=False))
    notes.append(note(names, 0, 1, xref="paper", yref="paper", yanchor="bottom", yshift=4))
    layout = {
        "height": ROW * len(texts) + EDGE,
        "margin": {"t": 26},
        "annotations": notes,
        "shapes": shapes,
        "xaxis": {"range": (low, high), "title": {"text": plain(noun)}} | ticks(low, high, most=5),
        "yaxis": {"visible": False, "range": (-len(texts) + 0.5, 0.6)},
    }
    return go.Figure(data=data, layout=layout)


def _ends(frame: pd.DataFrame) -> tuple[float, float]:
    """The axis: nobody, all intervals and the truth, with some room."""
    columns = frame[[LOW, HIGH, TRUE]].max()
    least = min(0.0, float(frame[LOW].min()))
    most = max(float(columns.max()), 1.0)
    room = 0.04 * (most - least)
    return least - room, most + room


def _interval(
    row: dict[Any, Any], y: float, look: TierStyle, noun: str, *, wide: bool = False
) -> go.Scatter:
    reach = row[HIGH] - row[ESTIMATE]
    return go.Scatter(
        x=[row[ESTIMATE]],
        y=[y],
        error_x={
            "type": "constant",
            "value": reach,
            "color": look.colour,
            "thickness": 4 if wide else 2.5,
            "width": 0,
        },
        mode="markers",
        name=f"{plain(row[TEXT], 36)} at f = {significant(row[F])}",
        marker={"color": look.colour, "symbol": look.marker, "size": 13 if wide else 8},
        hovertext=[
            f"<b>{plain(row[TEXT], 36)}</b> at f = {significant(row[F])}: {_about(row, noun)} "
            "(95 % confidence)"
        ],
        hoverinfo="text",
    )


def _about(row: dict[Any, Any], noun: str) -> str:
    reach = row[HIGH] - row[ESTIMATE]
    return f"{number(row[ESTIMATE], step=reach)} {pm(reach)} {plain(noun)}"


def _at(f: float) -> str:
    """How many bits are coins, which is what f says."""
    return f"{percent(f)} coins"


def _named(look: TierStyle, name: str) -> str:
    return f'<span style="color:{look.colour}">{look.glyph}</span> <b>{name}</b>'


def _line(x: float, dash: str) -> dict[str, Any]:
    """A line from the bottom to the top: nobody, or the truth."""
    ends = {"x0": x, "x1": x, "yref": "y domain", "y0": 0, "y1": 1}
    look = {"color": GREY if dash == "solid" else GRID, "width": 1.5, "dash": dash}
    return {"type": "line", **ends, "line": look, "layer": "below"}


def _tick(x: float, y: float) -> dict[str, Any]:
    """The true number of one text."""
    ends = {"x0": x, "x1": x, "y0": y - 0.24, "y1": y + 0.24}
    return {"type": "line", **ends, "line": {"color": GREY, "width": 3}, "layer": "below"}
