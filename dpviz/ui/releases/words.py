"""What the page Releases says below its pictures."""

from dpviz.charts.releases.last_draw import LastDraw
from dpviz.words import capitalised, number
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


def last_draw(last: LastDraw) -> str:
    """Who asked last, and which numbers the draw looked at."""
    who, value = literal(capitalised(last.drawn.name)), _value(last, last.drawn)
    above, below = last.above, last.below
    if above is None and below is None:
        return f"{who} asked first: {value} is the hidden exact number plus noise."
    if above is None and below is not None:
        return (
            f"{who} asked last: {value} was drawn between the exact number, which is not shown, "
            f"and {_whose(last, below)}."
        )
    if above is not None and below is None:
        return (
            f"{who} asked last: {value} is {_whose(last, above)} with more noise. Nothing else was "
            "looked at."
        )
    return (
        f"{who} asked last: {value} was drawn from {_whose(last, above)} and "
        f"{_whose(last, below)} alone. Bands: where such a draw falls."
    )


def _whose(last: LastDraw, tier: HeldTier | None) -> str:
    return f"{literal(tier.name)}’s {_value(last, tier)}" if tier else ""


def _value(last: LastDraw, tier: HeldTier) -> str:
    return number(last.value(tier), step=last.half(tier))


def orders() -> str:
    """How to read the three swarms."""
    return (
        "Each thread is one repetition. On the right, how far a tier’s numbers scatter around the "
        "truth: the same in every order, but for chance."
    )


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
