"""What a workspace has spent: the joint loss of its sessions, and what it would have cost."""

from collections.abc import Sequence

from dpviz.accounting import JointLoss, ReleaseEvent, independent_loss, joint_loss
from dpviz.figures.palette import TierStyle
from dpviz.frames import Spent
from dpviz.mechanisms.budgets import at_level
from dpviz.ui.rounds import DEFINITIONS, Round
from dpviz.ui.workspace import Workspace


def events(ws: Workspace, rounds: Sequence[Round]) -> list[ReleaseEvent]:
    """What was released in these rounds; an (ε, δ) loss follows the plan's δ."""
    by_number = {r.number: r for r in rounds}
    found = []
    for entry in ws.ledger:
        one = by_number.get(entry.event.session)
        if one is None:
            continue
        stale = entry.event.delta not in (0.0, ws.delta)
        setting = ws.setting_for(one.statistic, one.family_name)
        found.append(one.event(at_level(entry.level, setting)) if stale else entry.event)
    return found


def joint(ws: Workspace) -> JointLoss:
    """Loss of everything released in this workspace, taken together."""
    return joint_loss(events(ws, ws.rounds), delta=ws.delta)


def independent(ws: Workspace) -> JointLoss:
    """What the same releases would have cost if each had been drawn on its own."""
    return independent_loss(events(ws, ws.rounds), delta=ws.delta)


def spent(ws: Workspace, definition: str) -> tuple[list[Spent], list[float]]:
    """Releases of the session in use, ascending, in the currency of a total.

    Returns:
        The releases, each level once; and where each would end if all had been drawn
        independently one after the other, first of all where the earlier sessions end.
    """
    one = ws.round
    if one is None:
        return [], []
    own = DEFINITIONS[one.family_name] == definition
    setting = ws.setting_for(one.statistic, one.family_name)
    once = {e.level: e for e in ws.entries_of(one)[::-1]}
    entries = [once[level] for level in sorted(once, reverse=True)]
    budgets = [at_level(e.level, setting) for e in entries]
    drawn = [one.event(b) for b in budgets]
    losses = [d.budget if own else b.epsilon for d, b in zip(drawn, budgets, strict=True)]
    styles = [ws.styles.get(e.tier, TierStyle(0, 0)) for e in entries]
    earlier = events(ws, [r for r in ws.rounds if r is not one])
    stops = [
        independent_loss([*earlier, *drawn[:k]], delta=ws.delta).value
        for k in range(1, len(drawn) + 1)
    ]
    released = [
        Spent(name=e.tier, loss=loss, slot=style.slot, symbol=style.symbol)
        for e, loss, style in zip(entries, losses, styles, strict=True)
    ]
    return released, [stops[0] - losses[0], *stops]
