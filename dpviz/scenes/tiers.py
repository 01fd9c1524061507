"""Every number of the page Tiers: how near each tier comes, and what that lets it guess.

Which noise needs the least for the plan, too, each budget kept as it is typed. A budget that is
typed as ρ means the ε of Gaussian noise of that ρ, at δ, where a noise has no ρ: then less noise
keeps that ε, but not the ρ.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz import checks
from dpviz.accounting import JointLoss
from dpviz.accounting.guarantees import Budget, Setting
from dpviz.noise.family import Family
from dpviz.planning.tiers import PlannedTier, as_rows, read_tiers
from dpviz.queries import Query
from dpviz.workspace import account
from dpviz.workspace.group_sizes import size_of
from dpviz.workspace.guesses import Right, right_at, right_by
from dpviz.workspace.held import HeldTier
from dpviz.workspace.nearness import Size
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """A plan in use.

    Attributes:
        planned: its tiers, most private first.
        held: the same as they are drawn.
        rights: right guesses about one person by each of them alone.
        joint: the loss of all of them together.
        alone: what that would be, had each separate noise.
        query: what is published.
        setting: what the budgets refer to.
        size: how large groups are, as far as it was said.
        read_off: whether groups were read off the data.
    """

    planned: tuple[PlannedTier, ...]
    held: tuple[HeldTier, ...]
    rights: tuple[Right, ...]
    joint: JointLoss
    alone: JointLoss
    query: Query
    setting: Setting
    size: Size
    read_off: bool

    @property
    def compared(self) -> bool:
        """Whether separate noise would tell more."""
        return self.joint.value != self.alone.value

    @property
    def together(self) -> Right:
        """Right guesses by all tiers together."""
        return right_by(self.joint)

    @property
    def apart(self) -> Right:
        """Right guesses by all tiers together, had each separate noise."""
        return right_by(self.alone)

    @property
    def everybody(self) -> str:
        """Who compares notes."""
        return "both" if len(self.planned) == 2 else f"all {counted(len(self.planned))}"


def budgets(rows: Sequence[Mapping[str, object]], setting: Setting) -> dict[str, Budget]:
    """Return the budget of each tier in every currency, its noise level and its ±.

    Args:
        rows: tiers as they are typed.
        setting: the noise, δ and the statistic.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> found = budgets([{"tier": "audit", "budget": "0.5", "as": "ρ"}], ONE_NUMBER)
    >>> found["audit"].level, round(found["audit"].half_width, 2)
    (1.0, 1.96)
    """
    return {tier.name: tier.budget for tier in read_tiers(rows, setting)[0]}


def scene(ws: Workspace) -> Tiers:
    """All numbers of the page, for a plan with a tier that can be used."""
    planned = tuple(ws.planned()[0])
    joint, alone = account.plan(ws)
    return Tiers(
        planned=planned,
        held=tuple(ws.values_of_tiers),
        rights=tuple(right_at(tier.budget) for tier in planned),
        joint=joint,
        alone=alone,
        query=ws.statistic.query,
        setting=ws.setting,
        size=size_of(ws),
        read_off=bool(ws.seen.of(ws.statistic).read_off),
    )


# --- which noise needs the least ---


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
