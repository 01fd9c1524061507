"""`dpviz project new`: keep a plan and what will be released by it under a name."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpviz.command.kept import (
    ENCODING,
    FILE,
    JSON,
    PLACE,
    REFUSED,
    SHEET,
    UNREADABLE,
    ending,
    in_json,
    projects_at,
)
from dpviz.command.status import facts, sentences

if TYPE_CHECKING:
    from dpviz.workspace.plan_file import PlanFile


@click.group()
def project() -> None:
    """Work with projects: plans, ledgers and releases that last."""


@project.command()
@click.argument("name")
@click.option("--plan", "plan", type=FILE, required=True, help="a plan file")
@click.option("--table", "table", type=FILE, required=True, help="a CSV, Excel or Parquet file")
@ENCODING
@SHEET
@PLACE
@JSON
def new(
    name: str,
    plan: Path,
    table: Path,
    encoding: str | None,
    sheet: str | None,
    place: str | None,
    as_json: bool,
) -> None:
    """Begin the project NAME with a plan for a table, in hardened mode.

    Nothing is drawn, and the table is not kept: name it again when you release.

    Ends with 0 if the project is made, 1 if it is refused, such as a plan that does not fit the
    table, and 2 if the plan, the table or the place cannot be read.
    """
    from dpviz.workspace import Workspace
    from dpviz.workspace.plan_file import opened, use
    from dpviz.workspace.plan_file.reading import MAX_BYTES

    with ending(UNREADABLE, as_json):
        with plan.open("rb") as stream:
            found = opened(stream.read(MAX_BYTES + 1))
        projects, ws = projects_at(place), Workspace.load(table, encoding=encoding, sheet=sheet)
    with closing(ws), ending(REFUSED, as_json):
        use(ws, _hardened(found))
        projects.create(name, ws)
        told = facts(name, ws)
    click.echo(in_json(told) if as_json else "\n".join(sentences(told)))


def _hardened(plan: "PlanFile") -> "PlanFile":
    """The plan in hardened mode.

    Raises:
        ParameterError: if its noise is for practice only.
    """
    from dpviz.errors import ParameterError
    from dpviz.noise import ADDITIVE
    from dpviz.workspace.sessions import families_in

    if plan.family_name not in families_in("hardened"):
        raise ParameterError(
            f"The plan has {ADDITIVE[plan.family_name].label} noise, which is for practice only; a "
            "project is in hardened mode. Open the plan on the page Tiers, choose hardened mode "
            "and a noise that it offers, and save the plan again"
        )
    return replace(plan, mode="hardened")
