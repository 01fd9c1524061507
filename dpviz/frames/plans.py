"""Frames of what is planned: accuracies, budgets in every currency, sensitivities, columns."""

from collections.abc import Sequence

import pandas as pd

from dpviz.accounting import half_width
from dpviz.data import Column
from dpviz.frames.held import HeldTier
from dpviz.mechanisms.budgets import ACCURACY_CONFIDENCE
from dpviz.mechanisms.tiers import PlannedTier
from dpviz.noise.family import Family
from dpviz.queries import CountPerGroup

LADDER = ("tier", "half_width", "budget", "slot", "symbol")
DELTA_OF = "δ of ε"
PLAN = ("tier", "ρ", "ε", DELTA_OF, "± one group", "± all groups at once", "noise level")


def ladder_frame(tiers: Sequence[HeldTier], family: Family, confidence: float) -> pd.DataFrame:
    """Accuracy of every tier, columns `LADDER`; nothing is drawn for it."""
    rows = [
        (t.name, half_width(family, t.level, confidence), t.budget, t.slot, t.symbol) for t in tiers
    ]
    return pd.DataFrame(rows, columns=list(LADDER))


def plan_frame(planned: Sequence[PlannedTier], family: Family, dimension: int) -> pd.DataFrame:
    """Every tier's budget in every currency, columns `PLAN`; ± at 95 % confidence."""
    rows = [
        (
            p.name,
            p.budget.rho,
            p.budget.epsilon,
            p.budget.delta,
            p.budget.half_width,
            half_width(family, p.budget.level, ACCURACY_CONFIDENCE, coordinates=dimension),
            p.budget.level,
        )
        for p in planned
    ]
    frame = pd.DataFrame(rows, columns=list(PLAN))
    return frame.astype(dict.fromkeys(PLAN[1:], "float64"))


def columns_frame(columns: Sequence[Column]) -> pd.DataFrame:
    """Names and types of a table's columns."""
    return pd.DataFrame([(c.name, c.kind) for c in columns], columns=["column", "type"])


def influence_frame(query: CountPerGroup) -> pd.DataFrame:
    """How far one person of the first groups moves each count; columns group, change."""
    s, groups = query.sensitivity, list(query.groups)
    moved = [s.linf if i < s.l0 else 0 for i in range(len(groups))]
    return pd.DataFrame({"group": groups, "change": moved})


def sensitivity_frame(query: CountPerGroup) -> pd.DataFrame:
    """The three norms as formulas with their numbers, and who needs them."""
    s = query.sensitivity
    return pd.DataFrame(
        [
            ("ℓ₁", s.formula("l1"), "Laplace, Poisson"),
            ("ℓ₂", s.formula("l2"), "Gaussian, Poisson"),
            ("ℓ∞", s.formula("linf"), "Poisson"),
        ],
        columns=["norm", "one person changes at most", "needed by"],
    )
