"""Strips one above the other: their heights, and lines thinned so that no peak is lost."""

import numpy as np
from numpy.typing import NDArray

from dpviz.charts.labels import Floats

MOST_POINTS, ALL_POINTS = 2_000, 40_000  # in a strip, in the figure
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


def strip_domains(count: int, *, room: float = 420) -> tuple[float, list[tuple[float, float]]]:
    """Height of all strips in pixels, and of each the share it takes, from the top down.

    Args:
        count: how many strips, at least 1.
        room: pixels that all share; of each strip at least 64, at most 220.
    """
    strip = float(np.clip(room / count, 64, 220))
    total = count * (NAME + strip + BETWEEN)
    tops = [1 - (rank * (NAME + strip + BETWEEN) + NAME) / total for rank in range(count)]
    return total, [(max(top - strip / total, 0.0), top) for top in tops]
