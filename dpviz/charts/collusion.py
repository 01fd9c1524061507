"""What an attacker misses, by shared and by separate noise: lines are formulas, marks simulated."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dpviz.accounting.schemes import GLOBAL, INDEPENDENT, LOSSLESS, SPLITTING
from dpviz.charts.forms.lines import DETAIL, LINE, Axis, Look, X, Y, lines
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import Floats
from dpviz.palette import DASHED, DOTTED, GREY, SOLID, TierStyle
from dpviz.words import percent

NAMES = {INDEPENDENT: "separate", LOSSLESS: "shared"}
DASHES = {INDEPENDENT: DASHED, GLOBAL: DOTTED, SPLITTING: DOTTED}
COIN = "tossing a coin"
Curve = tuple[Floats, Floats]  # shares of false alarms, and of misses


def look_of(scheme: str, style: TierStyle, words: str = "") -> Look:
    """How the line of a scheme looks: lossless release in the colour of a tier, others grey."""
    colour = style.colour if scheme == LOSSLESS else GREY
    return Look(colour=colour, dash=DASHES.get(scheme, SOLID), words=words)


def trade_off(
    best: Mapping[str, Curve],
    simulated: Mapping[str, Curve],
    *,
    style: TierStyle,
    yes: str,
    no: str,
) -> Picture:
    """Draw what the best test misses at each share of false alarms, and a coin beside it.

    Args:
        best: by scheme.
        simulated: the same; nothing where there is no simulation.
        style: of the least private member, whose colour shared noise has.
        yes: what the test says of a person who is in.
        no: what it says of one who is not.
    """
    coin = np.array([0.0, 1.0])
    curves = {COIN: ((coin, 1 - coin), Look(colour=GREY, width=1.5, dash=DOTTED))}
    for scheme, name in NAMES.items():
        look = look_of(scheme, style)
        curves[name] = best[scheme], look
        if scheme in simulated:
            symbol = style.marker if scheme == LOSSLESS else "diamond-open"
            marks = Look(colour=look.colour, symbol=symbol, marks=True)
            curves[f"{name}, simulated"] = simulated[scheme], marks
    rows = [
        (
            *(name, 100 * alarms, 100 * missed),
            f"a test with {percent(alarms)} false alarms misses {percent(missed)}.",
        )
        for name, ((x, y), _) in curves.items()
        for alarms, missed in zip(x.tolist(), y.tolist(), strict=True)
    ]
    return lines(
        pd.DataFrame(rows, columns=[LINE, X, Y, DETAIL]),
        what="What the best test misses, against its false alarms.",
        x=Axis(title=f"false alarms, %: says “{yes}” wrongly"),
        y=Axis(title=f"misses, %: says “{no}” wrongly"),
        looks={name: look for name, (_, look) in curves.items()},
    )
