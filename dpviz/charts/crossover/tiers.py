"""Laplace or Gauss for each tier of the plan: a point in the map."""

from collections.abc import Callable, Sequence

import pandas as pd

from dpviz.charts.axes import LN_10
from dpviz.charts.crossover.frame import HEIGHT, LOG10_DELTA
from dpviz.planning.tier_choice import TierChoice

TIER = "tier"
SLOT, SYMBOL = "slot", "symbol"
CROSSOVER_POINTS = (TIER, LOG10_DELTA, HEIGHT, SLOT, SYMBOL)


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
