"""Exact Poisson and binomial draws from uniform bits: whole numbers all the way.

Poisson(L), L any fraction: a table up to 2^14; beyond, a sum of independent Poisson draws of rates
2^14, 2^15, … 2^27, whose tables are made once per process, and of what is left.
Binomial(n, q), q any fraction: n uniform numbers are compared with q bit by bit, all n at once. The
number of those that agree with the next bit of q is Binomial(n, 1/2): bits of a word counted, and
for each higher binary digit 2^j of n one draw from Binomial(2^j, 1/2). Where many values are drawn
and n has become small enough, tables of Binomial(d·8^j, q) finish the draw, one for each octal
digit d of n.
These tables stand in one guide table (`OneOf`), so that a draw is one look-up, whichever law it is
from: the first 14 of 16 bits settle nearly all draws, and the rest are settled by 48 bits more, in
one row of the thresholds of all laws.
No float is involved, and the law is exact: the total variation from it is 0.
Limits: rates and counts beyond 2^27 take a draw for each 2^27 of them, at most MOST_PIECES for
each STRIDE values; what would take more is refused before it begins. `OneOf` is quick for numbers
of 16 bits and laws that are not pooled in blocks, slow for others.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import count as count_from
from math import isqrt

import numpy as np

from dpviz.errors import ParameterError
from dpviz.noise.arguments import blocks
from dpviz.noise.bits import CHUNK, WORD, first_bits, to_words, words
from dpviz.noise.family import Array
from dpviz.noise.unimodal import Unimodal

DIRECT = 2**14  # rates up to here have a table of their own
LARGE = 27  # the largest tables are those of 2^LARGE
POPCOUNT = 6  # binary digits of n that are counted as bits of one word
MOST_PIECES = 5_000_000  # of 2^LARGE for each STRIDE values: about a second
STRIDE = 2**16
TOGETHER = 2**18  # draws made at once where a value is a sum of many
MANY = 20_000  # values, from here on tables for one q are worth making
DIGITS = 13  # binary digits of the counts that they are made for
OCTAL = 3  # binary digits that a table is for
OFTEN = 0.2  # share of the values, from here on a draw for each and none for nothing
ALONE = 4096  # a single n below this is compared bit by bit without arrays
HALF = Fraction(1, 2)
GUIDE = 14  # bits that a draw is looked up by: eight laws of this many stay in a second-level cache
UNSURE = -(2**15)


class OneOf:
    """A few laws to draw from.

    >>> from itertools import repeat
    >>> from dpviz import streams
    >>> halves = Unimodal(0, lambda _: repeat((1, 2)), lambda _: iter(()), spread=2)
    >>> ninths = Unimodal(1, lambda _: repeat((1, 9)), lambda _: iter(()), spread=1)
    >>> which = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> OneOf([halves, ninths]).draw(which, rng=streams.teaching(7))
    array([0, 4, 0, 1, 1, 1, 1, 2])
    """

    __slots__ = ("_bits", "_edges", "_first", "_guide", "_laws", "_size", "_start")

    def __init__(self, laws: Sequence[Unimodal]) -> None:
        """Look all first bits up once in each law, and put all thresholds in one row."""
        self._laws, self._bits = laws, (len(laws) - 1).bit_length()
        self._guide = np.empty((len(laws), 2**GUIDE), dtype=np.int16)
        for row, law in zip(self._guide, laws, strict=True):
            found, certain = law.guide(GUIDE)
            row[:] = np.where(certain & (np.abs(found) < -UNSURE), found, UNSURE)
        lows, highs, first = zip(*(law.edges() for law in laws), strict=True)
        self._edges = [
            np.concatenate([self._behind(place, each) for place, each in enumerate(side)])
            for side in (lows, highs)
        ]
        self._size, self._first = np.array([low.size for low in lows]), np.array(first)
        self._start = self._size.cumsum() - self._size

    def draw(self, which: Array, *, rng: np.random.Generator) -> Array:
        """Draw from the law in this place, for each value.

        Returns:
            Shape (d,), int64.
        """
        head = first_bits(which.size, rng=rng)
        drawn = np.empty(which.size, dtype=np.int16)
        for place, bits, found in blocks(which, head, drawn):
            entry = place << GUIDE
            entry |= bits >> (CHUNK - GUIDE)
            self._guide.take(entry, out=found, mode="clip")  # nothing to clip, but quicker
        (unsure,) = (drawn == UNSURE).nonzero()
        drawn = drawn.astype(np.int64)
        uniform = to_words(head[unsure], rng=rng)
        drawn[unsure] = self._settle(which[unsure], uniform, rng=rng)
        return drawn

    def _settle(self, which: Array, uniform: Array, *, rng: np.random.Generator) -> Array:
        """Draws of which 64 bits are known: by the row of all thresholds, about never by a law.

        The row has a few bits less of each, so it may leave open what the law itself decides.
        """
        low, high = self._edges
        key, start = self._behind(which, uniform), self._start[which]
        passed = high.searchsorted(key, "left") - start
        tail = (passed == 0) | (passed == self._size[which])
        (late,) = (tail | (passed != low.searchsorted(key, "right") - start)).nonzero()
        drawn: Array = passed + self._first[which]
        for place in np.unique(which[late]).tolist():
            at = late[which[late] == place]
            drawn[at] = self._laws[place].draw_from(uniform[at], rng=rng)
        return drawn

    def _behind(self, place: Array | int, uniform: Array) -> Array:
        """Uniform words with the place of their law before them, in place of their last bits."""
        law = np.asarray(place, dtype=np.uint64) << (WORD - self._bits)
        return uniform >> self._bits | law


def poisson(rate: Fraction, size: int, *, rng: np.random.Generator) -> Array:
    """Draw Poisson counts, exactly.

    Args:
        rate: mean of the law, above 0.
        size: number of draws.
        rng: generator that the bits are drawn from.

    Returns:
        Shape (size,), int64.

    Raises:
        ParameterError: the draws at this rate take more than MOST_PIECES pieces.

    >>> from dpviz import streams
    >>> poisson(Fraction(7, 2), 6, rng=streams.teaching(7))
    array([2, 7, 2, 4, 3, 4])
    """
    if not size:  # no table for nothing
        return np.empty(0, np.int64)
    whole = max(int(rate) // DIRECT - 1, 0) if rate > DIRECT else 0
    rest = rate - whole * DIRECT
    shift = LARGE - (DIRECT.bit_length() - 1)
    waiting = whole >> shift
    _refuse_beyond(waiting * min(size, STRIDE))
    drawn = poisson_law(rest).draw(size, rng=rng)
    while waiting:
        together = min(waiting, max(1, TOGETHER // size))
        pieces = poisson_law(Fraction(1 << LARGE)).draw(together * size, rng=rng)
        drawn += pieces.reshape(together, size).sum(axis=0)
        waiting -= together
    for digit in range(shift):
        if whole >> digit & 1:
            drawn += poisson_law(Fraction(DIRECT << digit)).draw(size, rng=rng)
    return drawn


def binomial(n: Array, q: Fraction, *, rng: np.random.Generator) -> Array:
    """Draw binomial counts, exactly.

    Args:
        n: numbers of trials, at least 0, shape (d,), int64.
        q: chance of a success, between 0 and 1.
        rng: generator that the bits are drawn from.

    Returns:
        Shape (d,), int64, nowhere above n.

    Raises:
        ParameterError: the trials take more than MOST_PIECES pieces.

    >>> from dpviz import streams
    >>> binomial(np.array([0, 10, 1000]), Fraction(1, 3), rng=streams.teaching(7))
    array([  0,   3, 311])
    """
    if n.size == 1 and n[0] < ALONE:
        return np.array([_binomial_alone(int(n[0]), q, rng=rng)])
    _refuse_beyond(float((n >> LARGE).sum()) * min(1.0, STRIDE / max(n.size, 1)))
    successes, undecided = np.zeros_like(n), n.copy()
    numerator, denominator = q.numerator, q.denominator
    small = 1 << DIGITS if n.size >= MANY else 1
    while numerator and int(undecided.max(initial=0)) >= small:
        numerator *= 2
        bit = numerator >= denominator
        if bit:
            numerator -= denominator
        agree = halves(undecided, rng=rng)
        if bit:  # those that differ have a 0 here: they are below q
            successes += undecided
            successes -= agree
        undecided = agree
    if numerator and small > 1:
        successes += by_digits(undecided, Fraction(numerator, denominator), rng=rng)
    return successes


def share(low: float, level: float, high: float) -> Fraction:
    """The fraction (level - low)/(high - low) of three floats, exactly.

    >>> share(0.5, 1.0, 2.0)
    Fraction(1, 3)
    """
    ratios = [number.as_integer_ratio() for number in (low, level, high)]
    unit = max(denominator for _, denominator in ratios)  # all are powers of two
    start, middle, end = (numerator * (unit // bottom) for numerator, bottom in ratios)
    return Fraction(middle - start, end - start)


def halves(n: Array, *, rng: np.random.Generator) -> Array:
    """Draw Binomial(n, 1/2), exactly.

    >>> from dpviz import streams
    >>> halves(np.array([0, 10, 1000]), rng=streams.teaching(7))
    array([  0,   5, 490])
    """
    low = (n & (2**POPCOUNT - 1)).astype(np.uint64)
    mask = (np.uint64(1) << low) - np.uint64(1)
    drawn: Array = np.bitwise_count(words(n.size, rng=rng) & mask).astype(np.int64)
    largest = int(n.max(initial=0))
    for digit in range(POPCOUNT, min(largest.bit_length(), LARGE)):
        at = np.flatnonzero(n >> digit & 1)
        drawn[at] += binomial_law(1 << digit, HALF).draw(at.size, rng=rng)
    done = 0
    while largest >> LARGE > done:
        at = np.flatnonzero(n >> LARGE > done)
        step = max(1, TOGETHER // at.size)
        at = at.repeat(np.minimum((n[at] >> LARGE) - done, step))
        np.add.at(drawn, at, binomial_law(1 << LARGE, HALF).draw(at.size, rng=rng))
        done += step
    return drawn


def by_digits(n: Array, q: Fraction, *, rng: np.random.Generator) -> Array:
    """Draw Binomial(n, q), exactly, as a sum over the octal digits of n.

    >>> from dpviz import streams
    >>> by_digits(np.array([0, 10, 1000]), Fraction(1, 3), rng=streams.teaching(7))
    array([  0,   5, 322])
    """
    drawn, digit = np.zeros_like(n), np.empty_like(n)
    for place in range(0, int(n.max(initial=0)).bit_length(), OCTAL):
        np.right_shift(n, place, out=digit)
        digit &= 2**OCTAL - 1
        if np.count_nonzero(digit) > n.size * OFTEN:  # then a draw for all takes less
            drawn += _by_digit(digit, place, q, rng=rng)
            continue
        (at,) = digit.nonzero()
        if at.size:
            drawn[at] += _by_digit(digit[at], place, q, rng=rng)
    return drawn


def _by_digit(digit: Array, place: int, q: Fraction, *, rng: np.random.Generator) -> Array:
    """The part of the draws that belongs to an octal digit of n: only laws that occur are made."""
    least, most = int(digit.min()), int(digit.max())
    return digit_laws(place, least, most, q).draw(digit - least if least else digit, rng=rng)


def _refuse_beyond(pieces: float) -> None:
    """Refuse what would take minutes, before it begins."""
    if pieces > MOST_PIECES:
        raise ParameterError(
            f"this much noise for this many values is a sum of {pieces:.3g} draws, and at most "
            f"{MOST_PIECES:,} are made at a time; pass fewer values, or lower levels"
        )


def _binomial_alone(n: int, q: Fraction, *, rng: np.random.Generator) -> int:
    """The same as `binomial` for one number, in whole numbers of Python: much sooner done."""
    successes = pool = left = 0
    numerator, denominator = q.numerator, q.denominator
    while n and numerator:
        numerator *= 2
        if left < n:
            count = -(-n // WORD)
            drawn = words(count, rng=rng).astype("<u8", copy=False)
            pool, left = int.from_bytes(drawn.tobytes(), "little"), count * WORD
        agree = (pool & ((1 << n) - 1)).bit_count()
        pool, left = pool >> n, left - n
        if numerator >= denominator:
            numerator -= denominator
            successes += n - agree
        n = agree
    return successes


@lru_cache(maxsize=64)
def poisson_law(rate: Fraction) -> Unimodal:
    """The law L^x/x! e^-L, for rates up to some 2^LARGE.

    >>> from dpviz import streams
    >>> poisson_law(Fraction(5, 2)).draw(6, rng=streams.teaching(7))
    array([2, 5, 1, 3, 2, 3])
    """
    top, bottom = rate.numerator, rate.denominator
    mode = top // bottom

    def up(start: int) -> Iterator[tuple[int, int]]:
        return ((top, bottom * x) for x in count_from(mode + start + 1))

    def down(start: int) -> Iterator[tuple[int, int]]:
        return ((bottom * x, top) for x in range(mode - start, 0, -1))

    return Unimodal(mode, up, down, spread=isqrt(mode))


@lru_cache(maxsize=16)
def digit_laws(place: int, least: int, most: int, q: Fraction) -> OneOf:
    """The laws Binomial(d·2^place, q) for d = least … most.

    >>> from dpviz import streams
    >>> digit_laws(3, 1, 2, Fraction(1, 3)).draw(np.array([0, 0, 1]), rng=streams.teaching(7))
    array([2, 5, 4])
    """
    return OneOf([binomial_law(digit << place, q) for digit in range(least, most + 1)])


@lru_cache(maxsize=256)
def binomial_law(n: int, q: Fraction) -> Unimodal:
    """The law n!/(x!(n-x)!) q^x (1-q)^(n-x), for n up to some 2^LARGE and 0 < q < 1.

    >>> from dpviz import streams
    >>> binomial_law(4, Fraction(1, 3)).draw(6, rng=streams.teaching(7))
    array([1, 3, 1, 2, 1, 2])
    """
    yes, no = q.numerator, q.denominator - q.numerator
    mode = min((n + 1) * yes // (yes + no), n)

    def up(start: int) -> Iterator[tuple[int, int]]:
        return (((n - x) * yes, (x + 1) * no) for x in range(mode + start, n))

    def down(start: int) -> Iterator[tuple[int, int]]:
        return ((x * no, (n - x + 1) * yes) for x in range(mode - start, 0, -1))

    return Unimodal(mode, up, down, spread=isqrt(n * yes * no // (yes + no) ** 2))
