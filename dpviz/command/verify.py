"""`dpviz verify`: check what you were handed, by the files alone.

It says what was checked, by which key the files are signed, and what no file can tell. The library
is loaded within the command, once it is known what is asked: it takes a second.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpviz.command.kept import JSON, UNREADABLE, ending, in_json

if TYPE_CHECKING:
    from dpviz.handout.received import Received

FAILED = 1  # what the shell gets
_FEW = 20  # findings of one check that are shown; all of them in JSON
_TOLD = ("statistic", "budget", "noise", "kind", "mode")


@click.command()
@click.argument("pack", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--key",
    metavar="FINGERPRINT",
    help="of the key that must have signed it: from the report, or as the sender told you",
)
@click.option(
    "--commitment",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="that it must belong to: COMMITMENT.json as it was published, or another tier's "
    "OPENING.json, to see that both releases lie on one path",
)
@JSON
def verify(pack: Path, key: str | None, commitment: Path | None, as_json: bool) -> None:
    """Check that the files in PACK are as they were signed.

    PACK is a tier's folder or a whole pack: a zip, packed again or not, or a folder; or a single
    file that was handed out alone: a table (CSV), COMMITMENT.json or OPENING.json.

    Ends with 0 if all checks pass, 1 if one fails, and 2 if PACK, the fingerprint or the
    commitment cannot be read. Nothing is unpacked to the disk.
    """
    from dpviz.handout import verify_folder

    with ending(UNREADABLE, as_json):
        named = None if commitment is None else commitment.read_bytes()
        found = verify_folder(pack, key=key, commitment=named)
    click.echo(in_json(_facts(found)) if as_json else "\n".join(_sentences(found)))
    sys.exit(0 if found.passed else FAILED)


def _facts(found: "Received") -> dict[str, Any]:
    """What was found, for programs."""
    return {
        "passed": found.passed,
        "signed_with": list(found.keys),
        "checks": [
            {
                "check": check.about,
                "passed": not check.findings,
                "findings": [{"where": f.where, "what": f.what} for f in check.findings],
            }
            for check in found.checks
        ],
        "hand_outs": [{"folder": h.folder, **dict(h.facts)} for h in found.handouts],
        "together": [{"folder": p.folder, "promise": list(p.sentences)} for p in found.promises],
        "left_aside": list(found.added),
        "not_checked": list(found.not_checked),
    }


def _sentences(found: "Received") -> Iterator[str]:
    """What was found, for people."""
    from dpviz.words import shorten

    for handout in found.handouts:
        facts = dict(handout.facts)
        what = f"A hand-out for {shorten(facts['tier'], 60)}" if "tier" in facts else "A commitment"
        yield f"{what}, made on {facts['made']}:"
        yield from (f"    {name}: {shorten(facts[name], 200)}" for name in _TOLD if name in facts)
    for promised in found.promises:
        yield f"All of {shorten(promised.folder or 'this folder', 60)} together:"
        yield from (f"    {shorten(sentence, 300)}" for sentence in promised.sentences)
    for check in found.checks:
        yield f"{'FAILED' if check.findings else 'passed'}  {check.about}."
        yield from (f"        {f.where}: {f.what}" for f in check.findings[:_FEW])
        if len(check.findings) > _FEW:
            yield f"        and {len(check.findings) - _FEW:,} more"
    if found.added:
        few = ", ".join(found.added[:3])
        yield f"Left aside, as computers add such files by themselves, and they are empty: {few}"
    yield from (f"Signed with the key {key}" for key in found.keys)
    yield "No file can tell:"
    yield from (f"  - {sentence}" for sentence in found.not_checked)
    failed = sum(bool(check.findings) for check in found.checks)
    yield (
        f"{failed} of {len(found.checks)} checks failed: do not rely on these files."
        if failed
        else "All checks passed: the files are as the holder of this key signed them."
    )
