"""Continual counting of the visitor's own stream: what is counted, by whom it is read, the facts.

A stream is a table counted by times, or a list of typed counts. The exact counts are made when the
first tier draws, inside the mechanism, and again only for "reveal".
"""

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.guarantees import float_below
from dpviz.accounting.laplace import laplace_sum_half_width
from dpviz.accounting.levels import laplace_level
from dpviz.accounting.trees import Tree, chosen_tree, counting_family, vertices_used
from dpviz.counting.counted_stream import CountedStream, exact_vertices
from dpviz.data import Table
from dpviz.errors import DataError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Family
from dpviz.parameters import plain
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Setting
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import ByTime, Count, Sensitivity
from dpviz.queries.nouns import PERSON
from dpviz.release import LedgerEntry
from dpviz.words import percent, within
from dpviz.workspace.facts import Facts, header
from dpviz.workspace.kept import Levels
from dpviz.workspace.sessions import Asking, Legend, Session, Statistic
from dpviz.workspace.structured import budgeted
from dpviz.workspace.workspace import Workspace

MOST_TYPED = 100_000  # counts in a typed list
TYPED_NOT_KEPT = (
    "A project knows its data again by their file, and these counts were typed. Count a table by "
    "times, or draw in a workspace without a project"
)


@dataclass(frozen=True, slots=True)
class Branching:
    """Which tree: its arity, the best one for the stream if None, and whether it subtracts."""

    arity: int | None = None
    subtraction: bool = True

    def __post_init__(self) -> None:
        if self.arity is not None:
            checks.whole(2, arity=self.arity)

    def tree(self, steps: int) -> Tree:
        """The lowest such tree for these steps."""
        return chosen_tree(steps, self.arity, self.subtraction)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stream:
    """A stream of the visitor's, before anything is drawn of it.

    Attributes:
        key: what its exact counts are made of.
        counted: the table and the query that counts it; None for typed counts.
        exact: makes the exact counts.
        steps: T.
        every: what a step is, such as "day".
        noun: unit of the counts.
        labels: name of each step, or None for its number.
        moved: c, what one person can move the counts by altogether.
        statistic: what is counted, in words.
        data: name of the table.
        unit: who is protected.
        neighbours: the two streams between which the promise holds.
        contribution: what one person adds at most, in words.
        one: what is protected, such as "person".
    """

    key: Hashable
    counted: Statistic | None
    exact: Callable[[], NDArray[np.int64]]
    steps: int
    every: str
    noun: str
    labels: tuple[str, ...] | None
    moved: int
    statistic: str
    data: str
    unit: str
    neighbours: str
    contribution: str
    one: str = PERSON.one

    def __post_init__(self) -> None:
        checks.whole(1, steps=self.steps)
        checks.whole(0, moved=self.moved)

    @property
    def table(self) -> Table | None:
        """The table that is counted; None for typed counts."""
        return self.counted.table if self.counted else None


def of_query(ws: Workspace, query: Count) -> Stream:
    """A query that counts the table by times, as a stream."""
    return of_statistic(Statistic(ws.table, query, ws.loading), query)


def of_statistic(statistic: Statistic, query: Count) -> Stream:
    """A statistic, and its query that counts by times, as a stream."""
    table, by = statistic.table, query.by
    return Stream(
        key=statistic.key,
        counted=statistic,
        exact=lambda: query.values(table),
        steps=len(query.labels),
        every=by.every if isinstance(by, ByTime) else "step",
        noun=query.noun_released,
        labels=query.labels,
        moved=round(query.sensitivity.l1),
        statistic=query.statistic,
        data=statistic.data,
        unit=query.unit,
        neighbours=query.neighbours,
        contribution=query.contribution,
        one=query.nouns.one,
    )


