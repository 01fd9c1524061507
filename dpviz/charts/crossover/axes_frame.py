"""The axes of the pictures "Laplace or Gauss": how far δ and the vertical axis run.

log₁₀ δ runs from where somebody wants it, or further if the query's own δ* lies beyond; upwards run
ε, or R² = (Δ₁/Δ₂)², both by equal ratios.
"""

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.crossover import crossover_dimension
from dpviz.planning.choice import Choice, Question

Axis = Literal["epsilon", "moved"]
LN_10 = math.log(10)
RIGHT = math.log10(0.5)  # the right edge: beyond it δ promises nothing
EPSILONS = (0.008, 12.0)  # the vertical axis, unless the query's own ε lies beyond
DEPTHS = (-15, -60, -300)  # what can be chosen for the left edge


def left_edge(choice: Choice, wanted: float) -> float:
    """Where the axis of δ begins: as wanted, or at a round power of ten before δ and δ*.

    >>> from dpviz.planning.choice import choose
    >>> at = dict(epsilon=1.0, l2=1.0)
    >>> left_edge(choose(Question(log_delta=-14.0, l1=1.0, **at)), -15)
    -15.0
    >>> left_edge(choose(Question(log_delta=-14.0, l1=10.0, **at)), -15)
    -50.0
    """
    needed = min(choice.question.log_delta, choice.crossover) / LN_10
    if needed > 0.95 * wanted:
        return float(wanted)
    step = 5.0 * 10.0 ** math.floor(math.log10(-needed / 4))
    return -step * math.ceil(-needed * 1.04 / step)


def moved_at(epsilon: float, log_delta: float) -> float:
    """The R² up to which Laplace noise has the smaller variance.

    >>> round(moved_at(1.0, math.log(1e-6)), 4)
    8.924
    """
    return float(crossover_dimension(epsilon, log_delta))


def vertical(question: Question, axis: Axis, low: float) -> tuple[float, float]:
    """The ends of the vertical axis, in ε or in R²."""
    if axis == "epsilon":
        return min(EPSILONS[0], question.epsilon / 1.5), max(EPSILONS[1], question.epsilon * 1.5)
    return 1.0, 1.25 * max(8.0, question.moved, moved_at(question.epsilon, low * LN_10))


def heights(question: Question, axis: Axis, low: float, count: int) -> NDArray[Any]:
    """`count` values along the vertical axis, each the same multiple of the one before."""
    bottom, top = vertical(question, axis, low)
    return np.geomspace(bottom, top, count)
