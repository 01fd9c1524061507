"""The blocks whose noise one running count carries: added, taken away, or not needed.

One row per width of block, the widest on top, from zero at the left; a row is zoomed into the place
where the row above ends. Blocks belong to no tier: added ones have the ink of the page, those taken
away are hatched in grey, the others are only outlined.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.trees import Tree
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import MINUS, plain
from dpviz.workspace.takeaways import counted

WALK = ("level", "width", "digit", "kind", "place", "cells", "first", "last")
ADDED, SUBTRACTED, UNUSED = "added", "subtracted", "unused"
ROOMY = 6  # blocks for which a row has room at least
MOST_CELLS = 30  # blocks of a row that are drawn one by one
ROW = 80  # pixels
BELOW = {"yanchor": "top", "xanchor": "center"}  # how words stand below their place
EDGE = 3  # places; words nearer to an end of the picture begin or end there
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


def walk_frame(tree: Tree, step: int) -> pd.DataFrame:
    """The blocks beside the way to a step, level by level, widest first; columns `WALK`.

    On each level the sum has come to some step; to its right are the blocks that may be added, to
    its left those that may be subtracted. A row is one block, or where there are more than 30 of
    them, one run of blocks of the same kind. `place` counts blocks from where the sum has come,
    `first` and `last` are the steps of a block. Left out are blocks of inputs before the first,
    which do not exist, and, but for the first of a level without any other, unused blocks of inputs
    that have not come yet.

    >>> walk_frame(Tree(3, 2, True), 2)[["width", "kind", "place"]].values.tolist()
    [[3, 'added', 0], [1, 'subtracted', -1]]
    """
    rows, start = [], 0
    for level, digit in zip(reversed(range(tree.height)), tree.digits(step), strict=True):
        width = tree.arity**level
        runs = [run for run in _runs(tree, digit) if start + run[1] * width >= 0]
        seen = [
            (k, at, n) for k, at, cells in runs if (n := _come(k, at, cells, step - start, width))
        ]
        for kind, place, cells in seen or [(k, at, 1) for k, at, _ in runs[:1]]:
            first = start + place * width
            rows.append((level, width, digit, kind, place, cells, first + 1, first + cells * width))
        start += digit * width
    return pd.DataFrame(rows, columns=list(WALK))


def _come(kind: str, place: int, cells: int, ahead: int, width: int) -> int:
    """How many blocks of a run are shown: used ones, and those whose first step has come.

    Args:
        kind: added, subtracted or unused.
        place: of the first block of the run.
        cells: how many there are.
        ahead: how many steps the present is ahead of where places begin; negative: behind.
        width: steps of a block.

    >>> _come(UNUSED, 0, 7, 15, 14), _come(UNUSED, 0, 7, -3, 1), _come(ADDED, 0, 3, 500, 196)
    (2, 0, 3)
    """
    if kind != UNUSED:
        return cells
    return min(cells, max(0, -(-ahead // width) - place))


def _runs(tree: Tree, digit: int) -> list[tuple[str, int, int]]:
    """Kind, place and length of the runs of a level, from the left; short rows cell by cell."""
    ends = {
        UNUSED: [(-tree.most_negative, min(digit, 0)), (max(digit, 0), tree.most_positive)],
        ADDED: [(0, digit)],
        SUBTRACTED: [(digit, 0)],
    }
    runs = [(kind, a, b - a) for kind, pairs in ends.items() for a, b in pairs if b > a]
    if tree.arity - 1 <= MOST_CELLS:
        runs = [(kind, place + i, 1) for kind, place, cells in runs for i in range(cells)]
    return sorted(runs, key=lambda run: run[1])


def walk_chart(frame: pd.DataFrame, *, arity: int, every: str) -> Picture:
    """Draw the blocks of one step.

    Args:
        frame: columns level, width, digit, kind, place, cells, first, last; widest level first.
        arity: k.
        every: what a step is, e.g. "hour".

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *WALK)
    rows = _rows(frame)
    low = rows[0].left
    high = max(low + min(ROOMY, arity - 1), *(row.shift + row.ends[1] for row in rows))
    traces = [_zoom(rows, arity)] if len(rows) > 1 else []
    for kind in (UNUSED, ADDED, SUBTRACTED):
        part = frame[frame["kind"] == kind]
        if len(part):
            traces.append(_cells(kind, part, {row.level: row for row in rows}, every))
    layout = {
        "height": ROW * len(rows) + 22,
        "margin": {"t": 2, "b": 8, "l": 4, "r": 4},
        "bargap": 0,
        "barmode": "overlay",
        "annotations": _headings(rows, every, low, high),
        "xaxis": {"visible": False, "range": (low - 0.3, high + 0.6)},
        "yaxis": {"visible": False, "range": (-0.46, len(rows) - 0.25)},
    }
    done = "; ".join(_act(row.digit, row.width, plain(every)) for row in rows)
    alt = f"Rows of blocks, the widest on top: {done}."
    return Picture(go.Figure(data=traces, layout=layout), alt)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """The blocks of one width: where they are drawn, and from where to where the sum goes."""

    level: int
    width: int
    digit: int
    start: int  # the step that the rows above reach
    y: int
    left: int  # where the first place of a whole row is
    shift: int  # what is added to places: a row from zero begins at the left
    ends: tuple[int, int]  # the places of its first block and behind its last one

    @property
    def at(self) -> int:
        """The step that this row reaches."""
        return self.start + self.width * self.digit


