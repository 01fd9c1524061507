"""Slow, literal oracles for the discrete Laplace family: its definition, in exact fractions.

A level is given by its a, a fraction in [0, 1); a = 0 stands for the exact values. Where a is
exp(-1/b), mpmath's numbers take the place of fractions.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from dpviz.noise.reals import Interval

F = Fraction


def mass(x: int, a: Any) -> Any:
    """P(DL = x) = (1-a)/(1+a)·a^|x|."""
    return (1 - a) / (1 + a) * a ** abs(x)


def stay(low: Any, high: Any) -> Any:
    """μ = g(a_l)/g(a_h) with g(a) = a/(1-a)²."""
    return low / (1 - low) ** 2 * (1 - high) ** 2 / high


def step_mass(x: int, low: Any, high: Any) -> Any:
    """P(increment = x) from one level to the next: 0 with probability μ, else DL(a_h)."""
    moves = 1 - stay(low, high)
    return moves * mass(x, high) + (0 if x else 1 - moves)


class Bridge:
    """Law of W given that W and an independent W' add up to k, straight from the definition."""

    def __init__(self, low: Any, level: Any, high: Any, k: int) -> None:
        self.levels, self.k = (low, level, high), k
        ends = min(0, k), max(0, k)
        inside = sum(self.joint(x) for x in range(ends[0], ends[1] + 1))
        ratio = level * high  # outside of the two neighbours every number has this ratio
        outside = self.joint(ends[0] - 1) + self.joint(ends[1] + 1)
        self.total = inside + outside / (1 - ratio)

    def joint(self, x: int) -> Any:
        low, level, high = self.levels
        return step_mass(x, low, level) * step_mass(self.k - x, level, high)

    def mass(self, x: int) -> Any:
        """P(W = x)."""
        return self.joint(x) / self.total


class Rational:
    """A fraction as the ratio of a geometric law, like `dpviz.noise.reals.Exponential`."""

    def __init__(self, ratio: Fraction, scale: float) -> None:
        self.ratio, self.scale = ratio, scale

    def power(self, exponent: int, bits: int) -> Interval:
        return Interval.of(self.ratio**exponent, bits)


def cumulative(cells: Any, masses: Any, ratios: Any) -> list[Any]:
    """P(draw < x) of a two-sided geometric law at every cell of its table but the first."""
    left, right = cells
    below = [masses[0] * ratios[0] ** (n - 1) for n in range(left + 1, 0, -1)]
    return below + [1 - masses[1] * ratios[1] ** (n - 1) for n in range(1, right + 2)]


def exact_mass(x: int, level: float) -> Any:
    """P(DL = x) at scale b, at mpmath's precision."""
    return mass(x, mpmath.exp(-1 / mpmath.mpf(level)))


def exact_stay(low: float, high: float) -> Any:
    """μ = (sinh(1/2h)/sinh(1/2l))² at mpmath's precision, from scales; 0 from the exact values."""
    if low == 0:
        return mpmath.mpf(0)
    half = [mpmath.sinh(1 / (2 * mpmath.mpf(level))) for level in (low, high)]
    return (half[1] / half[0]) ** 2


def atom_mass(low: float, high: float) -> float:
    """P(increment = 0) between two scales."""
    moves = 1 - exact_stay(low, high)
    return float(1 - moves + moves * exact_mass(0, high))


def step_law(low: float, high: float) -> Callable[[Any], Any]:
    """Distribution function of the increment between two scales."""
    moves = float(1 - exact_stay(low, high))
    ratio = float(mpmath.exp(-1 / mpmath.mpf(high)))

    def cdf(x: Any) -> Any:
        floor = np.floor(x)
        tail = ratio ** np.where(floor < 0, -floor, floor + 1) / (1 + ratio)
        return (1 - moves) * (floor >= 0) + moves * np.where(floor < 0, tail, 1 - tail)

    return cdf
