"""What the lines and strips of a sequence are made of: rows that workers computed, and losses.

Source: MATHEMATICS 5.7 to 5.9.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from dpviz.accounting.loss_curves import AWAY
from dpviz.accounting.loss_distribution import loss_distribution
from dpviz.charts.composition.points import Point, first
from dpviz.charts.tidy import Floats
from dpviz.errors import ParameterError
from dpviz.workspace.composition import CONCENTRATED, GAUSS, Part
from dpviz.workspace.composition_totals import loss_of

BOUND, AT, EPSILON = "bound", "at", "epsilon"
TOTAL_LINES = (BOUND, AT, EPSILON)  # at: a number, or log₁₀ δ
STAGES, CELLS = 5, 4001


def lines_frame(found: Iterable[Point]) -> pd.DataFrame:
    """Totals over what changes, as `TOTAL_LINES`; from points.py."""
    return pd.DataFrame(found, columns=list(TOTAL_LINES))


def stages(parts: Sequence[Part]) -> list[tuple[str, Floats, Floats]]:
    """How likely each loss is after one answer, and after some of the parts, up to all of them.

    A promise of ρ has no law: Gaussian noise of the same ρ stands for it.

    Returns:
        name, losses and masses of each stage; none where the losses are too small or too large.
    """
    drawn = [replace(p, answer=GAUSS) if p.answer is CONCENTRATED else p for p in parts]
    ends = np.linspace(1, len(drawn), min(len(drawn), STAGES)).round().astype(int).tolist()
    asked = [("after one answer", first(drawn, 1))] if drawn[0].count > 1 else []
    for end in ends:
        count = sum(part.count for part in drawn[:end])
        every = {1: "one answer", 2: "both answers"}.get(count, f"all {count:,} answers")
        some = "one answer" if count == 1 else f"{count:,} answers"
        name = every if end == len(drawn) else some
        asked.append((f"after {name}", tuple(drawn[:end])))
    found = []
    for name, these in asked:
        try:
            away = loss_distribution(loss_of(these).terms, AWAY, CELLS)  # each choice by itself
        except ParameterError:
            return []
        found.append((name, away.loss, away.mass))
    return found
