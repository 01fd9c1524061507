"""What the page Releases says beside its pictures and buttons."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dpviz.noise.family import Family
from dpviz.queries import Query
from dpviz.words import capitalised, join, percent
from dpviz.words.markdown import literal
from dpviz.workspace.held import HeldTier
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace


def all_drawn(count: int) -> str:
    """That all of these tiers have their releases.

    >>> all_drawn(4), all_drawn(2), all_drawn(1)
    ('All four drawn', 'Both drawn', 'Drawn')
    """
    return {1: "Drawn", 2: "Both drawn"}.get(count, f"All {counted(count)} drawn")


def same_numbers(held: Sequence[HeldTier], family: Family, query: Query) -> str:
    """Why a tier has the same numbers as a sharper one, if it has.

    Args:
        held: the releases, most private first.
        family: their noise.
        query: what was released.
    """
    pairs = [(_equal(*pair, family, query), *pair) for pair in pairwise(held)]
    if not any(count for count, _, _ in pairs):
        return ""
    count, noisy, sharp = max(pairs, key=lambda pair: pair[0])
    groups = len(query.labels)
    where = f" in {count:,} of {groups:,} groups" if groups > 1 else ""
    often = "sometimes"
    if family.lazy and query.per_value == 1:
        often = f"in {percent(family.weights(sharp.level, noisy.level, None)[0])} of cases"
    return (
        f"{literal(capitalised(noisy.name))} has the same number as {literal(sharp.name)}{where}. "
        f"That is no mistake: with {literal(family.label)} noise, what is added to a sharper "
        f"number to make a noisier one is {often} exactly 0."
    )


def _equal(noisy: HeldTier, sharp: HeldTier, family: Family, query: Query) -> int:
    """In how many groups two tiers have the same numbers; 0 where they hold one release."""
    one, two = noisy.values, sharp.values
    if one is None or two is None or noisy.level == sharp.level:
        return 0
    if family.mean(noisy.level) != family.mean(sharp.level):  # then they are read otherwise
        return 0
    return int(np.equal(one, two).reshape(query.per_value, -1).all(axis=0).sum())


def without_table(can: Sequence[str], drawn: Sequence[str]) -> str:
    """What can still be drawn where the table is not loaded, and what it is made from.

    Args:
        can: the tiers that wait and would get less than one that has its number.
        drawn: the tiers that have theirs.

    >>> without_table(["public"], ["audit"])
    '**A noisier number needs no table.** Public gets the number of audit with more noise added.'
    """
    source = f"the number of {literal(drawn[0])}" if len(drawn) == 1 else "a number already drawn"
    if not can:
        said = f"Lower a budget or add a tier: it gets {source}, with more noise added."
    else:
        get = "gets" if len(can) == 1 else "get"
        said = f"{literal(capitalised(join(list(can))))} {get} {source} with more noise added."
    return f"**A noisier number needs no table.** {said}"


def needs_table(waiting: Sequence[str], name: str, *, drawn: bool) -> str:
    """Who waits for the table, and why; what it is for, if nobody waits.

    Args:
        waiting: the tiers that cannot be drawn without it.
        name: of the table.
        drawn: whether anything was drawn.

    >>> needs_table(["audit"], "visits", drawn=True)
    '**Audit is sharper than anything drawn so far, so it needs visits**'
    """
    name, who = literal(name), literal(capitalised(join(list(waiting))))
    if not drawn or not waiting:
        return f"**To draw {'a sharper number' if drawn else 'more'}, bring {name} again**"
    be, need = ("is", "it needs") if len(waiting) == 1 else ("are", "they need")
    return f"**{who} {be} sharper than anything drawn so far, so {need} {name}**"


def other_tabs(ws: Workspace) -> str:
    """That the meter is that of this tab, and which noise another one has.

    >>> ws = Workspace.fresh()
    >>> other_tabs(ws).partition(".")[2]
    ' This tab’s seed is 7.'
    """
    if ws.keeper.name:  # all tabs on a project share its sessions
        return ""
    if ws.mode == "hardened":
        return "Another tab has noise of its own: together they tell more than this."
    return (
        "Another tab or another seed has noise of its own: together they tell more than this. "
        f"This tab’s seed is {ws.seed}."
    )
