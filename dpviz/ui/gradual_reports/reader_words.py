"""What the page Gradual reports says of its readers: what they hold, and what all know together."""

import math

from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.gradual_reports.controls import View
from dpviz.ui.gradual_reports.words import exact, shown
from dpviz.words import significant
from dpviz.words.grammar import times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace.gradual import SAME
from dpviz.workspace.guesses import ALL, COIN, question, right_between
from dpviz.workspace.takeaways import counted

CROWD = 20  # readers: many, each with as much trust as the most trusted
MADE_UP = "The value is made up: these numbers cost nobody any privacy and count towards no budget."


def readers_heading(view: View) -> str:
    """How many readers there are."""
    many = counted(len(view.one.released)).capitalize()
    return f"{many} readers compare notes"


def readers_reading(view: View) -> str:
    """How to read the numbers, and where they come from."""
    origin = "" if view.is_of_readers else "Each dot is drawn apart from the picture of the path. "
    return (
        f"{origin}{times_in_100(ACCURACY_CONFIDENCE)} such a bar holds the value. The "
        "noisier numbers add nothing to the sharpest."
    )


def readers_alt(view: View) -> str:
    """The numbers in words."""
    held = view.one.released
    each = "; ".join(
        f"ε = {significant(e, 6)}: {shown(view, held[e])}" for e in sorted(held, reverse=True)
    )
    return (
        f"Numbers with 95 % intervals around the value, {exact(view)}. {each}. All together: "
        f"{shown(view, held[max(held)])}, no better than the sharpest."
    )


def together(view: View) -> str:
    """What all releases cost together."""
    held = view.one.released
    largest = significant(max(held), 6)
    if len(held) == 1:
        return literal(f"Its reader learns what ε = {largest} tells.")
    added = significant(math.fsum(held), 6)
    who = "Both" if len(held) == 2 else f"All {counted(len(held))}"
    return literal(
        f"{who} readers together learn what ε = {largest} tells, exactly. With "
        f"separate noise for each they would learn up to ε = {added}."
    )


def harm(view: View) -> str:
    """What all readers together can tell apart: as often as the most trusted alone."""
    held, size = view.one.released, view.reading.step
    levels = sorted(view.one.level(epsilon) for epsilon in held)
    here, apart, crowd = (
        right_between(view.one.family, size, found, loss_of).count
        for found, loss_of in (
            (levels[:1], max(held)),
            (levels, math.fsum(held)),
            (levels[:1] * CROWD, max(held) * CROWD),
        )
    )
    asked = question(view.reading.value, size)
    if len(held) == 1:
        return literal(f"{_test(asked)} {_rate('Its reader guesses', here)}.")
    who = "Both" if len(held) == 2 else f"All {counted(len(held))}"
    return literal(
        f"{_test(asked)} {_rate(f'{who} together guess', here)}, no more than the most "
        f"trusted alone. With separate noise it would be up to {apart:,}; for {CROWD} readers of "
        f"trust {significant(max(held), 6)}, up to {crowd:,}."
    )


def _test(asked: str) -> str:
    """What is guessed, as a sentence."""
    return f"A test: somebody must guess whether the value is {asked}."


def _rate(who: str, right: int) -> str:
    return f"{who} right at most {right:,} times in {ALL:,} (a coin: {COIN})"


def draw_label(view: View) -> str:
    """What the press gives to a reader."""
    if view.wanted is None or view.one.turn(view.wanted) == SAME:
        return "Give the number"
    return f"Give the number for trust {significant(view.wanted, 6)}"
