"""What buyers of a data market hold: a row per number, the higher the sharper.

Each number is that of the row above with more noise, whatever the order of sale. No line joins
them, as it would look like a path in time. The grey bar around a number holds the true value 95
times in 100. The value is made up, so it may be shown.
"""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import PHONE, grounded, note, pixels, rule, tag, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import join, number, plain, pm

SOLD = ("buyer", "epsilon", "number", "half_width", "price", "upgrade", "style", "detail")
MOST_ROWS = 10  # sharpest ε that are drawn
NAMES, LETTERS = 2, 14  # buyers named in a row, letters of each
ROW, TOP, BOTTOM = 60, 34, 62  # pixels
SIZE = 15  # pixels, of a mark
EDGE = 0.2  # of the axis: no number stands beyond it
APART, TALL = 0.26, 0.44  # of a row: from mark to mark of one number, and from first to last
THICK = 0.14  # of a row: a grey bar
NAIL = 0.62  # rows above the sharpest
TERMS = "price for ± error"  # at the right end of each row


def holdings(frame: pd.DataFrame, *, truth: float, noun: str) -> Picture:
    """Draw who holds what.

    Args:
        frame: columns `SOLD`, a row per buyer: `price` as text, `style`, `detail` a
            sentence for the hover.
        truth: the true value.
        noun: what it counts.

    Raises:
        ParameterError: a column is missing, or nothing was sold.
    """
    require_columns(frame, *SOLD)
    rows = [held for _, held in frame.groupby("epsilon", sort=True)][::-1][:MOST_ROWS]
    middles = [float(row["number"].iloc[0]) for row in rows]
    halves = [float(row["half_width"].iloc[0]) for row in rows]
    ends = [truth, *(m + s * h for m, h in zip(middles, halves, strict=True) for s in (-1, 1))]
    room = 0.06 * (max(ends) - min(ends)) or 1.0  # whole numbers that are all exact: no width
    low, high = min(ends) - room, max(ends) + room
    bars = go.Bar(
        orientation="h",
        y=[-place for place in range(len(rows))],
        x=[2 * half for half in halves],
        base=[middle - half for middle, half in zip(middles, halves, strict=True)],
        width=THICK,
        marker={"color": rgba(GREY, 0.45)},
        hoverinfo="skip",
        name="95 %",
    )
    bottom = 0.45 - len(rows)
    true = go.Scatter(
        x=[truth] * 2,
        y=[bottom, NAIL],
        mode="lines",
        line={"width": 1},
        hoverinfo="skip",
        name="true",
    )
    notes = _heads(truth, (low, high))
    for place, row in enumerate(rows):
        notes += _texts(row, -place)
        notes.append(_number(row, -place, (low, truth, high), halves[0]))
    title = f"{plain(noun, 38)} (made up)<br>grey: ± error; 95 of 100 such bars hold the true value"
    layout = {
        "height": int(ROW * (NAIL - bottom)) + TOP + BOTTOM,
        "margin": {"t": TOP, "b": BOTTOM},
        "annotations": notes,
        "shapes": [rule(-place) for place in range(len(rows))],
        "xaxis": {"range": (low, high), "title": {"text": title}} | ticks(low, high),
        "yaxis": {"visible": False, "range": (bottom, NAIL)},
    }
    told = [
        f"{join([plain(b) for b in row['buyer']])} {number(m, step=halves[0])} {pm(h)}"
        for row, m, h in zip(rows, middles, halves, strict=True)
    ]
    alt = (
        f"Marks under the true value, {number(truth)}, a row for each number, from the sharpest "
        f"down: {'; '.join(told)}. Of the grey bars around them, 95 of 100 hold the true value."
    )
    return Picture(go.Figure(data=[bars, true, _marks(rows)], layout=layout), alt)


def _marks(rows: list[pd.DataFrame]) -> go.Scatter:
    """The number of each row, a mark for each who holds it, in a grey that is no tier’s."""
    held = pd.concat(rows)
    places = [-p + _up(i, len(row)) for p, row in enumerate(rows) for i in range(len(row))]
    symbols = [style.marker for style in held["style"]]
    return go.Scatter(
        x=held["number"].tolist(),
        y=places,
        mode="markers",
        marker={"size": SIZE, "symbol": symbols, "color": GREY, "opacity": 1, "line": {"width": 0}},
        hovertext=[plain(text, 200) for text in held["detail"]],
        hoverinfo="text",
        name="held",
    )


def _up(place: int, many: int) -> float:
    """How far up in its row a mark stands that shares its number with others: none covers one."""
    apart = min(APART, TALL / max(many - 1, 1))
    return apart * ((many - 1) / 2 - place)


def _heads(truth: float, ends: tuple[float, float]) -> list[dict[str, Any]]:
    """Above all rows: the true value, and what stands at their ends where there is room for it."""
    over, true = {"yanchor": "bottom", "yshift": 4}, f"true value {number(truth)}"
    notes = [note(f"<b>{true}</b>", truth, NAIL, xanchor="center", **over)]
    middle = (truth - ends[0]) / (ends[1] - ends[0]) * (PHONE - 20)
    if middle + pixels(true, bold=True) / 2 + pixels(TERMS) < PHONE - 24:
        notes.append(note(TERMS, 1, NAIL, xref="paper", **over | {"xanchor": "right"}))
    return notes


def _texts(row: pd.DataFrame, y: float) -> list[dict[str, Any]]:
    """Above a row, clear of its marks: who holds the number, its price and its accuracy."""
    each = " each" if len(row) > 1 else ""
    terms = f"{row['price'].iloc[0]}{each} for {pm(float(row['half_width'].iloc[0]))}"
    place = {"xref": "paper", "yanchor": "bottom", "yshift": SIZE / 2 + 1 + ROW * _up(0, len(row))}
    return [
        note(_who(row, PHONE - 30 - pixels(terms)), 0, y, **place),
        grounded(terms, 1, y, **place | {"xanchor": "right", "align": "right"}),
    ]


def _who(row: pd.DataFrame, room: float) -> str:
    """Those who hold the number of a row; as many names as have room."""
    buyers = [
        (style, plain(name, LETTERS), ", upgraded" if again else "")
        for name, style, again in zip(row["buyer"], row["style"], row["upgrade"], strict=True)
    ]
    named = buyers[:NAMES]
    long = "● ".join(["", *(f"{name}{after}" for _, name, after in named), "+9"])
    if pixels(long, bold=True) > room:
        named = named[:1]
    said = " ".join(f"{tag(look, name)}{after}" for look, name, after in named)
    return said + (f" +{len(row) - len(named)}" if len(row) > len(named) else "")


def _number(
    row: pd.DataFrame, y: float, at: tuple[float, float, float], sharpest: float
) -> dict[str, Any]:
    """The number itself, below its mark, on the side away from the true value if there is room."""
    value, (low, truth, high) = float(row["number"].iloc[0]), at
    text, place = number(value, step=sharpest), (value - low) / (high - low)
    right = place < 1 - EDGE and (value >= truth or place < EDGE)
    side = {"xshift": 11} if right else {"xanchor": "right", "xshift": -11}
    shown, more = f"<b>{text}</b>", ", same number"
    room = (1 - place if right else place) * (PHONE - 20) - 16
    if len(row) > 1 and pixels(text, 15) + pixels(more) <= room:  # marks on top of each other
        shown += f'<span style="font-size:13px">{more}</span>'
    return note(shown, value, y - THICK / 2 - 0.02, yanchor="top", font={"size": 15}, **side)
