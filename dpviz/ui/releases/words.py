"""What the page Releases says below its pictures."""

from dpviz.charts.releases.last_draw import LastDraw
from dpviz.words import capitalised, number
from dpviz.words.markdown import literal
from dpviz.workspace.held import HeldTier


def last_draw(last: LastDraw) -> str:
    """Who asked last, and which numbers the draw looked at."""
    who, value = literal(capitalised(last.drawn.name)), _value(last, last.drawn)
    above, below = last.above, last.below
    if above is None and below is None:
        return f"{who} asked first: {value} is the exact number, which is not shown, with noise."
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
        f"{who} asked last: {value} was drawn on the string between {_whose(last, above)} and "
        f"{_whose(last, below)}. Nothing else was looked at."
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
