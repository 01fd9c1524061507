"""Answers of linear queries as the rows of a picture of releases."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.charts.tidy import RELEASE
from dpviz.workspace.held import HeldTier


def answers_frame(
    tiers: Sequence[HeldTier],
    names: Sequence[str],
    offsets: Sequence[NDArray[np.float64]],
    reaches: Sequence[NDArray[np.float64]],
) -> pd.DataFrame:
    """One row per answer and held tier; columns `RELEASE`.

    Args:
        tiers: with their answers as `values`, in the order to draw them.
        names: of the answers, shape (m,).
        offsets: mean of the noise in the answers, per tier, which is taken off.
        reaches: half widths of the answers, per tier: the interval is value ± reach.
    """
    parts = []
    for tier, offset, reach in zip(tiers, offsets, reaches, strict=True):
        value = np.asarray(tier.values, dtype=np.float64) - offset
        looks = {"budget": tier.budget, "style": tier.style}
        frame = pd.DataFrame({"group": list(names), "tier": tier.name, "value": value})
        parts.append(frame.assign(low=value - reach, high=value + reach, **looks))
    if not parts:
        return pd.DataFrame(columns=list(RELEASE))
    return pd.concat(parts, ignore_index=True)[list(RELEASE)]
