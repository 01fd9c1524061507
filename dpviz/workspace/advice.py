"""Which noise needs the least for a plan: every offered one, each budget kept as it is typed.

A budget that is typed as ρ means the ε of Gaussian noise of that ρ, at δ, where a noise has no ρ:
then less noise keeps that ε, but not the ρ.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz import checks
from dpviz.noise.family import Family
from dpviz.planning.tiers import PlannedTier, as_rows
from dpviz.workspace.workspace import Workspace

WORTH = 0.98  # of the noise in use: a smaller gain is not worth another session


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A noise that needs less than the one in use.

    Attributes:
        family: which.
        least: its standard deviation as a share of that in use, at the tier that gains most.
        most: the same at the tier that gains least.
    """

    family: Family
    least: float
    most: float

    def __post_init__(self) -> None:
        checks.positive(least=self.least, most=self.most)


def better_noise(ws: Workspace) -> Advice | None:
    """The noise that needs least for the budgets as typed; None: the one in use, or none of them.

    Noise is compared with that in use, so it takes a tier that can be used now.

    >>> ws = Workspace.fresh()
    >>> found = better_noise(ws)
    >>> found.family.label, round(found.least, 2), round(found.most, 2)
    ('Skellam', 0.29, 0.67)
    """
    found = []
    used = _deviations(ws.family, ws.planned()[0])
    for name in ws.offered if used else ():
        setting = ws.statistic.setting(name, ws.delta)
        planned, problems = ws.plan.read(as_rows(ws.plan.tiers), setting)
        if planned and not problems:
            new = _deviations(setting.family, planned)
            shares = [new[who] / used[who] for who in used]
            found.append(Advice(family=setting.family, least=min(shares), most=max(shares)))
    best = min(found, key=lambda a: math.log(a.least) + math.log(a.most), default=None)
    if best is None or best.family.name == ws.family_name or best.most > WORTH:
        return None
    return best


def _deviations(family: Family, planned: Sequence[PlannedTier]) -> dict[str, float]:
    """Standard deviations, in steps, by the names of tiers."""
    return {p.name: math.sqrt(family.variance(p.budget.level)) for p in planned}
