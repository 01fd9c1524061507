"""What is promised of one release, what that rests on, and what weakens it.

The sentences end every hand-out's header, so they speak of that release: how it was
drawn, and what of its statistic was read off the data. Limits: only what this workspace has shown
is known; who has looked at the data elsewhere is not.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from dpviz.data import SAMPLES, Table, quoted
from dpviz.queries import ByColumn, listed_in
from dpviz.release import Neighbour, Provenance
from dpviz.streams import Mode
from dpviz.words import join
from dpviz.workspace.facts import Facts
from dpviz.workspace.sessions import Statistic

NO_GUARANTEE = "none: practice mode"
# A release by itself, by how it was drawn.
BOTH_EXACT = "both are exact (total variation 0)"
THIS_RELEASE = {
    "fresh": "the budget above; drawn as new noise on the exact numbers, so of the samplers it "
    "rests on that of the noise only, which is exact (total variation 0)",
    "noisier": "the budget above; drawn by adding new noise to the noisiest release before it, "
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
CHECKED = (
    "the plan’s owner looked at how {} read: how many rows belong to each typed group and to none, "
    "and how many values fit their format; groups or bounds that are chosen by these numbers "
    "weaken the promise"
)


@dataclass(slots=True)
class Seen:
    """What this visitor has been shown of the data, table by table; it only grows."""

    groups: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # by digest and column
    # likewise, by plans that say that their list was read off the data
    listed: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    # lists of which the owner says that they were known before, by digest and column
    known_before: dict[tuple[str, str], set[frozenset[str]]] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)  # whose rows or exact numbers were on screen
    # columns of which the reading check was on screen, by digest
    checked: dict[str, set[str]] = field(default_factory=dict)
    # which groups and formats these were, as far as this workspace was open; no project keeps it
    readings: set[Hashable] = field(default_factory=set)

    def follow(self, before: str, digest: str) -> None:
        """What was known of a table under one digest holds under another one, too."""
        for (of, column), groups in [*self.listed.items()]:
            if of == before:
                self.listed.setdefault((digest, column), set()).update(groups)
        for (of, column), lists in [*self.known_before.items()]:
            if of == before:
                self.known_before.setdefault((digest, column), set()).update(lists)
        if before in self.tables:
            self.tables.add(digest)
        if before in self.checked:
            self.check(digest, self.checked[before])

    def check(self, digest: str, columns: Iterable[str]) -> None:
        """Remember that the reading check of these columns was on screen."""
        self.checked.setdefault(digest, set()).update(columns)

    def of(self, about: Statistic | Table | None) -> Provenance:
        """What of a statistic was read off the data, or could have been.

        Args:
            about: the statistic, or the table, that is released; None for typed numbers.
        """
        if about is None:
            return Provenance()
        if isinstance(about, Table):
            return self._of_table(about.digest)
        by, digest = about.query.by, about.table.digest
        sample = next((s for s in SAMPLES.values() if s.loading == about.loading), None)
        found: dict[bool, list[str]] = {False: [], True: []}  # by whether it was known before
        for part in listed_in(by):
            public = sample.groups.get(part.column) if sample else None
            coded = tuple(code for code, _ in about.table.file.labels_of(part.column))
            if self.read_off(digest, part) and part.groups not in (public, coded):
                found[self.was_known(digest, part)].append(part.column)
        return replace(
            self._of_table(digest),
            read_off=tuple(dict.fromkeys(found[False])),
            known_before=tuple(dict.fromkeys(found[True])),
        )

    def read_off(self, digest: str, part: ByColumn) -> bool:
        """Whether a group on a list was read off the table, also if it was typed afterwards."""
        key = digest, part.column
        return not {*self.groups.get(key, ()), *self.listed.get(key, ())}.isdisjoint(part.groups)

    def was_known(self, digest: str, part: ByColumn) -> bool:
        """Whether the owner says that this very list was known before anybody looked."""
        return frozenset(part.groups) in self.known_before.get((digest, part.column), ())

    def say_known(self, digest: str, part: ByColumn, said: bool = True) -> None:
        """Note what the owner says of this list, or take it back.

        Args:
            digest: of the table.
            part: the column with its list, in any order.
            said: whether it was known before anybody looked.
        """
        lists = self.known_before.setdefault((digest, part.column), set())
        (lists.add if said else lists.discard)(frozenset(part.groups))

    def _of_table(self, digest: str) -> Provenance:
        """What was on screen of a table."""
        checked = tuple(sorted(self.checked.get(digest, ())))
        return Provenance(looked=digest in self.tables, checked=checked)


def groups_words(columns: Sequence[str]) -> str:
    """Which lists of groups, by their columns; empty without a column.

    >>> groups_words(("ward",))
    'the list of groups of “ward”'
    """
    listed = join([f"“{column}”" for column in columns])
    return f"the list of groups of {listed}" if listed else ""


def checked_words(columns: Sequence[str]) -> str:
    """That the reading check of these columns was on screen.

    >>> checked_words(("cost", "ward")).partition(":")[0]
    'the plan’s owner looked at how “cost” and “ward” are read'
    """
    listed = join([quoted(column) for column in columns])
    return CHECKED.format(f"{listed} {'is' if len(columns) == 1 else 'are'}")


def known_words(columns: Sequence[str]) -> str:
    """That groups were read off the data, and that the owner says that the list was known before.

    >>> known_words(("ward",)).partition(";")[0]
    'the list of groups of “ward” has some that this workspace read off the data'
    """
    return (
        f"{groups_words(columns)} has some that this workspace read off the data; the plan’s owner "
        "says that the list was known before anybody looked, and the guarantee rests on that"
    )


def notes(known: Provenance) -> Facts:
    """What a reader of the numbers should know about the data; empty if there is nothing."""
    found = []
    if known.read_off:
        hidden = f"{groups_words(known.read_off)}: no noise hides that one exists"
        found.append(("read off the data", hidden))
    if known.known_before:
        found.append(("known before", known_words(known.known_before)))
    if known.looked:
        found.append(("looked at", LOOKED_AT))
    if known.checked:
        found.append(("reading checked", checked_words(known.checked)))
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
        this = together = f"none: {groups_words(known.read_off)} was read off the data"
    else:
        this, together = THIS_RELEASE[_drawn(leaned)], COALITIONS
    return (*notes(known), ("guarantee, this release", this), ("guarantee, coalitions", together))


def _drawn(leaned: Sequence[Neighbour]) -> str:
    """How a release was drawn, a key of `THIS_RELEASE`."""
    exact, noisier = leaned[0].level == 0, len(leaned) > 1
    if noisier:
        return "bridge" if exact else "released"
    return "fresh" if exact else "noisier"
