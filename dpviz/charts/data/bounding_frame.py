"""Frames of what bounding costs. Both come from exact numbers: not private, teaching mode only."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.queries import Kept, Query

BOUNDING = ("group", "bounded", "unbounded", "difference")
KEPT = ("stage", "rows", "share")


def bounding_frame(
    query: Query, bounded_estimates: NDArray[Any], unbounded: NDArray[Any]
) -> pd.DataFrame:
    """How far the bounds move each number, columns `BOUNDING`, in units of the statistic.

        difference = bounded − unbounded

    Args:
        query: the statistic.
        bounded_estimates: its exact bounded numbers, as read; shape (labels,).
        unbounded: the same numbers without ℓ₀, ℓ∞ and clip, as `dpviz.queries.unbounded` gives
            them; shape (labels,). NaN where there is none: a mean without rows.
    """
    bounded = np.asarray(bounded_estimates, dtype=np.float64)
    whole = np.asarray(unbounded, dtype=np.float64)
    columns = (list(query.labels), bounded, whole, bounded - whole)
    return pd.DataFrame(dict(zip(BOUNDING, columns, strict=True)))


def kept_frame(kept: Kept) -> pd.DataFrame:
    """How many rows are left after each bound, columns `KEPT`; shares are of all rows.

    The last row counts the rows whose value the clip moved; they stay, at the bound.
    """
    stages = (
        ("in the file", kept.rows),
        ("in a group, with what is needed", kept.in_groups),
        ("after the bound on groups", kept.after_groups),
        ("after the bound on rows", kept.after_rows),
        ("moved by the clip", kept.clipped),
    )
    rows = [(stage, count, count / max(kept.rows, 1)) for stage, count in stages]
    return pd.DataFrame(rows, columns=list(KEPT))
