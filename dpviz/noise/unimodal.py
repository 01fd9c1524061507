"""Exact draws from log-concave laws on the integers that are given by ratios of neighbours.

A law is its mode, and on either side the ratios P(next)/P(this) walking away from it: fractions
of at most 1 that never rise. Weights are whole numbers in units of 2^-precision, rounded down at
each step, so after n steps they are at most n units too small; what lies beyond the last is at most
a geometric series. So every cumulative chance is enclosed, to any number of bits, and
`dpviz.noise.bits.Table` draws exactly: the total variation from the law is 0. No float is involved.
Wide laws: cells are pooled in blocks. A block is drawn first; most of it is even, at the height of
its least likely cell, and random bits finish the draw; the rest of it is a small table of its own.
Limits: a new law takes about 2 µs for each of its cells, a wide one a tenth of that.
"""

from collections.abc import Callable, Iterator
from itertools import accumulate, chain, islice

import numpy as np

from dpviz.noise.bits import WORD, Pair, Table, words
from dpviz.noise.family import Array

GUARD = 64  # bits of a weight beyond those asked for
SPARE = 8  # cells are walked until what is left is below 2^-SPARE units in the last bit asked for
FINE = 512  # cells to a standard deviation, from twice as many on they are pooled
UP, DOWN = 0, 1

Ratios = Callable[[int], Iterator[tuple[int, int]]]
"""`start -> (numerator, denominator), …`: P(i + 1)/P(i) for i = start, … steps from the mode."""

Walk = tuple[list[int], int]  # weights away from the mode, and a bound of what is left out


