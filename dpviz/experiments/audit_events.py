"""What a distinguishing game looks at: numbers computed from the outputs of a run, and events.

An event is "this number is above c", or "at most c". Events are chosen on runs that are thrown away
afterwards, so nothing that is learned here can make a certificate wrong, only weak. Looked at are

    number       one output                        difference   of two outputs
    agreement    how near two outputs are; 0 apart is an event of its own
    sum          the weighted sum that tells two normal laws of these moments apart: averaging
    digit        the place of the last binary digit of one output: what floats give away
    cells        how much likelier a cell of a grid over one output and one difference is

and whatever the caller adds, such as the likelihood ratio of a known law (`Likelihood`).
Limits: finitely many statistics; a leak that none of them sees stays unseen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.experiments.attack import log_ratio
from dpviz.noise.family import Family

Floats = NDArray[np.float64]
NUMBER, DIFFERENCE, AGREEMENT, SUM, DIGIT = "number", "difference", "agreement", "sum", "digit"
CELLS, LIKELIHOOD = "cells", "likelihood"
MOST_OUTPUTS = 32  # of one run: all pairs of them are looked at
MOST_GRIDS = 20  # pairs of outputs that get a grid of cells
SIDE = 24  # cells along one side of a grid
RIDGE = 1e-9  # of the largest variance: outputs that are copies of each other
NO_DIGIT = 1100.0  # place of the last digit of 0: above that of every float
SHARES = np.geomspace(1e-4, 0.5, 40)  # of runs beyond a threshold, on either side


class Statistic(Protocol):
    """A number that is computed from the outputs of each run."""

    @property
    def kind(self) -> str:
        """One of the kinds above, or a name of the caller's."""

    @property
    def places(self) -> tuple[int, ...]:
        """Which outputs it looks at."""

    def of(self, runs: Floats) -> Floats:
        """The number of each run, shape (n,), from the outputs, shape (n, outputs)."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One of the plain statistics: of one output, of two, or a weighted sum.

    >>> Seen("difference", (0, 1)).of(np.array([[1.0, 4.0]])).tolist()
    [3.0]
    >>> Seen("digit", (0,)).of(np.array([[0.75], [6.0]])).tolist()  # 2⁻² and 2¹
    [-2.0, 1.0]
    """

    kind: str
    places: tuple[int, ...]
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        checks.one_of((NUMBER, DIFFERENCE, AGREEMENT, SUM, DIGIT), kind=self.kind)
        for place in self.places:
            checks.whole(0, place=place)
        for weight in self.weights:
            checks.finite(weight=weight)

    def of(self, runs: Floats) -> Floats:
        """The number of each run."""
        if self.kind == SUM:
            return np.asarray(runs[:, list(self.places)] @ np.array(self.weights))
        first = runs[:, self.places[0]]
        if self.kind == NUMBER:
            return first
        if self.kind == DIGIT:
            return _last_digit(first)
        apart: Floats = runs[:, self.places[1]] - first
        return apart if self.kind == DIFFERENCE else -np.abs(apart)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """How much likelier one data set is in each cell of a grid, as it was counted.

    The grid is laid over one output and the difference of another one from it.
    """

    places: tuple[int, int]
    columns: Floats  # ends between the cells along the output
    rows: Floats  # along the difference
    scores: Floats  # shape (columns + 1, rows + 1)
    kind = CELLS

    def __post_init__(self) -> None:
        for place in self.places:
            checks.whole(0, place=place)
        checks.arrays(1, columns=self.columns)
        checks.arrays(1, rows=self.rows)
        checks.arrays(2, scores=self.scores)

    def of(self, runs: Floats) -> Floats:
        """The score of the cell that each run is in."""
        return np.asarray(self.scores[_cell(self.columns, self.rows, runs, self.places)])


@dataclass(frozen=True, slots=True, eq=False)
class Likelihood:
    """The log likelihood ratio of the outputs of one release, if its noise has a known law."""

    family: Family
    level: float
    shifts: tuple[float, ...]  # what one person moves each coordinate by
    places: tuple[int, ...]  # the outputs that are its coordinates
    kind = LIKELIHOOD

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        for place in self.places:
            checks.whole(0, place=place)
        for shift in self.shifts:
            checks.finite(shift=shift)

    def of(self, runs: Floats) -> Floats:
        """The log ratio of each run."""
        held = runs[:, list(self.places)].ravel()
        return log_ratio(self.family, held, self.level, np.array(self.shifts))


