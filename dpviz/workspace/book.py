"""The book of one visitor: every session, and the ledger of what was drawn in it.

All noise on a visitor's data is drawn here, in `record`, which lies between the first look at the
book and the entry in the ledger; nothing is drawn twice, nothing beyond the owner's limit, and no
budget that promises next to nothing unless somebody says that it is meant.
"""

import threading
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dpviz import streams
from dpviz.accounting.composition import ReleaseEvent
from dpviz.accounting.odometer import Limit, check_within
from dpviz.handout import SigningKey
from dpviz.planning.cautions import check_meant
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry, Neighbour, draw_neighbours
from dpviz.workspace.ahead import check_at_hand
from dpviz.workspace.facts import Facts
from dpviz.workspace.keeping import InMemory, Keeper
from dpviz.workspace.limits import counted, refuse_above, refuse_below
from dpviz.workspace.promises import Seen, promise
from dpviz.workspace.sessions import Asking, Session
from dpviz.workspace.turns import alone


@dataclass(slots=True, repr=False, kw_only=True)
class Book:
    """Sessions and ledger, and what the next session is opened with."""

    mode: streams.Mode = "teaching"
    seed: int = 7
    sessions: list[Session] = field(default_factory=list)
    ledger: list[LedgerEntry] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)
    limit: Limit | None = None  # for everything together; set by `use_limit`
    owner: Limit | None = None  # the limit that nobody lifts or raises here
    keeper: Keeper = field(default_factory=InMemory)
    key: SigningKey | None = None  # made when the first hand-out is signed
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
        """The header of a hand-out, in words, with what is promised of it at the end."""
        one = self.session_of(entry)
        first = next(e for e in self.entries_of(one) if e.level == entry.level)
        promised = promise(one.mode, first.neighbours, entry.known)
        return (*one.asking.facts(entry, one), *promised)

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
            ParameterError: if all of them would exceed the limit of everything together, or one
                promises next to nothing and `sure` is False: nothing is drawn then; or if the
                mechanism refuses: no session is opened then.
        """
        self.check_limit(asking, tiers)
        asked = {(e.tier, e.level) for e in self.entries_of(self.find(asking.key))}
        for planned in tiers:
            if (planned.name, planned.budget.level) not in asked:
                check_meant(planned.name, planned.budget, sure)
        if any((planned.name, planned.budget.level) not in asked for planned in tiers):
            check_at_hand(asking)
        for planned in tiers:
            self._record(asking, planned)

    def _record(self, asking: Asking, planned: PlannedTier) -> None:
        """Draw one tier's release in a turn of its own, so that it is kept before it is shown."""
        with self.keeper.turn(self) as turn:
            self.check_limit(asking, [planned])
            one = turn.ready(self.find(asking.key), asking, planned, lambda: self._opened(asking))
            level = asking.release(one.mechanism, planned)
            asked = any((e.tier, e.level) == (planned.name, level) for e in self.entries_of(one))
            turn.keep(one, None if asked else self._entry(asking, one, planned, level))

    def _opened(self, asking: Asking) -> Session:
        """A new session: its mechanism computes the exact answer."""
        number = self.next_number
        return Session(
            number=number,
            asking=asking,
            mode=self.mode,
            seed=self.seed,
            mechanism=asking.mechanism(self.stream(number)),
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
        self.seen, self.keeper, self.key = Seen(), InMemory(), None

    @alone
    def catch_up(self) -> None:
        """Bring in what other tabs and processes have drawn in the project; draws nothing."""
        self.keeper.show(self)

    @alone
    def save_plan(self) -> None:
        """Keep the plan in the project as it is now, as every draw does; draws nothing."""
        self.keeper.save_plan(self)

    def made(self, limit: Limit) -> list[ReleaseEvent]:
        """What was released, each with what it tells at the δ of a limit."""
        return [
            e.event
            if e.selection is not None
            else counted(limit, e.session, self.session_of(e).asking, e.budget)
            for e in self.ledger
        ]

    def check_limit(self, asking: Asking, tiers: Sequence[PlannedTier]) -> None:
        """Refuse tiers whose releases would exceed the limit of everything together.

        Raises:
            OverBudgetError: what is asked for, spent and left, and what to do instead.
        """
        limit, found = self.limit, self.find(asking.key)
        if limit is None or not tiers:
            return
        number = found.number if found else self.next_number
        check_within(
            limit,
            self.made(limit),
            [counted(limit, number, asking, p.budget) for p in tiers],
            who=min(tiers, key=lambda p: p.budget.level).name,
            where=" on the page Releases",
        )

    @alone
    def use_limit(self, limit: Limit | None) -> None:
        """Set the most that everything released here may cost together, or lift it.

        Raises:
            ParameterError: if more is spent already, or the owner's limit forbids it; the limit
                then stays as it was.
        """
        with self.keeper.turn(self) as turn:
            if self.owner is not None:
                refuse_above(limit, self.owner)
            if limit is not None:
                refuse_below(limit, self.made(limit))
            turn.limit(limit)

    @alone
    def bind(self, owner: Limit | None) -> None:
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
        """What a draw leans on: a selection on the exact numbers alone."""
        if asking.selection is not None:
            return (Neighbour(level=0.0, weight=1.0),)
        return draw_neighbours(asking.family, self.levels_of(one), level)

    @property
    def next_number(self) -> int:
        """The number of the session that would be opened next."""
        return len(self.sessions) + 1

    def stream(self, number: int) -> np.random.Generator:
        """The generator of the session of this number, in the mode in use."""
        seeded = self.mode == "teaching"
        return streams.teaching(self.seed, number) if seeded else streams.hardened()
