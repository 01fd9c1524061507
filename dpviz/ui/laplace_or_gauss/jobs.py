"""The map of the page Laplace or Gauss, as workers compute it: a question in, three frames out."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from dpviz.charts.crossover import frame
from dpviz.charts.crossover.frame import RIGHT, Axis
from dpviz.planning.choice import Question


class Map(NamedTuple):
    """Which noise is smaller at each place, where both are equal, and how much each needs."""

    cells: pd.DataFrame
    lines: pd.DataFrame
    noise: pd.DataFrame


def regions(question: Question, axis: Axis, low: float) -> Iterator[tuple[float, Map | None]]:
    """Compute the map of a question.

    Args:
        question: the query.
        axis: what runs upwards.
        low: log₁₀ δ at the left edge.
    """
    cells = frame.crossover_map(question, axis, low, RIGHT)
    yield 0.5, None
    lines = frame.crossover_lines(question, axis, low)
    yield 0.95, None
    yield 1.0, Map(cells, lines, frame.crossover_noise(question, low, RIGHT))
