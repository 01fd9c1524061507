"""On which side of its mark each name of a circle stands, clear of marks, labels and other names.

Decided for a phone, where room is scarce; wider figures only move the marks apart. Boxes are left,
right, bottom and top, in pixels from the middle of the picture.
"""

from collections.abc import Sequence

import numpy as np

from dpviz.charts.tidy import Floats

Box = tuple[float, float, float, float]
LINE = 13.0  # pixels: height of a name
ASIDE = 3.0  # pixels between words and a dotted ring
CLEAR = 2.0  # pixels between a mark and the name of another
AROUND = 720  # points of a ring
SWEEPS = 3  # times that every name looks for a better side
OUTSIDE, ON_MARK, ON_NAME = 40.0, 3.0, 2.0  # what a pixel costs there
TURN = 8.0  # what a less usual side costs
ACROSS = {"left": -1, "center": 0, "right": 1}
UP = {"bottom": -1, "middle": 0, "top": 1}


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
