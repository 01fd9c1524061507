"""`dpviz project`: begin a project with a plan; list, rename and delete projects."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpviz.command.kept import (
    FILE,
    FILES,
    JSON,
    PLACE,
    REFUSED,
    SOURCE,
    UNREADABLE,
    as_before,
    ending,
    how_read,
    in_json,
    loaded,
    loading_of,
    projects_at,
)
from dpviz.command.status import facts, sentences

if TYPE_CHECKING:
    from dpviz.workspace.plan_file import PlanFile
    from dpviz.workspace.projects.overview import Overview


@click.group()
def project() -> None:
    """Work with projects: plans, ledgers and releases that last."""


@project.command()
@click.argument("name")
@click.option("--plan", "plan", type=FILE, required=True, help="a plan file")
@click.option("--table", "table", type=FILE, help=FILES)
@SOURCE
@how_read
@PLACE
@JSON
def new(
    name: str,
    plan: Path,
    table: Path | None,
    source: str | None,
    how: Mapping[str, Any],
    place: str | None,
    as_json: bool,
) -> None:
    """Begin the project NAME with a plan for a table, in hardened mode.

    Nothing is drawn, and the table is not kept: name it again when you release.

    Ends with 0 if the project is made, 1 if it is refused, such as a plan that does not fit the
    table, and 2 if the plan, the table or the place cannot be read.
    """
    from dpviz.errors import ParameterError
    from dpviz.queries import Count, Everybody
    from dpviz.workspace import Workspace
    from dpviz.workspace.plan_file import MAX_BYTES, opened, use
    from dpviz.workspace.sessions import Statistic

    with ending(UNREADABLE, as_json):
        with plan.open("rb") as stream:
            found = opened(stream.read(MAX_BYTES + 1))
        projects = projects_at(place)
        rows = loaded(table, source, {**as_before(table, found.table, found.how), **how})
        ws = Workspace.around(Statistic(rows, Count(Everybody()), loading_of(rows, source)))
    with closing(ws), ending(REFUSED, as_json):
        use(ws, as_hardened(found))
        if found.unsaid:
            raise ParameterError(found.unsaid)
        projects.create(name, ws)
        told = facts(name, ws)
    click.echo(in_json(told) if as_json else "\n".join(sentences(told)))


@project.command("list")
@PLACE
@JSON
def listed(place: str | None, as_json: bool) -> None:
    """Say which projects there are, and what each holds; no released number is in it.

    Ends with 0, or with 2 if the place or a project cannot be read.
    """
    from dpviz.words import visible
    from dpviz.workspace.projects.overview import overview, sentences

    with ending(UNREADABLE, as_json):
        projects = projects_at(place)
        found = {}
        for name in projects.names():
            with closing(projects.open(name)) as ws:
                found[name] = overview(ws)
    if as_json:
        click.echo(in_json({"projects": [_facts(name, each) for name, each in found.items()]}))
        return
    for name, each in found.items():
        click.echo("\n  ".join([visible(name), *sentences(each)]))
    if not found:
        click.echo("There is no project here yet. Begin one with dpviz project new.")


def _facts(name: str, found: "Overview") -> dict[str, Any]:
    """An overview, for programs."""
    return {
        "project": name,
        "statistic": found.statistic,
        "table": found.table,
        "released": list(found.released),
        "sessions": found.sessions,
        "sealed": found.sealed,
        "used": found.used.isoformat() if found.used else None,
        "losses": [{"unit": unit, **asdict(loss)} for unit, loss in found.losses.items()],
    }


@project.command()
@click.argument("name")
@click.argument("new")
@PLACE
@JSON
def rename(name: str, new: str, place: str | None, as_json: bool) -> None:
    """Give the project NAME the name NEW. Open tabs go on, and hand-outs keep their key.

    Ends with 0, with 1 if it is refused, such as a name that is taken, and with 2 if the place
    cannot be read.
    """
    with ending(UNREADABLE, as_json):
        projects = projects_at(place)
    with ending(REFUSED, as_json):
        projects.rename(name, new)
    click.echo(in_json({"project": new}) if as_json else "Renamed.")


@project.command()
@click.argument("name")
@click.option("--name-again", "again", metavar="NAME", help="the same name, for scripts")
@PLACE
@JSON
def delete(name: str, again: str | None, place: str | None, as_json: bool) -> None:
    """Delete the project NAME: plan, ledger and releases, for good. It asks for the name again.

    Files that were handed out stay out, and nobody counts their privacy loss any more.

    Ends with 0, with 1 if it is refused, such as without the name, and with 2 if the place cannot
    be read.
    """
    from dpviz.data import quoted
    from dpviz.errors import ParameterError

    with ending(UNREADABLE, as_json):
        projects = projects_at(place)
    with ending(REFUSED, as_json):
        if again is None and not as_json:
            asked = f"To delete {quoted(name)} for good, type its name"
            again = click.prompt(asked, default="", show_default=False)
        again = again or ""
        if again.strip() != name.strip():
            raise ParameterError(
                f"Nothing was deleted: {quoted(again.strip())} is not {quoted(name)}. Type the "
                "name of the project"
            )
        projects.delete(name)
    click.echo(in_json({"deleted": name}) if as_json else "Deleted.")


def as_hardened(plan: "PlanFile") -> "PlanFile":
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