def of_counts(counts: Sequence[int], moved: int) -> Stream:
    """A list of counts, as a stream.

    Args:
        counts: new events of each step.
        moved: c, what one person can move all of them by together.
    """
    return Stream(
        key=("typed counts", hashlib.sha256(repr(tuple(counts)).encode()).hexdigest()),
        counted=None,
        exact=lambda: np.array(counts, dtype=np.int64),
        steps=len(counts),
        every="step",
        noun="events",
        labels=None,
        moved=moved,
        statistic="number of events per step",
        data="a typed list of counts",
        unit="one person",
        neighbours="add or remove one person",
        contribution=f"One person moves all counts together by at most {moved:,} (as typed).",
    )


def read_counts(text: str) -> tuple[int, ...]:
    """Whole numbers of at least 0, set apart by lines, spaces or commas; no value is repeated.

    A comma inside a number is refused, as in 1,000 on a line of its own: read as two counts, it
    would be another stream.

    Raises:
        DataError: one sentence that names a place and never a value.

    >>> read_counts("3, 0 2")
    (3, 0, 2)
    """
    _no_comma_inside(text)
    pieces = text.replace(",", " ").replace(";", " ").split()
    if len(pieces) > MOST_TYPED:
        raise DataError(f"Counts: there may be at most {MOST_TYPED:,}. Type fewer, or upload rows.")
    found = []
    for place, piece in enumerate(pieces, start=1):
        try:
            number = float(piece) if plain(piece) else float("nan")
        except ValueError:
            number = float("nan")
        if not number == number or abs(number) > 2**53:
            raise DataError(
                f"Counts: entry {place:,} cannot be used. Type a whole number such as 12."
            )
        if number != int(number):
            raise DataError(
                f"Counts: entry {place:,} is a fraction. Type whole numbers, such as 12; count in "
                "smaller units first."
            )
        if number < 0:
            raise DataError(
                f"Counts: entry {place:,} is below 0. Type new events only, at least 0 each."
            )
        found.append(int(number))
    return tuple(found)


def _no_comma_inside(text: str) -> None:
    """A list may be set apart by commas alone, or not at all by commas without a space.

    Raises:
        DataError: if a number has a comma inside.
    """
    apart = [piece.strip(",;") for piece in text.split()]
    for place, piece in enumerate(apart, start=1):
        if len(apart) > 1 and "," in piece:
            raise DataError(
                f"Counts: entry {place:,} has a comma inside. Type 1000, not 1,000, and each "
                "count on a line of its own."
            )


def family_of(ws: Workspace) -> Family:
    """Laplace; in hardened mode its whole-number form, which is drawn exactly."""
    return ADDITIVE["discrete_laplace"] if ws.mode == "hardened" else ADDITIVE["laplace"]


def epsilon_of(planned: PlannedTier) -> float:
    """The budget that a tier draws at: never more than was typed."""
    return float_below(planned.budget.exact)