@dataclass(frozen=True, slots=True)
class Event:
    """A statistic is above a threshold, or at most it.

    Attributes:
        statistic: what is looked at.
        threshold: where it is cut.
        above: whether the event is the part above.
        inside: whether the event is likelier with the person than without.
    """

    statistic: Statistic
    threshold: float
    above: bool
    inside: bool

    def __post_init__(self) -> None:
        checks.between(-np.inf, np.inf, threshold=self.threshold)
        checks.instance(bool, above=self.above, inside=self.inside)

    def count(self, runs: Floats) -> int:
        """In how many runs it happens.

        >>> Event(Seen("number", (0,)), 2.0, True, True).count(np.array([[1.0], [2.0], [3.0]]))
        1
        """
        beyond = int(np.count_nonzero(self.statistic.of(runs) > self.threshold))
        return beyond if self.above else len(runs) - beyond


def statistics(out: Floats, inside: Floats, *, digits: bool = True) -> list[Statistic]:
    """What is worth looking at in these runs.

    Args:
        out: outputs of runs without the person, shape (n, outputs).
        inside: of runs with the person, likewise.
        digits: whether to look at last binary digits.

    Raises:
        ParameterError: there are no outputs, or more than `MOST_OUTPUTS`.

    >>> found = statistics(np.zeros((9, 2)), np.ones((9, 2)))
    >>> [each.kind for each in found]
    ['number', 'number', 'digit', 'digit', 'difference', 'agreement', 'sum', 'cells', 'cells']
    """
    outputs = out.shape[1]
    if not 1 <= outputs <= MOST_OUTPUTS:
        raise ParameterError(f"a run has 1 to {MOST_OUTPUTS} outputs; pass a smaller coalition")
    pairs = list(combinations(range(outputs), 2))
    alone = (NUMBER, DIGIT) if digits else (NUMBER,)
    found: list[Statistic] = [Seen(kind, (k,)) for kind in alone for k in range(outputs)]
    found += [Seen(kind, pair) for kind in (DIFFERENCE, AGREEMENT) for pair in pairs]
    if outputs > 1:
        found.append(_best_sum(out, inside))
    grids = [(i, j) for pair in pairs for i, j in (pair, pair[::-1])][:MOST_GRIDS]
    return [*found, *(_grid(pair, out, inside) for pair in grids or [(0, 0)])]


def thresholds(scores: Floats) -> Floats:
    """Where a statistic is cut: at shares of the runs on either side, ties left whole.

    >>> thresholds(np.array([0.0, 0.0, 1.0, 1.0, 4.0])).tolist()
    [0.0, 1.0]
    """
    ordered = np.sort(scores)
    places = (np.r_[SHARES, 1 - SHARES] * (ordered.size - 1)).astype(int)
    return np.unique(ordered[places])


def _best_sum(out: Floats, inside: Floats) -> Seen:
    """Weights of the linear test of two normal laws: inverse covariance times the difference."""
    centred = np.concatenate([runs - runs.mean(axis=0) for runs in (out, inside)])
    covariance = np.atleast_2d(centred.T @ centred) / len(centred)
    ridge = RIDGE * max(float(np.diag(covariance).max()), 1e-12)
    moved = inside.mean(axis=0) - out.mean(axis=0)
    weights = np.linalg.solve(covariance + ridge * np.eye(len(moved)), moved)
    return Seen(SUM, tuple(range(len(moved))), tuple(weights.tolist()))


def _grid(pair: tuple[int, int], out: Floats, inside: Floats) -> Cells:
    """A grid whose lines are quantiles of all runs, with a line on either side of ties."""
    both = np.concatenate([out, inside])
    first = both[:, pair[0]]
    columns, rows = (_lines(x) for x in (first, both[:, pair[1]] - first))
    shape = (columns.size + 1, rows.size + 1)
    counts = []
    for runs in (out, inside):
        places = _cell(columns, rows, runs, pair)
        counts.append(
            np.bincount(np.ravel_multi_index(places, shape), minlength=shape[0] * shape[1])
        )
    ratio = np.log((counts[1] + 0.5) / (counts[0] + 0.5)).reshape(shape)
    return Cells(pair, columns, rows, ratio)


def _lines(numbers: Floats) -> Floats:
    ends = np.unique(np.quantile(numbers, np.linspace(0, 1, SIDE + 1)[1:-1]))
    return np.unique(np.concatenate([ends, np.nextafter(ends, -np.inf)]))


def _cell(columns: Floats, rows: Floats, runs: Floats, pair: Sequence[int]) -> Any:
    first = runs[:, pair[0]]
    apart = runs[:, pair[1]] - first
    return np.searchsorted(columns, first), np.searchsorted(rows, apart)


def _last_digit(numbers: Floats) -> Floats:
    """Exponent of the last binary digit that is not 0."""
    part, exponent = np.frexp(numbers)
    whole = np.abs(part * 2.0**53).astype(np.int64)
    last = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    return np.where(whole == 0, NO_DIGIT, exponent - 53 + last)
