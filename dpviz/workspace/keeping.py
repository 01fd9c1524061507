"""Where the sessions of a workspace are kept, and the turns that its acts take in changing them.

Acts on one object take turns (`alone`), since two presses of one visitor may run in two threads.
Every act that draws, seals or closes runs in one turn: what it did is kept when the turn ends, or
nothing of it is. In memory alone (`InMemory`) that is all there is; a project
(`dpviz.workspace.projects`) lets no other tab and no other process have a turn meanwhile, and
shows nothing before it was written down.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from dpviz.data import Table
from dpviz.handout.signing import SigningKey
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry
from dpviz.workspace.limits import Most
from dpviz.workspace.sessions import Asking, Session


class Turn(Protocol):
    """What one act may change."""

    def ready(
        self,
        found: Session | None,
        asking: Asking,
        planned: PlannedTier,
        new: Callable[[], Session],
    ) -> Session:
        """The session that this tier's release is drawn in: the one found, or a new one.

        Raises:
            ParameterError: if it cannot be drawn here, and what to do instead.
        """

    def keep(self, one: Session, entry: LedgerEntry | None) -> None:
        """Keep what the session drew, and its entry in the ledger; None: the tier asked before."""

    def seal(self, one: Session, level: float) -> None:
        """Seal a session at the least level that it holds.

        Raises:
            ParameterError: if a less noisy release is held.
        """

    def close(self, one: Session) -> None:
        """Let the next draw of this statistic open another session."""

    def limit(self, limit: Most | None) -> None:
        """Keep the limit of everything together, or lift it."""


class Keeper(Protocol):
    """Where sessions, ledger and limit are kept."""

    @property
    def name(self) -> str:
        """What the project is called; nothing where all ends with the workspace."""

    def turn(self, book: Any) -> AbstractContextManager[Turn]:
        """Let one act change the book: the latest of all tabs before it, kept after it."""

    def show(self, book: Any) -> None:
        """Bring what other tabs have done into the book; draws nothing."""

    def save_plan(self, book: Any) -> None:
        """Keep what was changed of the plan here.

        Raises:
            ParameterError: if it was changed elsewhere, too.
        """

    def follow_plan(self, book: Any) -> Any:
        """Put tiers to use that were changed elsewhere, and here not; what was changed, if any."""

    def take_plan(self, book: Any) -> None:
        """Put the plan that is kept to use, in the place of what was changed here."""

    def keep_plan(self, book: Any) -> None:
        """Keep the plan of here, in the place of what was changed elsewhere."""

    def mark(self, table: Table) -> str | None:
        """What a table is known again by on another day; None where nothing is kept."""

    def has_rows(self, table: Table) -> bool:
        """Whether a session that is kept is about the same rows, in whatever order and file."""

    def signing_key(self) -> SigningKey:
        """The key that signs hand-outs.

        Raises:
            ParameterError: if it is not there.
        """

    def note(self, what: Any, *, tier: str = "", session: int | None = None) -> None:
        """Write into the record that something left: who and when, where there is a record.

        Raises:
            ParameterError: if it cannot be written.
        """


@dataclass(frozen=True, slots=True)
class InMemory:
    """Sessions that live in a workspace alone, and end with it.

    Attributes:
        name: of no project.
        record: writes an act down; None where nobody logs in.
    """

    name: str = ""
    record: Callable[..., None] | None = field(default=None, compare=False)

    @contextmanager
    def turn(self, book: Any) -> Iterator[Turn]:
        """Nothing to wait for: acts of one workspace take turns already."""
        yield _Noted(book, self.note)

    def show(self, book: Any) -> None:
        """There is nobody else."""

    def save_plan(self, book: Any) -> None:
        """It ends with the workspace."""

    follow_plan = take_plan = keep_plan = save_plan

    def mark(self, table: Table) -> str | None:
        """Nothing is kept, so no table is known again."""

    def has_rows(self, _table: Table) -> bool:
        """Nothing is kept."""
        return False

    def signing_key(self) -> SigningKey:
        """A new one; the workspace keeps it as long as it lasts."""
        return SigningKey.fresh()

    def note(self, what: Any, *, tier: str = "", session: int | None = None) -> None:
        """Write an act down where people log in."""
        if self.record is not None:
            self.record(what, tier=tier, session=session)


@dataclass(frozen=True, slots=True)
class _Noted:
    """A turn that changes the lists of one book, once the act is written down."""

    book: Any
    note: Callable[..., None]

    def ready(
        self, found: Session | None, _asking: Asking, _tier: PlannedTier, new: Callable[[], Session]
    ) -> Session:
        return new() if found is None else found

    def keep(self, one: Session, entry: LedgerEntry | None) -> None:
        if entry is not None:
            what = "upgrade" if is_upgrade(entry, self.book.ledger) else "draw"
            self.note(what, tier=entry.tier, session=entry.session)
        if one not in self.book.sessions:
            self.book.sessions.append(one)
        if entry is not None:
            self.book.ledger.append(entry)

    def seal(self, one: Session, level: float) -> None:
        self.note("seal", session=one.number)
        kept = one.asking.kept
        if isinstance(kept, str):
            one.mechanism.seal(level)
        else:
            kept.seal(one.mechanism, level)

    def close(self, one: Session) -> None:
        self.note("start over", session=one.number)
        one.closed = True

    def limit(self, limit: Most | None) -> None:
        self.note("limit")
        self.book.limit = limit


def is_upgrade(entry: LedgerEntry, before: Iterable[LedgerEntry]) -> bool:
    """Whether a tier has a release of the same session already.

    Args:
        entry: of the ledger, for what is drawn now.
        before: the ledger before it.
    """
    return any((e.tier, e.session) == (entry.tier, entry.session) for e in before)


class _Locked(Protocol):
    lock: threading.RLock


Owner = TypeVar("Owner", bound=_Locked)
P = ParamSpec("P")
R = TypeVar("R")


def alone(act: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """Let an act run while no other act of its owner runs; a second press waits."""

    @wraps(act)
    def in_turn(owner: Owner, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with owner.lock:
            return act(owner, *args, **kwargs)

    return in_turn
