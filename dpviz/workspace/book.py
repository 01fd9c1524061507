"""The book of one visitor: every session, and the ledger of what was drawn in it.

All noise on a visitor's data is drawn here, in `record_all`, between the first look at the book and
the entry in the ledger; nothing is drawn twice, nothing beyond the owner's limit, which
counts what others have released of the same rows (others.py), and no budget that promises next to
nothing unless somebody says that it is meant.
"""

import itertools
import math
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from dpviz import streams
from dpviz.accounting.composition import ReleaseEvent
from dpviz.accounting.odometer import Limit, check_within
from dpviz.data import Table
from dpviz.errors import ParameterError, SecondLedgerError
from dpviz.handout import SigningKey
from dpviz.planning.budgets import check_meant
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry, MultipleRelease, Neighbour, draw_neighbours
from dpviz.workspace.facts import PRACTICE_FACT, Facts
from dpviz.workspace.keeping import InMemory, Keeper, alone
from dpviz.workspace.limits import (
    Drawn,
    Most,
    counted,
    limit_words,
    refuse_above,
    refuse_below,
    stated,
)
from dpviz.workspace.others import Elsewhere, Nobody, Others
from dpviz.workspace.promises import Seen, promise
from dpviz.workspace.sessions import Asking, Committed, Session, Statistic, generator, stream_of

OF_ALL = "everything together"
OF_ROWS = "everything that was released of these rows, in whatever tab or project"
MORE = "raise the limit on the page Releases"
ASK_FOR_MORE = "ask the person who runs this dashboard for a larger limit"
MORE_PLANNED = "set another limit, such as another plan"
ASK_FOR_PLAN = "ask the person who runs this dashboard for another plan"
SECOND = (
    "These rows have a ledger elsewhere, so nothing was drawn. Open its project, or press “Begin a "
    "second ledger” on the page Data or Releases: what both release adds up"
)


