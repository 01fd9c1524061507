"""Two rankings side by side: on the left the true one, on the right the noisy list.

A line joins an item with itself; a missing one has a cross and no line, one that is shown instead a
hollow diamond, and both say so in words. Noisy counts are fitted to the order of the list, so that
they never grow down it. Where the true ranking is hidden, the list stands alone.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, pixels, wrapped
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY
from dpviz.scenes.top_k import (
    COUNT,
    FATE,
    FITTED,
    FOUND,
    ITEM,
    LISTED,
    MISSED,
    PLACE,
    RANKINGS,
    TRUE,
    TRUE_PLACE,
    VALUE,
    WRONG,
)
from dpviz.words import number, plain

ROW, TWO_LINES, HEAD, FOOT = 30, 40, 40, 12  # pixels
BESIDE = 12  # pixels from a mark to its words
LIMIT = 13  # letters of a line of a name
INK = None  # the ink of the page
MARKS = {  # symbol, colour, size
    FOUND: ("circle", INK, 11),
    TRUE: ("circle", INK, 11),
    LISTED: ("circle", INK, 11),
    MISSED: ("x", GREY, 11),
    WRONG: ("diamond-open", INK, 12),
}
LEAST = 3.0  # rows that there is always room for
WIDEST = 145  # pixels that the names of a ranking take at most, so that lines stay on a phone


def two_rankings(frame: pd.DataFrame, *, k: int, noun: str) -> go.Figure:
    """Draw both rankings, the most common item on top.

    Args:
        frame: columns `RANKINGS`.
        k: how many items were asked for.
        noun: what is counted, such as "people".

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *RANKINGS)
    rows = frame.to_dict("records")
    left = [r for r in rows if r[TRUE_PLACE] <= k]
    right = sorted((r for r in rows if r[PLACE] == r[PLACE]), key=lambda r: r[PLACE])
    alone = all(r[FATE] == LISTED for r in rows)
    deepest = max(*(r[TRUE_PLACE] for r in left), *(r[PLACE] for r in right), LEAST)
    long = any("<br>" in wrapped(r[ITEM], LIMIT)[0] for r in rows)
    pitch = TWO_LINES if long else ROW
    at = 0.0 if alone else 1.0  # of the list
    truth = [_name(r, left=True) for r in left]
    if alone:
        truth = [_side(f"{r[PLACE]:,.0f}.", r[PLACE], "right") for r in right]
    listed = [_name(r, left=False) | {"x": at} for r in right]
    notes = [*truth, *listed, _side("<b>noisy list</b>", 0.1, "left") | {"x": at}]
    if not alone:
        notes.append(_side(f"<b>true top {len(left) or k}</b>", 0.1, "right"))
    if not right:
        notes.append(_side("<i>nothing here</i>", (deepest + 1) / 2, "left"))
    layout = {
        "height": HEAD + round(pitch * deepest) + FOOT,
        "margin": {"t": 4, "b": 4, "l": _room(truth), "r": _room(listed)},
        "annotations": notes,
        "xaxis": {"range": (0, 1), "visible": False, "fixedrange": True},
        "yaxis": {
            "range": (deepest + 0.5 + FOOT / pitch, 0.5 - HEAD / pitch),
            "visible": False,
            "fixedrange": True,
        },
    }
    traces = [_lines(rows, k), *_marks(left, 0.0, TRUE_PLACE, noun)]
    traces += _marks(right, at, PLACE, noun)
    return go.Figure(data=traces, layout=layout)


def _room(names: list[dict[str, Any]]) -> int:
    """Pixels beside a ranking for its names, or for a word in their place."""
    texts = [str(name["text"]).replace("<b>", "").replace("</b>", "") for name in names]
    lines = [line for text in texts for line in text.split("<br>")]
    return round(min(max(map(pixels, [*lines, "true top 100"])) + 2 * BESIDE, WIDEST))


def _side(text: str, y: float, side: str) -> dict[str, Any]:
    """Words beside the marks of one ranking: at its left if they end there, else at its right."""
    x, shift = (0.0, -BESIDE) if side == "right" else (1.0, BESIDE)
    return note(text, x, y, xanchor=side, align=side, yanchor="middle", xshift=shift)


def _lines(rows: list[dict[Any, Any]], k: int) -> go.Scatter:
    """A line from each item's true place to its place on the list."""
    x: list[float] = []
    y: list[float] = []
    for r in rows:
        if r[FATE] == FOUND and r[TRUE_PLACE] <= k:
            x += [0.0, 1.0, math.nan]
            y += [r[TRUE_PLACE], r[PLACE], math.nan]
    return go.Scatter(
        x=np.array(x),
        y=np.array(y),
        mode="lines",
        name="the same item",
        line={"width": 2, "simplify": False},
        opacity=0.4,
        hoverinfo="skip",
    )


def _marks(rows: list[dict[Any, Any]], x: float, place: str, noun: str) -> list[go.Scatter]:
    """The items of one ranking, a trace for each kind of mark."""
    traces = []
    for fate, (symbol, colour, size) in MARKS.items():
        mine = [r for r in rows if r[FATE] == fate]
        if mine:
            traces.append(
                go.Scatter(
                    x=np.full(len(mine), x),
                    y=np.array([r[place] for r in mine], dtype=float),
                    mode="markers",
                    name=fate,
                    cliponaxis=False,
                    marker={
                        "symbol": symbol,
                        "color": colour,
                        "size": size,
                        "opacity": 1,
                        "line": {"width": 2 if fate == WRONG else 0, "color": colour},
                    },
                    hovertext=[_said(r, noun) for r in mine],
                    hoverinfo="text",
                )
            )
    return traces


def _name(row: dict[Any, Any], *, left: bool) -> dict[str, Any]:
    """An item beside its mark, with the count that this ranking goes by, and what is wrong."""
    name, count = wrapped(row[ITEM], LIMIT)[0], row[COUNT if left else FITTED]
    written = f" <b>{number(round(count))}</b>" if count == count else ""
    wrong = ""
    if left and row[FATE] == MISSED:
        wrong = "missing: "
    elif not left and row[FATE] == WRONG:
        wrong = f", truly {number(round(row[COUNT]))}" if row[COUNT] == row[COUNT] else " instead"
    text = f"{wrong}{name}{written}" if left else f"{name}{written}{wrong}"
    return _side(text, row[TRUE_PLACE if left else PLACE], "right" if left else "left")


def _said(row: dict[Any, Any], noun: str) -> str:
    """One item in a sentence or two."""
    parts = [f"<b>{plain(row[ITEM])}</b>"]
    if row[TRUE_PLACE] == row[TRUE_PLACE]:
        parts.append(f"in truth place {row[TRUE_PLACE]:,.0f}, {row[COUNT]:,.0f} {plain(noun)}")
    if row[PLACE] == row[PLACE]:
        drawn, fitted = (number(row[column], step=1.0) for column in (VALUE, FITTED))
        noisy = "" if row[VALUE] != row[VALUE] else f", noisy count {drawn}, fitted {fitted}"
        parts.append(f"on the noisy list place {row[PLACE]:,.0f}{noisy}")
    if row[FATE] in (MISSED, WRONG):
        parts.append(f"<b>{row[FATE]}</b>")
    return "<br>".join(parts)