def readers(
    ws: Workspace, tree: Tree, steps: int, moved: int
) -> tuple[list[PlannedTier], list[str]]:
    """The plan's tiers with their ε for such a stream, most private first, and who is left out."""
    setting = Setting(
        family=family_of(ws),
        delta=ws.delta,
        sensitivity=Sensitivity.bounded(tree.height * moved),
        dimension=steps,
    )
    found, left_out = budgeted(ws, setting)
    levels = [laplace_level(epsilon_of(p), tree.height * moved) for p in found]
    return [
        replace(p, budget=replace(p.budget, level=level))
        for p, level in zip(found, levels, strict=True)
    ], left_out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """What a session is about: a stream, the tree and the noise that it is counted with."""

    stream: Stream
    branching: Branching
    tree: Tree
    family: Family

    @property
    def key(self) -> Hashable:
        """Everything that the answer and its noise depend on, but for the mode."""
        s = self.stream
        return "continual counting", s.key, s.moved, self.branching, self.family.name

    def tiers(self, ws: Workspace) -> tuple[list[PlannedTier], list[str]]:
        """The plan's tiers for this stream, most private first, and who is left out."""
        return readers(ws, self.tree, self.stream.steps, self.stream.moved)

    def half_width(self, level: float) -> float:
        """How far off a running count may be: the one with the most noise in it.

        Args:
            level: of the noise.
        """
        most = int(vertices_used(self.tree, self.stream.steps).max())
        return laplace_sum_half_width(most, level, ACCURACY_CONFIDENCE, family=self.family)

    def _half_widths(self, level: float) -> NDArray[np.float64]:
        """How far off each running count by itself may be."""
        used, which = np.unique(vertices_used(self.tree, self.stream.steps), return_inverse=True)
        each = (
            laplace_sum_half_width(int(n), level, ACCURACY_CONFIDENCE, family=self.family)
            for n in used
        )
        return np.array([*each])[which]

    def asked(self, ws: Workspace) -> tuple[Asking, list[PlannedTier]]:
        """What a plan asks of it, and for whom."""
        return self.asking, self.tiers(ws)[0]

    @property
    def asking(self) -> Asking:
        """What the mechanism is asked for, and how its releases are accounted for."""
        s = self.stream
        labels = s.labels or tuple(f"{s.every} {n}" for n in range(1, s.steps + 1))
        shape = self.branching.arity, self.branching.subtraction
        kept = Levels(
            subject=self,
            family=counting_family(self.family),
            exact=lambda: exact_vertices(s.exact(), *shape),
            around=lambda session: CountedStream.around(
                session, s.steps, *shape, sensitivity=s.moved
            ),
            inner=lambda stream: stream.inner,
        )

        def release(stream: CountedStream, tier: PlannedTier) -> float:
            stream.release(epsilon_of(tier))
            return stream.level(epsilon_of(tier))

        return Asking(
            key=self.key,
            statistic=f"running count, {s.statistic}",
            data=s.data,
            family=self.family,
            kind="lossless",
            mechanism=lambda rng: kept.opened(rng=rng),
            release=release,
            facts=self._facts,
            values=lambda stream, level: stream.held[level],
            entries=lambda *_: labels,
            about=s.counted,
            bounds=s.counted.query.bounds if s.counted else None,
            kept=kept if s.counted else TYPED_NOT_KEPT,
            any_order=True,
            legend=Legend(
                one="running count",
                many="running counts",
                noun=s.noun,
                half=lambda entry: self._half_widths(entry.level),
            ),
        )

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of one tier's running counts."""
        s, tree, family, level = self.stream, self.tree, self.family, entry.level
        half = self.half_width(level)
        kind = "with" if self.branching.subtraction else "without"
        return header(
            entry,
            one.mode,
            statistic=f"running count from the first {s.every} on: {s.statistic}",
            data=s.data,
            together=f"for all {s.steps:,} {s.every}s together",
            unit=s.unit,
            neighbours=s.neighbours,
            bounds=s.contribution,
            sensitivity=sensitivity_words(tree, s.moved),
            noise=f"{family.label}, {family.level_name} {level!r}, on every vertex of a tree "
            f"of arity {tree.arity} and height {tree.height} {kind} subtraction",
            accuracy=f"with {percent(ACCURACY_CONFIDENCE)} confidence each running count by itself "
            f"is {within(half, f'({s.noun}) of the bounded one')}; most are nearer",
        )


def subject(ws: Workspace, stream: Stream, branching: Branching) -> Subject:
    """A stream with the tree and the noise in use."""
    return Subject(
        stream=stream, branching=branching, tree=branching.tree(stream.steps), family=family_of(ws)
    )


def sensitivity_words(tree: Tree, moved: int, one: str = PERSON.one) -> str:
    """Δ₁ of the vertices as formula with the numbers in; `one`: what is protected."""
    return (
        f"Δ₁ = h·c = {tree.height}·{moved} = {tree.height * moved} (tree of height h; one {one} "
        f"moves the counts by c altogether)"
    )