@dataclass(slots=True, repr=False, kw_only=True)
class Book:
    """Sessions and ledger, and what the next session is opened with."""

    mode: streams.Mode = "teaching"
    seed: int = 7
    tab: int = field(default_factory=lambda: streams.any_seed())  # of no other workspace
    sessions: list[Session] = field(default_factory=list)
    ledger: list[LedgerEntry] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)
    limit: Most | None = None  # for everything together; set by `use_limit`
    owner: Most | None = None  # the limit that nobody lifts or raises here
    keeper: Keeper = field(default_factory=InMemory)
    others: Others = field(default_factory=Nobody)
    own: object = field(default_factory=object)  # stands for this book among others
    seconds: set[str] = field(default_factory=set)  # digests of tables that may have two ledgers
    committed: dict[Hashable, Committed] = field(default_factory=dict)  # before the first draw
    key: SigningKey | None = None  # made when the first hand-out is signed
    asks: bool = False  # whether draws wait until it is said who is protected: in the dashboard
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def rounds(self) -> list[Session]:
        """The sessions that release a statistic as it is: packs hold their releases."""
        return [s for s in self.sessions if s.asking.plain is not None]

    def find(self, key: Hashable) -> Session | None:
        """The open session of this key in the mode in use, or None before its first draw."""
        wanted = (False, self.mode, key)
        mine = (s for s in self.sessions if (s.closed, s.mode, s.asking.key) == wanted)
        return next(mine, None)

    def session_of(self, entry: LedgerEntry) -> Session:
        """The session in which an entry was drawn."""
        return next(s for s in self.sessions if s.number == entry.session)

    def entries_of(self, one: Session | None) -> list[LedgerEntry]:
        """The ledger's entries of one session, in order of asking; none without a session."""
        return [e for e in self.ledger if e.session == one.number] if one else []

    def levels_of(self, one: Session | None) -> list[float]:
        """The levels that were drawn in a session, each once, in order of asking."""
        return list(dict.fromkeys(e.level for e in self.entries_of(one)))

    def facts_of(self, entry: LedgerEntry) -> Facts:
        """The header of a hand-out, in words: practice first, what is promised at the end."""
        one = self.session_of(entry)
        first = next(e for e in self.entries_of(one) if e.level == entry.level)
        promised = promise(one.mode, first.neighbours, entry.known)
        practice = (PRACTICE_FACT,) if one.mode == "teaching" else ()
        return (*practice, *one.asking.facts(entry, one), *promised)

    @alone
    def record(self, asking: Asking, *tiers: PlannedTier, sure: bool = False) -> None:
        """Draw releases of tiers in this order, and write them into the ledger.

        The first one opens a session if none is open. Asked again, it changes nothing. Acts take
        turns: two presses at once open one session.

        Args:
            asking: what the session is asked for.
            tiers: who gets a release.
            sure: whether a budget that promises next to nothing is meant.

        Raises:
            ParameterError: as `record_all` says.
            SecondLedgerError: if the rows have a ledger elsewhere, and `begin_second` was not said.
        """
        self.record_all([(asking, tiers)], sure=sure)

    @alone
    def record_all(
        self, asked: Sequence[tuple[Asking, Sequence[PlannedTier]]], *, sure: bool = False
    ) -> None:
        """Draw releases of tiers from several sessions, one session after the other.

        Args:
            asked: what each session is asked for, and who gets a release of it.
            sure: whether a budget that promises next to nothing is meant.

        Raises:
            ParameterError: if nobody has said who is protected where that is asked, all of them
                would exceed the limit of everything together, or one promises next to nothing and
                `sure` is False: nothing is drawn then; or if the mechanism refuses: no session is
                opened then.
            SecondLedgerError: if the rows have a ledger elsewhere, and `begin_second` was not said.
        """
        for asking, _ in asked:
            if unsaid := self.unsaid(asking):
                raise ParameterError(unsaid)
        self.check_limit(*asked)
        for asking, tiers in asked:
            self._check_meant_and_at_hand(asking, tiers, sure=sure)
        for asking, tiers in asked:
            for planned in tiers:
                self._record(asking, planned)

    def _check_meant_and_at_hand(
        self, asking: Asking, tiers: Sequence[PlannedTier], *, sure: bool
    ) -> None:
        """Refuse new draws that promise next to nothing unmeant, or would wait for an engine."""
        drawn = {(e.tier, e.level) for e in self.entries_of(self.find(asking.key))}
        new = [p for p in tiers if (p.name, p.budget.level) not in drawn]
        for planned in new:
            check_meant(planned.name, planned.budget, sure)
        if new:
            check_at_hand(asking)

    def unsaid(self, asking: Asking) -> str:
        """Why a first draw waits for an answer, and where to give it; nothing if it does not.

        A session that was drawn from before goes on: it stays what it was.
        """
        about = asking.about if self.asks and self.find(asking.key) is None else None
        if not isinstance(about, Statistic) or not about.unsaid:
            return ""
        return f"{about.unsaid}. Answer that on the page Data, under “Who is protected”"

    def _record(self, asking: Asking, planned: PlannedTier) -> None:
        """Draw one tier's release in a turn of its own, so that it is kept before it is shown."""
        with self.others.turn(asking.table), self.keeper.turn(self) as turn:
            self.check_second(asking.table)
            self.check_limit((asking, [planned]))
            one = turn.ready(self.find(asking.key), asking, planned, lambda: self._opened(asking))
            level = asking.release(one.mechanism, planned)
            asked = any((e.tier, e.level) == (planned.name, level) for e in self.entries_of(one))
            entry = None if asked else self._entry(asking, one, planned, level)
            turn.keep(one, entry)
            self.committed.pop(asking.key, None)  # the session has it, and no other one may
            if entry is not None and not self.keeper.name:  # else the ledger of a project has it
                self.others.note(asking.table, self.own, self._counted(entry, self.owner))

    def _opened(self, asking: Asking) -> Session:
        """A new session: its mechanism computes the exact answer."""
        stream = self.next_stream(asking)
        mechanism = asking.opened(rng=generator(stream))
        committed = self.committed.get(asking.key)
        if committed is not None:
            mechanism = MultipleRelease.committed(asking.keeping.exact(), committed.path)
        return Session(
            number=self.next_number,
            asking=asking,
            mode=self.mode,
            mechanism=mechanism,
            stream=stream,
            committed=committed,
        )

    def _entry(
        self, asking: Asking, one: Session, planned: PlannedTier, level: float
    ) -> LedgerEntry:
        return LedgerEntry(
            number=len(self.ledger) + 1,
            session=one.number,
            tier=planned.name,
            family=asking.family.name,
            budget=replace(planned.budget, level=level),
            kind=asking.kind,
            neighbours=self._leaned(asking, one, level),
            known=self.seen.of(asking.about),
            selection=asking.selection and asking.selection(one.number),
        )

    @alone
    def seal_session(self, one: Session, level: float) -> None:
        """Seal a session at the least level that it holds: its exact numbers are erased.

        Raises:
            ParameterError: if a less noisy release is held.
        """
        with self.keeper.turn(self) as turn:
            turn.seal(one, level)
        if one.committed is not None:
            one.committed = replace(one.committed, path=one.committed.path.sealed(level))

    @alone
    def close_session(self, one: Session) -> None:
        """Let the next draw of its statistic open another session, whose loss adds."""
        with self.keeper.turn(self) as turn:
            turn.close(one)

    @alone
    def forget(self) -> None:
        """Forget sessions and ledger here; a project keeps its own."""
        self.sessions.clear()
        self.ledger.clear()
        self.committed.clear()
        self.seen, self.keeper, self.key = Seen(), InMemory(), None
        self.own = object()  # what was released stays released
        self.tab = streams.any_seed()

    @alone
    def catch_up(self) -> None:
        """Bring in what other tabs and processes have drawn in the project; draws nothing."""
        self.keeper.show(self)

    @alone
    def save_plan(self) -> None:
        """Keep in the project what was changed of the plan here, as every draw does.

        Raises:
            ParameterError: if another tab has changed it, too: `take_plan` or `keep_plan` then.
        """
        self.keeper.save_plan(self)

    @alone
    def follow_plan(self) -> Any:
        """Put tiers to use that another tab has changed, where this one has not.

        Returns:
            What was changed, a `dpviz.workspace.projects.versions.Elsewhere`; None if nothing was.
        """
        return self.keeper.follow_plan(self)

    @alone
    def take_plan(self) -> None:
        """Put the plan of the project to use, in the place of what was changed here."""
        self.keeper.take_plan(self)

    @alone
    def keep_plan(self) -> None:
        """Keep the plan of this tab, in the place of what another one has changed."""
        self.keeper.keep_plan(self)

    def made(self, limit: Most) -> list[ReleaseEvent]:
        """What was released, each with what it tells at the δ of a limit."""
        return [self._counted(e, limit) for e in self.ledger]

    def _counted(self, entry: LedgerEntry, limit: Most | None) -> ReleaseEvent:
        if not isinstance(limit, Limit) or entry.selection is not None:
            return entry.event
        return counted(limit, entry.session, self.session_of(entry).asking, entry.budget)

    @property
    def drawn(self) -> list[Drawn]:
        """What was released, each with what its session was asked for."""
        return [
            Drawn(tier=e.tier, mode=one.mode, asking=one.asking, event=e.event)
            for e in self.ledger
            for one in [self.session_of(e)]
        ]

    def said_of_limit(self, table: Table | None) -> str:
        """How far the limit is used, as a sentence; nothing without a limit.

        Args:
            table: whose rows the owner's limit counts elsewhere, too.
        """
        if self.limit is None:
            return ""
        others = self.elsewhere(table, self.limit).events if self.owner else []
        if isinstance(self.limit, Limit):
            return limit_words(self.limit, self.made(self.limit), others)
        return self.limit.said(self.drawn, others)

    def elsewhere(self, table: Table | None, limit: Most | None = None) -> Elsewhere:
        """What others have released of the rows of a table: in other tabs, and in projects.

        Args:
            table: whose rows; None for typed numbers, of which nobody else has any.
            limit: in whose currency it is told; None, or a register: as it was stated.
        """
        currency = limit if isinstance(limit, Limit) else None
        return self.others.found(table, self.own, self.keeper.name, currency)

    def check_limit(self, *asked: tuple[Asking, Sequence[PlannedTier]]) -> None:
        """Refuse tiers whose releases would exceed the limit of everything together.

        The owner's limit counts what others have released of the same rows, too.

        Args:
            asked: what each session is asked for, and the tiers.

        Raises:
            OverBudgetError: what is asked for, spent and left, and what to do instead.
        """
        wanted = [(asking, tiers) for asking, tiers in asked if tiers]
        if self.limit is None or not wanted:
            return
        self._check_within(self.limit, (), wanted)
        if self.owner is None:
            return
        of_table: dict[Hashable, list[tuple[Asking, Sequence[PlannedTier]]]] = {}
        for asking, tiers in wanted:
            table = asking.table
            of_table.setdefault(table and table.digest, []).append((asking, tiers))
        for same in of_table.values():
            table = same[0][0].table
            self.others.check_room(table)
            others = self.elsewhere(table, self.owner).events
            if others or not isinstance(self.limit, Limit):  # a register may cost more than a loss
                self._check_within(self.owner, others, same)

    def _check_within(
        self,
        limit: Most,
        others: Sequence[ReleaseEvent],
        asked: Sequence[tuple[Asking, Sequence[PlannedTier]]],
    ) -> None:
        if not isinstance(limit, Limit):
            more = ASK_FOR_PLAN if limit == self.owner else MORE_PLANNED
            limit.check(self.drawn, others, self._asked_drawn(asked), more=more)
            return
        events = self.asked_events(limit, asked)
        least = min((p for _, tiers in asked for p in tiers), key=lambda p: p.budget.level).name
        several = len(asked) > 1
        check_within(
            limit,
            [*self.made(limit), *others],
            [e for made in events for e in made],
            who=f"{least}, by {len(asked)} statistics," if several else least,
            of=OF_ROWS if others else OF_ALL,
            more=ASK_FOR_MORE if limit == self.owner else MORE,
            costliest=f"the {_costliest(limit, asked, events)}" if several else "",
        )

    def asked_events(
        self, limit: Limit, asked: Sequence[tuple[Asking, Sequence[PlannedTier]]]
    ) -> list[list[ReleaseEvent]]:
        """What draws from each session would count against a limit.

        A session that nobody has opened yet gets a number of its own.

        Args:
            limit: in whose currency.
            asked: what each session is asked for, and the tiers.
        """
        numbers = self._numbers(asked)
        return [
            [counted(limit, number, asking, p.budget) for p in tiers]
            for number, (asking, tiers) in zip(numbers, asked, strict=True)
        ]

    def _asked_drawn(self, asked: Sequence[tuple[Asking, Sequence[PlannedTier]]]) -> list[Drawn]:
        """The same, as a register looks at it."""
        return [
            Drawn(
                tier=p.name, mode=self.mode, asking=asking, event=stated(number, asking, p.budget)
            )
            for number, (asking, tiers) in zip(self._numbers(asked), asked, strict=True)
            for p in tiers
        ]

    def _numbers(self, asked: Sequence[tuple[Asking, Sequence[PlannedTier]]]) -> list[int]:
        """The number of each session that is asked, the next ones of those that are not open."""
        new = itertools.count(self.next_number)
        found = (self.find(asking.key) for asking, _ in asked)
        return [one.number if one else next(new) for one in found]

    def is_new(self, table: Table) -> bool:
        """Whether nothing was drawn from a table here, in the mode in use."""
        mine = (s.asking.table for s in self.sessions if s.mode == self.mode)
        return all(about is None or about.digest != table.digest for about in mine)

    def check_second(self, table: Table | None) -> None:
        """Refuse a first hardened draw from rows that have a ledger elsewhere, unless it is meant.

        Raises:
            SecondLedgerError: what to do instead.
        """
        if self.mode == "teaching" or table is None or table.digest in self.seconds:
            return
        if self.is_new(table) and self.elsewhere(table).events:
            raise SecondLedgerError(SECOND)

    @alone
    def begin_second(self, table: Table) -> None:
        """Say that a second ledger of the rows of a table is meant; draws nothing."""
        self.seconds.add(table.digest)

    @alone
    def use_limit(self, limit: Most | None) -> None:
        """Set the most that everything released here may cost together, or lift it.

        Raises:
            ParameterError: if more is spent already, or the owner's limit forbids it; the limit
                then stays as it was.
        """
        with self.keeper.turn(self) as turn:
            if self.owner is not None:
                refuse_above(limit, self.owner)
            if isinstance(limit, Limit):
                refuse_below(limit, self.made(limit))
            elif limit is not None:
                limit.check((), (), self.drawn, more="type a limit that has room for it")
            turn.limit(limit)

    @alone
    def bind(self, owner: Most | None) -> None:
        """Keep a limit that nobody lifts or raises from now on.

        Raises:
            ParameterError: if more is spent already.
        """
        self.use_limit(owner)
        self.owner = owner

    @alone
    def signing_key(self) -> SigningKey:
        """The key that signs every hand-out of this book: that of its project, if it has one.

        Raises:
            ParameterError: if the project's key is not there.
        """
        if self.key is None:
            self.key = self.keeper.signing_key()
        return self.key

    def _leaned(self, asking: Asking, one: Session, level: float) -> tuple[Neighbour, ...]:
        """What a draw leans on: a selection, and a committed path, on the exact numbers alone."""
        if asking.selection is not None or one.committed is not None:
            return (Neighbour(level=0.0, weight=1.0),)
        return draw_neighbours(asking.family, self.levels_of(one), level)

    @property
    def next_number(self) -> int:
        """The number of the session that would be opened next."""
        return len(self.sessions) + 1

    def next_stream(self, asking: Asking) -> tuple[int, ...]:
        """Seed and path of the session that would be opened next; nothing in hardened mode."""
        if self.mode == "hardened":
            return ()
        return stream_of(asking, self.seed, self.tab, self.sessions)


