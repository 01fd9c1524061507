"""Laplace or Gaussian noise for each tier of a plan: at its own ε and δ.

Limits: those of choice.py, which answers for one release.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.planning.budgets import Setting
from dpviz.planning.choice import Choice, Question, choose
from dpviz.planning.needs import moved_alike
from dpviz.planning.tiers import PlannedTier


@dataclass(frozen=True, slots=True, kw_only=True)
class TierChoice:
    """Which noise one tier of the plan should use at its own ε and δ."""

    planned: PlannedTier
    choice: Choice


def choose_for_tiers(planned: Sequence[PlannedTier], setting: Setting) -> list[TierChoice]:
    """What each noise would need for the (ε, δ) that each tier has, in the plan's order.

    A tier of Gaussian, Poisson or Skellam noise keeps its ε at a δ; one of Laplace noise keeps it
    without any, and is compared at the plan's δ.

    Args:
        planned: tiers with their budgets.
        setting: what the budgets refer to.

    Returns:
        One entry per tier, in units of the statistic; none for a tier whose ε is 0 at its δ, and
        none at all if nobody can move the statistic.

    >>> from dpviz.planning.tiers import DEFAULT_TIERS, as_rows, read_tiers
    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> s = Setting(family=FAMILIES["gaussian"], delta=1e-6, dimension=30,
    ...     sensitivity=Sensitivity.bounded(20))
    >>> for t in choose_for_tiers(read_tiers(as_rows(DEFAULT_TIERS), s)[0], s):
    ...     print(t.planned.name, t.choice.better.label, round(t.choice.factor, 2))
    public Gaussian 1.59
    partners Gaussian 1.52
    research Gaussian 1.51
    audit Gaussian 1.49
    """
    s = setting.sensitivity
    if not (s.l1 > 0 and s.l2 > 0):
        return []
    found = []
    for p in planned:
        if p.budget.epsilon > 0:
            question = Question(
                epsilon=p.budget.epsilon,
                log_delta=math.log(p.budget.delta or setting.delta),
                l1=s.l1 * setting.step,
                l2=s.l2 * setting.step,
                alike=moved_alike(s),
            )
            found.append(TierChoice(planned=p, choice=choose(question)))
    return found
