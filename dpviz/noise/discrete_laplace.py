"""Discrete Laplace noise path: extend and bridge the noise of correlated releases on the integers.

P(x) = (1-a)/(1+a)·a^|x| with a = exp(-1/b), the two-sided geometric law. The path is lazy like the
Laplace path: between scales l < h it stays with probability μ = g(a_l)/g(a_h), g(a) = a/(1-a)², and
otherwise moves by a discrete Laplace step of scale h, which may be 0 too: the generating functions
agree (MATHEMATICS 2.6). So lossless multiple release exists on the integers, without any float.
Exact: every path, `extend` and `bridge` at all levels, is drawn from integer tables whose ties are
broken by further bits (`bits`, `geometric`); a is enclosed to as many bits as it takes. The total
variation from the stated law is 0. Timing is not hidden.
Symbols: dpviz/NOTATION.md.  Source: MATHEMATICS 2.6; ours, for the integers.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz import checks
from dpviz.noise import bridge_law_geometric
from dpviz.noise.arguments import Span, rest_chances, within
from dpviz.noise.bits import FEW
from dpviz.noise.discrete_laplace_law import BridgeLaws, bridge, extension
from dpviz.noise.family import DOUBLE_EXPONENTIAL, Array, LevelUnit, Shape
from dpviz.noise.noise_path import Levels, NoisePath, Rng
from dpviz.noise.whole import LARGEST, add, subtract


@dataclass(frozen=True, slots=True)
class DiscreteLaplace(NoisePath):
    """Discrete Laplace noise; the level is the scale b, in units of the statistic.

        Y_h = Y_l with probability g(a_l)/g(a_h),   otherwise Y_l + DiscreteLaplace(h)

    Both draws are exact, a bridge by the laws of `discrete_laplace_law`.
    ε = Δ₁/b in pure differential privacy, for statistics that are whole numbers.
    Source: MATHEMATICS 2.6; the constant branches are ours.

    >>> from dpviz import streams
    >>> zeros = np.zeros(5, dtype=int)
    >>> DiscreteLaplace().extend(np.arange(4), 0.6, 3.0, rng=streams.teaching(7))
    array([-4,  3, -3, 10])
    >>> DiscreteLaplace().bridge(zeros, zeros + 3, 1, 2, 4, rng=streams.teaching(7))
    array([0, 3, 0, 3, 0])
    """

    name: str = "discrete_laplace"
    label: str = "discrete Laplace"
    level_symbol: str = "b"
    level_name: str = "noise scale"
    integer: bool = True
    shape: Shape = DOUBLE_EXPONENTIAL
    symmetric: bool = True
    never_falls: bool = False
    lazy: bool = True
    slow: bool = True
    level_unit: LevelUnit = "scale"
    # beyond, noise comes near the 64-bit integers and is refused too often
    span: ClassVar[Span] = (1e-300, 1e15)
    largest_level: ClassVar[float] = 1e12
    weight_meaning: str = "chance to equal that neighbour, before any value was drawn"
    half_width_formula: str = r"the least $a$ with $P(|Y|\le a)\ge c$"
    bridge_formula: str = (
        r"$P(Y_b=y)\propto p_1(y-y_l)\,p_2(y_h-y)$ with "
        r"$p_1=\mu_1 1_0+(1-\mu_1)DL(b)$, $p_2=\mu_2 1_0+(1-\mu_2)DL(h)$"
    )
    unit_half_width: None = None  # found from the exact cdf

    def _step(self, values: Array, low: float, high: float, result: Array, rng: Rng) -> None:
        law = extension(low, high, fine=values.size > FEW)
        law.draw(values.size, rng=rng, out=result)
        add(values, result)

    def _between(self, below: Array, above: Array, levels: Levels, result: Array, rng: Rng) -> None:
        k = subtract(above, below)
        apart, equal = np.flatnonzero(k), np.flatnonzero(k == 0)
        laws = bridge(*levels, fine=apart.size > FEW)  # in a short step few paths move at all
        if apart.size:
            result[apart] = _towards(k[apart], laws, rng=rng)
        if equal.size:
            result[equal] = laws.rest.draw(equal.size, rng=rng)
        add(below, result)

    def mean(self, level: float) -> float:
        """Mean of the noise: 0 at every level.

        >>> DiscreteLaplace().mean(3.0)
        0.0
        """
        within(self.span, level)
        return 0.0

    def variance(self, level: float) -> float:
        """Variance of the noise: 2a/(1-a)² = 1/(2 sinh²(1/(2b))), in squared units.

        >>> round(DiscreteLaplace().variance(5.0), 9)  # ε = 1 on a tree of height 5
        49.833666138
        """
        rate = 1 / within(self.span, level)
        return 2 * math.exp(-rate) / math.expm1(-rate) ** 2

    def fourth_moment(self, level: float) -> float:
        """Fourth central moment of the noise: 6v² + v, v the variance.

        >>> v = DiscreteLaplace().variance(3.0)
        >>> DiscreteLaplace().fourth_moment(3.0) == 6 * v * v + v
        True
        """
        v = self.variance(level)
        return 6 * v * v + v

    def log_moments(self, z: Array, level: float) -> Array:
        """Log E[exp(z·noise)]: -ln(1 - sinh²(z/2) / sinh²(1/2b)).

        >>> np.exp(DiscreteLaplace().log_moments(np.log([1.5]), 1 / np.log(2.0))).round(4)
        array([1.5])
        """
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            ratio = np.sinh(z / 2) / np.sinh(0.5 / within(self.span, level))
            found: Array = -np.log1p(-np.square(ratio))
        return found

    def cdf(self, x: Any, level: float) -> Any:
        """P(noise <= x) = a^{-n}/(1+a) below 0 and 1 - a^{n+1}/(1+a) above, n = floor x.

        >>> DiscreteLaplace().cdf([-1, 0, 0.5], 3.0).round(6)
        array([0.41743, 0.58257, 0.58257])
        """
        level = within(self.span, level)
        floor = np.floor(checks.reals(x=x))
        with np.errstate(over="ignore", under="ignore"):
            tail = np.exp(-np.where(floor < 0, -floor, floor + 1) / level)
        tail /= 1 + math.exp(-1 / level)
        return np.where(floor < 0, tail, 1 - tail)[()]

    def density(self, x: Any, level: float) -> Any:
        """P(noise = x) = tanh(1/(2b))·exp(-|x|/b), elementwise; 0 where x is not whole.

        >>> round(float(DiscreteLaplace().density(0, 3.0)), 9)
        0.165140413
        """
        level = within(self.span, level)
        x = checks.reals(x=x)
        with np.errstate(over="ignore", under="ignore"):
            mass = math.tanh(0.5 / level) * np.exp(-np.abs(x) / level)
        return np.where((x == np.floor(x)) | np.isnan(x), mass, 0.0)[()]

    law_between = staticmethod(bridge_law_geometric.discrete_laplace_law)

    def weights(self, low: float, level: float, high: float | None) -> tuple[float, float]:
        """Chances that the draw is identical to either neighbour, before any value was drawn.

        Each is μ + (1-μ)(1-a)/(1+a) with the a of the noisier of the two levels: the path stays,
        or makes a step of 0. Without a noisier neighbour the second chance is 0.

        >>> [round(weight, 4) for weight in DiscreteLaplace().weights(1, 2, 4)]
        [0.4224, 0.3399]
        """
        return rest_chances(self.span, _stays, low, level, high)


def _towards(k: Array, laws: BridgeLaws, *, rng: np.random.Generator) -> Array:
    """What is added to `below` where `above` is k away, k not 0: steps from it are mirrored."""
    step, distance = laws.step.draw(k.size, rng=rng), np.abs(k)
    reached = np.flatnonzero(step >= distance)
    if reached.size:
        beyond = laws.beyond.draw(reached.size, rng=rng)
        distance = distance[reached]
        step[reached] = distance + np.minimum(beyond, LARGEST - distance)
    np.negative(step, out=step, where=k < 0)
    return step


def _stays(low: float, high: float) -> float:
    """P(increment = 0) between two levels."""
    if low == high:
        return 1.0
    at_rest = math.tanh(0.5 / high)
    if low == 0:
        return at_rest
    stays = (
        math.exp((low - high) / low / high) * (math.expm1(-1 / high) / math.expm1(-1 / low)) ** 2
    )
    return stays + (1 - stays) * at_rest
