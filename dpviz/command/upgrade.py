"""`dpviz upgrade`: give one tier a larger budget, draw its release, and print it."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from dpviz.command.kept import (
    BUDGET,
    FILE,
    JSON,
    NAME,
    PLACE,
    READ_AGAIN,
    REFUSED,
    SOURCE,
    SURE,
    TIER,
    UNREADABLE,
    ending,
    how_read,
    opened,
)
from dpviz.command.release import bring, check_there, say


@click.command()
@NAME
@TIER
@click.option("--budget", metavar="BUDGET", required=True, help=f"the new one: {BUDGET}")
@SURE
@click.option("--table", "table", type=FILE, help="the project's table; not needed once sealed")
@SOURCE
@READ_AGAIN
@how_read
@PLACE
@JSON
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

    with ending(UNREADABLE, as_json):
        ws = opened(name, place)
        bring(ws, table, source, how, again=again)
    with closing(ws), ending(REFUSED, as_json):
        typed = assigned(budget)
        if typed is None:
            raise ParameterError(f"--budget is not a budget. Type {BUDGET}")
        ws.planned_tier(tier)
        check_there(ws, tier, table, source, level=ws.stated(tier, *typed).level)
        ws.upgrade(tier, *typed, sure=sure)
        said = say(ws, tier, as_json)
    click.echo(said, nl=as_json)
