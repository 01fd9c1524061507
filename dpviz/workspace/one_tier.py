"""What the readers of one clearance may see: their releases, what they are, and nothing of others.

A screen that is handed over, or a reader with an account, is shown from these records alone, so no
other tier's name or number can come with them. What is drawn once for all tiers, a list or the
reports of a survey, is the release of each of them.
Limits: it says what a screen shows, and keeps nobody from asking the workspace for more.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.noise.family import Array, Family
from dpviz.palette import TierStyle
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.queries import Query
from dpviz.release import LedgerEntry
from dpviz.streams import Mode
from dpviz.words import capitalised, percent, to_within
from dpviz.words.claims import Claim, Said
from dpviz.words.markdown import literal
from dpviz.workspace import takeaways
from dpviz.workspace.facts import Facts
from dpviz.workspace.held import HeldTier
from dpviz.workspace.nearness import EXAMPLE, released_rows
from dpviz.workspace.sessions import Legend, Session
from dpviz.workspace.workspace import Workspace

SURE = f"{percent(ACCURACY_CONFIDENCE)} confidence"
FOR_ALL = "It was drawn once, and all tiers see the same."


@dataclass(frozen=True, slots=True, kw_only=True)
class OneTier:
    """One tier's release of a statistic as it is, with what must stand beside it.

    Attributes:
        tier: its name, look and budget, and the release as drawn.
        query: the statistic.
        family: the noise.
        mode: in which it was drawn.
        facts: the header of its hand-out.
    """

    tier: HeldTier
    query: Query
    family: Family
    mode: Mode
    facts: Facts

    @property
    def statistic(self) -> str:
        """What was released, in words."""
        return self.query.statistic

    @property
    def noun(self) -> str:
        """The unit of the numbers."""
        return self.query.noun

    @property
    def sentence(self) -> Said:
        """How near the exact numbers this tier's are."""
        drawn = self.tier.values
        rows = None
        if drawn is not None:  # its own numbers, and no sharper ones
            rows = released_rows(self.query, drawn - self.family.mean(self.tier.level))
        said = self.tier, self.family, ACCURACY_CONFIDENCE, self.query
        return takeaways.view(*said, rows or EXAMPLE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answers:
    """One tier's release of a structured session, with what must stand beside it.

    Attributes:
        tier: its name, look and budget, and the release as drawn.
        statistic: what was released, in words.
        legend: how its numbers are read.
        names: of the numbers.
        values: the numbers in units, without the mean of the noise.
        half: how far off each by itself may be; None where there is no such ±.
        for_all: whether it was drawn once, for all tiers.
        mode: in which it was drawn.
        facts: the header of its hand-out.
    """

    tier: HeldTier
    statistic: str
    legend: Legend
    names: tuple[str, ...]
    values: Array
    half: Array | None
    for_all: bool
    mode: Mode
    facts: Facts

    def __post_init__(self) -> None:
        checks.arrays(1, values=self.values)
        if self.half is not None:
            checks.arrays(1, least=0, half=self.half)

    @property
    def noun(self) -> str:
        """The unit of the numbers."""
        return self.legend.noun

    @property
    def sentence(self) -> Said:
        """How near the exact numbers these are, or how they are read; and whose they are."""
        if self.half is None or not self.half.size:
            text = f"{self.legend.says} {FOR_ALL}" if self.for_all else self.legend.says
            return Said(text.strip())
        one, most = self.legend.one, float(self.half.max())
        who = literal(capitalised(self.tier.name))
        near = f"{who} sees each {one} {to_within(most, self.noun)}"
        nearer = "; most are nearer" if float(self.half.min()) < most else ""
        why = Claim(
            what=f"distance of any {one} from the exact one, {self.tier.name}",
            value=most,
            unit=self.noun,
            fixed=f"{SURE}, {self.tier.budget}",
            method=f"the least distance that covers so much of the noise in one {one}, for the one "
            "with the most noise (MATHEMATICS 4.2)",
            assumes=f"each {one} is read by itself, as it was released",
        )
        return Said(f"{near} ({SURE}){nearer}.", (why,))


View = OneTier | Answers


def given_to(entries: Iterable[LedgerEntry], tier: str) -> list[LedgerEntry]:
    """The sharpest release of each session that a tier was given, the latest session first.

    A draw for all tiers was given to each, under whatever name the ledger keeps it.

    Args:
        entries: of the ledger.
        tier: its name, as typed.

    >>> ws = Workspace.fresh()
    >>> ws.draw("public", "audit")
    >>> [e.number for e in given_to(ws.ledger, "audit")], given_to(ws.ledger, "partners")
    ([2], [])
    """
    best: dict[int, LedgerEntry] = {}
    for entry in entries:
        if entry.tier == tier or entry.selection is not None:
            before = best.setdefault(entry.session, entry)
            if _sharpness(entry) > _sharpness(before):
                best[entry.session] = entry
    return sorted(best.values(), key=lambda e: -e.session)


def _sharpness(entry: LedgerEntry) -> tuple[float, float]:
    """The less noise the sharper; of one noise, the longer a list the sharper."""
    return -entry.level, float(entry.budget.exact)


def view_of(one: Session, entry: LedgerEntry, facts: Facts, *, name: str, look: TierStyle) -> View:
    """A release as its tier sees it.

    Args:
        one: a session that holds at least this release.
        entry: of the ledger.
        facts: the header of its hand-out.
        name: of the tier.
        look: of the tier.

    >>> ws = Workspace.fresh()
    >>> ws.draw("public")
    >>> (entry,) = ws.ledger
    >>> look = ws.plan.style_of("public")
    >>> view = view_of(ws.round, entry, ws.facts_of(entry), name="public", look=look)
    >>> view == one_tier(ws, "public")
    True
    """
    asking, level = one.asking, entry.level
    delta = entry.event.delta
    if asking.plain is not None:
        values = one.mechanism.held[level]
        return OneTier(
            tier=HeldTier.of(name, entry.budget, look, values, delta=delta),
            query=asking.plain.query,
            family=asking.family,
            mode=one.mode,
            facts=facts,
        )
    mechanism, legend = asking.as_of(one.mechanism, entry), asking.legend
    names, values = asking.entries(mechanism, level), asking.values(mechanism, level)
    half = None if legend.half is None else legend.half(entry)
    return Answers(
        tier=HeldTier.of(name, entry.budget, look, values, delta=delta),
        statistic=asking.statistic,
        legend=legend,
        names=names,
        values=np.asarray((values - legend.offset(level)) * asking.step),
        half=None if half is None else np.broadcast_to(half, len(names)),
        for_all=entry.selection is not None,
        mode=one.mode,
        facts=facts,
    )


def one_tier(ws: Workspace, name: str) -> OneTier | None:
    """The release of one tier of the session in use; None if none is held under this name.

    Args:
        ws: the workspace.
        name: of a tier in `Workspace.held`, as typed.

    >>> ws = Workspace.fresh()
    >>> ws.draw("public", "audit")
    >>> found = one_tier(ws, "public")
    >>> found.tier.name, dict(found.facts)["tier"]
    ('public', 'public')
    >>> one_tier(ws, "partners") is None
    True
    """
    current = ws.round
    tier = next((t for t in ws.held if t.name == name), None)
    if current is None or tier is None:
        return None
    return OneTier(
        tier=tier,
        query=ws.statistic.query,
        family=ws.family,
        mode=current.mode,
        facts=ws.facts_of(_in_use(ws, tier)),
    )


def _in_use(ws: Workspace, tier: HeldTier) -> LedgerEntry:
    """The entry of what a tier holds in the session in use."""
    asked = [e for e in ws.entries_of(ws.round) if e.level == tier.level]
    return next((e for e in asked if e.tier == tier.name), asked[-1])


def seen_by(ws: Workspace, name: str) -> list[LedgerEntry]:
    """All that a tier was given in this workspace: first of the statistic in use, then the latest.

    Args:
        ws: the workspace.
        name: of a tier of `who_sees`, as typed.

    >>> ws = Workspace.fresh()
    >>> ws.draw("public")
    >>> [e.tier for e in seen_by(ws, "public")], seen_by(ws, "partners")
    (['public'], [])
    """
    first = [_in_use(ws, t) for t in ws.held if t.name == name]
    done = {e.session for e in first}
    return [*first, *(e for e in given_to(ws.ledger, name) if e.session not in done)]


def shown_to(ws: Workspace, name: str, entry: LedgerEntry) -> View:
    """One of them, as the tier sees it.

    Args:
        ws: the workspace.
        name: of the tier.
        entry: one of those that it was given.
    """
    one = ws.session_of(entry)
    found = one_tier(ws, name) if one is ws.round else None
    if found is not None:
        return found
    return view_of(one, entry, ws.facts_of(entry), name=name, look=ws.plan.style_of(name))


def who_sees(ws: Workspace) -> list[str]:
    """The tiers that were given something: those of the session in use, then those of others.

    >>> ws = Workspace.fresh()
    >>> ws.draw("public")
    >>> who_sees(ws)
    ['public']
    """
    current = ws.round
    others = [e for e in ws.ledger if current is None or e.session != current.number]
    found = [t.name for t in ws.held] + [e.tier for e in others if e.selection is None]
    if any(e.selection is not None for e in others):
        found += [t.name for t in ws.plan.tiers]
    return list(dict.fromkeys(found))
