"""Losses of Laplace noise and of bounded range, on a grid that costs at least as much.

With own budget e = l1 / scale the loss is e with probability 1/2, -e with probability e^-e / 2, and
between them has the density e^((loss - e)/2) / 4. The law that dominates one mechanism of bounded
range e has that density alone, normalised. Mass between g and g + width is split between
these two grid points so that both P and Q keep theirs; of the piece between g + a and g + b,

    P mass       e^((g-e)/2) e^((a+b)/4) sinh((b-a)/4)
    upper share  2 e^((g-e)/2) sinh((a+b)/4) sinh((b-a)/4) / (1 - e^-width)

all positive terms. Why splitting is safe: poisson_losses.py. Source: MATHEMATICS 5.3 and 5.11.
"""

import math

import numpy as np

from dpviz.accounting.poisson_losses import Floats, Losses, on_grid

RAISED = 1e-13  # relative rounding of a mass, moved to the upper point


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
    return mass, np.minimum(mass, upper + RAISED * mass)
