"""The boxes whose noise one running count carries: added, taken away, or not needed.

One row per width of box, the widest on top; a row is zoomed into the place where the row above
ends. Boxes belong to no tier: added ones have the ink of the page, those taken away are hatched in
grey, the others are only outlined.
"""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.counting.frame import ADDED, SUBTRACTED, UNUSED, WALK
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import MINUS, plain
from dpviz.workspace.takeaways import counted

ROW = 72  # pixels
FAINT = rgba(GREY, 0.55)
LOOK: dict[str, dict[str, Any]] = {  # without a colour: the ink of the mode
    UNUSED: {"color": "rgba(0,0,0,0)", "line": {"color": FAINT, "width": 1}},
    ADDED: {"line": {"color": GREY, "width": 1}},
    SUBTRACTED: {
        "color": "rgba(0,0,0,0)",
        "line": {"color": GREY, "width": 1.5},
        "pattern": {"shape": "/", "fgcolor": GREY, "solidity": 0.45, "size": 7},
    },
}
SIGNS = {UNUSED: "", ADDED: "+", SUBTRACTED: MINUS}


def walk_chart(frame: pd.DataFrame, *, arity: int, every: str) -> go.Figure:
    """Draw the boxes of one step.

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
    """All boxes of one kind; where a run of them is one bar, their number stands in it."""
    cells = part["cells"].tolist()
    return go.Bar(
        name=kind,
        orientation="h",
        base=part["place"].to_numpy() + 0.06,
        x=part["cells"].to_numpy() - 0.12,
        y=[rows[level] for level in part["level"]],
        width=0.42,
        marker=LOOK[kind],
        text=[f"{SIGNS[kind]}{count}" if count > 1 and SIGNS[kind] else "" for count in cells],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        constraintext="none",
        textfont={"size": 14},
        hovertext=[
            _hover(kind, every, *row)
            for row in part[["cells", "first", "last"]].itertuples(index=False, name=None)
        ],
        hoverinfo="text",
    )


def _hover(kind: str, every: str, cells: int, first: int, last: int) -> str:
    """One box, or a run of them, as a sentence."""
    who = "One box" if cells == 1 else f"{cells:,} boxes"
    where = f"{plain(every)}s {first:,} to {last:,}".replace("-", MINUS)
    end = "not used now" if kind == UNUSED else f"{_DONE[kind]}, with independent noise"
    ahead = f"<br>There is no {plain(every)} before the first." if last < 1 else ""
    return f"<b>{who}</b>, {where}:<br>{end if cells == 1 else end + ' each'}.{ahead}"


_DONE = {ADDED: "added", SUBTRACTED: "taken away"}


def _headings(
    frame: pd.DataFrame, levels: list[int], rows: dict[int, int], every: str, low: int
) -> list[dict[str, Any]]:
    """Above each row: what is done with its boxes, and which step that reaches."""
    notes, at = [], 0
    for level in levels:
        first = frame[frame["level"] == level].iloc[0]
        width, digit = int(first["width"]), int(first["digit"])
        at += width * digit
        text = _act(digit, width, plain(every))
        if digit:
            text += f": now at {plain(every)} {at:,}"
        notes.append(note(text, low, rows[level] + 0.24, yanchor="bottom"))
    return notes


def _act(digit: int, width: int, every: str) -> str:
    """What is done with the boxes of a row, in words.

    >>> _act(-6, 14, "hour"), _act(1, 1, "day"), _act(0, 196, "hour")
    ('<b>take away six</b> 14-hour boxes', '<b>add one</b> single day', 'no 196-hour box needed')
    """
    one = f"single {every}" if width == 1 else f"{width:,}-{every} box"
    if not digit:
        return f"no {one} needed"
    many = one if abs(digit) == 1 else f"{one}s" if width == 1 else f"{one}es"
    return f"<b>{'add' if digit > 0 else 'take away'} {counted(abs(digit))}</b> {many}"


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
