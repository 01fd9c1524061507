"""Words on the map "Laplace or Gauss": whose region it is, written where there is room for it."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.charts.labels import PHONE, note, pixels

HEIGHT, TOP = 400, 8  # pixels, of the map
PLOT = PHONE - 40  # pixels between the sides of the plot on a phone


def pixel(height: float, y: NDArray[Any]) -> float:
    """How far above the lower edge a height is drawn, in pixels."""
    share = math.log(height / y[0]) / math.log(y[-1] / y[0])
    return float(share * (HEIGHT - TOP - 44))


def region_words(
    x: NDArray[Any], y: NDArray[Any], ratio: NDArray[Any], taken: list[float]
) -> list[dict[str, Any]]:
    """Whose region it is, written where the region is widest and nothing else is written."""
    notes = []
    for name, mask in (("Laplace", ratio < 0), ("Gaussian", ratio > 0)):
        found = _room(y, mask, taken)
        if found is None:
            continue
        row, first, last = found
        width = (last - first + 1) / len(x) * PLOT
        text = next(
            (
                t
                for t in (f"{name} is more exact", f"{name}<br>is more<br>exact", name)
                if max(map(pixels, t.split("<br>"))) * 1.1 + 6 < width
            ),
            None,
        )
        if text:
            middle = float(x[first] + x[last]) / 2
            centre = {"xanchor": "center", "align": "center"}
            notes.append(note(f"<b>{text}</b>", middle, math.log10(y[row]), **centre))
    return notes


def _room(y: NDArray[Any], mask: NDArray[Any], taken: list[float]) -> tuple[int, int, int] | None:
    """The row of a region with the most room, and the columns where it begins and ends there."""
    heights = np.array([pixel(float(h), y) for h in y])
    free = (heights > 30) & (heights < HEIGHT - 90)
    for t in taken:
        free &= np.abs(heights - t) > 26
    widths = np.where(free, mask.sum(axis=1), 0)
    if not widths.any():
        return None
    widest = np.flatnonzero(widths >= 0.9 * widths.max())
    row = int(widest[len(widest) // 2])
    inside = np.flatnonzero(mask[row])
    return row, int(inside[0]), int(inside[-1])
