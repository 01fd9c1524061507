"""`dpviz record`: who did what with projects, and when; where people log in, all of it is there."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from dpviz.command.kept import JSON, PLACE, UNREADABLE, ending, in_json, projects_at

if TYPE_CHECKING:
    from dpviz.workspace.projects.acts import Act


@click.command()
@click.option("--project", "name", metavar="NAME", help="only acts on this project; else all")
@PLACE
@JSON
def record(name: str | None, place: str | None, as_json: bool) -> None:
    """Say who did what with the projects of a place, and when, the first act first.

    There is a record where the dashboard asks people to log in. No released number is in it.
    Ends with 0, or with 2 if the place or the project cannot be read.
    """
    with ending(UNREADABLE, as_json):
        acts = projects_at(place).acts(name)
    if as_json:
        click.echo(in_json({"acts": [_facts(act) for act in acts]}))
        return
    for line in lines(acts):
        click.echo(line)


def lines(acts: "list[Act]") -> Iterator[str]:
    """A record, for people: an act on each line.

    Args:
        acts: what was done.
    """
    from dpviz.words import visible

    for act in acts:
        about = [act.project, act.tier, f"session {act.session}" if act.session else ""]
        said = ", ".join(visible(part) for part in about if part)
        when = act.at.strftime("%Y-%m-%d %H:%M:%S")
        yield f"{when}  {visible(act.who)}: {act.what}{f' ({said})' if said else ''}"
    if not acts:
        yield "There is no record here. One begins when the dashboard asks people to log in."


def _facts(act: "Act") -> dict[str, Any]:
    """An act, for programs."""
    return {
        "at": act.at.isoformat(),
        "who": act.who,
        "act": act.what,
        "project": act.project,
        "tier": act.tier,
        "session": act.session,
    }
