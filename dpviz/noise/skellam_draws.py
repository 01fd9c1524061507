"""Exact draws of Skellam noise: its steps, and the hidden counts of its bridges, in whole numbers.

Bridges. Between two releases that differ by k there were U steps up and U - k down, U of the Bessel
law; V, the smaller of the two, has

    P(V = v) ∝ Λ^(2v) / (v! (v + |k|)!),    v >= 0,   Λ the difference of the levels.

Up to SMALL each |k| has a table. Beyond, the law around its mode m(k) = max{v: v(v + |k|) <= Λ²} is
drawn by rejection from one law for every k, of ratios (Λ/(Λ+i))² upwards and ((Λ-i)/Λ)² downwards,
i = 0, 1, …: at the same distance from the mode those of the Bessel law are nowhere larger, since
(m+i)(m+|k|+i) > (Λ+i-1)² and (m-i)(m+|k|-i) <= (Λ-i)² by the inequality of the means. The chance
to accept is a product of such quotients, at least 1 - S and at most 1 - S + S²/2, with S the sum of
what the factors lack of 1; 64-bit arithmetic bounds S, and where that does not settle the draw, the
product is worked out.

Steps are differences of two Poisson counts, each drawn by one look-up. The masses fall away from 0
as the Bessel functions do, f(k-1) = f(k+1) + (k/L) f(k). Run downwards from the last cell that
matters all terms are positive, so whole numbers keep the relative error below n/2^S after n steps
from f = 2^S. What is not known is the first ratio t = f(n+1)/f(n): it is between 0 and 1, the
sequence is linear in it, and so every cumulative chance lies between those of t = 0 and t = 1; for
n large enough these agree to any number of bits. The law is log-concave, so all beyond n is at most
2L/n times the last mass.

Both laws are exact: the total variation from them is 0.
Limits: Λ up to 1e10; a new Λ takes time like its root, 1 s at the largest. Steps have a table for
rates up to LARGEST; beyond, two Poisson draws cost less.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import isqrt

import numpy as np

from dpviz.noise import counts
from dpviz.noise.bits import LAST, WORD, Pair, Table, less
from dpviz.noise.family import Array
from dpviz.noise.unimodal import Unimodal, shares

SMALL = 256  # a table for each |k|, up to this Λ
SPREAD_OUT = 2**16  # beyond, 2m + |k| - 2Λ is no draw of a session: no bounds, the product at once
GUARD = 40  # bits of the product beyond those asked for
ONE = 1 << 32  # bounds of S are in units of 1/ONE
LARGEST = 2**14  # rate of a step that has a table
MANY = 2_000  # draws, from here on a table of the difference is worth making
START = 64  # bits of the first number of a sequence beyond those asked for
FURTHER = WORD + 24  # cells of a table end where what is left is below 2^-FURTHER


def hidden(k: Array, rate: Fraction, *, rng: np.random.Generator) -> Array:
    """Draw the smaller of the two hidden counts.

    Args:
        k: sizes of the differences, at least 0 and below 2^40, shape (d,), int64.
        rate: Λ, above 0 and at most 1e10.
        rng: generator that the bits are drawn from.

    Returns:
        Shape (d,), int64.

    >>> from dpviz import streams
    >>> hidden(np.array([0, 3, 40]), Fraction(9), rng=streams.teaching(7))
    array([8, 7, 5])
    """
    drawn = np.empty_like(k)
    if rate <= SMALL:
        for each in np.unique(k).tolist():
            at = np.flatnonzero(k == each)
            drawn[at] = bessel_law(each, rate).draw(at.size, rng=rng)
        return drawn
    mode, waiting = modes(k, rate), np.arange(k.size)
    while waiting.size:
        away = common_law(rate).draw(waiting.size, rng=rng)
        accepted = _accepted(away, mode[waiting], k[waiting], rate, rng=rng)
        at = waiting[accepted]
        drawn[at] = mode[at] + away[accepted]
        waiting = np.delete(waiting, accepted)
    return drawn


def modes(k: Array, rate: Fraction) -> Array:
    """The largest v with v(v + k) <= Λ², exactly, for Λ >= 1.

    >>> modes(np.array([0, 1, 5]), Fraction(6))
    array([6, 5, 4])
    """
    square = int(rate * rate)
    half = k / 2  # floats only guess, at most 1 off: what follows is whole and exact
    guess = (float(square) / (half + np.sqrt(half * half + float(square)))).astype(np.int64)
    largest = np.maximum(guess - 1, 0)
    for _ in range(3):
        largest += _excess(largest + 1, k, square) <= 0
    return largest


def chance(away: int, mode: int, k: int, rate: Fraction, bits: int) -> Pair:
    """Bounds of the chance to accept, times 2^bits: the product itself.

    >>> chance(1, 6, 0, Fraction(6), 10)  # (6/7)² of 1024
    (752, 752)
    """
    top, bottom = rate.numerator, rate.denominator
    product, square = 1 << (bits + GUARD), bottom * bottom
    for i in range(away):
        factor = square * (mode + i + 1) * (mode + i + 1 + k)
        product = product * (top + bottom * i) ** 2 // factor
    for i in range(-away):
        product = product * square * (mode - i) * (mode - i + k) // (top - bottom * i) ** 2
    return product >> GUARD, (product + abs(away)) >> GUARD  # no factor is above 1


@lru_cache(maxsize=8)
def common_law(rate: Fraction) -> Unimodal:
    """The law around the mode that is drawn for every k.

    >>> from dpviz import streams
    >>> common_law(Fraction(5, 2)).draw(6, rng=streams.teaching(7))
    array([-1,  2, -1,  1,  0,  1])
    """
    top, bottom = rate.numerator, rate.denominator

    square = top * top  # here and below: nothing is worked out twice for a million cells

    def up(start: int) -> Iterator[tuple[int, int]]:
        return ((square, d * d) for d in count(top + bottom * start, bottom))

    def down(start: int) -> Iterator[tuple[int, int]]:
        return ((d * d, square) for d in range(top - bottom * start, 0, -bottom))

    return Unimodal(0, up, down, spread=isqrt(int(rate) // 2))


def bessel_law(k: int, rate: Fraction) -> Unimodal:
    """The law of V for one |k|; never kept, since k tells of two releases.

    >>> from dpviz import streams
    >>> bessel_law(3, Fraction(5, 2)).draw(6, rng=streams.teaching(7))
    array([1, 3, 1, 1, 1, 2])
    """
    top, bottom = rate.numerator**2, rate.denominator**2
    mode = (isqrt(k * k + 4 * (top // bottom)) - k) // 2

    def up(start: int) -> Iterator[tuple[int, int]]:
        return ((top, bottom * v * (v + k)) for v in count(mode + start + 1))

    def down(start: int) -> Iterator[tuple[int, int]]:
        return ((bottom * v * (v + k), top) for v in range(mode - start, 0, -1))

    return Unimodal(mode, up, down, spread=isqrt(int(rate)))


def _accepted(
    away: Array, mode: Array, k: Array, rate: Fraction, *, rng: np.random.Generator
) -> Array:
    """Which draws from the common law are kept."""
    possible = np.flatnonzero(mode + away >= 0)
    away, mode, k = away[possible], mode[possible], k[possible]
    least, most = _lacking(away, mode, k, rate)

    def refine(i: int, bits: int) -> Pair:
        return chance(int(away[i]), int(mode[i]), int(k[i]), rate, bits)

    shift = np.uint64(32)
    low = (ONE - most).astype(np.uint64) << shift
    upper = ONE - least + (least * least >> 33) + 1
    high = np.minimum(upper, ONE - 1).astype(np.uint64) << shift
    high[upper >= ONE] = LAST
    return possible[less(low, high, refine, rng=rng)]


def _lacking(away: Array, mode: Array, k: Array, rate: Fraction) -> tuple[Array, Array]:
    """Bounds of S in units of 1/ONE, the upper one at least 1; 0 and ONE where 64 bits fail.

    Upwards 1 - factor is (e + 2Λ - 1 + i(s + 2))/((m+i)(m+k+i)), i = 1…h; downwards
    (-e + is)/(Λ-i)², i = 0…h-1; with e = m(m+k) - Λ² and s = 2m + k - 2Λ. Denominators are Λ² up to
    factors between 1 - r and 1 + 2r, r = h(2m+k+h)/Λ².
    """
    square, double = int(rate * rate), int(2 * rate)
    h, up = np.abs(away), away > 0
    e, s = _excess(mode, k, square), 2 * mode + k - double  # each at most 1 too large
    wild = s > SPREAD_OUT
    s = np.where(wild, 0, s)
    pairs = np.where(up, h * (h + 1), h * (h - 1)) // 2
    above = np.where(up, h * (e + double) + (s + 2) * pairs, h * (1 - e) + s * pairs)
    below = np.where(up, h * (e + double - 2) + (s + 1) * pairs, (s - 1) * pairs - h * e)
    spread = h * (s + double + h)
    largest = int(max(above.max(initial=1), spread.max(initial=1)))
    shift = min(32, 62 - largest.bit_length())
    unit = square >> (32 - shift)
    most = (np.maximum(above, 0) << shift) // unit + 1
    least = (np.maximum(below, 0) << shift) // (unit + 1)
    ratio = (spread << shift) // unit + 1
    wild |= (most > ONE // 2) | (ratio > ONE // 2)
    most, least, ratio = (np.where(wild, 0, one) for one in (most, least, ratio))
    most += (most * ratio >> 31) + 1
    least -= (least * ratio >> 32) + 1
    return np.maximum(least, 0), np.where(wild, ONE, np.minimum(most, ONE))


def _excess(v: Array, k: Array, square: int) -> Array:
    """v(v + k) - square, which is small: the product may leave 64 bits, the result does not."""
    product = v.astype(np.uint64) * (v + k).astype(np.uint64)
    difference: Array = (product - np.uint64(square % 2**64)).view(np.int64)
    return difference


def step(rate: Fraction, size: int, *, rng: np.random.Generator) -> Array:
    """Draw differences of two Poisson(rate) counts, exactly.

    Returns:
        Shape (size,), int64.

    >>> from dpviz import streams
    >>> step(Fraction(4), 6, rng=streams.teaching(7))
    array([-5,  3,  0, -1,  1, -1])
    """
    if size >= MANY and rate <= LARGEST:
        return Difference(rate).draw(size, rng=rng)
    drawn = counts.poisson(rate, size, rng=rng)
    drawn -= counts.poisson(rate, size, rng=rng)
    return drawn


class Difference:
    """The law of A - B for two Poisson(rate) counts, to draw from."""

    def __init__(self, rate: Fraction) -> None:
        """Enclose the law to 64 bits."""
        self._rate, self._end = rate, reach(rate, FURTHER)
        self._table = _table(rate)

    def draw(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw from the law.

        Returns:
            Shape (size,), int64.
        """
        drawn = self._table.draw(size, rng=rng)
        drawn -= self._end
        furthest = max(int(drawn.max(initial=0)), -int(drawn.min(initial=0)))
        if furthest == self._end:  # about never: such numbers have a chance below 2^-64
            for sign in (-1, 1):
                at = np.flatnonzero(drawn == sign * self._end)
                drawn[at] = sign * beyond(self._rate, 1, at.size, rng=rng)
        return drawn


