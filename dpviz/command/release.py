"""`dpviz release`, `upgrade` and `pack`: draw for one tier, and hand out what it holds.

A release is drawn once and printed; an upgrade gives the tier a larger budget first; a pack is a
zip of all that one tier holds, and draws nothing.
"""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpviz.command import kept

if TYPE_CHECKING:
    from dpviz.workspace import Workspace
    from dpviz.workspace.sessions import Statistic


@click.command()
@kept.NAME
@kept.TIER
@click.option(
    "--table", "table", type=kept.FILE, help="the project's table; not needed once it is held"
)
@kept.SOURCE
@kept.READ_AGAIN
@kept.how_read
@click.option(
    "--statistic",
    "called",
    metavar="NAME",
    help="of a plan of several: its name or its number; by default the one in use",
)
@click.option("--all", "every", is_flag=True, help="draw every statistic of the plan")
@kept.SURE
@kept.PLACE
@kept.JSON
def release(
    name: str,
    tier: str,
    table: Path | None,
    source: str | None,
    again: bool,
    how: Mapping[str, Any],
    called: str | None,
    every: bool,
    sure: bool,
    place: str | None,
    as_json: bool,
) -> None:
    """Print the numbers of one tier, and of no other: the file that the page gives, as CSV.

    They are drawn once and written into the project before they are printed: asking again prints
    the same. Of a plan of several statistics they are those of the one in use, or of one that is
    named, or with --all of each, one file after the other; as JSON they are then a list. Before
    the first draw it is said, beside the numbers, if nobody has checked whether the groups of the
    plan are in the table.

    Ends with 0, with 1 if the release is refused, such as beyond a limit or without the project's
    table, and with 2 if the project or the table cannot be read.
    """
    with kept.ending(kept.UNREADABLE, as_json):
        ws = kept.opened(name, place)
        bring(ws, table, source, how, again=again)
    with closing(ws), kept.ending(kept.REFUSED, as_json):
        chosen = [ws.find_statistic(called) if called else ws.statistic]
        for one in ws.statistics if every else chosen:
            check_there(ws, tier, table, source, statistic=one)
            warn_unchecked(ws, one)
        if every:
            ws.draw_all(tier, sure=sure)
            each = [say(ws, tier, as_json, statistic=one) for one in ws.statistics]
            said = b"[" + b",\n".join(each) + b"]" if as_json else b"\n".join(each)
        else:
            ws.draw(tier, sure=sure, statistic=chosen[0])
            said = say(ws, tier, as_json, statistic=chosen[0])
    click.echo(said, nl=as_json)


def warn_unchecked(ws: "Workspace", about: "Statistic") -> None:
    """Say before the first draw what nobody has checked, on the error stream: no exact number.

    Args:
        ws: a workspace that is open on a project, with its table.
        about: the statistic.
    """
    from dpviz.workspace.projects.absent import is_absent
    from dpviz.workspace.reading_check import is_checked, is_needed, said_total, said_unchecked

    if ws.round_of(about) is not None or ws.sample is not None or is_absent(about.table):
        return
    unchecked = is_needed(ws, about) and not is_checked(ws, about)
    said = said_unchecked(about.query, about.table) if unchecked else []
    for remark in [*said, *said_total(about.table)]:
        click.echo(remark.text, err=True)


def say(
    ws: "Workspace", tier: str, as_json: bool, *, statistic: "Statistic | None" = None
) -> bytes:
    """The release that a tier holds at the budget that is planned for it, as CSV or JSON.

    Args:
        ws: a workspace in which it was drawn.
        tier: its name.
        as_json: which of the two.
        statistic: of the plan; None: the one in use.
    """
    from dpviz.handout import reader_csv, tier_json
    from dpviz.handout.post_processing import PROCESSINGS
    from dpviz.workspace.packing import release_of

    level = ws.planned_tier(tier, statistic).budget.level
    entries = ws.entries_of(ws.round_of(statistic or ws.statistic))
    entry = next(e for e in entries if (e.tier, e.level) == (tier, level))
    found = release_of(ws, entry, PROCESSINGS["released"])
    return tier_json(found, found.drawn) if as_json else reader_csv(found)


def bring(
    ws: "Workspace", table: Path | None, source: str | None, how: Mapping[str, Any], *, again: bool
) -> None:
    """Give a project its table, another file, or another reading of one that stays where it is.

    Args:
        ws: a workspace that is open on a project.
        table: the file that was named; None for no file.
        source: the name of a table that stays where it is, if that was named.
        how: how the file is read, where somebody typed that.
        again: whether to draw from it even if it is another one than the statistic in use has: in
            another session, or in the one that it had before.

    Raises:
        ParameterError: if both were named, it cannot be read, or it lacks columns of the project's
            statistic.
    """
    from dpviz.errors import ParameterError
    from dpviz.workspace.projects.absent import bring_another, is_absent, waits_for

    if table is None and source is None:
        return
    before = ws.statistic.table
    rows = kept.loaded(table, source, kept.as_before(table, before.name, before.file.how, how))
    loading, fits = kept.loading_of(rows, source), True
    if source is None or waits_for(ws, rows) or not is_absent(ws.statistic.table):
        ws.bring(rows, loading)
    if is_absent(ws.statistic.table) and (again or (source is not None and not ws.ledger)):
        fits = bring_another(ws, rows, loading)
    if not fits:
        raise ParameterError("The table lacks columns of the statistic. Name another one")


