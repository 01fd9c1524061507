"""What an act would draw and what that would cost, to be seen before it is done; draws nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.accounting import JointLoss
from dpviz.planning.budgets import Budget, Kind
from dpviz.planning.cautions import check_meant, warning
from dpviz.workspace import account
from dpviz.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A draw, an upgrade, a new tier or a seal before it is done.

    Attributes:
        drawn: who gets a release that they do not hold, with its budget; most private first.
        had: what the one tier of an upgrade holds now.
        before: loss of everything released so far, taken together.
        after: the same with what would be drawn.
    """

    drawn: Mapping[str, Budget]
    had: Budget | None = None
    before: JointLoss
    after: JointLoss

    @property
    def weak(self) -> dict[str, Budget]:
        """Those whose budget promises next to nothing: they need a tick."""
        return {name: b for name, b in self.drawn.items() if warning(b) is not None}


def of_draw(ws: Workspace, names: Sequence[str]) -> Change:
    """What it would change to draw the releases of tiers of the plan.

    >>> change = of_draw(Workspace.fresh(), ["audit", "public"])
    >>> [*change.drawn], change.before.value, change.after.value
    (['public', 'audit'], 0.0, 0.4)
    """
    return _change(ws, _budgets(ws, names), account.joint(ws))


def of_each(ws: Workspace, names: Sequence[str]) -> dict[str, Change]:
    """What it would change to draw the release of each of these tiers alone."""
    before = account.joint(ws)
    return {name: _change(ws, {name: b}, before) for name, b in _budgets(ws, names).items()}


def of_budget(ws: Workspace, name: str, kind: Kind, amount: str) -> Change:
    """What it would change to give a tier, known or new, a release of a typed budget.

    Raises:
        ParameterError: if the budget cannot be used.

    >>> of_budget(Workspace.fresh(), "audit", "ρ", "0.5").after.value
    0.5
    """
    after = ws.stated(name, kind, amount)
    had = {p.name: p.budget for p in ws.known()}.get(name)
    return _change(ws, {name: after}, account.joint(ws), had)


def _budgets(ws: Workspace, names: Sequence[str]) -> dict[str, Budget]:
    """Those of tiers of the plan, most private first."""
    return {p.name: p.budget for p in ws.planned()[0] if p.name in names}


def _change(
    ws: Workspace, drawn: dict[str, Budget], before: JointLoss, had: Budget | None = None
) -> Change:
    after, _ = account.with_draws(ws, [*drawn.values()])
    return Change(drawn=drawn, had=had, before=before, after=after)


def draw(ws: Workspace, sure: bool, *names: str) -> None:
    """Draw the releases of tiers, unless one of them promises next to nothing and is not meant.

    Raises:
        ParameterError: as `Workspace.draw`, or if a tick is missing; nothing is drawn then.
    """
    for name, budget in _budgets(ws, names).items():
        check_meant(name, budget, sure)
    ws.draw(*names)
