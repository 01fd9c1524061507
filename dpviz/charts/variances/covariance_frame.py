"""The covariance of every two tiers' noise: theory, simulation, band, and whether it holds.

Noise alone: no data, no release and no exact answer enters.
"""

from collections.abc import Sequence

import pandas as pd

from dpviz.errors import ParameterError
from dpviz.experiments.covariance import CovarianceCheck
from dpviz.workspace.held import HeldTier

COVARIANCE = ("row", "column", "theory", "sample", "low", "high", "outside")
LABELS = ("tier", "slot", "symbol")


def covariance_frame(check: CovarianceCheck) -> pd.DataFrame:
    """One row per cell of the matrix, columns `COVARIANCE`; row and column count from 0.

    >>> import numpy as np
    >>> one = np.ones((1, 1))
    >>> found = CovarianceCheck(one, 2 * one, 0.5 * one, one > 0)
    >>> covariance_frame(found).values.tolist()
    [[0, 0, 1.0, 2.0, 0.5, 1.5, True]]
    """
    cells = [
        (
            i,
            j,
            check.theory[i, j],
            check.sample[i, j],
            check.theory[i, j] - check.half[i, j],
            check.theory[i, j] + check.half[i, j],
            bool(check.outside[i, j]),
        )
        for i in range(len(check.theory))
        for j in range(len(check.theory))
    ]
    return pd.DataFrame(cells, columns=list(COVARIANCE))


def covariance_labels(tiers: Sequence[HeldTier]) -> pd.DataFrame:
    """The labels of the matrix, least noisy first, columns `LABELS`.

    Raises:
        ParameterError: noise does not grow from one tier to the next.
    """
    levels = [t.level for t in tiers]
    if levels != sorted(levels):
        raise ParameterError("the least noisy tier comes first; sort by level")
    return pd.DataFrame([(t.name, t.slot, t.symbol) for t in tiers], columns=list(LABELS))
