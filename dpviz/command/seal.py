"""`dpviz seal`: let no tier of a project get a sharper release than one that is held."""

from contextlib import closing

import click

from dpviz.command.kept import (
    JSON,
    NAME,
    PLACE,
    REFUSED,
    TIER,
    UNREADABLE,
    ending,
    in_json,
    opened,
)


@click.command()
@NAME
@TIER
@PLACE
@JSON
def seal(name: str, tier: str, place: str | None, as_json: bool) -> None:
    """Seal the session of a project at the release that one tier holds.

    From then on the project needs no table: every other tier is drawn from what is held. Nothing
    is drawn now, and a seal is not taken back.

    Ends with 0, with 1 if the seal is refused, such as one at a tier that has no release or that is
    not the sharpest, and with 2 if the project cannot be read.
    """
    from dpviz.errors import ParameterError
    from dpviz.words import visible

    with ending(UNREADABLE, as_json):
        ws = opened(name, place)
    with closing(ws), ending(REFUSED, as_json):
        cap = ws.cap(tier)
        if cap.values is None:
            raise ParameterError(f"{visible(tier)} has no release to seal at. Release it first")
        if ws.round is None or ws.round.mechanism.sealed_at != cap.level:
            ws.seal(cap)
    done = f"Sealed at {visible(tier)}: no tier can get a sharper release, and no table is needed."
    click.echo(in_json({"project": name, "sealed_at": tier}) if as_json else done)
