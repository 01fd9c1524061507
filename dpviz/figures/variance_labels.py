"""Ticks of a logarithmic axis, labels moved apart, and names of marks: the picture of variances.

Nothing here knows how wide the picture will be, so everything is decided for a phone.
"""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpviz.figures.labels import Floats, note, pixels
from dpviz.frames.variances import BUDGET, TIER, VARIANCE
from dpviz.words import plain, significant

NAMED_UP_TO = 6  # tiers; more are named on hover
LETTERS = 14
NARROW_PLOT = 200.0  # pixels of the x axis on a phone
LINES = 34.0  # pixels that two lines of names need below a flat line


def log_range(values: Floats, pad: float = 0.06) -> tuple[float, float]:
    """Ends of a logarithmic axis around positive values, as powers of ten.

    >>> log_range(np.array([1.0, 100.0]), 0.1)
    (-0.2, 2.2)
    """
    low, high = float(np.log10(values.min())), float(np.log10(values.max()))
    room = max(pad * (high - low), 0.02)
    return low - room, high + room


def log_ticks(low: float, high: float, most: int) -> dict[str, Any]:
    """Ticks of a logarithmic axis, the densest of four kinds that has at most so many.

    Args:
        low: lower end, as a power of ten.
        high: upper end, as a power of ten.
        most: ticks that there is room for.

    >>> log_ticks(-1.2, 1.1, 5)["ticktext"]
    ['0.1', '0.3', '1', '3', '10']
    >>> log_ticks(-3.0, 3.0, 4)["ticktext"]
    ['0.001', '0.1', '10', '1,000']
    """
    first, last = math.floor(low), math.ceil(high)
    for steps in ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        values = [s * 10.0**p for p in range(first, last + 1) for s in steps]
        inside = [v for v in values if low - 1e-9 <= math.log10(v) <= high + 1e-9]
        if 2 <= len(inside) <= most:
            return _ticks(inside)
    inside = [v for v in values if low - 1e-9 <= math.log10(v) <= high + 1e-9]
    if len(inside) >= 2:
        return _ticks(inside[:: -(-len(inside) // most)])
    return _ticks([10**low, 10**high])  # less than a factor of three: the ends as they are


def _ticks(values: list[float]) -> dict[str, Any]:
    texts = [significant(v) for v in values]
    return {"tickmode": "array", "tickvals": values, "ticktext": texts, "tickangle": 0}


def spread(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """The same places, moved as little as needed to be so far apart and within two limits.

    >>> spread([50.0, 52.0, 10.0], 10.0, 0.0, 100.0)
    [46.0, 56.0, 10.0]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    clusters: list[list[int]] = []
    for i in order:
        clusters.append([i])
        while len(clusters) > 1 and _start(clusters[-1], places, gap, low, high) < (
            _start(clusters[-2], places, gap, low, high) + gap * len(clusters[-2])
        ):
            clusters[-2:] = [clusters[-2] + clusters[-1]]
    moved = list(places)
    for cluster in clusters:
        start = _start(cluster, places, gap, low, high)
        for rank, i in enumerate(cluster):
            moved[i] = start + gap * rank
    return moved


def _start(cluster: list[int], places: list[float], gap: float, low: float, high: float) -> float:
    """Where the lowest of a cluster goes, so that the cluster is centred on its own places."""
    length = gap * (len(cluster) - 1)
    middle = sum(places[i] for i in cluster) / len(cluster)
    return min(max(middle - length / 2, low), high - length)


def can_be_named(rows: pd.DataFrame) -> bool:
    """Whether the tiers are the user's own, and few enough to stand beside their marks."""
    if len(rows) > NAMED_UP_TO or not (rows["slot"] > 0).all():
        return False
    at = np.log10(rows[BUDGET].to_numpy(float))
    room = np.diff(at) / max(float(np.ptp(at)), 1e-12) * NARROW_PLOT
    return bool((room > 8).all())


def first_name(rows: pd.DataFrame) -> float:
    """Share of the axis that the first name needs to the left of its mark."""
    return min((_wide(rows[TIER].iloc[0]) + 12) / NARROW_PLOT, 0.4)


def names(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Names below and to the left of the marks on a falling line, below those on a flat one.

    On a flat line they take turns on two lines, so that neighbours do not touch; a name that would
    still touch the one before on its line is left out, and speaks on hover.
    """
    x, y = (np.log10(rows[name].to_numpy(float)) for name in (BUDGET, VARIANCE))
    flat = float(np.ptp(y)) < 1e-6
    pixel = NARROW_PLOT * (x - x[0]) / max(float(np.ptp(x)), 1e-12)
    ends, notes = [-math.inf, -math.inf], []
    for rank, name in enumerate(rows[TIER]):
        text, wide = f"<b>{plain(name, LETTERS)}</b>", _wide(name)
        if not flat:
            place = {"xanchor": "right", "xshift": -7, "yshift": -3, "yanchor": "top"}
            notes.append(note(text, float(x[rank]), float(y[rank]), **place))
        elif pixel[rank] - wide > ends[rank % 2]:
            ends[rank % 2] = float(pixel[rank]) + 4
            place = {"xanchor": "right", "xshift": 5, "yshift": -6 - 15 * (rank % 2)}
            notes.append(note(text, float(x[rank]), float(y[rank]), yanchor="top", **place))
    return notes


def _wide(name: object) -> float:
    return pixels(plain(name, LETTERS), bold=True)
