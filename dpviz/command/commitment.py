"""`dpviz commitment`: pledge a path, commit to it with all hand-outs, and audit it.

The seed lies in a file that only its owner can read, and is never typed. The library is loaded
within the commands, once it is known what is asked: it takes a second.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpviz.command import kept

if TYPE_CHECKING:
    from dpviz.release.commitment import Seed

FAILED = 1  # what the shell gets
PLAN = click.argument("plan", type=kept.FILE)
TABLE = click.option("--table", type=kept.FILE, required=True, help=kept.FILES)
_ANY_FILE = click.Path(dir_okay=False, path_type=Path)


@click.group()
def commitment() -> None:
    """Commit to a whole path of releases before the first one is handed out."""


@commitment.command()
@PLAN
@TABLE
@click.option("--seed", type=_ANY_FILE, required=True, help="the file of the seed; made if missing")
@kept.how_read
@kept.JSON
def pledge(plan: Path, table: Path, seed: Path, how: Mapping[str, Any], as_json: bool) -> None:
    """Print 64 digits to publish before the beacon is known: they fix everything but the noise.

    Ends with 0, with 1 if the plan is refused, and with 2 if a file cannot be read.
    """
    from dpviz.workspace import committing

    with kept.planned(plan, table, None, how, as_json) as (ws, _):
        digits = committing.pledge(ws, seed=_seed(seed, make=True))
    click.echo(kept.in_json({"pledge": digits}) if as_json else digits)


@commitment.command()
@PLAN
@TABLE
@click.option("--seed", type=_ANY_FILE, required=True, help="the file of the seed; made if missing")
@click.option("--beacon", default="", metavar="TEXT", help="what was drawn in public since")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="the folder to write: COMMITMENT.json, and a zip for each tier",
)
@click.option("--sure", is_flag=True, help="draw budgets, too, that promise next to nothing")
@kept.how_read
@kept.JSON
def make(
    plan: Path,
    table: Path,
    seed: Path,
    beacon: str,
    out: Path,
    sure: bool,
    how: Mapping[str, Any],
    as_json: bool,
) -> None:
    """Draw all tiers of PLAN on one path, and write its commitment and each tier's hand-out.

    Publish COMMITMENT.json first. Then hand each tier its own zip, which shows that its numbers
    were committed to. Asked again with the same seed and beacon it draws the same numbers; with
    another one others, whose losses add.

    Ends with 0, with 1 if it is refused, such as a plan of several statistics or a folder that is
    there already, and with 2 if a file cannot be read.
    """
    from dpviz.data import quoted
    from dpviz.errors import ParameterError
    from dpviz.handout.committed import COMMITMENT
    from dpviz.workspace import committing, packing

    with kept.planned(plan, table, None, how, as_json) as (ws, _):
        if out.exists():
            raise ParameterError(
                f"The folder {quoted(out.name)} is there already. Name another one"
            )
        published = committing.commit(ws, seed=_seed(seed, make=True), beacon=beacon)
        ws.draw(*(planned.name for planned in ws.planned_of(ws.statistic)), sure=sure)
        files = {COMMITMENT: published}
        for name in ws.plan.styles:
            files[packing.folder_name(ws, name)] = packing.hand_out(ws, tier=name)
        out.mkdir(parents=True)
        for name, content in files.items():
            kept.write_new(out / name, content)
        key = packing.fingerprint_of(ws)
    if as_json:
        click.echo(kept.in_json({"files": [str(out / name) for name in files], "key": key}))
        return
    click.echo(f"Publish {out / COMMITMENT} first, with the key {key}. Then hand out:")
    for name in [*files][1:]:
        click.echo(f"    {out / name}")
    click.echo(f"Keep {seed} as the data: it leads from any release to the exact answer.")


@commitment.command()
@click.argument("published", type=kept.FILE)
@click.option("--plan", type=kept.FILE, required=True, help="the plan file")
@TABLE
@click.option("--seed", type=kept.FILE, required=True, help="the file of the seed, from its holder")
@kept.how_read
@kept.JSON
def audit(
    published: Path, plan: Path, table: Path, seed: Path, how: Mapping[str, Any], as_json: bool
) -> None:
    """Draw the whole path of a commitment again, by the table and the seed.

    Ends with 0 if it is the path that was committed to, 1 if it is another one or the commitment
    was changed, and 2 if a file is refused, as it cannot be read.
    """
    from dpviz.errors import DataError, ParameterError
    from dpviz.handout.committed import CommitmentFile, faults, read_committed
    from dpviz.words import capitalised
    from dpviz.workspace import committing

    with kept.ending(kept.UNREADABLE, as_json):
        try:
            said = read_committed(published.read_bytes())
            wrong = list(faults(said))
            if not isinstance(said, CommitmentFile):
                raise DataError("opens one level; name COMMITMENT.json as it was published")
            stated = said.content
        except DataError as error:
            raise ParameterError(f"{published.name} {error}") from None
    with (
        kept.planned(plan, table, None, how, as_json) as (ws, _),
        kept.ending(kept.UNREADABLE, as_json),
    ):
        found = committing.audit(ws, stated, seed=_seed(seed, make=False))
    told = [*(f"{published.name} {what}" for what in wrong), *found]
    if as_json:
        click.echo(kept.in_json({"passed": not told, "findings": told}))
    elif told:
        click.echo("\n".join(f"FAILED  {capitalised(what)}." for what in told))
    else:
        many = len(stated.levels)
        click.echo(f"passed  The path is the one that was committed to, at all {many} levels, and")
        click.echo("        its budgets are those of the plan.")
    sys.exit(FAILED if told else 0)


def _seed(file: Path, *, make: bool) -> "Seed":
    """The seed in a file of 64 digits, which only its owner can read."""
    from dpviz.errors import ParameterError
    from dpviz.release.commitment import Seed

    if make and not file.exists():
        seed = Seed()
        handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(f"{seed.to_bytes().hex()}\n")
        return seed
    try:
        return Seed.from_bytes(bytes.fromhex(file.read_text(encoding="ascii").strip()))
    except (ValueError, ParameterError):
        raise ParameterError(
            f"{file.name} holds no seed, which is 64 digits from 0 to 9 and a to f; name the file "
            "that the pledge or the commitment was made with"
        ) from None
