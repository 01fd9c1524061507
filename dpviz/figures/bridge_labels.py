"""Words around the bridge picture: names over the pins, ticks under them, ends of the value axis.

How far: places are worked out for a phone; what would touch there is left out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpviz.figures.labels import note, pixels, tag
from dpviz.figures.palette import TierStyle
from dpviz.figures.words import number, percent, plain, significant
from dpviz.frames.bridge import (
    BUDGET,
    HIGH95,
    LOW95,
    NOISE,
    SIDE,
    SLOT,
    SYMBOL,
    TIER,
    VALUE,
    WEIGHT,
)

ROOM = 300.0  # pixels of the plot on a phone


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTier:
    """The tier that has not been drawn yet, or just was."""

    name: str
    style: TierStyle
    noise: float
    budget: str
    said: str  # in the heading over it, such as "not drawn yet"
    held: bool
    weighs: str = "weight"  # what the share of a neighbour is


def headings(pins: pd.DataFrame, new: NewTier, left: float, wide: float) -> list[dict[str, Any]]:
    """Name, value and weight over each pin, as many as fit, the neighbours first."""
    found: list[dict[str, Any]] = []
    taken: list[tuple[float, float]] = []
    order = sorted(range(len(pins)), key=lambda i: (pins[SIDE].iloc[i] == "", i))
    for i in order:
        row = pins.iloc[i]
        name = plain(row[TIER], 14)
        weight = row[WEIGHT]
        last = "held" if weight != weight or new.held else f"{new.weighs} {percent(weight)}"
        half = max(pixels(name, bold=True) + 16, pixels(last)) / 2 + 4
        at = math.log10(row[NOISE] / left) / wide * ROOM
        center = min(max(at, half), ROOM - half) if half < ROOM / 2 else ROOM / 2
        if any(abs(center - other) < half + space for other, space in taken):
            continue
        taken.append((center, half))
        anchor = "left" if at < half else "right" if at > ROOM - half else "center"
        step = abs(row[NOISE]) or None
        text = (
            f"{tag(TierStyle(int(row[SLOT]), int(row[SYMBOL])), name)}<br>"
            f"{number(row[VALUE], step=step)}<br>{last}"
        )
        found.append(
            note(
                text,
                math.log10(row[NOISE]),
                1,
                yref="paper",
                yanchor="bottom",
                yshift=4,
                xanchor=anchor,
                align="center",
            )
        )
    return found


def title(new: NewTier, left: float, wide: float) -> dict[str, Any]:
    """The new tier's name, a row above the others."""
    at = math.log10(new.noise / left) / wide
    anchor = "left" if at < 0.3 else "right" if at > 0.7 else "center"
    return note(
        f"{tag(new.style, plain(new.name, 16))}: {new.said}",
        math.log10(new.noise),
        1,
        yref="paper",
        yanchor="bottom",
        yshift=80,
        xanchor=anchor,
    )


def heights(
    pins: pd.DataFrame, bands: pd.DataFrame, hill: pd.DataFrame | None
) -> tuple[float, float]:
    """Ends of the vertical axis: pins, inner bands and hill, not the cones outside."""
    inner = bands[bands[NOISE] <= pins[NOISE].max()] if len(pins) else bands
    inner = inner if len(inner) else bands
    parts: Sequence[Any] = [pins[VALUE], inner[LOW95], inner[HIGH95]]
    if hill is not None:
        parts = [*parts, hill[VALUE]]
    values = np.concatenate([np.asarray(p, float) for p in parts])
    low, high = float(values.min()), float(values.max())
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


def level_ticks(pins: pd.DataFrame, new: NewTier, left: float, wide: float) -> dict[str, Any]:
    """Noise and, below it, the budget: at the new level and at pins that leave room."""
    texts = {new.noise: new.budget} | dict(zip(pins[NOISE], pins[BUDGET], strict=True))
    shown: list[float] = []
    first = {new.noise}
    lit = set(pins[NOISE][pins[SIDE] != ""])
    for noise in sorted(texts, key=lambda n: (n not in first, n not in lit, n)):
        place = math.log10(noise / left) / wide * ROOM
        half = pixels(texts[noise], 12) / 2 + 3
        if any(
            abs(place - math.log10(o / left) / wide * ROOM) < half + pixels(texts[o], 12) / 2 + 3
            for o in shown
        ):
            continue
        shown.append(noise)
    shown.sort()
    return {
        "tickmode": "array",
        "tickvals": shown,
        "ticktext": [f"{significant(n, 2)}<br>{plain(texts[n])}" for n in shown],
        "tickangle": 0,
    }
