"""Slow, literal oracles for the noise families: the definitions, at 30 digits or as fractions.

Nothing here is clever, and nothing is shared with the code under test, except that the law of a
Gaussian or Poisson step is the family's own law at the difference of the levels.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np

from dpviz.noise import Family
from tests import oracles_discrete, oracles_skellam

mpmath.mp.dps = 30


def distribution(name: str, x: float, at: str) -> Any:
    """P(noise at a level <= x), from the definition of each family."""
    level = mpmath.mpf(at)
    return _told(
        name,
        {
            "gaussian": lambda: mpmath.ncdf(x, 0, mpmath.sqrt(level)),
            "laplace": lambda: (
                mpmath.exp(x / level) / 2 if x < 0 else 1 - mpmath.exp(-x / level) / 2
            ),
            "discrete_laplace": lambda: mpmath.fsum(
                oracles_discrete.exact_mass(i, float(at)) for i in range(-200, math.floor(x) + 1)
            ),
            "exponential": lambda: -mpmath.expm1(-max(x, 0) / level),
            "skellam": lambda: mpmath.fsum(
                oracles_skellam.mass(i, level) for i in range(-80, math.floor(x) + 1)
            ),
            "poisson": lambda: mpmath.fsum(
                poisson_mass(i, level) for i in range(math.floor(x) + 1)
            ),
        },
    )


def _told(name: str, laws: dict[str, Callable[[], Any]]) -> Any:
    """What the oracle of a family says."""
    assert name in laws, f"tests/oracles_noise.py says nothing of {name!r}: add its line there"
    return laws[name]()


def atom_mass(name: str, low: float, high: float) -> float:
    """Chance that nothing changes between two levels."""
    return _told(
        name,
        {
            "gaussian": lambda: 0.0,
            "laplace": lambda: (low / high) ** 2,
            "discrete_laplace": lambda: oracles_discrete.atom_mass(low, high),
            "exponential": lambda: low / high,
            "poisson": lambda: math.exp(low - high),
            "skellam": lambda: float(oracles_skellam.mass(0, high - low)),
        },
    )


def step_law(family: Family, low: float, high: float) -> Callable[[Any], Any]:
    """Distribution function of the step from `low` to `high`; for Laplace of a step that moves.

    A family that is not named here has steps of its own law at the difference of the levels.
    """
    if family.name == "laplace":
        tail = lambda x: np.exp(-np.abs(x) / high) / 2  # noqa: E731
        return lambda x: np.where(x < 0, tail(x), 1 - tail(x))
    if family.name == "exponential":
        return lambda x: -np.expm1(-np.maximum(x, 0) / high)
    if family.name == "discrete_laplace":
        return oracles_discrete.step_law(low, high)
    return lambda x: family.cdf(x, high - low)


class LaplaceBridge:
    """Law of W = Y(b) - Y(l) given Y(h) - Y(l) = k, from the definition of the process.

    W: 0 with probability (l/b)², else Laplace(b). The rest, k - W: 0 with probability (b/h)², else
    Laplace(h). Given that both add up to k != 0, there are two atoms and a density.
    """

    def __init__(self, low: float, level: float, high: float, k: float) -> None:
        self.b, self.h, self.k = mpmath.mpf(level), mpmath.mpf(high), mpmath.mpf(k)
        stay_first = (mpmath.mpf(low) / self.b) ** 2
        stay_second = (self.b / self.h) ** 2
        self.both_move = (1 - stay_first) * (1 - stay_second)
        at_zero = stay_first * (1 - stay_second) * self.laplace(self.k, self.h)
        at_k = (1 - stay_first) * stay_second * self.laplace(self.k, self.b)
        between = self.both_move * self.integral(-mpmath.inf, mpmath.inf)
        self.total = at_zero + at_k + between
        self.zero, self.whole, self.other = (mass / self.total for mass in (at_zero, at_k, between))

    @staticmethod
    def laplace(x: Any, scale: Any) -> Any:
        return mpmath.exp(-abs(x) / scale) / (2 * scale)

    def integral(self, start: Any, end: Any, weight: Callable[[Any], Any] = lambda _: 1) -> Any:
        """Integral of weight(x) times both densities, cut where they have a corner."""
        corners = sorted(x for x in (mpmath.mpf(0), self.k) if start < x < end)
        return mpmath.quad(
            lambda x: weight(x) * self.laplace(x, self.b) * self.laplace(self.k - x, self.h),
            [start, *corners, end],
        )

    def below(self, x: float) -> Any:
        """P(W < x)."""
        mass = self.both_move * self.integral(-mpmath.inf, x) / self.total
        return mass + (self.zero if x > 0 else 0) + (self.whole if x > self.k else 0)

    def mean(self) -> Any:
        """E[W]."""
        moved = self.both_move * self.integral(-mpmath.inf, mpmath.inf, lambda x: x) / self.total
        return moved + self.k * self.whole


def laplace_branches(low: float, level: float, high: float) -> tuple[Fraction, ...]:
    """Chances to go away, to stay and to go towards, in the form of MATHEMATICS 2.3."""
    l_, b, h = Fraction(low), Fraction(level), Fraction(high)
    first, second = (l_ / b) ** 2, (b / h) ** 2
    total = (1 - (l_ / h) ** 2) / (2 * h)
    away = (1 - first) * (1 - second) / (4 * b * h * (1 / b + 1 / h)) / total
    stay = first * (1 - second) / (2 * h) / total
    return away, stay, 1 - away - stay


def gaussian_bridge(low: float, level: float, high: float) -> tuple[Fraction, Fraction]:
    """Share of the total increment, and variance: regression of one Gaussian on another."""
    low_, level_, high_ = Fraction(low), Fraction(level), Fraction(high)
    covariance, total = level_ - low_, high_ - low_  # of the two increments, and of the total
    return covariance / total, covariance - covariance**2 / total


def poisson_bridge(low: float, level: float, high: float, k: int) -> list[Any]:
    """P(W = i | both increments add up to k), i = 0…k, from the two Poisson laws."""
    first, second = mpmath.mpf(level) - low, mpmath.mpf(high) - level
    joint = [poisson_mass(i, first) * poisson_mass(k - i, second) for i in range(k + 1)]
    return [mass / mpmath.fsum(joint) for mass in joint]


def poisson_mass(x: int, rate: Any) -> Any:
    """e^{-rate} rate^x / x!."""
    return mpmath.exp(-mpmath.mpf(rate)) * mpmath.mpf(rate) ** x / mpmath.factorial(x)


def response(kept: Any, categories: int) -> list[list[Any]]:
    """The step of randomised response: kept with this chance, else any category."""
    other = (1 - kept) / categories
    return [[other + kept * (x == y) for y in range(categories)] for x in range(categories)]


def response_steps(categories: int, levels: Sequence[float]) -> list[list[list[Any]]]:
    """From each level to the next one."""
    away = (mpmath.mpf(a) - mpmath.mpf(b) for a, b in pairwise(levels))
    return [response(mpmath.exp(each), categories) for each in away]


def response_bridge(steps: list[list[list[Any]]], below: int, above: int) -> list[Any]:
    """Chances of a report between two others, by trying each category."""
    first, second = steps
    mass = [there * second[y][above] for y, there in enumerate(first[below])]
    return [each / mpmath.fsum(mass) for each in mass]
