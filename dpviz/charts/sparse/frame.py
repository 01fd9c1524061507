"""Frames of the page Sparse histograms: who survives a threshold, and which phantoms appear.

Counts enter only where the caller passes them: for a made-up example, or after "reveal".
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from dpviz import checks
from dpviz.accounting import half_width
from dpviz.noise import ADDITIVE
from dpviz.palette import TierStyle
from dpviz.scenes.releases import RELEASE

TIER, BUDGET, STYLE = "tier", "budget", "style"
THRESHOLD, DRAWN, TRUE_ITEMS, PHANTOMS = "threshold", "drawn", "true items", "phantoms"
RANK, ITEM, COUNT, VALUE = "rank", "item", "count", "value"
RECALL, PRECISION = "recall", "precision"
STRIPS = (TIER, BUDGET, STYLE, THRESHOLD, DRAWN, TRUE_ITEMS, PHANTOMS)
TRUTH = (RANK, COUNT)
SHOWN = (TIER, RANK, ITEM, COUNT, VALUE)
RATES = (THRESHOLD, RECALL, PRECISION)
MOST_SHOWN = 1200  # marks in all strips together
MOST_TRUE = 400  # points of the line of counts

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SparseTier:
    """One tier and its release, as pictures need them; `indices` and `values` None: not drawn."""

    name: str
    budget: str
    level: float
    threshold: float
    style: TierStyle
    indices: NDArray[np.int64] | None
    values: Floats | None

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.between(-math.inf, math.inf, threshold=self.threshold)
        if self.indices is not None:
            checks.arrays(1, indices=self.indices, values=self.values)


def strips_frame(tiers: Sequence[SparseTier], indices: NDArray[np.int64]) -> pd.DataFrame:
    """One row per tier, columns `STRIPS`: how many true items and phantoms its release shows.

    Args:
        tiers: most private first.
        indices: the items that have a count.
    """
    rows = []
    for t in tiers:
        true = int(np.isin(t.indices, indices).sum()) if t.indices is not None else 0
        size = 0 if t.indices is None else t.indices.size
        style = (t.name, t.budget, t.style)
        rows.append((*style, t.threshold, t.indices is not None, true, size - true))
    return pd.DataFrame(rows, columns=list(STRIPS))


def truth_frame(counts: NDArray[np.int64]) -> pd.DataFrame:
    """Counts by rank, the largest first; columns `TRUTH`. Not private, unless they are made up.

    Of more than 400 about as many are kept, evenly over the logarithm of the rank.

    >>> truth_frame(np.array([3, 8, 5]))["count"].tolist()
    [8, 5, 3]
    """
    ordered = np.sort(counts)[::-1]
    ranks = np.arange(1, ordered.size + 1)
    if ordered.size > MOST_TRUE:
        ranks = np.unique(np.round(np.geomspace(1, ordered.size, MOST_TRUE)).astype(int))
    return pd.DataFrame({RANK: ranks, COUNT: ordered[ranks - 1]})


def shown_frame(
    tiers: Sequence[SparseTier],
    indices: NDArray[np.int64],
    counts: NDArray[np.int64],
    names: Callable[[NDArray[np.int64]], list[str]],
) -> pd.DataFrame:
    """The released items with their rank by count; a phantom has count 0 and no rank.

    Columns `SHOWN`. Of many marks an evenly chosen part is kept, phantoms last.

    Args:
        tiers: most private first.
        indices: the items that have a count.
        counts: their counts.
        names: names of items by index.
    """
    order = np.lexsort((indices, -counts))
    known = pd.DataFrame(
        {RANK: np.arange(1.0, order.size + 1), COUNT: counts[order]}, index=indices[order]
    )
    held = [t for t in tiers if t.indices is not None]
    parts = []
    for t in held:
        cells, values = np.asarray(t.indices), np.asarray(t.values)
        rows = known.reindex(cells)
        kept = _evenly(np.argsort(rows[RANK].to_numpy()), MOST_SHOWN // len(held))
        rows = rows.iloc[kept].fillna({COUNT: 0})
        found = {TIER: t.name, RANK: rows[RANK], ITEM: names(cells[kept])}
        parts.append(pd.DataFrame(found | {COUNT: rows[COUNT], VALUE: values[kept]}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(SHOWN))


def _evenly(order: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """At most `most` entries, evenly chosen, the first and the last among them."""
    if order.size <= most:
        return order
    at = np.unique(np.round(np.linspace(0, order.size - 1, most)).astype(np.intp))
    return np.asarray(order[at])


def rates_frame(
    counts: NDArray[np.int64], domain_size: int, level: float, thresholds: Floats
) -> pd.DataFrame:
    """Expected recall and precision of one release against its threshold; columns `RATES`.

        recall = Σᵢ Q((τ - cᵢ)/σ) / k        precision = true / (true + (d - k)·Q(τ/σ))

    with true = Σᵢ Q((τ - cᵢ)/σ), the numbers expected; σ² is the level. From exact counts: not
    private, unless they are made up.

    Args:
        counts: of the k items that have one.
        domain_size: number of items that there could be, d.
        level: variance of the noise.
        thresholds: shape (n,).

    Raises:
        ParameterError: the level is not a finite number above 0.

    >>> frame = rates_frame(np.array([10, 1]), 10**6, 1.0, np.array([5.0]))
    >>> frame.round(3).to_numpy().tolist()
    [[5.0, 0.5, 0.777]]
    """
    checks.positive(level=level)
    sigma = math.sqrt(level)
    different, often = np.unique(counts, return_counts=True)
    true = special.ndtr((different - thresholds[:, None]) / sigma) @ often
    phantoms = (domain_size - counts.size) * special.ndtr(-thresholds / sigma)
    with np.errstate(invalid="ignore"):  # nothing is expected at all: 0/0
        precision = true / (true + phantoms)
    recall = true / max(counts.size, 1)
    return pd.DataFrame({THRESHOLD: thresholds, RECALL: recall, PRECISION: precision})


def released_items_frame(
    tiers: Sequence[SparseTier],
    names: Callable[[NDArray[np.int64]], list[str]],
    most: int,
    confidence: float,
) -> pd.DataFrame:
    """Released items of all tiers for `release_chart`, the largest first; columns `RELEASE`.

    In each the least private tier comes first.

    Tiers take turns to name their largest item, the least private tier first; what is at the
    end is shown by the more private tiers alone. A value is NaN where a tier is not shown the item.
    All from released numbers.

    Args:
        tiers: most private first.
        names: names of items by index.
        most: items to keep.
        confidence: of the intervals.
    """
    held = [t for t in tiers if t.indices is not None]
    best: dict[int, tuple[int, float]] = {}
    for rank, t in enumerate(held):  # later ones are less private, and take the place of earlier
        best |= {i: (rank, v) for i, v in _largest(t, most)}
    own = [[i for i, _ in _largest(t, most)] for t in reversed(held)]
    turns = [i for turn in zip_longest(*own) for i in turn if i is not None]
    chosen = set(list(dict.fromkeys(turns))[:most])
    kept = sorted(chosen, key=lambda i: (-best[i][0], -best[i][1]))
    parts = []
    for t in reversed(held):
        found = dict(_largest(t, None, chosen))
        value = np.array([found.get(i, math.nan) for i in kept])
        half = half_width(ADDITIVE["gaussian"], t.level, confidence)
        style = {BUDGET: t.budget, STYLE: t.style}
        numbers = {VALUE: value, "low": value - half, "high": value + half}
        group = names(np.array(kept, dtype=np.int64))
        parts.append(pd.DataFrame({"group": group, TIER: t.name} | numbers | style))
    return pd.concat(parts, ignore_index=True) if kept else pd.DataFrame(columns=list(RELEASE))


def _largest(
    t: SparseTier, most: int | None, among: set[int] | None = None
) -> list[tuple[int, float]]:
    """Items and values of one release: the largest ones, or those of a set."""
    indices, values = np.asarray(t.indices), np.asarray(t.values)
    if among is not None:
        at = np.flatnonzero(np.isin(indices, np.fromiter(among, dtype=np.int64)))
    else:
        at = np.argsort(values)[::-1][:most]
    return list(zip(indices[at].tolist(), values[at].tolist(), strict=True))
