"""Frames of one value over budgets: where it rests, and what comes next.

Values are in the unit of the statistic, budgets ε for the stated step of it.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.noise.family import ReleaseLaw

COORDINATE, LOW, HIGH, VALUE = "coordinate", "low", "high", "value"
STEPS = (COORDINATE, LOW, HIGH, VALUE)
CHANCE = "chance"
LAW = (VALUE, CHANCE)
ATOMS = (VALUE, CHANCE)
POINTS = 401
BARS = 160  # a law on fewer whole numbers has a bar for each
LEAST_SHOWN = 1e-4  # a law is shown between these two quantiles
Steps = tuple[NDArray[np.float64], NDArray[np.float64]]


def steps_frame(paths: Sequence[Steps], least: float, most: float) -> pd.DataFrame:
    """Where each coordinate rests between two budgets; columns `STEPS`.

    Args:
        paths: of each coordinate the budgets that end its steps, ascending, and the values there.
        least: the smallest budget that is shown.
        most: the largest one.

    >>> steps_frame([(np.array([0.5, 2.0]), np.array([7.0, 9.0]))], 0.1, 1.0).values.tolist()
    [[0.0, 0.1, 0.5, 7.0], [0.0, 0.5, 1.0, 9.0]]
    """
    rows = [
        (place, max(low, least), min(high, most), value)
        for place, (ends, values) in enumerate(paths)
        for low, high, value in zip([0.0, *ends[:-1]], ends, values, strict=True)
        if high >= least and low < most
    ]
    return pd.DataFrame(rows, columns=list(STEPS))


def law_frame(law: ReleaseLaw, *, whole: bool) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The law of a release as a curve or as masses, columns `LAW`; and its atoms, columns `ATOMS`.

    Args:
        law: of one value.
        whole: whether it is on whole numbers: then masses hold the atoms, too.

    >>> from dpviz.gradual import gradual_law
    >>> curve, atoms = law_frame(gradual_law({1.0: 0.75}, 2.0, exact=0.0), whole=False)
    >>> atoms.round(4).values.tolist()
    [[0.75, 0.2362]]
    """
    ends = np.array([LEAST_SHOWN, 1 - LEAST_SHOWN])
    low, high = law.quantile(ends)
    if whole:
        stride = max(1, int((high - low) // BARS))
        at: NDArray[np.float64] = np.arange(low, high + 1, stride)
    else:
        kinks = [value for value, _ in law.atoms]
        near = [np.nextafter(kink, side) for kink in kinks for side in (-np.inf, np.inf)]
        at = np.unique([*np.linspace(low, high, POINTS), *near])
    curve = pd.DataFrame({VALUE: at, CHANCE: law.density(at)})
    atoms = [(value, chance) for value, chance in law.atoms if chance > 0]
    return curve, pd.DataFrame(atoms, columns=list(ATOMS))
