"""Strips one above the other: their heights, and lines thinned so that no peak is lost."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpviz.charts.labels import Floats

MOST_POINTS, ALL_POINTS = 2_000, 40_000  # in a strip, in the figure
LOWEST = 0.4  # of the highest strip, so that a line is still seen
NAME, BETWEEN = 20.0, 8.0  # pixels for a strip's name and below it
Indices = NDArray[np.intp]


def points_per_strip(tiers: int) -> int:
    """How many points a strip shows: 2,000, fewer with more than 20 tiers.

    >>> points_per_strip(4), points_per_strip(100)
    (2000, 400)
    """
    return min(MOST_POINTS, ALL_POINTS // tiers)


def thin(values: Floats, most: int) -> Indices:
    """Indices of at most `most` values, ascending: least and largest of each run, first and last.

    Args:
        values: shape (n,); NaN is neither least nor largest.
        most: at least 4.

    >>> thin(np.array([0.0, 5, 1, 1, 1, 1, -3, 0]), 4).tolist()
    [0, 1, 6, 7]
    """
    count = len(values)
    if count <= most:
        return np.arange(count)
    runs = most // 2 - 1
    size = -(-count // runs)
    padded = np.pad(values, (0, runs * size - count), mode="edge").reshape(runs, size)
    starts, unknown = size * np.arange(runs), np.isnan(padded)
    least = np.where(unknown, np.inf, padded).argmin(axis=1)
    largest = np.where(unknown, -np.inf, padded).argmax(axis=1)
    picked = [starts + least, starts + largest, [0, count - 1]]
    return np.unique(np.minimum(np.concatenate(picked), count - 1))


def on_one_scale(ends: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The ranges of strips whose heights follow them: none below `LOWEST` of the longest.

    >>> on_one_scale([(-10.0, 10.0), (-1.0, 1.0)])
    [(-10.0, 10.0), (-4.0, 4.0)]
    """
    least = LOWEST * max(high - low for low, high in ends)
    missing = [max(0.0, least - (high - low)) / 2 for low, high in ends]
    return [(low - m, high + m) for (low, high), m in zip(ends, missing, strict=True)]


def strip_domains(
    sizes: Sequence[float], *, room: float = 420
) -> tuple[float, list[tuple[float, float]]]:
    """Height of all strips in pixels, and of each the share it takes, from the top down.

    Args:
        sizes: of the strips, beside one another: how long the axis of each is, at least one.
        room: pixels that all share; of the highest strip at least 64, at most 220.
    """
    pixels = float(np.clip(room / sum(sizes), 64 / max(sizes), 220 / max(sizes)))
    heights = [pixels * size for size in sizes]
    total = sum(heights) + len(sizes) * (NAME + BETWEEN)
    found, at = [], 0.0
    for height in heights:
        top = 1 - (at + NAME) / total
        found.append((max(top - height / total, 0.0), top))
        at += NAME + height + BETWEEN
    return total, found
