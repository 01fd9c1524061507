"""Law of a discrete Laplace bridge or extension: the lazy path on whole numbers.

The branches are those of `discrete_laplace_law`, in floats: away, stay, towards, beyond.
Source: MATHEMATICS 2.6.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import special

from dpviz import checks
from dpviz.noise.discrete_laplace_law import (
    Chain,
    beyond_side,
    bridge_sides,
    extend_side,
    rest_side,
)
from dpviz.noise.family import Array

Atoms = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeometricLaw:
    """The same on whole numbers: geometric pieces of ratio `inner` between and `outer` outside."""

    below: float
    sign: int
    distance: float  # k; infinite if nothing noisier is held
    away: float  # P(W < 0)
    toward: float  # P(W > 0)
    beyond: float  # P(W > k)
    inner: float
    outer: float

    def __post_init__(self) -> None:
        checks.finite(below=self.below)
        checks.side(sign=self.sign)
        checks.between(0, math.inf, distance=self.distance)
        checks.between(0, 1, away=self.away, toward=self.toward, beyond=self.beyond)
        checks.between(0, 1, inner=self.inner, outer=self.outer)

    @property
    def atoms(self) -> Atoms:
        """Chances to be identical to the neighbours; one atom if these agree."""
        first = (self.below, 1 - self.away - self.toward)
        if self.distance in (0, math.inf):
            return (first,)
        reached = self.toward * self.inner ** (self.distance - 1)
        return (first, (self.below + self.sign * self.distance, reached - self.beyond))

    def _up_to(self, w: Array) -> Array:
        """P(W <= w) for whole w."""
        with np.errstate(over="ignore", under="ignore"):
            left = self.away * self.outer ** np.maximum(-w - 1, 0)
            inside = 1 - self.toward * self.inner ** np.maximum(w, 0)
            total = np.where(w < 0, left, inside)
            if math.isfinite(self.distance):
                past = 1 - self.beyond * self.outer ** np.maximum(w - self.distance, 0)
                total = np.where(w >= self.distance, past, total)
        return np.asarray(total)

    def cdf(self, x: Array) -> Array:
        """P(value <= x), elementwise."""
        floor = np.floor(np.asarray(x, float)) - self.below
        return self._up_to(floor) if self.sign > 0 else np.asarray(1 - self._up_to(-floor - 1))

    def density(self, x: Array) -> Array:
        """P(value = x), elementwise, atoms included; 0 where x is not whole."""
        x = np.asarray(x, float)
        w = self.sign * (np.floor(x) - self.below)
        mass = self._up_to(w) - self._up_to(w - 1)
        return np.asarray(np.where(x == np.floor(x), mass, 0.0))

    def log_density(self, x: Array) -> Array:
        """Log of P(value = x), elementwise, however small; -inf where x is not whole."""
        x = np.asarray(x, float)
        w = self.sign * (np.floor(x) - self.below)
        k, rests = self.distance, [chance for _, chance in self.atoms]
        with np.errstate(divide="ignore", invalid="ignore"):
            pieces = [
                np.log(self.away * (1 - self.outer)) + special.xlogy(-w - 1, self.outer),
                np.log(rests[0]),
                np.log(self.toward * (1 - self.inner)) + special.xlogy(w - 1, self.inner),
                np.log(rests[-1]),
                np.log(self.beyond * (1 - self.outer)) + special.xlogy(w - k - 1, self.outer),
            ]
        found = np.select([w < 0, w == 0, w < k, w == k], pieces[:4], pieces[4])
        return np.asarray(np.where(x == np.floor(x), found, -math.inf))

    def quantile(self, p: Array) -> Array:
        """Least whole x with cdf(x) >= p, elementwise, by bisection."""
        p = np.asarray(p, float)
        span = self.distance if math.isfinite(self.distance) else 0.0
        ratio = max(self.inner if not math.isfinite(self.distance) else 0.0, self.outer)
        wide = 4 + span + math.ceil(-45 / math.log(ratio) if ratio else 0)
        low, high = np.full_like(p, self.below - wide), np.full_like(p, self.below + wide)
        for _ in range(math.ceil(math.log2(2 * wide)) + 1):
            middle = np.floor((low + high) / 2)
            enough = self.cdf(middle) >= p
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return np.asarray(high)


def discrete_laplace_law(
    below: float, above: float | None, low: float, level: float, high: float | None
) -> GeometricLaw:
    """Law at scale b between scales l and h, or beyond l, on whole numbers.

    >>> law = discrete_laplace_law(0.0, 3.0, 1.0, 2.0, 4.0)
    >>> float(law.density(np.arange(-60, 60)).sum().round(12))
    1.0
    """
    a, a_low = math.exp(-1 / level), math.exp(-1 / low) if low else 0.0
    low_by_level = Fraction(math.exp(1 / level - 1 / low) if low else 0.0)
    if above is None or high is None:
        side = float(extend_side(Fraction(a_low), Fraction(a), low_by_level))
        return GeometricLaw(
            below=below,
            sign=1,
            distance=math.inf,
            away=side,
            toward=side,
            beyond=0.0,
            inner=a,
            outer=a,
        )
    inner = math.exp(1 / high - 1 / level)
    chain = Chain(Fraction(math.exp(-1 / high)), Fraction(inner), low_by_level)
    outer, distance = math.exp(-1 / high - 1 / level), abs(above - below)
    if distance == 0:
        away = toward = beyond = float(rest_side(chain))
    else:
        away, toward = (float(side) for side in bridge_sides(chain))
        beyond = toward * inner ** (distance - 1) * float(beyond_side(chain))
    return GeometricLaw(
        below=below,
        sign=1 if above >= below else -1,
        distance=distance,
        away=away,
        toward=toward,
        beyond=beyond,
        inner=inner,
        outer=outer,
    )
