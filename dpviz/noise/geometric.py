"""Exact draws from two-sided geometric laws on the integers, of any scale, by table look-ups.

    P(-n) = P₋(1-u)uⁿ⁻¹     P(0) = 1 - P₋ - P₊     P(n) = P₊(1-v)vⁿ⁻¹     (n >= 1)

All that the discrete Laplace path draws has this shape. One look-up finds the branch, and for
small scales the value itself; beyond the table a geometric law goes on as it began, so what is
left is geometric again. A geometric variable of large scale is G = 2ʲQ + R, where Q is geometric of
ratio v^(2ʲ) and independent of R, whose blocks of binary digits are independent in turn.
Every threshold is enclosed by integer arithmetic: exact, the total variation is 0.
"""

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise

import numpy as np

from dpviz.noise import arguments
from dpviz.noise.bits import CHUNK, Pair, Table, first_bits
from dpviz.noise.family import Array
from dpviz.noise.reals import Interval, Ratio, enclose, powers

TOP = 2**63 - 1  # stands for itself and everything above
ENDLESS = 2.0**52
MOST_DIGITS = 53
Masses = Callable[[int], tuple[Interval, Interval]]  # bits -> (P₋, P₊)


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
