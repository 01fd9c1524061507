"""What was released of the rows of a table elsewhere: in other tabs, and in projects.

The limit of the person who runs a dashboard belongs to a table and not to a tab. So the server
keeps, as long as it lives, what each session of its tabs has cost, by a mark of the rows that it
was about (`dpviz.data.rows_mark`): a reload, or the same rows in another file, begin nothing new.
What a project has released is in its ledger, for good. A tab looks into both, and draws in a turn
of these rows, so that two tabs cannot both spend what is left.

What is kept are budgets, under a mark that is made with a key which nobody knows: no row, no
number, no name. The ready samples are public, and are not counted here.
Limits: a table with one row more is another table here. Of tabs in other processes nothing is known
but what their projects have released.
"""

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol
from weakref import WeakValueDictionary

from dpviz.accounting.composition import ReleaseEvent, of_sessions
from dpviz.accounting.odometer import Limit
from dpviz.data import Table, rows_mark
from dpviz.data.samples import is_sample
from dpviz.errors import OverBudgetError

AWAY = "not loaded: "  # how the digest of a table begins that is not loaded
MOST = 50_000  # sessions that a server keeps in mind
FULL = (
    f"This server has counted {MOST:,} sessions, which is all that it keeps in mind, so it cannot "
    "say whether the limit allows another draw. Tell the person who runs it"
)
_FIRST = 1 << 40  # sessions of others are counted from here, those of a book from 1
ByProject = Mapping[str, Sequence[ReleaseEvent]]  # what projects have released, by their names


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """What was released of some rows elsewhere.

    Attributes:
        tabs: by other tabs, since the server began.
        projects: by projects, by their names.
    """

    tabs: Sequence[ReleaseEvent] = ()
    projects: ByProject = field(default_factory=lambda: MappingProxyType({}))

    @property
    def events(self) -> list[ReleaseEvent]:
        """All of it; no session has the number of one of a book."""
        return [*self.tabs, *(event for made in self.projects.values() for event in made)]


class Others(Protocol):
    """Who else may have released of the same rows."""

    def turn(self, table: Table | None) -> AbstractContextManager[None]:
        """Let nobody else draw from the same rows meanwhile."""

    def found(
        self, table: Table | None, own: object, project: str, limit: Limit | None
    ) -> Elsewhere:
        """What was released of the rows of a table elsewhere.

        Args:
            table: whose rows.
            own: stands for the tab that asks, whose releases are left out.
            project: that keeps them, if one does; it is left out, too.
            limit: in whose currency the releases of projects are told; None: as they were stated.
        """

    def note(self, table: Table | None, own: object, event: ReleaseEvent) -> None:
        """Keep what a tab has released of the rows of a table."""

    def leave(self, own: object) -> None:
        """Forget what a tab has released: a project has it from now on."""

    def check_room(self, table: Table | None) -> None:
        """Refuse what could not be counted.

        Raises:
            OverBudgetError: if there is no room.
        """


class Nobody:
    """There are no others: in a script, each workspace counts what it has released itself."""

    @contextmanager
    def turn(self, _table: Table | None) -> Iterator[None]:
        """There is nobody to wait for."""
        yield

    def found(
        self, _table: Table | None, _own: object, _project: str, _limit: Limit | None
    ) -> Elsewhere:
        """Nothing was released elsewhere."""
        return Elsewhere()

    def note(self, _table: Table | None, _own: object, _event: ReleaseEvent) -> None:
        """Nobody asks for it."""

    def leave(self, _own: object) -> None:
        """Nothing was kept."""

    def check_room(self, _table: Table | None) -> None:
        """Nothing is counted."""


class _Turn:
    """The turn of some rows; it is gone when nobody has it or waits for it."""

    __slots__ = ("__weakref__", "lock")

    def __init__(self) -> None:
        self.lock = threading.RLock()


class Server:
    """All tabs of one server, and the projects that it keeps; threads may use it at once."""

    def __init__(
        self, kept: Callable[[Table, Limit | None], ByProject] = lambda *_: {}, *, most: int = MOST
    ) -> None:
        """Nothing was released yet.

        Args:
            kept: what projects have released of the rows of a table.
            most: sessions that are kept in mind.
        """
        self._kept, self._most = kept, most
        self._secret = secrets.token_bytes(32)
        self._made: dict[str, dict[tuple[object, int], ReleaseEvent]] = {}  # by mark, session
        self._turns: WeakValueDictionary[str, _Turn] = WeakValueDictionary()
        self._lock = threading.Lock()

    @contextmanager
    def turn(self, table: Table | None) -> Iterator[None]:
        """Let nobody else draw from the same rows meanwhile; other rows do not wait."""
        mark, turn = self._mark(table), _Turn()
        if mark:
            with self._lock:
                turn = self._turns.setdefault(mark, turn)
        with turn.lock:
            yield

    def found(
        self, table: Table | None, own: object, project: str, limit: Limit | None
    ) -> Elsewhere:
        """What was released of the rows of a table elsewhere; see `Others`."""
        mark = self._mark(table)
        if table is None or not mark:
            return Elsewhere()
        with self._lock:
            made = [e for (who, _), e in self._made.get(mark, {}).items() if who is not own]
        tabs = [replace(event, session=_FIRST + i) for i, event in enumerate(made)]
        first, projects = _FIRST + len(tabs), {}
        for name, events in self._kept(table, limit).items():
            if name != project:
                projects[name] = [replace(e, session=first + e.session) for e in events]
                first += 1 + max((e.session for e in events), default=0)
        return Elsewhere(tabs=tabs, projects=projects)

    def note(self, table: Table | None, own: object, event: ReleaseEvent) -> None:
        """Keep what a tab has released: of each session what it costs, and no more."""
        if not (mark := self._mark(table)):
            return
        key = own, event.session
        with self._lock:
            made = self._made.setdefault(mark, {})
            (made[key],) = of_sessions([*([made[key]] if key in made else []), event])
            while self._size() > self._most and len(self._made) > 1:  # where no limit needs it
                del self._made[next(iter(self._made))]

    def leave(self, own: object) -> None:
        """Forget what a tab has released: a project has it from now on."""
        with self._lock:
            for mark, made in [*self._made.items()]:
                for key in [key for key in made if key[0] is own]:
                    del made[key]
                if not made:
                    del self._made[mark]

    def check_room(self, table: Table | None) -> None:
        """Refuse what could not be counted.

        Raises:
            OverBudgetError: if there is no room.
        """
        with self._lock:
            full = self._size() >= self._most
        if full and self._mark(table):
            raise OverBudgetError(FULL)

    def _size(self) -> int:
        return sum(map(len, self._made.values()))

    def _mark(self, table: Table | None) -> str:
        """What the rows of a table are known by; empty where nothing is counted."""
        if table is None or table.digest.startswith(AWAY) or is_sample(table):
            return ""
        return hmac.new(self._secret, rows_mark(table).encode(), hashlib.sha256).hexdigest()
