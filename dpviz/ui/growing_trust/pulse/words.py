"""What the story of a pulse says: how near its readers come, the next release, the facts."""

import math

import pandas as pd

from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.ui.growing_trust.pulse.controls import View
from dpviz.ui.growing_trust.stories import Meter
from dpviz.words import budget, number, percent, pm, significant, within
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal, plain_text
from dpviz.workspace.facts import DEFINITION_WORDS, SYMBOLS, Facts
from dpviz.workspace.gradual import (
    BETWEEN,
    FIRST,
    RELAXED,
    SAME,
    TIGHTENED,
    Pieces,
    pieces,
)
from dpviz.workspace.guesses import question, right_between
from dpviz.workspace.takeaways import counted

NOTHING = "Correct the field whose sentence says what is wrong, and the number will be read here."
HARDENED = (
    "Hardened mode: each release below is a whole number, drawn exactly from the operating "
    "system’s randomness. The line is only an illustration: its jumps are floating-point "
    "numbers, so it always comes from a seed."
)
HAND_OUT = "Hand out a number"
MADE_UP = "The value is made up: these numbers cost nobody any privacy and count towards no budget."
NEXT = "What may the next number be?"
DIGITS = range(2, 8)  # of the ends between which the number stays


def shown(view: View, value: float) -> str:
    """A number of the page with its unit.

    >>> from dpviz.workspace.gradual import EXAMPLES, OneValue
    >>> one = OneValue(EXAMPLES[0], "teaching", 7)
    >>> shown(View(one=one, least=0.1, most=2.0, epsilon=0.5, wanted=None), 58.318)
    '58.3 beats per minute'
    """
    return f"{number(value, step=view.digit)} {view.reading.unit}"


def at(epsilon: float) -> str:
    """A budget of the page."""
    return budget("ε", epsilon)


def take_away(view: View | None) -> str:
    """How near the truth the least and the most trusted reader are, and what all know together."""
    if view is None:
        return NOTHING
    (least, least_half), (most, most_half) = _ends(view)
    unit, what = view.reading.unit, view.reading.what
    if least == most:
        return literal(
            f"The only reader sees Maria’s {what} {_near(most_half, unit)}. The more you trust "
            "a reader, the nearer their number is to the truth."
        )
    return literal(
        f"A stranger sees Maria’s {what} {_near(least_half, unit)}, her doctor "
        f"{_near(most_half)}. All her readers together know no more than the doctor."
    )


def _near(half: float, unit: str = "") -> str:
    """How near a reader comes, after "sees"."""
    near = within(half, unit)
    return f"to {near}" if half else f"and is {near}"


def _ends(view: View) -> tuple[tuple[float, float], tuple[float, float]]:
    """Budget and half width of the least and of the most trusted reader."""
    ends = min(view.one.released), max(view.one.released)
    least, most = ((epsilon, reach(view, epsilon)) for epsilon in ends)
    return least, most


def reach(view: View, epsilon: float) -> float:
    """How far off 95 % of the numbers at a budget are at most."""
    return usual_half_width(view.one.family, view.one.level(epsilon))


def exact(view: View) -> str:
    """The value as it is shown."""
    return number(view.reading.value, step=view.digit)


