"""Privacy losses of one moved coordinate or of one promise: weighted points, and their grid.

Where the person is away (P against Q) outcome y has the loss ln P(y)/Q(y); where they are there it
is ln Q(y)/P(y) under Q. A discrete law has its own points. A density is cut into panels that end
at every point of a grid and integrated by Gauss and Legendre's six points in each, to 1e-12 of its
mass. `raised` puts the points on a grid and costs at least as much; `lowered` merges what lies
nearest to a point of the grid, which an attacker loses by, and rounds down. The terms are in
loss_noise.py, by noise, and in loss_promises.py, by what is promised.

The grid (`on_grid`). Each atom is split between its two neighbours on the grid so that both P and Q
keep their mass. The pair on the grid can be merged back into the true one, so by data processing it
costs at least as much, in any composition; the excess is second order in the width of the grid
[the pessimistic estimate of Doroshenko et al. 2022, arXiv:2207.04380]. Three laws are put on it
here, since several accountants ask for them.

Poisson noise, moved by s: where the person is away (P = Poisson(level)) outcome y has the loss
ln(level/y) + ... + ln(level/(y-s+1)); where they are there (P = s + Poisson(level)) it has the same
with the other sign.

Laplace noise, with own budget e = l1 / scale: the loss is e with probability 1/2, -e with
probability e^-e / 2, and between them has the density e^((loss - e)/2) / 4. The law that dominates
one mechanism of bounded range e has that density alone, normalised. Of the piece between g + a and
g + b, whose mass is split between g and g + width,

    P mass       e^((g-e)/2) e^((a+b)/4) sinh((b-a)/4)
    upper share  2 e^((g-e)/2) sinh((a+b)/4) sinh((b-a)/4) / (1 - e^-width)

all positive terms.
Source: MATHEMATICS 5.3, 5.7 and 5.11.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.poisson import log_mass, log_ratios

Floats = NDArray[np.float64]
RAISED = 4e-15  # relative rounding of a loss
UNLIKELY = 1e-280
RAISED_MASS = 1e-13  # relative rounding of a mass, moved to the upper point
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(6)
LOST = 1e-12  # relative rounding of masses and losses, taken off where a bound is from below
LARGEST_DEVIATION = 1.8  # of one loss with an end, roughly, however far off the end is


@dataclass(frozen=True, slots=True)
class Losses:
    """One coordinate's finite losses on a grid, under P, and the mass that is infinite or cut."""

    loss: Floats
    log_mass: Floats
    width: float
    log_infinite: float

    def __post_init__(self) -> None:
        checks.arrays(1, loss=self.loss)
        checks.arrays(1, least=-math.inf, loss=self.loss, log_mass=self.log_mass)
        checks.positive(width=self.width)
        checks.between(-math.inf, checks.LARGEST, log_infinite=self.log_infinite)


@lru_cache(maxsize=16)  # pure mathematics of public numbers
def directions(level: float, cut: float, width: float, shift: int) -> tuple[Losses, Losses]:
    """Losses of one coordinate moved by `shift`, person away and person there, cut below e^-cut.

    What is cut on the side of high losses counts as infinite; on the other side its mass is given
    to the last outcome kept, whose loss is higher.

    >>> away, there = directions(4.0, 40.0, 0.004, 1)
    >>> away.log_infinite, round(float(np.exp(away.log_mass).sum()), 6)  # P(0), and the rest
    (-4.0, 0.981684)
    """
    low = max(0, math.floor(level - math.sqrt(2 * level * cut)))
    high = math.ceil(level + cut + math.sqrt(cut * cut + 2 * cut * level))
    mode = max(low, math.floor(level))
    down = np.cumsum(log_ratios(np.arange(mode, low, -1), level))[::-1]
    up = -np.cumsum(log_ratios(np.arange(mode + 1, high + 1), level))
    log_masses = log_mass(mode, level) + np.concatenate([down, [0.0], up])
    mass = np.exp(log_masses)
    above = log_mass(high + 1, level) - math.log1p(-level / (high + 2))
    below = log_mass(low - 1, level) - math.log1p(-(low - 1) / level) if low > 0 else -math.inf

    first = max(0, shift - low)  # outcomes below shift are impossible where the person is there
    start = max(1, low - shift + 1)
    sums = added_up(log_ratios(np.arange(start, high + shift + 1), level), shift)
    impossible = float(np.logaddexp.reduce([below, *log_masses[:first]]))
    away, there = mass[first:].copy(), mass.copy()
    if first < len(mass):
        away[-1] += math.exp(above)
    there[0] += math.exp(below)
    there_from = low + 1 - start
    return (
        gridded(-sums[: len(away)], away, width, impossible),
        gridded(sums[there_from : there_from + len(there)], there, width, above),
    )


def added_up(terms: Floats, count: int) -> Floats:
    """Sums of `count` neighbouring terms, by doubling, so that rounding stays that of one sum.

    >>> added_up(np.arange(5.0), 3)
    array([3., 6., 9.])
    """
    size = len(terms) - count + 1
    total, begun, block, length = np.zeros(size), 0, terms, 1
    while count:
        if count % 2:
            total = total + block[begun : begun + size]
            begun += length
        count //= 2
        if count:
            block, length = block[:-length] + block[length:], 2 * length
    return total