def beyond(rate: Fraction, stage: int, size: int, *, rng: np.random.Generator) -> Array:
    """Draw from the law given that it is at least `reach(rate, stage * FURTHER)`.

    >>> from dpviz import streams
    >>> reach(Fraction(4), FURTHER), beyond(Fraction(4), 1, 6, rng=streams.teaching(7))
    (79, array([79, 79, 79, 79, 79, 79]))
    """
    first, end = (reach(rate, each * FURTHER) for each in (stage, stage + 1))

    def thresholds(bits: int) -> list[Pair]:
        last = reach(rate, (stage + 2) * FURTHER + bits)
        return _between(
            [
                shares(_lumped(masses, end - first), bits)
                for masses in _sequences(rate, first, last, bits)
            ]
        )

    drawn = Table(thresholds).draw(size, rng=rng) + first
    at = np.flatnonzero(drawn == end)
    if at.size:
        drawn[at] = beyond(rate, stage + 1, at.size, rng=rng)
    return drawn


def reach(rate: Fraction, bits: int) -> int:
    """A number that A - B reaches with a chance below 2^-bits, by Bernstein's inequality.

    >>> reach(Fraction(5000), 88)
    1357
    """
    third = bits // 3 + 1
    return third + isqrt(third * third + int(4 * rate * bits)) + 1


