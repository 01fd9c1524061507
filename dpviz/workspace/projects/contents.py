"""What a project holds, read from its database, and how a workspace shows it.

What a project holds, for those who choose one of several: no released number is in it.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
import sqlalchemy as sa

from dpviz import checks
from dpviz.accounting import JointLoss
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.planning.tiers import budgets_of, with_budgets
from dpviz.queries import listed_in
from dpviz.release import LedgerEntry, Provenance
from dpviz.words import capitalised, join, visible
from dpviz.workspace import account
from dpviz.workspace.kept import Content
from dpviz.workspace.limits import Most, refuse_above
from dpviz.workspace.projects import records
from dpviz.workspace.projects.absent import (
    absent_table,
    digest_of_absent,
    is_absent,
    mark_of_absent,
)
from dpviz.workspace.projects.database import (
    DAMAGED,
    DELETED,
    ENTRIES,
    PROJECTS,
    RELEASES,
    SESSIONS,
    digest_of,
    packed,
    unpacked,
)
from dpviz.workspace.projects.key import Tables
from dpviz.workspace.projects.plans import (
    Asked,
    KeptPlan,
    KeptStatistic,
    asked_in,
    plan_in,
    several,
)
from dpviz.workspace.projects.structured import RELEASED, asking_of, parts_of
from dpviz.workspace.sessions import Asking, Session, Statistic
from dpviz.workspace.takeaways import cost_words
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
    """Name, plan, sessions by their numbers, ledger, and limit of a project."""

    name: str
    plan: KeptPlan
    sessions: dict[int, KeptSession] = field(default_factory=dict)
    ledger: list[LedgerEntry] = field(default_factory=list)
    limit: Most | None = None


class Reader:
    """Reads a project; what was read once is kept by its digest, and checked against it."""

    __slots__ = ("_entries", "_plan", "_project", "_released")

    def __init__(self, project: int) -> None:
        self._project = project
        self._plan: tuple[str, KeptPlan] | None = None
        self._entries: dict[str, LedgerEntry] = {}
        self._released: dict[str, Content] = {}

    def read(self, connection: sa.Connection) -> Contents:
        """All that is committed.

        Raises:
            ParameterError: if it is damaged, or was deleted.
        """
        wanted = sa.select(PROJECTS).where(PROJECTS.c.id == self._project)
        row = connection.execute(wanted).one_or_none()
        if row is None or row.name.startswith(DELETED):
            raise ParameterError(GONE)
        if self._plan is None or self._plan[0] != row.plan:
            self._plan = row.plan, plan_in(row.plan)
        try:
            limit = None if row.most is None else records.read(row.most)
            found = Contents(name=row.name, plan=self._plan[1], limit=limit)
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


def asked_of(subject: Any, family_name: str, tables: Tables) -> Asked:
    """What a session is asked for, with the mark of its table.

    Args:
        subject: what it is about, such as a `Statistic`.
        family_name: of its noise.
        tables: by which the table is known again.

    Raises:
        ParameterError: if the key by which tables are known again is missing.
    """
    table, query, loading, mechanism = parts_of(subject)
    mark = tables.mark(table)
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
        how=table.file.how,
    )


def show(ws: Workspace, found: Contents, tables: Tables) -> None:
    """Let a workspace show what its project holds; nothing is drawn.

    A session whose table is loaded goes on with it, read as it was when the session was opened; the
    others have an absent table in its place.
    """
    tables.learn(one.asked for one in found.sessions.values())
    there = _loaded(ws, tables)
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
    statistic = _stated(plan.asked)
    ws = Workspace(statistic.table, statistic.loading, statistic)
    ws.use_mode("hardened")
    use_statistic(ws, plan)
    use_tiers(ws, plan)
    return ws


def use_statistic(ws: Workspace, plan: KeptPlan) -> None:
    """Put the statistic and the noise of a project's plan to use; its table is not loaded."""
    statistic = _stated(plan.asked)
    ws.use(statistic)
    if plan.asked.family in ws.offered:  # not if the plan was last seen in practice mode
        ws.use_family(plan.asked.family)
    _remember_lists(ws, statistic, plan.known)


def use_tiers(ws: Workspace, plan: KeptPlan, tables: Tables | None = None) -> None:
    """Put the tiers of a project's plan to use, with δ, expected sizes, colours and symbols.

    Args:
        ws: the workspace.
        plan: of the project.
        tables: by which tables are known again; None: none is loaded.
    """
    ws.delta = plan.delta
    there = _loaded(ws, tables) if tables else {}
    stated = [
        replace(
            _found_again(_stated(one.asked), there),
            budgets=one.budgets,
            own_name=one.name,
            noise=one.asked.family,
        )
        for one in plan.statistics
    ]
    ws.plan_for(stated)
    tiers, used = plan.tiers, ws.statistic
    if stated:
        tiers = with_budgets(plan.tiers, used.budgets)
        if used.key in {s.key for s in stated} and used.noise in ws.offered:
            ws.use_family(used.noise)
    ws.plan.past_styles = dict(plan.styles)
    ws.plan.styles = {t.name: plan.styles[t.name] for t in plan.tiers if t.name in plan.styles}
    ws.plan.tiers = tiers  # so that none of them is taken for a tier that was renamed
    ws.plan.rewrite(tiers, ws.setting)
    ws.plan.sizes, ws.plan.former = dict(plan.sizes), dict(plan.former)


