"""Frames of linear queries: errors of every way before a draw, and the answers that tiers hold."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.charts.tidy import RELEASE
from dpviz.errors import ParameterError
from dpviz.linear.comparison import Comparison
from dpviz.workspace.held import HeldTier

WAY, PLACE, QUERY, ERROR = "way", "place", "query", "error"
TYPICAL, TIMES = "typical error", "times the least"
ERRORS = (WAY, PLACE, QUERY, ERROR)
TOTALS = (WAY, TYPICAL, TIMES)


def errors_frame(
    comparison: Comparison, places: Sequence[int], names: Mapping[int, str]
) -> pd.DataFrame:
    """The standard deviation of every answer for every way; columns `ERRORS`.

    Args:
        comparison: the ways at one budget.
        places: for every answer where it stands on the axis; answers at one place are averaged
            (root mean square), so that all ranges of one length make one point.
        names: what is asked at each place.

    Raises:
        ParameterError: if there is not one place for each answer.

    >>> from dpviz.planning.amounts import Amount
    >>> from dpviz.linear.comparison import compare
    >>> from dpviz.linear.workloads import prefix_sums
    >>> from dpviz.noise import FAMILIES
    >>> found = compare(prefix_sums(4), FAMILIES["laplace"], "ε", Amount(2))
    >>> frame = errors_frame(found, [1, 2, 3, 4], {t: f"week {t}" for t in range(1, 5)})
    >>> frame[frame["way"] == "noise on data"]["error"].round(3).tolist()
    [0.707, 1.0, 1.225, 1.414]
    """
    at = np.asarray(places)
    kept, index = np.unique(at, return_inverse=True)
    frames = []
    for name, way in comparison.ways.items():
        if way.variances.size != at.size:
            raise ParameterError("pass one place for each answer")
        mean = np.bincount(index, weights=way.variances) / np.bincount(index)
        frame = pd.DataFrame({PLACE: kept, QUERY: [names[int(p)] for p in kept]})
        frames.append(frame.assign(**{WAY: name, ERROR: np.sqrt(mean)})[list(ERRORS)])
    return pd.concat(frames, ignore_index=True)


def totals_frame(comparison: Comparison) -> pd.DataFrame:
    """The root mean squared error over all answers, least first; columns `TOTALS`."""
    least = comparison.best.typical
    rows = [(n, w.typical, w.typical / least) for n, w in comparison.ways.items()]
    frame = pd.DataFrame(rows, columns=list(TOTALS))
    return frame.sort_values(TYPICAL, kind="stable", ignore_index=True)


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
        looks = {"budget": tier.budget, "slot": tier.slot, "symbol": tier.symbol}
        frame = pd.DataFrame({"group": list(names), "tier": tier.name, "value": value})
        parts.append(frame.assign(low=value - reach, high=value + reach, **looks))
    if not parts:
        return pd.DataFrame(columns=list(RELEASE))
    return pd.concat(parts, ignore_index=True)[list(RELEASE)]
