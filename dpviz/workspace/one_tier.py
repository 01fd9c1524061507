"""What the readers of one clearance may see: one release, what it is, and nothing of any other.

A screen that is handed over, or later a reader with an account, is shown from this record alone,
so no other tier's name or number can come with it.
Limits: it says what a screen shows, and keeps nobody from asking the workspace for more.
"""

from dataclasses import dataclass

from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.queries import Query
from dpviz.streams import Mode
from dpviz.words.claims import Said
from dpviz.workspace import takeaways
from dpviz.workspace.facts import Facts
from dpviz.workspace.held import HeldTier
from dpviz.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class OneTier:
    """One tier's release with what must stand beside it.

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
    def sentence(self) -> Said:
        """How near the exact numbers this tier's are."""
        return takeaways.view(self.tier, self.family, ACCURACY_CONFIDENCE, self.query)


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
    asked = [e for e in ws.entries_of(current) if e.level == tier.level]
    entry = next((e for e in asked if e.tier == name), asked[-1])
    return OneTier(
        tier=tier,
        query=ws.statistic.query,
        family=ws.family,
        mode=current.mode,
        facts=ws.facts_of(entry),
    )
