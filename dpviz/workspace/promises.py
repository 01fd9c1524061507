"""What is promised of one release, what that rests on, and what weakens it.

The sentences end every hand-out's header, so they speak of that release: how it was
drawn, and what of its statistic was read off the data. Limits: only what this workspace has shown
is known; who has looked at the data elsewhere is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from dpviz.data import SAMPLES, Table
from dpviz.queries import listed_in
from dpviz.release import Neighbour, Provenance
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


@dataclass(slots=True)
class Seen:
    """What this visitor has been shown of the data, table by table; it only grows."""

    groups: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # by digest and column
    # likewise, by plans that say that their list was read off the data
    listed: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)  # whose rows or exact numbers were on screen

    def follow(self, before: str, digest: str) -> None:
        """What was known of a table under one digest holds under another one, too."""
        for (of, column), groups in [*self.listed.items()]:
            if of == before:
                self.listed.setdefault((digest, column), set()).update(groups)
        if before in self.tables:
            self.tables.add(digest)

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
        for part in listed_in(by):
            key = digest, part.column
            known = {*self.groups.get(key, ()), *self.listed.get(key, ())}
            listed = known & set(part.groups)
            public = sample.groups.get(part.column) if sample else None
            if listed and part.groups != public:
                found.append(part.column)
        return Provenance(read_off=tuple(dict.fromkeys(found)), looked=digest in self.tables)


def groups_words(known: Provenance) -> str:
    """Which groups were read off the data; empty if none were.

    >>> groups_words(Provenance(read_off=("ward",)))
    'the list of groups of “ward”'
    """
    listed = join([f"“{column}”" for column in known.read_off])
    return f"the list of groups of {listed}" if listed else ""


def notes(known: Provenance) -> Facts:
    """What a reader of the numbers should know about the data; empty if there is nothing."""
    found = []
    if known.read_off:
        hidden = f"{groups_words(known)}: no noise hides that one exists"
        found.append(("read off the data", hidden))
    if known.looked:
        found.append(("looked at", LOOKED_AT))
    return tuple(found)


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
        this = together = f"none: {groups_words(known)} was read off the data"
    else:
        this, together = THIS_RELEASE[_drawn(leaned)], COALITIONS
    return (*notes(known), ("guarantee, this release", this), ("guarantee, coalitions", together))


def _drawn(leaned: Sequence[Neighbour]) -> str:
    """How a release was drawn, a key of `THIS_RELEASE`."""
    exact, noisier = leaned[0].level == 0, len(leaned) > 1
    if noisier:
        return "bridge" if exact else "released"
    return "fresh" if exact else "noisier"
