"""A circle: the person in the middle, a dotted ring for each distance, and what each ring is told.

Each ring has its symbol, the nearest in the ink of the page and the others in grey: none has the
colour of a tier. Who compares notes is ringed, and who is told nothing is hollow.

Members stand as in a tree: each in the sector of a friend one ring nearer, the first of several, so
the same graph gives the same picture. Rings leave a gap at the top for what they are told; of a
large graph only the nearest members are drawn. The side of each name is decided for a phone, where
room is scarce; wider figures only move the marks apart.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import PHONE, note, pixels
from dpviz.charts.tidy import Floats, require_columns
from dpviz.local.social_network import SocialNetwork
from dpviz.palette import GREY, SYMBOLS, TierStyle, rgba
from dpviz.words import plain, shorten

NODES = NAME, X, Y, HOPS, POOLS, NEW, TOLD = ("name", "x", "y", "hops", "pools", "new", "told")
EDGES = X, Y, X_TO, Y_TO = ("x", "y", "x to", "y to")
MOST_DRAWN = 160  # members
INNER = 0.55  # the first ring is wider by this, so that its members stay apart
GAP = math.radians(56)  # at the top, without members
HEIGHT, ABOVE = 432, 18  # pixels: of the figure; free of the picture above and below it
EDGE = 1.09  # of the radius of the last ring, for its marks
LABEL, VALUE_UP = 13, 27  # pixels: text of the numbers; how far above the middle the value stands
MIDDLE = 24  # pixels
RIM = 1.8  # of the diameter of the mark inside
MARK, CROWDED = 13, 8  # pixels: of a mark where names stand beside it, and where none does
MOST_NAMED = 45  # members whose names stand beside them
LINK = "rgba(128,134,144,0.45)"
RING = 0.6  # of the grey: a dotted ring that shows on the dark paper, too
Box = tuple[float, float, float, float]  # left, right, bottom, top, in pixels from the middle
LINE = 13.0  # pixels: height of a name
ASIDE = 3.0  # pixels between words and a dotted ring
CLEAR = 2.0  # pixels between a mark and the name of another
AROUND = 720  # points of a ring
SWEEPS = 3  # times that every name looks for a better side
OUTSIDE, ON_MARK, ON_NAME = 40.0, 3.0, 2.0  # what a pixel costs there
TURN = 8.0  # what a less usual side costs
ACROSS = {"left": -1, "center": 0, "right": 1}
UP = {"bottom": -1, "middle": 0, "top": 1}


def circle_picture(
    nodes: pd.DataFrame,
    edges: pd.DataFrame,
    *,
    answered: int,
    answers: Mapping[int, tuple[str, str]],
    value: str,
    ringed: Sequence[str] = (),
) -> Picture:
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
    >>> made = circle_picture(nodes, edges, answered=0, answers={}, value="142")
    >>> made.figure.data[1].text
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
    listed = "; ".join(f"{away}: {text}" for away, text in answers.values())
    alt = (
        "A person in the middle and dotted rings by distance. "
        f"{'Told: ' + listed if listed else 'Nobody is told anything'}. {' '.join(ringed)}"
    )
    return Picture(go.Figure(data=traces, layout=layout), alt.strip())


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
        sizes.append(MIDDLE if not hops else RIM * size if pools else size + 1.0)
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
        "symbol": "circle" if middle else _symbol(hops).marker if told else "circle-open",
        "size": MIDDLE if middle else size,
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


# --- where members stand ---


def radius(hops: int) -> float:
    """Radius of a ring.

    >>> radius(0), radius(2)
    (0.0, 2.55)
    """
    return hops + INNER if hops else 0.0


def circle_frames(
    network: SocialNetwork,
    user: Any,
    *,
    reach: int,
    told: Callable[[Any, int], str],
    pools: Collection[Any] = (),
    new: Collection[Any] = (),
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Members up to a distance with their places, and the edges between them.

    Args:
        network: who knows whom.
        user: the person in the middle, first of the rows.
        reach: how many rings are drawn.
        told: name and distance to the sentence on what the member is told.
        pools: members of the coalition.
        new: those who joined later; they are drawn whatever the limit.

    Returns:
        columns `NODES`, nearest first, and columns `EDGES`.
    """
    kept = _drawn(network, user, reach, new)
    angles = _angles(network, kept)
    places = {n: _place(angles[n], d) for n, d in kept.items()}
    rows = [(n, *places[n], d, n in pools, n in new, told(n, d)) for n, d in kept.items()]
    order = {n: place for place, n in enumerate(kept)}
    lines = [
        (*places[n], *places[friend])
        for n in kept
        for friend in network.neighbours(n)
        if friend in order and order[n] < order[friend]
    ]
    return pd.DataFrame(rows, columns=list(NODES)), pd.DataFrame(lines, columns=list(EDGES))


def _drawn(network: SocialNetwork, user: Any, reach: int, new: Collection[Any]) -> dict[Any, int]:
    """The nearest members with their distances, and who is new with a path that leads there."""
    distances = network.distances(user)
    within = [n for n, d in distances.items() if d <= reach]
    shown = set(within[:MOST_DRAWN])
    for n in (n for n in within[MOST_DRAWN:] if n in new):
        while n not in shown:
            shown.add(n)
            n = next(f for f in network.neighbours(n) if distances[f] == distances[n] - 1)
    return {n: distances[n] for n in within if n in shown}


def _place(angle: float, hops: int) -> tuple[float, float]:
    return radius(hops) * math.cos(angle), radius(hops) * math.sin(angle)


