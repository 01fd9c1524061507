"""Sessions of structured mechanisms on the user's data: opened once, each release in the ledger.

The mechanism keeps what it drew; the workspace keeps the mechanism and what it cost. Only a pressed
button draws; a rerun reads what is held.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz.accounting.guarantees import guarantee_of
from dpviz.data import Table
from dpviz.noise.family import Family
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry, Neighbour
from dpviz.release.ledger import Kind
from dpviz.streams import Mode
from dpviz.words import loss_with_delta, significant
from dpviz.workspace.facts import Facts
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
    about: Statistic | Table | None = None


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
