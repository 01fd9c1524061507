"""Privacy losses of one moved coordinate or of one promise, as weighted points.

Where the person is away (P against Q) outcome y has the loss ln P(y)/Q(y); where they are there it
is ln Q(y)/P(y) under Q. A discrete law has its own points. A density is cut into panels that end
at every point of a grid and integrated by Gauss and Legendre's six points in each, to 1e-12 of its
mass. `raised` puts the points on a grid and costs at least as much (poisson_losses.py); `lowered`
merges what lies nearest to a point of the grid, which an attacker loses by, and rounds down. The
terms are in loss_noise.py, by noise, and in loss_promises.py, by what is promised.
Source: MATHEMATICS 5.7.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.accounting.poisson_losses import Floats, Losses, on_grid

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(6)
LOST = 1e-12  # relative rounding of masses and losses, taken off where a bound is from below
LARGEST_DEVIATION = 1.8  # of one loss with an end, roughly, however far off the end is


@dataclass(frozen=True, slots=True, eq=False)
class LossPoints:
    """Finite losses and their masses under P, and the logs of the masses that are infinite or cut.

    What is cut at the low end is given to the last point kept, whose loss is higher. `offset` is
    added to every loss: losses of a lattice that does not pass through 0 stay on it.
    """

    loss: Floats
    mass: Floats
    log_infinite: float = -math.inf  # of outcomes that the other law never has
    log_cut: float = -math.inf  # of outcomes with a higher loss than all points
    cut_low: float = 0.0  # mass of the low end, in the first point of all
    offset: float = 0.0

    def __post_init__(self) -> None:
        checks.arrays(1, loss=self.loss, mass=self.mass)
        checks.arrays(1, least=0, mass=self.mass)
        checks.between(-math.inf, 1.0, log_infinite=self.log_infinite, log_cut=self.log_cut)
        checks.non_negative(cut_low=self.cut_low)
        checks.finite(offset=self.offset)

    def raised(self, width: float) -> tuple[Losses, float]:
        """On a grid, costing at least as much once the number returned is added to every loss."""
        first = int(np.argmin(self.loss))
        mass = self.mass.copy()
        mass[first] += self.cut_low
        log_infinite = float(np.logaddexp(self.log_infinite, self.log_cut))
        return on_grid(self.loss, mass, width, log_infinite), self.offset

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
        less = np.bincount(index - low, self.mass * np.expm1(points[index - low] - self.loss))
        with np.errstate(divide="ignore", invalid="ignore"):
            merged = -np.log1p(less / mass)  # loss of the merged outcome, beyond its point
            log_mass = np.log(mass * (1 - LOST))
        slack = LOST * float(np.abs(self.loss).max())
        shift = min(0.0, float(np.min(merged, where=mass > 0, initial=0.0))) - slack
        return Losses(points, np.asarray(log_mass), width, self.log_infinite), self.offset + shift


class LossTerm(ABC):
    """The privacy loss of one moved coordinate or one promise, in both directions of the test."""

    __slots__ = ()

    @property
    def symmetric(self) -> bool:
        """Whether both directions have one law."""
        return True

    @property
    def proof(self) -> bool:
        """Whether an outcome may prove which side it is of: its loss is infinite."""
        return False

    @property
    def unit(self) -> float | None:
        """A length of which all its atoms are multiples, if there is one."""
        return None

    @property
    def lattice(self) -> bool:
        """Whether it is all atoms, at multiples of the unit (plus one offset)."""
        return False

    @property
    def bound(self) -> str:
        """What bounds it from above where no release attains it; else empty."""
        return ""

    @property
    def most(self) -> float:
        """The largest finite loss there is, or infinite."""
        return math.inf

    @property
    def extent(self) -> float:
        """Where the losses end that few deviations do not reach, roughly: it keeps grids short."""
        return self.most if self.most < math.inf else 0.0

    def largest(self, _way: int) -> float:
        """The largest finite loss in one direction, or more."""
        return self.most

    @property
    def deviation(self) -> float:
        """Standard deviation of the loss, roughly: it chooses a grid."""
        return min(self.most, LARGEST_DEVIATION)

    def closed_log_delta(self, _epsilon: float) -> float | None:
        """The ln delta of one alone, where a formula is known."""
        return None

    def closed_epsilon(self, _log_delta: float) -> float | None:
        """The least epsilon of one alone, where a formula is known."""
        return None

    def raised(self, cut: float, width: float, way: int) -> tuple[Losses, float]:
        """The losses of one direction on a grid, as `LossPoints.raised`."""
        return self.points(cut, width, 0.0)[way].raised(width)

    @abstractmethod
    def points(self, cut: float, width: float, begin: float, /) -> tuple[LossPoints, LossPoints]:
        """Losses with the person away and there, cut below e^-cut.

        Panels of a density end at (begin + i) width for every whole i.
        """


def panels(
    low: float, high: float, step: float, width: float, begin: float, *, end: float | None = None
) -> tuple[Floats, Floats]:
    """Nodes and weights between two ends, in panels of at most `step` that end on a grid.

    Where `end` is given, there is one further panel, from `high` to it.

    >>> nodes, weights = panels(0.0, 1.0, 1.0, 0.5, 0.0)
    >>> len(nodes), round(float((weights * nodes**2).sum()), 9)
    (12, 0.333333333)
    """
    on = width * (begin + np.arange(math.ceil(low / width - begin), high / width - begin))
    even = np.linspace(low, high, 2 + math.floor((high - low) / step))
    last = high if end is None else end
    ends = np.unique(np.clip(np.concatenate([on, even, [last]]), low, last))
    half = np.diff(ends) / 2
    nodes = (ends[:-1] + half)[:, np.newaxis] + half[:, np.newaxis] * NODES
    return nodes.ravel(), (half[:, np.newaxis] * NODE_WEIGHTS).ravel()
