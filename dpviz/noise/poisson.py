"""Poisson noise path on the integers: extend and bridge the noise of correlated releases.

A Poisson process in its rate: noise is a count with mean λ, increments are independent counts, and
between two held releases the increment is thinned [LMR25, Algorithm 4, Appendix E]. Noise is never
negative, so a release is read raw or de-biased (`Y - λ`).
Whole numbers from the uniform bits to the release, no float between; every draw is exact, the total
variation from the law is 0. So it is fit for a hardened generator. Limits: rates up to 1e13, where
a draw is a sum of 75,000, so that 67 values can be drawn at a time; up to 1e10, a standard
deviation of 1e5, it is one of 75, and any number of values can.
Symbols: dpviz/NOTATION.md.  [LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from scipy import special

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise import counts
from dpviz.noise.arguments import Span, mean_shares, within
from dpviz.noise.bridge_law_counts import poisson_law
from dpviz.noise.family import Array, LevelUnit, Shape
from dpviz.noise.noise_path import Levels, NoisePath, Rng
from dpviz.noise.whole import UNRELATED, add, reach, subtract

STRIDE = 2**16  # values of a bridge drawn together: part of what a seed means, never tuned
FURTHEST = 2**44  # differences from here on are no noise of any level admitted
FAR = 1e15  # beyond all noise: here the distribution function is 1, and still quick to compute


@dataclass(frozen=True, slots=True)
class Poisson(NoisePath):
    """Poisson noise; the level is the rate λ, in units of the statistic. Whole numbers only.

        Y_h = Y_l + Poisson(h - l)
        Y_λ = below + Binomial(above - below, (λ-l)/(h-l))

    Privacy depends on all sensitivities: see `dpviz.accounting.poisson_levels.poisson_level`.
    Source: [LMR25, Algorithm 4 and Appendix E].

    >>> from dpviz import streams
    >>> Poisson().extend(np.array([10, 20]), 0, 4.0, rng=streams.teaching(7))
    array([13, 27])
    >>> Poisson().bridge(np.array([0, 5]), np.array([8, 5]), 1, 2, 3, rng=streams.teaching(7))
    array([4, 5])
    """

    name: str = "poisson"
    label: str = "Poisson"
    level_symbol: str = "λ"
    level_name: str = "noise rate"
    integer: bool = True
    shape: Shape = "other"
    symmetric: bool = False
    never_falls: bool = True
    lazy: bool = False
    slow: bool = False
    level_unit: LevelUnit = "rate"
    span: ClassVar[Span] = (1e-300, 1e13)
    largest_level: ClassVar[float] = 1e12
    weight_meaning: str = "share of that neighbour in the mean of the draw"
    half_width_formula: str = r"the least $a$ with $P(|Y-\lambda|\le a)\ge c$"
    bridge_formula: str = (
        r"$Y_\lambda=y_l+\mathrm{Binomial}\!\left(y_h-y_l,\ \dfrac{\lambda-l}{h-l}\right)$"
    )
    unit_half_width: None = None  # found from the exact cdf

    def _step(self, values: Array, low: float, high: float, result: Array, rng: Rng) -> None:
        result[:] = counts.poisson(Fraction(high) - Fraction(low), values.size, rng=rng)
        add(values, onto=result)

    def _between(self, below: Array, above: Array, levels: Levels, result: Array, rng: Rng) -> None:
        k = subtract(above, below)
        if reach(k) >= FURTHEST:
            raise ParameterError(UNRELATED)
        share = counts.share(*levels)
        for start in range(0, k.size, STRIDE):
            part = slice(start, start + STRIDE)
            result[part] = counts.binomial(k[part], share, rng=rng)
        add(below, onto=result)

    def mean(self, level: float) -> float:
        """Mean of the noise: the rate itself, in units of the statistic.

        >>> Poisson().mean(4.0)
        4.0
        """
        return within(self.span, level)

    def variance(self, level: float) -> float:
        """Variance of the noise: the rate itself, in squared units of the statistic.

        >>> Poisson().variance(4.0)
        4.0
        """
        return within(self.span, level)

    def fourth_moment(self, level: float) -> float:
        """Fourth central moment of the noise: λ + 3λ².

        >>> Poisson().fourth_moment(2.0)
        14.0
        """
        v = self.variance(level)
        return 3 * v * v + v

    def log_moments(self, z: Array, level: float) -> Array:
        """Log E[exp(z·noise)]: λ (eᶻ - 1).

        >>> Poisson().log_moments(np.log([2.0]), 3.0)
        array([3.])
        """
        with np.errstate(over="ignore"):
            found: Array = within(self.span, level) * np.expm1(z)
        return found

    def cdf(self, x: Any, level: float) -> Any:
        """P(noise <= x) = Σ e^{-λ} λ^i/i! over 0 <= i <= x, elementwise; x may be fractional.

        >>> round(float(Poisson().cdf(1, 2.0)), 6)  # 3 e⁻²
        0.406006
        """
        level = within(self.span, level)
        x = checks.reals(x=x)
        count = np.clip(x, 0, FAR)
        return np.where(x < 0, 0.0, special.pdtr(count, level))[()]

    def density(self, x: Any, level: float) -> Any:
        """P(noise = x) = e^{-λ} λ^x/x!, elementwise; 0 where x is not a count.

        Its relative error is about 1e-16·λ·ln λ.

        >>> round(float(Poisson().density(1, 2.0)), 6)  # 2 e⁻²
        0.270671
        """
        level = within(self.span, level)
        x = checks.reals(x=x)
        count = np.clip(np.floor(x), 0, FAR)
        with np.errstate(under="ignore"):
            mass = np.exp(special.xlogy(count, level) - level - special.gammaln(count + 1))
        return np.where(np.abs(x - count) > 0, 0.0, mass)[()]  # where x is NaN, so is the mass

    law_between = staticmethod(poisson_law)

    def weights(self, low: float, level: float, high: float | None) -> tuple[float, float]:
        """Shares of the neighbours in the mean of a draw: ((h-λ)/(h-l), (λ-l)/(h-l)).

        Without a noisier neighbour the draw starts from the one below alone: (1, 0).

        >>> Poisson().weights(1, 2, 5)
        (0.75, 0.25)
        """
        return mean_shares(self.span, low, level, high)
