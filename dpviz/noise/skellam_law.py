"""Distribution function and masses of Skellam noise, the difference of two Poisson(λ) counts.

Up to LARGE they are a non-central chi-square tail and a Bessel function,

    P(N >= x) = P(chi²(2x, 2λ) < 2λ), x >= 1      P(N = x) = e^{-2λ} I_x(2λ)

beyond, where those are slow or fail, the lattice formula of Lugannani and Rice, whose relative
error was seen to stay below 1e-9, and the first three terms of Debye's expansion, below 1e-13.
[LR80] Lugannani and Rice 1980 with the lattice correction of [D87] Daniels 1987.
[DLMF] NIST, 10.41(ii).
"""

from typing import Any

import numpy as np
from scipy import special

from dpviz.noise.family import Array

LARGE = 1e5


def tail(x: Array, level: float) -> Array:
    """P(N >= x) for whole x >= 1, elementwise.

    >>> float(tail(np.array(1.0), 1e-3).round(9))
    0.000998502
    """
    if level <= LARGE:
        found: Any = special.chndtr(2 * level, 2 * x, 2 * level)
        return np.asarray(found)
    shifted = x - 0.5
    slope = np.arcsinh(shifted / (2 * level))
    root = np.sqrt(2 * (slope * shifted - 4 * level * np.sinh(slope / 2) ** 2))
    lattice = 2 * np.sinh(slope / 2) * np.sqrt(2 * level * np.cosh(slope))
    normal = np.exp(-root * root / 2) / np.sqrt(2 * np.pi)
    return np.asarray(special.ndtr(-root) + normal * (1 / lattice - 1 / root))


def mass(x: Array, level: float) -> Array:
    """P(N = x) for whole x >= 0, elementwise.

    >>> float(mass(np.array(0.0), 1e-3).round(9))
    0.998002997
    """
    twice = 2 * level
    if level <= LARGE:
        return np.asarray(special.ive(x, twice))
    size = np.hypot(x, twice)
    exponent = x * x / (size + twice) - x * np.arcsinh(x / twice)
    square = (x / size) ** 2
    second = (81 - (462 - 385 * square) * square) / (1152 * size * size)
    series = 1 + (3 - 5 * square) / (24 * size) + second
    return np.asarray(np.exp(exponent) / np.sqrt(2 * np.pi * size) * series)


def reach(level: float) -> float:
    """A whole number beyond which all masses and tails are below any float.

    >>> reach(2.0)
    920.0
    """
    return float(800 + np.ceil(60 * np.sqrt(2 * level)))
