"""One project: sessions and a ledger that last, for all tabs and processes that have it open.

An act takes its turn in one transaction: it waits for the project's lock, reads what is held, draws
what is missing from that, writes the release and its entry, and commits; only then is the number
shown. So a level is drawn once for all tabs, and what was shown is there after any crash. What was
drawn and not committed was seen by nobody, and is drawn again.
A session is rebuilt for each draw (`MultipleRelease.continued`), with a key of its own from the
operating system. The exact numbers are computed from the loaded table, and stay in the memory of
the tabs that drew until the session is sealed or closed.
Only hardened sessions are kept. Teaching ones are not: who guesses the seed subtracts the noise
from a kept release, and has the exact answer. How a structured mechanism goes on, its `Keeping`
says (`dpviz.workspace.kept`): from what was released, or in the process that opened it alone.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import sqlalchemy as sa

from dpviz import streams
from dpviz.data import Table, quoted
from dpviz.errors import ParameterError
from dpviz.handout.signing import SigningKey
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry
from dpviz.workspace.keeping import Turn, is_upgrade
from dpviz.workspace.kept import Content, Keeping
from dpviz.workspace.limits import Most
from dpviz.workspace.projects import plans, records
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.projects.acts import Record, What
from dpviz.workspace.projects.contents import (
    Contents,
    KeptSession,
    Reader,
    asked_of,
    plan_of,
    release_digest,
    show,
    stored,
)
from dpviz.workspace.projects.database import (
    ABOUT,
    ENTRIES,
    PROJECTS,
    RELEASES,
    SESSIONS,
    Database,
    digest_of,
)
from dpviz.workspace.projects.key import Key, Tables
from dpviz.workspace.projects.versions import Elsewhere, SharedPlan
from dpviz.workspace.sessions import Asking, Session
from dpviz.workspace.workspace import Workspace

ONLY_HARDENED = (
    "A project keeps hardened releases only, as the seed of a teaching release gives the exact "
    "answer away. Choose hardened mode, or work in a workspace without a project"
)
NO_SEED = (
    "Something here was committed to, and a project keeps no seed, so it could not go on with "
    "that. Hand these releases out from here, and begin the project in another workspace"
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
        self._tables = Tables(key)
        self._shared = SharedPlan(database, self._tables, row, record.who if record else "")
        self._exact: dict[int, Any] = {}  # of open sessions that were drawn from here
        self._live: dict[int, Any] = {}  # mechanisms that go on here and nowhere else

    def signing_key(self) -> SigningKey:
        """The key that signs the hand-outs of this project, in every tab and under every name.

        Raises:
            ParameterError: if the key of the place is not there, or the project was deleted.
        """
        with self._database.reading() as connection:
            name, plan = self._shared.stored(connection)
        found = self._key.signing(self.id, plan.signed_as or name, plan.own_key)
        if found is None:
            raise ParameterError(
                "Hand-outs of this project are signed with a key made from table.key, which is "
                "missing or another one; put the right file back"
            )
        return found

    def mark(self, table: Table) -> str | None:
        """What the project knows a table by; None without the key of the place."""
        return self._tables.mark(table)

    def has_rows(self, table: Table) -> bool:
        """Whether a session is about the same rows, in whatever order and file."""
        return self._tables.has_rows(table)

    @contextmanager
    def turn(self, ws: Workspace) -> Iterator[Turn]:
        """Let one act of a workspace change the project while nobody else does.

        Raises:
            ParameterError: if the database refuses; nothing was changed then.
        """
        self._tables.compute(ws)
        with self._database.writing() as connection:
            self._shared.lock(connection)
            found = self._reader.read(connection)
            self._put(ws, found)
            turn = _Writing(ws, connection, found, self._tables, self.id, self._exact, self._live)
            turn.check = partial(self._shared.check, ws, found.plan)
            turn.mark_rows()
            yield turn
            plan = self._shared.write(connection, ws, found.plan) if turn.changed else found.plan
            if self._record is not None:
                for what, about in turn.done:
                    self._record.write(connection, what, project=self.id, name=self.name, **about)
        self._live |= turn.opened
        self._put(ws, turn.after)
        self._shared.agree(ws, plan)

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
        self._shared.seen(ws, found.plan)

    def save_plan(self, ws: Workspace) -> None:
        """Keep what was changed of the plan here; each draw does so, too.

        Asked again with the same plan, it writes nothing.

        Raises:
            PlanChangedError: if the same was changed elsewhere: nothing is written then.
            ParameterError: if the database refuses.
        """
        self._shared.save(ws)

    def follow_plan(self, ws: Workspace) -> Elsewhere | None:
        """Put the tiers of the project to use if they were changed elsewhere, and here not."""
        return self._shared.follow(ws)

    def take_plan(self, ws: Workspace) -> None:
        """Put what was changed elsewhere to use, in the place of the same changed here."""
        plan = self._shared.take(ws)
        self.show(ws)  # finds the table of another statistic, if it is loaded
        self._shared.agree(ws, plan)

    def keep_plan(self, ws: Workspace) -> None:
        """Keep what was changed here, in the place of the same changed elsewhere."""
        self._shared.keep(ws)

    def take_over(self, connection: sa.Connection, ws: Workspace) -> None:
        """Write down what a workspace has released so far, and let its sessions go on here.

        Raises:
            ParameterError: if something of it cannot be kept.
        """
        found = Contents(self.name, plan_of(ws, self._tables))
        turn = _Writing(ws, connection, found, self._tables, self.id, {}, {})
        if ws.committed or any(one.committed for one in ws.sessions):
            raise ParameterError(NO_SEED)
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
        show(ws, found, self._tables)


@dataclass(slots=True)
class _Writing:
    """One act's turn: what it found, what it writes, and what is there after it."""

    ws: Workspace
    connection: sa.Connection
    after: Contents
    tables: Tables
    project: int
    exact: dict[int, Any]
    live: dict[int, Any]
    opened: dict[int, Any] = field(default_factory=dict)  # likewise, once it is committed
    changed: bool = False
    check: Callable[[str], None] = lambda _: None  # refuses a tier that is planned otherwise by now
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
        self.check(planned.name)
        if found is None:
            self.check_new(asking, self.ws.mode)
            return new()
        if kept.serves(found.mechanism, planned.budget.level):
            return found
        return replace(found, mechanism=self._continued(found, kept, planned.budget.level))

    def _continued(self, found: Session, kept: Keeping, level: float) -> Any:
        one = self.after.sessions[found.number]
        if found.number in self.live:
            return self.live[found.number]
        there = found.number in self.exact
        if not there and _is_away(found.asking) and kept.from_released(one.held, level):
            return kept.continued(one.held, None)  # the nearest sharper release is held
        if not one.sealed and not kept.lives and not there:
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

    def limit(self, limit: Most | None) -> None:
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
        asked = asked_of(one.asking.keeping.subject, one.asking.family.name, self.tables)
        asked = self.tables.marked(asked, one.asking.table)
        values = {"number": one.number, "mark": asked.mark, "asked": plans.written(asked)}
        row = self.connection.execute(
            sa.insert(SESSIONS)
            .values(project=self.project, sealed=False, closed=False, **values)
            .returning(SESSIONS.c.id)
        ).scalar_one()
        kept = KeptSession(id=row, number=one.number, asked=asked, sealed=False, closed=False)
        self.after.sessions[one.number] = kept
        return kept

    def mark_rows(self) -> None:
        """Mark rows and texts of sessions of an earlier version, once their table is loaded."""
        about = {one.number: one.asking.table for one in self.ws.sessions}
        for one in self.after.sessions.values():
            asked = self.tables.marked(one.asked, about.get(one.number))
            if asked != one.asked:
                one.asked, row = asked, sa.update(SESSIONS).where(SESSIONS.c.id == one.id)
                self.connection.execute(row.values(asked=plans.written(asked)))

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
        """Refuse rows whose ledger is another project; of two that begin at once, one does.

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
        found = self.tables.holding(self.connection, table)
        if name := next((each.name for each in found if each.project != self.project), ""):
            raise ParameterError(
                f"The ledger of {quoted(table.name)} is in the project {quoted(name)}. Open that "
                "one, so that all losses of these rows add up in one place"
            )


def _row(kept: KeptSession, level: float, content: Content) -> dict[str, Any]:
    """What is written of a release, but for its session."""
    numbers, at = stored(content), level.hex()
    return {"level": at, "digest": release_digest(kept.id, at, numbers), "numbers": numbers}


def _erase(exact: Any) -> None:
    """Overwrite exact numbers, where they are an array of our own."""
    if isinstance(exact, np.ndarray):
        exact.fill(0)


def _keeping(asking: Asking, mode: streams.Mode) -> Keeping:
    """How a session is kept that can be."""
    kept = asking.keeping
    if mode != "hardened":
        raise ParameterError(ONLY_HARDENED)
    return kept


def _is_away(asking: Asking) -> bool:
    """Whether the table of a session is not loaded."""
    return asking.table is not None and is_absent(asking.table)


def _check_there(asking: Asking) -> Table:
    """The table of a session, which has to be loaded."""
    table = asking.table
    assert table is not None  # what has no table is not kept
    if is_absent(table):
        raise ParameterError(
            f"This release is drawn from the table {quoted(table.name)}, which is not "
            "loaded. Load the same file again; only what is noisier than a release needs no table"
        )
    return table
