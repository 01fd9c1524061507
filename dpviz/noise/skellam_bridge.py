"""The hidden counts of a Skellam bridge, drawn exactly: whole numbers all the way.

Between two releases that differ by k there were U steps up and U - k down, U of the Bessel law;
V, the smaller of the two, has

    P(V = v) ∝ Λ^(2v) / (v! (v + |k|)!),    v >= 0,   Λ the difference of the levels.

Up to SMALL each |k| has a table. Beyond, the law around its mode m(k) = max{v: v(v + |k|) <= Λ²} is
drawn by rejection from one law for every k, of ratios (Λ/(Λ+i))² upwards and ((Λ-i)/Λ)² downwards,
i = 0, 1, …: at the same distance from the mode those of the Bessel law are nowhere larger, since
(m+i)(m+|k|+i) > (Λ+i-1)² and (m-i)(m+|k|-i) <= (Λ-i)² by the inequality of the means. The chance
to accept is a product of such quotients, at least 1 - S and at most 1 - S + S²/2, with S the sum of
what the factors lack of 1; 64-bit arithmetic bounds S, and where that does not settle the draw, the
product is worked out. The law is exact: the total variation from it is 0.
Limits: Λ up to 1e10; a new Λ takes time like its root, 1 s at the largest.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import isqrt

import numpy as np

from dpviz.noise.bits import LAST, Pair, less
from dpviz.noise.family import Array
from dpviz.noise.unimodal import Unimodal

SMALL = 256  # a table for each |k|, up to this Λ
SPREAD_OUT = 2**16  # beyond, 2m + |k| - 2Λ is no draw of a session: no bounds, the product at once
GUARD = 40  # bits of the product beyond those asked for
ONE = 1 << 32  # bounds of S are in units of 1/ONE


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
