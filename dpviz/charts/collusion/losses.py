"""How likely each privacy loss of a coalition is: lossless, split and independent, side by side.

Each scheme is a list of independent releases that the coalition holds (schemes.py), each at the
noise level of its budget, and every one moves all coordinates that the person moves; their losses
add. dpviz/charts/losses.py draws them.
Limits: exact for a person who moves exactly these numbers; a mass is right to about 1e-6.
Source: MATHEMATICS 5.4, 5.7.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from dpviz import checks
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.guarantees import guarantee_of
from dpviz.accounting.schemes import pieces
from dpviz.charts.collusion.frame import (
    INDEPENDENT,
    LOSSLESS,
    SCHEMES,
    SPLITTING,
    Holder,
    Plan,
    persons,
)
from dpviz.charts.tidy import Floats
from dpviz.errors import ParameterError
from dpviz.experiments.moved import Moved
from dpviz.parameters import exact
from dpviz.words import percent, significant

SHOWN = (LOSSLESS, SPLITTING, INDEPENDENT)
CELLS = 40_001
LEVELS = (0.0, 1.0, 2.0)  # losses of the table


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CoalitionLoss:
    """What a coalition holds under one scheme, and how likely each privacy loss of it is."""

    scheme: str
    releases: int  # independent ones that count
    epsilon: float  # least one at the δ of the plan; infinite if none is kept
    loss: Floats
    mass: Floats
    certain: float = 0.0  # how likely what is held is only possible with the person

    def __post_init__(self) -> None:
        checks.one_of(SHOWN, scheme=self.scheme)
        checks.whole(1, releases=self.releases)
        checks.between(0, math.inf, epsilon=self.epsilon)
        checks.arrays(1, loss=self.loss)
        checks.arrays(1, least=0, most=1, mass=self.mass)
        checks.between(0, 1, certain=self.certain)

    def above(self, level: float) -> float:
        """How likely the loss is larger than this, with the person in the table."""
        return float(self.mass[self.loss > level].sum()) + self.certain


def coalition_losses(plan: Plan, members: Sequence[Holder], moved: Moved) -> list[CoalitionLoss]:
    """The privacy loss of a coalition under each scheme of `SHOWN` that can be added up.

    Args:
        plan: all tiers.
        members: the coalition, ascending by budget, at least one tier of the plan.
        moved: by how much one person moves each coordinate, in steps.

    Raises:
        ParameterError: there is no member.

    >>> from dpviz.accounting.guarantees import Setting
    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> setting = Setting(family=FAMILIES["gaussian"], delta=1e-6, sensitivity=one, dimension=1)
    >>> both = (Holder(name="a", loss=0.1), Holder(name="b", loss=0.5))
    >>> plan = Plan(tiers=both, setting=setting, whole=0.5)
    >>> for each in coalition_losses(plan, both, Moved(((1.0, 1),))):
    ...     print(each.scheme, each.releases, round(each.epsilon, 3))
    lossless 1 4.887
    splitting 2 4.887
    independent 2 5.423
    """
    if not members:
        raise ParameterError("a coalition has at least one member; tick a tier")
    found = []
    for scheme in SHOWN:
        try:
            found.append(_loss(plan, members, moved, scheme))
        except ParameterError:  # no noise at a piece of a budget, or too much to add up
            continue
    return found


def _loss(plan: Plan, members: Sequence[Holder], moved: Moved, scheme: str) -> CoalitionLoss:
    """The loss of the releases that count, each with all coordinates that move."""
    levels = _levels(plan, members, scheme)
    of_one = guarantee_of(plan.setting.family).coordinate_loss
    total = PrivacyLoss()
    for level, times in levels:
        for shift, count in moved.shifts:
            total = total.compose(of_one(level, shift), times=times * count)
    epsilon = float(total.epsilon(plan.setting.delta))
    _, there = total.distributions(CELLS)
    return CoalitionLoss(
        scheme=scheme,
        releases=sum(times for _, times in levels),
        epsilon=epsilon,
        loss=there.loss,
        mass=there.mass,
        certain=there.infinite,
    )


def _levels(plan: Plan, members: Sequence[Holder], scheme: str) -> list[tuple[float, int]]:
    """Noise level of each release that counts, and how many there are of it."""
    if scheme == INDEPENDENT:
        return [(plan.budget(m.loss).level, m.joining) for m in members]
    if scheme == LOSSLESS:
        return [(plan.budget(members[-1].loss).level, 1)]
    held = [exact(loss) for loss in persons(members)]
    parts = pieces(held, scheme, [tier.loss for tier in plan.tiers])
    return [(plan.budget(float(part)).level, 1) for part in parts]


def losses_table(losses: Sequence[CoalitionLoss]) -> pd.DataFrame:
    """What each scheme gives the coalition: releases that count, ε, and how likely larger losses.

    >>> import numpy as np
    >>> one = CoalitionLoss(scheme="lossless", releases=1, epsilon=1.0, loss=np.array([-1.0, 2.0]),
    ...     mass=np.array([0.25, 0.75]))
    >>> losses_table([one]).iloc[0].tolist()[1:3]
    ['1', '1']
    """
    rows = []
    for each in losses:
        above = [percent(each.above(level)) for level in LEVELS]
        rows.append(
            (SCHEMES[each.scheme], f"{each.releases:,}", significant(each.epsilon, 4), *above)
        )
    heads = [f"loss above {level:g}" for level in LEVELS]
    return pd.DataFrame(rows, columns=["scheme", "independent releases", "ε at δ", *heads])
