"""Where marks and names are in a chart of rows, in pixels from the top of the plot.

The first row carries the names. They stand beside their intervals, all on the right or all on the
left, if that fits a phone; else each on a line of its own above its mark. With many tiers only the
most and the least private are named, above and below the marks.
"""

from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.charts.labels import Floats

LINE, ROW, GAP = 18.0, 58.0, 15.0  # a line of text, a row, and what a row keeps free
SMALLEST, COMFORTABLE = 3.0, 9.0  # between two tiers of a row
TALLEST = 3600.0  # the whole chart, before marks get smaller for it
NAMED_UP_TO = 6


@dataclass(frozen=True)
class RowPlan:
    """Heights of everything; `side` is "right" or "left" of the interval, "line" if above it."""

    side: str
    pitch: float  # between two tiers in a common row
    first: Floats  # the tiers' marks in the first row, shape (tiers,)
    named: dict[int, float]  # rank of a tier → height of its name
    edges: Floats  # upper edge of each row and lower edge of the last, shape (groups + 1,)

    def __post_init__(self) -> None:
        checks.non_negative(pitch=self.pitch)
        checks.arrays(1, first=self.first)
        checks.arrays(1, edges=self.edges)
        for height in self.named.values():
            checks.finite(named=height)

    @property
    def centres(self) -> Floats:
        """The middle of each row."""
        return (self.edges[1:] + self.edges[:-1]) / 2

    @property
    def mark(self) -> float:
        """Size of a mark: smaller where rows are dense."""
        return min(9.0, self.pitch + 1)

    def heights(self, rank: int) -> Floats:
        """The marks of one tier, row by row."""
        heights = self.centres + (rank - (len(self.first) - 1) / 2) * self.pitch
        heights[0] = self.first[rank]
        return heights


def plan_rows(groups: int, starts: Floats, ends: Floats, names: Floats, width: float) -> RowPlan:
    """Plan rows for `groups` groups.

    Args:
        groups: how many rows.
        starts: left end of each tier's interval in the first row, share of the plot; (tiers,).
        ends: right end of it.
        names: widths of the tiers' names in pixels.
        width: of the plot on a phone, in pixels.

    >>> plan = plan_rows(2, np.array([0.1, 0.2]), np.array([0.5, 0.4]), np.full(2, 90.0), 240.0)
    >>> plan.side, plan.edges.tolist(), plan.first.tolist()
    ('right', [0.0, 58.0, 116.0], [20.0, 38.0])
    """
    count = len(names)
    crowd = max(SMALLEST, (TALLEST / groups - GAP) / count)
    pitch = min(max((ROW - GAP) / count, COMFORTABLE), crowd)
    side = _side(starts, ends, names + 8, width)
    ranks = np.arange(count, dtype=np.float64)
    first: Floats
    if count > NAMED_UP_TO:
        first = LINE + 6 + (ranks + 0.5) * pitch
        height = first[-1] + LINE + 10
        named = {0: LINE / 2 + 3, count - 1: height - LINE / 2 - 3}
    elif side == "line":
        first = 8 + LINE + ranks * (LINE + 18)
        height = first[-1] + 14
        named = dict(enumerate(first - 15))
    else:
        height = max(ROW, count * LINE + 8)
        first = height / 2 + (ranks - (count - 1) / 2) * LINE
        named = dict(enumerate(first))
    height, row = max(ROW, height), max(ROW, GAP + count * pitch)
    edges = np.concatenate([[0.0], height + row * np.arange(groups)])
    return RowPlan(side, pitch, first, {k: float(v) for k, v in named.items()}, edges)


def _side(starts: Floats, ends: Floats, names: Floats, width: float) -> str:
    if len(names) <= NAMED_UP_TO and np.all(ends * width + names <= width):
        return "right"
    if len(names) <= NAMED_UP_TO and np.all(starts * width - names >= 0):
        return "left"
    return "line"
