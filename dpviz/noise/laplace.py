"""Laplace noise path: extend and bridge the noise of correlated releases.

The path is lazy: between scales l < h it stays where it is with probability (l/h)², exactly, and
otherwise moves by a Laplace(h) step [KHP15, Theorem 10; LMR25, Lemma F.5 with its scales put
right]. The samplers are in `laplace_path`.
Floating point: this shows the mechanism; it is not hardened for deployment.
Symbols: dpviz/NOTATION.md.  [LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
[KHP15] Koufogiannis, Han, Pappas, Gradual Release of Sensitive Data, arXiv:1504.00429.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz import checks
from dpviz.noise.arguments import ascending, blocks, chance, drawing, room, scratch, vectors, within
from dpviz.noise.bridge_law_lazy import laplace_law
from dpviz.noise.family import DOUBLE_EXPONENTIAL, Array, LevelUnit, Shape
from dpviz.noise.laplace_path import (
    bridge_block,
    bridge_law,
    bridge_one,
    logarithm_of_one,
    signed_logarithm,
)

SPAN = (1e-150, 1e150)  # scales whose variance, and every number below, stays a normal float


@dataclass(frozen=True, slots=True)
class Laplace:
    """Laplace noise; the level is the scale b, in units of the statistic.

    ε = Δ₁/b in pure differential privacy.

    >>> Laplace().variance(3.0)
    18.0
    """

    name: str = "laplace"
    label: str = "Laplace"
    level_symbol: str = "b"
    level_name: str = "noise scale"
    integer: bool = False
    shape: Shape = DOUBLE_EXPONENTIAL
    symmetric: bool = True
    never_falls: bool = False
    lazy: bool = True
    slow: bool = False
    level_unit: LevelUnit = "scale"
    largest_level: ClassVar[float] = 1e300
    weight_meaning: str = "chance to equal that neighbour, before any value was drawn"
    half_width_formula: str = r"$\pm\,b\ln\tfrac{1}{1-c}$"
    bridge_formula: str = (
        r"$P(Y_b=y_l)=\dfrac{\mu_1(1-\mu_2)}{1-\mu_1\mu_2}$ with $\mu_1=(l/b)^2$, "
        r"$\mu_2=(b/h)^2$; otherwise $y_h$ itself or a new number"
    )

    def extend(
        self,
        values: Array,
        low: float,
        high: float,
        *,
        rng: np.random.Generator,
        out: Array | None = None,
    ) -> Array:
        """Move from one scale to a larger one.

            Y_h = Y_l with probability (l/h)²,   otherwise Y_l + Laplace(h)

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

        Source: [KHP15, Theorem 10].

        >>> from dpviz import streams
        >>> Laplace().extend(np.arange(4), 0.6, 1.0, rng=streams.teaching(7)).round(3)
        array([0.   , 2.136, 2.355, 2.649])
        """
        low, high = ascending(SPAN, low, high)
        drawing(rng, "random")
        (values,) = vectors("iuf", np.float64, values=values)
        result = room(out, values)
        if low == high:
            result[:] = values
            return result
        side = (high - low) / high * (1 + low / high) / 2  # chance of a step up: (1 - (l/h)²)/2
        if values.size == 1:  # whole-array calls would take most of the time
            result[0] = values[0] + high * logarithm_of_one(rng.random(), side, side)
            return result
        spare = scratch(values.size)
        for drawn, start in blocks(result, values):
            signed_logarithm(drawn, spare[: drawn.size], side, side, rng=rng)
            drawn *= high
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
        """Draw between two held releases, with probabilities as in `bridge_law`.

        Seen from `below` towards `above`, at distance |k|: a step away; or none, a copy of
        `below`; or towards `above`, where a copy of `above` or a step beyond it is possible too.

        Args:
            below: values held at `low`, shape (d,).
            above: values held at `high`, shape (d,).
            low: level of `below`, at least 0; 0 stands for the exact values.
            level: the level wanted, `low <= level <= high`.
            high: level of `above`.
            rng: generator that the noise is drawn from.
            out: float64 room for the result, shape (d,); fresh memory if left out.

        Returns:
            Values at `level`, shape (d,), float64; `below` where both neighbours agree.

        Raises:
            ParameterError: if levels descend or leave 1e-150…1e150, or shapes disagree.

        Source: MATHEMATICS 2.3, the same law with one uniform number and one logarithm.

        >>> from dpviz import streams
        >>> rng = streams.teaching(7)
        >>> Laplace().bridge(np.zeros(5), np.full(5, 3.0), 1, 2, 4, rng=rng).round(3)
        array([1.881, 3.   , 3.   , 0.   , 0.   ])
        """
        low, level, high = ascending(SPAN, low, level, high)
        drawing(rng, "random")
        below, above = vectors("iuf", np.float64, below=below, above=above)
        result = room(out, below, above)
        if level in (low, high):
            result[:] = below if level == low else above
            return result
        law = bridge_law(low, level, high)
        if below.size == 1:  # whole-array calls would take most of the time
            result[0] = bridge_one(float(below[0]), float(above[0]), law, rng.random())
            return result
        spares = [scratch(below.size) for _ in range(3)]
        for drawn, start, end in blocks(result, below, above):
            bridge_block(drawn, start, end, law, [spare[: drawn.size] for spare in spares], rng=rng)
        return result

    def mean(self, level: float) -> float:
        """Mean of the noise: 0 at every level.

        >>> Laplace().mean(3.0)
        0.0
        """
        within(SPAN, level)
        return 0.0

    def variance(self, level: float) -> float:
        """Variance of the noise: 2b², in squared units of the statistic.

        >>> Laplace().variance(3.0)
        18.0
        """
        level = within(SPAN, level)
        return 2 * level * level

    def fourth_moment(self, level: float) -> float:
        """Fourth central moment of the noise: 24b⁴.

        >>> Laplace().fourth_moment(1.0)
        24.0
        """
        v = self.variance(level)
        return 6 * v * v

    def log_moments(self, z: Array, level: float) -> Array:
        """Log E[exp(z·noise)]: -ln(1 - b²z²).

        >>> np.exp(Laplace().log_moments(np.array([0.5]), 1.0)).round(4)
        array([1.3333])
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Array = -np.log1p(-np.square(within(SPAN, level) * z))
        return found

    def unit_half_width(self, miss: float) -> float:
        """Half width at scale 1: -ln(miss).

        >>> round(Laplace().unit_half_width(0.05), 4)
        2.9957
        """
        return max(-math.log(chance(miss=miss)), 1e-300)

    def cdf(self, x: Any, level: float) -> Any:
        """P(noise <= x) = exp(x/b)/2 below 0 and 1 - exp(-x/b)/2 above, elementwise.

        >>> float(Laplace().cdf(0.0, 3.0))
        0.5
        """
        scaled = _in_scales(x, within(SPAN, level))
        with np.errstate(under="ignore"):
            tail = np.exp(-np.abs(scaled)) / 2
        return np.where(scaled < 0, tail, 1 - tail)[()]

    def density(self, x: Any, level: float) -> Any:
        """Density of the noise: exp(-|x|/b)/(2b), elementwise, per unit of the statistic.

        >>> float(Laplace().density(0.0, 4.0))
        0.125
        """
        level = within(SPAN, level)
        with np.errstate(under="ignore"):
            return np.exp(-np.abs(_in_scales(x, level))) / (2 * level)

    law_between = staticmethod(laplace_law)

    def weights(self, low: float, level: float, high: float | None) -> tuple[float, float]:
        """Chances that the draw is identical to either neighbour: ((l/b)², (b/h)²).

        Both are taken before any value was drawn: once it is known whether the neighbours differ,
        and by how much, the chances are others, and those would tell something of the values.
        Without a noisier neighbour the second chance is 0.

        >>> Laplace().weights(1, 2, 4)
        (0.25, 0.25)
        """
        if high is None:
            low, level = ascending(SPAN, low, level)
            return (low / level) ** 2, 0.0
        low, level, high = ascending(SPAN, low, level, high)
        return (low / level) ** 2, (level / high) ** 2


def _in_scales(x: Any, level: float) -> Any:
    """The argument in units of the scale."""
    with np.errstate(over="ignore"):  # beyond the largest float it is infinite, and right
        return checks.reals(x=x) / level
