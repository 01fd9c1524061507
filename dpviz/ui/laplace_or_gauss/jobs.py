"""The map of the page Laplace or Gauss, as workers compute it: a question in, plain rows out."""

from collections.abc import Iterator
from typing import NamedTuple

from dpviz.charts.crossover import points
from dpviz.charts.crossover.points import RIGHT, Axis, Cell, Point
from dpviz.planning.choice import Question


class Map(NamedTuple):
    """Which noise is smaller at each place, where both are equal, and how much each needs."""

    cells: tuple[Cell, ...]
    lines: tuple[Point, ...]
    noise: tuple[Point, ...]


def regions(question: Question, axis: Axis, low: float) -> Iterator[tuple[float, Map | None]]:
    """Compute the map of a question.

    Args:
        question: the query.
        axis: what runs upwards.
        low: log₁₀ δ at the left edge.
    """
    cells = points.cells(question, axis, low, RIGHT)
    yield 0.5, None
    lines = points.lines(question, axis, low)
    yield 0.95, None
    yield 1.0, Map(cells, lines, points.noise(question, low, RIGHT))
