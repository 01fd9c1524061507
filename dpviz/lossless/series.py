"""Laws on the whole numbers whose tails are sums of powers: what partial fractions find.

Exact is the generating function, a quotient of two polynomials with whole coefficients; chances are
no fractions as a rule, and are rounded.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.lattice import FURTHEST, Table
from dpviz.lossless.polynomials import Whole


@dataclass(frozen=True, slots=True)
class Power:
    """A part of a tail: n numbers from its start the real part of baseⁿ Σ_j factors[j] C(n + j, j).

    Attributes:
        base: what each step multiplies it by.
        factors: one for a root that comes once, as nearly all do.
    """

    base: complex
    factors: tuple[complex, ...]

    def at(self, n: int) -> float:
        """What it adds, n numbers from the start.

        >>> Power(0.5, (3.0,)).at(2)
        0.75
        """
        counted = sum(f * math.comb(n + j, j) for j, f in enumerate(self.factors))
        return float((counted * self.base**n).real)


@dataclass(frozen=True, slots=True)
class SeriesLaw:
    """A law on the whole numbers whose tails are sums of powers: what may be added to tables.

    Its generating function is a quotient of two polynomials with whole coefficients, which is
    exact; its chances are no fractions as a rule, and are rounded.

    Attributes:
        first: the least number that is listed.
        masses: chances of `first`, `first` + 1, …, to 30 places.
        left: what the tail below the table is made of, by the distance from `start[0]` downwards.
        right: likewise above the table, by the distance from `start[1]` upwards.
        start: where both tails are counted from.
        above: the generating function is `above`/`below`, times z to the power `shift`.
        below: see `above`.
        shift: see `above`.
    """

    first: int
    masses: tuple[Fraction, ...]
    left: tuple[Power, ...]
    right: tuple[Power, ...]
    start: tuple[int, int]
    above: tuple[Fraction, ...]
    below: Whole
    shift: int

    def __post_init__(self) -> None:
        checks.instance(int, first=self.first, shift=self.shift)
        checks.between(-FURTHEST, FURTHEST, first=self.first)
        checks.instance(tuple, masses=self.masses, above=self.above, below=self.below)
        for mass in self.masses:
            checks.instance(Fraction, masses=mass)
        if not self.masses or min(self.masses) < 0 or sum(self.above) != sum(self.below):
            raise ParameterError("a law has chances of at least 0 that add up to 1")

    @property
    def last(self) -> int:
        """The greatest number that is listed."""
        return self.first + len(self.masses) - 1

    @property
    def finite(self) -> bool:
        """Whether there is nothing beyond the table."""
        return not (self.left or self.right)

    def mass(self, x: int) -> Fraction:
        """The chance of x: as listed, and beyond the list in floats."""
        if x < self.first:
            return Fraction(max(0.0, sum(part.at(self.start[0] - x) for part in self.left)))
        if x > self.last:
            return Fraction(max(0.0, sum(part.at(x - self.start[1]) for part in self.right)))
        return self.masses[x - self.first]

    def numerator(self) -> Table:
        """What stands above `denominator` in the generating function, exactly."""
        return {self.shift + n: value for n, value in enumerate(self.above) if value}

    def denominator(self) -> Table:
        """What `numerator` stands above."""
        return {n: Fraction(value) for n, value in enumerate(self.below) if value}
