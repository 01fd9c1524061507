"""Frames of the two stories of the page Sparse histograms: growing the domain, and the erratum."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.mechanisms.printed_histogram import TwoRounds

VALUE, RIGHT, PRINTED = "value", "right", "printed"
LAWS = (VALUE, RIGHT, PRINTED)
SIZE, METHOD, MEASURED = "items possible", "method", "measured"
SECONDS, BYTES, NORMALS = "seconds", "bytes", "normals"
GROWTH = (SIZE, METHOD, MEASURED, SECONDS, BYTES, NORMALS)
OURS, LEMMA, DENSE = "ours", "lemma", "dense"
TAIL = 1e-3  # of the right law's largest density: the picture ends there
POINTS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one histogram took on a domain: ours, and noise in every item where that was tried."""

    size: int
    seconds: float
    bytes: int
    normals: int
    lemma: int
    rounds: int
    dense_seconds: float | None
    dense_bytes: int | None


def laws_frame(story: TwoRounds) -> pd.DataFrame:
    """Both densities of the noisy count that an item without a count shows; columns `LAWS`.

    Per unit of the count, where one person moves a count by 1.

    >>> frame = laws_frame(TwoRounds(0.1, 0.2, 1.5))
    >>> bool((frame["value"] > 3.35).all()), len(frame) <= 300
    (True, True)
    """
    scale = story.second  # the noise is S₂ over ρ₂
    seen = np.maximum(story.right, story.printed) > TAIL * story.right.max()
    last = int(np.flatnonzero(seen)[-1]) + 1
    kept = np.unique(np.linspace(0, last - 1, min(POINTS, last)).astype(int))
    return pd.DataFrame(
        {
            VALUE: story.sums[kept] / scale,
            RIGHT: story.right[kept] * scale,
            PRINTED: story.printed[kept] * scale,
        }
    )


def growth_frame(costs: Sequence[Cost]) -> pd.DataFrame:
    """Time, memory and normal variates by size of the domain; columns `GROWTH`.

    Noise in every item costs in proportion to their number: where it was not tried, its time and
    memory follow from the largest domain on which it was.
    """
    ordered = sorted(costs, key=lambda c: c.size)
    tried = [c for c in ordered if c.dense_seconds is not None and c.dense_bytes is not None]
    rows: list[tuple[object, ...]] = []
    for c in ordered:
        rows.append((c.size, OURS, True, c.seconds, c.bytes, c.normals))
        rows.append((c.size, LEMMA, False, np.nan, np.nan, c.lemma))
        normals = c.size * c.rounds
        if c in tried:
            rows.append((c.size, DENSE, True, c.dense_seconds, c.dense_bytes, normals))
        elif tried:
            last = tried[-1]
            times = c.size / last.size
            seconds = (last.dense_seconds or 0.0) * times
            rows.append((c.size, DENSE, False, seconds, (last.dense_bytes or 0) * times, normals))
    return pd.DataFrame(rows, columns=list(GROWTH))
