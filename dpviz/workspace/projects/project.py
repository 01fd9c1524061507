"""One project: sessions and a ledger that last, for all tabs and processes that have it open.

An act takes its turn in one transaction: it waits for the project's lock, reads what is held, draws
what is missing from that, writes the release and its entry, and commits; only then is the number
shown. So a level is drawn once for all tabs, and what was shown is there after any crash. What was
drawn and not committed was seen by nobody, and is drawn again.
A session is rebuilt for each draw (`MultipleRelease.continued`), with a key of its own from the
operating system. The exact numbers are computed from the loaded table, and stay in the memory of
the tabs that drew until the session is sealed or closed.
Only hardened sessions are kept. Teaching ones are not: who guesses the seed subtracts the noise
from a kept release, and has the exact answer. How a structured mechanism goes on, its `Kept` says
(`dpviz.workspace.kept`): from what was released, or in the process that opened it alone.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import sqlalchemy as sa

from dpviz import streams
from dpviz.accounting.odometer import Limit
from dpviz.data import Table, quoted
from dpviz.errors import ParameterError
from dpviz.handout.signing import SigningKey
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry
from dpviz.workspace.keeping import Turn, is_upgrade
from dpviz.workspace.kept import Content, Kept
from dpviz.workspace.projects import plans, records
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.projects.acts import Record, What
from dpviz.workspace.projects.contents import (
    GONE,
    Contents,
    KeptSession,
    Reader,
    asked_of,
    plan_of,
    release_digest,
    show,
    stored,
)
from dpviz.workspace.projects.database import Database
from dpviz.workspace.projects.key import Key
from dpviz.workspace.projects.schema import (
    ABOUT,
    DELETED,
    ENTRIES,
    PROJECTS,
    RELEASES,
    SESSIONS,
    digest_of,
)
from dpviz.workspace.sessions import Asking, Session
from dpviz.workspace.workspace import Workspace

ONLY_HARDENED = (
    "A project keeps hardened releases only, as the seed of a teaching release gives the exact "
    "answer away. Choose hardened mode, or work in a workspace without a project"
)


class Project:
    """Keeps the sessions of the workspaces that are open on it; see `Projects`."""

    def __init__(
        self, database: Database, key: Key, row: int, name: str, record: Record | None = None
    ) -> None:
        """Use `Projects.open` or `Projects.create`."""
        self._database, self._key, self.id, self.name = database, key, row, name
        self._record = record
        self._reader = Reader(row)
        self._plan: plans.KeptPlan | None = None  # as it was written last from here
        self._exact: dict[int, Any] = {}  # of open sessions that were drawn from here
        self._live: dict[int, Any] = {}  # mechanisms that go on here and nowhere else

    def signing_key(self) -> SigningKey:
        """The key that signs the hand-outs of this project, in every tab and under every name.

        Raises:
            ParameterError: if the key of the place is not there, or the project was deleted.
        """
        with self._database.reading() as connection:
            name, plan = self._stored(connection)
        found = self._key.signing(f"{self.id} {plan.signed_as or name}")
        if found is None:
            raise ParameterError(
                "Hand-outs of this project are signed with a key made from table.key, which is "
                "missing or another one; put the right file back"
            )
        return found

    def mark(self, table: Table) -> str | None:
        """What the project knows a table by; None without the key of the place."""
        return self._key.mark(table.digest)

    @contextmanager
    def turn(self, ws: Workspace) -> Iterator[Turn]:
        """Let one act of a workspace change the project while nobody else does.

        Raises:
            ParameterError: if the database refuses; nothing was changed then.
        """
        with self._database.writing() as connection:
            connection.execute(self._row.with_for_update())
            found = self._reader.read(connection)
            self._put(ws, found)
            turn = _Writing(ws, connection, found, self._key, self.id, self._exact, self._live)
            yield turn
            plan = self._write_plan(connection, ws) if turn.changed else self._plan
            if self._record is not None:
                for what, about in turn.done:
                    self._record.write(connection, what, project=self.id, name=self.name, **about)
        self._plan = plan
        self._live |= turn.opened
        self._put(ws, turn.after)

    def note(self, what: What, *, tier: str = "", session: int | None = None) -> None:
        """Write an act that changes nothing into the record of the place, if it has one.

        Raises:
            ParameterError: if it cannot be written.
        """
        if self._record is not None:
            about = {"tier": tier, "session": session}
            self._record.note(what, project=self.id, name=self.name, **about)

    def show(self, ws: Workspace) -> None:
        """Bring what other tabs have done into a workspace; draws nothing.

        Raises:
            ParameterError: if the database cannot be read.
        """
        with self._database.reading() as connection:
            found = self._reader.read(connection)
        self._put(ws, found)
        if self._plan is None:  # opened just now
            self._plan = plan_of(ws, self._key)

    def save_plan(self, ws: Workspace) -> None:
        """Keep the plan as it is now; each draw does so, too. The plan that was kept last stays.

        Asked again with the same plan, it writes nothing.

        Raises:
            ParameterError: if the database refuses.
        """
        if self._plan is not None and _typed(plan_of(ws, self._key)) == _typed(self._plan):
            return
        with self._database.writing() as connection:
            connection.execute(self._row.with_for_update())
            plan = self._write_plan(connection, ws)
        self._plan = plan

    def take_over(self, connection: sa.Connection, ws: Workspace) -> None:
        """Write down what a workspace has released so far, and let its sessions go on here.

        Raises:
            ParameterError: if something of it cannot be kept.
        """
        turn = _Writing(ws, connection, Contents(self.name), self._key, self.id, {}, {})
        for one in ws.sessions:
            turn.check_new(one.asking, one.mode)
            turn.keep(one, None)
            turn.mark(one, sealed=one.sealed_at is not None, closed=one.closed)
        for entry in ws.ledger:
            turn.enter(entry)
        turn.limit(ws.limit)
        self._live |= turn.opened

    def _put(self, ws: Workspace, found: Contents) -> None:
        """Show what is held, and forget the exact numbers of what is sealed or closed by now."""
        self.name = found.name
        for number in {*self._exact, *self._live}:
            one = found.sessions.get(number)
            if one is None or one.sealed or one.closed:
                _erase(self._exact.pop(number, None))
                self._live.pop(number, None)
        show(ws, found, self._key)

    @property
    def _row(self) -> sa.Select[tuple[int]]:
        return sa.select(PROJECTS.c.id).where(PROJECTS.c.id == self.id)

    def _write_plan(self, connection: sa.Connection, ws: Workspace) -> plans.KeptPlan:
        plan, (_, before) = plan_of(ws, self._key), self._stored(connection)
        text = plans.written(replace(plan, signed_as=before.signed_as))
        connection.execute(sa.update(PROJECTS).where(PROJECTS.c.id == self.id).values(plan=text))
        return plan

    def _stored(self, connection: sa.Connection) -> tuple[str, plans.KeptPlan]:
        """The name and the plan of the project, as they are in the database."""
        wanted = sa.select(PROJECTS.c.name, PROJECTS.c.plan).where(PROJECTS.c.id == self.id)
        row = connection.execute(wanted).one_or_none()
        if row is None or row.name.startswith(DELETED):
            raise ParameterError(GONE)
        return row.name, plans.plan_in(row.plan)


@dataclass(slots=True)
class _Writing:
    """One act's turn: what it found, what it writes, and what is there after it."""

    ws: Workspace
    connection: sa.Connection
    after: Contents
    key: Key
    project: int
    exact: dict[int, Any]
    live: dict[int, Any]
    opened: dict[int, Any] = field(default_factory=dict)  # likewise, once it is committed
    changed: bool = False
    done: list[tuple[What, dict[str, Any]]] = field(default_factory=list)  # for the record

    def ready(
        self,
        found: Session | None,
        asking: Asking,
        planned: PlannedTier,
        new: Callable[[], Session],
    ) -> Session:
        """A session of this turn alone; where nothing has to be drawn, what is held."""
        kept = _keeping(asking, self.ws.mode)
        if found is None:
            self.check_new(asking, self.ws.mode)
            return new()
        if kept.serves(found.mechanism, planned.budget.level):
            return found
        return replace(found, mechanism=self._continued(found, kept))

    def _continued(self, found: Session, kept: Kept) -> Any:
        one = self.after.sessions[found.number]
        if found.number in self.live:
            return self.live[found.number]
        if not one.sealed and not kept.lives and found.number not in self.exact:
            _check_there(found.asking)
            exact = kept.exact()  # its own, to be erased
            self.exact[found.number] = exact.copy() if isinstance(exact, np.ndarray) else exact
        return kept.continued(one.held, self.exact.get(found.number))

    def keep(self, one: Session, entry: LedgerEntry | None) -> None:
        """Write the releases that are not there yet, and the entry."""
        keeping = one.asking.keeping
        if keeping.lives and one.number not in self.after.sessions:
            self.opened[one.number] = one.mechanism
        kept = self.after.sessions.get(one.number) or self._open(one)
        for level, content in keeping.content(one.mechanism).items():
            if level not in kept.held:
                self._write_release(kept, level, content)
            elif not isinstance(content, np.ndarray) and content != kept.held[level]:
                self._write_longer(kept, level, content)
        if entry is not None:
            what: What = "upgrade" if is_upgrade(entry, self.after.ledger) else "draw"
            self.done.append((what, {"tier": entry.tier, "session": entry.session}))
            self.enter(entry)

    def enter(self, entry: LedgerEntry) -> None:
        """Write an entry of the ledger."""
        text = records.written(entry)
        values = {"number": entry.number, "entry": text, "digest": digest_of(text)}
        self.connection.execute(sa.insert(ENTRIES).values(project=self.project, **values))
        self.after.ledger.append(entry)
        self.changed = True

    def seal(self, one: Session, level: float) -> None:
        """Seal at the least level held: from now on no exact number is computed for the session."""
        kept = one.asking.keeping
        sealed = kept.continued(self.after.sessions[one.number].held, None)
        kept.seal(sealed, level)  # refuses any level but the least
        self.done.append(("seal", {"session": one.number}))
        self.mark(one, sealed=True, closed=one.closed)

    def close(self, one: Session) -> None:
        """Let the next draw of this statistic open another session."""
        self.done.append(("start over", {"session": one.number}))
        self.mark(one, sealed=self.after.sessions[one.number].sealed, closed=True)

    def limit(self, limit: Limit | None) -> None:
        """Keep the limit of everything together, or lift it."""
        text = None if limit is None else records.written(limit)
        mine = PROJECTS.c.id == self.project
        self.connection.execute(sa.update(PROJECTS).where(mine).values(most=text))
        self.after.limit = limit
        self.done.append(("limit", {}))

    def mark(self, one: Session, *, sealed: bool, closed: bool) -> None:
        """Write whether a session is sealed, and whether it is closed."""
        kept = self.after.sessions[one.number]
        kept.sealed, kept.closed = sealed, closed
        row = SESSIONS.c.id == kept.id
        change = sa.update(SESSIONS).where(row).values(sealed=sealed, closed=closed)
        self.connection.execute(change)
        self.changed = True

    def _open(self, one: Session) -> KeptSession:
        """Write a session that is new."""
        asked = asked_of(one.asking.keeping.subject, one.asking.family.name, self.key)
        values = {"number": one.number, "mark": asked.mark, "asked": plans.written(asked)}
        row = self.connection.execute(
            sa.insert(SESSIONS)
            .values(project=self.project, sealed=False, closed=False, **values)
            .returning(SESSIONS.c.id)
        ).scalar_one()
        kept = KeptSession(
            id=row,
            number=one.number,
            asked=asked,
            sealed=False,
            closed=False,
        )
        self.after.sessions[one.number] = kept
        return kept

    def _write_release(self, kept: KeptSession, level: float, content: Content) -> None:
        values = {"session": kept.id, **_row(kept, level, content)}
        self.connection.execute(sa.insert(RELEASES).values(**values))
        kept.held[level] = content

    def _write_longer(self, kept: KeptSession, level: float, content: Content) -> None:
        """Write a list in the place of the shorter one that it begins with."""
        mine = (RELEASES.c.session == kept.id) & (RELEASES.c.level == level.hex())
        values = _row(kept, level, content)
        self.connection.execute(sa.update(RELEASES).where(mine).values(**values))
        kept.held[level] = content

    def check_new(self, asking: Asking, mode: streams.Mode) -> None:
        """Refuse a table whose ledger is another project; of two that begin at once, one does.

        Args:
            asking: what a new session is asked for.
            mode: of the session.

        Raises:
            ParameterError: the name of that project; or if the table is not loaded, or nothing of
                this kind or mode is kept.
        """
        _keeping(asking, mode)
        table = _check_there(asking)
        self.connection.execute(sa.select(ABOUT).with_for_update())
        mark = self.key.mark(table.digest)
        elsewhere = self.connection.execute(
            sa.select(PROJECTS.c.name)
            .join(SESSIONS)
            .where((SESSIONS.c.mark == mark) & (SESSIONS.c.project != self.project))
        ).scalar()
        if elsewhere is not None:
            raise ParameterError(
                f"The ledger of {quoted(table.name)} is in the project "
                f"{quoted(elsewhere)}. Open that one, so that all losses of this table add up in "
                "one place"
            )


