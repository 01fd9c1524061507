"""Polynomials with whole coefficients: what two have in common, and roots that come twice, exactly.

A polynomial is a tuple of coefficients, that of the constant first, without zeros at its ends and
without a factor that divides all of them. So each stands for its multiples, too.
Limits: fractions grow with the degree, so a hundred is much.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from dpviz.lossless.lattice import Table

Whole = tuple[int, ...]
PRIME = 2**61 - 1  # of a first look: what is prime to each other modulo it is so without it


def whole(coefficients: Sequence[Fraction | int]) -> Whole:
    """The polynomial of these coefficients, times the number that makes them whole and small.

    >>> whole([Fraction(1, 2), Fraction(3, 4), 0])
    (2, 3)
    """
    row = [Fraction(value) for value in coefficients]
    while row and not row[-1]:
        row.pop()
    parts = math.lcm(*(value.denominator for value in row))
    scaled = [int(value * parts) for value in row]
    shared = math.gcd(*scaled) * (-1 if scaled and scaled[-1] < 0 else 1)
    return tuple(value // shared for value in scaled)


def of_table(table: Table) -> tuple[int, Whole]:
    """The least power of a Laurent polynomial, and what is left without it.

    >>> of_table({-1: Fraction(1, 2), 1: Fraction(1)})
    (-1, (1, 0, 2))
    """
    least = min(table)
    return least, whole([table.get(x, Fraction(0)) for x in range(least, max(table) + 1)])


def slope(one: Whole) -> Whole:
    """The derivative.

    >>> slope((5, 1, 3))
    (1, 6)
    """
    return whole([power * value for power, value in enumerate(one)][1:])


def divide(one: Sequence[Fraction | int], other: Whole) -> tuple[list[Fraction], list[Fraction]]:
    """Quotient and remainder, with fractions.

    >>> divide((1, 2, 1), (1, 1))[0]
    [Fraction(1, 1), Fraction(1, 1)]
    """
    rest = [Fraction(value) for value in one]
    steps = len(one) - len(other)
    quotient = [Fraction(0)] * max(steps + 1, 0)
    for place in range(steps, -1, -1):
        factor = quotient[place] = rest[place + len(other) - 1] / other[-1]
        for at, value in enumerate(other):
            rest[place + at] -= factor * value
    return quotient, rest[: len(other) - 1]


def shared(one: Whole, other: Whole) -> Whole:
    """The largest polynomial that divides both: by Euclid's steps, each made small.

    Modulo a prime that does not divide both first coefficients what is shared has at least the
    degree that it has without it, and nothing grows; so that is looked at first.

    >>> shared((1, 2, 1), (-1, 0, 1))
    (1, 1)
    >>> shared((1, 2, 1), (-2, 1))
    (1,)
    """
    if (one[-1] % PRIME or other[-1] % PRIME) and _degree_shared(one, other) == 0:
        return (1,)
    while other:
        remainder = _pseudo(one, other)
        one, other = other, remainder
    return one


def _degree_shared(one: Whole, other: Whole) -> int:
    """The degree of what both share modulo the prime."""
    first, second = ([value % PRIME for value in each] for each in (one, other))
    for row in (first, second):
        _shortened(row)
    while second:
        inverse = pow(second[-1], -1, PRIME)
        while len(first) >= len(second):
            factor = first[-1] * inverse % PRIME
            for at, value in enumerate(second, start=len(first) - len(second)):
                first[at] = (first[at] - factor * value) % PRIME
            _shortened(first)
        first, second = second, first
    return len(first) - 1


def _shortened(row: list[int]) -> None:
    """Take zeros off the end of a row of coefficients."""
    while row and not row[-1]:
        row.pop()


def _pseudo(one: Whole, other: Whole) -> Whole:
    """The remainder, times a number that keeps it whole."""
    rest = list(one)
    while len(rest) >= len(other):
        top = rest[-1]
        rest = [value * other[-1] for value in rest]
        for at, value in enumerate(other, start=len(rest) - len(other)):
            rest[at] -= top * value
        _shortened(rest)
    return whole(rest)


def without(one: Whole, factor: Whole) -> Whole:
    """One polynomial over another that divides it.

    >>> without((1, 2, 1), (1, 1))
    (1, 1)
    """
    return whole(divide(one, factor)[0])


def by_multiplicity(one: Whole) -> list[tuple[Whole, int]]:
    """Factors with simple roots, and how often each root comes: Yun's algorithm.

    >>> by_multiplicity((-1, 1, 1, -1))  # -(z - 1)²(z + 1)
    [((1, 1), 1), ((-1, 1), 2)]
    """
    found: list[tuple[Whole, int]] = []
    often = 1
    common = shared(one, slope(one))
    simple = without(one, common)
    while len(simple) > 1:
        again = shared(simple, common)
        once = without(simple, again)
        if len(once) > 1:
            found.append((once, often))
        simple, common, often = again, without(common, again), often + 1
    return found
