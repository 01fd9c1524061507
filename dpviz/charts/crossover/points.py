"""Laplace against Gaussian as plain rows: which is smaller at each place, and where both are equal.

They take long, so workers compute them, without pandas; frame.py makes frames of them. δ runs over
hundreds of decades, so every row carries log₁₀ δ, from where somebody wants it, or
further if the query's own δ* lies beyond; δ itself is never formed. Upwards run ε, or
R² = (Δ₁/Δ₂)² in whole numbers, both by equal ratios. Laplace noise may use δ wherever its exact
curve is known: colours and the lines over δ are read off a table of it, within 1 %; lines of equal
variance join exact points. Nothing here knows the data: all of it is public.
"""

import math
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.crossover import (
    classical_gaussian_sigma,
    crossover_dimension,
    crossover_log_delta,
)
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.accounting.laplace import l2_mechanism, laplace_l2_scale
from dpviz.accounting.laplace_alike import HALF as LOG_HALF
from dpviz.accounting.laplace_alike import laplace_alike_scales, within_reach
from dpviz.charts.axes import LN_10
from dpviz.planning.choice import CLASSICAL_UP_TO, Choice, Question, gauss_between

Axis = Literal["epsilon", "moved"]
Cell = tuple[float, float, float]  # log₁₀ δ, height, log₂ of the ratio of variances
Point = tuple[str, float, float]  # of which line or noise; two coordinates
RIGHT = math.log10(0.5)  # the right edge: beyond it δ promises nothing
EPSILONS = (0.008, 12.0)  # the vertical axis, unless the query's own ε lies beyond
DEPTHS = (-15, -60, -300)  # what can be chosen for the left edge
EXACT, PURE, CLASSICAL, SWITCH = "exact", "pure", "classical", "switch"
LAPLACE, LAPLACE_PURE, LAPLACE_L2 = "laplace_least", "laplace_pure", "laplace_l2"
GAUSS, GAUSS_CLASSICAL = "gauss", "gauss_classical"
COLUMNS, ROWS, LINE_POINTS, NOISE_POINTS = 33, 17, 81, 81
TIP_STEPS = 7  # of the search for the end of a line of exact points


def left_edge(choice: Choice, wanted: float) -> float:
    """Where the axis of δ begins: as wanted, or at a round power of ten before δ and δ*.

    >>> from dpviz.planning.choice import choose
    >>> at = dict(epsilon=1.0, l2=1.0)
    >>> left_edge(choose(Question(log_delta=-14.0, l1=1.0, **at)), -15)
    -15.0
    >>> left_edge(choose(Question(log_delta=-14.0, l1=10.0, **at)), -15)
    -50.0
    """
    needed = min(choice.question.log_delta, choice.crossover_pure) / LN_10
    if needed > 0.95 * wanted:
        return float(wanted)
    step = 5.0 * 10.0 ** math.floor(math.log10(-needed / 4))
    return -step * math.ceil(-needed * 1.04 / step)


def moved_at(epsilon: float, log_delta: float) -> float:
    """The R² up to which pure Laplace noise has the smaller variance.

    >>> round(moved_at(1.0, math.log(1e-6)), 4)
    8.924
    """
    return crossover_dimension(epsilon, log_delta)


def vertical(question: Question, axis: Axis, low: float) -> tuple[float, float]:
    """The ends of the vertical axis, in ε or in R²."""
    if axis == "epsilon":
        return min(EPSILONS[0], question.epsilon / 1.5), max(EPSILONS[1], question.epsilon * 1.5)
    most = 1.25 * max(8.0, question.moved, moved_at(question.epsilon, low * LN_10))
    return 1.0, float(math.ceil(most))


def heights(question: Question, axis: Axis, low: float, count: int) -> NDArray[Any]:
    """At most `count` values along the vertical axis, by equal ratios; of R² the whole ones."""
    bottom, top = vertical(question, axis, low)
    found = np.geomspace(bottom, top, count)
    return found if axis == "epsilon" else np.unique(found.round())


def counted(question: Question, axis: Axis, height: float) -> int | None:
    """How many numbers are moved alike at this height; None where no curve is known for them."""
    count = round(height) if axis == "moved" and question.alike else question.count
    epsilon = height if axis == "epsilon" else question.epsilon
    return count if count is not None and within_reach(epsilon, count) else None


@lru_cache(maxsize=20_000)  # pure mathematics of public numbers; a map asks for the same again
def _unit_sigma(epsilon: float, log_delta: float) -> float:
    """Standard deviation of exact Gaussian noise for Δ₂ = 1."""
    return gaussian_sigma(epsilon, log_delta, 1.0)


def cells(question: Question, axis: Axis, low: float, high: float) -> tuple[Cell, ...]:
    """How many times the variance Laplace noise has, over δ and over `axis`.

    Args:
        question: the query; whichever of its numbers the axes show is left out.
        axis: what runs upwards: "epsilon", or "moved" for (Δ₁/Δ₂)².
        low: log₁₀ δ at the left edge.
        high: log₁₀ δ at the right edge, below 0.

    Returns:
        up to `ROWS` rows for each of `COLUMNS` values of δ; log₂ of the variance of Laplace noise
        over that of exact Gaussian noise: below 0 Laplace noise is the more exact.
    """
    across, up = np.linspace(low, high, COLUMNS), heights(question, axis, low, ROWS)
    found: list[Cell] = []
    for y in up.tolist():
        epsilon = y if axis == "epsilon" else question.epsilon
        moved = y if axis == "moved" else question.moved
        scales = _unit_scales(epsilon, across * LN_10, counted(question, axis, y))
        for x, scale in zip(across.tolist(), scales.tolist(), strict=True):
            ratio = scale / _unit_sigma(epsilon, x * LN_10)
            found.append((x, y, math.log2(2 * moved) + 2 * math.log2(ratio)))
    return tuple(found)


