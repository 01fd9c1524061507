"""An attacker's curves, by shared and by separate noise: lines are formulas, symbols simulated."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from dpviz.accounting.schemes import INDEPENDENT, LOSSLESS
from dpviz.charts.forms.lines import DETAIL, LINE, Look, X, Y, lines
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import Floats
from dpviz.palette import DASHED, DOTTED, GREY, SOLID, TierStyle

NAMES = {INDEPENDENT: "separate", LOSSLESS: "shared"}
Curve = tuple[Floats, Floats]  # its points across and up


def both_ways(
    formula: Mapping[str, Curve],
    simulated: Mapping[str, Curve],
    others: Mapping[str, Curve],
    *,
    style: TierStyle,
    told: Callable[[float, float], str],
    **more: Any,
) -> Picture:
    """Draw both ways, and thin other lines.

    Args:
        formula: by scheme.
        simulated: the same; nothing where there is no simulation.
        others: by the name at the end of the line.
        style: of the least private member, whose colour shared noise has.
        told: a point as a sentence, for the hover.
        more: what the form of lines is handed besides.
    """
    curves = {name: (at, Look(colour=GREY, width=1.5, dash=DOTTED)) for name, at in others.items()}
    for scheme, name in NAMES.items():
        ours = scheme == LOSSLESS
        colour = style.colour if ours else GREY
        line = Look(colour=colour, dash=SOLID if ours else DASHED)
        symbol = style.marker if ours else "diamond-open"
        curves[name] = formula[scheme], line
        if scheme in simulated:
            marks = Look(colour=colour, symbol=symbol, marks=True)
            curves[f"{name}, simulated"] = simulated[scheme], marks
    rows = [
        (name, at, value, told(at, value))
        for name, ((x, y), _) in curves.items()
        for at, value in zip(x.tolist(), y.tolist(), strict=True)
    ]
    frame = pd.DataFrame(rows, columns=[LINE, X, Y, DETAIL])
    return lines(frame, looks={name: look for name, (_, look) in curves.items()}, **more)
