"""Polynomials with whole coefficients: exact common factors, and all roots in intervals.

A polynomial is a tuple of coefficients, that of the constant first, without zeros at its ends and
without a factor that divides all of them. So each stands for its multiples, too. What two have in
common, and which roots come twice, is found in exact fractions.
Limits: fractions grow with the degree, so a hundred is much.

Floats find where the roots are, steps of Aberth's method with many digits sharpen them, and a
theorem of Smith (1970) encloses them: with n approximations z_i of the roots of q, whose first
coefficient is c, the discs around z_i of radius

    n |q(z_i)| / |c Π_(j≠i) (z_i - z_j)|

hold all roots, and a disc that meets no other one holds exactly one. So a disc whose mirror image
meets no other disc has its root on the mirror, if the roots lie symmetric to it: on the real line
always, on the unit circle where the polynomial has the same coefficients backwards.
Limits: the radii are computed with intervals, so that they are proved; roots that are too close for
the digits are told apart by none, and then there is no answer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpviz.lossless.lattice import Table

Whole = tuple[int, ...]
PRIME = 2**61 - 1  # of a first look: what is prime to each other modulo it is so without it
DIGITS = 100  # of the roots
GUARD = 40  # digits more, of the intervals
STEPS = 60  # of Aberth's method


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


@dataclass(frozen=True, slots=True)
class Root:
    """One root.

    Attributes:
        value: an interval of complex numbers that holds it; real if it is.
        size: an interval that holds its distance from 0; exactly 1 on the unit circle.
    """

    value: Any
    size: Any

    @property
    def inside(self) -> bool:
        """Whether it is nearer to 0 than the unit circle, for certain."""
        return bool(self.size.b < 1)

    @property
    def outside(self) -> bool:
        """Whether it is further from 0 than the unit circle, for certain."""
        return bool(self.size.a > 1)

    @property
    def on_circle(self) -> bool:
        """Whether it is on the unit circle, for certain."""
        return bool(self.size.a == 1 == self.size.b)

    @property
    def positive(self) -> bool:
        """Whether it is a real number above 0, for certain."""
        return bool(self.value.imag == 0 and self.value.real.a > 0)


def intervals() -> Any:
    """Arithmetic of intervals with enough digits; loads mpmath, which little else needs."""
    from mpmath import ctx_iv

    context = ctx_iv.MPIntervalContext()
    context.dps = DIGITS + GUARD
    return context


def enclosed_roots(one: Whole, context: Any) -> list[Root] | None:
    """The roots of a polynomial without roots that come twice; None if they are too close to tell.

    Args:
        one: the polynomial.
        context: as `intervals` makes it.

    >>> found = enclosed_roots((-2, 0, 1), intervals())
    >>> sorted(round(float(root.value.real.mid), 6) for root in found)
    [-1.414214, 1.414214]
    """
    mirrored = shared(one, one[::-1])  # its roots lie symmetric to the unit circle
    found: list[Root] = []
    for factor, symmetric in ((mirrored, True), (without(one, mirrored), False)):
        if len(factor) < 2:
            continue
        near = _sharpened(factor)
        discs = None if near is None else _discs(factor, near, context)
        if discs is None:
            return None
        found += [_root(place, discs, context, symmetric) for place in range(len(discs))]
    return found


def _sharpened(one: Whole) -> list[Any] | None:
    """Approximations by Aberth's method; None if they do not come to rest."""
    from mpmath import ctx_mp

    many = ctx_mp.MPContext()
    many.dps = DIGITS + GUARD // 2
    largest = max(map(abs, one))
    start = np.roots([value / largest for value in reversed(one)])
    if start.size < len(one) - 1 or not np.isfinite(start).all():
        return None
    near, coefficients = [many.mpc(complex(z)) for z in start], [many.mpf(c) for c in one]
    rest = many.mpf(10) ** (-DIGITS - GUARD // 4)
    for _ in range(STEPS):
        moved = many.mpf(0)
        for place, z in enumerate(near):
            step = _aberth(coefficients, near, place, many)
            if step is None:
                continue
            near[place] = z - step
            moved = max(moved, abs(step) / abs(near[place]) if near[place] else moved)
        if moved < rest:
            return near
    return None


def _aberth(one: Sequence[Any], near: Sequence[Any], place: int, many: Any) -> Any | None:
    """How far an approximation moves; None if it is at a root already, or at another one."""
    z, value, rise = near[place], many.mpc(0), many.mpc(0)
    for coefficient in reversed(one):
        rise = rise * z + value
        value = value * z + coefficient
    apart = [z - other for at, other in enumerate(near) if at != place]
    if not value or not rise or not all(apart):
        return None
    newton = value / rise
    left = 1 - newton * sum((1 / each for each in apart), many.mpc(0))
    return newton / left if left else newton


def _discs(one: Whole, near: Sequence[Any], context: Any) -> list[tuple[Any, Any]] | None:
    """A centre and a radius for each root; None if two discs meet."""
    centres = [context.mpc(context.mpf(z.real), context.mpf(z.imag)) for z in near]
    coefficients = [context.mpf(value) for value in one]
    discs = []
    for place, z in enumerate(centres):
        value, apart = context.mpc(0), abs(coefficients[-1])
        for coefficient in reversed(coefficients):
            value = value * z + coefficient
        for at, other in enumerate(centres):
            if at != place:
                apart = apart * abs(z - other)
        if apart.a <= 0:
            return None
        discs.append((z, context.mpf((len(centres) * abs(value) / apart).b)))
    return discs if all(_alone(disc, place, discs) for place, disc in enumerate(discs)) else None


def _alone(disc: tuple[Any, Any], place: int, discs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether a disc meets none of the others than the one at this place."""
    centre, radius = disc
    return all(
        (abs(centre - other) - radius - wide).a > 0
        for at, (other, wide) in enumerate(discs)
        if at != place
    )


def _root(place: int, discs: Sequence[tuple[Any, Any]], context: Any, symmetric: bool) -> Root:
    """The root of a disc: real, or on the circle, where it cannot be its own mirror image else."""
    centre, radius = discs[place]
    span = context.mpf([-1, 1]) * radius
    real, imaginary = centre.real + span, centre.imag + span
    below = context.mpc(centre.real, -centre.imag)
    if imaginary.a <= 0 <= imaginary.b and _alone((below, radius), place, discs):
        imaginary = context.mpf(0)
    value = context.mpc(real, imaginary)
    size = abs(value)
    if symmetric and size.a <= 1 <= size.b:
        # the mirror image of a point at a distance r from 0, 1 - d <= r, is within 2d/(1 - d) of it
        wide = 4 * context.mpf((radius + abs(abs(centre) - 1)).b)
        if wide.b < 1 and _alone((centre, radius + wide), place, discs):
            size = context.mpf(1)
    return Root(value, size)
