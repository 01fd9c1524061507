"""The meter of Growing trust: how well all readers together tell two values apart."""

from typing import Any

import pandas as pd

from dpviz.charts.forms.bar_rows import INK, Scale, bar_rows
from dpviz.palette import GREY
from dpviz.scenes.growing_trust import Meter
from dpviz.ui.kit import parts
from dpviz.words import significant
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.workspace.guesses import ALL, BEST, COIN

MOST_DIGITS = 9  # of each of two values that a sentence asks for
SCALE = Scale(low=COIN, high=ALL, low_words=f"{COIN}: a coin", high_words=f"{ALL:,}: always right")
LARGEST = "the largest ε that was told counts (MATHEMATICS 5.1, 15.3)"
ADDED = "losses of independent numbers add (MATHEMATICS 5.1)"
CONVOLVED = f"{BEST}; independent losses convolved (5.7)"
SEPARATE = "each number has noise of its own"


def question(meter: Meter, who: str, fixed: str) -> Said:
    """What all readers together guess, and what they cost; also why the two bars are as long.

    Args:
        meter: what they know.
        who: guesses, such as "all three readers together guess".
        fixed: what is held fixed, for the claims.
    """
    short = max(map(len, meter.values.split(" or "))) <= MOST_DIGITS
    here, apart = (float(loss) for loss in meter.losses)
    loss: dict[str, Any] = {"what": "privacy loss, ε, of all readers together", "fixed": fixed}
    ours = Claim(value=here, method=LARGEST, kind="at most", **loss)
    other = Claim(value=apart, method=ADDED, assumes=SEPARATE, **loss)
    said = say(
        "**{values}?** So often {who} right, out of {all}, at most. (Privacy loss ε: {here} here, "
        "{apart} with separate noise.)",
        values=Name(meter.values if short else "Which of two values"),
        who=Name(who),
        all=Said(f"{ALL:,}"),
        here=Number(significant(here, 6), ours),
        apart=Number(significant(apart, 6), other),
    )
    told = f"{fixed}; {meter.values}, equally likely beforehand"
    guesses = tuple(
        Claim(
            what=f"right guesses of {ALL:,}{whose}",
            value=right.value,
            fixed=told,
            method=method,
            kind="at most",
        )
        for right, whose, method in zip(
            meter.right, ("", " with separate noise"), (BEST, CONVOLVED), strict=True
        )
    )
    return Said(said.text, said.claims + guesses)


def show(meter: Meter, best: str) -> None:
    """Draw how often all readers together are right: here, and with separate noise.

    Args:
        meter: what they know.
        best: who is best informed, in the middle of a sentence.
    """
    words = (f"Here, as {best} alone", "With separate noise for each")
    rows = [
        {
            "group": "",
            "row": row,
            "length": max(right.value - COIN, 0.0),
            "colour": colour,
            "end": f"{right.count:,}",
            "unit": "",
            "detail": f"At most, out of {ALL:,} guesses.",
        }
        for right, row, colour in zip(meter.right, words, (INK, GREY), strict=True)
    ]
    what = f"How many guesses of {ALL:,} are right at most, by all readers together."
    made = bar_rows(pd.DataFrame(rows), what=what, scale=SCALE)
    parts.chart(made.figure, heading="", reading="", alt=made.alt, key="trust_meter")
