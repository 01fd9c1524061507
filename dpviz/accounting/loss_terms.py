"""Privacy losses of one moved coordinate, family by family, as weighted points.

Where the person is away (P against Q) outcome y has the loss ln P(y)/Q(y); where they are there it
is ln Q(y)/P(y) under Q. A discrete law has its own points. A density is cut into panels that end
at every point of a grid and integrated by Gauss and Legendre's six points in each, to 1e-12 of its
mass. `raised` puts the points on a grid and costs at least as much (poisson_losses.py); `lowered`
merges what lies nearest to a point of the grid, which an attacker loses by, and rounds down.
Source: MATHEMATICS 5.7.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from dpviz import checks
from dpviz.accounting import poisson, skellam_losses
from dpviz.accounting.poisson_losses import Floats, Losses, on_grid

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(6)
PANELS = 20  # per standard deviation of a normal loss, at least
LOST = 1e-12  # relative rounding of masses and losses, taken off where a bound is from below
LEAST_FLOAT = math.ulp(0.0)
LARGEST_DEVIATION = 1.8  # of one coordinate's loss under Laplace noise, however large its budget


@dataclass(frozen=True, slots=True, eq=False)
class LossPoints:
    """Finite losses and their masses under P, and the logs of the masses that are infinite or cut.

    What is cut at the low end is given to the last point kept, whose loss is higher.
    """

    loss: Floats
    mass: Floats
    log_infinite: float = -math.inf  # of outcomes that the other law never has
    log_cut: float = -math.inf  # of outcomes with a higher loss than all points
    cut_low: float = 0.0  # mass of the low end, in the first point of all

    def __post_init__(self) -> None:
        checks.arrays(1, loss=self.loss, mass=self.mass)
        checks.arrays(1, least=0, mass=self.mass)
        checks.between(-math.inf, 1.0, log_infinite=self.log_infinite, log_cut=self.log_cut)
        checks.non_negative(cut_low=self.cut_low)

    def raised(self, width: float) -> Losses:
        """On a grid, costing at least as much in any composition."""
        first = int(np.argmin(self.loss))
        mass = self.mass.copy()
        mass[first] += self.cut_low
        log_infinite = float(np.logaddexp(self.log_infinite, self.log_cut))
        return on_grid(self.loss, mass, width, log_infinite)

    def lowered(self, width: float) -> tuple[Losses, float]:
        """On a grid, costing at most as much once the number returned is added to every loss.

        >>> points = LossPoints(np.array([0.25, 0.5]), np.array([0.5, 0.5]))
        >>> losses, shift = points.lowered(1.0)
        >>> losses.loss, np.exp(losses.log_mass), round(shift, 3)  # 0.25 stays below one half
        (array([0., 1.]), array([0.5, 0.5]), -0.5)
        """
        index = np.floor(self.loss / width + 0.5).astype(np.int64)
        low = int(index.min())
        mass = np.bincount(index - low, self.mass).astype(np.float64)
        points = (width * (low + np.arange(len(mass)))).astype(np.float64)
        other = np.bincount(index - low, self.mass * np.exp(points[index - low] - self.loss))
        with np.errstate(divide="ignore", invalid="ignore"):
            merged = np.log(mass / other)  # loss of the merged outcome, beyond its point
            log_mass = np.log(mass * (1 - LOST))
        slack = LOST * (1 + float(np.abs(self.loss).max()))
        shift = min(0.0, float(np.min(merged, where=mass > 0, initial=0.0))) - slack
        return Losses(points, np.asarray(log_mass), width, self.log_infinite), shift


class LossTerm(Protocol):
    """The privacy loss of one moved coordinate, in both directions of the test."""

    def __hash__(self) -> int:
        """Terms are frozen records."""

    @property
    def symmetric(self) -> bool:
        """Whether both directions have one law."""

    @property
    def proof(self) -> bool:
        """Whether an outcome may prove which side it is of: its loss is infinite."""

    @property
    def unit(self) -> float | None:
        """A length of which all its losses are multiples, if there is one."""

    @property
    def deviation(self) -> float:
        """Standard deviation of the loss, roughly: it chooses a grid."""

    @property
    def most(self) -> float:
        """The largest finite loss there is, or infinite."""

    def points(self, cut: float, width: float, begin: float, /) -> tuple[LossPoints, LossPoints]:
        """Losses with the person away and there, cut below e^-cut.

        Panels of a density end at (begin + i) width for every whole i.
        """


def panels(low: float, high: float, step: float, width: float, begin: float) -> tuple[Floats, ...]:
    """Nodes and weights between two ends, in panels of at most `step` that end on a grid.

    >>> nodes, weights = panels(0.0, 1.0, 1.0, 0.5, 0.0)
    >>> len(nodes), round(float((weights * nodes**2).sum()), 9)
    (12, 0.333333333)
    """
    on = width * (begin + np.arange(math.ceil(low / width - begin), high / width - begin))
    even = np.linspace(low, high, 2 + math.floor((high - low) / step))
    ends = np.unique(np.clip(np.concatenate([on, even]), low, high))
    half = np.diff(ends) / 2
    nodes = (ends[:-1] + half)[:, np.newaxis] + half[:, np.newaxis] * NODES
    return nodes.ravel(), (half[:, np.newaxis] * NODE_WEIGHTS).ravel()


@dataclass(frozen=True, slots=True)
class NormalTerm:
    """Gaussian noise: the loss is normal with mean mu²/2 and variance mu² in either direction.

    >>> away, _ = NormalTerm(1.0).points(40.0, 0.5, 0.0)
    >>> round(float(away.mass.sum()), 9), round(float((away.mass * away.loss).sum()), 9)
    (1.0, 0.5)
    """

    mu: float
    symmetric: ClassVar[bool] = True
    proof: ClassVar[bool] = False
    unit: ClassVar[None] = None
    most: ClassVar[float] = math.inf

    def __post_init__(self) -> None:
        checks.positive(mu=self.mu)

    @property
    def deviation(self) -> float:
        """It is mu."""
        return self.mu

    def points(self, cut: float, width: float, begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike."""
        mean, reach = self.mu * self.mu / 2, math.sqrt(2 * cut)
        high = width * (begin + math.ceil((mean + reach * self.mu) / width - begin))
        loss, weights = panels(mean - reach * self.mu, high, self.mu / PANELS, width, begin)
        mass = weights * np.exp(-0.5 * ((loss - mean) / self.mu) ** 2)
        mass /= self.mu * math.sqrt(2 * math.pi)
        tail = -cut - math.log(reach)  # above the ln of the tail, by Mills's ratio
        found = LossPoints(loss, mass, log_cut=tail, cut_low=math.exp(tail))
        return found, found


