"""`dpviz pack`: the hand-out of one tier of a project as a zip."""

from contextlib import closing
from pathlib import Path

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
    out_option,
    write_new,
)


@click.command()
@NAME
@TIER
@out_option("the zip to write")
@PLACE
@JSON
def pack(name: str, tier: str, out: Path, place: str | None, as_json: bool) -> None:
    """Write all releases that one tier holds, and no other tier's, as the page packs them.

    Nothing is drawn.

    Ends with 0, with 1 if there is no release or the file cannot be written, and with 2 if the
    project cannot be read.
    """
    from dpviz.words import visible
    from dpviz.workspace.packing import hand_out

    with ending(UNREADABLE, as_json):
        ws = opened(name, place)
    with closing(ws), ending(REFUSED, as_json):
        content = hand_out(ws, tier=tier)
        write_new(out, content)
    done = f"Wrote the pack of {visible(tier)} to {out}."
    click.echo(in_json({"project": name, "tier": tier, "file": str(out)}) if as_json else done)
