"""Exact draws from uniform bits: whole numbers all the way, never a float.

A draw asks for the place of one endless uniform binary number U = 0.u₁u₂… among thresholds, real
numbers in [0, 1] that can be enclosed to any number of bits. U is revealed lazily: 16 bits settle
most draws, 48 more nearly all of the rest, and a tie with a threshold, of probability 2⁻⁶⁴ each,
is broken by further words in Python integers. So the law is exact, the total variation from it 0.
The words come from any numpy generator; later bits are drawn after the first bits of all values,
so the same seed gives the same draws for every block size.
Limits: the number of words used depends on the draw, so timing is not hidden.
Source: inversion with lazily revealed bits [Knuth and Yao 1976, The complexity of nonuniform random
number generation]; the guide table is that of [Chen and Asau 1974].
"""

from collections.abc import Callable, Sequence

import numpy as np

from dpviz.noise import arguments
from dpviz.noise.family import Array

WORD = 64
CHUNK = 16  # bits looked at first: a guide of 2¹⁶ entries stays in a second-level cache
LAST = 2**WORD - 1
FEW = 2000  # draws, up to here building the guide takes longer than going without

Pair = tuple[int, int]
Real = Callable[[int], Pair]
"""A real number T: `bits -> (low, high)`, whole numbers with low <= T·2^bits < high + 1.

The nearer, the better; a pair that is too wide costs time, never exactness.
"""


def words(size: int, *, rng: np.random.Generator) -> Array:
    """Uniform 64-bit words.

    Returns:
        Shape (size,), uint64.

    >>> from dpviz import streams
    >>> words(2, rng=streams.teaching(7)).dtype
    dtype('uint64')
    """
    return np.asarray(rng.integers(0, LAST, size, dtype=np.uint64, endpoint=True))


