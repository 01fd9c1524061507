"""Privacy losses of promises: the costliest release there is that keeps each.

    randomised response    epsilon with e^epsilon / (e^epsilon + K - 1), -epsilon with one K-th of
                           the rest, 0 with what is left; with K = 2 that of any epsilon-DP release
    generalised response   t with q = (1 - e^(t - epsilon)) / (1 - e^-epsilon), else t - epsilon
    points of a curve      the pair of laws with the hull of the points as its curve (PointsTerm)

Source: MATHEMATICS 5.7.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz import checks
from dpviz.accounting.loss_terms import LossPoints, LossTerm
from dpviz.errors import ParameterError

Points = tuple[tuple[float, float], ...]  # (epsilon, ln delta), epsilon at least 0
MOST = 100.0  # epsilon of a point of a curve
RAISED = 1e-9  # of ln delta at each point: more than the rounding of differences of slopes


@dataclass(frozen=True, slots=True)
class ResponseTerm(LossTerm):
    """Randomised response: the true one of K categories, or another; with delta it tells which.

    >>> away, _ = ResponseTerm(math.log(3)).points(40.0, 0.5, 0.0)
    >>> away.mass.round(9)
    array([0.25, 0.75])
    """

    budget: float
    delta: float = 0.0
    categories: int = 2
    lattice = True  # all atoms

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget)
        checks.between(0, 1, delta=self.delta)
        checks.whole(2, categories=self.categories)

    @property
    def proof(self) -> bool:
        """With probability delta."""
        return self.delta > 0

    @property
    def unit(self) -> float:
        """The atoms lie at 0 and at the budget on either side."""
        return self.budget

    @property
    def most(self) -> float:
        """The budget."""
        return self.budget

    def points(self, _cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike, nothing cut."""
        less, others = math.exp(-self.budget), self.categories - 2
        loss, mass = [-self.budget, self.budget], [less, 1.0]
        if others:
            loss, mass = [*loss, 0.0], [*mass, others * less]
        share = (1 - self.delta) / (1 + (1 + others) * less)
        log_infinite = math.log(self.delta) if self.delta else -math.inf
        found = LossPoints(np.array(loss), np.array(mass) * share, log_infinite)
        return found, found


