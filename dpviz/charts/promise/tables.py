"""Two tables side by side that differ in one person, and the numbers made from them."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz import checks
from dpviz.charts.labels import note
from dpviz.charts.threads import number_of
from dpviz.charts.tidy import require_columns
from dpviz.errors import ParameterError
from dpviz.palette import GREY, TierStyle, rgba

TABLE, ACROSS, DOWN, KIND = "table", "across", "down", "kind"
TABLES = (TABLE, ACROSS, DOWN, KIND)
WITH, WITHOUT = "with Maria", "without Maria"
ILL, WELL, HER, GONE = "ill", "well", "Maria", "Maria, left out"
WIDE, GAP = 32, 5  # people across a table; places between the two
HEIGHT, TOP, DOTS = 292, 28, 0.36  # pixels; share of the plot below the dots
SIZE = 4.2  # pixels of a dot: two tables fit beside one another on a phone


def tables_frame(ill: NDArray[np.bool_], her: int) -> pd.DataFrame:
    """A place for each person of a town, in a table with one of them and in a table without.

    Columns: table, across, down (the place), kind (ill, well, or the one who is in question).

    Args:
        ill: whether each person is ill.
        her: which of them is left out of the second table.

    Raises:
        ParameterError: there is no such person.

    >>> tables_frame(np.array([True, False]), 0)["kind"].tolist()
    ['Maria', 'well', 'Maria, left out', 'well']
    """
    checks.integer(0, her=her)
    if her >= len(ill):
        raise ParameterError("nobody is at this place: pass one of those who are in the table")
    place = np.arange(len(ill))
    parts = []
    for k, (table, kind) in enumerate(((WITH, HER), (WITHOUT, GONE))):
        kinds = np.where(ill, ILL, WELL).astype(object)
        kinds[her] = kind
        across = place % WIDE + k * (WIDE + GAP)
        columns = {TABLE: table, ACROSS: across, DOWN: place // WIDE, KIND: kinds}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def two_tables(
    frame: pd.DataFrame, counts: tuple[int, int], style: TierStyle, noise: float | None
) -> go.Figure:
    """Draw both tables, the count of each, and what noise makes of it.

    Args:
        frame: as `tables_frame` makes it.
        counts: with her and without her.
        style: look of the tier that is told.
        noise: what is added to both; None: nothing yet.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *TABLES)
    traces = [_people(part, str(kind)) for kind, part in frame.groupby(KIND, sort=False)]
    middles = [(WIDE - 1) / 2 + k * (WIDE + GAP) for k in (0, 1)]
    notes = [
        words
        for middle, name, count in zip(middles, (WITH, WITHOUT), counts, strict=True)
        for words in _below(middle, name, count, noise, style)
    ]
    if noise is not None:
        low, high = counts[1], counts[0]
        words = f"<b>{high - low}</b><br>apart"
        notes.append(_text(words, sum(middles) / 2, 0.0, 19, yanchor="bottom"))
    lowest = float(frame[DOWN].max())
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": 4, "l": 0, "r": 0},
        "annotations": notes,
        "xaxis": {"visible": False, "fixedrange": True, "range": (-1, 2 * WIDE + GAP)},
        "yaxis": {"visible": False, "fixedrange": True, "domain": (DOTS, 1)}
        | {"range": (lowest + 0.7, -0.7)},
    }
    return go.Figure(data=traces, layout=layout)


def _people(part: pd.DataFrame, kind: str) -> go.Scatter:
    hers = kind in (HER, GONE)
    marker: dict[str, Any] = {"size": 13 if hers else SIZE}
    if kind == GONE:
        marker |= {"symbol": "circle-open", "line": {"width": 2}}
    if not hers:
        marker["color"] = rgba(GREY, 1 if kind == ILL else 0.26)
    says = {"hovertemplate": f"{kind}<extra></extra>"} if hers else {"hoverinfo": "skip"}
    x, y = part[ACROSS], part[DOWN]
    return go.Scatter(x=x, y=y, mode="markers", name=kind, marker=marker, **says)


def _below(
    middle: float, name: str, count: int, noise: float | None, style: TierStyle
) -> list[dict[str, Any]]:
    """What a table is called, above it; below it its count, the noise and the number."""
    head = _text(f"<b>{name}</b>", middle, 1.0, 15, yanchor="bottom", yshift=4)
    counted = f"<b>{count}</b> are ill"
    if noise is None:
        number = '<span style="font-size:16px">plus noise</span>'
        return [
            head,
            _text(counted, middle, DOTS - 0.03, 17, yanchor="top"),
            _text(f"{number}  <b>?</b>", middle, 0.0, 26, yanchor="bottom"),
        ]
    sign = "+" if noise > 0 else "−"
    seen = f'<span style="color:{style.colour}">{style.glyph}</span>'
    made = f"{seen} <b>{number_of(count + noise)}</b>"
    sum_ = f"{count} {sign} {number_of(abs(noise))} noise"
    return [
        head,
        _text(sum_, middle, DOTS - 0.03, 17, yanchor="top"),
        _text(made, middle, 0.0, 28, yanchor="bottom"),
    ]


def _text(words: str, x: float, y: float, size: int, **more: Any) -> dict[str, Any]:
    look = {"yref": "paper", "xanchor": "center", "align": "center", "font": {"size": size}}
    return note(words, x, y, **look, **more)
