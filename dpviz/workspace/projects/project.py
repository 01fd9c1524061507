"""One project: sessions and a ledger that last, for all tabs and processes that have it open.

An act takes its turn in one transaction: it waits for the project's lock, reads what is held, draws
what is missing from that, writes the release and its entry, and commits; only then is the number
shown. So a level is drawn once for all tabs, and what was shown is there after any crash. What was
drawn and not committed was seen by nobody, and is drawn again.
A session is rebuilt for each draw (`MultipleRelease.continued`), with a key of its own from the
operating system. The exact numbers are computed from the loaded table, and stay in the memory of
the tabs that drew until the session is sealed or closed.
Only hardened sessions of a statistic as it is are kept. Teaching ones are not: who guesses the seed
subtracts the noise from a kept release, and has the exact answer. Of structured mechanisms nothing
is kept yet, as they hold more than releases by level.
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
from dpviz.noise.family import Array
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry, MultipleRelease
from dpviz.workspace.keeping import HeldReleases, Turn, is_upgrade
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
    packed,
)
from dpviz.workspace.sessions import Asking, Session, Statistic
from dpviz.workspace.workspace import Workspace

ONLY_HARDENED = (
    "A project keeps hardened releases only, as the seed of a teaching release gives the exact "
    "answer away. Choose hardened mode, or work in a workspace without a project"
)
ONLY_PLAIN = (
    "A project keeps releases of a statistic as it is only, and this is a structured one. Draw it "
    "in a workspace without a project"
)


class Project:
    """Keeps the sessions of the workspaces that are open on it; see `Projects`."""

    __slots__ = ("_database", "_exact", "_key", "_plan", "_reader", "_record", "id", "name")

    def __init__(
        self, database: Database, key: Key, row: int, name: str, record: Record | None = None
    ) -> None:
        """Use `Projects.open` or `Projects.create`."""
        self._database, self._key, self.id, self.name = database, key, row, name
        self._record = record
        self._reader = Reader(row)
        self._plan: plans.KeptPlan | None = None  # as it was written last from here
        self._exact: dict[int, Array] = {}  # of open sessions that were drawn from here

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
            turn = _Writing(ws, connection, found, self._key, self.id, self._exact)
            yield turn
            plan = self._write_plan(connection, ws) if turn.changed else self._plan
            if self._record is not None:
                for what, about in turn.done:
                    self._record.write(connection, what, project=self.id, name=self.name, **about)
        self._plan = plan
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
        turn = _Writing(ws, connection, Contents(self.name), self._key, self.id, {})
        for one in ws.sessions:
            turn.check_new(_plain(one.asking, one.mode))
            turn.keep(one, None)
            turn.mark(one, sealed=one.mechanism.sealed_at is not None, closed=one.closed)
        for entry in ws.ledger:
            turn.enter(entry)
        turn.limit(ws.limit)

    def _put(self, ws: Workspace, found: Contents) -> None:
        """Show what is held, and forget the exact numbers of what is sealed or closed by now."""
        self.name = found.name
        for number in [*self._exact]:
            one = found.sessions.get(number)
            if one is None or one.sealed or one.closed:
                self._exact.pop(number).fill(0)
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
    exact: dict[int, Array]
    changed: bool = False
    done: list[tuple[What, dict[str, Any]]] = field(default_factory=list)  # for the record

    def ready(
        self,
        found: Session | None,
        asking: Asking,
        planned: PlannedTier,
        new: Callable[[], Session],
    ) -> Session:
        """A session of this turn alone; where the level is held, what is held."""
        statistic = _plain(asking, self.ws.mode)
        if found is None:
            self.check_new(statistic)
            return new()
        if planned.budget.level in found.mechanism.held:
            return found
        return replace(found, mechanism=self._continued(found))

    def _continued(self, found: Session) -> MultipleRelease:
        held: HeldReleases = found.mechanism
        if not held.sealed and found.number not in self.exact:
            _check_there(found.statistic)
            values = found.statistic.query.values(found.statistic.table)
            self.exact[found.number] = np.array(values)  # its own, to be erased
        exact = self.exact.get(found.number)
        return MultipleRelease.continued(
            exact, found.asking.family, held.held, rng=streams.hardened()
        )

    def keep(self, one: Session, entry: LedgerEntry | None) -> None:
        """Write the releases that are not there yet, and the entry."""
        kept = self.after.sessions.get(one.number) or self._open(one)
        for level, numbers in one.mechanism.held.items():
            if level not in kept.held:
                self._write_release(kept, level, numbers)
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
        held = self.after.sessions[one.number].releases
        sealed = MultipleRelease.continued(
            None, one.asking.family, held.held, rng=streams.hardened()
        )
        sealed.seal(level)  # refuses any level but the least
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
        asked = asked_of(one.statistic, one.asking.family.name, self.key)
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

    def _write_release(self, kept: KeptSession, level: float, numbers: Array) -> None:
        content, at = packed(numbers), level.hex()
        values = {"level": at, "digest": release_digest(kept.id, at, content)}
        self.connection.execute(
            sa.insert(RELEASES).values(session=kept.id, numbers=content, **values)
        )
        kept.held[level] = numbers

    def check_new(self, statistic: Statistic) -> None:
        """Refuse a table whose ledger is another project; of two that begin at once, one does.

        Raises:
            ParameterError: the name of that project; or if the table is not loaded.
        """
        _check_there(statistic)
        self.connection.execute(sa.select(ABOUT).with_for_update())
        mark = self.key.mark(statistic.table.digest)
        elsewhere = self.connection.execute(
            sa.select(PROJECTS.c.name)
            .join(SESSIONS)
            .where((SESSIONS.c.mark == mark) & (SESSIONS.c.project != self.project))
        ).scalar()
        if elsewhere is not None:
            raise ParameterError(
                f"The ledger of {quoted(statistic.table.name)} is in the project "
                f"{quoted(elsewhere)}. Open that one, so that all losses of this table add up in "
                "one place"
            )


def _typed(plan: plans.KeptPlan) -> str:
    """A plan as it is written, words included, but for who signs and for the name of the file.

    The file may have another name when it is loaded again.
    """
    asked = replace(plan.asked, table="", loading="")
    return plans.written(replace(plan, asked=asked, signed_as=""))


def _plain(asking: Asking, mode: streams.Mode) -> Statistic:
    """The statistic of a session that can be kept."""
    if asking.plain is None:
        raise ParameterError(ONLY_PLAIN)
    if mode != "hardened":
        raise ParameterError(ONLY_HARDENED)
    return asking.plain


def _check_there(statistic: Statistic) -> None:
    if is_absent(statistic.table):
        raise ParameterError(
            f"This release is drawn from the table {quoted(statistic.table.name)}, which is not "
            "loaded. Load the same file again; only a sealed session goes on without it"
        )
