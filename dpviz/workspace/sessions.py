"""A statistic in use, what a session is asked for, the sessions opened, and their practice streams.

One record for every session, whether it releases a statistic as it is or asks a structured
mechanism. What changes the exact answer or the noise family needs a new session, and the losses
of different sessions add.

A practice session draws from the stream of its seed and of everything it is asked:

    seed → what is asked → which session of this question → (the tab)

Two tabs with one seed that ask the same question get the same numbers, in whatever order; two
questions that differ in anything share no noise, so nothing of it can be subtracted. What repeats
an order of asking only (sparse histograms, reports by RAPPOR) draws below the tab's own number.
Why that is safe: docs/DECISIONS.md, "A seed belongs to a tab".
"""

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks, streams
from dpviz.accounting.guarantees import offered
from dpviz.data import SAMPLES, Table
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Family
from dpviz.parameters import exact
from dpviz.planning.budgets import Budget, Setting, at_level
from dpviz.planning.tiers import Budgets, PlannedTier
from dpviz.queries import Bounds, Nouns, Query
from dpviz.queries.reading_check import refuse_misread
from dpviz.release import LedgerEntry, Selection
from dpviz.release.commitment import CommittedPath
from dpviz.release.ledger import Kind
from dpviz.streams import Mode
from dpviz.workspace.facts import Facts, handout_facts
from dpviz.workspace.kept import Keeping, Levels

PUBLIC = (
    "When one is replaced by another, this number stays as it is: it is public and needs no noise. "
    "Choose “one more or less”, or split by groups."
)
NOT_KEPT = "A project cannot keep releases of this kind. Draw them in a workspace without a project"
NO_SEAL = "This session cannot be sealed: each further release is drawn from the exact numbers"


def at_its_level(mechanism: Any, tier: PlannedTier) -> float:
    """Draw a tier's release from a session of levels; returns the level."""
    mechanism.release(tier.budget.level)
    return tier.budget.level


def held_at(mechanism: Any, level: float) -> NDArray[Any]:
    """What a session of levels holds at one of them."""
    held: NDArray[Any] = mechanism.held[level]
    return held


def families_in(mode: Mode) -> list[str]:
    """Names of the noise families that a mode allows: hardened takes whole numbers only."""
    return [n for n in offered() if mode == "teaching" or ADDITIVE[n].integer]


def setting_of(query: Query, family_name: str, delta: float) -> Setting:
    """What budgets refer to under a query and a noise; no table is needed to know it."""
    return Setting(
        family=ADDITIVE[family_name],
        delta=delta,
        sensitivity=query.sensitivity,
        dimension=query.dimension,
        step=query.step,
        directions=query.directions,
    )


Reach = Callable[[LedgerEntry], Any]  # a number for all of them, or one for each


def _nothing(_level: float) -> float:
    return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Legend:
    """What stands beside the numbers of a session, where somebody reads them.

    Attributes:
        one: what one of them is called.
        many: what several of them are called.
        columns: what their names are, and what they are, at the head of a table.
        noun: their unit.
        says: a sentence on how to read them, where they have no ±.
        half: of a release, how far off each number by itself may be with the usual confidence, in
            units; None for what has no such ±, such as a place in a list.
        offset: mean of the noise in the numbers at a level, in steps: to be subtracted.
    """

    one: str = "number"
    many: str = "numbers"
    columns: tuple[str, str] = ("name", "number")
    noun: str = ""
    says: str = ""
    half: Reach | None = None
    offset: Callable[[float], Any] = _nothing


NUMBERS = Legend()


