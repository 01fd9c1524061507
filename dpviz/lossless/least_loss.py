"""The least joint loss of two reports of one mechanism, over every way to draw them together.

Where no blur makes the sharper report into the noisier one (`kernels`), both may still be drawn
together so that they tell little more than the sharper one: for each data set d any joint law J_d
with the two given laws as its margins. The joint loss of such a J is the least ε with

    J_d(x, y) <= e^ε J_d'(x, y)     over neighbours d, d' and all pairs of reports (x, y)

and the least of it over all such J is sought. For each e^ε it is a linear program (HiGHS), and the
answer is bracketed by two bounds that are proved in fractions, however they were found:

    above    a joint law in fractions, whose margins are right and whose quotients are looked at
    below    weights w >= 0 on neighbours and pairs, and numbers g, for which with λ = e^ε
             Σ_d [Σ_x f_d(x) sharper(d, x) + Σ_y g_d(y) noisier(d, y)] > 0,
             f_d(x) = min_y [Σ_d' w_dd'(x, y) - λ w_d'd(x, y) - g_d(y)]
             as any J of loss ε would make this sum at most 0

Source: linear programming duality; docs/LOSSLESS.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.finite import FiniteMechanism, Row, both_ways, greatest
from dpviz.lossless.lattice import chances

Joint = tuple[tuple[Row, ...], ...]  # by data set, sharper outcome, noisier outcome
Pairs = list[tuple[int, int]]
Floats = NDArray[np.float64]
ROUNDING = 4e-16  # of a quotient as a float and its logarithm, relative to 1 and to itself
ZERO = 1e-10  # of floats: a joint chance below this under all data sets is taken for 0
PARTS = 10**9  # a dual value is rounded to a multiple of 1/PARTS; any rounding proves as much
ENDLESS = 10**300  # stands for no finite quotient
DIGITS = 10**15  # a float is rounded to a multiple of 1/DIGITS before fractions take over
MOST_UNKNOWNS = 4_000  # joint chances of all data sets
MOST_STEPS = 60
MOST_RATIO = 10**12  # e^ε of both reports together


@dataclass(frozen=True, slots=True)
class LeastLoss:
    """The least joint loss of two reports, between two proved bounds.

    Attributes:
        sharper: e^ε of the sharper report alone, which every joint law has at least.
        above: joint laws in fractions, by data set, sharper outcome and noisier outcome.
        low: e^ε below which no joint law comes.
        high: e^ε of `above`.
    """

    sharper: Fraction
    low: Fraction
    high: Fraction
    above: Joint

    def __post_init__(self) -> None:
        checks.instance(Fraction, sharper=self.sharper, low=self.low, high=self.high)
        if not 1 <= self.sharper <= self.low <= self.high:
            raise ParameterError("the bounds of e^ε must ascend from 1: sharper, low, high")
        for law in self.above:
            for row in law:
                chances(*row)
            if sum(map(sum, law)) != 1:
                raise ParameterError("each joint law above must add up to 1")

    @property
    def epsilons(self) -> tuple[float, float, float]:
        """ε of the sharper report alone, and the bounds of the joint one, in nats.

        The lower bound is rounded down, the upper one up.
        """
        alone, low, high = (math.log(each) for each in (self.sharper, self.low, self.high))
        return alone, max(low - ROUNDING * (1 + low), alone), high + ROUNDING * (1 + high)


def least_joint_loss(
    sharper: FiniteMechanism,
    noisier: FiniteMechanism,
    neighbours: Sequence[tuple[int, int]],
    *,
    tolerance: float = 1e-4,
) -> LeastLoss:
    """Bracket the least joint loss of two reports over every way to draw them together.

    Args:
        sharper: the less private mechanism.
        noisier: the more private one, about the same data sets.
        neighbours: pairs of data sets, by row; each counts in both directions.
        tolerance: how far apart the bounds of ε may be; both are proved, whatever it is.

    Raises:
        ParameterError: the mechanisms do not fit, together have more than 4,000 joint chances, or
            one of them has no finite loss.

    >>> from dpviz.lossless.finite import response
    >>> found = least_joint_loss(response("1/2", 2), response("1/4", 2), [(0, 1)])
    >>> found.sharper, round(found.epsilons[2], 3)  # no more than the sharper report alone
    (Fraction(3, 1), 1.099)
    """
    checks.positive(tolerance=tolerance)
    pairs, alone, least = _checked(sharper, noisier, neighbours)
    above = tuple(map(_apart, sharper.rows, noisier.rows))
    low, high, trial = least, _greatest(above, pairs), least
    program = _Program(sharper, noisier, pairs)
    for _ in range(MOST_STEPS):
        solved = program.at(float(trial))
        if solved is None:
            break
        joint, duals = solved
        found, before = _exact(joint, sharper, noisier), (low, high)
        if found is not None and (reached := _greatest(found, pairs)) < high:
            above, high = found, reached
        if trial > low and _proves(trial, duals, sharper, noisier, pairs):
            low = trial
        if math.log(high / low) <= tolerance or (trial > least and before == (low, high)):
            break
        trial = Fraction(math.sqrt(low * high)).limit_denominator(DIGITS)
    return LeastLoss(alone, low, high, above)


def _checked(
    sharper: FiniteMechanism, noisier: FiniteMechanism, neighbours: Sequence[tuple[int, int]]
) -> tuple[Pairs, Fraction, Fraction]:
    """The pairs in both directions, e^ε of the sharper report, and the greater of both reports."""
    checks.instance(FiniteMechanism, sharper=sharper, noisier=noisier)
    sets = len(sharper.rows)
    if sets != len(noisier.rows):
        raise ParameterError("sharper and noisier must be about the same data sets, row by row")
    if sets * sharper.outcomes * noisier.outcomes > MOST_UNKNOWNS:
        raise ParameterError(f"there may be at most {MOST_UNKNOWNS:,} joint chances; pass fewer")
    alone, other = sharper.ratio(neighbours), noisier.ratio(neighbours)
    if alone is None or other is None:
        raise ParameterError(
            "an outcome is possible for one neighbour only, so there is no finite loss; pass "
            "mechanisms whose chances are all above 0"
        )
    if alone * other > MOST_RATIO:
        raise ParameterError(
            "the loss of both reports is more than floats can weigh; pass mechanisms of a smaller ε"
        )
    return both_ways(neighbours, sets), alone, max(alone, other)


def _apart(mine: Row, theirs: Row) -> tuple[Row, ...]:
    """Both reports drawn apart: every joint chance is a product."""
    return tuple(tuple(a * b for b in theirs) for a in mine)


class _Program:
    """The linear program for any e^ε: by how much quotients must exceed it, and the duals."""

    def __init__(self, sharper: FiniteMechanism, noisier: FiniteMechanism, pairs: Pairs) -> None:
        self.pairs, self.sets = pairs, len(sharper.rows)
        self.shape = sharper.outcomes, noisier.outcomes
        p, q = (np.array(each.rows, dtype=float) for each in (sharper, noisier))
        ins, outs = self.shape
        rows = sparse.kron(sparse.identity(ins), np.ones((1, outs)))
        columns = sparse.kron(np.ones((1, ins)), sparse.identity(outs))
        margins = sparse.kron(sparse.identity(self.sets), sparse.vstack([rows, columns]))
        self.cells = ins * outs
        excess = sparse.csr_array((margins.shape[0], len(pairs) * self.cells))
        self.equal = sparse.hstack([margins, excess])
        self.aim = np.concatenate([p, q], axis=1).ravel()

    def at(self, ratio: float) -> tuple[Floats, tuple[Floats, Floats]] | None:
        """Joint chances, and duals: weights by pair of neighbours, prices of noisier margins.

        None where HiGHS finds the numbers too far apart.
        """
        which = sparse.lil_array((len(self.pairs), self.sets))
        for i, (one, other) in enumerate(self.pairs):
            which[i, one], which[i, other] = 1.0, -ratio
        unit = sparse.identity(self.cells)
        limits = sparse.kron(which, unit)
        excess = sparse.identity(len(self.pairs) * self.cells)
        size = self.sets * self.cells
        found = linprog(
            np.concatenate([np.zeros(size), np.ones(excess.shape[0])]),
            A_ub=sparse.hstack([limits, -excess]),
            b_ub=np.zeros(excess.shape[0]),
            A_eq=self.equal,
            b_eq=self.aim,
            method="highs-ds",
        )
        if found.x is None:
            return None
        prices = found.eqlin.marginals.reshape(self.sets, -1)[:, self.shape[0] :]
        weights = -found.ineqlin.marginals.reshape(len(self.pairs), *self.shape)
        return found.x[:size].reshape(self.sets, *self.shape), (weights, prices)


def _exact(joint: Floats, sharper: FiniteMechanism, noisier: FiniteMechanism) -> Joint | None:
    """Joint laws in fractions near these floats, with margins that are right; None if in vain."""
    kept = joint.max(axis=0) > ZERO
    laws = [
        _with_margins(law, kept, mine, theirs)
        for law, mine, theirs in zip(joint, sharper.rows, noisier.rows, strict=True)
    ]
    found = tuple(law for law in laws if law is not None)
    return found if len(found) == len(laws) else None


def _with_margins(law: Floats, kept: Floats, mine: Row, theirs: Row) -> tuple[Row, ...] | None:
    """All cells rounded but those of a spanning forest of the largest, which the margins fix."""
    cells = sorted(zip(*np.nonzero(kept), strict=True), key=lambda cell: -law[cell])
    root = list(range(len(mine) + len(theirs)))

    def top(i: int) -> int:
        while root[i] != i:
            i = root[i]
        return i

    found = [[Fraction(0)] * len(theirs) for _ in mine]
    left, tree = [*mine, *theirs], []
    for x, y in ((int(x), int(y)) for x, y in cells):
        ends = top(x), top(len(mine) + y)
        if ends[0] != ends[1]:
            root[ends[0]] = ends[1]
            tree.append((x, len(mine) + y))
        else:
            found[x][y] = Fraction(round(max(float(law[x, y]), 0.0) * DIGITS), DIGITS)
            left[x] -= found[x][y]
            left[len(mine) + y] -= found[x][y]
    while tree:
        degree = [sum(i in edge for edge in tree) for i in range(len(left))]
        x, y = edge = next(e for e in tree if 1 in (degree[e[0]], degree[e[1]]))
        value = left[x] if degree[x] == 1 else left[y]
        found[x][y - len(mine)] = value
        left[x], left[y] = left[x] - value, left[y] - value
        tree.remove(edge)
    if any(left) or min(map(min, found)) < 0:
        return None
    return tuple(map(tuple, found))


def _greatest(joint: Joint, pairs: Pairs) -> Fraction:
    """The greatest quotient over neighbours and pairs of reports: all cells are as one outcome."""
    rows = [tuple(chance for row in law for chance in row) for law in joint]
    found = greatest(rows, pairs)
    return found if found is not None else Fraction(ENDLESS)


def _proves(
    ratio: Fraction,
    duals: tuple[Floats, Floats],
    sharper: FiniteMechanism,
    noisier: FiniteMechanism,
    pairs: Pairs,
) -> bool:
    """Whether these weights and prices, as fractions, rule out every joint law of this ratio."""
    weights, prices = (np.vectorize(_rounded, otypes=[object])(dual) for dual in duals)
    sums = [np.tile(-row, (sharper.outcomes, 1)) for row in prices]
    for (one, other), table in zip(pairs, np.maximum(weights, 0), strict=True):
        sums[one] += table
        sums[other] -= ratio * table
    value = Fraction(0)
    for mine, theirs, price, table in zip(sharper.rows, noisier.rows, prices, sums, strict=True):
        value += sum(np.array(mine) * table.min(axis=1)) + sum(np.array(theirs) * price)
    return value > 0


def _rounded(value: float) -> Fraction:
    return Fraction(round(float(value) * PARTS), PARTS)