def _rows(frame: pd.DataFrame) -> list[_Row]:
    """The rows, from the top down."""
    levels = frame["level"].drop_duplicates().tolist()
    left = min(int(frame["place"].min()), 0)
    rows: list[_Row] = []
    for rank, level in enumerate(levels):
        part = frame[frame["level"] == level]
        start = rows[-1].at if rows else 0
        rows.append(
            _Row(
                level=level,
                width=int(part["width"].iloc[0]),
                digit=int(part["digit"].iloc[0]),
                start=start,
                y=len(levels) - 1 - rank,
                left=left,
                shift=0 if start else left,
                ends=(int(part["place"].min()), int((part["place"] + part["cells"]).max())),
            )
        )
    return rows


def _cells(kind: str, part: pd.DataFrame, rows: dict[int, _Row], every: str) -> go.Bar:
    """All blocks of one kind; where a run of them is one bar, their number stands in it."""
    cells = part["cells"].tolist()
    return go.Bar(
        name=kind,
        orientation="h",
        base=part["place"].to_numpy() + [rows[level].shift + 0.06 for level in part["level"]],
        x=part["cells"].to_numpy() - 0.12,
        y=[rows[level].y for level in part["level"]],
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
    """One block, or a run of them, as a sentence."""
    who = "One block" if cells == 1 else f"{cells:,} blocks"
    where = f"{plain(every)}s {first:,} to {last:,}".replace("-", MINUS)
    end = "not used now" if kind == UNUSED else f"{_DONE[kind]}, with independent noise"
    return f"<b>{who}</b>, {where}:<br>{end if cells == 1 else end + ' each'}."


_DONE = {ADDED: "added", SUBTRACTED: "taken away"}


def _headings(rows: list[_Row], every: str, low: int, high: int) -> list[dict[str, Any]]:
    """Above each row what is done with its blocks; below them the step that this reaches.

    Where that is not yet the step that is meant, it says by how many it is off.
    """
    notes = [note("0", low, rows[0].y - 0.24, **BELOW)]
    for row in rows:
        text = _act(row.digit, row.width, plain(every))
        if row.digit:
            text += f": {_sum(row)}"
            reached, off = row.digit + row.shift, row.at - rows[-1].at
            side = _side(reached - low, high - low) if off else BELOW
            notes.append(note(_reached(row.at, off), reached, row.y - 0.24, **side))
        notes.append(note(text, low, row.y + 0.24, yanchor="bottom"))
    return notes


def _reached(at: int, off: int) -> str:
    """The step that a row reaches, and by how many it misses the one that is meant.

    >>> _reached(588, 60), _reached(700, -5), _reached(705, 0)
    ('<b>588</b>, 60 too many', '<b>700</b>, 5 too few', '<b>705</b>')
    """
    far = f", {abs(off):,} too {'many' if off > 0 else 'few'}" if off else ""
    return f"<b>{at:,}</b>{far}"


def _side(place: int, width: int) -> dict[str, Any]:
    """How words stand at a place so that they are not cut at an edge."""
    at_edge = {"yanchor": "top", "xshift": -10, "xanchor": "left"}
    if place < EDGE:
        return at_edge
    if place > width - EDGE:
        return at_edge | {"xshift": 10, "xanchor": "right"}
    return BELOW


def _sum(row: _Row) -> str:
    """What the blocks of a row add to the step that the rows above reach."""
    factors = [f"{n:,}" for n in (abs(row.digit), row.width) if n > 1]
    blocks = " × ".join(factors) or "1"
    if not row.start:
        return f"{blocks} = {row.at:,}" if len(factors) > 1 else blocks
    return f"{row.start:,} {'+' if row.digit > 0 else MINUS} {blocks} = {row.at:,}"


def _act(digit: int, width: int, every: str) -> str:
    """What is done with the blocks of a row, in words.

    >>> _act(-6, 14, "hour"), _act(1, 1, "day"), _act(0, 196, "hour")
    ('take away six 14-hour blocks', 'add one single day', 'no 196-hour block needed')
    """
    one = f"single {every}" if width == 1 else f"{width:,}-{every} block"
    if not digit:
        return f"no {one} needed"
    many = one if abs(digit) == 1 else f"{one}s"
    return f"{'add' if digit > 0 else 'take away'} {counted(abs(digit))} {many}"


def _zoom(rows: list[_Row], arity: int) -> go.Scatter:
    """Grey funnels from the end of each row to the whole of the next one."""
    x: list[float] = []
    y: list[float] = []
    for row, following in pairwise(rows):
        first, last = following.ends
        a, b = (row.shift + row.digit + end / arity for end in following.ends)
        low, high = first + following.shift, last + following.shift
        top, bottom = row.y - 0.21, row.y - 0.5
        x += [a, b, high, low, a, np.nan]
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
