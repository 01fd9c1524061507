"""Laplace against Gaussian as frames: the map of regions, its lines, the noise over δ, the hills.

Map, lines and noise are made of rows that workers compute (points.py). Nothing here knows the data:
all of it is public.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.accounting import half_width
from dpviz.charts.crossover.points import GAUSS, LAPLACE, Cell, Point
from dpviz.noise import ADDITIVE
from dpviz.planning.choice import Choice

LOG10_DELTA, HEIGHT, LOG2_RATIO = "log10_delta", "height", "log2_ratio"
LINE, NOISE, DEVIATION, X, DENSITY, HALF = (
    "line",
    "noise",
    "deviation",
    "x",
    "density",
    "half_width",
)
CROSSOVER_MAP = (LOG10_DELTA, HEIGHT, LOG2_RATIO)
CROSSOVER_LINES = (LINE, LOG10_DELTA, HEIGHT)
CROSSOVER_NOISE = (NOISE, LOG10_DELTA, DEVIATION)
CROSSOVER_HILLS = (NOISE, X, DENSITY)
CROSSOVER_MARKS = (NOISE, DEVIATION, HALF)
HILL_POINTS = 241
REACH = 3.3  # standard deviations to either side of a hill


def crossover_map(cells: Iterable[Cell]) -> pd.DataFrame:
    """How many times the variance Laplace noise has, as `CROSSOVER_MAP`; from `points.cells`."""
    return pd.DataFrame(cells, columns=list(CROSSOVER_MAP))


def crossover_lines(lines: Iterable[Point]) -> pd.DataFrame:
    """Where both have the same variance, as `CROSSOVER_LINES`; from `points.lines`."""
    return pd.DataFrame(lines, columns=list(CROSSOVER_LINES))


def crossover_noise(noise: Iterable[Point]) -> pd.DataFrame:
    """How much each noise needs over δ, as `CROSSOVER_NOISE`; from `points.noise`."""
    return pd.DataFrame(noise, columns=list(CROSSOVER_NOISE))


def crossover_hills(choice: Choice, confidence: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The two noise densities at equal (ε, δ), and how far each of them reaches.

    Args:
        choice: what each noise needs.
        confidence: of the interval around 0, e.g. 0.95.

    Returns:
        `CROSSOVER_HILLS`, both over the same x, and `CROSSOVER_MARKS`, in units of the statistic.
    """
    widest = REACH * max(choice.laplace, choice.gaussian)
    curves, marks = [], []
    for name, family, deviation in (
        (LAPLACE, ADDITIVE["laplace"], choice.laplace),
        (GAUSS, ADDITIVE["gaussian"], choice.gaussian),
    ):
        level = deviation / math.sqrt(2) if name == LAPLACE else deviation**2
        x = _grid(widest, REACH * deviation)
        curves.append(pd.DataFrame({NOISE: name, X: x, DENSITY: family.density(x, level)}))
        marks.append((name, deviation, half_width_of(name, deviation, confidence)))
    return pd.concat(curves, ignore_index=True), pd.DataFrame(marks, columns=list(CROSSOVER_MARKS))


def half_width_of(noise: str, deviation: float, confidence: float) -> float:
    """How far noise of this standard deviation reaches with this confidence.

    >>> [round(half_width_of(noise, 1.0, 0.95), 4) for noise in ("laplace_least", "gauss")]
    [2.1183, 1.96]
    """
    if noise == LAPLACE:
        return half_width(ADDITIVE["laplace"], deviation / math.sqrt(2), confidence)
    return half_width(ADDITIVE["gaussian"], deviation**2, confidence)


def _grid(widest: float, own: float) -> NDArray[Any]:
    """Symmetric points over the picture and, more densely, over the hill itself; 0 among them."""
    both = np.concatenate([np.linspace(0, widest, HILL_POINTS // 2), np.linspace(0, own, 120)])
    right = np.unique(both)
    return np.concatenate([-right[:0:-1], right])
