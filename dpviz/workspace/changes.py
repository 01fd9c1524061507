"""What an act would draw and what that would cost, to be seen before it is done; draws nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.accounting import JointLoss
from dpviz.planning.budgets import Budget, Kind, warning
from dpviz.planning.tiers import PlannedTier
from dpviz.workspace import account
from dpviz.workspace.sessions import Asking
from dpviz.workspace.topics import PlannedDraw
from dpviz.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A draw, an upgrade, a new tier or a seal before it is done.

    Attributes:
        drawn: who gets a release that they do not hold, with its budget; most private first.
        had: what the one tier of an upgrade holds now, or had in the plan.
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


def of_draw(ws: Workspace, asking: Asking, tiers: Sequence[PlannedTier]) -> Change:
    """What it would change to draw the releases of tiers from a session.

    Args:
        ws: the workspace.
        asking: what the session is asked for.
        tiers: who would get one, most private first; those who hold theirs change nothing.

    >>> ws = Workspace.fresh()
    >>> change = of_draw(ws, ws.statistic.asking(ws.family_name), ws.planned()[0])
    >>> [*change.drawn], change.before.value, change.after.value
    (['public', 'partners', 'research', 'audit'], 0.0, 0.4)
    """
    return _change(ws, asking, _missing(ws, asking, tiers), account.joint(ws))


def of_each(ws: Workspace, asking: Asking, tiers: Sequence[PlannedTier]) -> dict[str, Change]:
    """What it would change to draw the release of each of these tiers alone, if it has none.

    Args:
        ws: the workspace.
        asking: what the session is asked for.
        tiers: who would get one.
    """
    before = account.joint(ws)
    missing = _missing(ws, asking, tiers)
    return {name: _change(ws, asking, {name: b}, before) for name, b in missing.items()}


def of_budget(ws: Workspace, name: str, kind: Kind, amount: str) -> Change:
    """What it would change to give a tier, known or new, a release of a typed budget.

    Raises:
        ParameterError: if the budget cannot be used.

    >>> of_budget(Workspace.fresh(), "audit", "ρ", "0.5").after.value
    0.5
    """
    after = ws.stated(name, kind, amount)
    had = {p.name: p.budget for p in ws.known()}.get(name)
    asking = ws.statistic.asking(ws.family_name)
    return _change(ws, asking, {name: after}, account.joint(ws), had)


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """A draw of tiers from every statistic of a plan before it is done.

    Attributes:
        drawn: of each tier that lacks a number the names of what it gets one of.
        weak: tier, draw and budget of each that promises next to nothing: they need a tick.
        before: loss of everything released so far of the unit in use.
        after: the same with what would be drawn of that unit.
    """

    drawn: Mapping[str, tuple[str, ...]]
    weak: tuple[tuple[str, PlannedDraw, Budget], ...]
    before: JointLoss
    after: JointLoss


def of_all(ws: Workspace, names: Sequence[str]) -> Together:
    """What it would change to draw the releases of tiers from everything on the plan.

    Args:
        ws: the workspace.
        names: who would get one.
    """
    unit = account.unit_of(ws.statistic.query.bounds)
    drawn: dict[str, tuple[str, ...]] = {}
    weak, draws = [], []
    for draw in ws.draws():
        missing = _missing(ws, draw.asking, draw.of(*names))
        for name in names:
            if {p.name for p in draw.of(name)} & {*missing}:
                drawn[name] = (*drawn.get(name, ()), draw.name)
        weak += [(name, draw, b) for name, b in missing.items() if warning(b) is not None]
        bounds = draw.asking.bounds
        if bounds is not None and account.unit_of(bounds) == unit:
            draws.append((draw.asking, [*missing.values()]))
    return Together(
        drawn={name: drawn[name] for name in names if name in drawn},
        weak=tuple(weak),
        before=account.joint(ws),
        after=account.with_draws(ws, draws),
    )


def _missing(ws: Workspace, asking: Asking, tiers: Sequence[PlannedTier]) -> dict[str, Budget]:
    """The budgets of the tiers that hold no release of the session at their level."""
    held = {(e.tier, e.level) for e in ws.entries_of(ws.find(asking.key))}
    return {p.name: p.budget for p in tiers if (p.name, p.budget.level) not in held}


def _change(
    ws: Workspace,
    asking: Asking,
    drawn: dict[str, Budget],
    before: JointLoss,
    had: Budget | None = None,
) -> Change:
    after = account.with_draws(ws, [(asking, [*drawn.values()])])
    return Change(drawn=drawn, had=had, before=before, after=after)
