"""What could come, kept by nobody: its range, read off the law, or a whole path by the bridge."""

import numpy as np
import pandas as pd

from dpviz.charts.bridge.frame import NOISE, QUANTILES, VALUE, Held


def path_frame(held: Held, *, rng: np.random.Generator, count: int = 0) -> pd.DataFrame:
    """One possible path through the pins, by the family's own bridge; columns noise and value.

    Levels are drawn from left to right, each between the one before and the next pin: the process
    is Markov, so that any other order has the same law.
    """
    if not held.pins and held.exact is None:
        return pd.DataFrame(columns=[NOISE, VALUE])
    count = count or (140 if held.family.slow else 600)
    start, values = held.bottom, {p.level: p.value for p in held.pins}
    level, value = 0.0, held.exact
    if held.exact is None:
        start = level = held.pins[0].level
        value = held.pins[0].value
    pinned = [p.level for p in held.pins if start <= p.level <= held.top]
    grid = np.exp(np.linspace(np.log(start), np.log(held.top), count))[1:-1].tolist()
    rows = []
    kind = np.int64 if held.family.integer else np.float64
    for at in sorted({start, held.top, *grid, *pinned}):
        if at in values:
            value = values[at]
        elif at > level:
            below = np.array([value], dtype=kind)
            ahead = [p for p in held.pins if p.level > at]
            if ahead:
                above = np.array([ahead[0].value], dtype=kind)
                drawn = held.family.bridge(below, above, level, at, ahead[0].level, rng=rng)
            else:
                drawn = held.family.extend(below, level, at, rng=rng)
            value = float(drawn[0])
        level = at
        rows.append((held.noise(at), np.nan if value is None else held.read(value, at)))
    return pd.DataFrame(rows, columns=[NOISE, VALUE])


def reach_frame(held: Held, level: float) -> pd.DataFrame:
    """Between which numbers a draw at this level falls, in units: one row, columns `QUANTILES`.

    They are read off the law, and nothing is drawn; no row where it would use a hidden number.
    """
    law = held.law(level)
    if law is None:
        return pd.DataFrame(columns=list(QUANTILES))
    found = held.read(law.quantile(np.array(list(QUANTILES.values()))), level)
    return pd.DataFrame([found], columns=list(QUANTILES))