@dataclass(frozen=True, slots=True)
class Statistic:
    """What is published: a query on a table, and how the library loads that table.

    Attributes:
        table: that is asked.
        query: what is asked.
        loading: a Python expression, for the code samples.
        budgets: of the tiers, as typed, while another statistic is in use; empty: none of its own
            yet, so that it begins with those of the statistic in use.
        own_name: what somebody calls it; empty: it is called by what is published.
        noise: name of the family of its noise, while another statistic is in use; empty: that of
            the statistic in use.
    """

    table: Table
    query: Query
    loading: str
    budgets: Budgets = field(default_factory=dict, compare=False, repr=False)
    own_name: str = field(default="", compare=False)
    noise: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.own_name or self.query.statistic

    @property
    def key(self) -> tuple[Hashable, Query]:
        """What makes it this statistic: the bytes of the table, how they are read, the query."""
        return self.table.source(self.query.columns), self.query

    @property
    def words(self) -> tuple[tuple[str, ...], Nouns, bool | None]:
        """What groups, the unit, rows and numbers are called: the same statistic in any words.

        With them what was said of several rows of one person, which changes no number either.
        """
        return self.query.labels, self.query.nouns, self.query.bounds.several_rows

    @property
    def unsaid(self) -> str:
        """The question who is protected, while nobody has answered it; of a sample it is known."""
        if self.loading in SAMPLES or not self.query.bounds.unsaid:
            return ""
        nouns = self.query.nouns
        return f"Nobody has said whether {nouns.a_unit} can have several {nouns.rows}"

    @property
    def data(self) -> str:
        """What the table is called, and how the columns that are used are read."""
        return self.table.described(self.query.columns)

    def setting(self, family_name: str, delta: float) -> Setting:
        """What budgets refer to under this statistic and noise."""
        return setting_of(self.query, family_name, delta)

    def asked(self, family_name: str) -> Hashable:
        """The key of its session with this noise, without all that `asking` says of it."""
        return ("as it is", *self.key, family_name)

    def asking(self, family_name: str) -> "Asking":
        """What its session is asked for: its numbers as they are, with this noise."""
        table, query, family = self.table, self.query, ADDITIVE[family_name]
        kept = Levels(subject=self, family=family, exact=lambda: query.values(table))
        return Asking(
            key=self.asked(family_name),
            statistic=query.statistic,
            data=self.data,
            family=family,
            kind="lossless",
            mechanism=lambda rng: kept.opened(rng=rng),
            release=at_its_level,
            facts=lambda entry, one: handout_facts(entry, one.mode, query, self.data),
            values=held_at,
            entries=lambda *_: query.entries,
            step=query.step,
            about=self,
            bounds=query.bounds,
            plain=self,
            kept=kept,
            any_order=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What a session is asked for, and how its releases are accounted for.

    Attributes:
        key: everything on which the exact answer and the distribution of the noise depend.
        statistic: what is released, in words.
        data: name of the table.
        family: the noise family, for the definition of its budgets.
        kind: what the mechanism promises of coalitions.
        mechanism: makes the mechanism from the session's generator; it computes the exact answer.
        release: draws from the mechanism for a tier, and returns the level.
        facts: what a tier's numbers are, for those who get them, up to what is promised.
        values: the numbers that the mechanism holds at a level; draws nothing.
        entries: their names.
        step: one whole step of them, in the unit of the statistic.
        about: the statistic or the table that is released; None for typed numbers.
        bounds: who is protected, and how much of them counts; None for typed numbers.
        plain: the statistic whose numbers are released as they are, so that packs hold them; None
            for a structured mechanism, whose page hands its answers out.
        as_of: the mechanism with no more than an entry of the ledger stands for, where a session
            draws on at one level; by default all of it.
        selection: of a draw that is no noise of the family at the level: what is drawn and what it
            costs, by the number of its session.
        kept: how a project keeps the session; or the sentence that says why none does.
        legend: how the numbers of a structured mechanism are read.
        any_order: whether a seed gives the same numbers in whatever order they are asked for; if
            not, no other tab may draw from the same stream.
        laid: what decides, beside the key, which number gets which noise of a stream.
    """

    key: Hashable
    statistic: str
    data: str
    family: Family
    kind: Kind
    mechanism: Callable[[np.random.Generator], Any]
    release: Callable[[Any, PlannedTier], float]
    facts: Callable[[LedgerEntry, "Session"], Facts]
    values: Callable[[Any, float], NDArray[Any]]
    entries: Callable[[Any, float], tuple[str, ...]]
    step: float = 1.0
    about: Statistic | Table | None = None
    bounds: Bounds | None = None
    plain: Statistic | None = None
    as_of: Callable[[Any, LedgerEntry], Any] = lambda mechanism, _: mechanism
    selection: Callable[[int], Selection] | None = None
    kept: Keeping | str = NOT_KEPT
    legend: Legend = NUMBERS
    any_order: bool = False
    laid: Hashable = ()

    def __post_init__(self) -> None:
        checks.positive(step=self.step)

    @property
    def table(self) -> Table | None:
        """The table that is asked; None for typed numbers."""
        return self.about.table if isinstance(self.about, Statistic) else self.about

    def opened(self, *, rng: np.random.Generator) -> Any:
        """Make the mechanism of a new session, unless most values of a column are misread.

        Args:
            rng: generator of its noise.

        Raises:
            ParameterError: if the mechanism refuses, or fewer than half of the values of a column
                that is read as numbers or times have that form.
        """
        if isinstance(self.about, Statistic):
            refuse_misread(self.about.query, self.about.table)
        return self.mechanism(rng)

    @property
    def never_sealed(self) -> str:
        """Why its session cannot be sealed; nothing where it can."""
        return NO_SEAL if isinstance(self.kept, str) else self.kept.never_sealed

    @property
    def keeping(self) -> Keeping:
        """How a project keeps the session.

        Raises:
            ParameterError: why none does.
        """
        if isinstance(self.kept, str):
            raise ParameterError(self.kept)
        return self.kept


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Committed:
    """A path that was committed to, and COMMITMENT.json as it was published."""

    path: CommittedPath
    published: bytes


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Session:
    """One session with what it was opened for. "Start over" closes it; its releases stay.

    Its mechanism keeps what it drew, a `MultipleRelease` where a statistic is released as it is;
    its releases are in the ledger, and its loss adds to that of the other sessions. The stream of a
    practice session is the seed and path of its generator; it is in no file that is handed out.
    """

    number: int
    asking: Asking
    mode: Mode
    mechanism: Any
    stream: tuple[int, ...] = ()
    closed: bool = False
    committed: Committed | None = None

    @property
    def sealed_at(self) -> float | None:
        """The level that it is sealed at, or None while it is open."""
        kept = self.asking.kept
        return None if isinstance(kept, str) else kept.sealed_at(self.mechanism)

    @property
    def statistic(self) -> Statistic:
        """The statistic that it releases as it is.

        Raises:
            ParameterError: if it is that of a structured mechanism.
        """
        if self.asking.plain is None:
            raise ParameterError(
                f"Session {self.number} is that of a structured mechanism: it releases no "
                "statistic as it is. Its answers are in dpviz.workspace.structured.release_of"
            )
        return self.asking.plain

    def rename(self, statistic: Statistic) -> None:
        """Call its groups as this statistic does, if it is the same one: names are only words.

        What its unit and rows are called stays as it was asked for: its files say so. But whether
        one person can have several rows is no word: what was said last holds for its files, too.
        """
        mine = self.asking.plain
        if mine is None or mine.key != statistic.key:
            return
        mine_said, said = (s.query.bounds.several_rows for s in (mine, statistic))
        if (mine.query.labels, mine_said) == (statistic.query.labels, said):
            return
        named: Any = statistic.query
        if mine_said == said:
            named = replace(named, bounds=replace(named.bounds, nouns=mine.query.nouns))
        self.asking = replace(mine, query=named).asking(self.asking.family.name)


def put_to_use(
    statistic: Statistic, known: list[Statistic], sessions: Iterable[Session]
) -> Statistic:
    """The statistic as it is known from now on: on the list once, and of one name everywhere.

    Under other names for its groups or its unit it is the same statistic; its sessions go on.

    Args:
        statistic: what is put to use.
        known: those that were before; it joins them at the end, or takes its old place.
        sessions: what was opened so far.
    """
    keys = [s.key for s in known]
    if statistic.key not in keys:
        known.append(statistic)
        return statistic
    place = keys.index(statistic.key)
    if known[place].words != statistic.words:
        known[place] = replace(known[place], query=statistic.query)
        for one in sessions:
            one.rename(known[place])
    return known[place]


def stated_at(entry: LedgerEntry, setting: Setting) -> Budget:
    """What a release tells, in every currency: as it was stated when it was drawn."""
    then = replace(setting, delta=entry.event.delta or setting.delta)
    loss = exact(entry.event.budget)
    return replace(at_level(entry.level, then), loss=float(loss), exact=loss)


def stream_of(asking: Asking, seed: int, tab: int, before: Iterable[Session]) -> tuple[int, ...]:
    """Seed and path of the generator of a session that is opened now.

    Args:
        asking: what it is asked for.
        seed: of the workspace.
        tab: the workspace's own number, which no other one has.
        before: the sessions that were opened, also those that are closed.
    """
    asked = (seed, *streams.named(said(asking.key, asking.laid)))
    number = 1 + sum(one.stream[: len(asked)] == asked for one in before)
    return (*asked, number, *(() if asking.any_order else (tab,)))


def generator(stream: tuple[int, ...]) -> np.random.Generator:
    """The generator of a stream; without a stream, a hardened one."""
    return streams.teaching(*stream) if stream else streams.hardened()


def said(*parts: Hashable) -> str:
    """What makes a question, as text: equal for equal parts and for no others, on any machine.

    Raises:
        TypeError: if a part is nothing that a question is made of; a fault in the code.

    >>> from dpviz.queries import ByColumn
    >>> said(ByColumn("ward", ("A", "B")), 1.0)
    "(ByColumn('ward', ('A', 'B')), 1)"
    """
    return f"({', '.join(map(_written, parts))})"


def _written(part: Any) -> str:
    if isinstance(part, tuple):
        return said(*part)
    if is_dataclass(part) and type(part).__eq__ is not object.__eq__:
        # by what tells two of them apart, as names of groups do not
        return type(part).__name__ + said(
            *(getattr(part, f.name) for f in fields(part) if f.compare)
        )
    if part is None or isinstance(part, str):
        return repr(part)
    if isinstance(part, int | float | Fraction | Decimal):
        return str(Fraction(part)) if math.isfinite(part) else repr(float(part))
    raise TypeError(f"a question is not made of {type(part).__name__}")
