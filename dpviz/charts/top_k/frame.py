"""Frames of the page Top-k: a private list beside the true one, and what tiers hold of it.

Exact counts enter only where the caller passes them: of a made-up example, or after "reveal".
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.accounting import half_width
from dpviz.charts.tidy import RELEASE
from dpviz.errors import ParameterError
from dpviz.noise.family import Family
from dpviz.top_k import fit_in_order
from dpviz.workspace.held import HeldTier

ITEM, TRUE_PLACE, COUNT = "item", "true place", "true count"
PLACE, VALUE, FITTED, FATE = "place on the list", "count as drawn", "count, fitted", "what it is"
RANKINGS = (ITEM, TRUE_PLACE, COUNT, PLACE, VALUE, FITTED, FATE)
FOUND, MISSED, WRONG, LISTED, TRUE = "found", "missed", "wrongly shown", "listed", "common"

Floats = NDArray[np.float64]


def ranked(counts: Mapping[str, int]) -> list[str]:
    """All items, the most common first; of equal counts, in the order of the alphabet.

    >>> ranked({"b": 3, "c": 9, "a": 3})
    ['c', 'a', 'b']
    """
    return sorted(counts, key=lambda item: (-counts[item], item))


def rankings_frame(
    found: Sequence[str] | None,
    values: Floats | None,
    counts: Mapping[str, int] | None,
    k: int,
) -> pd.DataFrame:
    """One row per item of the private list or of the true k; columns `RANKINGS`.

    Args:
        found: the private list; None: nothing is drawn.
        values: noisy counts of its items; None: none are drawn.
        counts: exact counts of all items; None: they are hidden.
        k: how many items were asked for.

    Raises:
        ParameterError: values are not as many as items.

    >>> rankings_frame(["a", "c"], None, {"a": 9, "b": 8, "c": 1}, 2)["what it is"].tolist()
    ['found', 'missed', 'wrongly shown']
    """
    shown = list(found or ())
    if values is not None and len(values) != len(shown):
        raise ParameterError("values must be as many as the items that were found")
    order = ranked(counts) if counts is not None else []
    places = {item: place for place, item in enumerate(order, start=1)}
    listed = {item: place for place, item in enumerate(shown, start=1)}
    drawn = dict(zip(shown, values.tolist(), strict=True)) if values is not None else {}
    fitted: dict[str, float] = {}
    if values is not None:
        fitted = dict(zip(shown, fit_in_order(values, non_negative=True).tolist(), strict=True))
    rows = [
        (
            item,
            places.get(item, math.nan),
            counts.get(item, 0) if counts is not None else math.nan,
            listed.get(item, math.nan),
            drawn.get(item, math.nan),
            fitted.get(item, math.nan),
            _fate(item in listed, places.get(item), k, found is not None, counts is not None),
        )
        for item in dict.fromkeys([*order[:k], *shown])
    ]
    return pd.DataFrame(rows, columns=list(RANKINGS))


def _fate(listed: bool, place: int | None, k: int, drawn: bool, known: bool) -> str:
    if not known:
        return LISTED
    if not drawn:
        return TRUE
    if place is None or place > k:
        return WRONG
    return FOUND if listed else MISSED


def tiers_frame(
    items: Sequence[str], tiers: Sequence[HeldTier], family: Family, confidence: float
) -> pd.DataFrame:
    """What each tier holds of the items on the list, with its intervals; columns `RELEASE`.

    Args:
        items: the list.
        tiers: most private first; each with its release.
        family: noise of the counts.
        confidence: of the intervals.
    """
    rows = []
    for tier in tiers:
        half = half_width(family, tier.level, confidence)
        numbers = () if tier.values is None else (tier.values - family.mean(tier.level)).tolist()
        rows += [
            (item, tier.name, x, x - half, x + half, tier.budget, tier.style)
            for item, x in zip(items, numbers, strict=False)
        ]
    return pd.DataFrame(rows, columns=list(RELEASE))