def claims(view: View | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    if view is None:
        return ()
    unit = view.reading.unit
    hidden = f"differences up to {view.reading.step:g} {unit} are hidden"
    whose = dict(zip(("the stranger", "the doctor"), _ends(view), strict=True))
    if len(view.one.released) == 1:
        whose = {"the only reader": _ends(view)[1]}
    return tuple(
        Claim(
            what=f"how far off the number of {who} is at most",
            value=half,
            unit=unit,
            fixed=f"{percent(ACCURACY_CONFIDENCE)} of the numbers, {at(epsilon)}, {hidden}",
            method="quantile of the noise (MATHEMATICS 4.1)",
        )
        for who, (epsilon, half) in whose.items()
    )


def stays(view: View) -> str:
    """Who else reads the same number."""
    low, high = view.stays
    ends = [(significant(low, digits), significant(high, digits)) for digits in DIGITS]
    left, right = next((pair for pair in ends if pair[0] != pair[1]), ends[-1])
    return literal(
        f"Everybody with a trust from about {left} to about {right} gets the same number: "
        f"{shown(view, view.number)}."
    )


def thread_reading(view: View) -> str:
    """How to read the thread."""
    text = "More trust sometimes changes nothing (flat), sometimes brings less noise (a jump)."
    dots = "Dots: what readers have; only you see the line."
    if not view.is_of_readers:
        dots = "Dots: what readers have, drawn apart from the line."
    return f"{text} {dots}"


def thread_alt(view: View) -> str:
    """The thread in words."""
    ends, values = view.one.path.steps()
    visited = [v for e, v in zip(ends, values, strict=True) if e >= view.least]
    return (
        f"One path over ε from {view.least:g} at the left to {view.most:g} at the right. It stays "
        f"at {counted(len(visited))} numbers in turn; at ε = {significant(view.epsilon)} it is at "
        f"{shown(view, view.number)}. A grey area around the value, {exact(view)}, narrows "
        "to the right."
    )


def next_release(view: View) -> str:
    """What the release that is asked for will be, before it is drawn."""
    if view.wanted is None:
        return "Type a usable ε, and the chances of the next release are shown here."
    one, wanted = view.one, view.wanted
    turn, held = one.turn(wanted), one.released
    if turn == SAME:
        return literal(
            f"The release at {at(wanted)} is {shown(view, held[wanted])}, and stays so: asked "
            "again, it is not drawn again. Type another ε to relax or tighten."
        )
    if turn == FIRST:
        half = reach(view, wanted)
        near = f"within {pm(half, unit=view.reading.unit)} of the value "
        near += f"{percent(ACCURACY_CONFIDENCE)} of the time"
        return literal(
            f"You have handed out no number yet. The first, at {at(wanted)}, will be "
            f"{near if half else within(half)}."
        )
    if turn == RELAXED:
        return _relaxed(view, wanted)
    return _tightened(view, wanted) if turn == TIGHTENED else _between(view, wanted)


def _relaxed(view: View, wanted: float) -> str:
    found, before = chances(view), max(view.one.released)
    value = shown(view, view.one.released[before])
    text = (
        f"Relaxing from {at(before)} to {at(wanted)}: with chance {percent(found.stays)} the "
        f"number stays {value}. With {percent(found.between)} it lands between the value and "
        f"there, with {percent(found.opposite)} on the other side of the value, with "
        f"{percent(found.beyond)} further out. Only the owner, who knows the value, can draw it."
    )
    return literal(text)


def _tightened(view: View, wanted: float) -> str:
    before = min(view.one.released)
    stays = view.one.law(wanted).atoms[0][1]
    return literal(
        f"Tightening from {at(before)} to {at(wanted)}: with chance {percent(stays)} the new "
        f"reader gets the same {shown(view, view.one.released[before])}; otherwise noise is added "
        "to it. Anyone who holds that number could do it: the value is not needed."
    )


def _between(view: View, wanted: float) -> str:
    held = sorted(view.one.released)
    low = max(e for e in held if e < wanted)
    high = min(e for e in held if e > wanted)
    same = dict(view.one.law(wanted).atoms)
    if len(same) == 1 and not view.one.family.integer:
        return literal(
            f"Between {at(low)} and {at(high)}: both are {shown(view, view.one.released[low])}, so "
            "the number between them is surely the same."
        )
    like = [percent(same.get(view.one.released[e], 0.0)) for e in (low, high)]
    return literal(
        f"Between {at(low)} and {at(high)}: with chance {like[0]} it is the number at {at(low)} "
        f"again, with {like[1]} that at {at(high)}; otherwise it is a new number. The two releases "
        "around it are all that matters: the value is not needed."
    )


def chances(view: View) -> Pieces:
    """The four pieces of the relaxed release that is asked for."""
    one = view.one
    assert view.wanted is not None
    return pieces(one.law(view.wanted), one.reading.value, one.released[max(one.released)])


def law_alt(view: View) -> str:
    """The law in words."""
    hill = "The chances of the next number, as a hill with a spike where it stays. "
    return hill + plain_text(next_release(view))


def turn_heading(view: View) -> str:
    """What the next release is."""
    if view.wanted is None:
        return HAND_OUT
    return {
        FIRST: HAND_OUT,
        RELAXED: "Hand out a sharper number, for more trust",
        TIGHTENED: "Hand out a noisier number, for less trust",
        BETWEEN: "Hand out a number between two others",
        SAME: "You have handed out this number",
    }[view.one.turn(view.wanted)]


def released_table(view: View) -> pd.DataFrame:
    """Releases in the order of the presses."""
    rows = [
        (str(n), significant(epsilon, 6), shown(view, value))
        for n, (epsilon, value) in enumerate(view.one.released.items(), start=1)
    ]
    return pd.DataFrame(rows, columns=["press", "ε", "number"])


def meter(view: View) -> Meter:
    """What all readers together can tell apart: as often as the most trusted alone."""
    held, size = view.one.released, view.reading.step
    levels = sorted(view.one.level(epsilon) for epsilon in held)
    losses = max(held), math.fsum(held)
    here, apart = (
        right_between(view.one.family, size, found, loss_of)
        for found, loss_of in zip((levels[:1], levels), losses, strict=True)
    )
    readers = f"all {counted(len(held))} readers" if len(held) > 2 else "both readers"
    return Meter(
        right=(here, apart),
        losses=losses,
        who=f"{readers} together" if len(held) > 1 else "its reader",
        best="the most trusted",
        asked=question(view.reading.value, size),
    )


def draw_label(view: View) -> str:
    """What the press gives to a reader."""
    if view.wanted is None or view.one.turn(view.wanted) == SAME:
        return "Give the number"
    return f"Give the number for trust {significant(view.wanted, 6)}"


def facts(view: View | None) -> Facts:
    """Definition, unit, neighbours, sensitivity and data of this page."""
    step, half = "the difference to hide", "half of it"
    if view:
        step = f"{view.reading.step:g} {view.reading.unit}"
        half = f"{view.reading.step / 2:g}"
    return (
        ("Definition", DEFINITION_WORDS["ε-DP"]),
        ("Unit", "one value of one person"),
        ("Neighbours", f"two values at most {step} apart"),
        (
            "Sensitivity",
            f"a change of {step} counts ε, one of {half} counts half of it (ε/2)",
        ),
        ("Data", "none: a made-up value that is typed here"),
        (SYMBOLS, f"Δ₁ = {step}"),
    )
