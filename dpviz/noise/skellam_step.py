"""Exact draws of a Skellam step, the difference of two Poisson counts, by one look-up.

Its masses fall away from 0 as the Bessel functions do, f(k-1) = f(k+1) + (k/L) f(k). Run downwards
from the last cell that matters all terms are positive, so whole numbers keep the relative error
below n/2^S after n steps from f = 2^S. What is not known is the first ratio t = f(n+1)/f(n): it is
between 0 and 1, the sequence is linear in it, and so every cumulative chance lies between those of
t = 0 and t = 1; for n large enough these agree to any number of bits. The law is log-concave, so
all beyond n is at most 2L/n times the last mass. The draw is exact: its total variation is 0.
Limits: rates up to LARGEST; beyond, two Poisson draws cost less than the table.
"""

from fractions import Fraction
from functools import lru_cache
from math import isqrt

import numpy as np

from dpviz.noise import counts
from dpviz.noise.bits import WORD, Pair, Table
from dpviz.noise.family import Array
from dpviz.noise.unimodal import shares

LARGEST = 2**14
MANY = 2_000  # draws, from here on a table of the difference is worth making
START = 64  # bits of the first number of a sequence beyond those asked for
FURTHER = WORD + 24  # cells of a table end where what is left is below 2^-FURTHER


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
