"""The walk down the tree to one step: which vertices are added, which taken back, which not used.

One row per level, widest vertices on top; a row is zoomed into the place where the row above ends.
Added vertices are full, subtracted ones hatched and of another colour, unused ones empty.
"""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.counting.frame import ADDED, SUBTRACTED, UNUSED, WALK
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.palette import COLOURS, GREY, rgba
from dpviz.words import MINUS, plain

ROW = 78  # pixels
ADDED_COLOUR, SUBTRACTED_COLOUR = COLOURS[1], COLOURS[10]
LOOK: dict[str, dict[str, Any]] = {
    UNUSED: {"color": "rgba(0,0,0,0)", "line": {"color": GREY, "width": 1}},
    ADDED: {"color": ADDED_COLOUR, "line": {"color": ADDED_COLOUR, "width": 1}},
    SUBTRACTED: {
        "color": rgba(SUBTRACTED_COLOUR, 0.25),
        "line": {"color": SUBTRACTED_COLOUR, "width": 1.5},
        "pattern": {"shape": "/", "fgcolor": SUBTRACTED_COLOUR, "solidity": 0.45, "size": 6},
    },
}
SIGNS = {UNUSED: "", ADDED: "+", SUBTRACTED: MINUS}


def walk_chart(frame: pd.DataFrame, *, arity: int, every: str) -> go.Figure:
    """Draw the vertices beside the way to a step.

    Args:
        frame: columns level, width, digit, kind, place, cells, first, last; widest level first.
        arity: k.
        every: what a step is, e.g. "hour".

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *WALK)
    levels = frame["level"].drop_duplicates().tolist()
    low = int(frame["place"].min())
    high = int((frame["place"] + frame["cells"]).max())
    rows = {level: len(levels) - 1 - rank for rank, level in enumerate(levels)}
    traces = [_zoom(frame, levels, rows, arity, (low, high))] if len(levels) > 1 else []
    for kind in (UNUSED, ADDED, SUBTRACTED):
        part = frame[frame["kind"] == kind]
        if len(part):
            traces.append(_cells(kind, part, rows, every))
    layout = {
        "height": ROW * len(levels) + 14,
        "margin": {"t": 2, "b": 8, "l": 4, "r": 4},
        "bargap": 0,
        "barmode": "overlay",
        "annotations": _headings(frame, levels, rows, every, low),
        "xaxis": {"visible": False, "range": (low - 0.3, high + 0.3)},
        "yaxis": {"visible": False, "range": (-0.35, len(levels) - 0.25)},
    }
    return go.Figure(data=traces, layout=layout)


def _cells(kind: str, part: pd.DataFrame, rows: dict[int, int], every: str) -> go.Bar:
    """All vertices of one kind."""
    sign = SIGNS[kind]
    words = [f"{sign}{count}" if count > 1 and sign else sign for count in part["cells"].tolist()]
    return go.Bar(
        name=kind,
        orientation="h",
        base=part["place"].to_numpy() + 0.06,
        x=part["cells"].to_numpy() - 0.12,
        y=[rows[level] for level in part["level"]],
        width=0.42,
        marker=LOOK[kind],
        text=words,
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        constraintext="none",
        textfont={"color": "#FFFFFF", "size": 13} if kind == ADDED else {"size": 14},
        hovertext=[
            _hover(kind, every, *row)
            for row in part[["cells", "first", "last"]].itertuples(index=False, name=None)
        ],
        hoverinfo="text",
    )


def _hover(kind: str, every: str, cells: int, first: int, last: int) -> str:
    """One vertex, or a run of them, as a sentence."""
    who = "One vertex" if cells == 1 else f"{cells:,} vertices"
    where = f"{plain(every)}s {first:,} to {last:,}".replace("-", MINUS)
    end = "not used now" if kind == UNUSED else f"{kind}, with independent noise"
    ahead = "<br>Events before the first do not exist." if last < 1 else ""
    return f"<b>{who}</b>, {where}:<br>{end if cells == 1 else end + ' each'}.{ahead}"


def _headings(
    frame: pd.DataFrame, levels: list[int], rows: dict[int, int], every: str, low: int
) -> list[dict[str, Any]]:
    """Above each row: how wide its vertices are, its digit, and which step it reaches."""
    notes, at = [], 0
    for level in levels:
        first = frame[frame["level"] == level].iloc[0]
        width, digit = int(first["width"]), int(first["digit"])
        at += width * digit
        signed = f"+{digit}" if digit > 0 else f"{MINUS}{-digit}" if digit else "0"
        unit = plain(every) + ("" if width == 1 else "s")
        text = f"digit <b>{signed}</b> × {width:,} {unit}: now at {plain(every)} {at:,}"
        text = text.replace("-", MINUS)
        notes.append(note(text, low, rows[level] + 0.24, yanchor="bottom"))
    return notes


def _zoom(
    frame: pd.DataFrame,
    levels: list[int],
    rows: dict[int, int],
    arity: int,
    ends: tuple[int, int],
) -> go.Scatter:
    """Grey funnels from the end of each row to the whole of the next one."""
    low, high = ends
    x: list[float] = []
    y: list[float] = []
    for level in levels[:-1]:
        digit = int(frame[frame["level"] == level]["digit"].iloc[0])
        top, bottom = rows[level] - 0.21, rows[level] - 0.5
        x += [digit + low / arity, digit + high / arity, high, low, digit + low / arity, np.nan]
        y += [top, top, bottom, bottom, top, np.nan]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        name="zoom",
        line={"width": 0},
        fill="toself",
        fillcolor=rgba(GREY, 0.16),
        hoverinfo="skip",
    )
