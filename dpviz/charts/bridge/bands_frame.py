"""Between the pins of the Bridge paths page: where paths run, and how long they rest.

Both are read off the law of a release at levels between the pins; nothing is drawn. Limits: where
the law would use a hidden value there is no row.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pandas as pd

from dpviz.charts.bridge.frame import BANDS, CHANCE, GAP, NOISE, QUANTILES, SLOT, VALUE, Held

POINTS = 240  # levels of all bands together: a picture of 20 tiers stays quick
WEDGES = (GAP, NOISE, VALUE, CHANCE, SLOT)
TURNS = 17  # levels of a wedge
Row = tuple[float, ...]
Ends = tuple[float, float]


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