@dataclass(frozen=True, slots=True)
class GeneralisedResponseTerm(LossTerm):
    """The costliest release whose losses all lie between top - budget and top.

    >>> away, there = GeneralisedResponseTerm(1.0, 0.25).points(40.0, 0.5, 0.0)
    >>> round(float((away.mass * np.exp(-away.loss - away.offset)).sum()), 9)
    1.0
    """

    budget: float
    top: float
    lattice = True  # both atoms, from the offset on

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget, top=self.top)
        if not self.top < self.budget:
            raise ParameterError("top must be below the budget: pass a smaller one")

    @property
    def symmetric(self) -> bool:
        """Only with top in the middle."""
        return 2 * self.top == self.budget

    @property
    def unit(self) -> float:
        """The atoms are one budget apart."""
        return self.budget

    @property
    def most(self) -> float:
        """The larger of both directions."""
        return max(self.top, self.budget - self.top)

    def largest(self, way: int) -> float:
        """The top, or that of the mirror image."""
        return self.budget - self.top if way else self.top

    def points(self, _cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Away, and there, which is the same with top and budget - top exchanged."""
        return self._one(self.top), self._one(self.budget - self.top)

    def _one(self, top: float) -> LossPoints:
        whole, high = math.expm1(-self.budget), math.expm1(top - self.budget)
        low = math.exp(top - self.budget) * math.expm1(-top)
        return LossPoints(np.array([-self.budget, 0.0]), np.array([low, high]) / whole, offset=top)


@dataclass(frozen=True, slots=True)
class PointsTerm(LossTerm):
    """The costliest release that keeps these (epsilon, ln delta) in both directions of the test.

    As a function of y = e^epsilon the least delta is convex, so it lies below the lower hull of the
    points, and the hull is the curve of a pair of laws with atoms at its corners [DGK22]. Left of 0
    the curve is the mirror image, delta(-epsilon) = 1 - e^-epsilon (1 - delta(epsilon)).

    >>> away, _ = PointsTerm(((math.log(3), -math.inf),)).points(40.0, 0.5, 0.0)
    >>> away.mass.round(9), away.loss.round(4)
    (array([0.25, 0.  , 0.75]), array([-1.0986,  0.    ,  1.0986]))
    """

    curve: Points

    def __post_init__(self) -> None:
        object.__setattr__(self, "curve", checked_points(self.curve))
        if not self.curve:
            raise ParameterError("curve holds no point; pass at least one (epsilon, ln delta)")
        checks.between(0, MOST, epsilon=self.curve[-1][0])
        checks.positive(epsilon=self.curve[-1][0])

    @property
    def proof(self) -> bool:
        """With the least delta of all."""
        return atoms_of(self.curve).log_infinite > -math.inf

    @property
    def most(self) -> float:
        """The largest epsilon at which delta still falls."""
        return float(atoms_of(self.curve).loss[-1])

    @property
    def deviation(self) -> float:
        """Of the atoms."""
        atoms = atoms_of(self.curve)
        return math.sqrt(float(np.sum(atoms.mass * atoms.loss**2)))

    def points(self, _cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike, nothing cut."""
        found = atoms_of(self.curve)
        return found, found


def checked_points(points: Iterable[tuple[float, float]]) -> Points:
    """The points as plain numbers.

    Raises:
        ParameterError: if one is not an epsilon of at least 0 with a ln delta of at most 0.

    >>> checked_points([(1, -math.inf)])
    ((1.0, -inf),)
    """
    found = []
    for point in checks.listed(points=points):
        pair = checks.listed(point=point)
        if len(pair) != 2:
            raise ParameterError("each of points must be a pair (epsilon, ln delta)")
        epsilon, log_delta = (checks.number(points=each) for each in pair)
        checks.non_negative(epsilon=epsilon)
        checks.between(-math.inf, 0, log_delta=log_delta)
        found.append((epsilon, log_delta))
    return tuple(sorted(found))


@lru_cache(maxsize=256)  # pure mathematics of public numbers
def atoms_of(curve: Points) -> LossPoints:
    """The losses of the pair whose curve is the lower hull of the points and their mirror image.

    >>> atoms_of(((0.0, math.log(0.5)), (1.0, -math.inf))).loss
    array([-1.,  0.,  1.])
    """
    corners = _hull(_mirrored(curve))
    x, delta = np.array([corner[0] for corner in corners]), np.array([c[1] for c in corners])
    slopes = np.append(np.diff(delta) / np.diff(x), 0.0)
    right = np.flatnonzero(x > 0)
    less = slopes[right] - slopes[right - 1]
    loss, mass, lost = np.log1p(x[right]), (1 + x[right]) * less, float(delta[-1])
    middle = max(0.0, 1 - lost - float(np.sum(mass + less)))
    return LossPoints(
        np.concatenate([-loss[::-1], [0.0], loss]),
        np.concatenate([less[::-1], [middle], mass]),
        math.log(lost) if lost > 0 else -math.inf,
    )


def _mirrored(points: Points) -> list[tuple[float, float]]:
    """The points as (e^epsilon - 1, delta), raised, with their images left of 0; ascending."""
    best: dict[float, float] = {}
    for epsilon, log_delta in points:
        raised = log_delta + RAISED * (1 - log_delta) if log_delta > -math.inf else log_delta
        best[epsilon] = min(1.0, math.exp(raised), best.get(epsilon, 1.0))
    found = {math.expm1(epsilon): delta for epsilon, delta in best.items()}
    images = {
        math.expm1(-epsilon): -math.expm1(-epsilon) + math.exp(-epsilon) * delta
        for epsilon, delta in best.items()
        if epsilon > 0
    }
    return sorted((images | found).items())


def _hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Corners of the greatest convex falling function below the points."""
    kept: list[tuple[float, float]] = []
    for x, value in points:
        if kept and value >= kept[-1][1]:  # no less than at a smaller epsilon
            continue
        while len(kept) > 1 and _above(kept[-2], kept[-1], (x, value)):
            kept.pop()
        kept.append((x, value))
    return kept


def _above(
    first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]
) -> bool:
    """Whether the middle point lies on or above the line of the others."""
    before = (middle[1] - first[1]) / (middle[0] - first[0])
    after = (last[1] - middle[1]) / (last[0] - middle[0])
    return before >= after
