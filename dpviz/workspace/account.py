"""What a workspace has spent: the joint loss of its sessions, and what it would have cost."""

from collections.abc import Hashable, Sequence

from dpviz.accounting import JointLoss, ReleaseEvent, independent_loss, joint_loss
from dpviz.accounting.composition import ZCDP
from dpviz.accounting.guarantees import guarantee_of
from dpviz.planning.budgets import at_level
from dpviz.release import LedgerEntry, event_of
from dpviz.workspace.held import Spent
from dpviz.workspace.sessions import Session
from dpviz.workspace.workspace import Workspace


def events(ws: Workspace, sessions: Sequence[Session]) -> list[ReleaseEvent]:
    """What was released in these sessions, each loss as it was stated when it was drawn."""
    numbers = {s.number for s in sessions}
    return [e.event for e in ws.ledger if e.session in numbers]


def plan(ws: Workspace) -> tuple[JointLoss, JointLoss]:
    """What all tiers of the plan cost together, and what independent releases would cost."""
    one = {p.budget.level: p.budget for p in ws.planned()[0]}
    drawn = [event_of(1, ws.family_name, b) for b in one.values()]
    return joint_loss(drawn, delta=ws.delta), independent_loss(drawn, delta=ws.delta)


def sessions_with_plan(ws: Workspace) -> int:
    """How many sessions there are once the plan is drawn."""
    return ws.next_number - (ws.round is not None)


def with_plan(ws: Workspace) -> tuple[JointLoss, JointLoss]:
    """Loss once the whole plan is drawn, beside all earlier sessions; and if independent."""
    number = ws.round.number if ws.round else ws.next_number
    levels = {e.level for e in ws.ledger if e.session == number}
    planned = {p.budget.level: p.budget for p in ws.planned()[0] if p.budget.level not in levels}
    drawn = [event_of(number, ws.family_name, b) for b in planned.values()]
    made = [*(e.event for e in ws.ledger), *drawn]
    return joint_loss(made, delta=ws.delta), independent_loss(made, delta=ws.delta)


def joint(ws: Workspace) -> JointLoss:
    """Loss of everything released in this workspace, taken together."""
    return joint_loss((e.event for e in ws.ledger), delta=ws.delta)


def independent(ws: Workspace) -> JointLoss:
    """What the same releases would have cost if each had been drawn on its own."""
    return independent_loss((e.event for e in ws.ledger), delta=ws.delta)


def by_statistic(ws: Workspace) -> list[tuple[str, str, list[str], JointLoss]]:
    """For each statistic that was released: its words, its table, who holds it, and its loss."""
    of: dict[Hashable, list[Session]] = {s.key: [] for s in ws.statistics}
    for one in sorted(ws.sessions, key=lambda s: s.asking.plain is None):
        key = one.asking.plain.key if one.asking.plain else one.number
        of.setdefault(key, []).append(one)
    rows = []
    for sessions in filter(None, of.values()):
        drawn, first = events(ws, sessions), sessions[0].asking
        if drawn:
            numbers = {s.number for s in sessions}
            names = dict.fromkeys(e.tier for e in ws.ledger if e.session in numbers)
            loss = joint_loss(drawn, delta=ws.delta)
            rows.append((first.statistic, first.data, list(names), loss))
    return rows


def spent(ws: Workspace, definition: str) -> tuple[list[Spent], list[float]]:
    """Releases of the session in use, ascending, in the currency of a total.

    Returns:
        The releases, each level once; and where each would end if all had been drawn
        independently one after the other, first of all where the earlier sessions end.
    """
    one = ws.round
    if one is None:
        return [], []
    own = guarantee_of(one.asking.family).definition == definition
    once = {e.level: e for e in ws.entries_of(one)[::-1]}
    entries = [once[level] for level in sorted(once, reverse=True)]
    losses = [float(e.event.budget) if own else _epsilon(ws, e) for e in entries]
    styles = [ws.plan.style_of(e.tier) for e in entries]
    drawn = [e.event for e in entries]
    earlier = [e.event for e in ws.ledger if e.session != one.number]
    stops = [
        independent_loss([*earlier, *drawn[:k]], delta=ws.delta).value
        for k in range(1, len(drawn) + 1)
    ]
    released = [
        Spent(name=e.tier, loss=loss, slot=style.slot, symbol=style.symbol)
        for e, loss, style in zip(entries, losses, styles, strict=True)
    ]
    return released, [stops[0] - losses[0], *stops]


def _epsilon(ws: Workspace, entry: LedgerEntry) -> float:
    """The loss of a release as ε, where sessions of different definitions meet."""
    if entry.event.definition != ZCDP:
        return float(entry.event.budget)
    return at_level(entry.level, ws.setting).epsilon
