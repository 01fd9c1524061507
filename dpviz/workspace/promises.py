"""What is promised of one release, what that rests on, and what weakens it.

The sentences stand at the end of every hand-out's header, so they speak of that release: how it was
drawn, and what of its statistic was read off the data. Limits: only what this workspace has shown
is known; whoever has looked at the data elsewhere is not found out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dpviz.data import SAMPLES, Table
from dpviz.queries import ByColumn, ByTwoColumns
from dpviz.release import LedgerEntry, Neighbour
from dpviz.streams import Mode
from dpviz.words import join
from dpviz.workspace.facts import Facts
from dpviz.workspace.sessions import Statistic

NO_GUARANTEE = "none: teaching mode"
# A release by itself, by how it was drawn.
BOTH_EXACT = "both are exact (total variation 0)"
THIS_RELEASE = {
    "fresh": "the budget above; drawn as fresh noise on the exact numbers, so of the samplers it "
    "rests on that of the noise only, which is exact (total variation 0)",
    "noisier": "the budget above; drawn by adding fresh noise to the noisiest release before it, "
    "so of the samplers it rests on that of the noise only, which is exact (total variation 0)",
    "bridge": "the budget above; drawn between the exact numbers and a noisier release, so it "
    f"rests on the sampler of the noise and on that of the bridge; {BOTH_EXACT}",
    "released": "the budget above; drawn between two releases without the exact numbers, so it "
    "tells no more than these two even if the bridge were wrong; for its own budget it rests on "
    f"the sampler of the noise and on that of the bridge; {BOTH_EXACT}",
}
COALITIONS = (
    "the largest budget among the members; it rests on the sampler of the noise and on that of "
    f"the bridge between two releases; {BOTH_EXACT}"
)
LOOKED_AT = (
    "rows or exact numbers of this table have been on screen in this workspace; groups or bounds "
    "that are chosen by them weaken the promise"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What of a statistic was not known without the data, as far as this workspace knows."""

    read_off: tuple[str, ...] = ()  # columns whose groups were read off the data
    looked: bool = False  # rows or exact numbers of its table have been on screen

    @property
    def groups(self) -> str:
        """What was read off the data, in words; empty if nothing was."""
        listed = join([f"“{column}”" for column in self.read_off])
        return f"the list of groups of {listed}" if listed else ""

    @property
    def notes(self) -> Facts:
        """What whoever reads the numbers should know; empty if there is nothing."""
        found = []
        if self.read_off:
            found.append(("read off the data", f"{self.groups}: no noise hides that one exists"))
        if self.looked:
            found.append(("looked at", LOOKED_AT))
        return tuple(found)


@dataclass(slots=True)
class Seen:
    """What this visitor has been shown of the data, table by table; it only grows."""

    groups: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # by digest and column
    tables: set[str] = field(default_factory=set)  # whose rows or exact numbers were on screen

    def of(self, about: Statistic | Table | None) -> Provenance:
        """What of a statistic was read off the data, or could have been.

        Args:
            about: the statistic, or the table, that is released; None for typed numbers.
        """
        if about is None:
            return Provenance()
        if isinstance(about, Table):
            return Provenance(looked=about.digest in self.tables)
        by, digest = about.query.by, about.table.digest
        sample = next((s for s in SAMPLES.values() if s.loading == about.loading), None)
        found = []
        for part in (by.first, by.second) if isinstance(by, ByTwoColumns) else (by,):
            if isinstance(part, ByColumn):
                listed = set(part.groups) & set(self.groups.get((digest, part.column), ()))
                public = sample.groups.get(part.column) if sample else None
                if listed and part.groups != public:
                    found.append(part.column)
        return Provenance(read_off=tuple(dict.fromkeys(found)), looked=digest in self.tables)


def leaned_on(
    before: Iterable[LedgerEntry], level: float, leaned: tuple[Neighbour, ...]
) -> tuple[Neighbour, ...]:
    """What the draw of a level leaned on: now, or when it was first asked for.

    Args:
        before: the session's entries in the ledger, in order of asking.
        level: the level.
        leaned: what a draw now leaned on; empty if the level was held already.
    """
    return leaned or next(e.neighbours for e in before if e.level == level)


def promise(mode: Mode, leaned: Sequence[Neighbour], known: Provenance) -> Facts:
    """What is promised of one release, and what that rests on; the end of its hand-out's header.

    Until a session is sealed, a release that is asked for after a noisier one is drawn between the
    exact numbers and that one, so its own privacy rests on the bridge as well. Once sealed, all is
    drawn from releases [LMR25, Lemma A.2]. What was read off the data is promised nothing.

    Args:
        mode: the session's.
        leaned: what the draw leaned on, as the ledger keeps it; level 0 is the exact numbers.
        known: what of the statistic was read off the data, or could have been.
    """
    if mode == "teaching":
        this, together = NO_GUARANTEE, NO_GUARANTEE
    elif known.read_off:
        this = together = f"none: {known.groups} was read off the data"
    else:
        this, together = THIS_RELEASE[_drawn(leaned)], COALITIONS
    return (*known.notes, ("guarantee, this release", this), ("guarantee, coalitions", together))


def _drawn(leaned: Sequence[Neighbour]) -> str:
    """How a release was drawn, a key of `THIS_RELEASE`."""
    exact, noisier = leaned[0].level == 0, len(leaned) > 1
    if noisier:
        return "bridge" if exact else "released"
    return "fresh" if exact else "noisier"
