"""A circle: the person in the middle, a dotted ring for each distance, and what each ring is told.

Each ring has its symbol, the nearest in the ink of the page and the others in grey: none has the
colour of a tier. Who compares notes is ringed, and who is told nothing is hollow. The circle fills
the width of a phone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import PHONE, note, pixels
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
from dpviz.charts.local.network_names import LINE, Box, around, box_of, clear_parts, sides
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, SYMBOLS, TierStyle, rgba
from dpviz.words import plain, shorten

HEIGHT, ABOVE = 432, 18  # pixels: of the figure; free of the picture above and below it
EDGE = 1.09  # of the radius of the last ring, for its marks
LABEL, VALUE_UP = 13, 27  # pixels: text of the numbers; how far above the star the value stands
STAR = 24  # pixels
RIM = 1.8  # of the diameter of the mark inside
MARK, CROWDED = 13, 8  # pixels: of a mark where names stand beside it, and where none does
MOST_NAMED = 45  # members whose names stand beside them
LINK = "rgba(128,134,144,0.45)"
RING = 0.6  # of the grey: a dotted ring that shows on the dark paper, too


def circle_chart(
    nodes: pd.DataFrame,
    edges: pd.DataFrame,
    *,
    answered: int,
    answers: Mapping[int, tuple[str, str]],
    value: str,
    ringed: Sequence[str] = (),
) -> go.Figure:
    """Draw a circle.

    Args:
        nodes: columns `NODES`, the person first, as `circle_frames` gives them.
        edges: columns `EDGES`; may have no row.
        answered: how many rings are told a number, from the nearest on.
        answers: by distance: how far away, and the number that the ring is told, both as text.
        value: the person's own, as text.
        ringed: what those who compare notes know together, as lines of text.

    Raises:
        ParameterError: a column is missing, or there is nobody.

    >>> row = ("Maria", 0.0, 0.0, 0, False, False, "knows it")
    >>> nodes, edges = pd.DataFrame([row], columns=list(NODES)), pd.DataFrame(columns=list(EDGES))
    >>> fig = circle_chart(nodes, edges, answered=0, answers={}, value="142")
    >>> fig.data[1].text
    ('<b>Maria</b>',)
    """
    require_columns(nodes, *NODES)
    named = len(nodes) <= MOST_NAMED
    reach = int(nodes[HOPS].max())
    size = MARK if named else CROWDED
    outer = EDGE * radius(max(reach, 1))
    own = f"true: {shorten(value, 14)}"
    told = {hops: _told(hops, answered, *texts) for hops, texts in answers.items()}
    labels = {radius(hops): bare for hops, (_, bare) in told.items()}
    names, written = _names(nodes, size, outer, own, labels, named=named)
    traces = [_links(edges), names, _rims(nodes[nodes[POOLS]], size)]
    for hops in range(reach, -1, -1):
        rows = nodes[nodes[HOPS] == hops]
        traces.append(_ring(rows, hops, size, told=hops <= answered))
    axis = {"visible": False, "fixedrange": True, "range": (-outer, outer)}
    middle = {"xanchor": "center", "yanchor": "middle", "font": {"size": LABEL}}
    layout = {
        "height": HEIGHT,
        "margin": {"l": 0, "r": 0, "t": ABOVE, "b": ABOVE},
        "xaxis": {**axis, "constrain": "domain"},
        "yaxis": {**axis, "constrain": "domain", "scaleanchor": "x"},
        "shapes": [_dotted(hops, written, outer) for hops in range(1, reach + 1)],
        "annotations": [
            *(note(text, 0, radius(hops), **middle) for hops, (text, _) in told.items()),
            note(f"<b>{plain(own)}</b>", 0, 0, yshift=VALUE_UP, **middle),
            *_corner(ringed),
        ],
    }
    return go.Figure(data=traces, layout=layout)


def _corner(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Lines at the upper left, where no ring is; the last one in bold."""
    if not lines:
        return []
    *before, last = map(plain, lines)
    text = "<br>".join([*before, f"<b>{last}</b>"])
    place = {"xref": "paper", "yref": "paper", "yanchor": "top", "yshift": ABOVE}
    return [note(text, 0, 1, **place, font={"size": LABEL})]


