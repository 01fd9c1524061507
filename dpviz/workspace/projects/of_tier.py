"""What one tier of a project was given, for a reader with an account: no other tier is looked at.

Only this tier's entries of the ledger, its released numbers, and what was asked of the table are
read from the database; no other tier's name, budget or number comes into memory, nor does the plan
with its tiers. So the tier has one look, whatever its place among the others.
What is drawn once for all tiers, a list or the reports of a survey, was given to this one, too: its
page says so before the draw, and its cost adds to that of every tier. So the counts of a list are
shown with their items: the list that they are of is no other tier's.
Limits: of the first draw at the same level it reads what the draw leaned on, which the guarantee of
the release needs; several tiers of one level have the same release.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from dpviz.errors import ParameterError
from dpviz.handout import TierRelease, signed_csv
from dpviz.handout.signing import SigningKey
from dpviz.noise import ADDITIVE
from dpviz.palette import TierStyle
from dpviz.release import LedgerEntry, Neighbour
from dpviz.workspace.one_tier import View, given_to, view_of
from dpviz.workspace.packing import as_released, file_names
from dpviz.workspace.projects import records
from dpviz.workspace.projects.acts import Record, What
from dpviz.workspace.projects.contents import absent_of, release_digest, released
from dpviz.workspace.projects.database import (
    DAMAGED,
    ENTRIES,
    PROJECTS,
    RELEASES,
    SESSIONS,
    Database,
    digest_of,
)
from dpviz.workspace.projects.key import Key
from dpviz.workspace.projects.plans import Asked, asked_in
from dpviz.workspace.projects.structured import asking_of, before_of
from dpviz.workspace.promises import promise
from dpviz.workspace.sessions import Session, Statistic

LOOK = TierStyle(slot=6, symbol=0)  # of every tier that is shown by itself to its reader
WAIT = "There is no release for you yet. Look again later, or ask the person who keeps the project"


class NothingYetError(ParameterError):
    """A tier has no release yet; whether there is such a project or tier, nobody is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """One release of a tier, as its reader has it.

    Attributes:
        view: what a screen shows.
        entry: of the ledger.
        release: what its file holds.
        name: of the file.
    """

    view: View
    entry: LedgerEntry
    release: TierRelease
    name: str = ""


