"""The last draw: the number that was drawn, and the numbers between which it hangs.

Left and right is the number, the higher the sharper. The exact number is not among the rows: a
dotted stub leads up to where it would be. Where a new number could have fallen between two held
ones is read off the law; nothing is drawn for it. Heights keep the order of the noise; where rows
would touch they are spread, and those that the draw did not look at are left out.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.labels import Floats, note
from dpviz.charts.threads import BOTTOM, HEIGHT, STUB, TOP, threads
from dpviz.charts.threads_frame import HELD, LARGE, QUANTILES, STRING, THREADS
from dpviz.errors import ParameterError
from dpviz.noise.bridge_law import release_law
from dpviz.noise.family import Family
from dpviz.palette import TierStyle
from dpviz.planning.budgets import usual_half_width
from dpviz.words import percent
from dpviz.workspace.held import HeldTier

CLOSE = 26.0  # pixels between two rows
STEPS, SLOW_STEPS = 31, 9  # levels at which a string's bands are computed


@dataclass(frozen=True)
class LastDraw:
    """One entry of the numbers of each tier, and which of them was drawn last.

    Attributes:
        tiers: the tiers with their releases, sharpest first.
        level: of the release that was drawn last.
        place: which entry of the numbers is shown.
        family: of the noise.
        step: one whole step in units of the statistic.
    """

    tiers: tuple[HeldTier, ...]
    level: float
    place: int
    family: Family
    step: float

    def __post_init__(self) -> None:
        checks.positive(level=self.level, step=self.step)
        checks.whole(0, place=self.place)
        if self.level not in [t.level for t in self.tiers]:
            raise ParameterError("no tier holds this level: pass the level of one")

    @property
    def at(self) -> int:
        """Place of the last draw among the tiers."""
        return [t.level for t in self.tiers].index(self.level)

    @property
    def above(self) -> HeldTier | None:
        """The next sharper one; None: the draw looked at the exact number."""
        return self.tiers[self.at - 1] if self.at else None

    @property
    def below(self) -> HeldTier | None:
        """The next blurrier one."""
        return self.tiers[self.at + 1] if self.at + 1 < len(self.tiers) else None

    @property
    def drawn(self) -> HeldTier:
        """The tier that was drawn last."""
        return self.tiers[self.at]

    def read(self, raw: float, level: float) -> float:
        """A number in units, without the mean of its noise."""
        return float((raw - self.family.mean(level)) * self.step)

    def value(self, tier: HeldTier) -> float:
        """What a tier reads from its release."""
        return self.read(_raw(tier, self.place), tier.level)

    def sd(self, level: float) -> float:
        """Standard deviation of the noise, in units."""
        return self.step * math.sqrt(self.family.variance(level))

    def half(self, tier: HeldTier) -> float:
        """± of a tier, in units."""
        return usual_half_width(self.family, tier.level, self.step)


def _raw(tier: HeldTier, place: int) -> float:
    return float(np.asarray(tier.values)[place])


def last_draw_frames(last: LastDraw) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Rows and string, as `threads` takes them; no string where the exact number was looked at.

    The column sd holds heights: the standard deviation, or what keeps its order where rows touch.
    """
    shown, height = _heights(last)
    rows = [
        (
            *(tier.name, last.value(tier), height(last.sd(tier.level)), last.half(tier), 0.0),
            *(above.name if above else "", LARGE if tier.level == last.level else HELD),
            *(tier.slot, tier.symbol),
        )
        for above, tier in pairwise([None, *shown])
        if tier is not None
    ]
    return pd.DataFrame(rows, columns=list(THREADS)), _string(last, height)


def _heights(last: LastDraw) -> tuple[list[HeldTier], Callable[[float], float]]:
    """Which tiers are shown, and how high: as their noise is if that keeps them apart."""
    near = [t for t in (last.above, last.drawn, last.below) if t is not None]
    for shown in (list(last.tiers), near):
        spread = np.array([last.sd(t.level) for t in shown])
        sharpest = spread[0]
        for scale in (spread, sharpest * (1 + np.log(spread / sharpest))):
            if _apart(scale):
                return shown, _between(spread, scale)
    even = spread[0] * (1.0 + np.arange(len(near)))
    return near, _between(spread, even)


def _between(known: Floats, height: Floats) -> Callable[[float], float]:
    return lambda sd: float(np.interp(sd, known, height))


def _apart(height: Floats) -> bool:
    if len(height) < 2:
        return True
    room = (HEIGHT - TOP - BOTTOM - STUB) / 1.09
    return bool(np.diff(height).min() / (height[-1] - height[0]) * room >= CLOSE)


def _string(last: LastDraw, height: Callable[[float], float]) -> pd.DataFrame | None:
    """Where the number could have fallen, between the two next to it."""
    above, below, family = last.above, last.below, last.family
    if above is None or below is None:
        return None
    high, low = _raw(above, last.place), _raw(below, last.place)
    if family.never_falls and low < high:
        return None
    rows: list[tuple[float, ...]] = [(height(last.sd(above.level)), *4 * (last.value(above),))]
    levels = np.geomspace(above.level, below.level, SLOW_STEPS if family.slow else STEPS)
    for level in levels[1:-1].tolist():
        law = release_law(family, high, low, above.level, level, below.level)
        found = (last.read(x, level) for x in law.quantile(np.array(QUANTILES)).tolist())
        rows.append((height(last.sd(level)), *found))
    rows.append((height(last.sd(below.level)), *4 * (last.value(below),)))
    return pd.DataFrame(rows, columns=list(STRING))


def last_draw_chart(
    frame: pd.DataFrame, string: pd.DataFrame | None, *, pinned: TierStyle, remark: str
) -> go.Figure:
    """Draw the last draw on its string; the numbers stand at the marks, and on no axis.

    Args:
        frame: rows, as `last_draw_frames` makes them.
        string: bands, likewise; None: none are known.
        pinned: look of the tier that was drawn.
        remark: words at the stub that leads up to the exact number.
    """
    fig = threads(frame, ticks={}, string=string, pinned=pinned, remark=remark, guesses=False)
    if string is not None:
        fig.layout.annotations += tuple(_shares(string))
    return fig


def _shares(string: pd.DataFrame) -> list[go.layout.Annotation]:
    """How much falls within each band, inside its left edge, where it is far from both ends."""
    row = string.iloc[round(0.6 * len(string))]
    look = {"xshift": 4, "font": {"size": 12}}
    places = (row[name] for name in STRING[1:3])
    return [
        go.layout.Annotation(note(percent(1 - 2 * tail), x, row["sd"], **look))
        for tail, x in zip(QUANTILES, places, strict=False)
    ]