class Unimodal:
    """A log-concave law on the integers, to draw from.

    >>> from itertools import repeat
    >>> from dpviz import streams
    >>> law = Unimodal(0, lambda _: repeat((1, 2)), lambda _: iter(()), spread=2)
    >>> np.bincount(law.draw(1000, rng=streams.teaching(7)))  # P(0) = 1/2, P(1) = 1/4, …
    array([506, 247, 122,  63,  32,  21,   3,   4,   0,   0,   1,   0,   1])
    """

    __slots__ = ("_entries", "_lowest", "_mode", "_sides", "_sizes", "_table", "_walked", "width")

    def __init__(self, mode: int, up: Ratios, down: Ratios, *, spread: int) -> None:
        """Enclose the law to 64 bits.

        Args:
            mode: the likeliest number, or any from which no ratio is above 1.
            up: ratios towards larger numbers; they end, or are 0, where the law ends.
            down: ratios towards smaller numbers.
            spread: about the standard deviation; cells are pooled where it is large.
        """
        self._mode, self._sides = mode, (up, down)
        self.width = 1 << max(0, (spread // FINE).bit_length() - 1)  # cells to a block
        walked = [self._walk(side, WORD) for side in (UP, DOWN)]
        self._sizes = tuple(len(weights) // self.width for weights, _ in walked)  # in blocks
        self._entries = [weights[:: self.width] if self.width > 1 else [] for weights, _ in walked]
        blocks = np.arange(-self._sizes[DOWN], self._sizes[UP], dtype=np.int64)
        self._lowest = mode + blocks * self.width
        self._walked: list[Walk] | None = walked  # for the table's first bits, then let go
        self._table = Table(self._thresholds)
        self._walked = None

    def draw(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw from the law.

        Returns:
            Shape (size,), int64.
        """
        drawn, at = self._table.draw_settled(size, rng=rng)
        return self._numbers(drawn, at if self._table.ends_late else np.arange(size), rng=rng)

    def draw_from(self, uniform: Array, *, rng: np.random.Generator) -> Array:
        """Draw from the law where the first bits are drawn already.

        Args:
            uniform: words, shape (d,), uint64.
            rng: generator that further bits are drawn from.

        Returns:
            Shape (d,), int64.
        """
        drawn = self._table.settle(uniform, rng=rng)
        return self._numbers(drawn, np.arange(drawn.size), rng=rng)

    @property
    def _none(self) -> int:
        """The number of a draw that passed no threshold: the first of the lower tail."""
        return self._mode - self._sizes[DOWN] - 1

    def edges(self) -> tuple[Array, Array, int]:
        """The thresholds between its numbers to 64 bits, none if they are pooled.

        Returns:
            From below and from above, shape (n,), uint64, ascending; and which number a draw has
            that passed none. Who passed none or all of them is in a tail, and not settled.

        >>> low, high, first = Unimodal(5, lambda _: iter(()), lambda _: iter(()), spread=1).edges()
        >>> low.size, high.size, first
        (2, 2, 4)
        """
        low, high = self._table.edges
        plain = slice(None if self.width == 1 else 0)
        return low[plain], high[plain], self._none

    def guide(self, bits: int) -> tuple[Array, Array]:
        """What this many first bits say.

        Returns:
            Numbers, shape (2^bits,), and whether the draw is this one for certain.

        >>> law = Unimodal(5, lambda _: iter(()), lambda _: iter(()), spread=1)
        >>> [each.tolist() for each in law.guide(2)]  # never at either end of all bits
        [[4, 5, 5, 5], [False, True, True, False]]
        """
        passed, perhaps = self._table.passed(bits)
        certain = (passed == perhaps) & (passed > 0) & (passed <= self._lowest.size)
        return passed + self._none, certain & (self.width == 1)

    def _numbers(self, outcome: Array, at: Array, *, rng: np.random.Generator) -> Array:
        """Numbers, from outcomes; those of the tails, which have no cell, are among `at`."""
        if self.width > 1:
            return self._spread_out(outcome, rng=rng)
        late, last = outcome[at], self._lowest.size + 1
        outcome += self._none
        if ((late == 0) | (late == last)).any():  # about never
            for side, end in ((UP, last), (DOWN, 0)):
                far = at[late == end]
                outcome[far] = self._beyond(side, far.size, rng=rng)
        return outcome

    def _spread_out(self, outcome: Array, *, rng: np.random.Generator) -> Array:
        """Numbers, from outcomes: tail, then even and uneven part of each block, tail."""
        offset = (words(outcome.size, rng=rng) & np.uint64(self.width - 1)).astype(np.int64)
        drawn = self._lowest.take((outcome - 1) >> 1, mode="clip") + offset
        last = 2 * self._lowest.size + 1
        odd_ones = np.flatnonzero((outcome % 2 == 0) | (outcome == last))
        for which in np.unique(outcome[odd_ones]).tolist():
            at = odd_ones[outcome[odd_ones] == which]
            if which in (0, last):
                drawn[at] = self._beyond(UP if which else DOWN, at.size, rng=rng)
            else:
                drawn[at] = self._uneven((which - 1) >> 1, at.size, rng=rng)
        return drawn

    def _uneven(self, block: int, size: int, *, rng: np.random.Generator) -> Array:
        """Numbers in a block, by what their weights are above the least of it."""
        away = block - self._sizes[DOWN]
        side, away = (UP, away) if away >= 0 else (DOWN, -1 - away)

        def thresholds(bits: int) -> list[Pair]:
            weights, error = self._cells(side, away, bits), (away + 1) * self.width + 1
            least = weights[-1]
            return shares([(max(w - least - error, 0), w - least + error) for w in weights], bits)

        further = Table(thresholds).draw(size, rng=rng)
        lowest = int(self._lowest[block])
        return lowest + further if side == UP else lowest + self.width - 1 - further

    def _beyond(self, side: int, size: int, *, rng: np.random.Generator) -> Array:
        """Numbers that have no cell: the law goes on there, from its first such number."""
        if size == 0:
            return np.empty(0, np.int64)
        steps = self._sizes[side] * self.width  # to the last number with a cell, or the mode
        onward = self._sides[side]
        start = steps if side == UP else steps + 1
        law = Unimodal(0, lambda more: onward(start + more), lambda _: iter(()), spread=1)
        further = law.draw(size, rng=rng)
        return self._mode + steps + further if side == UP else self._mode - steps - 1 - further

    def _thresholds(self, bits: int) -> list[Pair]:
        """Cumulative chances of the outcomes."""
        walked = self._walked or [self._walk(side, bits) for side in (UP, DOWN)]
        (up, up_rest), (down, down_rest) = walked
        error = max(len(up), len(down)) + 1
        sizes = [size * self.width for size in self._sizes]
        masses = self._parts(down[: sizes[DOWN]], error)[::-1], self._parts(up[: sizes[UP]], error)
        tails = [
            (sum(rest), sum(rest) + error * len(rest) + left)
            for rest, left in ((down[sizes[DOWN] :], down_rest), (up[sizes[UP] :], up_rest))
        ]
        if self.width > 1:  # reversed, the uneven part came first
            for i in range(0, len(masses[0]), 2):
                masses[0][i : i + 2] = masses[0][i : i + 2][::-1]
        return shares([tails[0], *chain(*masses), tails[1]], bits)

    def _parts(self, weights: list[int], error: int) -> list[Pair]:
        """Bounds of the masses of cells; or of the even and the uneven part of each block."""
        if self.width == 1:
            return [(weight, weight + error) for weight in weights]
        parts, width = [], self.width
        for i in range(0, len(weights), width):
            cells = weights[i : i + width]
            total, even = sum(cells), width * cells[-1]
            slack = width * error
            parts += [(even, even + slack), (max(total - even - slack, 0), total - even + slack)]
        return parts

    def _walk(self, side: int, bits: int) -> Walk:
        """Weights away from the mode, which counts as up, and a bound of what is left out."""
        weight, weights = 1 << (bits + GUARD), []
        small = 1 << (GUARD - SPARE)
        for count, (numerator, denominator) in enumerate(self._sides[side](0), 1):
            weights.append(weight)
            weight = weight * numerator // denominator
            if weight >= small:
                continue
            if numerator <= 0:
                return weights[side:], 0
            if numerator < denominator:
                rest = (weight + count) * denominator // (denominator - numerator) + 1
                if rest < small:
                    return weights[side:], rest
        return [*weights, weight][side:], 0

    def _cells(self, side: int, block: int, bits: int) -> list[int]:
        """Weights of the cells of a block, the blocks of one side counted from the mode."""
        steps = block * self.width + side  # the mode counts as up
        if bits == WORD:
            weight, ratios = self._entries[side][block], self._sides[side](steps)
        else:
            weight, ratios = 1 << (bits + GUARD), self._sides[side](0)
            for numerator, denominator in islice(ratios, steps):
                weight = weight * numerator // denominator
        cells = [weight]
        for numerator, denominator in islice(ratios, self.width - 1):
            cells.append(cells[-1] * numerator // denominator)
        return cells


def shares(masses: list[Pair], bits: int) -> list[Pair]:
    """Bounds of the shares of the first, the first two, … of all masses, times 2^bits.

    >>> shares([(1, 1), (1, 1), (2, 2)], 4)
    [(4, 4), (8, 8)]
    """
    from_left = list(accumulate(masses, _plus))
    from_right = list(accumulate(reversed(masses), _plus))[::-1]
    return [
        (
            (low << bits) // (low + more_high) if low + more_high else 0,
            (high << bits) // (high + more_low) if high + more_low else 1 << bits,
        )
        for (low, high), (more_low, more_high) in zip(from_left, from_right[1:], strict=False)
    ]


def _plus(one: Pair, other: Pair) -> Pair:
    return one[0] + other[0], one[1] + other[1]
