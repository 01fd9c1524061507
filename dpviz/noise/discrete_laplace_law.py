"""The laws that the discrete Laplace path is drawn from: each as a formula, and its exact draws.

With a = exp(-1/b) at levels l < b < h, all increments are two-sided geometric (`TwoSided`):

    P(-n) = P₋(1-u)uⁿ⁻¹     P(0) = 1 - P₋ - P₊     P(n) = P₊(1-v)vⁿ⁻¹     (n >= 1)

The formulas. Masses are rational in a_l, a and a_h. They are written with quotients such as a_l/a,
which are exponentials of differences of 1/level, so nothing is lost between levels one float apart;
the formulas take fractions too, which is how the tests prove them.

The bridge. W and k - W are independent: W is 0 with probability μ₁, else DL(b), and k - W is 0 with
probability μ₂, else DL(h). For k > 0 all of P(W = x), x < k, carry the factor DL_h(k), and so does
the total, 1 - μ times it with μ = μ₁μ₂; so P(W < 0) and P(W = 0) do not depend on k and
P(W = x) = C(a/a_h)ˣ for 0 < x < k. As the sum is 1 for every k >= 1, P(W >= k) must be
C/(1 - a/a_h)·(a/a_h)ᵏ: just what is left of a geometric E on 1, 2, … that reaches k. Beyond,
P(W = k + y) = C(a/a_h)ᵏ(a·a_h)ʸ. For k < 0 the mirror image; k = 0 has a symmetric law of its own.

The draws. One look-up finds the branch, and for small scales the value itself; beyond the table a
geometric law goes on as it began, so what is left is geometric again. A geometric variable of large
scale is G = 2ʲQ + R, where Q is geometric of ratio v^(2ʲ) and independent of R, whose blocks of
binary digits are independent in turn. Every threshold is enclosed by integer arithmetic: exact, the
total variation is 0.
Source: MATHEMATICS 2.6; [KHP15] has the case l = 0 for real numbers.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from dpviz.noise import arguments
from dpviz.noise.bits import CHUNK, Pair, Table, first_bits
from dpviz.noise.family import Array
from dpviz.noise.reals import Exponential, Interval, Ratio, enclose, powers

TOP = 2**63 - 1  # stands for itself and everything above
ENDLESS = 2.0**52
MOST_DIGITS = 53
Masses = Callable[[int], tuple[Interval, Interval]]  # bits -> (P₋, P₊)
Number = TypeVar("Number", Interval, Fraction, float)


class Geometric:
    """The law (1-v)vⁿ on n = 0, 1, 2, …; values above 2⁶³ - 1 are drawn as that number.

    Sizes: `fine` tables answer quickly, coarse ones are quickly made.

    >>> from fractions import Fraction
    >>> from dpviz import streams
    >>> from dpviz.noise.reals import Exponential
    >>> law = Geometric(Exponential(Fraction(1, 1000)), fine=True)
    >>> law.draw(4, rng=streams.teaching(7))
    array([ 342, 2906,  300,  990])
    """

    def __init__(self, ratio: Ratio, *, fine: bool) -> None:
        """Choose sizes; tables are made when they are first drawn from."""
        self._ratio, scale = ratio, ratio.scale
        in_head = 64 if fine else 1  # scale of the part that is not split into digits
        width = 10 if fine else 3  # binary digits to a block
        self._capped = scale > ENDLESS  # else a draw beyond TOP has chance exp(-2¹¹)
        digits = MOST_DIGITS if self._capped else 0
        while not self._capped and scale > in_head << digits:
            digits += 1
        count = -(-digits // width)
        self._cuts = [digits * i // count for i in range(count + 1)] if count else [0]
        self._cells = 2 ** (63 - digits) if self._capped else 1 + int(8 * scale / 2**digits)

    def draw(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw from the law.

        Returns:
            Shape (size,), int64.
        """
        drawn = self._head.draw(size, rng=rng)
        far = np.flatnonzero(drawn == self._cells)
        if not self._capped:
            beyond = far
            while beyond.size:  # beyond the table the law starts over
                more = self._head.draw(beyond.size, rng=rng)
                drawn[beyond] += more
                beyond = beyond[more == self._cells]
        far = far[drawn[far] > TOP >> self._cuts[-1]]
        drawn <<= self._cuts[-1]
        for (start, _), table in zip(pairwise(self._cuts), self._digits, strict=True):
            drawn += table.draw(size, rng=rng) << start
        drawn[far] = TOP
        return drawn

    @cached_property
    def _head(self) -> Table:
        """The law of Q up to the last cell, which stands for everything from there on."""
        unit = 1 << self._cuts[-1]

        def thresholds(bits: int) -> list[Interval]:
            ratio = self._ratio.power(unit, bits)
            return [1 - tail for tail in powers(ratio, ratio, self._cells)]

        return Table(lambda bits: enclose(thresholds, bits))

    @cached_property
    def _digits(self) -> list[Table]:
        """The laws of the blocks of binary digits of R, lowest first."""
        return [self._block(start, end) for start, end in pairwise(self._cuts)]

    def _block(self, start: int, end: int) -> Table:
        """Digits from `start` to before `end`: P(digits < i) = (1-wⁱ)/(1-w^(2^(end-start)))."""

        def thresholds(bits: int) -> list[Interval]:
            ratio = self._ratio.power(1 << start, bits)
            whole = 1 - self._ratio.power(1 << end, bits)
            below = powers(ratio, ratio, (1 << (end - start)) - 1)
            return [(1 - tail) / whole for tail in below]

        return Table(lambda bits: enclose(thresholds, bits))