@lru_cache(maxsize=16)
def _table(rate: Fraction) -> Table:
    """Outcomes from -end to end, each end standing for all from there on."""
    end = reach(rate, FURTHER)

    def thresholds(bits: int) -> list[Pair]:
        last = reach(rate, FURTHER - WORD + bits)
        found = []
        for masses in _sequences(rate, 0, last, bits):
            upper = _lumped(masses, end)
            found.append(shares([*upper[:0:-1], *upper], bits))
        return _between(found)

    return Table(thresholds)


def _sequences(rate: Fraction, first: int, last: int, bits: int) -> list[list[Pair]]:
    """Bounds of f(first), …, f(last) and of all beyond, for both ends of the unknown ratio."""
    top, bottom = rate.numerator, rate.denominator
    start, found = 1 << (bits + START), []
    for after in (0, start):
        values = [start]
        for k in range(last, first, -1):
            values.append(after + k * bottom * values[-1] // top)
            after = values[-2]
        slack = last + 2
        rest = (0, 2 * top * start // (bottom * last) + 1)
        bounds = [(v, v + (v * slack >> (bits + START)) + 1) for v in reversed(values)]
        found.append([*bounds, rest])
    return found


def _lumped(masses: list[Pair], cells: int) -> list[Pair]:
    """The first masses, and the sum of all others."""
    others = masses[cells:]
    return [*masses[:cells], (sum(low for low, _ in others), sum(high for _, high in others))]


def _between(ends: list[list[Pair]]) -> list[Pair]:
    """Bounds that hold for every ratio."""
    return [
        (min(one[0], other[0]), max(one[1], other[1])) for one, other in zip(*ends, strict=True)
    ]
