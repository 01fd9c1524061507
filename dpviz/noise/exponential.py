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
from dpviz.errors import ParameterError
from dpviz.noise.arguments import ascending, blocks, chance, drawing, room, vectors, within
from dpviz.noise.bridge_law_lazy import exponential_law
from dpviz.noise.family import Array, LevelUnit, Shape

SPAN = (1e-150, 1e150)  # means whose square, and every number below, stays a normal float
WARNING = (
    "Exponential noise protects poorly by itself: for every ε, δ is at least 1 - exp(-Δ/m), so it "
    "serves as a building block only."
)


@dataclass(frozen=True, slots=True)
class Exponential:
    """Exponential noise; the level is its mean m, in units of the statistic.

    >>> Exponential().mean(3.0), Exponential().variance(3.0)
    (3.0, 9.0)
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

    def extend(
        self,
        values: Array,
        low: float,
        high: float,
        *,
        rng: np.random.Generator,
        out: Array | None = None,
    ) -> Array:
        """Move from one mean to a larger one.

            Y_h = Y_l with probability l/h,   otherwise Y_l + Exponential(mean h)

        Args:
            values: values held at `low`, shape (d,).
            low: their level, at least 0; 0 stands for the exact values.
            high: the level wanted, at least `low`.
            rng: generator that the noise is drawn from.
            out: float64 room for the result, shape (d,); fresh memory if left out.

        Returns:
            Values at `high`, shape (d,), float64; a copy of `values` if the levels are equal.

        Raises:
            ParameterError: if levels descend or leave 1e-150…1e150, or shapes disagree.

        Source: [LMR25, Claim F.7].

        >>> from dpviz import streams
        >>> Exponential().extend(np.arange(4), 0.6, 1.0, rng=streams.teaching(7)).round(3)
        array([0.065, 2.359, 2.578, 3.   ])
        """
        low, high = ascending(SPAN, low, high)
        drawing(rng, "random")
        (values,) = vectors("iuf", np.float64, values=values)
        result = room(out, values)
        if low == high:
            result[:] = values
            return result
        moves = (high - low) / high  # the chance of a step
        for drawn, start in blocks(result, values):
            _steps(drawn, moves, high, rng=rng)
            drawn += start
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
        """Draw between two held releases that differ by k >= 0.

            Y_m = below with probability (l/m)(1 - m/h)/(1 - l/h),   otherwise
            Y_m = below + E, E exponential of rate 1/m - 1/h; where E >= k it is `above`

        Args:
            below: values held at `low`, shape (d,).
            above: values held at `high`, shape (d,), nowhere less than `below`.
            low: level of `below`, at least 0; 0 stands for the exact values.
            level: the level wanted, `low <= level <= high`.
            high: level of `above`.
            rng: generator that the noise is drawn from.
            out: float64 room for the result, shape (d,); fresh memory if left out.

        Returns:
            Values at `level`, shape (d,), float64; a neighbour is copied bit for bit.

        Raises:
            ParameterError: if levels descend or leave 1e-150…1e150, shapes disagree, or `above` is
                somewhere less than `below`: noise never falls.

        Source: MATHEMATICS 2.4; both atoms and the truncated law at once.

        >>> from dpviz import streams
        >>> rng = streams.teaching(7)
        >>> Exponential().bridge(np.zeros(5), np.full(5, 3.0), 1, 2, 4, rng=rng).round(3)
        array([2.302, 3.   , 3.   , 0.   , 0.   ])
        """
        low, level, high = ascending(SPAN, low, level, high)
        drawing(rng, "random")
        below, above = vectors("iuf", np.float64, below=below, above=above)
        result = room(out, below, above)
        if np.count_nonzero(above < below):
            raise ParameterError(
                "above must nowhere be less than below: exponential noise never falls, so these "
                "are not two releases of one session; pass both as they were released"
            )
        if level in (low, high):
            result[:] = below if level == low else above
            return result
        moves = min((level - low) / level / ((high - low) / high), 1.0)
        mean = level / ((high - level) / high)  # 1/(1/m - 1/h), without its cancellation
        for drawn, start, end in blocks(result, below, above):
            _steps(drawn, moves, mean, rng=rng)
            drawn += start
            np.minimum(drawn, end, out=drawn)  # where it would go beyond, it rests on `above`
        return result

    def mean(self, level: float) -> float:
        """Mean of the noise: the level itself, in units of the statistic.

        >>> Exponential().mean(3.0)
        3.0
        """
        return within(SPAN, level)

    def variance(self, level: float) -> float:
        """Variance of the noise: m², in squared units of the statistic.

        >>> Exponential().variance(3.0)
        9.0
        """
        level = within(SPAN, level)
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
            found: Array = -np.log1p(-within(SPAN, level) * z)
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
        scaled = _in_means(x, within(SPAN, level))
        with np.errstate(under="ignore"):
            return (0.0 - np.expm1(-np.maximum(scaled, 0)))[()]

    def density(self, x: Any, level: float) -> Any:
        """Density of the noise: exp(-x/m)/m for x >= 0, else 0, elementwise.

        >>> float(Exponential().density(0.0, 4.0))
        0.25
        """
        level = within(SPAN, level)
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
        if high is None:
            low, level = ascending(SPAN, low, level)
            return low / level, 0.0
        low, level, high = ascending(SPAN, low, level, high)
        return low / level, level / high


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
