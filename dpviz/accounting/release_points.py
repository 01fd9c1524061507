"""Points of the (epsilon, delta) curve of a release, by the law of its noise.

They are what a composition with releases of other kinds can use (privacy_loss.py): of a family with
a delta its epsilon at smaller and larger deltas than that of the plan, of a pure family the curve
below its epsilon where the family has one. Limit: whole multiples of a step, so that what is
composed of them is a little above the least possible.
"""

import math
from dataclasses import replace

from dpviz.accounting.guarantees import Budget, Setting, guarantee_of
from dpviz.accounting.loss_promises import Points
from dpviz.errors import ParameterError

AROUND, FROM, UP_TO = 16, 4, 20  # ln delta is that of the plan times (k / AROUND)²
STEPS = 32  # of a pure epsilon
DEEPEST = -600.0


def points_of(budget: Budget, setting: Setting) -> Points:
    """Points (epsilon, ln delta) that a release at this budget keeps; none for zCDP.

    Args:
        budget: the level, and its epsilon and delta.
        setting: the statistic and the noise that it was stated for.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> from dpviz.planning.budgets import Amount, resolve
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> [(e, round(d, 4)) for e, d in points_of(resolve("ε", Amount(2), s), s)[:2]]
    [(0.0, -0.4587), (0.0625, -0.4773)]
    """
    promise = guarantee_of(setting.family)
    if promise.with_delta:
        return _around(budget, setting)
    if promise.log_delta is None:
        return ()
    loss = float(budget.exact)
    epsilons = [loss * k / STEPS for k in range(STEPS)]
    return tuple((e, promise.log_delta(budget.level, e, setting)) for e in epsilons)


def _around(budget: Budget, setting: Setting) -> Points:
    """The epsilons at deltas around that of the budget; without an epsilon, no point."""
    found = []
    for k in range(FROM, UP_TO + 1):
        log_delta = max(math.log(budget.delta) * (k / AROUND) ** 2, DEEPEST)
        try:
            loss = guarantee_of(setting.family).loss(
                budget.level, replace(setting, delta=math.exp(log_delta))
            )
        except ParameterError:  # no epsilon holds there
            continue
        found.append((loss, log_delta))
    return tuple(found)