def gridded(loss: Floats, mass: Floats, width: float, log_infinite: float) -> Losses:
    """Losses on the grid, raised by their rounding; all infinite where no finite one is likely.

    >>> gridded(np.array([]), np.array([]), 1.0, 0.0).log_infinite
    0.0
    """
    if not mass.size or float(mass.max()) < UNLIKELY:
        return Losses(np.zeros(1), np.array([math.log(UNLIKELY)]), width, 0.0)
    return on_grid(loss + RAISED * np.abs(loss), mass, width, log_infinite)


def on_grid(loss: Floats, mass: Floats, width: float, log_infinite: float) -> Losses:
    """Each atom split between its two neighbours on the grid so that P and Q both keep their mass.

    An atom at loss l between g and g + width puts the share (1 - e^(g-l)) / (1 - e^-width) on the
    upper point; the share is rounded up.

    >>> half = on_grid(np.array([0.5]), np.array([1.0]), 1.0, -math.inf)
    >>> half.loss, np.exp(half.log_mass).round(4)  # 0.3775 + 0.6225/e = 1/sqrt(e)
    (array([0., 1.]), array([0.3775, 0.6225]))
    """
    index = np.floor(loss / width).astype(np.int64)
    share = np.expm1(width * index - loss) / math.expm1(-width)
    share = np.clip(share + 1e-15 * (1 + np.abs(loss) / width), 0.0, 1.0)
    low = int(index.min())
    size = int(index.max()) - low + 2
    index -= low
    gridded = np.bincount(index, mass * (1 - share), size).astype(np.float64)
    gridded[1:] += np.bincount(index, mass * share, size)[:-1]
    with np.errstate(divide="ignore"):
        log_masses = np.log(gridded).astype(np.float64)
    points = (width * (low + np.arange(size))).astype(np.float64)
    return Losses(points, log_masses, width, log_infinite)


def tilted(losses: Losses, t: float) -> tuple[float, float, float]:
    """Weights mass e^(t loss): ln of their sum, and mean and standard deviation of that law.

    >>> fair = Losses(np.array([0.0, 1.0]), np.log([0.5, 0.5]), 1.0, -math.inf)
    >>> [round(x, 6) for x in tilted(fair, math.log(3))]
    [0.693147, 0.75, 0.433013]
    """
    exponents = losses.log_mass + t * losses.loss
    peak = float(exponents.max())
    weights = np.exp(exponents - peak)
    total = float(np.sum(weights))
    mean = float(weights @ losses.loss) / total
    away = losses.loss - mean
    variance = float(weights @ (away * away)) / total
    return peak + math.log(total), mean, math.sqrt(variance)


def log_moment(losses: Losses, t: float) -> float:
    """The ln of the sum of mass e^(t loss), the first number of `tilted` alone.

    >>> fair = Losses(np.array([0.0, 1.0]), np.log([0.5, 0.5]), 1.0, -math.inf)
    >>> round(log_moment(fair, math.log(3)), 6)
    0.693147
    """
    exponents = losses.log_mass + t * losses.loss
    peak = float(np.max(exponents))
    return peak + math.log(float(np.sum(np.exp(exponents - peak))))


def laplace_losses(epsilon: float, width: float) -> Losses:
    """Losses of one coordinate of Laplace noise with pure budget `epsilon`, on a grid.

    >>> losses = laplace_losses(1.0, 0.25)
    >>> mass = np.exp(losses.log_mass)
    >>> round(float(mass.sum()), 9), round(float((mass * np.exp(-losses.loss)).sum()), 9)
    (1.0, 1.0)
    """
    atoms = on_grid(
        np.array([-epsilon, epsilon]), np.array([0.5 * math.exp(-epsilon), 0.5]), width, -math.inf
    )
    gridded = np.exp(atoms.log_mass)
    between, upper = _on_cells(atoms.loss[:-1], epsilon, width)
    gridded[:-1] += between - upper
    gridded[1:] += upper
    with np.errstate(divide="ignore"):
        log_mass = np.log(gridded).astype(np.float64)
    return Losses(atoms.loss, log_mass, width, -math.inf)


def bounded_range_losses(epsilon: float, width: float) -> Losses:
    """Losses of the law that dominates one mechanism of bounded range `epsilon`, on a grid.

    >>> losses = bounded_range_losses(1.0, 0.25)
    >>> mass = np.exp(losses.log_mass)
    >>> round(float(mass.sum()), 9), round(float((mass * np.exp(-losses.loss)).sum()), 9)
    (1.0, 1.0)
    """
    most = math.ceil(epsilon / width)
    points = width * np.arange(-most, most + 1, dtype=np.float64)
    mass, upper = _on_cells(points[:-1], epsilon, width)
    gridded = np.append(mass - upper, 0.0) + np.append(0.0, upper)
    with np.errstate(divide="ignore"):
        log_mass = np.log(gridded) + math.log(2) - math.log(-math.expm1(-epsilon))
    return Losses(points, log_mass, width, -math.inf)


def _on_cells(grid: Floats, epsilon: float, width: float) -> tuple[Floats, Floats]:
    """Mass of the density on each cell [g, g + width], and the part for its upper point."""
    begin = np.clip(-epsilon - grid, 0.0, width)
    end = np.clip(epsilon - grid, begin, width)
    wide = np.exp((grid - epsilon) / 2) * np.sinh((end - begin) / 4)
    mass = wide * np.exp((begin + end) / 4)
    upper = 2 * wide * np.sinh((begin + end) / 4) / -math.expm1(-width)
    return mass, np.minimum(mass, upper + RAISED_MASS * mass)


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
