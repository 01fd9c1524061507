"""The frame of "which groups are still readable at this tier"."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.checks import positive

READABLE = ("group", "tier", "size", "relative", "readable", "slot", "symbol")


def readable_frame(
    groups: Sequence[str],
    sizes: NDArray[Any],
    tiers: Sequence[tuple[str, float, int, int]],
    limit: float,
) -> pd.DataFrame:
    """Relative error of every group at every tier, columns `READABLE`.

        relative = half width / size        readable: relative ≤ limit

    Args:
        groups: names of the k groups.
        sizes: what each group is expected to hold, from public knowledge, in units of the
            statistic; shape (k,). A size that is not above 0 is never readable.
        tiers: name, half width in the same units, slot and symbol of each tier, most private first.
        limit: the largest relative error that still counts as readable, e.g. 0.1.

    Raises:
        ParameterError: if the limit is not above 0.

    >>> frame = readable_frame(["a", "b"], np.array([100, 10]), [("audit", 5.0, 2, 0)], 0.1)
    >>> frame["relative"].tolist(), frame["readable"].tolist()
    ([0.05, 0.5], [True, False])
    """
    positive(limit=limit)
    size, parts = np.asarray(sizes, dtype=np.float64), []
    for name, half, slot, symbol in tiers:
        relative = np.full(len(size), np.inf)
        np.divide(half, size, out=relative, where=size > 0)
        columns = (list(groups), name, size, relative, relative <= limit, slot, symbol)
        parts.append(pd.DataFrame(dict(zip(READABLE, columns, strict=True))))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(READABLE))