def check_there(
    ws: "Workspace",
    tier: str,
    table: Path | None,
    source: str | None,
    *,
    level: float | None = None,
    statistic: "Statistic | None" = None,
) -> None:
    """Refuse what needs a table that was not named, and a draw beside another table's name.

    Args:
        ws: a workspace that is open on a project.
        tier: whose release is asked for.
        table: the file that was named.
        source: the name of a table that stays where it is, if that was named.
        level: of its noise, if it is not the planned one.
        statistic: of the plan; None: the one in use.

    Raises:
        ParameterError: if its release needs the project's own table, or if another one was named:
            a person who names a table means its numbers.
    """
    from dpviz.data import quoted
    from dpviz.errors import ParameterError
    from dpviz.workspace.projects.absent import is_absent, needs_table

    of = statistic or ws.statistic
    level = ws.planned_tier(tier, of).budget.level if level is None else level
    needed, one = of.table, ws.round_of(of)
    drawn = one is not None and level in one.mechanism.levels
    other_named = (table is not None or source is not None) and is_absent(needed) and not drawn
    if not needs_table(ws, level, of) and not other_named:
        return
    if source is not None:
        raise ParameterError(
            f"{quoted(source)} is another reading of the table than {quoted(needed.name)} of "
            "this project. Add --read-again to draw from it in another session, whose loss adds"
        )
    if table is None:
        raise ParameterError(
            f"{tier} has not been released, and its numbers are drawn from {quoted(needed.name)}. "
            "Name that file with --table, or a table that stays where it is with --source"
        )
    if not is_absent(ws.table) and ws.keeper.has_rows(ws.table):
        raise ParameterError(
            f"{quoted(table.name)} has the same rows as {quoted(needed.name)}, in another order or "
            "written otherwise. Name that file with --table, or add --read-again to draw from this "
            "one: another session, whose loss adds"
        )
    raise ParameterError(
        f"{quoted(table.name)} is not the file that this project was made with, "
        f"{quoted(needed.name)}, or the file table.key is missing beside the projects. Name that "
        "file with --table, or add --read-again to draw from this one: another "
        "session, whose loss adds"
    )


@click.command()
@kept.NAME
@kept.TIER
@click.option("--budget", metavar="BUDGET", required=True, help=f"the new one: {kept.BUDGET}")
@kept.SURE
@click.option(
    "--table", "table", type=kept.FILE, help="the project's table; not needed once sealed"
)
@kept.SOURCE
@kept.READ_AGAIN
@kept.how_read
@kept.PLACE
@kept.JSON
def upgrade(
    name: str,
    tier: str,
    budget: str,
    sure: bool,
    table: Path | None,
    source: str | None,
    again: bool,
    how: Mapping[str, Any],
    place: str | None,
    as_json: bool,
) -> None:
    """Give one tier a larger budget, and print its new release as `dpviz release` does.

    The tier keeps what it has, and the other tiers' numbers stay as they are.

    Ends with 0, with 1 if it is refused, such as a budget that is no larger than the tier has, and
    with 2 if the project or the table cannot be read.
    """
    from dpviz.errors import ParameterError
    from dpviz.workspace.limits import assigned

    with kept.ending(kept.UNREADABLE, as_json):
        ws = kept.opened(name, place)
        bring(ws, table, source, how, again=again)
    with closing(ws), kept.ending(kept.REFUSED, as_json):
        typed = assigned(budget)
        if typed is None:
            raise ParameterError(f"--budget is not a budget. Type {kept.BUDGET}")
        ws.planned_tier(tier)
        check_there(ws, tier, table, source, level=ws.stated(tier, *typed).level)
        ws.upgrade(tier, *typed, sure=sure)
        said = say(ws, tier, as_json)
    click.echo(said, nl=as_json)


@click.command()
@kept.NAME
@kept.TIER
@kept.out_option("the zip to write")
@kept.PLACE
@kept.JSON
def pack(name: str, tier: str, out: Path, place: str | None, as_json: bool) -> None:
    """Write all releases that one tier holds, and no other tier's, as the page packs them.

    Nothing is drawn.

    Ends with 0, with 1 if there is no release or the file cannot be written, and with 2 if the
    project cannot be read.
    """
    from dpviz.words import visible
    from dpviz.workspace.packing import hand_out

    with kept.ending(kept.UNREADABLE, as_json):
        ws = kept.opened(name, place)
    with closing(ws), kept.ending(kept.REFUSED, as_json):
        content = hand_out(ws, tier=tier)
        kept.write_new(out, content)
    done = f"Wrote the pack of {visible(tier)} to {out}."
    click.echo(kept.in_json({"project": name, "tier": tier, "file": str(out)}) if as_json else done)
