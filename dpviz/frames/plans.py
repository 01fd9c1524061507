"""Frames of what is planned: accuracies, budgets in every currency, sensitivities, columns."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd

from dpviz.accounting import half_width
from dpviz.data import Column
from dpviz.frames.held import HeldTier
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Query
from dpviz.queries.sensitivity import Norm

LADDER = ("tier", "half_width", "budget", "slot", "symbol")
DELTA_OF = "δ of ε"
INFLUENCE = ("group", "change")
NORMS: tuple[tuple[Norm, str, str], ...] = (
    ("l1", "ℓ₁", "Laplace, discrete Laplace, Poisson, Skellam"),
    ("l2", "ℓ₂", "Gaussian, Poisson, Skellam"),
    ("linf", "ℓ∞", "Poisson, Skellam"),
)
PLAN = ("tier", "ρ", "μ", "ε", DELTA_OF, "± one group", "± all groups at once", "noise level")


def ladder_frame(
    tiers: Sequence[HeldTier], family: Family, confidence: float, step: float = 1.0
) -> pd.DataFrame:
    """Accuracy of every tier, columns `LADDER`; nothing is drawn for it.

    The half width is of one released number, in units of the statistic: `step` is one whole step.
    """
    rows = [
        (t.name, step * half_width(family, t.level, confidence), t.budget, t.slot, t.symbol)
        for t in tiers
    ]
    return pd.DataFrame(rows, columns=list(LADDER))


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


def columns_frame(columns: Sequence[Column]) -> pd.DataFrame:
    """Names and types of a table's columns."""
    return pd.DataFrame([(c.name, c.kind) for c in columns], columns=["column", "type"])


def influence_frame(query: Query) -> pd.DataFrame:
    """One person who moves the statistic as far as they can; columns `INFLUENCE`.

    One row per released number, in units of the statistic (of the mean: in halves of its range,
    and rows). Add or remove: the first ℓ₀ groups move one way. Replace: the first ℓ₀ groups lose
    what the next ℓ₀ gain; where the list is shorter than 2ℓ₀, the groups in the middle have both
    people, and each moves by Δ∞.
    """
    reach, k = query.bounds.groups_per_person, len(query.by.labels)
    total = len(query.labels) > k
    most = _one_group(query) / (reach if total else 1)
    moved, shared = np.zeros(k), slice(0, 0)
    moved[:reach] = most
    if query.bounds.relation == "replace":
        moved[:reach], moved[reach : 2 * reach] = -most, most
        shared = slice(reach - max(0, 2 * reach - k), reach)
        moved[shared] = most if total else query.sensitivity.linf * query.step
    change = [moved]
    if total:
        change.append(np.array([moved.sum()]))
    if query.per_value == 2:  # the number of rows of a shared group stays as it is
        rows = moved.copy()
        rows[shared] = 0.0
        change.append(rows)
    return pd.DataFrame(
        dict(zip(INFLUENCE, (list(query.entries), np.concatenate(change)), strict=True))
    )


def _one_group(query: Query) -> float:
    """The most that somebody who comes or goes moves one number, in units."""
    bounds = replace(query.bounds, relation="add/remove")
    alone: Query = replace(cast(Any, query), bounds=bounds)  # every query is a dataclass
    return alone.sensitivity.linf * query.step


def sensitivity_frame(query: Query) -> pd.DataFrame:
    """The three norms as formulas with their numbers, their unit, and who needs them."""
    unit = (
        query.noun_released
        if query.step == 1
        else f"{query.noun_released}, in steps of {query.step:.4g}"
    )
    rows = [(symbol, query.formula(norm), unit, families) for norm, symbol, families in NORMS]
    columns = ["norm", "one person changes at most", "unit", "needed by"]
    return pd.DataFrame(rows, columns=columns)