def _angles(network: SocialNetwork, kept: dict[Any, int]) -> dict[Any, float]:
    """The angle of each member: the middle of its sector, which is as wide as it has leaves."""
    children: dict[Any, list[Any]] = {n: [] for n in kept}
    for n, hops in kept.items():
        if hops:
            friends = {*network.neighbours(n)}
            nearer = (f for f, d in kept.items() if d == hops - 1 and f in friends)
            children[next(nearer)].append(n)
    leaves = dict.fromkeys(kept, 1)
    for n in reversed(kept):  # farthest first
        if children[n]:
            leaves[n] = sum(leaves[child] for child in children[n])
    user = next(iter(kept))
    begins, angles = {user: 0.0}, {}
    width = (2 * math.pi - GAP) / leaves[user]
    for n in kept:
        angles[n] = math.pi / 2 - GAP / 2 - width * (begins[n] + leaves[n] / 2)
        at = begins[n]
        for child in children[n]:
            begins[child] = at
            at += leaves[child]
    return angles


# --- on which side of its mark each name stands ---


def standoff(size: float) -> float:
    """How far from the middle of a mark Plotly sets its text, for the diameter of the mark."""
    return size / 2 / 0.8 + 1


def around(x: float, y: float, width: float, height: float) -> Box:
    """A box by its middle.

    >>> around(0.0, 10.0, 4.0, 2.0)
    (-2.0, 2.0, 9.0, 11.0)
    """
    return x - width / 2, x + width / 2, y - height / 2, y + height / 2


def clear_parts(radius: float, boxes: Sequence[Box]) -> list[list[tuple[float, float]]]:
    """A circle around the middle as points, in the parts that keep clear of all boxes.

    >>> [len(part) > 600 for part in clear_parts(50.0, [(-9.0, 9.0, 44.0, 56.0)])]
    [True]
    """
    angles = np.linspace(0, 2 * np.pi, AROUND + 1)
    points = radius * np.column_stack([np.sin(angles), np.cos(angles)])  # from the top on
    inside = np.zeros(len(points), dtype=bool)
    for left, right, bottom, top in boxes:
        across, up = points.T
        inside |= (left - ASIDE < across) & (across < right + ASIDE) & (bottom < up) & (up < top)
    bounds = np.flatnonzero(np.diff(np.concatenate([[True], inside, [True]]).astype(int)))
    return [list(map(tuple, points[a:b])) for a, b in bounds.reshape(-1, 2).tolist() if b - a > 1]


def sides(
    places: Sequence[tuple[float, float]],
    sizes: Sequence[float],
    widths: Sequence[float],
    *,
    taken: Sequence[Box],
    edge: tuple[float, float],
) -> list[str]:
    """Where each name stands, as Plotly says it.

    Args:
        places: of the marks, the person first, whose name stands below.
        sizes: diameters of the marks.
        widths: of the names; 0: no name.
        taken: boxes of other labels.
        edge: of the picture, to the right and above.

    >>> sides([(0, 0), (0, 20), (0, 36)], [9] * 3, [9, 30, 30], taken=[], edge=(90, 90))
    ['bottom center', 'middle right', 'top center']
    """
    wide = [size + 2 * CLEAR for size in sizes]
    marks = [around(x, y, size, size) for (x, y), size in zip(places, wide, strict=True)]
    fixed = np.array([*marks, *taken], dtype=float)
    chosen = [_usual(x, y)[0] for x, y in places]
    chosen[0] = "bottom center"
    boxes = np.array(
        [box_of(*row) for row in zip(places, sizes, widths, chosen, strict=True)], dtype=float
    )
    for _ in range(SWEEPS):
        for i in range(1, len(places)):
            if not widths[i]:
                continue
            others = np.delete(boxes, i, axis=0)
            found = []
            for rank, side in enumerate(_usual(*places[i])):
                box = box_of(places[i], sizes[i], widths[i], side)
                cost = (
                    OUTSIDE * _beyond(box, edge)
                    + ON_MARK * _overlap(box, fixed)
                    + ON_NAME * _overlap(box, others)
                )
                found.append((cost + TURN * rank, rank, side, box))
            _, _, chosen[i], boxes[i] = min(found)
    return chosen


def _usual(x: float, y: float) -> list[str]:
    """The sides in the order in which they are tried: away from the middle first."""
    up, down = ("top", "bottom") if y > 0 else ("bottom", "top")
    out, back = ("right", "left") if x >= 0 else ("left", "right")
    middle = [f"{up} center", f"{down} center", f"middle {out}", f"middle {back}"]
    return middle + [f"{v} {h}" for v in (up, down) for h in (out, back)]


def box_of(place: tuple[float, float], size: float, width: float, side: str) -> Box:
    """The box of a name on a side of its mark."""
    vertical, horizontal = side.split()
    off = standoff(size)
    x = place[0] + ACROSS[horizontal] * (off + width / 2)
    y = place[1] + UP[vertical] * (off + LINE / 2)
    return around(x, y, width, LINE if width else 0.0)


def _overlap(box: Box, others: Floats) -> float:
    """Area that a box shares with others."""
    left, right, bottom, top = others.T
    wide = np.minimum(right, box[1]) - np.maximum(left, box[0])
    high = np.minimum(top, box[3]) - np.maximum(bottom, box[2])
    return float((np.maximum(wide, 0) * np.maximum(high, 0)).sum())


def _beyond(box: Box, edge: tuple[float, float]) -> float:
    """How far a box leaves the picture."""
    across = max(-edge[0] - box[0], box[1] - edge[0], 0.0)
    return across + max(-edge[1] - box[2], box[3] - edge[1], 0.0)
