"""How likely each privacy loss is, on an even grid: what a picture of a composition shows.

The losses go on one grid so that both laws of the test keep their mass (loss_terms.py), and are
added by a plain Fourier transform. So a mass is right to about 1e-6 of the largest one, and no
bound: what a release costs is asked of `delta` and `epsilon`. Losses on a lattice stay on it.
Limits: what has less than OUTSIDE in all at either end is left out. Source: MATHEMATICS 5.7.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.accounting.loss_curves import FIRST_DEPTH, Terms, above, infinite_mass
from dpviz.accounting.poisson_losses import Floats
from dpviz.errors import ParameterError

OUTSIDE = 1e-9  # of the mass, at either end
LOST = 1e-6  # of the mass, at most, beyond all points
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
    if summed.lost > infinite + LOST:
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