def plan_of(ws: Workspace, tables: Tables) -> KeptPlan:
    """The plan of a workspace, as its project keeps it.

    Raises:
        ParameterError: if it cannot be kept.
    """
    asked = asked_of(ws.statistic, ws.family_name, tables)
    known = ws.seen.of(ws.statistic)
    named = dict.fromkeys([*(t.name for t in ws.plan.tiers), *(e.tier for e in ws.ledger)])
    return KeptPlan(
        tiers=ws.plan.tiers,
        delta=ws.delta,
        asked=asked,
        sizes=ws.plan.sizes,
        groups_from_data=known.read_off,
        looked=known.looked,
        checked=known.checked,
        known_before=known.known_before,
        former=ws.plan.beside,
        styles={name: ws.plan.style_of(name) for name in named if ws.plan.style_of(name).slot},
        statistics=_several(ws, tables),
    )


def _several(ws: Workspace, tables: Tables) -> tuple[KeptStatistic, ...]:
    """All statistics of the plan with their budgets, noise and names, where there are `several`."""
    found = tuple(
        KeptStatistic(
            asked=asked_of(s, ws.noise_of(s), tables),
            budgets=budgets_of(ws.tiers_of(s)),
            name=s.own_name,
        )
        for s in ws.statistics
    )
    return found if several(found) else ()


def absent_of(asked: Asked) -> Table:
    """What stands in the place of a table that is not loaded."""
    return absent_table(asked.table, asked.mark, asked.readings, asked.how)


def _stated(asked: Asked) -> Statistic:
    """What is asked, of a table that is not loaded."""
    return Statistic(absent_of(asked), asked.query, asked.loading)


def _loaded(ws: Workspace, tables: Tables) -> dict[str | None, Table]:
    """The tables that are loaded, by their marks, each as its file says; the latest comes last."""
    known = [s.asking.table for s in ws.sessions if s.asking.table is not None]
    known += [*(s.table for s in ws.statistics), ws.statistic.table, ws.table]
    return {tables.mark(t): t.loaded or t for t in known if not is_absent(t)}


def _shown(
    one: KeptSession,
    before: Session | None,
    there: Mapping[str | None, Table],
    sessions: Mapping[int, Session],
) -> Session:
    asked = one.asked
    table = _read_then(there.get(asked.mark), absent_of(asked))
    if asked.family not in ADDITIVE:
        raise records.NewerError(records.NEWER)
    if before is not None and _same(before.asking, asked, table):
        asking = before.asking
    else:
        asking = asking_of(asked, table, sessions)
    mechanism = asking.keeping.shown(one.held, sealed=one.sealed)
    if before is None:
        before = Session(number=one.number, asking=asking, mode="hardened", mechanism=mechanism)
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
        elif about is not None:
            _remember_looks(ws, about.digest, entry.known)


def _remember_lists(ws: Workspace, statistic: Statistic, known: Provenance) -> None:
    digest = statistic.table.digest
    _remember_looks(ws, digest, known)
    for part in listed_in(statistic.query.by):
        if part.column in (*known.read_off, *known.known_before):
            ws.seen.listed.setdefault((digest, part.column), set()).update(part.groups)
        if part.column in known.known_before:
            ws.seen.say_known(digest, part)


def _remember_looks(ws: Workspace, digest: str, known: Provenance) -> None:
    if known.looked:
        ws.seen.tables.add(digest)
    if known.checked:
        ws.seen.check(digest, known.checked)


def _limit(ws: Workspace, kept: Most | None) -> Most | None:
    """The project's limit, unless the owner's of this dashboard is below it."""
    try:
        if ws.owner is not None:
            refuse_above(kept, ws.owner)
    except ParameterError:
        return ws.owner
    return kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What a project holds.

    Attributes:
        statistic: the statistic in use, in words.
        table: the name of its table.
        released: the tiers that have a release, in the order of asking, each once.
        sessions: how many there are.
        sealed: how many of them are sealed.
        used: the day of the last release; None before the first.
        losses: what was lost in all, by the unit of privacy.
    """

    statistic: str
    table: str
    released: tuple[str, ...]
    sessions: int
    sealed: int
    used: date | None
    losses: Mapping[str, JointLoss]

    def __post_init__(self) -> None:
        checks.whole(0, sessions=self.sessions, sealed=self.sealed)


def overview(ws: Workspace) -> Overview:
    """What a workspace holds that is open on a project.

    >>> overview(Workspace.fresh()).released
    ()
    """
    return Overview(
        statistic=ws.statistic.query.statistic,
        table=ws.statistic.data,
        released=tuple(dict.fromkeys(e.tier for e in ws.ledger)),
        sessions=len(ws.sessions),
        sealed=sum(one.sealed_at is not None for one in ws.sessions),
        used=max((e.drawn for e in ws.ledger), default=None),
        losses=account.by_unit(ws),
    )


def sentences(found: Overview) -> Iterator[str]:
    """An overview in words.

    >>> list(sentences(overview(Workspace.fresh())))[-1]
    'Nothing has been released yet, so nothing is lost.'
    """
    yield f"{capitalised(found.statistic)}, from {visible(found.table)}."
    if found.used is None:
        yield "Nothing has been released yet, so nothing is lost."
        return
    yield f"Released to {join([visible(t) for t in found.released])}; last on {found.used}."
    one = found.sessions == 1
    yield (
        ("Its session is " if one else f"Of its {found.sessions} sessions {found.sealed} are ")
        + ("sealed." if not one or found.sealed else "open.")
    )
    for unit, loss in found.losses.items():
        yield f"Lost in all, where {unit}: {cost_words(loss)}."
