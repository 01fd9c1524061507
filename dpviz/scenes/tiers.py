"""Every number of the page Tiers: how near each tier comes, and what that lets it guess."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.accounting import JointLoss
from dpviz.accounting.guarantees import Budget, Setting
from dpviz.planning.tiers import PlannedTier, read_tiers
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