def _costliest(
    limit: Limit,
    asked: Sequence[tuple[Asking, Sequence[PlannedTier]]],
    events: Sequence[list[ReleaseEvent]],
) -> str:
    """Which of several statistics would use most of a limit; one that has no loss in it does."""
    costs = [limit.cost(made) for made in events]
    most = max(range(len(asked)), key=lambda n: math.inf if (c := costs[n]) is None else c)
    return asked[most][0].statistic


# --- exact answers that take long ---
# A page cannot wait for an engine: while an act draws, its workspace is held. So it asks, around an
# act, that exact answers which may take long are at hand; the act is refused otherwise, before it
# has changed anything. The page then computes them beside itself, where somebody can watch and stop
# it, and runs the act again: the table keeps what it has computed. Scripts and commands wait.


_KNOWN = ContextVar[Callable[[Hashable], bool] | None]("known", default=None)


class UncountedError(ParameterError):
    """An act needs an exact answer that is not at hand."""

    def __init__(self, asking: Asking) -> None:
        """Keep what the session is asked for."""
        self.asking = asking
        super().__init__("the exact numbers are not there yet; count them first")


@contextmanager
def at_hand(known: Callable[[Hashable], bool]) -> Iterator[None]:
    """Refuse acts within the block that would wait for an engine.

    Args:
        known: whether the answer of a key is there.
    """
    before = _KNOWN.set(known)
    try:
        yield
    finally:
        _KNOWN.reset(before)


def check_at_hand(asking: Asking) -> None:
    """Refuse what would wait for an engine, where that was asked for.

    Args:
        asking: what a session is asked for.

    Raises:
        UncountedError: with it, if its exact answer is not at hand.

    >>> from dpviz.workspace import Workspace
    >>> ws = Workspace.fresh()
    >>> with at_hand(lambda key: False):
    ...     check_at_hand(ws.statistic.asking("gaussian"))  # rows in memory take no time
    """
    known, table = _KNOWN.get(), asking.table
    if known is None or table is None or table.seconds is None or known(asking.key):
        return
    raise UncountedError(asking)
