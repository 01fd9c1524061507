"""`dpviz project`: begin a project with a plan; list, rename and delete projects."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpviz.command import kept
from dpviz.command.status import facts, sentences

if TYPE_CHECKING:
    from dpviz.workspace.projects.contents import Overview


@click.group()
def project() -> None:
    """Work with projects: plans, ledgers and releases that last."""


@project.command()
@click.argument("name")
@click.option("--plan", "plan", type=kept.FILE, required=True, help="a plan file")
@click.option("--table", "table", type=kept.FILE, help=kept.FILES)
@kept.SOURCE
@kept.how_read
@kept.PLACE
@kept.JSON
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

    with kept.ending(kept.UNREADABLE, as_json):
        projects = kept.projects_at(place)
    with kept.planned(plan, table, source, how, as_json) as (ws, found):
        if found.unsaid:
            raise ParameterError(found.unsaid)
        projects.create(name, ws)
        told = facts(name, ws)
    click.echo(kept.in_json(told) if as_json else "\n".join(sentences(told)))


@project.command("list")
@kept.PLACE
@kept.JSON
def listed(place: str | None, as_json: bool) -> None:
    """Say which projects there are, and what each holds; no released number is in it.

    Ends with 0, or with 2 if the place or a project cannot be read.
    """
    from dpviz.words import visible
    from dpviz.workspace.projects.contents import overview, sentences

    with kept.ending(kept.UNREADABLE, as_json):
        projects = kept.projects_at(place)
        found = {}
        for name in projects.names():
            with closing(projects.open(name)) as ws:
                found[name] = overview(ws)
    if as_json:
        click.echo(kept.in_json({"projects": [_facts(name, each) for name, each in found.items()]}))
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
@kept.PLACE
@kept.JSON
def rename(name: str, new: str, place: str | None, as_json: bool) -> None:
    """Give the project NAME the name NEW. Open tabs go on, and hand-outs keep their key.

    Ends with 0, with 1 if it is refused, such as a name that is taken, and with 2 if the place
    cannot be read.
    """
    with kept.ending(kept.UNREADABLE, as_json):
        projects = kept.projects_at(place)
    with kept.ending(kept.REFUSED, as_json):
        projects.rename(name, new)
    click.echo(kept.in_json({"project": new}) if as_json else "Renamed.")


@project.command()
@click.argument("name")
@click.option("--name-again", "again", metavar="NAME", help="the same name, for scripts")
@kept.PLACE
@kept.JSON
def delete(name: str, again: str | None, place: str | None, as_json: bool) -> None:
    """Delete the project NAME: plan, ledger and releases, for good. It asks for the name again.

    Files that were handed out stay out, and nobody counts their privacy loss any more.

    Ends with 0, with 1 if it is refused, such as without the name, and with 2 if the place cannot
    be read.
    """
    from dpviz.data import quoted
    from dpviz.errors import ParameterError

    with kept.ending(kept.UNREADABLE, as_json):
        projects = kept.projects_at(place)
    with kept.ending(kept.REFUSED, as_json):
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
    click.echo(kept.in_json({"deleted": name}) if as_json else "Deleted.")
