"""Names of lines inside a plot, each beside its own line and clear of all others.

A name is tried at several places along its line, above and below; the one with most room wins. The
decision is made for a phone, in pixels, and holds a fortiori on anything wider.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.charts.labels import note, pixels

GAP, HALF, ENOUGH = 10.0, 9.0, 16.0  # pixels: line to middle of text, half a text, room wanted
PLACES = 15
Box = tuple[float, float, float]  # left, right, middle


def line_names(
    lines: Mapping[str, NDArray[Any]], *, width: float, height: float
) -> list[dict[str, Any]]:
    """Annotations with the names of lines that share one horizontal axis.

    Args:
        lines: pixels above the lower edge at equal steps from the left edge to the right, by name.
        width: of the plot on a phone, in pixels.
        height: of the plot, in pixels.

    >>> low, high = np.full(50, 20.0), np.full(50, 100.0)
    >>> [round(n["y"], 3) for n in line_names({"low": low, "high": high}, width=300, height=150)]
    [0.2, 0.733]
    """
    notes: list[dict[str, Any]] = []
    taken: list[Box] = []
    for name, own in lines.items():
        others = [line for other, line in lines.items() if other != name]
        tries = [
            (_room(box, others, taken, width, height), -order, box)
            for order, box in enumerate(_boxes(own, pixels(name) + 6, width))
        ]
        _, _, box = max(tries)
        taken.append(box)
        at = {"xref": "paper", "yref": "paper", "yanchor": "middle"}
        notes.append(note(name, box[0] / width, box[2] / height, **at))
    return notes


def _boxes(own: NDArray[Any], long: float, width: float) -> list[Box]:
    """Places along a line: above it from left to right, then below it."""
    found = []
    for above in (True, False):
        for left in np.linspace(4, width - long - 4, PLACES).tolist():
            near = own[_span(left, left + long, len(own), width)]
            middle = float(near.max()) + GAP if above else float(near.min()) - GAP
            found.append((left, left + long, middle))
    return found


def _span(left: float, right: float, count: int, width: float) -> slice:
    """The points of a line over a stretch of the axis."""
    step = width / (count - 1)
    return slice(max(0, int(left / step)), min(count, int(right / step) + 2))


def _room(
    box: Box, others: list[NDArray[Any]], taken: list[Box], width: float, height: float
) -> float:
    """Pixels between a name and whatever is nearest, at most `ENOUGH`; far below 0 outside."""
    left, right, middle = box
    room = ENOUGH
    for line in others:
        part = line[_span(left, right, len(line), width)]
        crossed = part.min() < middle < part.max()
        nearest = 0.0 if crossed else float(np.abs(part - middle).min())
        room = min(room, nearest - HALF)
    for a, b, m in taken:
        if a < right and left < b:
            room = min(room, abs(m - middle) - 2 * HALF)
    if not HALF <= middle <= height - HALF:
        room -= 1000
    return room
