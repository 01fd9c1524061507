"""The privacy losses of one coordinate of Poisson noise moved by one, on a grid.

Where the person is away (P = Poisson(level)) outcome y has loss ln(level/y); where they are there
(P = 1 + Poisson(level)) it is ln(y/level). Each atom is split between its two neighbours on the
grid so that both P and Q keep their mass. The pair on the grid can be merged back into the true
one, so by data processing it costs at least as much, in any composition; the excess is second order
in the width of the grid [the pessimistic estimate of Doroshenko et al. 2022, arXiv:2207.04380].
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.poisson import log_mass, log_ratios

Floats = NDArray[np.float64]


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


@lru_cache(maxsize=4)  # pure mathematics of two public numbers
def directions(level: float, cut: float, fineness: float) -> tuple[Losses, Losses]:
    """Losses of one coordinate, person away and person there, outcomes cut below e^-cut.

    What is cut on the side of high losses counts as infinite; on the other side its mass is given
    to the last outcome kept, whose loss is higher.

    >>> away, there = directions(4.0, 40.0, 128.0)
    >>> away.log_infinite, round(float(np.exp(away.log_mass).sum()), 6)  # P(0), and the rest
    (-4.0, 0.981684)
    """
    low = max(0, math.floor(level - math.sqrt(2 * level * cut)))
    high = math.ceil(level + cut + math.sqrt(cut * cut + 2 * cut * level))
    mode = max(low, math.floor(level))
    down = np.cumsum(log_ratios(np.arange(mode, low, -1), level))[::-1]
    up = -np.cumsum(log_ratios(np.arange(mode + 1, high + 1), level))
    mass = np.exp(log_mass(mode, level) + np.concatenate([down, [0.0], up]))
    above = log_mass(high + 1, level) - math.log1p(-level / (high + 2))
    below = log_mass(low - 1, level) - math.log1p(-(low - 1) / level) if low > 0 else -math.inf

    width = 1 / (fineness * max(1.0, math.sqrt(level)))
    losses = log_ratios(np.arange(low, high + 2), level)
    first = 1 if low == 0 else 0  # outcome 0 is impossible where the person is there
    away, there = mass[first:].copy(), mass.copy()
    away[-1] += math.exp(above)
    there[0] += math.exp(below)
    return (
        on_grid(-losses[first:-1], away, width, -level if first else below),
        on_grid(losses[1:], there, width, above),
    )


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
    gridded = np.bincount(index - low, mass * (1 - share), size).astype(np.float64)
    gridded += np.bincount(index - low + 1, mass * share, size)
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
    peak = float(np.max(exponents))
    weights = np.exp(exponents - peak)
    total = float(np.sum(weights))
    mean = float(np.sum(weights * losses.loss)) / total
    variance = float(np.sum(weights * (losses.loss - mean) ** 2)) / total
    return peak + math.log(total), mean, math.sqrt(variance)
