"""Frames of the two stories of the page Sparse histograms: growing the domain, and the erratum."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz import checks
from dpviz.sparse.printed_law import Round

VALUE, RIGHT, PRINTED = "value", "right", "printed"
LAWS = (VALUE, RIGHT, PRINTED)
SIZE, METHOD, MEASURED = "items possible", "method", "measured"
SECONDS, BYTES, NORMALS = "seconds", "bytes", "normals"
GROWTH = (SIZE, METHOD, MEASURED, SECONDS, BYTES, NORMALS)
OURS, LEMMA, DENSE = "ours", "lemma", "dense"
TAIL = 1e-3  # of the right law's largest density: the picture ends there
POINTS = 300
REACH = 8.0  # standard deviations above the threshold, at most


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

    def __post_init__(self) -> None:
        checks.non_negative(seconds=self.seconds)
        checks.known(checks.non_negative, dense_seconds=self.dense_seconds)
        for count in (self.size, self.bytes, self.normals, self.lemma, self.rounds):
            checks.whole(0, count=count)
        if self.dense_bytes is not None:
            checks.whole(0, dense_bytes=self.dense_bytes)


def laws_frame(shown: Round) -> pd.DataFrame:
    """Both densities of the noisy count that an item without a count shows; columns `LAWS`.

    Per unit of the count, in the round in which it shows for the first time.

    >>> from dpviz.sparse.printed_law import printed_rounds
    >>> frame = laws_frame(printed_rounds((0.1, 0.2), (3.35, 2.37), l2_sensitivity=1.0)[-1])
    >>> bool((frame["value"] > 2.37).all()), len(frame) <= 300
    (True, True)
    """
    reach = REACH * shown.right.level**0.5
    values = shown.threshold + reach * np.linspace(1e-6, 1, 2 * POINTS) ** 2
    right, printed = shown.right.density(values), shown.printed_density(values)
    seen = np.maximum(right, printed) > TAIL * right.max()
    last = int(np.flatnonzero(seen)[-1]) + 1
    kept = np.unique(np.linspace(0, last - 1, min(POINTS, last)).astype(int))
    return pd.DataFrame({VALUE: values[kept], RIGHT: right[kept], PRINTED: printed[kept]})


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
