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
from dpviz.noise.arguments import Span, blocks, chance, rest_chances, scratch, within
from dpviz.noise.bridge_law_lazy import laplace_law
from dpviz.noise.family import DOUBLE_EXPONENTIAL, Array, LevelUnit, Shape
from dpviz.noise.laplace_path import (
    branches_between,
    bridge_block,
    bridge_one,
    logarithm_of_one,
    signed_logarithm,
)
from dpviz.noise.noise_path import Levels, NoisePath, Rng


@dataclass(frozen=True, slots=True)
class Laplace(NoisePath):
    """Laplace noise; the level is the scale b, in units of the statistic.

        Y_h = Y_l with probability (l/h)²,   otherwise Y_l + Laplace(h)

    A bridge, seen from `below` towards `above` at distance |k|, is a step away; or none, a copy of
    `below`; or towards `above`, where a copy of `above` or a step beyond it is possible too.
    ε = Δ₁/b in pure differential privacy.
    Source: [KHP15, Theorem 10] and MATHEMATICS 2.3, with one uniform number and one logarithm.

    >>> from dpviz import streams
    >>> Laplace().extend(np.arange(4), 0.6, 1.0, rng=streams.teaching(7)).round(3)
    array([0.   , 2.136, 2.355, 2.649])
    >>> zeros = np.zeros(5)
    >>> Laplace().bridge(zeros, zeros + 3, 1, 2, 4, rng=streams.teaching(7)).round(3)
    array([1.881, 3.   , 3.   , 0.   , 0.   ])
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
    # scales whose variance, and every number below, stays a normal float
    span: ClassVar[Span] = (1e-150, 1e150)
    largest_level: ClassVar[float] = 1e300
    weight_meaning: str = "chance to equal that neighbour, before any value was drawn"
    half_width_formula: str = r"$\pm\,b\ln\tfrac{1}{1-c}$"
    bridge_formula: str = (
        r"$P(Y_b=y_l)=\dfrac{\mu_1(1-\mu_2)}{1-\mu_1\mu_2}$ with $\mu_1=(l/b)^2$, "
        r"$\mu_2=(b/h)^2$; otherwise $y_h$ itself or a new number"
    )

    def _step(self, values: Array, low: float, high: float, result: Array, rng: Rng) -> None:
        side = (high - low) / high * (1 + low / high) / 2  # chance of a step up: (1 - (l/h)²)/2
        if values.size == 1:  # whole-array calls would take most of the time
            result[0] = values[0] + high * logarithm_of_one(rng.random(), side, side)
            return
        spare = scratch(values.size)
        for drawn, start in blocks(result, values):
            signed_logarithm(drawn, spare[: drawn.size], side, side, rng=rng)
            drawn *= high
            drawn += start

    def _between(self, below: Array, above: Array, levels: Levels, result: Array, rng: Rng) -> None:
        law = branches_between(*levels)
        if below.size == 1:  # whole-array calls would take most of the time
            result[0] = bridge_one(float(below[0]), float(above[0]), law, rng.random())
            return
        spares = [scratch(below.size) for _ in range(3)]
        for drawn, start, end in blocks(result, below, above):
            bridge_block(drawn, start, end, law, [spare[: drawn.size] for spare in spares], rng=rng)

    def mean(self, level: float) -> float:
        """Mean of the noise: 0 at every level.

        >>> Laplace().mean(3.0)
        0.0
        """
        within(self.span, level)
        return 0.0

    def variance(self, level: float) -> float:
        """Variance of the noise: 2b², in squared units of the statistic.

        >>> Laplace().variance(3.0)
        18.0
        """
        level = within(self.span, level)
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
            found: Array = -np.log1p(-np.square(within(self.span, level) * z))
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
        scaled = _in_scales(x, within(self.span, level))
        with np.errstate(under="ignore"):
            tail = np.exp(-np.abs(scaled)) / 2
        return np.where(scaled < 0, tail, 1 - tail)[()]

    def density(self, x: Any, level: float) -> Any:
        """Density of the noise: exp(-|x|/b)/(2b), elementwise, per unit of the statistic.

        >>> float(Laplace().density(0.0, 4.0))
        0.125
        """
        level = within(self.span, level)
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
        return rest_chances(self.span, lambda b, noisier: (b / noisier) ** 2, low, level, high)


def _in_scales(x: Any, level: float) -> Any:
    """The argument in units of the scale."""
    with np.errstate(over="ignore"):  # beyond the largest float it is infinite, and right
        return checks.reals(x=x) / level
