"""Sessions of structured mechanisms on the user's data: opened once, each release in the ledger.

The mechanism keeps what it drew; the workspace keeps the mechanism and what it cost. Only a pressed
button draws; a rerun reads what is held.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.guarantees import guarantee_of
from dpviz.data import Table
from dpviz.handout import TierRelease
from dpviz.noise.family import Family
from dpviz.planning.amounts import ACCURACIES
from dpviz.planning.budgets import Setting
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry, Neighbour
from dpviz.release.ledger import Kind
from dpviz.streams import Mode
from dpviz.words import loss_with_delta, significant
from dpviz.workspace.facts import Facts
from dpviz.workspace.held import HeldTier
from dpviz.workspace.promises import leaned_on, promise
from dpviz.workspace.sessions import Statistic, Structured, event_of
from dpviz.workspace.turns import alone
from dpviz.workspace.workspace import Workspace


def find(ws: Workspace, key: Hashable) -> Structured | None:
    """The open session of this key in the mode in use, or None before its first draw."""
    mine = (s for s in ws.structured if not s.closed and (s.key, s.mode) == (key, ws.mode))
    return next(mine, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What a structured mechanism is asked for, and how its release is accounted for.

    Attributes:
        key: everything that the exact answer and the law of the noise depend on.
        statistic: what is released, in words.
        data: name of the table.
        family: the noise family, for the definition of its budgets.
        kind: what the mechanism promises of coalitions.
        mechanism: makes the mechanism from the session's generator; it computes the exact answer.
        release: draws from the mechanism for a tier, and returns the level.
        facts: what a tier's numbers are, for whoever gets them, up to what is promised.
        values: the numbers that the mechanism holds at a level; draws nothing.
        entries: their names.
        step: one whole step of them, in the unit of the statistic.
        about: the statistic or the table that is released; None for typed numbers.
    """

    key: Hashable
    statistic: str
    data: str
    family: Family
    kind: Kind
    mechanism: Callable[[np.random.Generator], Any]
    release: Callable[[Any, PlannedTier], float]
    facts: Callable[[PlannedTier, Mode], Facts]
    values: Callable[[Any, float], NDArray[Any]]
    entries: Callable[[Any, float], tuple[str, ...]]
    step: float = 1.0
    about: Statistic | Table | None = None


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

    One whose tier is none of these now, or has another budget, says so in its name.
    """
    one = find(ws, asking.key)
    if one is None:
        return []
    now = {(p.name, p.budget.level) for p in tiers}
    found = [
        (
            HeldTier(
                name=e.tier if (e.tier, e.level) in now else f"{e.tier} (before, {e.budget})",
                level=e.level,
                budget=e.budget,
                loss=float(e.event.budget),
                values=asking.values(one.mechanism, e.level),
                **asdict(ws.plan.style_of(e.tier)),
            ),
            e,
        )
        for e in ws.entries_of(one)
    ]
    return sorted(found, key=lambda pair: -pair[0].level)


def release_of(ws: Workspace, asking: Asking, entry: LedgerEntry) -> TierRelease:
    """What the tier of one ledger entry may have."""
    one = next(s for s in ws.structured if s.number == entry.event.session)
    entries = asking.entries(one.mechanism, entry.level)
    return TierRelease(
        tier=entry.tier,
        session=one.number,
        level=entry.level,
        entries=entries,
        values=asking.values(one.mechanism, entry.level),
        step=asking.step,
        facts=entry.facts,
        labels=entries,
        drawn=entry.drawn,
        versions=entry.versions,
    )


@alone
def draw(ws: Workspace, asking: Asking, planned: PlannedTier) -> None:
    """Draw a tier's release, open the session if there is none, and write it into the ledger.

    Asked again, it changes nothing. Acts of one workspace take turns: two presses at once open one
    session.

    Raises:
        ParameterError: if the mechanism refuses; no session is opened then.
    """
    found = find(ws, asking.key)
    one = found or _opened(ws, asking)
    level = asking.release(one.mechanism, planned)
    if found is None:
        ws.structured.append(one)
    drawn = replace(planned, budget=replace(planned.budget, level=level))
    _record(ws, one, asking, drawn)


def _opened(ws: Workspace, asking: Asking) -> Structured:
    number = ws.next_number
    return Structured(
        number=number,
        key=asking.key,
        statistic=asking.statistic,
        data=asking.data,
        definition=guarantee_of(asking.family).definition,
        mode=ws.mode,
        seed=ws.seed,
        mechanism=asking.mechanism(ws.stream(number)),
    )


def _record(ws: Workspace, one: Structured, asking: Asking, drawn: PlannedTier) -> None:
    """Put a release that a tier was just given into the ledger, once."""
    b, family, before = drawn.budget, asking.family, ws.entries_of(one)
    if any((e.tier, e.level) == (drawn.name, b.level) for e in before):
        return
    event = event_of(one.number, family.name, b)
    leaned = _neighbours(family, sorted({e.level for e in before}), b.level)
    first = leaned_on(before, b.level, leaned)
    promised = promise(one.mode, first, ws.seen.of(asking.about))
    ws.ledger.append(
        LedgerEntry(
            number=len(ws.ledger) + 1,
            tier=drawn.name,
            level=b.level,
            noise=f"{family.level_name} {family.level_symbol} = {significant(b.level, 4)}",
            budget=loss_with_delta(b.letter, b.loss, event.delta),
            event=event,
            kind=asking.kind,
            neighbours=leaned,
            meaning=family.weight_meaning,
            facts=(*asking.facts(drawn, one.mode), *promised),
        )
    )


def _neighbours(family: Family, held: Sequence[float], level: float) -> tuple[Neighbour, ...]:
    """The held levels on either side with their weights; none where the level was held."""
    if level in held:
        return ()
    at = bisect_left(held, level)
    low = held[at - 1] if at else 0.0
    high = held[at] if at < len(held) else None
    below, above = family.weights(low, level, high)
    found = [Neighbour(level=low, weight=below)]
    return (*found, Neighbour(level=high, weight=above)) if high is not None else tuple(found)
