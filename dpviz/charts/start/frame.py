"""The law of each tier's error, as hills: what may still be true around what a tier holds."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.accounting import half_width
from dpviz.errors import ParameterError
from dpviz.noise.family import Family
from dpviz.queries import Query
from dpviz.workspace.held import HeldTier

CURVE = ("tier", "x", "density")
MARK = ("tier", "centre", "half_width", "label", "slot", "symbol")

HILL_POINTS = 301  # over the whole picture, and over each hill
HILL_REACH = 3.3  # standard deviations to either side


def has_hills(query: Query) -> bool:
    """Whether one released coordinate stands behind each number read: counts and sums, no means.

    A mean is a quotient of two released numbers; the law of its error is not shifted noise.
    """
    return query.per_value == 1


def hills_frames(
    query: Query,
    tiers: Sequence[HeldTier],
    family: Family,
    confidence: float,
    *,
    group: int,
    describe: Callable[[float, float], str],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The law of each tier's error, around what the tier holds of one group: `CURVE` and `MARK`.

    Before a release the hill is at 0: it is the law of release − exact, and tells nothing of
    the data. Afterwards it stands on the de-biased release and is the law of what the exact number
    may be. Everything is in units of the statistic; the density is per step, which no picture sees.

    Args:
        query: the statistic; `has_hills` must hold.
        tiers: tiers to draw, most private first.
        family: the noise family.
        confidence: of the interval, e.g. 0.95.
        group: index of the label whose release is shown.
        describe: centre and half width as the label of a mark.

    Raises:
        ParameterError: a number of this statistic is read from two released ones.
    """
    if not has_hills(query):
        raise ParameterError("a mean has no hill: show the ladder of accuracy instead")
    held = [t for t in tiers if t.values is not None]
    shown = held or list(tiers)
    centres = [_centre(t, family, group) for t in shown]
    deviations = [family.variance(t.level) ** 0.5 for t in shown]
    low = min(c - HILL_REACH * sd for c, sd in zip(centres, deviations, strict=True))
    high = max(c + HILL_REACH * sd for c, sd in zip(centres, deviations, strict=True))
    window = np.linspace(low, high, HILL_POINTS)
    curves, marks = [], []
    for t, steps, sd in zip(shown, centres, deviations, strict=True):
        reach = HILL_REACH * sd
        far = window[np.abs(window - steps) > reach * (1 + 1e-6)]
        near = np.linspace(steps - reach, steps + reach, HILL_POINTS)  # narrow hills need their own
        x, density = _hill(t, steps, np.sort(np.concatenate([far, near])), family)
        curves.append(pd.DataFrame({"tier": t.name, "x": query.step * x, "density": density}))
        centre, a = query.step * steps, query.step * half_width(family, t.level, confidence)
        marks.append((t.name, centre, a, describe(centre, a), t.slot, t.symbol))
    return pd.concat(curves, ignore_index=True), pd.DataFrame(marks, columns=list(MARK))


def _centre(tier: HeldTier, family: Family, group: int) -> float:
    """Where the hill is, in steps."""
    if tier.values is None:
        return 0.0
    return float(tier.values[group]) - family.mean(tier.level)


def _hill(
    tier: HeldTier, centre: float, window: NDArray[Any], family: Family
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Points of one hill: noise as it falls around 0, or mirrored around what is held."""
    sign, mean = (1.0 if tier.values is None else -1.0), family.mean(tier.level)
    noise = sign * (window - centre) + mean
    if family.integer:
        noise = np.unique(np.round(noise))[:: int(sign)]
    return centre + sign * (noise - mean), family.density(noise, tier.level)
