"""What every tier's noise would be under each scheme, and what a simulation measured.

Formulas and measurements of noise alone: no data, no release and no exact answer enters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting import scheme_variances
from dpviz.errors import ParameterError
from dpviz.experiments.simulation import SampleVariances, interval
from dpviz.planning.budgets import ACCURACY_CONFIDENCE

SCHEME, TIER, BUDGET, VARIANCE = "scheme", "tier", "budget", "variance"
LOW, HIGH, FACTOR = "low", "high", "factor"
VARIANCES = (SCHEME, TIER, BUDGET, VARIANCE, FACTOR, "slot", "symbol")
MEASURED = (SCHEME, TIER, BUDGET, VARIANCE, LOW, HIGH, FACTOR, "slot", "symbol")
LOSSLESS = "lossless"
SCHEMES: Mapping[str, str] = {  # key: what people read
    LOSSLESS: "lossless",
    "splitting": "budget split",
    "independent": "independent",
    "doubling": "doubling",
}
BASELINES = tuple(key for key in SCHEMES if key != LOSSLESS)


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderTier:
    """One tier of a ladder of budgets, with its look; slot 0 is the grey of no own tier."""

    name: str
    budget: float  # ρ
    slot: int = 0
    symbol: int = 0

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget)
        checks.whole(0, slot=self.slot, symbol=self.symbol)


def variances_frame(tiers: Sequence[LadderTier], l2_sensitivity: float = 1.0) -> pd.DataFrame:
    """Noise variance per scheme and tier at equal joint guarantee max ρ, columns `VARIANCES`.

    Args:
        tiers: ascending by budget.
        l2_sensitivity: above 0, in units of the statistic.

    Returns:
        Scheme after scheme, tiers ascending; variance in squared units, factor: that variance by
        the lossless one.

    Raises:
        ParameterError: there is no tier, or budgets descend.

    >>> pair = [LadderTier(name="a", budget=0.1), LadderTier(name="b", budget=0.5)]
    >>> frame = variances_frame(pair)
    >>> frame[frame["scheme"] == "splitting"]["factor"].round(6).tolist()
    [1.0, 1.25]
    """
    budgets = [t.budget for t in tiers]
    if budgets != sorted(budgets):
        raise ParameterError("tiers must ascend by budget; sort them first")
    lossless = scheme_variances(budgets, LOSSLESS, l2_sensitivity=l2_sensitivity)
    parts = []
    for scheme in SCHEMES:
        found = scheme_variances(budgets, scheme, l2_sensitivity=l2_sensitivity)
        parts.append(_rows(scheme, tiers, found, found / lossless))
    return pd.concat(parts, ignore_index=True)[list(VARIANCES)]


def measured_frame(frame: pd.DataFrame, baseline: str, measured: SampleVariances) -> pd.DataFrame:
    """Sample variances with their 95 % intervals, lossless first, columns `MEASURED`.

    Args:
        frame: as `variances_frame` gives it.
        baseline: the scheme that was measured beside the lossless one.
        measured: the sample variances, tiers ascending.

    Returns:
        Factors are by the lossless variance of the formula.
    """
    parts = []
    for scheme, found in ((LOSSLESS, measured.lossless), (baseline, measured.baseline)):
        rows = of_scheme(frame, scheme).copy()
        low, high = interval(found, measured.repetitions, ACCURACY_CONFIDENCE)
        lossless = rows[VARIANCE].to_numpy() / rows[FACTOR].to_numpy()
        rows[VARIANCE], rows[LOW], rows[HIGH] = found, low, high
        rows[FACTOR] = found / lossless
        parts.append(rows)
    return pd.concat(parts, ignore_index=True)[list(MEASURED)]


def relative(frame: pd.DataFrame) -> pd.DataFrame:
    """The same frame with variances, and interval ends, in multiples of the lossless formula.

    >>> pair = [LadderTier(name="a", budget=0.1), LadderTier(name="b", budget=0.5)]
    >>> relative(variances_frame(pair))["variance"].round(6).tolist()[2:4]
    [1.0, 1.25]
    """
    unit = frame[VARIANCE] / frame[FACTOR]
    ends = {name: frame[name] / unit for name in (LOW, HIGH) if name in frame.columns}
    return frame.assign(**{VARIANCE: frame[FACTOR]}, **ends)


def of_scheme(frame: pd.DataFrame, scheme: str) -> pd.DataFrame:
    """The rows of one scheme, tiers ascending."""
    return frame[frame[SCHEME] == scheme]


def price_frame(frame: pd.DataFrame, place: int) -> pd.DataFrame:
    """What each scheme costs one tier: variance, factor, and how much wider ± becomes.

    Args:
        frame: as `variances_frame` gives it.
        place: the tier, counted from 0 at the most private one.

    >>> pair = [LadderTier(name="a", budget=0.1), LadderTier(name="b", budget=0.5)]
    >>> price_frame(variances_frame(pair), 1)["wider"].round(3).tolist()
    [1.0, 1.118, 1.095, 1.323]
    """
    rows = [of_scheme(frame, scheme).iloc[place] for scheme in SCHEMES]
    made = pd.DataFrame(
        [(SCHEMES[r[SCHEME]], r[VARIANCE], r[FACTOR], r[FACTOR] ** 0.5) for r in rows],
        columns=[SCHEME, VARIANCE, FACTOR, "wider"],
    )
    return made


def _rows(
    scheme: str,
    tiers: Sequence[LadderTier],
    variance: NDArray[np.float64],
    factor: NDArray[np.float64],
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            SCHEME: scheme,
            TIER: [t.name for t in tiers],
            BUDGET: [t.budget for t in tiers],
            VARIANCE: variance,
            FACTOR: factor,
            "slot": [t.slot for t in tiers],
            "symbol": [t.symbol for t in tiers],
        }
    )
