"""A table that is not loaded: its name, how its columns are read, and the mark that it is known by.

It is a table that was closed, so whatever needs its rows is refused.
"""

import io
from dataclasses import replace
from typing import Any

from dpviz.data import FileFormat, HowRead, Table, rows_mark
from dpviz.data.engines.duck import Embedded
from dpviz.data.samples import is_sample
from dpviz.workspace.keeping import alone
from dpviz.workspace.others import AWAY
from dpviz.workspace.plan_file.schema import Readings
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace


def absent_table(
    name: str, mark: str, readings: Readings = (), how: HowRead | None = None
) -> Table:
    """The place of a table that is not loaded; it knows how its file was read.

    >>> absent_table("visits.csv", "0f")
    Table(“visits.csv”, 0 columns)
    """
    table = Table(
        name=name,
        digest=digest_of_absent(mark),
        columns=(),
        types=(),
        engine=Embedded(io.BytesIO()),
        readings=readings,
        file=FileFormat.chosen_as(how or HowRead()),
    )
    table.close()
    return table


def digest_of_absent(mark: str) -> str:
    """What stands in the place of the digest while the table of this mark is not loaded.

    >>> absent_table("visits.csv", "0f").digest == digest_of_absent("0f")
    True
    """
    return AWAY + mark


def is_absent(table: Table) -> bool:
    """Whether the table is not loaded.

    >>> is_absent(absent_table("visits.csv", "0f"))
    True
    """
    return table.digest.startswith(AWAY)


def waits_for(ws: Workspace, table: Table) -> bool:
    """Whether a session of this workspace goes on with this table: the same file, or its texts.

    Args:
        ws: a workspace, open on a project or not.
        table: any table.
    """
    mark = ws.keeper.mark(table)
    stated = (s.table for s in (ws.statistic, *ws.statistics))
    asked = (s.asking.table for s in ws.sessions)
    away = (t for t in (*stated, *asked) if t is not None and is_absent(t))
    return mark is not None and mark in map(mark_of_absent, away)


def same_rows(ws: Workspace, table: Table) -> bool:
    """Whether a table has the rows of one of this workspace, though no session goes on with it.

    So it is in another order, or where values are written otherwise. A ready sample is told by its
    bytes alone; a table that stays in an engine is told by its place, and may have other rows now.

    Args:
        ws: a workspace, open on a project or not.
        table: loaded.
    """
    stated = (ws.table, ws.statistic.table, *(s.table for s in ws.statistics))
    about = [t for t in (*stated, *(s.asking.table for s in ws.sessions)) if t is not None]
    known = waits_for(ws, table) or any(t.digest == table.digest for t in about)
    if known or is_sample(table) or table.engine.place:
        return False
    there = (t for t in about if not is_absent(t) and not is_sample(t))
    return ws.keeper.has_rows(table) or any(rows_mark(t) == rows_mark(table) for t in there)


def needs_table(ws: Workspace, level: float, statistic: Statistic | None = None) -> bool:
    """Whether a draw at this level waits for the table: it is not loaded, and nothing held will do.

    What is noisier than a release is made from that alone [LMR25, Algorithm 1].

    Args:
        ws: a workspace, open on a project or not.
        level: of the noise.
        statistic: of its plan; None: the one in use.
    """
    of = statistic or ws.statistic
    one = ws.round_of(of)
    held = one is not None and (
        one.mechanism.sealed_at is not None or any(at <= level for at in one.mechanism.levels)
    )
    return is_absent(of.table) and not held


def drawable(ws: Workspace, statistic: Statistic | None = None) -> list[str]:
    """The tiers that wait and can be drawn now, with the table that is loaded or from what is held.

    Args:
        ws: a workspace, open on a project or not.
        statistic: of its plan; None: the one in use.

    >>> drawable(Workspace.fresh()) == Workspace.fresh().waiting()
    True
    """
    of = statistic or ws.statistic
    levels = {p.name: p.budget.level for p in ws.planned_of(of)}
    return [name for name in ws.waiting(of) if not needs_table(ws, levels[name], of)]


def drawable_of_all(ws: Workspace) -> list[str]:
    """The tiers that wait for a number of anything on the plan and can have all that they lack.

    Most private first, by the statistic in use.
    """
    found, waits = [p.name for p in ws.planned()[0]], set[str]()
    for statistic in ws.statistics:
        can, waiting = drawable(ws, statistic), ws.waiting(statistic)
        tiers = ws.planned_of(statistic)
        possible = [p.name for p in tiers if ws.possible(p.budget.level, statistic)]
        done = [name for name in possible if name not in waiting]
        found = [name for name in found if name in (*can, *done)]
        waits |= {*can}
    for draw in [topic.draw(ws) for topic in ws.topics]:
        waiting = ws.waiting_for(draw.asking, draw.tiers)
        found = [name for name in found if not draw.lacks(name)]
        waits |= {name for name in found if {p.name for p in draw.of(name)} & {*waiting}}
    return [name for name in found if name in waits]


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
    ws.state(_asked_again(away.query))
    return True


def _asked_again(query: Any) -> Any:
    """A statistic of another table, of whose rows nobody has said yet that each is one person."""
    if query.bounds.several_rows is not False:
        return query
    return replace(query, bounds=replace(query.bounds, several_rows=None))


def mark_of_absent(table: Table) -> str:
    """The mark of a table that is not loaded.

    >>> mark_of_absent(absent_table("visits.csv", "0f"))
    '0f'
    """
    return table.digest.removeprefix(AWAY)