def _typed(plan: plans.KeptPlan) -> str:
    """A plan as it is written, words included, but for who signs and for the name of the file.

    The file may have another name when it is loaded again.
    """
    asked = replace(plan.asked, table="", loading="")
    return plans.written(replace(plan, asked=asked, signed_as=""))


def _row(kept: KeptSession, level: float, content: Content) -> dict[str, Any]:
    """What is written of a release, but for its session."""
    numbers, at = stored(content), level.hex()
    return {"level": at, "digest": release_digest(kept.id, at, numbers), "numbers": numbers}


def _erase(exact: Any) -> None:
    """Overwrite exact numbers, where they are an array of our own."""
    if isinstance(exact, np.ndarray):
        exact.fill(0)


def _keeping(asking: Asking, mode: streams.Mode) -> Kept:
    """How a session is kept that can be."""
    kept = asking.keeping
    if mode != "hardened":
        raise ParameterError(ONLY_HARDENED)
    return kept


def _check_there(asking: Asking) -> Table:
    """The table of a session, which has to be loaded."""
    table = asking.table
    assert table is not None  # what has no table is not kept
    if is_absent(table):
        raise ParameterError(
            f"This release is drawn from the table {quoted(table.name)}, which is not "
            "loaded. Load the same file again; only a sealed session goes on without it"
        )
    return table
