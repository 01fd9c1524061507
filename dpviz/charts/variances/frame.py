"""What every tier's noise would be under each scheme, and what a simulation measured.

Formulas and measurements of noise alone: no data, no release and no exact answer enters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz import checks
from dpviz.accounting import scheme_budgets, scheme_levels, scheme_rule, scheme_variances
from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.accounting.scheme_variances import CONVOLVED, ONE_NUMBER
from dpviz.errors import ParameterError
from dpviz.experiments.simulation import SampleVariances, interval
from dpviz.planning.budgets import ACCURACY_CONFIDENCE

SCHEME, TIER, BUDGET, VARIANCE = "scheme", "tier", "budget", "variance"
PART, LEVEL = "part", "level"  # the budget of the tier's own release alone; its noise
LOW, HIGH, FACTOR = "low", "high", "factor"
VARIANCES = (SCHEME, TIER, BUDGET, PART, LEVEL, VARIANCE, FACTOR, "slot", "symbol")
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
    budget: float  # in the currency of the family
    slot: int = 0
    symbol: int = 0

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget)
        checks.whole(0, slot=self.slot, symbol=self.symbol)


def variances_frame(tiers: Sequence[LadderTier], setting: Setting = ONE_NUMBER) -> pd.DataFrame:
    """Noise variance per scheme and tier at equal joint guarantee, columns `VARIANCES`.

    Args:
        tiers: ascending by budget, the largest of which is the joint one.
        setting: the family whose budgets they are, and the statistic.

    Returns:
        Scheme after scheme, tiers ascending; variance in squared units, factor: that variance by
        the lossless one.

    Raises:
        ParameterError: there is no tier, budgets descend, or the family has no noise for a part.

    >>> pair = [LadderTier(name="a", budget=0.1), LadderTier(name="b", budget=0.5)]
    >>> frame = variances_frame(pair)
    >>> frame[frame["scheme"] == "splitting"]["factor"].round(6).tolist()
    [1.0, 1.25]
    """
    budgets = [t.budget for t in tiers]
    if budgets != sorted(budgets):
        raise ParameterError("tiers must ascend by budget; sort them first")
    lossless = scheme_variances(budgets, LOSSLESS, setting=setting)
    parts = []
    for scheme in SCHEMES:
        found = scheme_variances(budgets, scheme, setting=setting)
        levels = scheme_levels(budgets, scheme, setting=setting)
        own = {
            SCHEME: scheme,
            TIER: [t.name for t in tiers],
            BUDGET: budgets,
            PART: _parts(budgets, scheme, levels.tolist(), setting),
            LEVEL: levels,
            VARIANCE: found,
            FACTOR: found / lossless,
            "slot": [t.slot for t in tiers],
            "symbol": [t.symbol for t in tiers],
        }
        parts.append(pd.DataFrame(own))
    return pd.concat(parts, ignore_index=True)[list(VARIANCES)]


def _parts(budgets: list[float], scheme: str, levels: list[float], setting: Setting) -> list[float]:
    """What each tier's own release keeps alone, at the plan's δ where it needs one."""
    if scheme_rule(budgets, scheme, setting=setting) == CONVOLVED:
        return [guarantee_of(setting.family).loss(level, setting) for level in levels]
    return [float(part) for part in scheme_budgets(budgets, scheme)]


def measured_frame(
    frame: pd.DataFrame, baseline: str, measured: SampleVariances, setting: Setting = ONE_NUMBER
) -> pd.DataFrame:
    """Sample variances with their 95 % intervals, lossless first, columns `MEASURED`.

    Args:
        frame: as `variances_frame` gives it.
        baseline: the scheme that was measured beside the lossless one.
        measured: the sample variances in squared steps, tiers ascending.
        setting: that of the frame.

    Returns:
        Factors are by the lossless variance of the formula.
    """
    family, unit, parts = setting.family, setting.step**2, []
    for scheme, steps in ((LOSSLESS, measured.lossless), (baseline, measured.baseline)):
        rows, found = of_scheme(frame, scheme).copy(), steps * unit
        kurtosis = np.array(
            [family.fourth_moment(x) / family.variance(x) ** 2 for x in rows[LEVEL].tolist()]
        )
        low, high = interval(found, measured.repetitions, ACCURACY_CONFIDENCE, kurtosis=kurtosis)
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
    """What each scheme costs one tier: variance, factor, and the standard deviation's factor.

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
