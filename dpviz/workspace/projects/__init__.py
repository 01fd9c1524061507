"""Projects: workspaces that last, with one ledger per table across tabs, processes and days.

    projects = Projects()                    # in the user's data folder
    projects.create("visits 2026", ws)       # a workspace in hardened mode is kept from now on
    ws.draw("public")                        # committed before it is shown

    ws = projects.open("visits 2026")        # next month, in another process
    ws.bring(read_table("visits.csv"))       # not for a sealed session
    ws.draw("research")

What is kept: plan, ledger, limit, and of each session what it was asked for and what it released.
Never the table, an exact answer, or a seed. Who reads the database reads every release, so it is
for those who may see all tiers. `dpviz.workspace.projects.project` says how a draw is made.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import platformdirs
import sqlalchemy as sa

from dpviz import checks
from dpviz.accounting import ReleaseEvent
from dpviz.accounting.odometer import Limit
from dpviz.data import Table, quoted
from dpviz.errors import ParameterError
from dpviz.planning.tiers import check_name
from dpviz.workspace.projects import plans
from dpviz.workspace.projects.acts import Act, What, acts_in, record_of
from dpviz.workspace.projects.contents import opened, plan_of
from dpviz.workspace.projects.database import (
    ABOUT,
    DAMAGED,
    DELETED,
    ENTRIES,
    FILE,
    FORMAT,
    NO_URL,
    PROJECTS,
    RELEASES,
    SESSIONS,
    Database,
    tables,
)
from dpviz.workspace.projects.key import Key, Tables, key_in
from dpviz.workspace.projects.of_tier import OfTier
from dpviz.workspace.projects.project import ONLY_HARDENED, Project
from dpviz.workspace.workspace import Workspace

__all__ = ["PLACE", "Project", "Projects", "place_from"]

PLACE = "DPVIZ_PROJECTS"  # in the environment: a folder, the URL of a Postgres database, or "off"
OFF = "off"
_NAMES = sa.select(PROJECTS.c.name).where(PROJECTS.c.name.not_like(f"{DELETED}%"))
_LOCK = 7_243_018  # of Postgres, while the tables are made


def place_from(environment: Mapping[str, str], *, shared: bool) -> str | None:
    """Where a dashboard keeps projects; None: nowhere.

    On a shared server every visitor could open the projects of all others, so it keeps none unless
    the person who runs it names a place.

    Args:
        environment: variables of the process, of which `PLACE` counts.
        shared: whether others than the person at this computer reach the dashboard.

    >>> place_from({}, shared=True), place_from({PLACE: "/srv/kept"}, shared=True)
    (None, '/srv/kept')
    """
    told = environment.get(PLACE, "").strip()
    if told:
        return None if told.lower() == OFF else told
    return None if shared else str(_own_folder())


class Projects:
    """All projects of one place."""

    __slots__ = ("_database", "_key", "_record")

    def __init__(
        self,
        place: Path | str | None = None,
        *,
        keys: Path | str | None = None,
        who: str | None = None,
    ) -> None:
        """Open a place, or make it.

        Args:
            place: a folder, the user's data folder by default, or a URL such as
                "postgresql://user@host/name".
            keys: the folder of the key by which tables are known again: by default the place itself
                if it is a folder, else the user's data folder.
            who: the account that has logged in, for the record of the place, which is begun then;
                None for a command or a script, whose acts are recorded once there is a record.

        Raises:
            ParameterError: if the place cannot be read or made, is damaged, or was written by a
                newer version.
        """
        if place == "":
            raise ParameterError(NO_URL)
        remote = isinstance(place, str) and "://" in place
        folder = _own_folder() if place is None or remote else Path(place).expanduser()
        self._database = Database(place if isinstance(place, str) and remote else folder)
        self._key = self._begin(folder if keys is None else Path(keys).expanduser())
        self._record = record_of(self._database, who)

    @staticmethod
    def begun(place: str) -> bool:
        """Whether there may be projects at a place; asking makes nothing there.

        >>> Projects.begun("/a/folder/that/is/not/there")
        False
        """
        return "://" in place or (Path(place).expanduser() / FILE).exists()

    def names(self) -> list[str]:
        """Names of the projects, in alphabetical order.

        Raises:
            ParameterError: if the database cannot be read.
        """
        with self._database.reading() as connection:
            return sorted(connection.execute(_NAMES).scalars())

    def create(self, name: str, ws: Workspace) -> None:
        """Keep a workspace under a name from now on, with all that it has released so far.

        Args:
            name: of the project.
            ws: a workspace with hardened releases, or with none.

        Raises:
            ParameterError: if there is such a project, the workspace is kept already, holds what
                cannot be kept, or its table has a ledger elsewhere; nothing was changed then.
        """
        name = _checked(name)
        with ws.lock:
            if isinstance(ws.keeper, Project):
                raise ParameterError(
                    f"This workspace is kept in the project {quoted(ws.keeper.name)} already. Open "
                    "another one for a new project"
                )
            if ws.mode != "hardened":
                raise ParameterError(ONLY_HARDENED)
            Tables(self._key).compute(ws)
            with self._database.writing() as connection:
                project = self._made(connection, name, ws)
                project.take_over(connection, ws)
                self._noted(connection, "begin", project.id, name)
            for one in ws.sessions:  # a session goes on in one place, which is now the project
                one.asking.keeping.retire(one.mechanism)
            ws.keeper, ws.key = project, None  # the project has it from now on
            ws.others.leave(ws.own)
            ws.catch_up()

    def open(self, name: str) -> Workspace:
        """A workspace on a project: its plan, its ledger, all that it has released.

        Its table is not loaded; `Workspace.bring` loads one.

        Raises:
            ParameterError: if there is no such project, or it is damaged.
        """
        with self._database.reading() as connection:
            row = self._found(connection, name)
        ws = opened(plans.plan_in(row.plan))
        ws.keeper = Project(self._database, self._key, row.id, row.name, self._record)
        ws.catch_up()
        return ws

    def holding(self, table: Table, limit: Limit | None = None) -> dict[str, list[ReleaseEvent]]:
        """What projects have released of the rows of a table, by their names.

        Args:
            table: loaded; its rows may stand in another order and another file than when they were
                drawn from.
            limit: in whose currency it is told; None: as it was stated.

        Raises:
            ParameterError: if the database cannot be read, or a project is damaged.
        """
        with self._database.reading() as connection:
            found = Tables(self._key).holding(connection, table)
        sessions: dict[str, set[int]] = {}
        for row in found:
            sessions.setdefault(row.name, set()).add(row.number)
        told = {}
        for name, numbers in sessions.items():
            ws = self.open(name)
            made = [e.event for e in ws.ledger] if limit is None else ws.made(limit)
            told[name] = [event for event in made if event.session in numbers]
        return told

    def rename(self, name: str, new: str) -> None:
        """Give a project another name; its tabs go on, and it signs with the same key as before.

        Raises:
            ParameterError: if there is no such project, or one has the new name already.
        """
        new = _checked(new)
        with self._database.writing() as connection:
            row = self._found(connection, name, lock=True)
            if new == row.name:
                return
            connection.execute(sa.select(ABOUT).with_for_update())  # one at a time
            _refuse_taken(connection, new)
            plan = plans.plan_in(row.plan)
            text = plans.written(replace(plan, signed_as=plan.signed_as or row.name))
            _change(connection, row.id, name=new, plan=text)
            self._noted(connection, "rename", row.id, row.name)
            self._noted(connection, "rename", row.id, new)

    def delete(self, name: str) -> None:
        """Delete a project: its plan, ledger and releases, for good.

        What was released stays with those who have it, and nobody counts its loss from then on.

        Raises:
            ParameterError: if there is no such project.
        """
        with self._database.writing() as connection:
            row = self._found(connection, name, lock=True)
            mine = sa.select(SESSIONS.c.id).where(SESSIONS.c.project == row.id)
            connection.execute(sa.delete(RELEASES).where(RELEASES.c.session.in_(mine)))
            connection.execute(sa.delete(ENTRIES).where(ENTRIES.c.project == row.id))
            connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.project == row.id))
            # the number stays taken: tabs that are open on it must not go on in another project
            _change(connection, row.id, name=f"{DELETED}{row.id}", plan="", most=None)
            self._noted(connection, "delete", row.id, row.name)

    def note(self, what: What, *, tier: str = "", session: int | None = None) -> None:
        """Write down who came, or what was done without a project, where there is a record.

        Args:
            what: the act.
            tier: whose release it is about; "" where it is about none.
            session: the number of its session; None where it is about none.

        Raises:
            ParameterError: if it cannot be written.
        """
        if self._record is not None:
            self._record.note(what, tier=tier, session=session)

    def acts(self, name: str | None = None) -> list[Act]:
        """The record of the place, the first act first: who did what, and when.

        Args:
            name: of a project, for acts on it alone; None for all, with who came.

        Raises:
            ParameterError: if there is no such project, or the database cannot be read.
        """
        with self._database.reading() as connection:
            row = None if name is None else self._found(connection, name).id
            return acts_in(connection, row)

    def of_tier(self, name: str, tier: str) -> OfTier:
        """What one tier of a project was given, and nothing of any other; see `OfTier`.

        Args:
            name: of the project.
            tier: its name.
        """
        return OfTier(self._database, self._key, self._record, name.strip(), tier)

    def _noted(self, connection: sa.Connection, what: What, project: int, name: str) -> None:
        if self._record is not None:
            self._record.write(connection, what, project=project, name=name)

    def _found(self, connection: sa.Connection, name: str, *, lock: bool = False) -> Any:
        """The row of a project; if it is locked, no tab draws in the project meanwhile."""
        wanted = sa.select(PROJECTS).where(PROJECTS.c.name == _checked(name))
        row = connection.execute(wanted.with_for_update() if lock else wanted).one_or_none()
        if row is None:
            raise ParameterError(f"There is no project {quoted(name)}. Choose one of the list")
        return row

    def _made(self, connection: sa.Connection, name: str, ws: Workspace) -> Project:
        """The row of a new project."""
        connection.execute(sa.select(ABOUT).with_for_update())  # one at a time
        _refuse_taken(connection, name)
        plan = plan_of(ws, Tables(self._key))
        row = connection.execute(
            sa.insert(PROJECTS).values(name=name, plan=plans.written(plan)).returning(PROJECTS.c.id)
        ).scalar_one()
        if ws.key is not None:  # it may have signed something already
            own = self._key.locked(row, ws.key)
            _change(connection, row, plan=plans.written(replace(plan, own_key=own)))
        return Project(self._database, self._key, row, name, self._record)

    def _begin(self, folder: Path) -> Key:
        """Make what is missing of a new place; the key of one that is there, if it is the same."""
        with self._database.reading() as connection:
            new = self._database.is_empty(connection)
        if new:
            self._make(folder)
        with self._database.reading() as connection:
            self._database.check(connection)
            made_by = connection.execute(sa.select(ABOUT.c.format)).scalar_one_or_none()
            if made_by is None:
                raise ParameterError(DAMAGED)
            if made_by != FORMAT:
                raise ParameterError(
                    f"The projects were written by a newer version of dpviz (format {made_by}, "
                    f"this one reads {FORMAT}). Install that version to open them"
                )
            mark = connection.execute(sa.select(ABOUT.c.key_mark)).scalar_one()
        key = key_in(folder, make=False)
        return key if key.mark("key") == mark else Key(None)

    def _make(self, folder: Path) -> None:
        """Tables and key of a new place; of two processes that make them at once, one does."""
        with self._database.writing() as connection:
            if not self._database.lite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
            if self._database.is_empty(connection):
                tables.create_all(connection)
                mark = key_in(folder, make=True).mark("key")
                connection.execute(sa.insert(ABOUT).values(format=FORMAT, key_mark=mark))


def _checked(name: str) -> str:
    """The name of a project without white space around it."""
    checks.instance(str, name=name)
    name = name.strip()
    check_name(name, where="the project")
    return name


def _refuse_taken(connection: sa.Connection, name: str) -> None:
    if connection.execute(sa.select(PROJECTS.c.id).where(PROJECTS.c.name == name)).first():
        raise ParameterError(
            f"There is a project {quoted(name)} already. Open it, or type another name"
        )


def _change(connection: sa.Connection, row: int, **values: str | None) -> None:
    connection.execute(sa.update(PROJECTS).where(PROJECTS.c.id == row).values(**values))


def _own_folder() -> Path:
    return Path(platformdirs.user_data_dir("dpviz", appauthor=False)) / "projects"
