"""`dpviz start-over`: let a project draw fresh noise on the same data, in a session of its own."""

from contextlib import closing

import click

from dpviz.command.kept import (
    JSON,
    NAME,
    PLACE,
    REFUSED,
    UNREADABLE,
    ending,
    in_json,
    opened,
)


@click.command("start-over")
@NAME
@click.option("--loss-adds", is_flag=True, help="yes: the losses of both sessions add up")
@PLACE
@JSON
def start_over(name: str, loss_adds: bool, place: str | None, as_json: bool) -> None:
    """Close the session of a project: the next release begins another one, with fresh noise.

    What was released stays released, and the privacy losses of both sessions add up. So it is done
    only with --loss-adds. Nothing is drawn now.

    Ends with 0, with 1 if it is refused, such as without --loss-adds or before the first release,
    and with 2 if the project cannot be read.
    """
    from dpviz.errors import ParameterError

    with ending(UNREADABLE, as_json):
        ws = opened(name, place)
    with closing(ws), ending(REFUSED, as_json):
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
    click.echo(in_json({"project": name, "closed": number}) if as_json else done)
