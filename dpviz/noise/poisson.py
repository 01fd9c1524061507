"""Poisson noise path on the integers: extend and bridge the noise of correlated releases.

A Poisson process in its rate: noise is a count with mean λ, increments are independent counts, and
between two held releases the increment is thinned [LMR25, Algorithm 4, Appendix E]. Noise is never
negative, so a release is read raw or de-biased (`Y - λ`).
Whole numbers from the uniform bits to the release, no float between; every draw is exact, the total
variation from the law is 0. So it is fit for a hardened generator. Limits: rates up to 1e13, where
a draw is a sum of 75,000, so that 66 values can be drawn at a time; up to 1e10, a standard
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
from dpviz.noise.arguments import ascending, drawing, mean_shares, room, within
from dpviz.noise.bridge_law_counts import poisson_law
from dpviz.noise.family import Array, LevelUnit, Shape
from dpviz.noise.whole import UNRELATED, add, subtract
from dpviz.noise.whole import counts as whole_numbers

SPAN = (1e-300, 1e13)
STRIDE = 2**16  # values of a bridge drawn together: part of what a seed means, never tuned
FURTHEST = 2**44  # differences from here on are no noise of any level admitted
FAR = 1e15  # beyond all noise: here the distribution function is 1, and still quick to compute


@dataclass(frozen=True, slots=True)
class Poisson:
    """Poisson noise; the level is the rate λ, in units of the statistic. Whole numbers only.

    Privacy depends on all sensitivities: see `dpviz.accounting.levels.poisson_level`.

    >>> Poisson().mean(4.0), Poisson().variance(4.0)
    (4.0, 4.0)
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
    largest_level: ClassVar[float] = 1e12
    weight_meaning: str = "share of that neighbour in the mean of the draw"
    half_width_formula: str = r"the least $a$ with $P(|Y-\lambda|\le a)\ge c$"
    bridge_formula: str = (
        r"$Y_\lambda=y_l+\mathrm{Binomial}\!\left(y_h-y_l,\ \dfrac{\lambda-l}{h-l}\right)$"
    )
    unit_half_width: None = None  # found from the exact cdf

    def extend(
        self,
        values: Array,
        low: float,
        high: float,
        *,
        rng: np.random.Generator,
        out: Array | None = None,
    ) -> Array:
        """Add the noise between two rates: `Y_h = Y_l + Poisson(h - l)`.

        Args:
            values: values held at `low`, shape (d,), a signed or unsigned integer dtype.
            low: their level, at least 0; 0 stands for the exact values.
            high: the level wanted, at least `low`.
            rng: generator that the noise is drawn from.
            out: int64 room for the result, shape (d,); fresh memory if left out.

        Returns:
            Values at `high`, shape (d,), int64; a copy of `values` if the levels are equal.

        Raises:
            ParameterError: if levels descend or leave 1e-300…1e13, values are not whole numbers,
                the sum leaves 64 bits, or the noise of all values would take minutes to draw.

        Source: [LMR25, Algorithm 4].

        >>> from dpviz import streams
        >>> Poisson().extend(np.array([10, 20]), 0, 4.0, rng=streams.teaching(7))
        array([13, 27])
        """
        low, high = ascending(SPAN, low, high)
        drawing(rng, "integers")
        (values,) = whole_numbers(values=values)
        result = room(out, values)
        if low == high:
            result[:] = values
            return result
        rate = Fraction(high) - Fraction(low)
        result[:] = counts.poisson(rate, values.size, rng=rng)
        add(values, onto=result)
        return result

    def bridge(
        self,
        below: Array,
        above: Array,
        low: float,
        level: float,
        high: float,
        *,
        rng: np.random.Generator,
        out: Array | None = None,
    ) -> Array:
        """Thin the increment between two held releases.

            Y_λ = below + Binomial(above - below, (λ-l)/(h-l))

        Args:
            below: values held at `low`, shape (d,), an integer dtype.
            above: values held at `high`, shape (d,), an integer dtype, nowhere less than `below`.
            low: level of `below`, at least 0; 0 stands for the exact values.
            level: the level wanted, `low <= level <= high`.
            high: level of `above`.
            rng: generator that the noise is drawn from.
            out: int64 room for the result, shape (d,); fresh memory if left out.

        Returns:
            Values at `level`, shape (d,), int64; a copy of a neighbour at that one's level.

        Raises:
            ParameterError: if levels descend or leave 1e-300…1e13, values are not whole numbers,
                `above` is somewhere less than `below`, as noise never falls, or further above
                than any noise, or the noise of all values would take minutes to draw.

        Source: [LMR25, Algorithm 4 and Appendix E].

        >>> from dpviz import streams
        >>> rng = streams.teaching(7)
        >>> Poisson().bridge(np.array([0, 5]), np.array([8, 5]), 1, 2, 3, rng=rng)
        array([4, 5])
        """
        low, level, high = ascending(SPAN, low, level, high)
        drawing(rng, "integers")
        below, above = whole_numbers(below=below, above=above)
        result = room(out, below, above)
        if np.count_nonzero(above < below):
            raise ParameterError(
                "above must nowhere be less than below: Poisson noise never falls, so these are "
                "not two releases of one session; pass both as they were released"
            )
        if level in (low, high):
            result[:] = below if level == low else above
            return result
        k = subtract(above, below)
        if int(k.max(initial=0)) >= FURTHEST:
            raise ParameterError(UNRELATED)
        share = counts.share(low, level, high)
        for start in range(0, k.size, STRIDE):
            part = slice(start, start + STRIDE)
            result[part] = counts.binomial(k[part], share, rng=rng)
        add(below, onto=result)
        return result

    def mean(self, level: float) -> float:
        """Mean of the noise: the rate itself, in units of the statistic.

        >>> Poisson().mean(4.0)
        4.0
        """
        return within(SPAN, level)

    def variance(self, level: float) -> float:
        """Variance of the noise: the rate itself, in squared units of the statistic.

        >>> Poisson().variance(4.0)
        4.0
        """
        return within(SPAN, level)

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
            found: Array = within(SPAN, level) * np.expm1(z)
        return found

    def cdf(self, x: Any, level: float) -> Any:
        """P(noise <= x) = Σ e^{-λ} λ^i/i! over 0 <= i <= x, elementwise; x may be fractional.

        >>> round(float(Poisson().cdf(1, 2.0)), 6)  # 3 e⁻²
        0.406006
        """
        level = within(SPAN, level)
        x = checks.reals(x=x)
        count = np.clip(x, 0, FAR)
        return np.where(x < 0, 0.0, special.pdtr(count, level))[()]

    def density(self, x: Any, level: float) -> Any:
        """P(noise = x) = e^{-λ} λ^x/x!, elementwise; 0 where x is not a count.

        Its relative error is about 1e-16·λ·ln λ.

        >>> round(float(Poisson().density(1, 2.0)), 6)  # 2 e⁻²
        0.270671
        """
        level = within(SPAN, level)
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
        return mean_shares(SPAN, low, level, high)
