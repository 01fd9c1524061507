"""The record of a place: who did what, and when, one row for each act; never what came out of it.

Where people log in, the dashboard begins a record, and from then on every act on the projects of
the place is in it, by commands and scripts, too. What changes a project is recorded in the same
transaction as the change. Rows are added only: the database refuses to change or delete one.
Limits: who owns the database can take that refusal away.
"""

import datetime
import getpass
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from dpviz import checks
from dpviz.words.names import visible
from dpviz.workspace.projects.database import Database

What = Literal[
    "log in",
    "turned away",
    "begin",
    "open",
    "draw",
    "upgrade",
    "seal",
    "start over",
    "limit",
    "view",
    "hand-out",
    "pack",
    "report",
    "rename",
    "delete",
]

_LONGEST = 400  # letters of a name
_LOCK = 7_243_019  # of Postgres, while the table is made
_apart = sa.MetaData()  # not among the tables of a place: it is made where people log in
ACTS = sa.Table(
    "dpviz_acts",
    _apart,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.String(40), nullable=False),  # by universal time
    sa.Column("who", sa.String(_LONGEST), nullable=False),
    sa.Column("act", sa.String(40), nullable=False),
    sa.Column("project", sa.Integer, index=True),
    sa.Column("name", sa.String(_LONGEST), nullable=False),  # of the project, at that time
    sa.Column("tier", sa.String(_LONGEST), nullable=False),
    sa.Column("session", sa.Integer),
)
_REFUSALS = {
    "sqlite": [
        f"CREATE TRIGGER dpviz_acts_{word} BEFORE {word} ON dpviz_acts "
        "BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END"
        for word in ("UPDATE", "DELETE")
    ],
    "postgresql": [
        "CREATE OR REPLACE FUNCTION dpviz_acts_kept() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the record is only added to'; END $$",
        "CREATE TRIGGER dpviz_acts_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON dpviz_acts "
        "FOR EACH STATEMENT EXECUTE FUNCTION dpviz_acts_kept()",
    ],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act of somebody.

    Attributes:
        what: the act.
        who: an account, or the user of a command.
        at: when, by universal time.
        project: its name at that time; "" where the act is about none.
        tier: whose release it is about; "" where it is about none.
        session: the number of the session; 0 where it is about none.
    """

    what: What
    who: str
    at: datetime.datetime
    project: str = ""
    tier: str = ""
    session: int = 0

    def __post_init__(self) -> None:
        checks.whole(0, session=self.session)


def operator() -> str:
    """Who uses a command or a script: the user of this computer."""
    try:
        return f"user {getpass.getuser()} by command"
    except (KeyError, OSError):  # a container may have a user without a name
        return "a user by command"


class Record:
    """The record of a place, as one person adds to it."""

    __slots__ = ("_database", "who")

    def __init__(self, database: Database, who: str) -> None:
        """Use `record_of`."""
        self._database, self.who = database, visible(who)[:_LONGEST]

    def note(self, what: What, *, project: int | None = None, name: str = "", **about: Any) -> None:
        """Write one act down, by itself.

        Args:
            what: the act.
            project: its row; None where the act is about none.
            name: of the project.
            about: `tier` and `session`, where the act is about them.

        Raises:
            ParameterError: if it cannot be written.
        """
        with self._database.writing() as connection:
            self.write(connection, what, project=project, name=name, **about)

    def write(
        self,
        connection: sa.Connection,
        what: What,
        *,
        project: int | None,
        name: str,
        tier: str = "",
        session: int | None = None,
    ) -> None:
        """Write one act down in a transaction, which may be that of the act itself.

        Args:
            connection: of the transaction.
            what: the act.
            project: its row; None where the act is about none.
            name: of the project.
            tier: whose release it is about.
            session: the number of its session.
        """
        values = {
            "at": datetime.datetime.now(tz=datetime.UTC).isoformat(timespec="milliseconds"),
            "who": self.who,
            "act": what,
            "project": project,
            "name": name[:_LONGEST],
            "tier": tier[:_LONGEST],
            "session": session,
        }
        connection.execute(sa.insert(ACTS).values(values))


def record_of(database: Database, who: str | None) -> Record | None:
    """The record of a place, for somebody who is named; it is begun if there is none.

    Args:
        database: of the place.
        who: the account that has logged in; None for a command or a script, which adds to a
            record that is there and begins none.

    Raises:
        ParameterError: if it cannot be read or made.
    """
    with database.reading() as connection:
        there = sa.inspect(connection).has_table(ACTS.name)
    if not there and who is None:
        return None
    if not there:
        with database.writing() as connection:
            if not database.lite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
            if not sa.inspect(connection).has_table(ACTS.name):
                _apart.create_all(connection)
                for line in _REFUSALS["sqlite" if database.lite else "postgresql"]:
                    connection.exec_driver_sql(line)
    return Record(database, operator() if who is None else who)


def acts_in(connection: sa.Connection, project: int | None = None) -> list[Act]:
    """What was done, the first act first.

    Args:
        connection: to the database of a place.
        project: only acts on this project; None for all, with who came and went.
    """
    if not sa.inspect(connection).has_table(ACTS.name):
        return []
    mine = sa.select(ACTS).order_by(ACTS.c.id)
    if project is not None:
        mine = mine.where(ACTS.c.project == project)
    return [_act(row) for row in connection.execute(mine)]


def _act(row: Any) -> Act:
    return Act(
        what=row.act,
        who=row.who,
        at=datetime.datetime.fromisoformat(row.at),
        project=row.name,
        tier=row.tier,
        session=row.session or 0,
    )
