"""What all releases of one tier tell together, in the sentences of its README.

Losses are those that the ledger says on this day, at the plan's δ: of the releases in the folder,
of earlier budgets and closed sessions, too, and of everything that was released of their unit of
privacy. Nothing is said of a statistic or a unit of which the tier has no release.
"""

from collections.abc import Iterator, Sequence

from dpviz.accounting import joint_loss
from dpviz.release import LedgerEntry
from dpviz.words import capitalised
from dpviz.workspace import account
from dpviz.workspace.account import OfUnit
from dpviz.workspace.guesses import ALL, COIN, right_in_all
from dpviz.workspace.promises import groups_words
from dpviz.workspace.takeaways import loss_words
from dpviz.workspace.workspace import Workspace

PRACTICE = "In practice mode nothing is promised. Drawn in hardened mode, they would promise this:"
APART = "Losses of different units of privacy say nothing about each other, and are never added."


def joint_promise(ws: Workspace, drawn: Sequence[LedgerEntry]) -> list[str]:
    r"""What a tier learns by all of these releases, and what all tiers do who compare notes.

    Args:
        ws: the workspace.
        drawn: the releases of one tier, all of practice or all hardened.

    >>> from dpviz.queries import Count, Everybody
    >>> ws = Workspace.fresh()
    >>> ws.draw("public", "audit")
    >>> ws.state(Count(Everybody()))
    >>> ws.draw("public")
    >>> said = joint_promise(ws, [e for e in ws.ledger if e.tier == "public"])
    >>> said[2].replace("\xa0", " ")[:45]
    'Privacy loss of this folder in all: ρ = 0.2. '
    """
    trial = ws.session_of(drawn[0]).mode == "teaching"
    units = account.of_releases(ws, drawn)
    said = [PRACTICE] if trial else []
    for of in units:
        said += [f"Where {of.unit}:", *_losses(of), *_without(ws, of, trial)]
    if not units:  # typed numbers alone: nobody has said who is protected
        alone = joint_loss(account.events(ws, drawn), delta=ws.delta)
        said.append(f"Privacy loss of this folder in all: {loss_words(alone)}.")
    columns = [*dict.fromkeys(column for e in drawn for column in e.known.read_off)]
    if columns:
        listed = capitalised(groups_words(columns))
        said.append(f"{listed} was read off the data: no promise covers that.")
    return [*said, *([APART] if len(units) > 1 else [])]


def _losses(of: OfUnit) -> Iterator[str]:
    """Both losses of one unit, with the guesses that they allow."""
    mine, every = (right_in_all(loss).said for loss in (of.mine, of.everybody))
    yield (
        f"Privacy loss of this folder in all: {loss_words(of.mine)}. Of {ALL:,} guesses about one "
        f"{of.one}, {mine} are right (a coin: {COIN})."
    )
    yield (
        "Privacy loss of all tiers who compare notes, by everything released so far: "
        f"{loss_words(of.everybody)}, {every} right guesses. From each session (numbers drawn from "
        "one another) they learn no more than its least private tier could alone, and sessions "
        "compose."
    )


def _without(ws: Workspace, of: OfUnit, trial: bool) -> Iterator[str]:
    """That some of what everybody has carries no guarantee; not whose it is, nor of what."""
    if not trial and any(ws.session_of(e).mode == "teaching" for e in of.entries):
        yield "Some of all that was released is for practice, and carries no guarantee."
    if any(e.known.read_off for e in of.entries):
        yield (
            "Some of all that was released has groups that were read off the data, and carries no "
            "guarantee."
        )
