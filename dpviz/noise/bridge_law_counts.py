"""Laws of noise on counts: Poisson and Skellam bridges as tables, and the masses of Skellam noise.

A bridge has a table of masses around its mean. Skellam noise is the difference of two Poisson(λ)
counts. Up to LARGE its distribution function and masses are a non-central chi-square tail and a
Bessel function,

    P(N >= x) = P(chi²(2x, 2λ) < 2λ), x >= 1      P(N = x) = e^{-2λ} I_x(2λ)

beyond, where those are slow or fail, the lattice formula of Lugannani and Rice, whose relative
error was seen to stay below 1e-9, and the first three terms of Debye's expansion, below 1e-13.
[LR80] Lugannani and Rice 1980 with the lattice correction of [D87] Daniels 1987.
[DLMF] NIST, 10.41(ii).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from scipy import special

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.family import Array

REACH = 12  # standard deviations of a table on either side
MOST = 4_000  # counts of a table; beyond, it skips some
FINE = 50  # counts kept per standard deviation then
LARGE = 1e5  # λ of Skellam noise


@dataclass(frozen=True, slots=True)
class CountLaw:
    """Masses at whole numbers, `step` apart; each stands for `step` counts around it."""

    values: Array = field(repr=False)
    chances: Array = field(repr=False)  # of the whole step
    step: int
    log_mass: Callable[[Array], Array] = field(
        repr=False
    )  # of any whole value, in the table or not
    atoms: ClassVar[tuple[tuple[float, float], ...]] = ()

    def __post_init__(self) -> None:
        checks.arrays(1, values=self.values, chances=self.chances)
        checks.arrays(1, least=0, chances=self.chances)
        checks.whole(1, step=self.step)

    def cdf(self, x: Array) -> Array:
        """P(value <= x), elementwise."""
        reached = np.concatenate([[0.0], np.cumsum(self.chances)])
        half = (self.step - 1) // 2  # a step ends this many counts above its value
        place = np.searchsorted(self.values + half, np.floor(np.asarray(x, float)), side="right")
        return np.asarray(np.minimum(reached[place], 1.0))

    def density(self, x: Array) -> Array:
        """P(value = x), elementwise; 0 where x is not whole or outside of the table."""
        x = np.asarray(x, float)
        mass = np.interp(x, self.values, self.chances / self.step, left=0.0, right=0.0)
        return np.asarray(np.where(x == np.floor(x), mass, 0.0))

    def log_density(self, x: Array) -> Array:
        """Log of P(value = x), elementwise, also beyond the table; -inf where x is not whole."""
        x = np.asarray(x, float)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            found = self.log_mass(np.floor(x))
        return np.asarray(np.where(x == np.floor(x), found, -math.inf))

    def quantile(self, p: Array) -> Array:
        """Least value of the table with cdf at least p, elementwise."""
        place = np.searchsorted(np.cumsum(self.chances), np.asarray(p, float) - 1e-15)
        return np.asarray(
            self.values[np.minimum(place, self.values.size - 1)] + (self.step - 1) // 2
        )


def poisson_law(
    below: float, above: float | None, low: float, level: float, high: float | None
) -> CountLaw:
    """Law of below + Binomial(above - below, (λ-l)/(h-l)), or below + Poisson(λ - l).

    Raises:
        ParameterError: above is less than below.

    >>> law = poisson_law(0.0, 4.0, 1.0, 2.0, 3.0)
    >>> law.density(np.arange(5)).round(4).tolist()
    [0.0625, 0.25, 0.375, 0.25, 0.0625]
    """
    if above is None or high is None:
        rate = level - low

        def poisson(w: Array) -> Array:
            return np.asarray(special.xlogy(w, rate) - rate - special.gammaln(w + 1))

        return _table(below, rate, math.sqrt(rate), (0, math.inf), poisson)
    k, share, rest = above - below, (level - low) / (high - low), (high - level) / (high - low)

    def binomial(w: Array) -> Array:
        ways = special.gammaln(k + 1) - special.gammaln(w + 1) - special.gammaln(k - w + 1)
        return np.asarray(ways + special.xlogy(w, share) + special.xlogy(k - w, rest))

    return _table(below, k * share, math.sqrt(k * share * rest), (0, k), binomial)


def skellam_law(
    below: float, above: float | None, low: float, level: float, high: float | None
) -> CountLaw:
    """P(W = w) ∝ s(w; λ-l)·s(k-w; h-λ) with Skellam masses s; without `above` the first alone.

    >>> law = skellam_law(0.0, 2.0, 1.0, 2.0, 3.0)
    >>> float(law.density(np.array(1.0)).round(4)), float(law.chances.sum().round(9))
    (0.394, 1.0)
    """
    if above is None or high is None:
        rate = level - low

        def alone(w: Array) -> Array:
            return _logarithm(skellam_mass(np.abs(w), rate))

        return _table(below, 0.0, math.sqrt(2 * rate), (-math.inf, math.inf), alone)
    k, share = above - below, (level - low) / (high - low)
    steps = math.hypot(k, 2 * (high - low))  # about as many steps there were, up and down

    def between(w: Array) -> Array:
        return _logarithm(skellam_mass(np.abs(w), level - low)) + _logarithm(
            skellam_mass(np.abs(k - w), high - level)
        )

    deviation = math.sqrt(steps * share * (1 - share))
    return _table(below, k * share, deviation, (-math.inf, math.inf), between)


def _logarithm(mass: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(mass))


def _table(
    below: float,
    mean: float,
    deviation: float,
    ends: tuple[float, float],
    log_mass: Callable[[Array], Array],
) -> CountLaw:
    """Masses around the mean, normalised."""
    wide = REACH * deviation + 40
    first = max(ends[0], math.floor(mean - wide))
    last = min(ends[1], math.ceil(mean + wide))
    step = 1
    if last - first >= MOST:
        step = max(1, math.floor(deviation / FINE)) | 1  # odd: a step has a middle
    w = np.arange(first, last + 1, step, dtype=np.float64)
    logs = log_mass(w)
    largest = float(np.max(logs))
    if not math.isfinite(largest):
        raise ParameterError(
            "the two neighbours differ by more than any noise between them, so these are not two "
            "releases of one session"
        )
    chances = np.exp(logs - largest)
    log_total = largest + math.log(step * float(chances.sum()))
    return CountLaw(
        below + w, chances / chances.sum(), step, lambda x: log_mass(x - below) - log_total
    )


def skellam_tail(x: Array, level: float) -> Array:
    """P(N >= x) for whole x >= 1, elementwise.

    >>> float(skellam_tail(np.array(1.0), 1e-3).round(9))
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


def skellam_mass(x: Array, level: float) -> Array:
    """P(N = x) for whole x >= 0, elementwise.

    >>> float(skellam_mass(np.array(0.0), 1e-3).round(9))
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


def skellam_reach(level: float) -> float:
    """A whole number beyond which all masses and tails are below any float.

    >>> skellam_reach(2.0)
    920.0
    """
    return float(800 + np.ceil(60 * np.sqrt(2 * level)))
