"""What stands in and around the bridge picture besides marks and hill: names, ticks, wedges.

Limits: places are worked out for a phone; what would touch there is left out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.bridge.frame import (
    BUDGET,
    CHANCE,
    GAP,
    HIGH50,
    HIGH95,
    LOW95,
    MIDDLE,
    NOISE,
    SIDE,
    SLOT,
    SYMBOL,
    TIER,
    VALUE,
    WEDGES,
    WEIGHT,
)
from dpviz.charts.labels import note, pixels, tag
from dpviz.charts.tidy import require_columns
from dpviz.palette import TierStyle, rgba
from dpviz.words import number, percent, plain, significant

ROOM = 312.0  # pixels of the plot on a phone: 350 without the ticks and the margin
HEIGHT, TOP, BOTTOM = 500, 104, 62
CLOSE = 0.2  # of the axis: between nearer levels nothing is named
LINE = 15.0  # pixels from one name to the next
WEDGE = 0.012  # of the value axis, to either side, where a path surely rests


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

    def __post_init__(self) -> None:
        checks.positive(noise=self.noise)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """The rectangle of the axes: ends of the noise axis and of the value axis."""

    left: float
    right: float
    low: float
    high: float

    def __post_init__(self) -> None:
        checks.positive(left=self.left, right=self.right)
        checks.finite(low=self.low, high=self.high)

    @property
    def wide(self) -> float:
        """Width of the noise axis, in powers of ten."""
        return math.log10(self.right / self.left)

    @property
    def unit(self) -> float:
        """Pixels for each unit of the value axis."""
        return (HEIGHT - TOP - BOTTOM) / (self.high - self.low)

    def share(self, noise: float) -> float:
        """Where a noise level is, from 0 at the left end to 1."""
        return math.log10(noise / self.left) / self.wide


def headings(pins: pd.DataFrame, new: NewTier, plot: Plot) -> list[dict[str, Any]]:
    """Name, value and weight over each pin: over both neighbours, and over others that fit."""
    heads = [_head(row, new, plot) for _, row in pins.iterrows()]
    places = [(min(max(at, half), ROOM - half), half) for _, _, at, half in heads]
    lit = [i for i in range(len(pins)) if pins[SIDE].iloc[i] != ""]
    if len(lit) == 2:
        low, high = sorted(lit, key=lambda i: heads[i][2])
        places[low], places[high] = _apart(places[low], places[high])
    found: list[dict[str, Any]] = []
    taken: list[tuple[float, float]] = []
    for i in sorted(range(len(pins)), key=lambda i: (i not in lit, i)):
        (name, last, at, _), (center, half), row = heads[i], places[i], pins.iloc[i]
        if i not in lit and any(abs(center - other) < half + space for other, space in taken):
            continue
        taken.append((center, half))
        whole = float(row[VALUE]).is_integer()
        step = max(float(row[NOISE]), float(whole)) or None
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
                xanchor="center",
                xshift=center - at,
                align="center",
            )
        )
    return found


def _head(row: pd.Series, new: NewTier, plot: Plot) -> tuple[str, str, float, float]:
    """Name and last line over a pin, where the pin is, and half the width of the widest."""
    name, weight = plain(row[TIER], 14), row[WEIGHT]
    last = "held" if weight != weight or new.held else f"{new.weighs} {percent(weight)}"
    half = max(pixels(name, bold=True) + 16, pixels(last)) / 2 + 2
    return name, last, plot.share(row[NOISE]) * ROOM, min(half, ROOM / 4)


def _apart(
    low: tuple[float, float], high: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Two places, each a centre and half a width, pushed aside until they do not touch.

    >>> _apart((100.0, 40.0), (110.0, 40.0))
    ((65.0, 40.0), (145.0, 40.0))
    """
    (left, wide), (right, broad) = low, high
    both = wide + broad
    left = max(wide, left - max(0.0, both - (right - left)) / 2)
    right = min(max(right, left + both), ROOM - broad)
    return (min(left, right - both), wide), (right, broad)


def title(new: NewTier, plot: Plot) -> dict[str, Any]:
    """The new tier's name, a row above the others."""
    at = plot.share(new.noise)
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


def level_ticks(pins: pd.DataFrame, new: NewTier, plot: Plot) -> dict[str, Any]:
    """Noise and, below it, the budget: at the new level and at pins that leave room."""
    texts = {new.noise: new.budget} | dict(zip(pins[NOISE], pins[BUDGET], strict=True))
    shown: list[float] = []
    first = {new.noise}
    lit = set(pins[NOISE][pins[SIDE] != ""])
    for noise in sorted(texts, key=lambda n: (n not in first, n not in lit, n)):
        place = plot.share(noise) * ROOM
        half = pixels(texts[noise], 12) / 2 + 3
        if any(
            abs(place - plot.share(o) * ROOM) < half + pixels(texts[o], 12) / 2 + 3 for o in shown
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


def wedges(frame: pd.DataFrame, height: float) -> list[go.Scatter]:
    """Traces along the held numbers, as thick as the chance that a path still is there.

    Args:
        frame: columns `WEDGES`; may be empty.
        height: of the value axis, in its units.
    """
    if frame.empty:
        return []
    require_columns(frame, *WEDGES)
    traces = []
    for _, rows in frame.groupby(GAP):
        half = WEDGE * height * rows[CHANCE].to_numpy(float)
        x, y = rows[NOISE].to_numpy(float), rows[VALUE].to_numpy(float)
        traces.append(
            go.Scatter(
                x=[*x, *x[::-1]],
                y=[*(y - half), *(y + half)[::-1]],
                mode="lines",
                line={"width": 0},
                fill="toself",
                fillcolor=rgba(TierStyle(int(rows[SLOT].iloc[0]), 0).colour, 0.75),
                hoverinfo="skip",
                name="wedge",
            )
        )
    return traces


def band_names(bands: pd.DataFrame, new: NewTier, plot: Plot) -> list[dict[str, Any]]:
    """`95 %` and `50 %` inside the bands left of the new level, where there is room.

    Args:
        bands: columns `bridge.BANDS`.
        new: the level of the slider.
        plot: the axes.
    """
    at = math.log10(new.noise)
    for _, rows in bands.groupby(GAP):
        x = np.log10(rows[NOISE].to_numpy(float))
        if not x[0] < at < x[-1] or new.held or at - x[0] < CLOSE * plot.wide:
            continue
        place = x[0] + 0.72 * (at - x[0])
        outer, inner, middle = (
            float(np.interp(place, x, rows[end])) for end in (HIGH95, HIGH50, MIDDLE)
        )
        names = [("95\u202f%", outer)] if (outer - middle) * plot.unit >= LINE else []
        if min(outer - inner, inner - middle) * plot.unit >= LINE:
            names.append(("50\u202f%", inner))
        return [note(text, place, y, xanchor="center", yanchor="top") for text, y in names]
    return []