def _links(edges: pd.DataFrame) -> go.Scatter:
    """All edges as one broken line."""
    parts: dict[str, list[Any]] = {X: [], Y: []}
    for row in edges[list(EDGES)].itertuples(index=False):
        parts[X] += [row[0], row[2], None]
        parts[Y] += [row[1], row[3], None]
    look = {"mode": "lines", "line": {"color": LINK, "width": 1}, "hoverinfo": "skip"}
    return go.Scatter(x=parts[X], y=parts[Y], name="friendships", **look)


def _rims(rows: pd.DataFrame, size: int) -> go.Scatter:
    """A rim around each who compares notes."""
    marker = {
        "symbol": "circle-open",
        "size": RIM * size,
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


def _names(
    nodes: pd.DataFrame,
    size: int,
    outer: float,
    own: str,
    labels: Mapping[float, str],
    *,
    named: bool,
) -> tuple[go.Scatter, list[Box]]:
    """Names beside their marks, on the sides that are free on a phone; and where words stand."""
    texts, widths, sizes = [], [], []
    columns = (nodes[column] for column in (NAME, HOPS, NEW, POOLS))
    for name, hops, new, pools in zip(*columns, strict=True):
        bare = shorten(name, 14) + (" (new)" if new else "")
        bold = bool(new) or not hops
        text = f"<b>{plain(bare)}</b>" if bold else plain(bare)
        shown = bold or named
        texts.append(text if shown else "")
        widths.append(pixels(bare, 12, bold=bold) if shown else 0.0)
        sizes.append(STAR if not hops else RIM * size if pools else size + 1.0)
    scale = _scale(outer)
    places = [(x * scale, y * scale) for x, y in zip(nodes[X], nodes[Y], strict=True)]
    taken = [_label(0.0, VALUE_UP, own)] + [_label(0.0, r * scale, t) for r, t in labels.items()]
    edge = (PHONE / 2, PHONE / 2 + ABOVE)
    chosen = sides(places, sizes, widths, taken=taken, edge=edge)
    beside = [box_of(*row) for row in zip(places, sizes, widths, chosen, strict=True) if row[2]]
    drawn = go.Scatter(
        x=nodes[X].to_numpy(float),
        y=nodes[Y].to_numpy(float),
        mode="markers+text",
        marker={"size": sizes, "opacity": 0},
        name="names",
        text=texts,
        textfont={"size": 12},
        textposition=chosen,
        cliponaxis=False,
        hoverinfo="skip",
    )
    return drawn, [*taken, *beside]


def _scale(outer: float) -> float:
    """Pixels of one hop on a phone."""
    return PHONE / 2 / outer


def _label(x: float, y: float, text: str) -> Box:
    """Where a label stands on a phone."""
    return around(x, y, pixels(text, LABEL, bold=True), LINE + 3)


def _symbol(hops: int) -> TierStyle:
    """The symbol of a ring, without the colour of a tier."""
    return TierStyle(0, (hops - 1) % len(SYMBOLS))


def _ring(rows: pd.DataFrame, hops: int, size: int, *, told: bool) -> go.Scatter:
    """The members of a ring; `customdata` is the row of each, for a click."""
    middle = hops == 0
    marker: dict[str, Any] = {
        "symbol": "star" if middle else _symbol(hops).marker if told else "circle-open",
        "size": STAR if middle else size,
        "line": {"width": 0 if middle or told else 1.5},
    }
    if hops > 1:  # the person and the nearest have the ink of the page
        marker["color"] = GREY
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


def _dotted(hops: int, written: Sequence[Box], outer: float) -> dict[str, Any]:
    """A ring, which leaves a gap where words stand on a phone."""
    scale = _scale(outer)
    clear = clear_parts(radius(hops) * scale, written)
    path = " ".join(
        "M" + "L".join(f"{x / scale:.4g},{y / scale:.4g}" for x, y in part) for part in clear
    )
    look = {"color": rgba(GREY, RING), "width": 1.5, "dash": "dot"}
    return {"type": "path", "path": path, "line": look, "layer": "below"}


def _told(hops: int, answered: int, away: str, text: str) -> tuple[str, str]:
    """What a ring is told, at its top: as it is drawn, and its bare letters."""
    bare = f"{away}: {text}"
    if hops > answered:
        return plain(bare), bare
    glyph = _symbol(hops).glyph
    mark = glyph if hops == 1 else f'<span style="color:{GREY}">{glyph}</span>'
    return f"{mark} {plain(away)}: <b>{plain(text)}</b>", f"{glyph} {bare}"
