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
from numpy.typing import NDArray

from dpviz import checks
from dpviz.noise.bridge_law import ReleaseLaw, release_law
from dpviz.noise.family import Family

TIER, LEVEL, NOISE, VALUE, BUDGET = "tier", "level", "noise", "value", "budget"
SLOT, SYMBOL, SIDE, WEIGHT = "slot", "symbol", "side", "weight"
GAP, LOW95, LOW50, MIDDLE = "gap", "low 95", "low 50", "middle"
HIGH50, HIGH95, CHANCE = "high 50", "high 95", "chance"
PINS = (TIER, LEVEL, NOISE, VALUE, BUDGET, SLOT, SYMBOL, SIDE, WEIGHT)
QUANTILES = {LOW95: 0.025, LOW50: 0.25, MIDDLE: 0.5, HIGH50: 0.75, HIGH95: 0.975}
ENDS = (QUANTILES[LOW95], QUANTILES[HIGH95])
BANDS = (GAP, LEVEL, NOISE, *QUANTILES)
HILL = (VALUE, CHANCE)
ATOMS = (VALUE, CHANCE, SIDE)
BELOW, ABOVE, NEITHER = "below", "above", ""
BARS = 60  # up to this many whole numbers a law is drawn as bars
HILL_POINTS = 241
POINTS = 240  # levels of all bands together: a picture of 20 tiers stays quick
WEDGES = (GAP, NOISE, VALUE, CHANCE, SLOT)
TURNS = 17  # levels of a wedge
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
    """One row per pin; columns `PINS`. The two neighbours of `level` carry side and weight."""
    below, above = held.around(level)
    weights, law = (np.nan, np.nan), held.law(level)
    if law is not None and law.atoms:  # how likely it is now, not before any value was drawn
        weights = (law.atoms[0][1], law.atoms[1][1] if len(law.atoms) > 1 else np.nan)
    elif law is not None:
        weights = held.family.weights(
            below.level if below else 0.0, level, above.level if above else None
        )
    rows = []
    for pin in held.pins:
        side = BELOW if pin is below else ABOVE if pin is above else NEITHER
        weight = dict(zip((BELOW, ABOVE), weights, strict=True)).get(side, np.nan)
        noise, value = held.noise(pin.level), held.read(pin.value, pin.level)
        rows.append((pin.tier, pin.level, noise, value, pin.budget, pin.slot, pin.symbol))
        rows[-1] += (side, weight)  # type: ignore[assignment]
    return pd.DataFrame(rows, columns=list(PINS))


def hill_frame(law: ReleaseLaw, held: Held, level: float) -> pd.DataFrame:
    """Sideways picture of a law; columns `HILL`, density or mass, in units of the statistic.

    Up to `BARS` whole numbers each has its row; above, a curve.
    """
    low, high = law.quantile(np.array([0.0005, 0.9995]))
    if held.family.integer and high - low < BARS:
        x: NDArray[np.float64] = np.arange(low, high + 1)
        return pd.DataFrame({VALUE: held.read(x, level), CHANCE: law.density(x)})
    x = np.linspace(low, high, HILL_POINTS)
    atoms = np.array([value for value, _ in law.atoms])
    if held.family.integer:
        x = np.unique(np.round(x))
        x = x[~np.isin(x, atoms)]  # atoms have spikes of their own
        return pd.DataFrame({VALUE: held.read(x, level), CHANCE: law.density(x) / held.step})
    x = np.unique(np.concatenate([x, *(np.nextafter(atoms, end) for end in (-np.inf, np.inf))]))
    x = x[(x >= low) & (x <= high)]
    return pd.DataFrame({VALUE: held.read(x, level), CHANCE: law.density(x) / held.step})


def middle_half(law: ReleaseLaw, held: Held, level: float) -> tuple[float, float]:
    """Between these half of all draws fall, in units of the statistic."""
    low, high = held.read(law.quantile(np.array([0.25, 0.75])), level).tolist()
    return low, high


def is_bars(law: ReleaseLaw, held: Held) -> bool:
    """Whether the law is drawn as bars, one per whole number."""
    low, high = law.quantile(np.array([0.0005, 0.9995]))
    return bool(held.family.integer and high - low < BARS)


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
    held: Held, *, count: int = 0, made: dict[Ends, list[Row]] | None = None
) -> pd.DataFrame:
    """Quantiles of the law at every level between the pins, zero wide there; columns `BANDS`.

    Args:
        held: the pins.
        count: levels of each gap; 0 takes as many as a picture needs.
        made: rows by the ends of their gap, filled as they are made: to add one pin after
            the other makes no gap twice.
    """
    found, made = gaps(held), {} if made is None else made
    count = count or max(9, min(41, POINTS // max(1, len(found))))
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


def wedges_frame(held: Held) -> pd.DataFrame:
    """How likely a path still is, or is already, at a pin's very number; columns `WEDGES`.

    Empty for families whose paths never rest.
    """
    rows: list[Row] = []
    values = {p.level: p for p in held.pins}
    for gap, (low, high) in enumerate(gaps(held)):
        levels = levels_between(low, high, TURNS)
        laws = [(level, held.law(level)) for level in levels]
        for end, place in ((low, 0), (high, 1)):
            pin = values.get(end)
            if pin is None:
                continue
            for level, law in laws:
                if law is None:
                    chance = float(level == end)
                else:
                    chance = law.atoms[place][1] if place < len(law.atoms) else 0.0
                if chance > 0:
                    number = held.read(pin.value, level)
                    rows.append((2 * gap + place, held.noise(level), number, chance, pin.slot))
    lazy = [gap for gap, *_ in rows if sum(row[0] == gap for row in rows) > 1]
    return pd.DataFrame([row for row in rows if row[0] in lazy], columns=list(WEDGES))


def levels_between(low: float, high: float, count: int) -> list[float]:
    """Levels that are closest near both ends, where the bands pinch; the ends are among them.

    >>> [round(level, 3) for level in levels_between(1.0, 16.0, 3)]
    [1.0, 4.0, 16.0]
    """
    share = (1 - np.cos(np.linspace(0, np.pi, count))) / 2
    found = np.exp(np.log(low) + share * (np.log(high) - np.log(low)))
    return [low, *found[1:-1].tolist(), high]
