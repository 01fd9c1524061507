"""What the page Gradual reports says: the number that is read, the next release, the footer."""

import pandas as pd

from dpviz.charts.gradual.frame import EXPECTED, SEEN
from dpviz.gradual import LaplacePath
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.ui.gradual_reports.controls import View
from dpviz.words import NO_BREAK, budget, loss, number, percent, pm, significant, within
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
from dpviz.workspace.takeaways import counted

NOTHING = "Correct the field whose sentence says what is wrong, and the number will be read here."
HARDENED = (
    "Hardened mode: each release below is a whole number, drawn exactly from the operating "
    "system’s randomness. The line is only an illustration: its jumps are floating-point "
    "numbers, so it always comes from a seed."
)
WIDE = 3  # a column of twenty is as wide as the errors at this multiple of the smallest ε
HAND_OUT = "Hand out a number"
PICKED = " This one was picked because its jumps are easy to see; few are as tidy."
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
    """How near the truth a number is here and for the most trusted, and what all readers know."""
    if view is None:
        return NOTHING
    most = _most_trusted(view)
    half, least = reach(view, view.epsilon), reach(view, most)
    near = within(half)
    if half:
        near = f"usually within {pm(half)} {view.reading.unit}"
    best = f", {within(least)} at trust {loss(most)}" if least < half else ""
    return literal(
        f"The more you trust a reader ({loss(view.least)}: a stranger, {loss(view.most)}: your "
        f"doctor), the nearer their number is to the truth: {near} at trust {loss(view.epsilon)}"
        f"{best}. All readers together know no more than the most trusted."
    )


def _most_trusted(view: View) -> float:
    """The trust of the reader who is trusted most; before the first one, the most there is."""
    return max(view.one.released, default=view.most)


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
    return (
        Claim(
            what="the number read",
            value=view.number,
            unit=unit,
            fixed=f"this path, the value {exact(view)} {unit}, {at(view.epsilon)} on a scale from "
            f"{loss(view.least)} to {loss(view.most)}, {hidden}",
            method="looked up on a path that was drawn once (MATHEMATICS 14.2)",
            kind="simulated",
        ),
        *(
            Claim(
                what=f"how far off such a number is at most{where}",
                value=reach(view, epsilon),
                unit=unit,
                fixed=f"{percent(ACCURACY_CONFIDENCE)} of the numbers, {at(epsilon)}, {hidden}",
                method="quantile of the noise (MATHEMATICS 4.1)",
            )
            for where, epsilon in {"": view.epsilon, ", most trusted": _most_trusted(view)}.items()
        ),
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


def jumps_here(view: View) -> str:
    """How often the path jumps, and how often such paths do."""
    jumps = int(view.one.path.jumps(view.least, view.most).sum())
    times = {0: "never", 1: "once"}.get(jumps, f"{counted(jumps)} times")
    mean = significant(view.one.jumps(view.least, view.most).mean, 2)
    still = ", counting jumps of 0" if view.one.family.integer else ""
    return literal(
        f"The path above jumps {times} between ε{NO_BREAK}={NO_BREAK}{view.least:g} and "
        f"{view.most:g}. On average such paths jump about {mean} times{still}."
        f"{PICKED if view.picked else ''}"
    )


def thread_reading(view: View) -> str:
    """How to read the thread."""
    text = "More trust sometimes changes nothing (flat), sometimes brings less noise (a jump)."
    return f"{text} Dots: what readers have; only you see the line." if view.is_of_readers else text


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


MANY_COST = (
    "All days together cost ε if they change, added up, by no more than the difference to hide."
)


def many_reading() -> str:
    """What twenty paths side by side say."""
    return (
        "Made-up days of one person: each number stays and jumps by itself, and comes to its value "
        "as ε grows. Larger errors are cut at the edge of a row."
    )


def many_alt(view: View, path: LaplacePath) -> str:
    """The twenty paths in words."""
    return (
        f"{counted(path.dimension).capitalize()} paths over ε, one above the other, each level "
        f"where its number stays; a dot on each at ε = {significant(view.epsilon)}."
    )


def jumps_alt(frame: pd.DataFrame, mean: float) -> str:
    """The histogram in words."""
    most = int(frame["seen"].to_numpy(float).argmax())
    return (
        f"Bars of how many paths jump how often, beside the Poisson distribution with mean about "
        f"{significant(mean, 2)}. The tallest bar is at {most} jumps."
    )


def jumps_reading(frame: pd.DataFrame, paths: int, mean: float) -> str:
    """What the histogram of jumps says."""
    away = float((frame[SEEN] - frame[EXPECTED]).abs().max())
    return (
        f"Bars: {paths:,} simulated paths from ε = 0.1 to 2. Lines: the Poisson distribution with "
        f"mean about {significant(mean, 2)}. They differ by at most {percent(away)} of the paths."
    )


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
