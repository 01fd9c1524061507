"""Exponential noise path: extend and bridge one-sided noise of correlated releases.

The path is lazy and never falls: between means l < h it stays where it is with probability l/h,
exactly, and otherwise rises by an exponential step of mean h [LMR25, Claim F.7]. A building block
of report-noisy-max, not a mechanism: one-sided noise of this kind has no pure budget at all.
Floating point: this shows the process; it is not hardened for deployment.
Symbols: dpviz/NOTATION.md.  [LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz import checks
from dpviz.noise.arguments import Span, blocks, chance, rest_chances, within
from dpviz.noise.bridge_law_lazy import exponential_law
from dpviz.noise.family import Array, LevelUnit, Shape
from dpviz.noise.noise_path import Levels, NoisePath, Rng

WARNING = (
    "Exponential noise protects poorly by itself: for every ε, δ is at least 1 - exp(-Δ/m), so it "
    "serves as a building block only."
)


@dataclass(frozen=True, slots=True)
class Exponential(NoisePath):
    """Exponential noise; the level is its mean m, in units of the statistic.

        Y_h = Y_l with probability l/h,   otherwise Y_l + Exponential(mean h)
        Y_m = below with probability (l/m)(1 - m/h)/(1 - l/h),   otherwise
        Y_m = below + E, E exponential of rate 1/m - 1/h; at `above` or beyond it is `above`

    Source: [LMR25, Claim F.7] and MATHEMATICS 2.4; both atoms and the truncated law at once.

    >>> from dpviz import streams
    >>> Exponential().extend(np.arange(4), 0.6, 1.0, rng=streams.teaching(7)).round(3)
    array([0.065, 2.359, 2.578, 3.   ])
    >>> zeros = np.zeros(5)
    >>> Exponential().bridge(zeros, zeros + 3, 1, 2, 4, rng=streams.teaching(7)).round(3)
    array([2.302, 3.   , 3.   , 0.   , 0.   ])
    """

    name: str = "exponential"
    label: str = "Exponential"
    level_symbol: str = "m"
    level_name: str = "noise mean"
    integer: bool = False
    shape: Shape = "other"
    symmetric: bool = False
    never_falls: bool = True
    lazy: bool = True
    slow: bool = False
    level_unit: LevelUnit = "scale"
    # means whose square, and every number below, stays a normal float
    span: ClassVar[Span] = (1e-150, 1e150)
    largest_level: ClassVar[float] = 1e300
    weight_meaning: str = "chance to equal that neighbour, before any value was drawn"
    half_width_formula: str = (
        r"$\pm\,m\,\mathrm{asinh}(ec/2)$ up to $m$, beyond it $m(\ln\tfrac{1}{1-c}-1)$"
    )
    bridge_formula: str = (
        r"$P(Y_m=y_l)=\dfrac{\mu_1(1-\mu_2)}{1-\mu_1\mu_2}$ with $\mu_1=l/m$, $\mu_2=m/h$; "
        r"otherwise $y_h$ itself or a new number between the two"
    )
    warning: str = WARNING

    def _step(self, values: Array, low: float, high: float, result: Array, rng: Rng) -> None:
        moves = (high - low) / high  # the chance of a step
        for drawn, start in blocks(result, values):
            _steps(drawn, moves, high, rng=rng)
            drawn += start

    def _between(self, below: Array, above: Array, levels: Levels, result: Array, rng: Rng) -> None:
        low, level, high = levels
        moves = min((level - low) / level / ((high - low) / high), 1.0)
        mean = level / ((high - level) / high)  # 1/(1/m - 1/h), without its cancellation
        for drawn, start, end in blocks(result, below, above):
            _steps(drawn, moves, mean, rng=rng)
            drawn += start
            np.minimum(drawn, end, out=drawn)  # where it would go beyond, it rests on `above`

    def mean(self, level: float) -> float:
        """Mean of the noise: the level itself, in units of the statistic.

        >>> Exponential().mean(3.0)
        3.0
        """
        return within(self.span, level)

    def variance(self, level: float) -> float:
        """Variance of the noise: m², in squared units of the statistic.

        >>> Exponential().variance(3.0)
        9.0
        """
        level = within(self.span, level)
        return level * level

    def fourth_moment(self, level: float) -> float:
        """Fourth central moment of the noise: 9m⁴.

        >>> Exponential().fourth_moment(1.0)
        9.0
        """
        v = self.variance(level)
        return 9 * v * v

    def log_moments(self, z: Array, level: float) -> Array:
        """Log E[exp(z·noise)]: -ln(1 - mz).

        >>> np.exp(Exponential().log_moments(np.array([0.5]), 1.0))
        array([2.])
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Array = -np.log1p(-within(self.span, level) * z)
        return found

    def unit_half_width(self, miss: float) -> float:
        """Half width around the mean at mean 1: from both sides up to 1, beyond from one.

        >>> round(Exponential().unit_half_width(0.05), 4)
        1.9957
        """
        miss = chance(miss=miss)
        inside = math.asinh(math.e * (1 - miss) / 2)
        return max(inside if inside <= 1 else -1 - math.log(miss), 1e-300)

    def cdf(self, x: Any, level: float) -> Any:
        """P(noise <= x) = 1 - exp(-x/m) for x >= 0, else 0, elementwise.

        >>> round(float(Exponential().cdf(3.0, 3.0)), 6)
        0.632121
        """
        scaled = _in_means(x, within(self.span, level))
        with np.errstate(under="ignore"):
            return (0.0 - np.expm1(-np.maximum(scaled, 0)))[()]

    def density(self, x: Any, level: float) -> Any:
        """Density of the noise: exp(-x/m)/m for x >= 0, else 0, elementwise.

        >>> float(Exponential().density(0.0, 4.0))
        0.25
        """
        level = within(self.span, level)
        scaled = _in_means(x, level)
        with np.errstate(under="ignore"):
            return np.where(scaled < 0, 0.0, np.exp(-np.maximum(scaled, 0)) / level)[()]

    law_between = staticmethod(exponential_law)

    def weights(self, low: float, level: float, high: float | None) -> tuple[float, float]:
        """Chances that the draw is identical to either neighbour: (l/m, m/h).

        Both are taken before any value was drawn, as for Laplace noise. Without a noisier
        neighbour the second chance is 0.

        >>> Exponential().weights(1, 2, 4)
        (0.5, 0.5)
        """
        return rest_chances(self.span, lambda m, noisier: m / noisier, low, level, high)


def _steps(out: Array, moves: float, mean: float, *, rng: np.random.Generator) -> None:
    """Fill `out` with 0, or with probability `moves` an exponential step of the mean.

    One uniform number picks the branch and, rescaled inside it, feeds the logarithm.
    """
    rng.random(out=out)
    np.subtract(1, out, out=out)  # on a grid above 0
    np.minimum(out, moves, out=out)
    out /= moves  # exactly 1 where the path stays
    np.log(out, out=out)
    out *= -mean


def _in_means(x: Any, level: float) -> Any:
    """The argument in units of the mean."""
    with np.errstate(over="ignore"):  # beyond the largest float it is infinite, and right
        return checks.reals(x=x) / level
