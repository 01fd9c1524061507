"""A circle: the person in the middle, a dotted ring for each distance, and what each ring is told.

Each ring has the colour and symbol of a tier; who pools what they were told has a dark rim, and who
is told nothing is hollow.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, tag
from dpviz.charts.local.network_frame import (
    EDGES,
    HOPS,
    NAME,
    NEW,
    NODES,
    POOLS,
    TOLD,
    X,
    Y,
    radius,
)
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, GRID, TierStyle
from dpviz.words import plain

HEIGHT = 430
STANDOFF = 22  # pixels between two names on either side of a mark
MARK, CROWDED = 13, 8  # pixels: of a mark where names stand beside it, and where none does
MOST_NAMED = 45  # members whose names stand beside them
LINK = "rgba(128,134,144,0.45)"
NOBODY = TierStyle(0, 0)


def circle_chart(
    nodes: pd.DataFrame,
    edges: pd.DataFrame,
    *,
    styles: Mapping[int, TierStyle],
    answers: Mapping[int, str],
    value: str,
) -> go.Figure:
    """Draw a circle.

    Args:
        nodes: columns `NODES`, the person first, as `circle_frames` gives them.
        edges: columns `EDGES`; may have no row.
        styles: of each ring that is answered, by distance.
        answers: the number that each ring is told, as text.
        value: the person's own, as text.

    Raises:
        ParameterError: a column is missing, or there is nobody.

    >>> row = ("Maria", 0.0, 0.0, 0, False, False, "knows it")
    >>> nodes, edges = pd.DataFrame([row], columns=list(NODES)), pd.DataFrame(columns=list(EDGES))
    >>> fig = circle_chart(nodes, edges, styles={}, answers={}, value="142")
    >>> fig.data[1].text
    ('<b>Maria</b>',)
    """
    require_columns(nodes, *NODES)
    named = len(nodes) <= MOST_NAMED
    reach = int(nodes[HOPS].max())
    size = MARK if named else CROWDED
    traces = [_links(edges), _names(nodes, named=named), _rims(nodes[nodes[POOLS]], size)]
    for hops in range(reach, -1, -1):
        rows = nodes[nodes[HOPS] == hops]
        traces.append(_ring(rows, styles.get(hops, NOBODY), hops, size))
    outer = radius(max(reach, 1)) + 0.5
    wide = outer + 0.7  # for names beside the marks
    axis = {"visible": False, "fixedrange": True}
    layout = {
        "height": HEIGHT,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "xaxis": {**axis, "range": (-wide, wide), "constrain": "domain"},
        "yaxis": {**axis, "range": (-outer, outer), "scaleanchor": "x"},
        "shapes": [_dotted(hops) for hops in range(1, reach + 1)],
        "annotations": [
            *(_told(hops, styles.get(hops, NOBODY), text) for hops, text in answers.items()),
            note(f"<b>{plain(value)}</b>", 0, 0, xanchor="center", yanchor="bottom", yshift=12)
            | {"font": {"size": 15}},
        ],
    }
    return go.Figure(data=traces, layout=layout)


def _links(edges: pd.DataFrame) -> go.Scatter:
    """All edges as one broken line."""
    parts: dict[str, list[Any]] = {X: [], Y: []}
    for row in edges[list(EDGES)].itertuples(index=False):
        parts[X] += [row[0], row[2], None]
        parts[Y] += [row[1], row[3], None]
    look = {"mode": "lines", "line": {"color": LINK, "width": 1}, "hoverinfo": "skip"}
    return go.Scatter(x=parts[X], y=parts[Y], name="friendships", **look)


def _rims(rows: pd.DataFrame, size: int) -> go.Scatter:
    """A rim around each who pools what they were told."""
    marker = {
        "symbol": "circle-open",
        "size": 1.8 * size,
        "color": GREY,
        "line": {"width": size / 4},
    }
    return go.Scatter(
        x=rows[X].to_numpy(float),
        y=rows[Y].to_numpy(float),
        mode="markers",
        marker=marker,
        name="coalition",
        hoverinfo="skip",
    )


def _names(nodes: pd.DataFrame, *, named: bool) -> go.Scatter:
    """Names above or below their marks; the person's below."""
    rows = zip(nodes[NAME], nodes[HOPS], nodes[NEW], nodes[Y], strict=True)
    texts, sides = [], []
    for name, hops, new, y in rows:
        shown = plain(name, 14)
        bold = f"<b>{shown} (new)</b>" if new else f"<b>{shown}</b>"
        texts.append(bold if new or not hops else shown if named else "")
        sides.append("top center" if _above(hops, y) else "bottom center")
    return go.Scatter(
        x=nodes[X].to_numpy(float),
        y=nodes[Y].to_numpy(float),
        mode="markers+text",
        marker={"size": STANDOFF, "opacity": 0},
        name="names",
        text=texts,
        textfont={"size": 12},
        textposition=sides,
        cliponaxis=False,
        hoverinfo="skip",
    )


def _above(hops: int, y: float) -> bool:
    """Away from the middle; beside it by turns, as names of two rings would touch there."""
    if abs(y) < 0.5 * radius(hops):
        return hops % 2 == 0
    return y > 0


def _ring(rows: pd.DataFrame, style: TierStyle, hops: int, size: int) -> go.Scatter:
    """The members of a ring; `customdata` is the row of each, for a click."""
    middle = hops == 0
    symbol = style.marker if style.slot else "circle-open"
    marker = {
        "symbol": "star" if middle else symbol,
        "size": 24 if middle else size,
        "color": GREY if middle else style.colour,
        "line": {"width": 0 if middle or style.slot else 1.5},
    }
    clear = {"marker": {"opacity": 1}}  # a click dims nobody
    return go.Scatter(
        x=rows[X].to_numpy(float),
        y=rows[Y].to_numpy(float),
        mode="markers",
        marker=marker,
        name="the person" if middle else f"{hops} away",
        customdata=rows.index.to_list(),
        hovertext=[plain(text) for text in rows[TOLD]],
        hoverinfo="text",
        selected=clear,
        unselected=clear,
    )


def _dotted(hops: int) -> dict[str, Any]:
    """A ring."""
    r = radius(hops)
    ends = {"x0": -r, "x1": r, "y0": -r, "y1": r}
    look = {"color": GRID, "width": 1.5, "dash": "dot"}
    return {"type": "circle", **ends, "line": look, "layer": "below"}


def _told(hops: int, style: TierStyle, text: str) -> dict[str, Any]:
    """What a ring is told, at its top."""
    shown = tag(style, plain(text)) if style.slot else plain(text)
    return note(shown, 0, radius(hops), xanchor="center", yanchor="middle", font={"size": 14})