class OfTier:
    """Reads what one tier of a project was given; use `Projects.of_tier`."""

    __slots__ = ("_database", "_key", "_project", "_record", "tier")

    def __init__(
        self, database: Database, key: Key, record: Record | None, project: str, tier: str
    ) -> None:
        """Nothing is read yet."""
        self._database, self._key, self._record = database, key, record
        self._project, self.tier = project, tier

    def releases(self) -> list[Own]:
        """The newest release of each session of this tier, the latest session first.

        Raises:
            NothingYetError: if there is no such project, or nothing was released to the tier.
            ParameterError: if the project is damaged.
        """
        with self._database.reading() as connection:
            try:
                row = self._row(connection)
                found = list(self._read(connection, row.id, row.asked))
            except (records.NewerError, NothingYetError):
                raise
            except (ValueError, LookupError, TypeError):
                raise ParameterError(DAMAGED) from None
        if not found:
            raise NothingYetError(WAIT)
        said = [(own.view.mode, own.entry.tier, own.view.statistic) for own in found]
        names = file_names(said[::-1])[::-1]  # the first session has the plain name
        return [replace(own, name=name) for own, name in zip(found, names, strict=True)]

    def file(self, own: Own, made: datetime.date) -> bytes:
        """The hand-out of a release: its numbers, signed with the project's key.

        Raises:
            ParameterError: if the key is not there, or the act cannot be recorded.
        """
        key = self._signing_key()
        self.note("hand-out", own)
        return signed_csv(own.release, made, key=key)

    def note(self, what: What, own: Own) -> None:
        """Write into the record that the reader has seen a release, or has its file.

        Raises:
            ParameterError: if it cannot be written.
        """
        if self._record is None:
            return
        with self._database.writing() as connection:
            project = self._row(connection).id
            about: dict[str, Any] = {"tier": self.tier, "session": own.entry.session}
            self._record.write(connection, what, project=project, name=self._project, **about)

    def _signing_key(self) -> SigningKey:
        with self._database.reading() as connection:
            row = self._row(connection)
        name = row.signed_as or self._project
        found = self._key.signing(row.id, name, row.own_key or "")
        if found is None:
            raise ParameterError(
                "The file cannot be signed, as the key of the projects is missing. Tell the person "
                "who keeps the project"
            )
        return found

    def _row(self, connection: sa.Connection) -> Any:
        """Number and statistic of the project, and what its signing key comes from."""
        plan = self._json(PROJECTS.c.plan)
        wanted = sa.select(
            PROJECTS.c.id,
            plan("asked").label("asked"),
            plan("signed_as").label("signed_as"),
            plan("own_key").label("own_key"),
        ).where(PROJECTS.c.name == self._project)
        row = connection.execute(wanted).one_or_none()
        if row is None:
            raise NothingYetError(WAIT)
        return row

    def _read(self, connection: sa.Connection, project: int, in_use: str) -> Iterator[Own]:
        """The releases, each with the session that it is of."""
        entry = self._json(ENTRIES.c.entry)
        given = sa.or_(entry("tier") == self.tier, entry("selection").is_not(None))
        mine = (ENTRIES.c.project == project) & given
        entries = []
        for row in connection.execute(
            sa.select(ENTRIES.c.entry, ENTRIES.c.digest).where(mine).order_by(ENTRIES.c.number)
        ):
            if digest_of(row.entry) != row.digest:
                raise ParameterError(DAMAGED)
            entries.append(records.read(row.entry))
        named = self._statistic(asked_in(in_use))
        for one in given_to(entries, self.tier):
            leaned = self._leaned(connection, project, one)
            session = self._session(connection, project, one.session, one.level)
            session.rename(named)  # as the custodian calls its groups
            yield self._own(session, one, leaned)

    def _leaned(
        self, connection: sa.Connection, project: int, one: LedgerEntry
    ) -> tuple[Neighbour, ...]:
        """What the draw at this level leaned on: the first entry of the level says it."""
        entry = self._json(ENTRIES.c.entry)
        where = (
            (ENTRIES.c.project == project)
            & (sa.cast(entry("session"), sa.Integer) == one.session)
            & (sa.cast(entry("budget", "level"), sa.Double) == one.level)
        )
        wanted = sa.select(entry("neighbours")).where(where).order_by(ENTRIES.c.number).limit(1)
        found: tuple[Neighbour, ...] = records.read(connection.execute(wanted).scalar_one())
        return found

    def _session(
        self, connection: sa.Connection, project: int, number: int, level: float | None = None
    ) -> Session:
        """A session with the one release at a level; by default at the only level of a list."""
        wanted = sa.select(SESSIONS.c.id, SESSIONS.c.asked, SESSIONS.c.sealed).where(
            (SESSIONS.c.project == project) & (SESSIONS.c.number == number)
        )
        row = connection.execute(wanted).one()
        asked = asked_in(row.asked)
        if asked.family not in ADDITIVE:
            raise records.NewerError(records.NEWER)
        table = absent_of(asked)
        before = {n: self._session(connection, project, n) for n in before_of(asked)}
        asking = asking_of(asked, table, before)
        kept = asking.keeping
        if level is None:
            level = kept.subject.level
        at = (RELEASES.c.session == row.id) & (RELEASES.c.level == level.hex())
        release = connection.execute(sa.select(RELEASES).where(at)).one()
        if release_digest(row.id, level.hex(), release.numbers) != release.digest:
            raise ParameterError(DAMAGED)
        mechanism = kept.shown({level: released(release.numbers)}, sealed=row.sealed)
        return Session(number=number, asking=asking, mode="hardened", mechanism=mechanism)

    def _own(self, session: Session, entry: LedgerEntry, leaned: tuple[Neighbour, ...]) -> Own:
        promised = promise(session.mode, leaned, entry.known)
        facts = (*session.asking.facts(entry, session), *promised)
        view = view_of(session, entry, facts, name=self.tier, look=LOOK)
        return Own(view=view, entry=entry, release=as_released(session, entry, facts))

    @staticmethod
    def _statistic(asked: Asked) -> Statistic:
        """The statistic in use, of a table that is not loaded."""
        table = absent_of(asked)
        return Statistic(table, asked.query, asked.loading)

    def _json(self, column: sa.Column[str]) -> Any:
        """Reaches into a column of JSON within the database, so that no more of it is read."""
        if self._database.lite:
            return lambda *path: sa.func.json_extract(column, "$." + ".".join(path))
        return lambda *path: sa.cast(column, sa.JSON)[path].as_string()
