"""`dpviz limit`: the most that everything released in a project may cost together."""

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


@click.command()
@NAME
@click.option(
    "--set", "text", metavar="LOSS", help="rho=0.5, or epsilon=2, or epsilon=2,delta=1e-6"
)
@click.option("--lift", is_flag=True, help="take the limit away")
@PLACE
@JSON
def limit(name: str, text: str | None, lift: bool, place: str | None, as_json: bool) -> None:
    """Say the limit of a project, set it, or lift it; a release that would exceed it is refused.

    Ends with 0, with 1 if the limit is refused, such as one below what is spent, and with 2 if the
    project cannot be read.
    """
    from dpviz.errors import ParameterError
    from dpviz.workspace.limits import limit_words, owner_limit

    with ending(UNREADABLE, as_json):
        ws = opened(name, place)
    with closing(ws), ending(REFUSED, as_json):
        if lift and text:
            raise ParameterError("Type either --set or --lift, not both")
        if lift or text:
            ws.use_limit(owner_limit(text))
        most = ws.limit
        spent = "No limit is set." if most is None else limit_words(most, ws.made(most))
    told = {"project": name, "limit": None if most is None else most.words, "words": spent}
    click.echo(in_json(told) if as_json else spent)
