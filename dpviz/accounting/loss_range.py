"""The privacy loss of any mechanism of bounded range, also of one chosen as results come in.

Each mechanism whose losses all lie between t - epsilon and t, for some t, has a delta of at most

    delta(g) = (1 - e^((g - epsilon)/2))^2 / (1 - e^-epsilon),   |g| <= epsilon,

and so has the pair of laws whose loss has the density e^((x - epsilon)/2) / (2 (1 - e^-epsilon)) on
[-epsilon, epsilon]: it dominates them all, and losses of dominating pairs add.
Source: MATHEMATICS 5.10, 5.11.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.accounting.loss_terms import LossPoints, LossTerm, panels


@dataclass(frozen=True, slots=True)
class WorstRangeTerm(LossTerm):
    """At least as costly at every epsilon as all releases whose losses span one budget at most.

    >>> away, _ = WorstRangeTerm(1.0).points(40.0, 0.5, 0.0)
    >>> round(float(away.mass.sum()), 9), round(float((away.mass * np.exp(-away.loss)).sum()), 9)
    (1.0, 1.0)
    """

    budget: float

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget)

    @property
    def most(self) -> float:
        """The budget."""
        return self.budget

    def points(self, cut: float, width: float, begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike; nothing is cut but what is smaller than any float."""
        e, whole = self.budget, -math.expm1(-self.budget)
        low = max(-e, e - 2 * cut)
        loss, weights = panels(low, e, 1.0, width, begin)
        cut_low = math.exp(-cut) / whole if low > -e else 0.0
        found = LossPoints(loss, weights * np.exp((loss - e) / 2) / (2 * whole), cut_low=cut_low)
        return found, found
