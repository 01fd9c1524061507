"""`dpviz release`: draw the release of one tier, once, and print it."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpviz.command.kept import (
    ENCODING,
    FILE,
    JSON,
    NAME,
    PLACE,
    REFUSED,
    SHEET,
    SOURCE,
    SURE,
    TIER,
    UNREADABLE,
    ending,
    loaded,
    loading_of,
    opened,
)

if TYPE_CHECKING:
    from dpviz.data import Table
    from dpviz.workspace import Workspace


@click.command()
@NAME
@TIER
@click.option("--table", "table", type=FILE, help="the project's table; not needed once it is held")
@SOURCE
@click.option(
    "--read-again",
    "again",
    is_flag=True,
    help="release from a table that has changed, or from another file such as the next month’s, "
    "in a session whose loss adds",
)
@ENCODING
@SHEET
@SURE
@PLACE
@JSON
def release(
    name: str,
    tier: str,
    table: Path | None,
    source: str | None,
    again: bool,
    encoding: str | None,
    sheet: str | None,
    sure: bool,
    place: str | None,
    as_json: bool,
) -> None:
    """Print the numbers of one tier, and of no other: the file that the page gives, as CSV.

    They are drawn once and written into the project before they are printed: asking again prints
    the same.

    Ends with 0, with 1 if the release is refused, such as beyond a limit or without the project's
    table, and with 2 if the project or the table cannot be read.
    """
    with ending(UNREADABLE, as_json):
        ws = opened(name, place)
        if table is not None or source is not None:
            rows = loaded(table, source, encoding=encoding, sheet=sheet)
            bring(ws, rows, source, again=again)
    with closing(ws), ending(REFUSED, as_json):
        named = table.name if table else source
        check_there(
            ws,
            tier,
            ws.planned_tier(tier).budget.level,
            named,
            stays=table is None and source is not None,
        )
        ws.draw(tier, sure=sure)
        said = say(ws, tier, as_json)
    click.echo(said, nl=as_json)


def say(ws: "Workspace", tier: str, as_json: bool) -> bytes:
    """The release that a tier holds at the budget that is planned for it, as CSV or JSON.

    Args:
        ws: a workspace in which it was drawn.
        tier: its name.
        as_json: which of the two.
    """
    from dpviz.handout import reader_csv, tier_json
    from dpviz.handout.post_processing import PROCESSINGS
    from dpviz.workspace.packing import release_of

    level = ws.planned_tier(tier).budget.level
    entry = next(e for e in ws.entries_of(ws.round) if (e.tier, e.level) == (tier, level))
    found = release_of(ws, entry, PROCESSINGS["released"])
    return tier_json(found, found.drawn) if as_json else reader_csv(found)


def bring(ws: "Workspace", table: "Table", source: str | None, *, again: bool) -> None:
    """Give a project its table, another file, or another reading of one that stays where it is.

    Args:
        ws: a workspace that is open on a project.
        table: what was named, as it was read.
        source: its name, if it stays where it is.
        again: whether to release from it even if it is another one than the statistic in use has:
            in another session, or in the one that it had before.

    Raises:
        ParameterError: if it lacks columns of the project's statistic.
    """
    from dpviz.errors import ParameterError
    from dpviz.workspace.projects.absent import bring_another, is_absent, waits_for

    loading, fits = loading_of(table, source), True
    if source is None or waits_for(ws, table) or not is_absent(ws.statistic.table):
        ws.bring(table, loading)
    if is_absent(ws.statistic.table) and (again or (source is not None and not ws.ledger)):
        fits = bring_another(ws, table, loading)
    if not fits:
        raise ParameterError("The table lacks columns of the statistic. Name another one")


def check_there(
    ws: "Workspace", tier: str, level: float, table: str | None, *, stays: bool = False
) -> None:
    """Refuse what needs a table that was not named.

    Args:
        ws: a workspace that is open on a project.
        tier: whose release is asked for.
        level: of its noise.
        table: the name of what was named.
        stays: whether it stays where it is.

    Raises:
        ParameterError: if there is no such tier, or its release needs the project's own table.
    """
    from dpviz.data import quoted
    from dpviz.errors import ParameterError
    from dpviz.workspace.projects.absent import needs_table

    needed = ws.statistic.table
    if not needs_table(ws, level):
        return
    if stays:
        raise ParameterError(
            f"{quoted(str(table))} is another reading of the table than {quoted(needed.name)} of "
            "this project. Add --read-again to release from it in another session, whose loss adds"
        )
    if table is None:
        raise ParameterError(
            f"{tier} has not been released, and its numbers are drawn from {quoted(needed.name)}. "
            "Name that file with --table, or a table that stays where it is with --source"
        )
    raise ParameterError(
        f"{quoted(table)} is not the file that this project was made with, "
        f"{quoted(needed.name)}, or the file table.key is missing beside the projects. Name that "
        "file with --table, or release from this one with dpviz release --read-again: another "
        "session, whose loss adds"
    )
