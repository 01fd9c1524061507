"""Sessions of structured mechanisms on the user's data: opened once, each release in the ledger.

The mechanism keeps what it drew; the workspace keeps the mechanism and what it cost. Called from
button callbacks only, so that a rerun draws nothing.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from dpviz.figures.words import loss_with_delta, significant
from dpviz.mechanisms.tiers import PlannedTier
from dpviz.noise.family import Family
from dpviz.release import LedgerEntry, Neighbour
from dpviz.release.ledger import Kind
from dpviz.ui.facts import Facts
from dpviz.ui.rounds import DEFINITIONS, Structured, event_of
from dpviz.ui.workspace import Workspace


def find(ws: Workspace, key: Hashable) -> Structured | None:
    """The open session of this key in the mode in use, or None before its first draw."""
    mine = (s for s in ws.structured if not s.closed and (s.key, s.mode) == (key, ws.mode))
    return next(mine, None)


def opened(
    ws: Workspace,
    key: Hashable,
    *,
    statistic: str,
    data: str,
    family: Family,
    mechanism: Callable[[np.random.Generator], Any],
) -> Structured:
    """The session of this key; opened now if there is none.

    Args:
        ws: the workspace that pays for it.
        key: everything that the exact answer and the law of the noise depend on.
        statistic: what is released, in words.
        data: name of the table.
        family: the noise family, for the definition of its budgets.
        mechanism: makes the mechanism from the session's generator.
    """
    if (one := find(ws, key)) is not None:
        return one
    number = ws.next_number
    one = Structured(
        number=number,
        key=key,
        statistic=statistic,
        data=data,
        definition=DEFINITIONS[family.name],
        mode=ws.mode,
        seed=ws.seed,
        mechanism=mechanism(ws.stream(number)),
    )
    ws.structured.append(one)
    return one


def record(
    ws: Workspace,
    one: Structured,
    planned: PlannedTier,
    *,
    family: Family,
    kind: Kind,
    facts: Facts,
) -> None:
    """Put a release that a tier was just given into the ledger; told twice, it stands once.

    Args:
        ws: the workspace that pays for it.
        one: the session that drew it.
        planned: the tier, with its budget under this mechanism's setting.
        family: the noise family.
        kind: what the mechanism promises of coalitions.
        facts: what its numbers are, for whoever gets them.
    """
    b, before = planned.budget, ws.entries_of(one)
    if any((e.tier, e.level) == (planned.name, b.level) for e in before):
        return
    event = event_of(one.number, family.name, b)
    ws.ledger.append(
        LedgerEntry(
            number=len(ws.ledger) + 1,
            tier=planned.name,
            level=b.level,
            noise=f"{family.level_name} {family.level_symbol} = {significant(b.level, 4)}",
            budget=loss_with_delta(b.letter, b.loss, event.delta),
            event=event,
            kind=kind,
            neighbours=_neighbours(family, sorted({e.level for e in before}), b.level),
            meaning=family.weight_meaning,
            facts=facts,
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
