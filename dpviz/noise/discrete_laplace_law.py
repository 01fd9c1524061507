"""The laws that the discrete Laplace path is drawn from: every probability, as a formula.

With a = exp(-1/b) at levels l < b < h, all increments are two-sided geometric (`geometric`), and
their masses are rational in a_l, a and a_h. They are written with quotients such as a_l/a, which
are exponentials of differences of 1/level, so nothing is lost between levels one float apart; the
formulas take fractions too, which is how the tests prove them.

The bridge. W and k - W are independent: W is 0 with probability μ₁, else DL(b), and k - W is 0 with
probability μ₂, else DL(h). For k > 0 all of P(W = x), x < k, carry the factor DL_h(k), and so does
the total, 1 - μ times it with μ = μ₁μ₂; so P(W < 0) and P(W = 0) do not depend on k and
P(W = x) = C(a/a_h)ˣ for 0 < x < k. As the sum is 1 for every k >= 1, P(W >= k) must be
C/(1 - a/a_h)·(a/a_h)ᵏ: just what is left of a geometric E on 1, 2, … that reaches k. Beyond,
P(W = k + y) = C(a/a_h)ᵏ(a·a_h)ʸ. For k < 0 the mirror image; k = 0 has a symmetric law of its own.
Source: MATHEMATICS 2.6; [KHP15] has the case l = 0 for real numbers.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Generic, NamedTuple, TypeVar

from dpviz.noise.geometric import TwoSided
from dpviz.noise.reals import Exponential, Interval, Ratio

Number = TypeVar("Number", Interval, Fraction, float)


class Chain(NamedTuple, Generic[Number]):
    """a_l, a and a_h as a_h times quotients; a_l/a is 0 if l is."""

    high: Number  # a_h
    level_by_high: Number  # a/a_h
    low_by_level: Number  # a_l/a


class BridgeLaws:
    """What one coordinate of a bridge may need; each law is made when it is first drawn from."""

    def __init__(
        self,
        chain: Callable[[int], Chain[Interval]],
        inner: Ratio,
        outer: Ratio,
        *,
        fine: bool,
        moves: float = 1.0,
    ) -> None:
        """Take what the laws are made of.

        Args:
            chain: `bits -> Chain` at that many bits.
            inner: the ratio a/a_h, between the neighbours.
            outer: the ratio a·a_h, outside of them.
            fine: large tables, for many coordinates.
            moves: no less than P(W > 0) where k = 0.
        """
        self._chain, self._inner, self._outer = chain, inner, outer
        self._fine, self._moves = fine, moves

    @cached_property
    def step(self) -> TwoSided:
        """Towards k != 0: negative away, 0 to stay, else E."""
        return TwoSided(
            lambda bits: bridge_sides(self._chain(bits)),
            self._outer,
            self._inner,
            fine=self._fine,
        )

    @cached_property
    def beyond(self) -> TwoSided:
        """From k on, where E reaches k."""

        def only_up(bits: int) -> tuple[Interval, Interval]:
            return Interval.of(0, bits), beyond_side(self._chain(bits))

        return TwoSided(only_up, Exponential(None), self._outer, fine=self._fine)

    @cached_property
    def rest(self) -> TwoSided:
        """The whole draw where k = 0."""
        return TwoSided(
            lambda bits: (rest_side(self._chain(bits)),) * 2,
            self._outer,
            self._outer,
            fine=self._fine,
            most=self._moves,
        )


def extend_side(low: Number, high: Number, low_by_high: Number) -> Number:
    """P(increment > 0) = P(increment < 0) = (1-μ)·a_h/(1+a_h).

    1 - μ = (1 - a_l/a_h)(1 - a_l·a_h)/(1-a_l)², as μ = g(a_l)/g(a_h) with g(a) = a/(1-a)².

    >>> extend_side(Fraction(1, 5), Fraction(1, 2), Fraction(2, 5))
    Fraction(9, 32)
    """
    moved = (1 - low_by_high) * (1 - low * high) / ((1 - low) * (1 - low))
    return moved * high / (1 + high)


def bridge_sides(chain: Chain[Number]) -> tuple[Number, Number]:
    """P(away) and P(towards) of a bridge with k != 0.

        away = K·a·a_h·(1 - a/a_h)     towards = K·(a/a_h)·(1 - a·a_h)
        K = (1 - a_l/a)(1 - a_l·a) / ((1 - a²)(1 - a_l/a_h)(1 - a_l·a_h))

    >>> bridge_sides(Chain(Fraction(4, 5), Fraction(5, 8), Fraction(2, 5)))
    (Fraction(6, 35), Fraction(3, 7))
    """
    high, level_by_high, low_by_level = chain
    level = level_by_high * high
    low = low_by_level * level
    common = (1 - low_by_level) * (1 - low * level) / (1 - level * level)
    common = common / ((1 - low_by_level * level_by_high) * (1 - low * high))
    away = common * level * high * (1 - level_by_high)
    return away, common * level_by_high * (1 - level * high)


def beyond_side(chain: Chain[Number]) -> Number:
    """P(W > k | W >= k) = a·a_h·(1 - a/a_h)/(1 - a·a_h), for k > 0.

    >>> beyond_side(Chain(Fraction(4, 5), Fraction(5, 8), Fraction(2, 5)))
    Fraction(1, 4)
    """
    product = chain.level_by_high * chain.high * chain.high
    return product * (1 - chain.level_by_high) / (1 - product)


def rest_side(chain: Chain[Number]) -> Number:
    """P(W > 0) = P(W < 0) where k = 0.

        (1 - a_l/a)(1 - a_l·a)·a·a_h·(1 - a/a_h) / ((1 - a²)(1 - 2·a_l·a_h + a_l²))

    >>> rest_side(Chain(Fraction(4, 5), Fraction(5, 8), Fraction(2, 5)))
    Fraction(3, 20)
    """
    high, level_by_high, low_by_level = chain
    level = level_by_high * high
    low = low_by_level * level
    moved = (1 - low_by_level) * (1 - low * level) * level * high * (1 - level_by_high)
    unmoved = (1 - low) * (1 - low) + low * (1 - high) + low * (1 - high)
    return moved / ((1 - level * level) * unmoved)


@lru_cache(maxsize=8)
def extension(low: float, high: float, *, fine: bool) -> TwoSided:
    """The increment between two levels; the floats are taken as the fractions they are.

    >>> from dpviz import streams
    >>> extension(1.0, 3.0, fine=False).draw(6, rng=streams.teaching(7))
    array([-9,  1, -3,  0,  0,  5])
    """
    rates = _rate(low), _rate(high)
    powers = [Exponential(rate) for rate in (*rates, _less(*rates))]

    def masses(bits: int) -> tuple[Interval, Interval]:
        side = extend_side(*(one.power(1, bits) for one in powers))
        return side, side

    return TwoSided(masses, powers[1], powers[1], fine=fine)


@lru_cache(maxsize=8)
def bridge(low: float, level: float, high: float, *, fine: bool) -> BridgeLaws:
    """The bridge between two levels; the floats are taken as the fractions they are.

    >>> from dpviz import streams
    >>> bridge(1.0, 2.0, 3.0, fine=False).beyond.draw(6, rng=streams.teaching(7))
    array([0, 1, 0, 0, 0, 0])
    """
    far, middle, near = _rate(low), _rate(level), _rate(high)
    inner = Exponential(_less(middle, near))
    powers = Exponential(near), inner, Exponential(_less(far, middle))

    def chain(bits: int) -> Chain[Interval]:
        return Chain(*(one.power(1, bits) for one in powers))

    outer = Exponential(None if middle is None or near is None else middle + near)
    moves = rests_at_most(low, level, high)
    return BridgeLaws(chain, inner, outer, fine=fine, moves=moves)


def rests_at_most(low: float, level: float, high: float) -> float:
    """No less than P(W > 0) where k = 0, by floats: `rest_side` and far more than they are off.

    >>> rests_at_most(1.0, 1.001, 1.002) < 0.001 < rests_at_most(0.0, 1e9, 2e9)
    True
    """
    if not 1e-2 <= low < high <= 1e6:  # elsewhere floats may lose too much
        return 1.0
    near = math.exp(-1 / high), math.exp(-(high - level) / level / high)
    chain = Chain(*near, math.exp(-(level - low) / low / level))
    return 2.0**-20 + 1.001 * rest_side(chain)


def _rate(level: float) -> Fraction | None:
    """1/level; `None` for an infinite one."""
    return 1 / Fraction(level) if level else None


def _less(rate: Fraction | None, other: Fraction | None) -> Fraction | None:
    """The difference of two rates, the second finite."""
    return None if rate is None or other is None else rate - other
