"""Laplace or Gauss for each tier of the plan: a point in the map, and a row of a table."""

from collections.abc import Callable, Sequence

import pandas as pd

from dpviz.charts.axes import LN_10
from dpviz.charts.crossover.frame import HEIGHT, LOG10_DELTA
from dpviz.planning.choice import LAPLACE, TierChoice

TIER, SLOT, SYMBOL, EPSILON, BETTER, TIMES = "tier", "slot", "symbol", "ε", "use", "other variance"
LAPLACE_DEVIATION, GAUSS_DEVIATION = "Laplace needs", "Gauss needs"
L2_DEVIATION, CROSSOVER = "ℓ2 Laplace needs", "δ*"
CROSSOVER_POINTS = (TIER, LOG10_DELTA, HEIGHT, SLOT, SYMBOL)
CROSSOVER_TIERS = (
    TIER,
    BETTER,
    TIMES,
    EPSILON,
    LAPLACE_DEVIATION,
    GAUSS_DEVIATION,
    L2_DEVIATION,
    CROSSOVER,
)


def crossover_points(
    chosen: Sequence[TierChoice], style: Callable[[str], tuple[int, int]]
) -> pd.DataFrame:
    """Where each tier lies in the map of δ and ε; columns `CROSSOVER_POINTS`.

    Args:
        chosen: the tiers.
        style: slot and symbol of a tier.
    """
    rows = []
    for c in chosen:
        asked, name = c.choice.question, c.planned.name
        rows.append((name, asked.log_delta / LN_10, asked.epsilon, *style(name)))
    return pd.DataFrame(rows, columns=list(CROSSOVER_POINTS))


def crossover_tiers(chosen: Sequence[TierChoice]) -> pd.DataFrame:
    """What each noise would need for each tier; columns `CROSSOVER_TIERS`.

    Standard deviations in units of the statistic; `TIMES` is the variance of the worse noise over
    that of the better; `CROSSOVER` is ln δ*.
    """
    rows = [
        (
            c.planned.name,
            "Laplace" if c.choice.better == LAPLACE else "Gauss",
            c.choice.factor,
            c.choice.question.epsilon,
            c.choice.laplace,
            c.choice.gaussian,
            c.choice.laplace_l2,
            c.choice.crossover,
        )
        for c in chosen
    ]
    return pd.DataFrame(rows, columns=list(CROSSOVER_TIERS))
