"""`dpviz seal`, `start-over`, `limit` and `record`: acts on a project that draw nothing."""

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from dpviz.command import kept

if TYPE_CHECKING:
    from dpviz.workspace.projects.acts import Act


@click.command()
@kept.NAME
@kept.TIER
@kept.PLACE
@kept.JSON
def seal(name: str, tier: str, place: str | None, as_json: bool) -> None:
    """Seal the session of a project at the release that one tier holds.

    From then on the project needs no table: every other tier is drawn from what is held. Nothing
    is drawn now, and a seal is not taken back.

    Ends with 0, with 1 if the seal is refused, such as one at a tier that has no release or that is
    not the sharpest, and with 2 if the project cannot be read.
    """
    from dpviz.errors import ParameterError
    from dpviz.words import visible

    with kept.ending(kept.UNREADABLE, as_json):
        ws = kept.opened(name, place)
    with closing(ws), kept.ending(kept.REFUSED, as_json):
        cap = ws.cap(tier)
        if cap.values is None:
            raise ParameterError(f"{visible(tier)} has no release to seal at. Release it first")
        if ws.round is None or ws.round.mechanism.sealed_at != cap.level:
            ws.seal(cap)
    done = f"Sealed at {visible(tier)}: no tier can get a sharper release, and no table is needed."
    click.echo(kept.in_json({"project": name, "sealed_at": tier}) if as_json else done)


@click.command("start-over")
@kept.NAME
@click.option("--loss-adds", is_flag=True, help="yes: the losses of both sessions add up")
@kept.PLACE
@kept.JSON
def start_over(name: str, loss_adds: bool, place: str | None, as_json: bool) -> None:
    """Close the session of a project: the next release begins another one, with new noise.

    What was released stays released, and the privacy losses of both sessions add up. So it is done
    only with --loss-adds. Nothing is drawn now.

    Ends with 0, with 1 if it is refused, such as without --loss-adds or before the first release,
    and with 2 if the project cannot be read.
    """
    from dpviz.errors import ParameterError

    with kept.ending(kept.UNREADABLE, as_json):
        ws = kept.opened(name, place)
    with closing(ws), kept.ending(kept.REFUSED, as_json):
        if ws.round is None:
            raise ParameterError(
                "There is nothing to start over: no number has been drawn. Draw one with "
                "dpviz release"
            )
        if not loss_adds:
            raise ParameterError(
                "The privacy losses of the session and of the next one add up, so nothing was "
                "done. Type --loss-adds if that is meant"
            )
        number = ws.round.number
        ws.start_over()
    done = f"Closed session {number}: the next release begins another one, whose loss adds."
    click.echo(kept.in_json({"project": name, "closed": number}) if as_json else done)


@click.command()
@kept.NAME
@click.option(
    "--set",
    "text",
    metavar="LIMIT",
    help="rho=0.5, or epsilon=2, or epsilon=2,delta=1e-6; or a plan file: what it registers may be "
    "released, each once, and nothing else",
)
@click.option("--lift", is_flag=True, help="take the limit away")
@kept.PLACE
@kept.JSON
def limit(name: str, text: str | None, lift: bool, place: str | None, as_json: bool) -> None:
    """Say the limit of a project, set it, or lift it; a release that would exceed it is refused.

    Ends with 0, with 1 if the limit is refused, such as one below what is spent, and with 2 if the
    project cannot be read.
    """
    from dpviz.errors import ParameterError
    from dpviz.workspace.plan_limits import limit_in

    with kept.ending(kept.UNREADABLE, as_json):
        ws = kept.opened(name, place)
    with closing(ws), kept.ending(kept.REFUSED, as_json):
        if lift and text:
            raise ParameterError("Type either --set or --lift, not both")
        if lift or text:
            ws.use_limit(limit_in(text))
        most = ws.limit
        spent = ws.said_of_limit(None) or "No limit is set."
    told = {"project": name, "limit": None if most is None else most.words, "words": spent}
    click.echo(kept.in_json(told) if as_json else spent)


@click.command()
@click.option("--project", "name", metavar="NAME", help="only acts on this project; else all")
@kept.PLACE
@kept.JSON
def record(name: str | None, place: str | None, as_json: bool) -> None:
    """Say who did what with the projects of a place, and when, the first act first.

    There is a record where the dashboard asks people to log in. No released number is in it.
    Ends with 0, or with 2 if the place or the project cannot be read.
    """
    with kept.ending(kept.UNREADABLE, as_json):
        acts = kept.projects_at(place).acts(name)
    if as_json:
        click.echo(kept.in_json({"acts": [_facts(act) for act in acts]}))
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
