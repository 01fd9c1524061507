"""What a session of a structured mechanism has drawn: for the pages, and for the tiers' files.

Nothing here draws: `Workspace.record` does, for every session alike.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpviz.accounting.inputs import rounded_up
from dpviz.handout import TierRelease
from dpviz.planning.amounts import ACCURACIES
from dpviz.planning.budgets import Budget, Setting
from dpviz.planning.tiers import PlannedTier, Tier
from dpviz.release import LedgerEntry
from dpviz.workspace.facts import Facts, called
from dpviz.workspace.held import HeldTier
from dpviz.workspace.sessions import Asking, Session
from dpviz.workspace.workspace import Workspace


def budgeted(ws: Workspace, setting: Setting) -> tuple[list[PlannedTier], list[str]]:
    """The plan's tiers with what they mean in a setting, most private first, and who is left out.

    A tier typed by its accuracy is left out: its ± was meant for one number, not for a sum.
    """
    found = [p for p in ws.plan.planned(setting)[0] if p.tier.kind not in ACCURACIES]
    names = {p.name for p in found}
    return found, [t.name for t in ws.plan.tiers if t.name not in names]


def held_tiers(
    ws: Workspace, asking: Asking, tiers: Sequence[PlannedTier]
) -> list[tuple[HeldTier, LedgerEntry]]:
    """Every release of the session in use, most private first, with its entry in the ledger.

    One whose tier is not in the plan now, or has another budget, says so in its name.
    """
    one = ws.find(asking.key)
    if one is None:
        return []
    found = [
        (
            HeldTier.of(
                called(e.tier, ws.former(e, tiers)),
                e.budget,
                ws.plan.style_of(e.tier),
                asking.values(asking.as_of(one.mechanism, e), e.level),
                delta=e.event.delta,
            ),
            e,
        )
        for e in ws.entries_of(one)
    ]
    return sorted(found, key=lambda pair: -pair[0].level)


def release_of(ws: Workspace, entry: LedgerEntry) -> TierRelease:
    """What the tier of one ledger entry may have."""
    return tier_release(ws.session_of(entry), entry, ws.facts_of(entry))


def tier_release(one: Session, entry: LedgerEntry, facts: Facts) -> TierRelease:
    """The same, of a session that holds at least this release.

    Args:
        one: the session.
        entry: of the ledger.
        facts: the header of the hand-out.
    """
    asking = one.asking
    mechanism = asking.as_of(one.mechanism, entry)
    entries = asking.entries(mechanism, entry.level)
    values, offset = asking.values(mechanism, entry.level), asking.legend.offset(entry.level)
    shifted = bool(np.any(offset))  # by the mean of the noise: then estimates are handed out
    estimates = np.asarray((values - offset) * asking.step, dtype=np.float64)
    return TierRelease(
        tier=entry.tier,
        session=one.number,
        level=entry.level,
        entries=entries,
        values=values,
        step=asking.step,
        measure=asking.legend.noun if shifted else "",
        facts=facts,
        labels=entries,
        derived=(("estimate", estimates),) if shifted else (),
        drawn=entry.drawn,
        versions=entry.versions,
    )


def for_all_tiers(name: str, level: float, loss: Fraction, delta: float) -> PlannedTier:
    """A draw for all tiers as the ledger takes it: the scale of its noise, and its ε and δ."""
    stated = rounded_up(loss)
    return PlannedTier(
        tier=Tier(name=name, amount=repr(stated), kind="ε"),
        budget=Budget(
            level=level,
            letter="ε",
            loss=stated,
            exact=loss,
            rho=None,
            mu=None,
            epsilon=stated,
            delta=delta,
            half_width=0.0,
        ),
    )
