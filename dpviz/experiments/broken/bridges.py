"""Broken copies of a noise family: each passes everything on to the right one but for one flaw.

[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
[M12] Mironov, On significance of the least significant bits for differential privacy, 2012.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.experiments.printed_bridge import EXCHANGED, PRINTED, RIGHT, Part, masses, parts_of
from dpviz.noise.family import Array, Family

Floats = NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True)
class BrokenFamily:
    """A family that is wrong in what a subclass says; here it is still the right one."""

    right: Family

    def __getattr__(self, name: str) -> Any:
        return getattr(self.right, name)

    def extend(
        self, values: Array, low: float, high: float, *, rng: Rng, out: Array | None = None
    ) -> Array:
        """As the right family."""
        return self.right.extend(values, low, high, rng=rng, out=out)

    def bridge(
        self, below: Array, above: Array, low: float, level: float, high: float, *, rng: Rng
    ) -> Array:
        """As the right family."""
        return self.right.bridge(below, above, low, level, high, rng=rng)


@dataclass(frozen=True)
class BrokenPrintedBridge(BrokenFamily):
    """The mixture of Lemma F.5 [LMR25], drawn branch by branch.

    A bridge from l over b to h splits k into two parts, each 0 with some probability and Laplace
    otherwise. Right: (l/b)² and b for the first, (b/h)² and h for the second. Printed: (b/h)² and b
    for one, (l/b)² and l for the other; it does not say which of them is the first.
    """

    reading: str = EXCHANGED

    def __post_init__(self) -> None:
        checks.one_of((RIGHT, PRINTED, EXCHANGED), reading=self.reading)

    def bridge(
        self, below: Array, above: Array, low: float, level: float, high: float, *, rng: Rng
    ) -> Array:
        """Draw with the scales of this reading."""
        if low == 0:  # as printed there would be a division by 0 here
            return self.right.bridge(below, above, low, level, high, rng=rng)
        first, second = parts_of(self.reading, low, level, high)
        k = above - below
        part = np.sign(k) * _first_of_two(np.abs(k), first, second, rng=rng)
        return np.where(part == 0, below, np.where(part == k, above, below + part))


def _first_of_two(k: Floats, first: Part, second: Part, *, rng: Rng) -> Floats:
    """The first of two such parts, given that they add up to k >= 0."""
    outer, inner = 1 / first[1] + 1 / second[1], 1 / first[1] - 1 / second[1]
    cases = masses(k, first, second)
    chance = np.cumsum(cases / cases.sum(axis=0), axis=0)
    branch = (rng.random(k.size) > chance).sum(axis=0)
    step = rng.exponential(1 / outer, k.size)
    uniform = rng.random(k.size)
    if inner < 0:  # towards k, mirrored, so that no exponential overflows
        inside = k + np.log1p(uniform * np.expm1(k * inner)) / -inner
    else:
        inside = -np.log1p(uniform * np.expm1(-k * inner)) / inner
    drawn = np.choose(branch.clip(0, 4), [0 * k, k, -step, inside, k + step])
    return np.asarray(np.where(k == 0, 0, drawn), dtype=np.float64)


class BrokenStraightBridge(BrokenFamily):
    """A bridge whose means, variances and covariances are right, and whose law is not.

    It lies on the straight line between its neighbours, plus normal noise: right for Gaussian
    noise, and for no other.
    """

    def bridge(
        self, below: Array, above: Array, low: float, level: float, high: float, *, rng: Rng
    ) -> Array:
        """Draw around the straight line."""
        before, now, after = (self.right.variance(x) if x else 0.0 for x in (low, level, high))
        share = (now - before) / (after - before)
        spread = math.sqrt((now - before) * (after - now) / (after - before))
        drawn: Array = below + share * (above - below) + spread * rng.standard_normal(below.size)
        return drawn


class BrokenCopyingBridge(BrokenFamily):
    """A bridge that copies its less noisy neighbour, if that is a release."""

    def bridge(
        self, below: Array, above: Array, low: float, level: float, high: float, *, rng: Rng
    ) -> Array:
        """Draw at its neighbour's level in place of its own."""
        return self.right.bridge(below, above, low, low or level, high, rng=rng)


class BrokenFloatLaplace(BrokenFamily):
    """Laplace noise as numpy draws it: of the right law, in floating-point numbers.

    The last binary digits of a sum of two floats depend on both of them [M12].
    """

    def extend(
        self, values: Array, low: float, high: float, *, rng: Rng, out: Array | None = None
    ) -> Array:
        """Add what numpy draws to the exact values."""
        if low:
            return self.right.extend(values, low, high, rng=rng, out=out)
        return np.asarray(values + rng.laplace(0, high, values.size))
