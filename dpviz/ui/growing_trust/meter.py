"""The meter of Growing trust: how well all readers together tell two values apart."""

from dataclasses import replace
from typing import Any

import pandas as pd

from dpviz.charts.forms.bar_rows import INK, bar_rows
from dpviz.charts.forms.guess_scale import guess_row, guess_scale
from dpviz.charts.forms.picture import Picture
from dpviz.palette import GREY
from dpviz.scenes.growing_trust import Meter
from dpviz.ui.kit.page_form import Missing
from dpviz.words import capitalised
from dpviz.words.claims import Claim, Name, Said, say
from dpviz.workspace.guesses import ALL, BEST

MOST_DIGITS = 9  # of each of two values that a sentence asks for
SCALE = replace(guess_scale(), ticks=())  # what others publish protects other things
REFUSED = Missing("These settings cannot be used: the reason stands beside.", file="")
LARGEST = "the largest ε that was told counts (MATHEMATICS 5.1, 15.3)"
ADDED = "losses of independent numbers add (MATHEMATICS 5.1)"
CONVOLVED = f"{BEST}; independent losses convolved (5.7)"
SEPARATE = "each number has independent noise"


def question(meter: Meter, who: str, fixed: str, asks: str = "Is it") -> Said:
    """What all readers together guess, of values near each other and further apart.

    Args:
        meter: what they know.
        who: guesses, such as "all three readers together guess".
        fixed: what is held fixed, for the claims.
        asks: how the question begins.
    """
    short = max(map(len, meter.values.split(" or "))) <= MOST_DIGITS
    here, apart = (float(loss) for loss in meter.losses)
    loss: dict[str, Any] = {"what": "privacy loss, ε, of all readers together", "fixed": fixed}
    ours = Claim(value=here, method=LARGEST, kind="at most", **loss)
    other = Claim(value=apart, method=ADDED, assumes=SEPARATE, **loss)
    told = f"{fixed}; {meter.values}, equally likely beforehand"
    known = [
        (meter.right[0], "", BEST, told),
        (meter.right[1], " with separate noise", CONVOLVED, told),
        (meter.far, ", further apart", BEST, f"{fixed}; {meter.far_values}, equally likely"),
    ]
    guesses = [
        Claim(
            what=f"right guesses of {ALL:,}{whose}",
            value=right.value,
            fixed=about,
            method=method,
            kind="at most",
        )
        for right, whose, method, about in known
    ]
    said = say(
        "**{values}?** {who} right {right}. One more reader who knows no more than these adds "
        "nothing; with separate noise, every further reader adds something.{far}",
        values=Name(f"{asks} {meter.values}" if short else "Which of two values"),
        who=Name(capitalised(who)),
        right=Said(f"{meter.right[0].said} times in {ALL:,}"),
        far=Said(
            f" Whether it is {meter.far_values} may be told: right {meter.far.said} times." * short
        ),
    )
    return Said(said.text, (ours, other, *guesses))


def bars(meter: Meter, best: str) -> Picture:
    """Draw how often all readers together are right: here, and with separate noise.

    Args:
        meter: what they know.
        best: who is best informed, in the middle of a sentence.
    """
    rows = [
        guess_row(meter.right[0], colour=INK, row=f"Here, the same as for {best} alone"),
        guess_row(meter.right[1], colour=GREY, row="With separate noise for each"),
    ]
    what = f"How many guesses of {ALL:,} are right at most, by all readers together."
    return bar_rows(pd.DataFrame(rows), what=what, scale=SCALE)
