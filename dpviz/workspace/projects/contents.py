"""What a project holds, read from its database, and how a workspace shows it."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import sqlalchemy as sa

from dpviz.accounting.odometer import Limit
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.release import LedgerEntry, Provenance
from dpviz.workspace.kept import Content
from dpviz.workspace.limits import refuse_above
from dpviz.workspace.plan_file.record import lists_of
from dpviz.workspace.projects import records
from dpviz.workspace.projects.absent import (
    absent_table,
    digest_of_absent,
    is_absent,
    mark_of_absent,
)
from dpviz.workspace.projects.database import DAMAGED
from dpviz.workspace.projects.key import Key
from dpviz.workspace.projects.plans import Asked, KeptPlan, asked_in
from dpviz.workspace.projects.schema import (
    DELETED,
    ENTRIES,
    PROJECTS,
    RELEASES,
    SESSIONS,
    digest_of,
    packed,
    unpacked,
)
from dpviz.workspace.projects.structured import RELEASED, asking_of, parts_of
from dpviz.workspace.sessions import Asking, Session, Statistic
from dpviz.workspace.workspace import Workspace

GONE = (
    "This project was deleted, in another tab or by a command. What it released stays on screen "
    "until the tab is closed, and nothing more can be drawn in it. Open another project, or reload "
    "the page"
)


@dataclass(slots=True, kw_only=True)
class KeptSession:
    """A session as it is in the database; `id` is that of its row."""

    id: int
    number: int
    asked: Asked
    sealed: bool
    closed: bool
    held: dict[float, Content] = field(default_factory=dict)


@dataclass(slots=True)
class Contents:
    """Name, sessions by their numbers, ledger, and limit of a project."""

    name: str = ""
    sessions: dict[int, KeptSession] = field(default_factory=dict)
    ledger: list[LedgerEntry] = field(default_factory=list)
    limit: Limit | None = None


class Reader:
    """Reads a project; what was read once is kept by its digest, and checked against it."""

    __slots__ = ("_entries", "_project", "_released")

    def __init__(self, project: int) -> None:
        self._project = project
        self._entries: dict[str, LedgerEntry] = {}
        self._released: dict[str, Content] = {}

    def read(self, connection: sa.Connection) -> Contents:
        """All that is committed.

        Raises:
            ParameterError: if it is damaged, or was deleted.
        """
        wanted = sa.select(PROJECTS.c.name, PROJECTS.c.most).where(PROJECTS.c.id == self._project)
        row = connection.execute(wanted).one_or_none()
        if row is None or row.name.startswith(DELETED):
            raise ParameterError(GONE)
        try:
            limit = None if row.most is None else records.read(row.most)
            found = Contents(name=row.name, limit=limit)
            self._read_sessions(connection, found)
            self._read_ledger(connection, found)
        except records.NewerError:
            raise
        except (ValueError, LookupError, TypeError):
            raise ParameterError(DAMAGED) from None
        return found

    def _read_sessions(self, connection: sa.Connection, found: Contents) -> None:
        mine = SESSIONS.c.project == self._project
        by_row = {}
        for row in connection.execute(sa.select(SESSIONS).where(mine).order_by(SESSIONS.c.number)):
            one = KeptSession(
                id=row.id,
                number=row.number,
                asked=asked_in(row.asked),
                sealed=row.sealed,
                closed=row.closed,
            )
            found.sessions[one.number] = by_row[one.id] = one
        listed = sa.select(RELEASES.c.session, RELEASES.c.level, RELEASES.c.digest)
        for row in connection.execute(listed.join(SESSIONS).where(mine)).all():
            if row.digest not in self._released:
                self._released[row.digest] = self._fetched(connection, row)
            by_row[row.session].held[float.fromhex(row.level)] = self._released[row.digest]

    def _fetched(self, connection: sa.Connection, row: Any) -> Content:
        where = (RELEASES.c.session == row.session) & (RELEASES.c.level == row.level)
        content = connection.execute(sa.select(RELEASES.c.numbers).where(where)).scalar_one()
        if release_digest(row.session, row.level, content) != row.digest:
            raise ParameterError(DAMAGED)
        return released(content)

    def _read_ledger(self, connection: sa.Connection, found: Contents) -> None:
        mine = sa.select(ENTRIES).where(ENTRIES.c.project == self._project)
        for row in connection.execute(mine.order_by(ENTRIES.c.number)):
            if row.digest not in self._entries:
                if digest_of(row.entry) != row.digest:
                    raise ParameterError(DAMAGED)
                self._entries[row.digest] = records.read(row.entry)
            entry = self._entries[row.digest]
            if entry.level not in found.sessions[entry.session].held:  # both were written at once
                raise ParameterError(DAMAGED)
            found.ledger.append(entry)


def release_digest(session: int, level: str, content: bytes) -> str:
    """The digest of a release: of its row and its numbers."""
    return digest_of(session, level, hashlib.sha256(content).hexdigest())


def stored(content: Content) -> bytes:
    """What was released at a level as bytes: an array, or the record of a list or a survey."""
    return packed(content) if isinstance(content, np.ndarray) else records.written(content).encode()


def released(content: bytes) -> Content:
    """What `stored` made bytes of.

    Raises:
        ParameterError: if the bytes hold nothing that was released.
    """
    if not content.startswith(b"{"):
        return unpacked(content)
    found = records.read(content.decode())
    if not isinstance(found, RELEASED):
        raise ParameterError(DAMAGED)
    return found


def asked_of(subject: Any, family_name: str, key: Key) -> Asked:
    """What a session is asked for, with the mark of its table.

    Args:
        subject: what it is about, such as a `Statistic`.
        family_name: of its noise.
        key: by which the table is known again.

    Raises:
        ParameterError: if the key by which tables are known again is missing.
    """
    table, query, loading, mechanism = parts_of(subject)
    mark = mark_of_absent(table) if is_absent(table) else key.mark(table.digest)
    if mark is None:
        raise ParameterError(
            "The key of the projects is missing or another one, so no table can be known again. "
            "Put the file table.key back that was beside the projects when they were made"
        )
    return Asked(
        query=query,
        family=family_name,
        table=table.name,
        loading=loading,
        mark=mark,
        readings=table.readings,
        mechanism=mechanism,
    )


def show(ws: Workspace, found: Contents, key: Key) -> None:
    """Let a workspace show what its project holds; nothing is drawn.

    A session whose table is loaded goes on with it, read as it was when the session was opened; the
    others have an absent table in its place.
    """
    there = _loaded(ws, key)
    for mark, table in there.items():
        if mark is not None:
            ws.seen.follow(digest_of_absent(mark), table.digest)
    before = {s.number: s for s in ws.sessions}
    sessions: dict[int, Session] = {}
    for number, one in found.sessions.items():
        sessions[number] = _shown(one, before.get(number), there, sessions)
    shown = [*sessions.values()]
    _find_again(ws, there)
    known = [_found_again(s, there) for s in ws.statistics]
    called = {s.key: s for s in known}
    plain = [s for s in shown if s.asking.plain is not None]
    for each in plain:
        each.rename(called.get(each.statistic.key, each.statistic))
    kept = {each.statistic.key: each.statistic for each in plain}
    ws.statistics = list((called | kept | called).values())  # in the words of this visitor
    _remember(ws, sessions, found.ledger)
    ws.limit = _limit(ws, found.limit)
    ws.sessions = shown  # first these, then the entries that name them
    ws.ledger = list(found.ledger)  # its own: the turn goes on writing into the other


def opened(plan: KeptPlan) -> Workspace:
    """A workspace with the plan of a project, whose table is not loaded."""
    asked = plan.asked
    table = absent_table(asked.table, asked.mark, asked.readings)
    statistic = Statistic(table, asked.query, asked.loading)
    ws = Workspace(statistic.table, statistic.loading, statistic)
    ws.use_mode("hardened")
    ws.delta = plan.delta
    if asked.family in ws.offered:  # not if the plan was last seen in teaching mode
        ws.use_family(asked.family)
    ws.use(statistic)
    ws.plan.rewrite(plan.tiers, ws.setting)
    ws.plan.sizes = dict(plan.sizes)
    _remember_lists(ws, statistic, plan.known)
    return ws


def plan_of(ws: Workspace, key: Key) -> KeptPlan:
    """The plan of a workspace, as its project keeps it.

    Raises:
        ParameterError: if it cannot be kept.
    """
    asked = asked_of(ws.statistic, ws.family_name, key)
    return KeptPlan(
        tiers=ws.plan.tiers,
        delta=ws.delta,
        asked=asked,
        sizes=ws.plan.sizes,
        known=ws.seen.of(ws.statistic),
    )


def _loaded(ws: Workspace, key: Key) -> dict[str | None, Table]:
    """The tables that are loaded, by their marks, each as its file says."""
    tables = [ws.table, ws.statistic.table, *(s.table for s in ws.statistics)]
    tables += [s.asking.table for s in ws.sessions if s.asking.table is not None]
    return {key.mark(t.digest): t.loaded or t for t in tables if not is_absent(t)}


def _shown(
    one: KeptSession,
    before: Session | None,
    there: Mapping[str | None, Table],
    sessions: Mapping[int, Session],
) -> Session:
    asked = one.asked
    table = _read_then(there.get(asked.mark), absent_table(asked.table, asked.mark, asked.readings))
    _check_family(asked.family)
    if before is not None and _same(before.asking, asked, table):
        asking = before.asking
    else:
        asking = asking_of(asked, table, sessions)
    mechanism = asking.keeping.shown(one.held, sealed=one.sealed)
    if before is None:
        before = Session(
            number=one.number, asking=asking, mode="hardened", seed=0, mechanism=mechanism
        )
    before.asking, before.mechanism, before.closed = asking, mechanism, one.closed
    return before


def _same(asking: Asking, asked: Asked, table: Table) -> bool:
    """Whether a structured session has its table: to put it together again takes a while."""
    then = asking.table
    return (
        asked.mechanism is not None
        and then is not None
        and then.source(asked.query.columns) == table.source(asked.query.columns)
    )


def _find_again(ws: Workspace, there: Mapping[str | None, Table]) -> None:
    """If the statistic in use waited for its table, it has it, read as then; so do new ones."""
    before = ws.statistic
    ws.statistic = _found_again(before, there)
    table = ws.statistic.table
    if ws.statistic is not before and ws.table.digest == table.digest and not ws.table.readings:
        ws.table = table


def _found_again(statistic: Statistic, there: Mapping[str | None, Table]) -> Statistic:
    table = statistic.table
    if not is_absent(table):
        return statistic
    found = _read_then(there.get(mark_of_absent(table)), table)
    return statistic if found is table else replace(statistic, table=found)


def _read_then(found: Table | None, absent: Table) -> Table:
    """The table that is loaded, its columns read as when it was kept; else the absent one."""
    return found.read_as(dict(absent.readings)) if found else absent


def _remember(
    ws: Workspace, sessions: Mapping[int, Session], ledger: Iterable[LedgerEntry]
) -> None:
    """What earlier entries say of their table holds for what is released of it from now on."""
    for entry in ledger:
        about = sessions[entry.session].asking.about
        if isinstance(about, Statistic):
            _remember_lists(ws, about, entry.known)
        elif about is not None and entry.known.looked:
            ws.seen.tables.add(about.digest)


def _remember_lists(ws: Workspace, statistic: Statistic, known: Provenance) -> None:
    digest = statistic.table.digest
    if known.looked:
        ws.seen.tables.add(digest)
    for column, groups in lists_of(statistic.query).items():
        if column in known.read_off:
            ws.seen.listed.setdefault((digest, column), set()).update(groups)


def _limit(ws: Workspace, kept: Limit | None) -> Limit | None:
    """The project's limit, unless the owner's of this dashboard is below it."""
    try:
        if ws.owner is not None:
            refuse_above(kept, ws.owner)
    except ParameterError:
        return ws.owner
    return kept


def _check_family(name: str) -> None:
    if name not in ADDITIVE:
        raise records.NewerError(records.NEWER)
