"""Masses of Skellam noise and their ratios, in logarithms and with all digits.

The noise is the difference of two Poisson(level) counts, P(x) = e^{-2 level} I_x(2 level). What one
unit costs at x is ln(P(x)/P(x+1)), from the recurrence of the Bessel functions run downwards, where
all terms are positive (as 1 - P(x+1)/P(x) while that is small), or, where the order or the argument
exceeds FORMULA, from Debye's expansion, integrated over the unit step [DLMF 10.29.1, 10.41(ii)].
Relative errors stay near 1e-15.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ive

Floats = NDArray[np.float64]

FORMULA = 2e4  # of sqrt(x² + (2 level)²); the terms left out are below its -4th power
EXTRA = 30  # steps that the recurrence begins beyond the first one wanted
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(2)


def log_mass(x: int, level: float) -> float:
    """The ln P(x) of x >= 0.

    >>> round(math.exp(log_mass(0, 0.5)), 6)  # e⁻¹ I₀(1)
    0.46576
    """
    size = math.hypot(x, 2 * level)
    if size > FORMULA:
        exponent = x * x / (size + 2 * level) - x * math.asinh(x / (2 * level))
        return exponent - 0.5 * math.log(2 * math.pi * size) + float(_correction(x, size))
    return math.log(ive(0, 2 * level)) - math.fsum(log_ratios(0, x, level))


def log_ratios(first: int, count: int, level: float) -> Floats:
    """The ln(P(x)/P(x+1)) for x = first, …, first + count - 1; odd around -1/2.

    >>> log_ratios(-2, 3, 0.5).round(6)
    array([-1.426309, -0.806562,  0.806562])
    """
    if first < 0:
        upwards = log_ratios(0, max(first + count, -first), level)
        mirrored = -upwards[:-first][::-1]
        return np.concatenate([mirrored, upwards])[:count]
    if math.hypot(first, 2 * level) > FORMULA:
        return _by_formula(np.arange(first, first + count, dtype=np.float64), level)
    return _by_recurrence(first, count, level)


def _by_formula(x: Floats, level: float) -> Floats:
    """By Debye's expansion, its leading term integrated."""
    twice, further = 2 * level, np.append(x, x[-1:] + 1)
    steps = x[:, np.newaxis] + (NODES + 1) / 2
    leading = (np.arcsinh(steps / twice) * NODE_WEIGHTS).sum(axis=1) / 2
    size = np.hypot(further, twice)
    root = 0.25 * np.log1p((2 * x + 1) / size[:-1] / size[:-1])
    return np.asarray(leading + root - np.diff(_correction(further, size)))


def _correction(x: Any, size: Any) -> Floats:
    """The ln of the series of Debye's expansion."""
    square = (x / size) ** 2
    second = (81 - (462 - 385 * square) * square) / (1152 * size * size)
    corrected: Floats = np.log1p((3 - 5 * square) / (24 * size) + second)
    return corrected


def _by_recurrence(first: int, count: int, level: float) -> Floats:
    """By P(x-1)/P(x) = x/level + P(x+1)/P(x), from beyond the last x downwards."""
    last = first + count - 1 + EXTRA
    ratio = math.exp(-float(_by_formula(np.array([float(last)]), level)[0]))
    steps = np.arange(last, first, -1) / level
    steep = int(np.count_nonzero(steps > 1.5))
    ratios, missing = [], []  # the logarithms are taken together, below
    for step in steps[:steep].tolist():
        ratio = 1 / (step + ratio)
        ratios.append(ratio)
    lacks = 1 - ratio
    for step in steps[steep:].tolist():  # nearly 1: the difference from 1 keeps the digits
        lacks = (step - lacks) / (1 + step - lacks)
        missing.append(lacks)
    downwards = -np.concatenate([np.log(ratios), np.log1p(np.negative(missing))])
    return np.asarray(downwards[::-1][:count])
