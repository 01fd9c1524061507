"""Frames of the Bridge paths page: pinned releases, what a draw would give, one possible path.

One coordinate. Values are in whole steps where they are drawn; in the frames they are in units of
the statistic, and without the mean of their noise (Poisson) unless they are read raw. Limits: the
exact value enters only where the caller passes it; without it nothing exists below the least noisy
release. Where paths run between the pins is read off the law; nothing is drawn for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from dpviz import checks
from dpviz.noise.bridge_law import ReleaseLaw, release_law
from dpviz.noise.family import Family

TIER, LEVEL, NOISE, VALUE, BUDGET = "tier", "level", "noise", "value", "budget"
SLOT, SYMBOL, SIDE = "slot", "symbol", "side"
GAP, LOW95, LOW50, MIDDLE = "gap", "low 95", "low 50", "middle"
HIGH50, HIGH95, CHANCE = "high 50", "high 95", "chance"
PINS = (TIER, LEVEL, NOISE, VALUE, BUDGET, SLOT, SYMBOL, SIDE)
QUANTILES = {LOW95: 0.025, LOW50: 0.25, MIDDLE: 0.5, HIGH50: 0.75, HIGH95: 0.975}
ENDS = (QUANTILES[LOW95], QUANTILES[HIGH95])
BANDS = (GAP, LEVEL, NOISE, *QUANTILES)
ATOMS = (VALUE, CHANCE, SIDE)
BELOW, ABOVE, NEITHER = "below", "above", ""
Row = tuple[float, ...]
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One held release of one coordinate."""

    tier: str
    level: float
    value: float  # in whole steps, as it was released
    budget: str
    slot: int
    symbol: int

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.finite(value=self.value)
        checks.whole(0, slot=self.slot, symbol=self.symbol)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What is known of one coordinate: pins by rising level, and the exact value if it is public.

    `bottom` and `top` are the ends of the axis; `raw` leaves the mean of the noise in what is read.
    """

    family: Family
    pins: tuple[Pin, ...]
    exact: float | None
    bottom: float
    top: float
    step: float = 1.0
    raw: bool = False

    def __post_init__(self) -> None:
        checks.finite(bottom=self.bottom, top=self.top)
        checks.known(checks.finite, exact=self.exact)
        checks.positive(step=self.step)

    def around(self, level: float) -> tuple[Pin | None, Pin | None]:
        """The held releases on either side of a level."""
        below = [p for p in self.pins if p.level < level]
        above = [p for p in self.pins if p.level > level]
        return (below[-1] if below else None), (above[0] if above else None)

    def at(self, level: float) -> Pin | None:
        """The release held at this level, if there is one."""
        return next((p for p in self.pins if p.level == level), None)

    def holds(self, level: float) -> bool:
        """Whether a release at this level is held."""
        return self.at(level) is not None

    def law(self, level: float) -> ReleaseLaw | None:
        """Law of a new release in whole steps; None where it would use a value that is hidden."""
        below, above = self.around(level)
        start = below.value if below else self.exact
        if start is None or self.holds(level):
            return None
        return release_law(
            self.family,
            start,
            above.value if above else None,
            below.level if below else 0.0,
            level,
            above.level if above else None,
        )

    def weights(self, level: float) -> tuple[float, float]:
        """How much the held releases on either side count in the mean of a new one; or NaN."""
        below, above = self.around(level)
        low, high = below.level if below else 0.0, above.level if above else None
        return self.family.weights(low, level, high)

    @property
    def jumps(self) -> bool:
        """Whether a path, as it is read, stays where it is between jumps."""
        drifts = not self.raw and self.family.mean(1.0)
        return (self.family.lazy or self.family.integer) and not drifts

    def read(self, value: Any, level: float) -> Any:
        """A released number in units; without the mean of its noise, unless `raw`."""
        return (value - (0.0 if self.raw else self.family.mean(level))) * self.step

    def noise(self, level: float) -> float:
        """Standard deviation of the noise, in units of the statistic."""
        return self.step * float(np.sqrt(self.family.variance(level)))


def pins_frame(held: Held, level: float) -> pd.DataFrame:
    """One row per pin; columns `PINS`. The two neighbours of `level` have a side."""
    below, above = held.around(level)
    rows = []
    for pin in held.pins:
        side = BELOW if pin is below else ABOVE if pin is above else NEITHER
        noise, value = held.noise(pin.level), held.read(pin.value, pin.level)
        rows.append((pin.tier, pin.level, noise, value, pin.budget, pin.slot, pin.symbol, side))
    return pd.DataFrame(rows, columns=list(PINS))


def atoms_frame(law: ReleaseLaw, held: Held, level: float) -> pd.DataFrame:
    """Chances to be identical to a neighbour; columns `ATOMS`."""
    rows = [
        (held.read(value, level), chance, side)
        for (value, chance), side in zip(law.atoms, (BELOW, ABOVE), strict=False)
    ]
    return pd.DataFrame([r for r in rows if r[1] > 0], columns=list(ATOMS))


def gaps(held: Held) -> list[tuple[float, float]]:
    """Ends of the stretches between the pins and to the ends of the axis.

    The one below the first pin exists only where the exact value is public.
    """
    ends = [p.level for p in held.pins]
    if held.exact is not None:
        ends = [held.bottom, *ends]
    return [(low, high) for low, high in pairwise([*ends, held.top]) if low < high]


def bands_frame(
    held: Held, *, count: int, made: dict[Ends, list[Row]] | None = None
) -> pd.DataFrame:
    """Quantiles of the law at every level between the pins, zero wide there; columns `BANDS`.

    Args:
        held: the pins.
        count: levels of each gap.
        made: rows by the ends of their gap, filled as they are made: to add one pin after
            the other makes no gap twice.
    """
    found, made = gaps(held), {} if made is None else made
    rows = []
    for gap, ends in enumerate(found):
        if ends not in made:
            made[ends] = list(_quantiles(held, ends, count))
        rows += [(gap, *row) for row in made[ends]]
    return pd.DataFrame(rows, columns=list(BANDS))


def _quantiles(held: Held, ends: Ends, count: int) -> Iterator[Row]:
    """Level, noise and the quantiles between two ends."""
    values = {p.level: p.value for p in held.pins}
    chances = np.array(list(QUANTILES.values()))
    for level in levels_between(*ends, count):
        law = held.law(level)
        if level in values:
            at = np.full(len(QUANTILES), values[level])
        elif law is not None:
            at = law.quantile(chances)
        else:
            continue
        yield level, held.noise(level), *held.read(at, level)


def levels_between(low: float, high: float, count: int) -> list[float]:
    """Levels that are closest near both ends, where the bands pinch; the ends are among them.

    >>> [round(level, 3) for level in levels_between(1.0, 16.0, 3)]
    [1.0, 4.0, 16.0]
    """
    share = (1 - np.cos(np.linspace(0, np.pi, count))) / 2
    found = np.exp(np.log(low) + share * (np.log(high) - np.log(low)))
    return [low, *found[1:-1].tolist(), high]
