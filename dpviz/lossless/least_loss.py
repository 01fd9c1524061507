"""The least joint loss of several reports of one mechanism, over every way to draw them together.

Where no blur makes the sharper report into the noisier one (`kernels`), all may still be drawn
together so that they tell little more than the sharpest one: for each data set d any joint law J_d
with the given laws as its margins. The joint loss of such a J is the least ε with

    J_d(x, y, …) <= e^ε J_d'(x, y, …)     over neighbours d, d' and all reports x, y, …

and the least of it over all such J is sought. For each e^ε it is a linear program (HiGHS), and the
answer is bracketed by two bounds that are proved in fractions, however they were found:

    above    a joint law in fractions, whose margins are right and whose quotients are looked at
    below    weights w >= 0 on neighbours and reports, and numbers g, for which with λ = e^ε
             Σ_d [Σ_x f_d(x) first(d, x) + Σ_y g_d(y) second(d, y) + …] > 0,
             f_d(x) = min_y… [Σ_d' w_dd'(x, y, …) - λ w_d'd(x, y, …) - g_d(y) - …]
             as any J of loss ε would make this sum at most 0

For two data sets and any number of reports it is the largest ε of one report: each report is a
blur of randomised response at its ε [KOV15], and so of that at the largest.
Limits: pure ε; tables of a few outcomes. A joint law says nothing of a further report.
Source: linear programming duality; docs/LOSSLESS.md, MATHEMATICS 17.1.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.finite import FiniteMechanism, Row, both_ways, greatest
from dpviz.lossless.lattice import chances

Joint = tuple[Row, ...]  # by data set; all combinations of outcomes, the last report's fastest
Pairs = list[tuple[int, int]]
Floats = NDArray[np.float64]
Whole = NDArray[np.intp]
ROUNDING = 4e-16  # of a quotient as a float and its logarithm, relative to 1 and to itself
ZERO = 1e-10  # of floats: a joint chance below this under all data sets is taken for 0
FINE = 1e-10  # the finest that HiGHS takes: a small chance under one data set counts under another
PARTS = 10**9  # a dual value is rounded to a multiple of 1/PARTS; any rounding proves as much
ENDLESS = 10**300  # stands for no finite quotient
DIGITS = 10**15  # a float is rounded to a multiple of 1/DIGITS before fractions take over
MOST_UNKNOWNS = 4_000  # joint chances of all data sets
MOST_STEPS = 60
MOST_RATIO = 10**12  # e^ε of all reports together
MOST_REPORTS = 6
APART = 1e-6  # of a column from the span of others: these are of zeros and ones


@dataclass(frozen=True, slots=True)
class LeastLoss:
    """The least joint loss of several reports, between two proved bounds.

    Attributes:
        alone: the greatest e^ε of any one report, which every joint law has at least.
        low: e^ε below which no joint law comes.
        high: e^ε of `above`.
        above: joint laws in fractions, by data set; of all combinations of outcomes, in the order
            of `itertools.product`.
    """

    alone: Fraction
    low: Fraction
    high: Fraction
    above: Joint

    def __post_init__(self) -> None:
        checks.instance(Fraction, alone=self.alone, low=self.low, high=self.high)
        if not 1 <= self.alone <= self.low <= self.high:
            raise ParameterError("the bounds of e^ε must ascend from 1: alone, low, high")
        for law in self.above:
            chances(*law)
            if sum(law) != 1:
                raise ParameterError("each joint law above must add up to 1")

    @property
    def epsilons(self) -> tuple[float, float, float]:
        """ε of the sharpest report alone, and the bounds of the joint one, in nats.

        The lower bound is rounded down, the upper one up.
        """
        alone, low, high = (math.log(each) for each in (self.alone, self.low, self.high))
        return alone, max(low - ROUNDING * (1 + low), alone), high + ROUNDING * (1 + high)


def least_joint_loss(
    reports: Sequence[FiniteMechanism],
    neighbours: Sequence[tuple[int, int]],
    *,
    tolerance: float = 1e-4,
) -> LeastLoss:
    """Bracket the least joint loss of several reports over every way to draw them together.

    Args:
        reports: the mechanisms, 2 to 6 of them, about the same data sets, row by row.
        neighbours: pairs of data sets, by row; each counts in both directions.
        tolerance: how far apart the bounds of ε may be; both are proved, whatever it is.

    Raises:
        ParameterError: the mechanisms do not fit, together have more than 4,000 joint chances, or
            one of them has no finite loss.

    >>> from dpviz.lossless.finite import response
    >>> three = [response(kept, 2) for kept in ("1/2", "1/4", "1/8")]
    >>> found = least_joint_loss(three, [(0, 1)])
    >>> found.alone, round(found.epsilons[2], 3)  # no more than the sharpest report alone
    (Fraction(3, 1), 1.099)
    """
    checks.positive(tolerance=tolerance)
    tables, pairs, least = _checked(reports, neighbours)
    above = tuple(_apart([table.rows[d] for table in tables]) for d in range(len(tables[0].rows)))
    low, high, trial = least, _greatest(above, pairs), least
    program = _Program(tables, pairs)
    for _ in range(MOST_STEPS):
        solved = program.at(float(trial))
        if solved is None:
            break
        joint, duals = solved
        found, before = program.exact(joint), (low, high)
        if found is not None and (reached := _greatest(found, pairs)) < high:
            above, high = found, reached
        if trial > low and program.proves(trial, duals):
            low = trial
        if math.log(high / low) <= tolerance or (trial > least and before == (low, high)):
            break
        trial = Fraction(math.sqrt(low * high)).limit_denominator(DIGITS)
    return LeastLoss(least, low, high, above)


def _checked(
    reports: Sequence[FiniteMechanism], neighbours: Sequence[tuple[int, int]]
) -> tuple[list[FiniteMechanism], Pairs, Fraction]:
    """The tables, the pairs in both directions, and the greatest e^ε of any one report."""
    tables = checks.listed(reports=reports)
    if not 2 <= len(tables) <= MOST_REPORTS:
        raise ParameterError(f"reports must hold 2 to {MOST_REPORTS} mechanisms")
    for table in tables:
        checks.instance(FiniteMechanism, reports=table)
    sets = len(tables[0].rows)
    if any(len(table.rows) != sets for table in tables):
        raise ParameterError("reports must be about the same data sets, row by row")
    if sets * math.prod(table.outcomes for table in tables) > MOST_UNKNOWNS:
        raise ParameterError(f"there may be at most {MOST_UNKNOWNS:,} joint chances; pass fewer")
    ratios = []
    for table in tables:
        if (ratio := table.ratio(neighbours)) is None:
            raise ParameterError(
                "an outcome is possible for one neighbour only, so there is no finite loss; pass "
                "mechanisms whose chances are all above 0"
            )
        ratios.append(ratio)
    if math.prod(ratios) > MOST_RATIO:
        raise ParameterError(
            "the loss of all reports is more than floats can weigh; pass mechanisms of a smaller ε"
        )
    return tables, both_ways(neighbours, sets), max(ratios)


def _apart(rows: Sequence[Row]) -> Row:
    """All reports drawn apart: every joint chance is a product."""
    return tuple(math.prod(chances, start=Fraction(1)) for chances in itertools.product(*rows))


class _Program:
    """The linear program for any e^ε: by how much quotients must exceed it, and the duals."""

    def __init__(self, tables: Sequence[FiniteMechanism], pairs: Pairs) -> None:
        self.tables, self.pairs, self.sets = tables, pairs, len(tables[0].rows)
        self.shape = tuple(table.outcomes for table in tables)
        self.cells = math.prod(self.shape)
        places = np.indices(self.shape).reshape(len(tables), -1)
        margins = [
            place == x for place, many in zip(places, self.shape, strict=True) for x in range(many)
        ]
        self.margins = np.array(margins, dtype=float)  # by report and outcome, and cell
        self.aims = [
            [chance for table in tables for chance in table.rows[d]] for d in range(self.sets)
        ]
        whole = sparse.kron(sparse.identity(self.sets), self.margins)
        excess = sparse.csr_array((whole.shape[0], len(pairs) * self.cells))
        self.equal = sparse.hstack([whole, excess])

    def at(self, ratio: float) -> tuple[Floats, tuple[Floats, Floats]] | None:
        """Joint chances, and duals: weights by pair of neighbours, prices of margins.

        None where HiGHS finds the numbers too far apart.
        """
        which = sparse.lil_array((len(self.pairs), self.sets))
        for i, (one, other) in enumerate(self.pairs):
            which[i, one], which[i, other] = 1.0, -ratio
        limits = sparse.kron(which, sparse.identity(self.cells))
        excess = sparse.identity(len(self.pairs) * self.cells)
        size = self.sets * self.cells
        found = linprog(
            np.concatenate([np.zeros(size), np.ones(excess.shape[0])]),
            A_ub=sparse.hstack([limits, -excess]),
            b_ub=np.zeros(excess.shape[0]),
            A_eq=self.equal,
            b_eq=np.array(self.aims, dtype=float).ravel(),
            method="highs-ds",
            options={"primal_feasibility_tolerance": FINE, "dual_feasibility_tolerance": FINE},
        )
        if found.x is None:
            return None
        prices = found.eqlin.marginals.reshape(self.sets, -1)
        weights = -found.ineqlin.marginals.reshape(len(self.pairs), *self.shape)
        return found.x[:size].reshape(self.sets, self.cells), (weights, prices)

    def exact(self, joint: Floats) -> Joint | None:
        """Joint laws in fractions near these, with margins that are right; None if in vain."""
        kept = np.flatnonzero(joint.max(axis=0) > ZERO)
        laws = [
            self._with_margins(law, kept, aim) for law, aim in zip(joint, self.aims, strict=True)
        ]
        found = tuple(law for law in laws if law is not None)
        return found if len(found) == len(laws) else None

    def _with_margins(self, law: Floats, kept: Whole, aim: list[Fraction]) -> Row | None:
        """All cells rounded but those of a basis of the largest, which the margins fix."""
        cells = kept[np.argsort(-law[kept], kind="stable")]
        basis = _basis(self.margins, cells)
        found = [Fraction(0)] * self.cells
        left = [*aim]
        for cell in {*cells.tolist()} - {*basis}:
            found[cell] = Fraction(round(max(float(law[cell]), 0.0) * DIGITS), DIGITS)
            for row in np.flatnonzero(self.margins[:, cell]):
                left[row] -= found[cell]
        solved = _solved([[int(v) for v in row] for row in self.margins[:, basis]], left)
        if solved is None or min(solved, default=0) < 0:
            return None
        for cell, value in zip(basis, solved, strict=True):
            found[cell] = value
        return tuple(found)

    def proves(self, ratio: Fraction, duals: tuple[Floats, Floats]) -> bool:
        """Whether these, as fractions, rule out every joint law of this ratio."""
        weights, prices = (np.vectorize(_rounded, otypes=[object])(dual) for dual in duals)
        first, several = self.shape[0], len(self.shape)
        sums = [self._priced(row[first:]) for row in prices]
        for (one, other), table in zip(self.pairs, np.maximum(weights, 0), strict=True):
            sums[one] = sums[one] + table
            sums[other] = sums[other] - ratio * table
        value = Fraction(0)
        for aim, price, table in zip(self.aims, prices, sums, strict=True):
            least = table.min(axis=tuple(range(1, several)))
            value += sum(np.array(aim[:first]) * least) + sum(np.array(aim[first:]) * price[first:])
        return value > 0

    def _priced(self, prices: Any) -> Any:
        """Minus the prices of all reports but the first, at each combination of outcomes."""
        total, start = np.zeros(self.shape, dtype=int).astype(object), 0
        for axis, many in enumerate(self.shape[1:], start=1):
            along = [1] * len(self.shape)
            along[axis] = many
            total = total - prices[start : start + many].reshape(along)
            start += many
        return total


def _basis(margins: Floats, cells: Whole) -> list[int]:
    """The first of these cells whose columns are independent."""
    found: list[int] = []
    space = np.zeros((margins.shape[0], 0))
    for cell in cells.tolist():
        column = margins[:, cell]
        for _ in range(2):  # once more against rounding
            column = column - space @ (space.T @ column)
        if (size := float(np.linalg.norm(column))) > APART:
            space = np.column_stack([space, column / size])
            found.append(cell)
    return found


def _solved(rows: list[list[int]], aim: list[Fraction]) -> list[Fraction] | None:
    """The one solution of equations with independent columns; None: there is none."""
    table = [[*map(Fraction, row), value] for row, value in zip(rows, aim, strict=True)]
    many = len(table[0]) - 1
    for column in range(many):
        place = next(i for i in range(column, len(table)) if table[i][column])
        table[column], table[place] = table[place], table[column]
        head = table[column] = [each / table[column][column] for each in table[column]]
        for i, row in enumerate(table):
            if i != column and row[column]:
                table[i] = [a - row[column] * b for a, b in zip(row, head, strict=True)]
    if any(row[-1] for row in table[many:]):
        return None
    return [row[-1] for row in table[:many]]


def _greatest(joint: Joint, pairs: Pairs) -> Fraction:
    """The greatest quotient over neighbours and combinations, which are as one outcome each."""
    found = greatest(joint, pairs)
    return found if found is not None else Fraction(ENDLESS)


def _rounded(value: float) -> Fraction:
    return Fraction(round(float(value) * PARTS), PARTS)
