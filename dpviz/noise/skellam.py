"""Skellam noise path on the integers: extend and bridge the noise of correlated releases.

Noise is the difference of two Poisson(λ) counts: symmetric, nearly Gaussian, of variance 2λ. Both
counts are Poisson processes in λ; between two held releases their increments, of which only the
difference k is known, are drawn (a Bessel law) and thinned (MATHEMATICS 2.7). The hidden counts
need not be kept: the process is Markov in its value.
Whole numbers from the uniform bits to the release, no float between; every draw is exact, the total
variation from the law is 0. So it is fit for a hardened generator. Limits: λ up to 1e10, a
standard deviation of 141,421, because tables of noisier bridges take more than a second.
Symbols: dpviz/NOTATION.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise import bridge_law_counts, counts, skellam_draws
from dpviz.noise.arguments import Span, ascending, mean_shares, within
from dpviz.noise.bridge_law_counts import skellam_mass, skellam_reach, skellam_tail
from dpviz.noise.family import Array, LevelUnit, Shape
from dpviz.noise.noise_path import Levels, NoisePath, Rng
from dpviz.noise.skellam_draws import reach, step
from dpviz.noise.whole import UNRELATED, add, subtract

STRIDE = 2**16  # values of a bridge drawn together: part of what a seed means, never tuned
UNHEARD_OF = 2**16  # differences of a chance below 2^-UNHEARD_OF are no noise; drawing takes long


@dataclass(frozen=True, slots=True)
class Skellam(NoisePath):
    """Skellam noise; the level is the rate λ of each of its two counts. Whole numbers only.

        Y_h = Y_l + Poisson(h - l) - Poisson(h - l)
        Y_λ = below + Binomial(U, q) - Binomial(U - k, q),   q = (λ-l)/(h-l)
        P(U = u) ∝ Λ^(2u-k)/(u!(u-k)!), u >= max(0, k), Λ = h - l, k = above - below

    Privacy depends on several sensitivities: see `dpviz.accounting.skellam_levels.skellam_level`.
    Source: MATHEMATICS 2.7; samplers in `skellam_draws` and `counts`.

    >>> from dpviz import streams
    >>> Skellam().extend(np.array([10, 20]), 0, 4.0, rng=streams.teaching(7))
    array([10, 22])
    >>> Skellam().bridge(np.array([0, 5]), np.array([8, 5]), 1, 2, 3, rng=streams.teaching(7))
    array([5, 5])
    """

    name: str = "skellam"
    label: str = "Skellam"
    level_symbol: str = "λ"
    level_name: str = "noise rate"
    integer: bool = True
    shape: Shape = "other"
    symmetric: bool = True
    never_falls: bool = False
    lazy: bool = False
    slow: bool = True
    level_unit: LevelUnit = "rate"
    span: ClassVar[Span] = (1e-300, 1e10)
    largest_level: ClassVar[float] = span[1]
    weight_meaning: str = "share of that neighbour in the mean of the draw"
    half_width_formula: str = r"the least $a$ with $P(|Y|\le a)\ge c$"
    bridge_formula: str = (
        r"the hidden up- and down-counts of $y_h-y_l$ are drawn (a Bessel distribution) and each "
        r"is thinned by $\frac{\lambda-l}{h-l}$"
    )
    unit_half_width: None = None  # found from the exact cdf

    def _step(self, values: Array, low: float, high: float, result: Array, rng: Rng) -> None:
        result[:] = step(Fraction(high) - Fraction(low), values.size, rng=rng)
        add(values, onto=result)

    def _between(self, below: Array, above: Array, levels: Levels, result: Array, rng: Rng) -> None:
        low, _, high = levels
        k = subtract(above, below)
        rate = Fraction(high) - Fraction(low)
        if k.size and max(int(k.max()), -int(k.min())) >= reach(rate, UNHEARD_OF):
            raise ParameterError(UNRELATED)
        share = counts.share(*levels)
        for start in range(0, k.size, STRIDE):
            part = slice(start, start + STRIDE)
            smaller = skellam_draws.hidden(np.abs(k[part]), rate, rng=rng)
            up = counts.binomial(smaller + np.maximum(k[part], 0), share, rng=rng)
            up -= counts.binomial(smaller + np.maximum(-k[part], 0), share, rng=rng)
            result[part] = up
        add(below, onto=result)

    def _ascending(self, low: float, *noisier: float) -> list[float]:
        try:
            return ascending(self.span, low, *noisier)
        except ParameterError:
            if not any(isinstance(x, float) and self.span[1] < x < np.inf for x in (low, *noisier)):
                raise
            raise ParameterError(
                f"Skellam noise ends at level {self.span[1]:g}, because a bridge of noisier "
                "releases would take a table of many seconds; pass a level up to that one"
            ) from None

    def mean(self, level: float) -> float:
        """Mean of the noise: 0 at every level.

        >>> Skellam().mean(4.0)
        0.0
        """
        within(self.span, level)
        return 0.0

    def variance(self, level: float) -> float:
        """Variance of the noise: 2λ, in squared units of the statistic.

        >>> Skellam().variance(4.0)
        8.0
        """
        return 2 * within(self.span, level)

    def fourth_moment(self, level: float) -> float:
        """Fourth central moment of the noise: 2λ + 12λ².

        >>> Skellam().fourth_moment(1.0)
        14.0
        """
        v = self.variance(level)
        return 3 * v * v + v

    def log_moments(self, z: Array, level: float) -> Array:
        """Log E[exp(z·noise)]: 2λ (cosh z - 1).

        >>> np.exp(Skellam().log_moments(np.log([2.0]), 2.0)).round(4)  # e
        array([2.7183])
        """
        with np.errstate(over="ignore"):
            found: Array = 4 * within(self.span, level) * np.square(np.sinh(z / 2))
        return found

    def cdf(self, x: Any, level: float) -> Any:
        """P(noise <= x), elementwise; x may be fractional.

        >>> round(float(Skellam().cdf(0, 2.5)), 6)
        0.59177
        """
        level = within(self.span, level)
        x = checks.reals(x=x)
        furthest = skellam_reach(level)
        count = np.floor(np.clip(x, -furthest, furthest))
        beyond = skellam_tail(np.where(count < 0, -count, count + 1), level)
        return np.where(count < 0, beyond, 1 - beyond)[()]

    def density(self, x: Any, level: float) -> Any:
        """P(noise = x) = e^{-2λ} I_x(2λ), elementwise; 0 where x is not whole.

        >>> round(float(Skellam().density(0, 2.0)), 6)  # e⁻⁴ I₀(4)
        0.207002
        """
        level = within(self.span, level)
        x = checks.reals(x=x)
        count = np.floor(np.minimum(np.abs(x), skellam_reach(level)))
        with np.errstate(under="ignore"):
            mass = skellam_mass(count, level)
        return np.where(np.abs(np.abs(x) - count) > 0, 0.0, mass)[()]

    law_between = staticmethod(bridge_law_counts.skellam_law)

    def weights(self, low: float, level: float, high: float | None) -> tuple[float, float]:
        """Shares of the neighbours in the mean of a draw: ((h-λ)/(h-l), (λ-l)/(h-l)).

        Without a noisier neighbour the draw starts from the one below alone: (1, 0).

        >>> Skellam().weights(1, 2, 5)
        (0.75, 0.25)
        """
        return mean_shares(self.span, low, level, high)