def _unit_scales(
    epsilon: float, log_deltas: NDArray[Any], count: int | None
) -> NDArray[np.float64]:
    """Scales of the least Laplace noise for Δ₁ = 1: pure where the exact curve is not known."""
    if count is None:
        return np.full(len(log_deltas), 1 / epsilon)
    return laplace_alike_scales(epsilon, np.minimum(log_deltas, LOG_HALF), count)


def lines(question: Question, axis: Axis, low: float) -> tuple[Point, ...]:
    """Where both have the same variance, and where the ℓ2 Laplace scale takes over.

    Args:
        question: the query, as for `cells`.
        axis: what runs upwards.
        low: log₁₀ δ at the left edge.

    Returns:
        line by line, log₁₀ δ and height: "exact" with Laplace noise that may use δ, its points in
        the order in which they are joined; "pure" with pure Laplace noise, the paper's line; both
        against exactly calibrated Gaussian noise; "classical" for pure Laplace noise against the
        classical formula (ε up to 1 only), "switch" of [APT24, Theorem 1.3]. Points may lie beyond
        the edges.
    """
    rows = [(EXACT, x, y) for x, y in _exact_line(question, axis, low)]
    for y in heights(question, axis, low, LINE_POINTS).tolist():
        epsilon = y if axis == "epsilon" else question.epsilon
        ratio = math.sqrt(y if axis == "moved" else question.moved)
        rows.append((PURE, crossover_log_delta(epsilon, ratio, 1.0) / LN_10, y))
        if epsilon <= CLASSICAL_UP_TO:
            classical = crossover_log_delta(epsilon, ratio, 1.0, gaussian="classical")
            rows.append((CLASSICAL, classical / LN_10, y))
        switch = l2_mechanism(epsilon, low * LN_10, 1.0, l1_sensitivity=ratio).log_delta_switch
        if switch < 0:
            rows.append((SWITCH, switch / LN_10, y))
    return _by_name(rows)


def _exact_line(question: Question, axis: Axis, low: float) -> list[tuple[float, float]]:
    """log₁₀ δ and height of equal variance: up to the tip of Gauss's region, and back."""
    own = question.epsilon if axis == "epsilon" else question.moved
    rows = heights(question, axis, low, ROWS)[::2]  # their curves are known from the map
    up = np.unique(np.append(rows, own)).tolist()
    if axis == "moved" and question.count is None:
        up.remove(own)
    up = [y for y in up if counted(question, axis, y) is not None]
    found = {y: _between(question, axis, y) for y in up}
    inside = [y for y in up if found[y] is not None]
    beyond = [y for y in up if inside and found[y] is None and y > inside[-1]]
    if axis == "epsilon" and beyond:
        last, none = inside[-1], beyond[0]
        for _ in range(TIP_STEPS):
            middle = math.sqrt(last * none)
            found[middle] = _between(question, axis, middle)
            last, none = (last, middle) if found[middle] is None else (middle, none)
    ends = [(y, ends) for y, ends in sorted(found.items()) if ends is not None]
    there = [(begin / LN_10, y) for y, (begin, _) in ends]
    back = [(end / LN_10, y) for y, (_, end) in reversed(ends) if end < LOG_HALF]
    return there + back


def _between(question: Question, axis: Axis, height: float) -> tuple[float, float] | None:
    epsilon = height if axis == "epsilon" else question.epsilon
    moved = height if axis == "moved" else question.moved
    return gauss_between(epsilon, moved, counted(question, axis, height))


def noise(question: Question, low: float, high: float) -> tuple[Point, ...]:
    """Standard deviation that each noise needs at the question's ε, for every δ between the edges.

    Returns:
        noise by noise, log₁₀ δ and deviation in units of the statistic; the classical Gaussian only
        up to ε = 1, and Laplace noise that uses δ only where its exact curve is known.
    """
    q = question
    l1 = math.sqrt(2) * max(q.l1, q.l2)
    across = np.linspace(low, high, NOISE_POINTS)
    count = counted(q, "epsilon", q.epsilon)
    scales = _unit_scales(q.epsilon, across * LN_10, count)
    rows: list[Point] = []
    for x, scale in zip(across.tolist(), scales.tolist(), strict=True):
        log_delta = x * LN_10
        if count is not None:
            rows.append((LAPLACE, x, l1 * scale))
        rows.append((LAPLACE_PURE, x, l1 / q.epsilon))
        l2 = math.sqrt(2) * laplace_l2_scale(q.epsilon, log_delta, q.l2)
        rows.append((LAPLACE_L2, x, l2))
        rows.append((GAUSS, x, q.l2 * _unit_sigma(q.epsilon, log_delta)))
        if q.epsilon <= CLASSICAL_UP_TO:
            sigma = classical_gaussian_sigma(q.epsilon, log_delta, q.l2)
            rows.append((GAUSS_CLASSICAL, x, sigma))
    return _by_name(rows)


def _by_name(rows: list[Point]) -> tuple[Point, ...]:
    """All points of one line or noise together, in the order in which they were found."""
    return tuple(sorted(rows, key=lambda row: row[0]))
