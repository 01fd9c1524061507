"""A table that is not loaded: its name, how its columns are read, and the mark that it is known by.

It is a table that was closed, so whatever needs its rows is refused.
"""

import io

from dpviz.data import Table
from dpviz.workspace.plan_file.schema import Readings
from dpviz.workspace.turns import alone
from dpviz.workspace.workspace import Workspace

_AWAY = "not loaded: "


def absent_table(name: str, mark: str, readings: Readings = ()) -> Table:
    """The place of a table that is not loaded.

    >>> absent_table("visits.csv", "0f")
    Table(“visits.csv”, 0 columns)
    """
    table = Table(
        name=name,
        digest=digest_of_absent(mark),
        columns=(),
        types=(),
        connection=io.BytesIO(),
        readings=readings,
    )
    table.close()
    return table


def digest_of_absent(mark: str) -> str:
    """What stands in the place of the digest while the table of this mark is not loaded.

    >>> absent_table("visits.csv", "0f").digest == digest_of_absent("0f")
    True
    """
    return _AWAY + mark


def is_absent(table: Table) -> bool:
    """Whether the table is not loaded.

    >>> is_absent(absent_table("visits.csv", "0f"))
    True
    """
    return table.digest.startswith(_AWAY)


def waits_for(ws: Workspace, table: Table) -> bool:
    """Whether a session of this workspace goes on once this table is loaded: it is the same file.

    Args:
        ws: a workspace, open on a project or not.
        table: any table.
    """
    mark = ws.keeper.mark(table)
    stated = (s.table for s in (ws.statistic, *ws.statistics))
    asked = (s.asking.table for s in ws.sessions)
    away = (t for t in (*stated, *asked) if t is not None and is_absent(t))
    return mark is not None and mark in map(mark_of_absent, away)


def needs_table(ws: Workspace, level: float) -> bool:
    """Whether a draw at this level waits for the table: it is not loaded, and nothing held will do.

    Args:
        ws: a workspace, open on a project or not.
        level: of the noise.
    """
    one = ws.round
    held = one is not None and (
        one.mechanism.sealed_at is not None or level in one.mechanism.levels
    )
    return is_absent(ws.statistic.table) and not held


def drawable(ws: Workspace) -> list[str]:
    """The tiers that wait and can be drawn now, with the table that is loaded or from what is held.

    >>> drawable(Workspace.fresh()) == Workspace.fresh().waiting()
    True
    """
    levels = {p.name: p.budget.level for p in ws.planned()[0]}
    return [name for name in ws.waiting() if not needs_table(ws, levels[name])]


@alone
def bring_another(ws: Workspace, table: Table, loading: str | None = None) -> bool:
    """Load another file than the one that is not loaded, and ask the same statistic of it.

    That is another session, whose loss adds. Nothing is drawn.

    Args:
        ws: a workspace that is open on a project.
        table: the other one.
        loading: how the library loads it; by default as a file of its name.

    Returns:
        Whether its columns allow that; if not, the statistic in use stays as it was.
    """
    away = ws.statistic
    readings = dict(away.table.readings)
    ws.bring(table, loading)
    if not {*away.query.columns, *readings} <= {column.name for column in table.columns}:
        return False
    ws.table = table.read_as(readings)
    ws.state(away.query)
    return True


def mark_of_absent(table: Table) -> str:
    """The mark of a table that is not loaded.

    >>> mark_of_absent(absent_table("visits.csv", "0f"))
    '0f'
    """
    return table.digest.removeprefix(_AWAY)