@dataclass(frozen=True, slots=True)
class DoubleExponentialTerm:
    """Laplace noise: atoms at ±budget, density e^((g - budget)/2) / 4 between (MATHEMATICS 5.3).

    >>> away, _ = DoubleExponentialTerm(1.0).points(40.0, 0.5, 0.0)
    >>> round(float(away.mass.sum()), 9), round(float((away.mass * np.exp(-away.loss)).sum()), 9)
    (1.0, 1.0)
    """

    budget: float
    symmetric: ClassVar[bool] = True
    proof: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget)

    @property
    def unit(self) -> float:
        """Both atoms lie at the budget."""
        return self.budget

    @property
    def deviation(self) -> float:
        """At most the budget."""
        return min(self.budget, LARGEST_DEVIATION)

    @property
    def most(self) -> float:
        """The budget."""
        return self.budget

    def points(self, cut: float, width: float, begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike; nothing is cut but what is smaller than any float."""
        e = self.budget
        low = max(-e, e - 2 * cut)
        loss, weights = panels(low, e, 1.0, width, begin)
        mass = np.r_[0.5 * math.exp(-e), 0.5, weights * np.exp((loss - e) / 2) / 4]
        cut_low = math.exp(-cut) if low > -e else 0.0
        found = LossPoints(np.r_[-e, e, loss], mass, cut_low=cut_low)
        return found, found


@dataclass(frozen=True, slots=True)
class GeometricTerm:
    """Discrete Laplace noise of one scale, on a coordinate moved by whole units.

    >>> away, _ = GeometricTerm(2.0, 3).points(40.0, 0.5, 0.0)
    >>> away.loss, round(float((away.mass * np.exp(-away.loss)).sum()), 9)
    (array([ 1.5,  0.5, -0.5, -1.5]), 1.0)
    """

    level: float
    shift: int
    symmetric: ClassVar[bool] = True
    proof: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.whole(1, shift=self.shift)

    @property
    def unit(self) -> float:
        """Losses are odd or even multiples of 1/scale."""
        return 1 / self.level

    @property
    def deviation(self) -> float:
        """As for Laplace noise."""
        return min(self.most, LARGEST_DEVIATION)

    @property
    def most(self) -> float:
        """The pure budget, shift / scale."""
        return self.shift / self.level

    def points(self, _cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike, nothing cut."""
        x = np.arange(self.shift + 1)
        loss = (self.shift - 2 * x) / self.level
        log_fall = -1 / self.level
        mass = -math.expm1(log_fall) * np.exp(x * log_fall)
        mass[0], mass[-1] = 1.0, math.exp(self.shift * log_fall)
        found = LossPoints(loss, mass / (1 + math.exp(log_fall)))
        return found, found


@dataclass(frozen=True, slots=True)
class PromiseTerm:
    """The costliest release there is that is (epsilon, delta)-private.

    >>> away, _ = PromiseTerm(math.log(3)).points(40.0, 0.5, 0.0)
    >>> away.mass.round(9)
    array([0.25, 0.75])
    """

    budget: float
    delta: float = 0.0
    symmetric: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget)
        checks.between(0, 1, delta=self.delta)

    @property
    def proof(self) -> bool:
        """With probability delta."""
        return self.delta > 0

    @property
    def unit(self) -> float:
        """Both atoms lie at the budget."""
        return self.budget

    @property
    def deviation(self) -> float:
        """At most the budget, and less for a large one."""
        return min(self.budget, LARGEST_DEVIATION)

    @property
    def most(self) -> float:
        """The budget."""
        return self.budget

    def points(self, _cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike."""
        less = math.exp(-self.budget)
        mass = np.array([less, 1.0]) / (1 + less) * (1 - self.delta)
        log_infinite = math.log(self.delta) if self.delta else -math.inf
        found = LossPoints(np.array([-self.budget, self.budget]), mass, log_infinite)
        return found, found


@dataclass(frozen=True, slots=True)
class PoissonTerm:
    """Poisson noise on a coordinate that the person moves by whole units, up or down.

    >>> away, there = PoissonTerm(4.0, 1).points(40.0, 0.5, 0.0)
    >>> away.log_infinite, there.log_infinite  # nothing counted proves that they are away
    (-4.0, -inf)
    """

    level: float
    shift: int
    lowered: bool = False
    symmetric: ClassVar[bool] = False
    proof: ClassVar[bool] = True
    unit: ClassVar[None] = None
    most: ClassVar[float] = math.inf

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.whole(1, shift=self.shift)

    @property
    def deviation(self) -> float:
        """About shift / sqrt(level)."""
        return self.shift / math.sqrt(max(self.level, 1.0))

    def points(self, cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Away, and there; both tails of the noise are cut where they have at most e^-cut."""
        level, shift, tail = self.level, self.shift, math.exp(-cut)
        low = max(0, math.floor(level - math.sqrt(2 * level * cut)))
        high = math.ceil(level + cut + math.sqrt(cut * cut + 2 * cut * level)) + shift
        mode = max(low, math.floor(level))
        falls = poisson.log_ratios(np.arange(low + 1, high + 1), level)
        loss, mass = _apart(falls, poisson.log_mass(mode, level), mode - low, shift)
        impossible = float(mass[:shift].sum()) + (tail if low else 0.0)
        lacking = math.log(max(impossible, LEAST_FLOAT))  # above a mass that no float can hold
        there = LossPoints(loss, mass[:-shift], log_cut=-cut, cut_low=tail if low else 0.0)
        proof, cut_high = (-math.inf, lacking) if low else (lacking, -math.inf)
        away = LossPoints(-loss, mass[shift:], proof, cut_high, tail)
        return (there, away) if self.lowered else (away, there)


@dataclass(frozen=True, slots=True)
class SkellamTerm:
    """Skellam noise, a difference of two Poisson counts, on a coordinate moved by whole units.

    >>> away, _ = SkellamTerm(4.0, 1).points(40.0, 0.5, 0.0)
    >>> round(float(away.mass.sum()), 9), round(float((away.mass * np.exp(-away.loss)).sum()), 9)
    (1.0, 1.0)
    """

    level: float
    shift: int
    symmetric: ClassVar[bool] = True
    proof: ClassVar[bool] = False
    unit: ClassVar[None] = None
    most: ClassVar[float] = math.inf

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.whole(1, shift=self.shift)

    @property
    def deviation(self) -> float:
        """About shift / sqrt(2 level)."""
        return self.shift / math.sqrt(max(2 * self.level, 1.0))

    def points(self, cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike; both tails are cut where they have at most e^-cut."""
        high = math.ceil(cut + math.sqrt(cut * cut + 4 * cut * self.level))
        falls = skellam_losses.log_ratios(-high, 2 * high + self.shift, self.level)
        at_zero = skellam_losses.log_mass(0, self.level)
        loss, mass = _apart(falls, at_zero, high, self.shift)
        found = LossPoints(loss, mass[: -self.shift], log_cut=-cut, cut_low=math.exp(-cut))
        return found, found


def _apart(falls: Floats, log_mass: float, mode: int, shift: int) -> tuple[Floats, Floats]:
    """The ln P(x)/P(x + shift) and the masses, from ln P(x)/P(x+1) and the mass at the mode."""
    down = np.cumsum(falls[:mode][::-1])[::-1]
    logs = np.concatenate([down, [0.0], -np.cumsum(falls[mode:])])
    loss = falls if shift == 1 else logs[:-shift] - logs[shift:]
    return np.asarray(loss), np.exp(log_mass + logs)