def first_bits(size: int, *, rng: np.random.Generator) -> Array:
    """Uniform numbers of `CHUNK` bits: the first bits of this many draws.

    Returns:
        Shape (size,), uint16.

    >>> from dpviz import streams
    >>> first_bits(5, rng=streams.teaching(7)).dtype
    dtype('uint16')
    """
    drawn = words(-(-size * CHUNK // WORD), rng=rng).astype("<u8", copy=False)
    return drawn.view("<u2")[:size]


def to_words(head: Array, *, rng: np.random.Generator) -> Array:
    """First bits with further ones after them, 64 in all: shape (d,), uint64.

    >>> from dpviz import streams
    >>> to_words(np.array([1, 2], dtype=np.uint16), rng=streams.teaching(7)) >> 48
    array([1, 2], dtype=uint64)
    """
    further = words(head.size, rng=rng) >> CHUNK
    further |= head.astype(np.uint64) << (WORD - CHUNK)
    return further


def less(
    low: Array, high: Array, refine: Callable[[int, int], Pair], *, rng: np.random.Generator
) -> Array:
    """Draw events of different chances Tᵢ, exactly: U < Tᵢ for a fresh uniform U each.

    Args:
        low: lower bounds of Tᵢ·2⁶⁴, rounded down, shape (d,), uint64; at most 2⁶⁴ - 1.
        high: upper bounds of Tᵢ·2⁶⁴, rounded down, likewise.
        refine: `(i, bits) -> (low, high)`, the same for the i-th chance at any number of bits;
            asked only where 64 bits do not settle it.
        rng: generator that the bits are drawn from.

    Returns:
        Shape (d,), bool.

    >>> from dpviz import streams
    >>> bounds = np.array([LAST, 2**63, 2**64 // 1000], dtype=np.uint64)
    >>> one_in = (1, 2, 1000)
    >>> refine = lambda i, bits: (2**bits // one_in[i],) * 2
    >>> less(bounds, bounds, refine, rng=streams.teaching(7))
    array([ True, False, False])
    """
    uniform = words(low.size, rng=rng)
    happens = uniform < low
    for i in np.flatnonzero((low <= uniform) & (uniform <= high)).tolist():
        place = _place(int(uniform[i]), lambda bits, i=i: [refine(i, bits)], rng=rng)  # type: ignore[misc]
        happens[i] = place == 0
    return happens


class Table:
    """A law on whole numbers by its cumulative chances T₁ <= … <= Tₙ: exact, quick for many draws.

    The draw is `first` plus the number of thresholds that U has passed: P(draw < first + i) = Tᵢ.

    >>> from dpviz import streams
    >>> table = Table(lambda bits: [(i * 2**bits // 3,) * 2 for i in (1, 2)])
    >>> np.bincount(table.draw(30_000, rng=streams.teaching(7)))
    array([10057,  9987,  9956])
    """

    __slots__ = ("_first", "_guide", "_heads", "_high", "_kind", "_low", "_thresholds", "_unsure")

    def __init__(self, thresholds: Callable[[int], Sequence[Pair]], *, first: int = 0) -> None:
        """Enclose the thresholds to 64 bits.

        Args:
            thresholds: `bits -> [(low, high), …]`, one pair for each threshold, ascending; each
                pair as in `Real`.
            first: the least draw.
        """
        pairs = thresholds(WORD)
        low = np.array([min(pair[0], LAST) for pair in pairs], dtype=np.uint64)
        high = np.array([min(pair[1], LAST) for pair in pairs], dtype=np.uint64)
        self._thresholds = thresholds
        self._first = first
        self._low = np.maximum.accumulate(low)  # still bounds, as thresholds ascend
        self._high = np.maximum.accumulate(high)
        self._heads = [(one >> (WORD - CHUNK)).astype(np.uint16) for one in (self._low, self._high)]
        narrow = max(-first, first + low.size) < 2**15
        self._kind = np.dtype(np.int16 if narrow else np.int32)  # small: it must stay in cache
        self._unsure = -(2**15) if narrow else -(2**31)
        self._guide: Array | None = None

    def draw(self, size: int, *, rng: np.random.Generator, out: Array | None = None) -> Array:
        """Draw from the law, into `out` if it is given.

        Returns:
            Shape (size,), int64.
        """
        return self.draw_settled(size, rng=rng, out=out)[0]

    def draw_settled(
        self,
        size: int,
        *,
        rng: np.random.Generator,
        out: Array | None = None,
        heads: Array | None = None,
    ) -> tuple[Array, Array]:
        """Draw from the law, and tell which places the first bits did not settle.

        Args:
            size: how many draws.
            rng: generator that the bits are drawn from.
            out: where the draws go, if it is given.
            heads: the first bits of at most one block of draws, if they are drawn already.

        Returns:
            Draws, shape (size,), int64, and ascending places among them. Where `ends_late`, the
            least and the largest draw are at such places only.
        """
        drawn = np.empty(size, dtype=np.int64) if out is None else out
        places, unsettled = [], []
        per_word = WORD // CHUNK
        step = max(per_word, arguments.BLOCK // per_word * per_word)  # whole words to each block
        for start in range(0, size, step):
            part = drawn[start : start + step]
            head = first_bits(part.size, rng=rng) if heads is None else heads
            found = self._look_up(head, few=size <= FEW)
            unsure = (found == self._unsure).nonzero()[0]
            part[:] = found
            if unsure.size:
                places.append(unsure + start)
                unsettled.append(head[unsure])
        at = np.concatenate(places) if places else np.empty(0, np.int64)
        if at.size:
            drawn[at] = self.settle(to_words(np.concatenate(unsettled), rng=rng), rng=rng)
        return drawn, at

    @property
    def ends_late(self) -> bool:
        """Whether the first bits never settle for the least or the largest draw.

        >>> Table(lambda bits: [(1, 1), (2**bits - 1,) * 2]).ends_late
        True
        """
        low, high = self._heads
        return bool(low.size and high[0] == 0 and low[-1] == 2**CHUNK - 1)

    @property
    def edges(self) -> tuple[Array, Array]:
        """The thresholds to 64 bits, from below and from above: shape (n,), uint64, ascending.

        >>> [each.tolist() for each in Table(lambda bits: [(2**bits // 2,) * 2]).edges]
        [[9223372036854775808], [9223372036854775808]]
        """
        return self._low, self._high

    def passed(self, bits: int) -> tuple[Array, Array]:
        """Numbers of thresholds that U has passed for certain, and perhaps, by its first bits.

        Returns:
            Both of shape (2^bits,), for each value of this many first bits; equal if they settle.

        >>> [each.tolist() for each in Table(lambda bits: [(2**bits // 3,) * 2]).passed(3)]
        [[0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 1, 1]]
        """
        values, further = np.arange(2**bits, dtype=np.uint64), np.uint64(WORD - bits)
        low, high = self._low >> further, self._high >> further
        return high.searchsorted(values, "left"), low.searchsorted(values, "right")

    def _look_up(self, head: Array, *, few: bool) -> Array:
        """Draws as far as the first bits settle them, elsewhere `_unsure`."""
        if few:
            return self._by_search(head)
        if self._guide is None:
            self._guide = self._by_search(np.arange(2**CHUNK, dtype=np.uint16))
        return self._guide.take(head, mode="clip")  # nothing to clip, but quicker

    def _by_search(self, head: Array) -> Array:
        """The same without a guide."""
        low, high = self._heads
        passed = high.searchsorted(head, "left")
        perhaps = low.searchsorted(head, "right")
        settled = passed == perhaps
        return np.where(settled, passed + self._first, self._unsure).astype(self._kind)

    def settle(self, uniform: Array, *, rng: np.random.Generator) -> Array:
        """Draws from the first 64 bits, and where these tie, from as many as it takes.

        Returns:
            Shape (d,), int64.
        """
        passed = self._high.searchsorted(uniform, "left")
        perhaps = self._low.searchsorted(uniform, "right")
        for i in (passed < perhaps).nonzero()[0].tolist():
            passed[i] = _place(int(uniform[i]), self._thresholds, rng=rng)
        return passed + self._first


def _place(
    uniform: int, thresholds: Callable[[int], Sequence[Pair]], *, rng: np.random.Generator
) -> int:
    """Number of thresholds passed by a uniform number of which 64 bits are known."""
    bits = WORD
    while True:
        bits += WORD
        uniform = uniform << WORD | int(words(1, rng=rng)[0])
        pairs = thresholds(bits)
        passed = sum(high < uniform for _, high in pairs)
        if passed == sum(low <= uniform for low, _ in pairs):
            return passed
