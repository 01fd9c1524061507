"""What one tier of a project was given, for a reader with an account: no other tier is looked at.

Only this tier's entries of the ledger, its released numbers, and what was asked of the table are
read from the database; no other tier's name, budget or number comes into memory, nor does the plan
with its tiers. So the tier has one look, whatever its place among the others.
Limits: of the first draw at the same level it reads what the draw leaned on, which the guarantee of
the release needs; several tiers of one level have the same release.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from dpviz.errors import ParameterError
from dpviz.handout import TierRelease, signed_csv
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.handout.signing import SigningKey
from dpviz.noise import ADDITIVE
from dpviz.palette import TierStyle
from dpviz.release import LedgerEntry, Neighbour
from dpviz.workspace.held import HeldTier
from dpviz.workspace.kept import HeldReleases
from dpviz.workspace.one_tier import OneTier
from dpviz.workspace.packing import file_name, tier_release
from dpviz.workspace.projects import records
from dpviz.workspace.projects.absent import absent_table
from dpviz.workspace.projects.acts import Record, What
from dpviz.workspace.projects.contents import release_digest
from dpviz.workspace.projects.database import DAMAGED, Database
from dpviz.workspace.projects.key import Key
from dpviz.workspace.projects.plans import Asked, asked_in
from dpviz.workspace.projects.schema import (
    ENTRIES,
    PROJECTS,
    RELEASES,
    SESSIONS,
    digest_of,
    unpacked,
)
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
    """

    view: OneTier
    entry: LedgerEntry
    release: TierRelease

    @property
    def name(self) -> str:
        """The name of the file."""
        return file_name(self.entry)


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
        return found

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
        found = self._key.signing(f"{row.id} {row.signed_as or self._project}")
        if found is None:
            raise ParameterError(
                "The file cannot be signed, as the key of the projects is missing. Tell the person "
                "who keeps the project"
            )
        return found

    def _row(self, connection: sa.Connection) -> Any:
        """Number and statistic of the project, and its first name if it was renamed."""
        plan = self._json(PROJECTS.c.plan)
        wanted = sa.select(
            PROJECTS.c.id,
            plan("asked").label("asked"),
            plan("signed_as").label("signed_as"),
        ).where(PROJECTS.c.name == self._project)
        row = connection.execute(wanted).one_or_none()
        if row is None:
            raise NothingYetError(WAIT)
        return row

    def _read(self, connection: sa.Connection, project: int, in_use: str) -> Iterator[Own]:
        """The releases, each with the session that it is of."""
        entry = self._json(ENTRIES.c.entry)
        mine = (ENTRIES.c.project == project) & (entry("tier") == self.tier)
        newest: dict[int, LedgerEntry] = {}
        for row in connection.execute(
            sa.select(ENTRIES.c.entry, ENTRIES.c.digest).where(mine).order_by(ENTRIES.c.number)
        ):
            if digest_of(row.entry) != row.digest:
                raise ParameterError(DAMAGED)
            one = records.read(row.entry)
            if one.session not in newest or one.level < newest[one.session].level:
                newest[one.session] = one
        named = self._statistic(asked_in(in_use))
        for one in sorted(newest.values(), key=lambda e: -e.session):
            leaned = self._leaned(connection, project, one)
            yield self._own(self._session(connection, project, one, named), one, leaned)

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
        self, connection: sa.Connection, project: int, one: LedgerEntry, named: Statistic
    ) -> Session:
        """The session of an entry, which holds the one release."""
        wanted = sa.select(SESSIONS.c.id, SESSIONS.c.asked, SESSIONS.c.sealed).where(
            (SESSIONS.c.project == project) & (SESSIONS.c.number == one.session)
        )
        row = connection.execute(wanted).one()
        asked, level = asked_in(row.asked), one.level.hex()
        if asked.family not in ADDITIVE:
            raise records.NewerError(records.NEWER)
        at = (RELEASES.c.session == row.id) & (RELEASES.c.level == level)
        release = connection.execute(sa.select(RELEASES).where(at)).one()
        if release_digest(row.id, level, release.numbers) != release.digest:
            raise ParameterError(DAMAGED)
        session = Session(
            number=one.session,
            asking=self._statistic(asked).asking(asked.family),
            mode="hardened",
            seed=0,
            mechanism=HeldReleases(held={one.level: unpacked(release.numbers)}, sealed=row.sealed),
        )
        session.rename(named)  # as the custodian calls its groups
        return session

    def _own(self, session: Session, entry: LedgerEntry, leaned: tuple[Neighbour, ...]) -> Own:
        promised = promise(session.mode, leaned, entry.known)
        facts = (*session.asking.facts(entry, session), *promised)
        values = session.mechanism.held[entry.level]
        tier = HeldTier.of(self.tier, entry.budget, LOOK, values, delta=entry.event.delta)
        view = OneTier(
            tier=tier,
            query=session.statistic.query,
            family=session.asking.family,
            mode=session.mode,
            facts=facts,
        )
        released = tier_release(session, entry, facts, PROCESSINGS["released"])
        return Own(view=view, entry=entry, release=released)

    @staticmethod
    def _statistic(asked: Asked) -> Statistic:
        """What a session is asked for, of a table that is not loaded."""
        table = absent_table(asked.table, asked.mark, asked.readings)
        return Statistic(table, asked.query, asked.loading)

    def _json(self, column: sa.Column[str]) -> Any:
        """Reaches into a column of JSON within the database, so that no more of it is read."""
        if self._database.lite:
            return lambda *path: sa.func.json_extract(column, "$." + ".".join(path))
        return lambda *path: sa.cast(column, sa.JSON)[path].as_string()
