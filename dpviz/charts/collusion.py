"""What an attacker misses, by shared and by separate noise: lines are formulas, marks simulated."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dpviz.accounting.schemes import INDEPENDENT, LOSSLESS
from dpviz.charts.forms.lines import DETAIL, LINE, Axis, Look, X, Y, lines
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import Floats
from dpviz.palette import DASHED, DOTTED, GREY, SOLID, TierStyle
from dpviz.words import percent

NAMES = {INDEPENDENT: "separate", LOSSLESS: "shared"}
COIN = "tossing a coin"
Curve = tuple[Floats, Floats]  # shares of false alarms, and of misses


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
        ours = scheme == LOSSLESS
        colour = style.colour if ours else GREY
        curves[name] = best[scheme], Look(colour=colour, dash=SOLID if ours else DASHED)
        if scheme in simulated:
            symbol = style.marker if ours else "diamond-open"
            marks = Look(colour=colour, symbol=symbol, marks=True)
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
