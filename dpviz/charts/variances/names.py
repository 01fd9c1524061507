"""Names of tiers beside their marks in the picture of variances, decided for a phone."""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpviz.charts.labels import note, pixels
from dpviz.charts.variances.frame import BUDGET, TIER, VARIANCE
from dpviz.words import plain

NAMED_UP_TO = 6  # tiers; more are named on hover
LETTERS = 14
NARROW_PLOT = 200.0  # pixels of the x axis on a phone
LINES = 34.0  # pixels that two lines of names need below a flat line


def can_be_named(rows: pd.DataFrame) -> bool:
    """Whether the tiers are the user's own, and few enough to stand beside their marks."""
    if len(rows) > NAMED_UP_TO or not (rows["slot"] > 0).all():
        return False
    at = np.log10(rows[BUDGET].to_numpy(float))
    room = np.diff(at) / max(float(np.ptp(at)), 1e-12) * NARROW_PLOT
    return bool((room > 8).all())


def first_name(rows: pd.DataFrame) -> float:
    """Share of the axis that the first name needs to the left of its mark."""
    return min((_wide(rows[TIER].iloc[0]) + 12) / NARROW_PLOT, 0.4)


def names(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Names below and to the left of the marks on a falling line, below those on a flat one.

    On a flat line they take turns on two lines, so that neighbours do not touch; a name that would
    still touch the one before on its line is left out, and speaks on hover.
    """
    x, y = (np.log10(rows[name].to_numpy(float)) for name in (BUDGET, VARIANCE))
    flat = float(np.ptp(y)) < 1e-6
    pixel = NARROW_PLOT * (x - x[0]) / max(float(np.ptp(x)), 1e-12)
    ends, notes = [-math.inf, -math.inf], []
    for rank, name in enumerate(rows[TIER]):
        text, wide = f"<b>{plain(name, LETTERS)}</b>", _wide(name)
        if not flat:
            place = {"xanchor": "right", "xshift": -7, "yshift": -3, "yanchor": "top"}
            notes.append(note(text, float(x[rank]), float(y[rank]), **place))
        elif pixel[rank] - wide > ends[rank % 2]:
            ends[rank % 2] = float(pixel[rank]) + 4
            place = {"xanchor": "right", "xshift": 5, "yshift": -6 - 15 * (rank % 2)}
            notes.append(note(text, float(x[rank]), float(y[rank]), yanchor="top", **place))
    return notes


def _wide(name: object) -> float:
    return pixels(plain(name, LETTERS), bold=True)
