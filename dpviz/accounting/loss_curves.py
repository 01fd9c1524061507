"""Delta and epsilon of composed privacy losses: which way each is computed, and how deep.

One Gaussian loss and one Laplace loss are closed forms, one loss of counts is a sum of all its
outcomes; every other composition goes on one grid, from above and from below (loss_terms.py,
loss_sums.py). Outcomes are cut far below the delta in question: a cut is tried that resolves e^-60,
then deeper ones.

How likely each privacy loss is, on an even grid: what a picture of a composition shows.

The losses go on one grid so that both laws of the test keep their mass (loss_terms.py), and are
added by a plain Fourier transform. So a mass is right to about 1e-6 of the largest one, and no
bound: what a release costs is asked of `delta` and `epsilon`. Losses on a lattice stay on it.
Limits: what has less than OUTSIDE in all at either end is left out. Source: MATHEMATICS 5.7.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz import checks
from dpviz.accounting.laplace_composition import (
    DEEPEST,
    FINER,
    LARGEST_GRID,
    POINTS,
    TOLERANCE,
    common_unit,
)
from dpviz.accounting.loss_sums import HALF_WINDOW, LOST, LossSum
from dpviz.accounting.loss_terms import Floats, Losses, LossPoints, LossTerm
from dpviz.accounting.search import least
from dpviz.errors import ParameterError

Terms = tuple[tuple[LossTerm, int], ...]
AWAY, THERE = 0, 1
FIRST_DEPTH = 60.0  # nats: deltas down to e^-60 are resolved at first, then ever smaller ones
BEYOND = 45.0  # nats below the depth where an outcome is cut
LARGEST_LOSS = 1e3  # of one part of a composition
SMALLEST_SPREAD = 1e-15  # standard deviation of a composition


def curve(terms: Terms, way: int, epsilon: float, *, depth: float | None = None) -> float:
    """Upper bound of ln delta in one direction, exact to rounding for a single loss.

    Args:
        terms: laws of a loss, with counts.
        way: AWAY or THERE.
        epsilon: at least 0, nats.
        depth: resolve deltas down to e^-depth; None deepens until the delta found is resolved.

    >>> from dpviz.accounting.loss_noise import NormalTerm
    >>> round(math.exp(curve(((NormalTerm(1.0), 1),), AWAY, 1.0)), 6)
    0.126937
    """
    if epsilon >= _most(terms, way) and not infinite_mass(terms, way):
        return -math.inf
    if (found := _closed(terms, epsilon)) is not None:
        return found
    bound, reached = 0.0, FIRST_DEPTH if depth is None else depth
    while True:  # each depth gives a valid bound
        if alone(terms):
            bound = min(bound, _summed(terms[0][0], reached, way, epsilon, cut_counts=True))
        else:
            bound = min(bound, above(terms, reached, way).log_delta(epsilon))
        if depth is not None or bound > -reached or reached >= DEEPEST or bound == -math.inf:
            return bound
        reached = min(2 * reached, DEEPEST)


def curve_from_below(terms: Terms, way: int, epsilon: float) -> float:
    """Lower bound of ln delta in one direction, exact to rounding for a single loss.

    >>> from dpviz.accounting.loss_noise import NormalTerm
    >>> one = ((NormalTerm(1.0), 1),)
    >>> curve_from_below(one, AWAY, 1.0) == curve(one, AWAY, 1.0)
    True
    """
    if (found := _closed(terms, epsilon)) is not None:
        return found
    depth = min(DEEPEST, max(FIRST_DEPTH, -2 * curve(terms, way, epsilon)))
    if alone(terms):
        return _summed(terms[0][0], depth, way, epsilon, cut_counts=False)
    return _below(terms, depth, way).log_delta_from_below(epsilon)


@lru_cache(maxsize=256)  # pure mathematics of public numbers; a page asks for the same sum again
def inverse(terms: Terms, log_delta: float) -> float:
    """Least epsilon at which both directions keep this delta, rounded up; infinite if none does.

    >>> from dpviz.accounting.loss_noise import NormalTerm
    >>> round(inverse(((NormalTerm(1.0), 1),), math.log(1e-6)), 6)
    4.886554
    """
    if alone(terms) and (exact := terms[0][0].closed_epsilon(log_delta)) is not None:
        return exact
    sides = ways(terms)
    if any(infinite_mass(terms, way) > math.exp(log_delta) for way in sides):
        return math.inf

    def excess(epsilon: float) -> float:
        deltas = (curve(terms, way, epsilon, depth=max(FIRST_DEPTH, -log_delta)) for way in sides)
        return max(deltas) - log_delta

    if not terms or excess(0.0) <= 0:
        return 0.0
    most = min(max(_most(terms, way) for way in sides) * (1 + 2.0**-50), 1e6)
    found = least(
        excess,
        min(most / 2, math.sqrt(-2 * log_delta) * _spread(terms)),
        lowest=1e-12 * min(1.0, most, _spread(terms)),
        highest=most,
        tolerance=1e-12 if alone(terms) else TOLERANCE,
    )
    return (most if most < 1e6 else math.inf) if found is None else found


def ways(terms: Terms) -> tuple[int, ...]:
    """The directions that differ.

    >>> from dpviz.accounting.loss_noise import NormalTerm
    >>> ways(((NormalTerm(1.0), 1),))
    (0,)
    """
    return (AWAY,) if all(term.symmetric for term, _ in terms) else (AWAY, THERE)


def alone(terms: Terms) -> bool:
    """Whether there is one loss only, so that nothing needs a grid.

    >>> from dpviz.accounting.loss_noise import NormalTerm
    >>> alone(((NormalTerm(1.0), 2),))
    False
    """
    return len(terms) == 1 and terms[0][1] == 1


def _closed(terms: Terms, epsilon: float) -> float | None:
    """The ln delta where a formula is known."""
    if not terms:
        return -math.inf
    return terms[0][0].closed_log_delta(epsilon) if alone(terms) else None


def _summed(term: LossTerm, depth: float, way: int, epsilon: float, *, cut_counts: bool) -> float:
    """The ln delta of a single discrete loss, summed point by point."""
    points = _points(term, depth, way)
    beyond = points.loss + (points.offset - epsilon)
    kept = beyond > 0
    total = float(np.sum(points.mass[kept] * -np.expm1(-beyond[kept])))
    terms = [math.log(total) if total > 0 else -math.inf, points.log_infinite]
    if cut_counts:
        terms += [points.log_cut]
    found = min(0.0, float(np.logaddexp.reduce(terms)))
    if found == -math.inf:
        return found
    return found + LOST * (1 - found) * (1 if cut_counts else -1) if found < 0 else found


@lru_cache(maxsize=8)  # pure mathematics of public numbers
def _points(term: LossTerm, depth: float, way: int) -> LossPoints:
    return term.points(depth + BEYOND, 1.0, 0.0)[way]


@lru_cache(maxsize=8)
def above(terms: Terms, depth: float, way: int) -> LossSum:
    """The losses on one grid, costing at least as much.

    >>> from dpviz.accounting.loss_noise import NormalTerm
    >>> four = above(((NormalTerm(1.0), 4),), 60.0, AWAY)
    >>> round(math.exp(four.log_delta(1.0)), 6)  # exactly 0.509862
    0.509862
    """
    width, cut = width_of(terms), depth + BEYOND
    return _gridded(terms, lambda term: term.raised(cut, width, way))


@lru_cache(maxsize=8)
def _below(terms: Terms, depth: float, way: int) -> LossSum:
    width, cut = width_of(terms), depth + BEYOND
    return _gridded(terms, lambda term: term.points(cut, width, 0.5)[way].lowered(width))


def _gridded(terms: Terms, put: Callable[[LossTerm], tuple[Losses, float]]) -> LossSum:
    placed = [(*put(term), count) for term, count in terms]
    shift = math.fsum(count * own for _, own, count in placed)
    return LossSum([(losses, count) for losses, _, count in placed], shift)


def _spread(terms: Terms) -> float:
    """Standard deviation of the sum, roughly."""
    return math.sqrt(math.fsum(count * term.deviation**2 for term, count in terms))


def _most(terms: Terms, way: int) -> float:
    """The largest finite loss there is in one direction, or infinite."""
    return math.fsum(count * term.largest(way) for term, count in terms)


def infinite_mass(terms: Terms, way: int) -> float:
    """Probability of an outcome that the other side never has, rounded down.

    >>> from dpviz.accounting.loss_noise import PoissonTerm
    >>> round(infinite_mass(((PoissonTerm(1.0, 1), 1),), AWAY), 6)  # nothing is counted
    0.367879
    """
    kept = 0.0
    for term, count in terms:
        if not term.symmetric or term.proof:
            log_one = _points(term, FIRST_DEPTH, way).log_infinite
            kept += count * math.log1p(-math.exp(min(log_one, -1e-15)))
    return max(0.0, -math.expm1(kept) * (1 - LOST))


def width_of(terms: Terms) -> float:
    """Of the grid: as fine as the window of the sum allows, and fitting to losses with a unit.

    Raises:
        ParameterError: the losses are too small or too large to be composed.

    >>> from dpviz.accounting.loss_promises import ResponseTerm
    >>> width_of(((ResponseTerm(0.5), 2), (ResponseTerm(0.75), 1)))  # no need to be finer
    0.25
    """
    spread = _spread(terms)
    largest = max(term.deviation for term, _ in terms)
    ends = max((term.most for term, _ in terms if term.most < math.inf), default=0.0)
    if not spread > SMALLEST_SPREAD or max(largest, ends) > LARGEST_LOSS:
        raise ParameterError(
            "losses are composed where together they have an ordinary size; pass budgets and "
            "sensitivities between 1e-15 and 1e3 times the noise"
        )
    fine = 2 * HALF_WINDOW * spread / POINTS
    width = max(fine, 2 * max(term.extent for term, _ in terms) / LARGEST_GRID)
    units = [term.unit for term, _ in terms if term.unit is not None]
    unit = common_unit(units) if units else 0.0
    if unit <= width / FINER:
        return width
    return unit if all(term.lattice for term, _ in terms) else unit / math.ceil(unit / width)


def method(terms: Terms) -> tuple[str, bool]:
    """Where the numbers of these losses come from, and whether they are the least there are.

    >>> from dpviz.accounting.loss_noise import NormalTerm
    >>> from dpviz.accounting.loss_promises import ResponseTerm
    >>> method(((NormalTerm(1.0), 1),)), method(((ResponseTerm(0.5), 9),))
    (('closed form; MATHEMATICS 5.7', True), ('on one lattice; MATHEMATICS 5.7', True))
    """
    if bounds := sorted({term.bound for term, _ in terms} - {""}):
        return "; ".join(bounds), False
    if _closed(terms, 0.0) is not None:
        return "closed form; MATHEMATICS 5.7", True
    if alone(terms):
        return "all outcomes; MATHEMATICS 5.7", True
    if all(term.lattice for term, _ in terms):
        unit = common_unit([term.unit for term, _ in terms if term.unit is not None])
        if width_of(terms) == unit:
            return "on one lattice; MATHEMATICS 5.7", True
    return "[ZDW22], on a grid; MATHEMATICS 5.7", False


OUTSIDE = 1e-9  # of the mass, at either end
LEFT_OVER = 1e-6  # of the mass, at most, beyond all points
CERTAIN = 1 - 1e-10  # then there is hardly any finite loss
NOISE = 1e-9  # of the largest mass: more than rounding puts between two points of a lattice


@dataclass(frozen=True, slots=True, eq=False)
class LossDistribution:
    """Finite losses on an even grid, and how likely each is; and an infinite one."""

    loss: Floats  # nats, ascending, `width` apart
    mass: Floats  # probability of each, or of all in the cell around it
    width: float
    infinite: float  # probability of an outcome that only one of both laws has

    def __post_init__(self) -> None:
        checks.arrays(1, loss=self.loss, mass=self.mass)
        checks.arrays(1, least=0, most=1, mass=self.mass)
        checks.positive(width=self.width)
        checks.between(0, 1, infinite=self.infinite)


def loss_distribution(terms: Terms, way: int, points: int) -> LossDistribution:
    """The distribution of the sum in one direction, in at most this many cells.

    Args:
        terms: laws of a loss, with counts.
        way: AWAY or THERE.
        points: at least 1.

    Raises:
        ParameterError: the losses cannot be put on one grid.

    >>> from dpviz.accounting.loss_promises import ResponseTerm
    >>> found = loss_distribution(((ResponseTerm(math.log(3)), 2),), 0, 100)
    >>> found.loss.round(4), found.mass.round(4)
    (array([-2.1972,  0.    ,  2.1972]), array([0.0625, 0.375 , 0.5625]))
    """
    infinite = infinite_mass(terms, way)
    if not terms or infinite > CERTAIN:
        certain = float(bool(terms))
        return LossDistribution(np.zeros(1), np.full(1, 1 - certain), 1.0, certain)
    summed = above(terms, FIRST_DEPTH, way)
    if summed.lost > infinite + LEFT_OVER:
        raise ParameterError("the losses are too large for a picture; pass smaller budgets")
    first, every = summed.law()
    kept, stride = _kept(every)
    mass, step = every[kept], stride * summed.width
    together = math.ceil(len(mass) / points)
    cells = np.add.reduceat(mass, np.arange(0, len(mass), together))
    centre = (first + kept.start) * summed.width + summed.shift + (together - 1) / 2 * step
    return LossDistribution(
        loss=np.asarray(centre + together * step * np.arange(len(cells)), dtype=np.float64),
        mass=np.minimum(cells, 1.0),
        width=together * step,
        infinite=infinite,
    )


def _kept(mass: Floats) -> tuple[slice, int]:
    """What is shown: not the ends that have next to no mass, nor points between those of a lattice.

    Returns:
        Where it lies, and how many points lie from one to the next.
    """
    used = np.flatnonzero(mass > mass.max() * NOISE)
    stride = int(np.gcd.reduce(np.diff(used))) if len(used) > 1 else 1
    below, beyond = np.cumsum(mass), np.cumsum(mass[::-1])[::-1]
    inner = used[(below[used] > OUTSIDE) & (beyond[used] > OUTSIDE)]
    return slice(int(inner[0]), int(inner[-1]) + 1, stride), stride