class TwoSided:
    """The two-sided law above, from its side masses and ratios.

    >>> from fractions import Fraction
    >>> from dpviz import streams
    >>> from dpviz.noise.reals import Exponential
    >>> third = lambda bits: (Interval.of(Fraction(1, 3), bits),) * 2
    >>> ratio = Exponential(Fraction(1, 2))
    >>> TwoSided(third, ratio, ratio, fine=True).draw(6, rng=streams.teaching(7))
    array([-1,  4, -1,  0,  0,  1])
    """

    def __init__(
        self, masses: Masses, left: Ratio, right: Ratio, *, fine: bool, most: float = 1.0
    ) -> None:
        """Take P₋ and P₊ as functions of the number of bits, and the ratios u and v.

        A side of large scale is left to `Geometric` as a whole. `most` is no less than P₋ and P₊:
        where that is little, first bits that are far from both ends are 0 without any table.
        """
        self._masses = masses
        self._end = int(most * 2**CHUNK) + 1  # first bits from here on are above P₋
        self._ratios = left, right
        self.cells = tuple(_cells(ratio.scale, fine=fine) for ratio in self._ratios)
        tails = [Geometric(ratio, fine=fine) for ratio in self._ratios]
        self._tails = tails[:1] if left is right else tails  # one for both sides, if they agree

    def draw(self, size: int, *, rng: np.random.Generator, out: Array | None = None) -> Array:
        """Draw from the law, into `out` if it is given; beyond ±(2⁶³ - 1) that number is drawn.

        Returns:
            Shape (size,), int64.
        """
        heads = None
        if size <= arguments.BLOCK and self._end < 2**CHUNK // 8:
            heads = first_bits(size, rng=rng)
            if ((heads >= self._end) & (heads < 2**CHUNK - self._end)).all():
                drawn = np.empty(size, np.int64) if out is None else out
                drawn[:] = 0
                return drawn
        drawn = self._table.draw_settled(size, rng=rng, out=out, heads=heads)[0]
        joint = len(self._tails) == 1
        if joint and self.cells == (0, 0):  # all is tail: no need to look for it
            more = self._tails[0].draw(size, rng=rng)
            drawn *= np.minimum(more, TOP - 1) + 1
            return drawn
        ends = -self.cells[0] - 1, self.cells[1] + 1
        far = [drawn == end for end in ends]  # before any of them moves
        for places, tail in zip([far[0] | far[1]] if joint else far, self._tails, strict=True):
            at = np.flatnonzero(places)
            if at.size:
                more, start = tail.draw(at.size, rng=rng), drawn[at]
                drawn[at] += np.sign(start) * np.minimum(more, TOP - np.abs(start))
        return drawn

    @cached_property
    def _table(self) -> Table:
        """The cells of both sides and the tails, made when first drawn from."""
        return Table(self.thresholds, first=-self.cells[0] - 1)

    def thresholds(self, bits: int) -> list[Pair]:
        """P(draw < x) for each cell but the first: the tail, single numbers, the other tail."""

        def formula(bits: int) -> list[Interval]:
            low, high = self._masses(bits)
            left, right = (ratio.power(1, bits) for ratio in self._ratios)
            below = list(powers(low, left, self.cells[0] + 1))
            return below[::-1] + [1 - tail for tail in powers(high, right, self.cells[1] + 1)]

        return enclose(formula, bits)


def _cells(scale: float, *, fine: bool) -> int:
    """How many numbers of one side get a cell of their own."""
    if scale > (128 if fine else 2):
        return 0
    return 1 + int(7 * scale)


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
