"""How far one person can move the published numbers: the picture of a sensitivity."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import PHONE, Floats, beyond, note, pixels
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY
from dpviz.words import MINUS, number, plain

MOST = 12  # rows; further ones are named in one last row
ROW = 30  # pixels


def influence(frame: pd.DataFrame, *, axis_title: str) -> go.Figure:
    """One row per number with a line as far as one person can move it, to the right or the left.

    Of many numbers those that move are shown before those that do not.

    Args:
        frame: columns `group`, `change`; a number that is not moved has change 0.
        axis_title: quantity and unit of the horizontal axis.

    Raises:
        ParameterError: if a column is missing.

    >>> frame = pd.DataFrame({"group": ["a", "b"], "change": [1.0, 0.0]})
    >>> [trace.x.tolist() for trace in influence(frame, axis_title="people").data]
    [[0.0, 1.0], [1.0], [0.0, 0.0], [0.0]]
    """
    require_columns(frame, "group", "change")
    still = frame["change"].to_numpy(float) == 0
    shown = frame.iloc[np.sort(np.argsort(still, kind="stable")[:MOST])]
    names = [plain(g, 28) for g in shown["group"]]
    changes, rest = shown["change"].to_numpy(float), len(frame) - len(shown)
    fig = go.Figure(layout={"height": 64 + ROW * (len(shown) + bool(rest)), "margin": {"t": 8}})
    for row, change in enumerate(changes):
        fig.add_traces(_row(row, change))
    if rest:
        names.append(f"… and {rest:,} more")
    rows = list(range(len(names)))
    fig.update_yaxes(tickvals=rows, ticktext=names, range=[len(rows) - 0.4, -0.6])
    fig.update_layout(annotations=[_signed(row, x) for row, x in enumerate(changes) if x])
    return fig.update_xaxes(title={"text": plain(axis_title)}, **_axis(changes, names))


def _row(row: int, change: float) -> list[go.Scatter]:
    """The line from 0 and at its end an arrow: which way is seen without any colour."""
    way = "triangle-right" if change > 0 else "triangle-left" if change < 0 else "circle"
    words = "lowers" if change < 0 else "raises"
    sentence = (
        f"One person {words} this number by at most {number(abs(change))}."
        if change
        else "Such a person does not move this number."
    )
    line = go.Scatter(
        x=np.array([0.0, change]),
        y=[row, row],
        mode="lines",
        line={"color": GREY, "width": 4},
        hoverinfo="skip",
    )
    mark = go.Scatter(
        x=np.array([change]),
        y=[row],
        mode="markers",
        marker={"color": GREY, "size": 13 if change else 7, "symbol": way},
        hovertemplate=f"{sentence}<extra></extra>",
    )
    return [line, mark]


def _signed(row: int, change: float) -> dict[str, object]:
    """The change in figures, beyond its arrow."""
    anchor, shift = ("left", 10) if change > 0 else ("right", -10)
    return note(_words(change), change, row, xanchor=anchor, xshift=shift)


def _words(change: float) -> str:
    return ("+" if change > 0 else MINUS) + number(abs(change))


def _axis(changes: Floats, names: list[str]) -> dict[str, object]:
    """Room beyond the longest lines for their numbers; ticks at 0 and at the ends."""
    low, high = min(0.0, float(changes.min())), max(0.0, float(changes.max()))
    low, high = (low, high) if low < high else (0.0, 1.0)
    ends = sorted({low, 0.0, high})
    width = PHONE - 16 - max(map(pixels, names))
    return {
        "range": beyond(low, high, [_words(change) for change in changes], width),
        "tickvals": ends,
        "ticktext": [number(end) for end in ends],
    }
