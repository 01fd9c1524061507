"""The privacy losses of one coordinate of Poisson noise moved by whole steps, on a grid.

Moved by s: where the person is away (P = Poisson(level)) outcome y has the loss
ln(level/y) + ... + ln(level/(y-s+1)); where they are there (P = s + Poisson(level)) it has the same
with the other sign. Each atom is split between its two neighbours on the grid so that both P and Q
keep their mass. The pair on the grid can be merged back into the true one, so by data processing it
costs at least as much, in any composition; the excess is second order in the width of the grid
[the pessimistic estimate of Doroshenko et al. 2022, arXiv:2207.04380].
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.poisson import log_mass, log_ratios

Floats = NDArray[np.float64]
RAISED = 4e-15  # relative rounding of a loss
UNLIKELY = 1e-280


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
