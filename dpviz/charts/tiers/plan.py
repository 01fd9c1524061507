"""The plan as a table: every tier's budget in every currency."""

from collections.abc import Sequence

import pandas as pd

from dpviz.accounting import half_width
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier

DELTA_OF = "δ of ε"
LOSSES = ("ρ", "μ", "ε")
PLAN = ("tier", *LOSSES, DELTA_OF, "± one group", "± all groups at once", "noise level")


def plan_frame(
    planned: Sequence[PlannedTier], family: Family, dimension: int, step: float = 1.0
) -> pd.DataFrame:
    """Every tier's budget in every currency, columns `PLAN`; ± at 95 % confidence, in units.

    Args:
        planned: tiers with their budgets.
        family: the noise family.
        dimension: how many numbers are released, for "all groups at once".
        step: one whole step in units of the statistic.
    """
    rows = [
        (
            p.name,
            p.budget.rho,
            p.budget.mu,
            p.budget.epsilon,
            p.budget.delta,
            p.budget.half_width,
            step * half_width(family, p.budget.level, ACCURACY_CONFIDENCE, coordinates=dimension),
            p.budget.level,
        )
        for p in planned
    ]
    frame = pd.DataFrame(rows, columns=list(PLAN))
    return frame.astype(dict.fromkeys(PLAN[1:], "float64"))
