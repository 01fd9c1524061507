"""Answers of linear queries as the rows of a picture of releases."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.scenes.releases import RELEASE
from dpviz.workspace.held import HeldTier


def answers_frame(
    tiers: Sequence[HeldTier],
    names: Sequence[str],
    reaches: Sequence[NDArray[np.float64]],
) -> pd.DataFrame:
    """One row per answer and held tier; columns `RELEASE`.

    Args:
        tiers: with their answers as `values`, in the order to draw them.
        names: of the answers, shape (m,).
        reaches: half widths of the answers, per tier: the interval is value ± reach.
    """
    parts = []
    for tier, reach in zip(tiers, reaches, strict=True):
        value = np.asarray(tier.values, dtype=np.float64)
        looks = {"budget": tier.budget, "style": tier.style}
        frame = pd.DataFrame({"group": list(names), "tier": tier.name, "value": value})
        parts.append(frame.assign(low=value - reach, high=value + reach, **looks))
    if not parts:
        return pd.DataFrame(columns=list(RELEASE))
    return pd.concat(parts, ignore_index=True)[list(RELEASE)]
