"""The plan of one project, for all tabs and processes that have it open.

Each tab writes what it changed itself, in one transaction with a look at what is there; of two that
changed the same, the second is asked (`dpviz.workspace.projects.versions`).
"""

import sqlalchemy as sa

from dpviz.errors import ParameterError
from dpviz.workspace.projects import plans
from dpviz.workspace.projects.contents import GONE, plan_of, use_statistic, use_tiers
from dpviz.workspace.projects.database import Database
from dpviz.workspace.projects.plans import KeptPlan
from dpviz.workspace.projects.schema import DELETED, PROJECTS
from dpviz.workspace.projects.tables import Tables
from dpviz.workspace.projects.versions import (
    Elsewhere,
    PlanChangedError,
    Versions,
    over,
    same_tier,
)
from dpviz.workspace.workspace import Workspace

CHOOSE = "This tab has changed the plan, too: take the other plan, or keep this one"
LOOK = "So nothing was drawn. Look at the plan as it is now, and ask again"


class SharedPlan:
    """Reads and writes the plan of a project, as one tab does."""

    __slots__ = ("_database", "_latest", "_project", "_tables", "_versions", "_who")

    def __init__(self, database: Database, tables: Tables, project: int, who: str) -> None:
        """Nothing is read yet.

        Args:
            database: of the place.
            tables: by which tables are known again.
            project: its row.
            who: the account, or the user of a command; "" where nobody is named.
        """
        self._database, self._tables, self._project, self._who = database, tables, project, who
        self._versions = Versions()
        self._latest: KeptPlan | None = None  # as it was in the project when looked at last

    def stored(self, connection: sa.Connection) -> tuple[str, KeptPlan]:
        """The name and the plan of the project, as they are in the database.

        Raises:
            ParameterError: if it was deleted, or is damaged.
        """
        wanted = sa.select(PROJECTS.c.name, PROJECTS.c.plan).where(PROJECTS.c.id == self._project)
        row = connection.execute(wanted).one_or_none()
        if row is None or row.name.startswith(DELETED):
            raise ParameterError(GONE)
        return row.name, plans.plan_in(row.plan)

    def lock(self, connection: sa.Connection) -> None:
        """Let nobody else change the project until this transaction ends."""
        mine = PROJECTS.c.id == self._project
        connection.execute(sa.select(PROJECTS.c.id).where(mine).with_for_update())

    def seen(self, ws: Workspace, there: KeptPlan) -> None:
        """Know the plan of the project as it is now; at first it is that of the tab."""
        self._latest = there
        if not self._versions.begun:
            self._versions.agree(plan_of(ws, self._tables), there)

    def check(self, ws: Workspace, there: KeptPlan, name: str) -> None:
        """Refuse a draw for a tier that has another name or budget in the project by now.

        Args:
            ws: the workspace.
            there: the plan of the project.
            name: of the tier.

        Raises:
            PlanChangedError: who changed it, and what to do.
        """
        moved = "tiers" in self._versions.moved(there)
        if moved and not same_tier(name, plan_of(ws, self._tables), there):
            raise PlanChangedError(self._versions.elsewhere(there, ["tiers"]), LOOK)

    def write(self, connection: sa.Connection, ws: Workspace, there: KeptPlan) -> KeptPlan:
        """Write what was changed here alone, in a transaction; the plan that is there then.

        Raises:
            ParameterError: if a budget is too long to be kept.
        """
        merged = self._versions.merged(plan_of(ws, self._tables), there, who=self._who)
        return there if merged is there else self._written(connection, merged)

    def agree(self, ws: Workspace, there: KeptPlan) -> None:
        """What is the same here and in the project is known to be so, once that is committed."""
        here, self._latest = plan_of(ws, self._tables), there
        self._versions.agree(here, there, *self._versions.equal(here, there))

    def save(self, ws: Workspace) -> None:
        """Write what was changed here; nothing if nothing was.

        Raises:
            PlanChangedError: if the same was changed elsewhere: nothing is written then.
            ParameterError: if the database refuses.
        """
        here = plan_of(ws, self._tables)
        if not self._versions.changed(here):
            return
        with self._database.writing() as connection:
            self.lock(connection)
            there = self.stored(connection)[1]
            if clash := self._versions.clash(here, there):
                raise PlanChangedError(self._versions.elsewhere(there, clash, here), CHOOSE)
            there = self.write(connection, ws, there)
        self.agree(ws, there)

    def follow(self, ws: Workspace) -> Elsewhere | None:
        """Put the tiers of the project to use if they were changed elsewhere, and here not.

        The statistic that a tab looks at stays its own.
        """
        here, there, known = plan_of(ws, self._tables), self._latest, self._versions
        if there is None or "tiers" not in known.moved(there):
            return None
        if ws.plan.refused or "tiers" in known.changed(here):
            return None
        news = known.elsewhere(there, ["tiers"])
        use_tiers(ws, there)
        known.agree(plan_of(ws, self._tables), there, "tiers")
        return news

    def take(self, ws: Workspace) -> KeptPlan:
        """Put what was changed elsewhere to use, in the place of the same changed here.

        Returns:
            The plan of the project.

        Raises:
            ParameterError: if the database cannot be read.
        """
        with self._database.reading() as connection:
            there = self.stored(connection)[1]
        clash = self._versions.clash(plan_of(ws, self._tables), there)
        if "statistic" in clash:
            use_statistic(ws, there)
        if "tiers" in clash:
            use_tiers(ws, there)
        self._versions.agree(plan_of(ws, self._tables), there, *clash)
        return there

    def keep(self, ws: Workspace) -> None:
        """Write what was changed here over what was changed elsewhere.

        Raises:
            ParameterError: if the database refuses.
        """
        here = plan_of(ws, self._tables)
        with self._database.writing() as connection:
            self.lock(connection)
            there = self.stored(connection)[1]
            mine = self._versions.changed(here)
            there = self._written(connection, over(here, there, mine, who=self._who))
        self.agree(ws, there)

    def _written(self, connection: sa.Connection, plan: KeptPlan) -> KeptPlan:
        mine = sa.update(PROJECTS).where(PROJECTS.c.id == self._project)
        connection.execute(mine.values(plan=plans.written(plan)))
        return plan
