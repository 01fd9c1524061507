"""Gaussian noise: its path, and the normal law of what a bridge or an extension draws.

Brownian motion in its variance: `N(t) ~ Normal(0, t)` with independent increments, so the noise of
a more private release is that of a less private one plus new noise [LMR25, Algorithm 1,
Lemma 3.2]. Weights are written with differences of levels: they keep full precision for two close
tiers, where the weights as printed in Algorithm 1 lose 7 digits.
Floating point: this shows the mechanism; it is not hardened for deployment.
Symbols: dpviz/NOTATION.md.  [LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import special

from dpviz import checks
from dpviz.noise.arguments import (
    Span,
    blocks,
    chance,
    mean_shares,
    scratch,
    within,
)
from dpviz.noise.family import NORMAL, Array, LevelUnit, Shape
from dpviz.noise.noise_path import Levels, NoisePath, Rng


@dataclass(frozen=True, slots=True)
class NormalLaw:
    """Normal(mean, deviation²), in units of the statistic.

    >>> law = NormalLaw.between(0.0, 8.0, 1.0, 2.0, 3.0)
    >>> law.mean, round(law.deviation, 4)
    (4.0, 0.7071)
    """

    mean: float
    deviation: float
    atoms: ClassVar[tuple[tuple[float, float], ...]] = ()

    def __post_init__(self) -> None:
        checks.finite(mean=self.mean)
        checks.non_negative(deviation=self.deviation)

    @classmethod
    def between(
        cls, below: float, above: float | None, low: float, level: float, high: float | None
    ) -> "NormalLaw":
        """Brownian bridge: mean below + (above - below)(t-l)/(h-l), variance (t-l)(h-t)/(h-l)."""
        if above is None or high is None:
            return cls(below, math.sqrt(level - low))
        share = (level - low) / (high - low)
        return cls(below + (above - below) * share, math.sqrt((high - level) * share))

    def cdf(self, x: Array) -> Array:
        """P(value <= x), elementwise."""
        return np.asarray(special.ndtr((np.asarray(x, float) - self.mean) / self.deviation))

    def density(self, x: Array) -> Array:
        """Density per unit of the statistic, elementwise."""
        z = (np.asarray(x, float) - self.mean) / self.deviation
        return np.asarray(np.exp(-0.5 * z * z) / (math.sqrt(2 * math.pi) * self.deviation))

    def log_density(self, x: Array) -> Array:
        """Log of the density, elementwise; finite where that is below any float."""
        z = (np.asarray(x, float) - self.mean) / self.deviation
        return np.asarray(-0.5 * z * z - math.log(math.sqrt(2 * math.pi) * self.deviation))

    def quantile(self, p: Array) -> Array:
        """The x with cdf(x) = p, elementwise."""
        return np.asarray(self.mean + self.deviation * special.ndtri(np.asarray(p, float)))


@dataclass(frozen=True, slots=True)
class Gaussian(NoisePath):
    """Gaussian noise; the level is the variance t, in squared units of the statistic.

        Y_h = Y_l + Normal(0, h - l)
        Y_t = below + (above - below)·(t-l)/(h-l) + Normal(0, (t-l)(h-t)/(h-l))

    ρ = Δ₂²/(2t) in zero-concentrated differential privacy.
    Source: [LMR25, Lemma 3.2] with variances h - l, and [LMR25, Algorithm 1].

    >>> from dpviz import streams
    >>> (Gaussian().extend(np.zeros(3), 0, 4.0, rng=streams.teaching(7)) / 2).round(3)
    array([ 0.001,  0.299, -0.274])
    >>> eights = np.full(2, 8.0)
    >>> Gaussian().bridge(np.zeros(2), eights, 1, 2, 3, rng=streams.teaching(7)).round(3)
    array([4.001, 4.211])
    """

    name: str = "gaussian"
    label: str = "Gaussian"
    level_symbol: str = "t"
    level_name: str = "noise variance"
    integer: bool = False
    shape: Shape = NORMAL
    symmetric: bool = True
    never_falls: bool = False
    lazy: bool = False
    slow: bool = False
    level_unit: LevelUnit = "variance"
    # variances for which every number below stays a normal float
    span: ClassVar[Span] = (1e-300, 1e300)
    largest_level: ClassVar[float] = span[1]
    weight_meaning: str = "share of that neighbour in the mean of the draw"
    half_width_formula: str = r"$\pm\,\Phi^{-1}\!\left(\tfrac{1+c}{2}\right)\sqrt{t}$"
    bridge_formula: str = (
        r"$Y_t\sim N\!\left(y_l+(y_h-y_l)\dfrac{t-l}{h-l},"
        r"\ \dfrac{(t-l)(h-t)}{h-l}\right)$"
    )

    def _step(self, values: Array, low: float, high: float, result: Array, rng: Rng) -> None:
        deviation = math.sqrt(high - low)
        for drawn, start in blocks(result, values):
            rng.standard_normal(out=drawn)
            drawn *= deviation
            drawn += start

    def _between(self, below: Array, above: Array, levels: Levels, result: Array, rng: Rng) -> None:
        share, deviation = _share_and_deviation(*levels)
        spare = scratch(below.size)
        for drawn, start, end in blocks(result, below, above):
            pull = spare[: drawn.size]
            rng.standard_normal(out=drawn)
            drawn *= deviation
            np.subtract(end, start, out=pull)
            pull *= share
            drawn += pull
            drawn += start

    def mean(self, level: float) -> float:
        """Mean of the noise: 0 at every level.

        >>> Gaussian().mean(4.0)
        0.0
        """
        within(self.span, level)
        return 0.0

    def variance(self, level: float) -> float:
        """Variance of the noise: the level itself, in squared units of the statistic.

        >>> Gaussian().variance(4.0)
        4.0
        """
        return within(self.span, level)

    def fourth_moment(self, level: float) -> float:
        """Fourth central moment of the noise: 3t².

        >>> Gaussian().fourth_moment(2.0)
        12.0
        """
        v = self.variance(level)
        return 3 * v * v

    def log_moments(self, z: Array, level: float) -> Array:
        """Log E[exp(z·noise)]: z²t/2.

        >>> Gaussian().log_moments(np.array([1.0, 2.0]), 4.0)
        array([2., 8.])
        """
        found: Array = np.square(z) * (within(self.span, level) / 2)
        return found

    def unit_half_width(self, miss: float) -> float:
        """Half width at variance 1: Φ⁻¹(1 - miss/2).

        >>> round(Gaussian().unit_half_width(0.05), 4)
        1.96
        """
        miss = chance(miss=miss)
        if miss > 0.5:  # (1 + c)/2 close to 1/2, where ndtri would lose the digits of c
            return max(math.sqrt(2) * float(special.erfinv(1 - miss)), 1e-300)
        if miss / 2 == 0:  # half of the smallest float is no float
            return -float(special.ndtri_exp(math.log(miss) - math.log(2)))
        return -float(special.ndtri(miss / 2))

    def cdf(self, x: Any, level: float) -> Any:
        """P(noise <= x) = Φ(x/√t), elementwise.

        >>> float(Gaussian().cdf(0.0, 4.0))
        0.5
        """
        level = within(self.span, level)
        return special.ndtr(_standardised(x, level))

    def density(self, x: Any, level: float) -> Any:
        """Density of the noise: exp(-x²/2t)/√(2πt), elementwise, per unit of the statistic.

        >>> round(float(Gaussian().density(0.0, 4.0)), 6)
        0.199471
        """
        level = within(self.span, level)
        with np.errstate(over="ignore", under="ignore"):  # far out the density is 0, and right
            return np.exp(-0.5 * _standardised(x, level) ** 2) / math.sqrt(2 * math.pi * level)

    law_between = staticmethod(NormalLaw.between)

    def weights(self, low: float, level: float, high: float | None) -> tuple[float, float]:
        """Shares of the neighbours in the mean of a draw: ((h-t)/(h-l), (t-l)/(h-l)).

        Without a noisier neighbour the draw starts from the one below alone: (1, 0).

        >>> Gaussian().weights(1, 2, 5)
        (0.75, 0.25)
        """
        return mean_shares(self.span, low, level, high)


def _share_and_deviation(low: float, level: float, high: float) -> tuple[float, float]:
    """Share of the total increment reached at `level`, and standard deviation around it.

    >>> _share_and_deviation(1.0, 2.0, 5.0)
    (0.25, 0.8660254037844386)
    """
    share = (level - low) / (high - low)
    return share, math.sqrt((level - low) * ((high - level) / (high - low)))


def _standardised(x: Any, level: float) -> Any:
    """The argument in standard deviations."""
    with np.errstate(over="ignore"):  # beyond the largest float it is infinite, and right
        return checks.reals(x=x) / math.sqrt(level)
